import type { FrameMessage } from "@marketday/contracts/frame";
import { DialogBody } from "@marketday/ui/dialog.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { cartKey } from "../cart/cart-provider.tsx";
import { sessionKeys } from "../session/api.ts";
import { FrameOverlay } from "./frame-overlay.tsx";
import { useFrameLogin } from "./use-frame-login.ts";

/** A page of the account in its frame, under the dialog's own bar: gift cards, wagon pass, payment methods. */
export function AccountFrame({ title, src }: { title: string; src: string }) {
  const client = useQueryClient();
  const { back } = useNavigation();
  const loggedIn = useFrameLogin();
  useTitle(title);
  // The dialog's own Close says nothing about what was bought in the frame: credit, pass and fees are read again.
  useEffect(
    () => () => {
      for (const queryKey of [sessionKeys.current, cartKey, ["subscriptions"]])
        void client.invalidateQueries({ queryKey });
    },
    [client],
  );
  const hear = ({ kind }: FrameMessage) => {
    if (kind === "customer-logged-in") return void loggedIn();
    if (kind !== "order") back();
  };
  return (
    <DialogBody fill>
      <FrameOverlay title={title} src={src} opening={`Opening ${title.toLowerCase()}…`} onMessage={hear} />
    </DialogBody>
  );
}
