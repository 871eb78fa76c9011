import { toast } from "@marketday/ui/toast-store.ts";
import type { QueryClient } from "@tanstack/react-query";

import { openPaymentKey } from "../../lib/open-payment.ts";
import { cartKey } from "../cart/cart-provider.tsx";
import { refreshOrders } from "../orders/api.ts";
import { findOpenOrder, settleOrder } from "./open-order.ts";
import { mayHavePaid } from "./place.ts";

/** How long the result is in sight, ms: the shopper is doing something else by then. */
const TOAST_MS = 10_000;

/** After a checkout was left while it paid: its result, as a toast, and in cart and orders. */
export async function followOpenOrder(client: QueryClient, onPlaced: (orderId: number) => void): Promise<void> {
  const key = openPaymentKey("checkout");
  const outcome = key === null ? null : await findOpenOrder();
  // The checkout was opened again and has it.
  if (!outcome || openPaymentKey("checkout") !== key) return;
  settleOrder(outcome);
  if (outcome.kind === "placed") {
    void client.invalidateQueries({ queryKey: cartKey });
    void refreshOrders(client);
    toast({
      text: "Your order is placed",
      duration: TOAST_MS,
      action: { label: "See it", run: () => onPlaced(outcome.orderId) },
    });
  } else if (outcome.kind === "refused" && !mayHavePaid(outcome.error)) {
    toast({ text: `Your order was not placed. ${outcome.error.message}`, tone: "error" });
  }
}
