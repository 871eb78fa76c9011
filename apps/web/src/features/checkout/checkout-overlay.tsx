import type { FrameMessage } from "@marketday/contracts/frame";
import { Button } from "@marketday/ui/button.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { cartKey } from "../cart/cart-provider.tsx";
import { FrameOverlay } from "../frame-host/frame-overlay.tsx";
import { useFrameLogin } from "../frame-host/use-frame-login.ts";
import { refreshOrders } from "../orders/api.ts";
import { sessionKeys } from "../session/api.ts";
import { followOpenOrder } from "./follow-order.ts";
import { useSavedCart } from "./use-saved-cart.ts";

/** The checkout in its frame, over everything (spec §4 Checkout frame messages). */
export default function CheckoutOverlay() {
  const client = useQueryClient();
  const { close, navigate, replacePageWithHome } = useNavigation();
  const loggedIn = useFrameLogin();
  const cart = useSavedCart();
  // A tap in another tab must not take an open checkout away.
  const [isOpen, setOpen] = useState(cart.state === "saved");
  if (!isOpen && cart.state === "saved") setOpen(true);

  // However it was left: what was bought in the frame is not the app's to know.
  useEffect(
    () => () => {
      // The order may have changed where its customer receives.
      for (const queryKey of [cartKey, sessionKeys.current]) void client.invalidateQueries({ queryKey });
      void refreshOrders(client);
      void followOpenOrder(client, (orderId) => void navigate(paths.orderComplete(orderId)));
    },
    [client, navigate],
  );

  const hear = (message: FrameMessage) => {
    if (message.kind === "customer-logged-in") return void loggedIn(() => replacePageWithHome({ kind: "checkout" }));
    if (message.kind !== "order") return close();
    // In the place of the checkout: Back goes to where the cart was, never to a cart that is bought.
    void navigate(paths.orderComplete(message.orderId), { replace: true });
  };

  return (
    <FrameOverlay
      full
      title="Checkout"
      src="/embed/checkout"
      opening={isOpen ? "Loading checkout…" : "Saving your cart…"}
      ready={isOpen}
      {...(!isOpen && cart.state === "failed" ? { onRetry: cart.retry } : {})}
      onMessage={hear}
      wayOut={
        <Button kind="outline" onClick={close}>
          Back to the cart
        </Button>
      }
    />
  );
}
