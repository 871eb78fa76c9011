/** What an order comes to after an edit, which only ever lowers it (docs/product.md §8). */

import {
  addCents,
  allocate,
  cents,
  minCents,
  partOf,
  percentOf,
  subtractCents,
  timesCents,
  zeroCents,
  type Cents,
} from "./money.ts";
import { orderTotal, splitPayment } from "./pricing.ts";

/** A line before the edit and the quantity it keeps. `discountCents` and `taxCents` are its shares as bought. */
type EditedLine = { quantity: number; quantityBefore: number; unitCents: Cents; discountCents: Cents };

export type EditInput = {
  lines: readonly EditedLine[];
  tipPercentage: number;
  taxRatePpm: number;
  /** The hub's rule, never more than was charged. */
  cardFee: { ppm: number; fixedCents: Cents; beforeCents: Cents };
  /** Stays: the box still comes. 0 when nothing is left of it. */
  deliveryFeeCents: Cents;
  /** Store credit that was used; what the order no longer needs of it goes back. */
  creditCents: Cents;
  /** The rest that was waived, and the least that may be due (`splitPayment`). */
  waivedCents: Cents;
  leastDueCents: Cents;
};

export type EditedPrice = {
  lines: { discountCents: Cents; taxCents: Cents }[];
  itemsCents: Cents;
  tipCents: Cents;
  taxCents: Cents;
  cardFeeCents: Cents;
  deliveryFeeCents: Cents;
  discountCents: Cents;
  waivedCents: Cents;
  orderTotalCents: Cents;
  creditCents: Cents;
};

/**
 * Tip and tax follow the items; each line keeps its discount in proportion to the units it keeps, rounded down, so that a
 * discount never outgrows its line. The parts sum to the total.
 */
export function priceEdit(input: EditInput): EditedPrice {
  const totals = input.lines.map(({ unitCents, quantity }) => timesCents(unitCents, quantity));
  const itemsCents = addCents(...totals);
  const discounts = input.lines.map(({ quantity, quantityBefore, discountCents }) =>
    quantityBefore === 0 ? zeroCents : cents(Math.floor((discountCents * quantity) / quantityBefore)),
  );
  const discountCents = addCents(...discounts);
  const taxCents = partOf(subtractCents(itemsCents, discountCents), input.taxRatePpm);
  const taxes = allocate(
    taxCents,
    totals.map((total, place) => subtractCents(total, discounts[place] ?? zeroCents)),
  );
  const { ppm, fixedCents, beforeCents } = input.cardFee;
  const cardFeeCents =
    itemsCents === 0 ? zeroCents : minCents(beforeCents, addCents(partOf(itemsCents, ppm), fixedCents));
  const tipCents = percentOf(itemsCents, input.tipPercentage);
  const processingFeeCents = addCents(cardFeeCents, input.deliveryFeeCents);
  const { waivedCents, orderTotalCents, creditCents } = splitPayment({
    totalCents: orderTotal({ itemsCents, tipCents, processingFeeCents, taxCents, discountCents }),
    creditCents: input.creditCents,
    waivedCents: input.waivedCents,
    leastDueCents: input.leastDueCents,
  });
  return {
    lines: discounts.map((discount, place) => ({ discountCents: discount, taxCents: taxes[place] ?? zeroCents })),
    itemsCents,
    tipCents,
    taxCents,
    cardFeeCents,
    deliveryFeeCents: input.deliveryFeeCents,
    discountCents,
    waivedCents,
    orderTotalCents,
    creditCents,
  };
}
