import type { CheckoutChoice } from "@marketday/contracts/checkout";
import type { TipPercentage } from "@marketday/domain/limits";
import { AUTO_CHECKOUT } from "@marketday/domain/subscription";

import type { CheckoutFacts } from "../checkout/load-checkout-facts.ts";
import type { LineFilter } from "../checkout/price-checkout.ts";

/**
 * The checkout choice of auto-checkout: the default tip and card, no store credit, the box of an open order of that day, else
 * the default address (docs/product.md §9).
 */
export function autoChoice(facts: CheckoutFacts, deliveryId: number, tip: number, takesCards: boolean): CheckoutChoice {
  const box = facts.open_orders.find((order) => order.delivery_id === deliveryId);
  const address = box?.address ?? facts.default_address;
  const card = facts.payment_methods.find(({ is_default }) => is_default) ?? facts.payment_methods[0];
  return {
    type: box?.type ?? "delivery",
    ...(box?.type !== "pickup" && address && { deliveryAddress: address as CheckoutChoice["deliveryAddress"] }),
    ...(box?.type === "pickup" && box.pickup_point_id !== null && { pickupPointId: box.pickup_point_id }),
    deliveryNotes: "",
    tipPercentage: tip as TipPercentage,
    useCredit: false,
    paymentMethodId: takesCards ? (card?.id ?? null) : null,
    savePaymentMethod: false,
  };
}

/**
 * The lines of a cart that auto-checkout orders for a day: all of them, or the subscribed ones. A pre-order of a later day is
 * ordered by that day's auto-checkout, so that there is one order per day. What was chosen in another market waits until the
 * shopper has chosen one of the two (docs/product.md §3 "Market of a session").
 */
export const keepFor =
  (status: number, { day, hub_id: hubId }: { day: string; hub_id: number }): LineFilter =>
  (line) =>
    (line.pre_order_date === null || line.pre_order_date <= day) &&
    (line.subscription_interval !== null ||
      (status === AUTO_CHECKOUT.fullCart && (line.hub_id === null || line.hub_id === hubId)));
