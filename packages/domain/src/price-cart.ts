/**
 * What a cart comes to now (docs/product.md §6): which lines count and with how many units, and every discount on them. The
 * cart, the quote, placing an order and auto-checkout all use this one function.
 */

import { addCents, cents, minCents, partOf, subtractCents, timesCents, zeroCents, type Cents } from "./money.ts";
import { combineDiscounts, evaluateCode, type CodeRefusal, type DiscountCode } from "./promotion.ts";

/** A stored line with the hub's current facts about it. `unitCents` null: the hub has no offer for it. */
export type PriceableLine = {
  id: number;
  variantId: number;
  bundleId: number | null;
  /** Off this line as far as its whole bundle is in the cart. */
  bundleDiscountPpm: number;
  /** What one of its bundle is made of, and whether the hub has it now; nothing when it is in none. */
  bundleParts: readonly { variantId: number; quantity: number; isAvailable: boolean }[];
  quantity: number;
  unitCents: Cents | null;
  inventory: number;
  isPublished: boolean;
};

export type CartToPrice<L extends PriceableLine> = {
  lines: readonly L[];
  code: (DiscountCode & { uses: number; usedByCustomer: boolean }) | null;
  /** 20.00 while the referral discount is still to be had, else 0. */
  referralCents: Cents;
  hubId: number | null;
  now: Date;
};

/** A line as it counts: `quantity` never above the stock, `watching` when it is sold out. */
export type PricedCartLine<L extends PriceableLine> = {
  line: L;
  quantity: number;
  watching: boolean;
  isPublished: boolean;
  /** Whether it is bought at checkout. */
  counts: boolean;
  unitCents: Cents;
  totalCents: Cents;
  bundleDiscountCents: Cents;
};

export type PricedCart<L extends PriceableLine> = {
  lines: PricedCartLine<L>[];
  itemsCents: Cents;
  bundleDiscountCents: Cents;
  codeDiscountCents: Cents;
  referralDiscountCents: Cents;
  discountCents: Cents;
  subtotalCents: Cents;
  /** Why the code takes nothing off, when it does not. */
  codeRefusal: CodeRefusal | null;
};

/**
 * How many whole bundles the lines hold, by bundle: the saving is for buying all of it that there is. A part that is sold
 * out or not sold here is not required.
 */
function wholeBundles(lines: readonly PriceableLine[]): Map<number, number> {
  const units = new Map<string, number>();
  const parts = new Map<number, PriceableLine["bundleParts"]>();
  for (const { bundleId, variantId, quantity, bundleParts } of lines) {
    if (bundleId === null) continue;
    const key = `${bundleId} ${variantId}`;
    units.set(key, (units.get(key) ?? 0) + quantity);
    parts.set(bundleId, bundleParts);
  }
  const held = (bundleId: number, needed: PriceableLine["bundleParts"]) =>
    needed.map(({ variantId, quantity }) => Math.floor((units.get(`${bundleId} ${variantId}`) ?? 0) / quantity));
  return new Map(
    [...parts].map(([bundleId, needed]) => {
      const required = needed.filter(({ isAvailable }) => isAvailable);
      return [
        bundleId,
        required.length > 0 ? Math.min(...held(bundleId, required)) : Math.max(0, ...held(bundleId, needed)),
      ];
    }),
  );
}

/** The saving on a line: on as many of its units as whole bundles need, half up. */
function bundleSaving(line: PriceableLine, quantity: number, unitCents: Cents, bundles: Map<number, number>): Cents {
  const needed = line.bundleParts.find(({ variantId }) => variantId === line.variantId)?.quantity ?? 0;
  const units = line.bundleId === null ? 0 : Math.min(quantity, needed * (bundles.get(line.bundleId) ?? 0));
  return partOf(timesCents(unitCents, units), line.bundleDiscountPpm);
}

/** Units of one variant in several lines share its stock, the first line first (failures A2). */
export function priceCart<L extends PriceableLine>(input: CartToPrice<L>): PricedCart<L> {
  const left = new Map<number, number>();
  const bundles = wholeBundles(input.lines);
  const lines = input.lines.map((line): PricedCartLine<L> => {
    const stock = left.get(line.variantId) ?? line.inventory;
    const isPublished = line.isPublished && line.unitCents !== null;
    const watching = isPublished && stock <= 0;
    const quantity = isPublished && !watching ? Math.min(line.quantity, stock) : line.quantity;
    const counts = isPublished && !watching;
    if (counts) left.set(line.variantId, stock - quantity);
    const unitCents = line.unitCents ?? zeroCents;
    const totalCents = counts ? timesCents(unitCents, quantity) : zeroCents;
    const bundleDiscountCents = counts ? bundleSaving(line, quantity, unitCents, bundles) : zeroCents;
    return { line, quantity, watching, isPublished, counts, unitCents, totalCents, bundleDiscountCents };
  });
  const itemsCents = addCents(...lines.map(({ totalCents }) => totalCents));
  const bundleDiscountCents = addCents(...lines.map((line) => line.bundleDiscountCents));
  const afterBundles = subtractCents(itemsCents, bundleDiscountCents);
  const { code } = input;
  const judged = code && evaluateCode(code, { ...code, itemsCents: afterBundles, now: input.now, hubId: input.hubId });
  const combined = combineDiscounts({
    itemsCents: afterBundles,
    codeCents: judged?.ok ? judged.discountCents : zeroCents,
    referralCents: minCents(input.referralCents, afterBundles),
  });
  const discountCents = addCents(bundleDiscountCents, combined.discountCents);
  return {
    lines,
    itemsCents,
    bundleDiscountCents,
    codeDiscountCents: combined.codeCents,
    referralDiscountCents: combined.referralCents,
    discountCents,
    subtotalCents: cents(itemsCents - discountCents),
    codeRefusal: judged && !judged.ok ? judged.reason : null,
  };
}

/** A bundle's price after its saving (spec §3 Bundle); `savingCents` is rounded for each line, so that the cart comes to the same. */
export function priceBundle(
  lines: readonly { quantity: number; unitCents: Cents }[],
  discountPpm: number,
): { totalCents: Cents; savingCents: Cents } {
  const totals = lines.map(({ quantity, unitCents }) => timesCents(unitCents, quantity));
  const savingCents = addCents(...totals.map((total) => partOf(total, discountPpm)));
  return { totalCents: subtractCents(addCents(...totals), savingCents), savingCents };
}
