/** What a bundle costs (spec §3 Bundle). The cart takes the same share off each of its lines (price-cart.ts). */

import { addCents, partOf, subtractCents, timesCents, type Cents } from "./money.ts";

/** The bundle's price after its saving; `savingCents` is rounded for each line, so that the cart comes to the same. */
export function priceBundle(
  lines: readonly { quantity: number; unitCents: Cents }[],
  discountPpm: number,
): { totalCents: Cents; savingCents: Cents } {
  const totals = lines.map(({ quantity, unitCents }) => timesCents(unitCents, quantity));
  const savingCents = addCents(...totals.map((total) => partOf(total, discountPpm)));
  return { totalCents: subtractCents(addCents(...totals), savingCents), savingCents };
}
