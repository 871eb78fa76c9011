/**
 * What an order costs (docs/product.md §7 Rounding): tip on items before discount, tax on items after discount, processing fee
 * percent + fixed on items, each half up, once. Cart, checkout, edit and the jobs all price with these functions.
 */

import { getOrThrow } from "./get-or-throw.ts";
import {
  addCents,
  allocate,
  cents,
  maxCents,
  minCents,
  partOf,
  percentOf,
  subtractCents,
  timesCents,
  zeroCents,
  type Cents,
} from "./money.ts";

/** What is priced. Rates are parts per million: 70,000 is 7 %. */
export type PriceInput = {
  lines: readonly { quantity: number; unitCents: Cents }[];
  tipPercentage: number;
  taxRatePpm: number;
  /** The hub's processing fee rule: a share of the items and a fixed amount. */
  processing: { ppm: number; fixedCents: Cents };
  /** Home delivery; 0 for pickup, an active wagon pass, or an order that joins another one's box. */
  deliveryFeeCents: Cents;
  /** Code and referral together; more than the items is cut to the items. */
  discountCents: Cents;
  /** Store credit (gift cards are in it) that may be used: payment, not discount. */
  creditCents: Cents;
  /** The least that may be due, if anything is: `CARD_MINIMUM` where cards are charged, 0 elsewhere. */
  leastDueCents: Cents;
};

/** A priced order. `processingFeeCents` = `cardFeeCents` + `deliveryFeeCents`; `lineShares` follow the lines' order. */
export type Price = {
  itemsCents: Cents;
  tipCents: Cents;
  taxCents: Cents;
  cardFeeCents: Cents;
  deliveryFeeCents: Cents;
  processingFeeCents: Cents;
  discountCents: Cents;
  /** A rest that is too small for a card; the market bears it. */
  waivedCents: Cents;
  orderTotalCents: Cents;
  creditUsedCents: Cents;
  amountDueCents: Cents;
  lineShares: { discountCents: Cents; taxCents: Cents }[];
};

/** The parts an order's total is made of. */
export type TotalParts = Pick<Price, "itemsCents" | "tipCents" | "processingFeeCents" | "taxCents" | "discountCents">;

/** The one sum of an order, before a rest is waived: items + tip + processing fee + tax − discount (spec §3 Order, failures V3). */
export function orderTotal(parts: TotalParts): Cents {
  return subtractCents(
    addCents(parts.itemsCents, parts.tipCents, parts.processingFeeCents, parts.taxCents),
    parts.discountCents,
  );
}

/** How an order is paid: store credit, then what is due, which is 0 or at least `leastDueCents`. */
export type PaymentSplit = { waivedCents: Cents; orderTotalCents: Cents; creditCents: Cents; amountDueCents: Cents };

/**
 * Splits a total into store credit and what is due. A rest below `leastDueCents` is avoided: less credit is used, so that
 * `leastDueCents` remains, or, when the total is smaller than that, the rest is waived (docs/product.md §7 "Small amounts").
 * @param total `creditCents`: the most that may be used. `waivedCents`: waived before; it stays as far as it is needed.
 */
export function splitPayment(total: {
  totalCents: Cents;
  creditCents: Cents;
  leastDueCents: Cents;
  waivedCents?: Cents;
}): PaymentSplit {
  const { totalCents, leastDueCents } = total;
  const creditCents = minCents(maxCents(total.creditCents, zeroCents), totalCents);
  const rest = subtractCents(totalCents, creditCents);
  const before = minCents(total.waivedCents ?? zeroCents, rest);
  const isTooSmall = rest > before && rest < leastDueCents;
  const waivedCents = isTooSmall && totalCents < leastDueCents ? rest : before;
  const usedCents = isTooSmall && waivedCents < rest ? subtractCents(totalCents, leastDueCents) : creditCents;
  const orderTotalCents = subtractCents(totalCents, waivedCents);
  return {
    waivedCents,
    orderTotalCents,
    creditCents: usedCents,
    amountDueCents: subtractCents(orderTotalCents, usedCents),
  };
}

/** Price times quantity over all lines. Throws RangeError for a quantity or price that is negative or no integer. */
export function itemsTotal(lines: PriceInput["lines"]): Cents {
  return addCents(...lines.map(lineTotal));
}

function lineTotal({ quantity, unitCents }: { quantity: number; unitCents: Cents }): Cents {
  if (!Number.isSafeInteger(quantity) || quantity < 0 || unitCents < 0) {
    throw new RangeError(`Not a line of an order: ${quantity} × ${unitCents}`);
  }
  return timesCents(unitCents, quantity);
}

/** Prices an order. With nothing to pay for there are no fees either: everything is 0. */
export function priceOrder(input: PriceInput): Price {
  const totals = input.lines.map(lineTotal);
  const itemsCents = addCents(...totals);
  const empty = itemsCents === 0;
  const discountCents = minCents(maxCents(input.discountCents, zeroCents), itemsCents);
  const tipCents = percentOf(itemsCents, input.tipPercentage);
  const taxCents = partOf(subtractCents(itemsCents, discountCents), input.taxRatePpm);
  const cardFeeCents = empty
    ? zeroCents
    : addCents(partOf(itemsCents, input.processing.ppm), input.processing.fixedCents);
  const deliveryFeeCents = empty ? zeroCents : input.deliveryFeeCents;
  const processingFeeCents = addCents(cardFeeCents, deliveryFeeCents);
  const { creditCents, ...due } = splitPayment({
    totalCents: orderTotal({ itemsCents, tipCents, processingFeeCents, taxCents, discountCents }),
    creditCents: input.creditCents,
    leastDueCents: input.leastDueCents,
  });

  const discounts = allocate(discountCents, totals);
  const taxed = totals.map((total, place) => cents(total - getOrThrow(discounts, place)));
  const taxes = allocate(taxCents, taxed);
  return {
    itemsCents,
    tipCents,
    taxCents,
    cardFeeCents,
    deliveryFeeCents,
    processingFeeCents,
    discountCents,
    ...due,
    creditUsedCents: creditCents,
    lineShares: discounts.map((discount, place) => ({ discountCents: discount, taxCents: getOrThrow(taxes, place) })),
  };
}

/** The price a shopper pays for a variant: its sale price when it has one, else its price (spec §3 Product). */
export function displayPrice(offer: { priceCents: Cents; salePriceCents: Cents | null }): Cents {
  return offer.salePriceCents ?? offer.priceCents;
}
