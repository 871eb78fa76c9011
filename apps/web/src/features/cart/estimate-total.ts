import type { Cart } from "@marketday/contracts/cart";
import type { Hub } from "@marketday/contracts/hubs";
import { fromDollars, subtractCents, toDollars, zeroCents } from "@marketday/domain/money";
import { priceOrder } from "@marketday/domain/pricing";

/**
 * What the cart costs with home delivery and without a tip, in dollars, by the rule that checkout prices with (docs/product.md §6).
 * Null with pre-orders, which are orders of their own.
 */
export function estimateTotal(
  cart: Cart,
  hub: Hub,
  hasPass: boolean,
): { processing: number; tax: number; total: number } | null {
  const { taxRate, processingFee } = hub;
  if (taxRate === undefined || processingFee === undefined) return null;
  if (cart.items.some(({ product }) => product.variant.preOrderDate !== null)) return null;
  const itemsCents = fromDollars(cart.subtotalBeforeDiscounts);
  const price = priceOrder({
    lines: [{ quantity: 1, unitCents: itemsCents }],
    tipPercentage: 0,
    taxRatePpm: Math.round(taxRate * 10_000),
    processing: { ppm: Math.round(processingFee.percent * 10_000), fixedCents: fromDollars(processingFee.fixed) },
    deliveryFeeCents: hasPass ? zeroCents : fromDollars(hub.deliveryFee),
    discountCents: subtractCents(itemsCents, fromDollars(cart.subtotal)),
    creditCents: zeroCents,
    leastDueCents: zeroCents,
  });
  return {
    processing: toDollars(price.cardFeeCents),
    tax: toDollars(price.taxCents),
    total: toDollars(price.orderTotalCents),
  };
}
