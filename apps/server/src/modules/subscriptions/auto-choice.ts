import type { CheckoutChoice } from "@marketday/contracts/checkout";
import type { TipPercentage } from "@marketday/domain/limits";
import { AUTO_CHECKOUT } from "@marketday/domain/subscription";

import { isUndecided } from "../cart/other-market.ts";
import type { CheckoutFacts } from "../checkout/checkout-facts-sql.ts";
import type { LineFilter } from "../checkout/price-checkout.ts";
import type { HubDirectory } from "../hubs/directory.ts";

/** The card that auto-checkout charges: the default one. Undefined without a card. */
export const autoCard = (facts: CheckoutFacts) =>
  facts.payment_methods.find(({ is_default }) => is_default) ?? facts.payment_methods[0];

/** The open order of a day that auto-checkout joins: nothing can be added to a box at a pickup point that has closed since. */
export const openBox = (facts: CheckoutFacts, deliveryId: number) =>
  facts.open_orders.find(
    (order) =>
      order.delivery_id === deliveryId &&
      (order.type === "delivery" || facts.pickup_points.some(({ id }) => id === order.pickup_point_id)),
  );

/**
 * The checkout choice of auto-checkout: the default card and tip (pickup has no driver), no store credit, the box of an open order
 * of that day, else where the customer receives (docs/product.md §9).
 */
export function autoChoice(facts: CheckoutFacts, deliveryId: number, tip: number, takesCards: boolean): CheckoutChoice {
  const box = openBox(facts, deliveryId);
  const type = box?.type ?? (facts.pickup_point ? "pickup" : "delivery");
  const address = box?.address ?? facts.default_address;
  const pickupPointId = box ? box.pickup_point_id : facts.pickup_point?.id;
  return {
    type,
    ...(type === "delivery" && address && { deliveryAddress: address as CheckoutChoice["deliveryAddress"] }),
    ...(type === "pickup" && pickupPointId != null && { pickupPointId }),
    deliveryNotes: "",
    tipPercentage: type === "pickup" ? 0 : (tip as TipPercentage),
    useCredit: false,
    paymentMethodId: takesCards ? (autoCard(facts)?.id ?? null) : null,
    savePaymentMethod: false,
    useNextTime: false,
  };
}

/**
 * The lines of a cart that auto-checkout orders for a day: all of them, or the subscribed ones. A pre-order of a later day is
 * ordered by that day's auto-checkout, so that there is one order per day. An undecided line waits until the shopper has chosen a
 * market (docs/product.md §3 "Market of a session").
 */
export const keepFor =
  (directory: HubDirectory, status: number, { day, hub_id: hubId }: { day: string; hub_id: number }): LineFilter =>
  (line) =>
    (line.pre_order_date === null || line.pre_order_date <= day) &&
    (line.subscription_interval !== null ||
      (status === AUTO_CHECKOUT.fullCart && !isUndecided(directory, line, hubId)));
