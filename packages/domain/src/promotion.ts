/** Discount codes and the referral discount (docs/product.md §6 Discount codes, §7 Referral). */

import { addCents, minCents, partOf, subtractCents, zeroCents, type Cents } from "./money.ts";
import { atOrAfter, isBefore } from "./time.ts";

/** A discount code's rule; exactly one of `percentPpm` (100,000 is 10 %) and `amountCents` is set. */
export type DiscountCode = {
  percentPpm: number | null;
  amountCents: Cents | null;
  minimumCents: Cents;
  /** First instant at which it works. */
  startsAt: Date | null;
  /** First instant at which it no longer works. */
  endsAt: Date | null;
  useLimit: number | null;
  oncePerCustomer: boolean;
  /** Only in this hub, or in all when null. */
  hubId: number | null;
};

/** What a code is judged against. `uses` are all uses so far; `usedByCustomer` whether this customer is among them. */
export type CodeContext = { itemsCents: Cents; now: Date; hubId: number | null; usedByCustomer: boolean; uses: number };

export type CodeRefusal = "not_started" | "ended" | "other_hub" | "already_used" | "used_up" | "minimum";

/** The sentence for each refusal. `used_up` is failures K1's. */
export const CODE_MESSAGES: Readonly<Record<CodeRefusal, string>> = {
  not_started: "This code is not valid yet.",
  ended: "This code has expired.",
  other_hub: "This code is not valid in this market.",
  already_used: "You have already used this code.",
  used_up: "This code is no longer available.",
  minimum: "Your cart does not reach the minimum of this code.",
};

/** What a code takes off now, never more than the items, or why it takes nothing. */
export function evaluateCode(
  code: DiscountCode,
  context: CodeContext,
): { ok: true; discountCents: Cents } | { ok: false; reason: CodeRefusal } {
  const { itemsCents, now } = context;
  if (code.startsAt !== null && isBefore(now, code.startsAt)) return { ok: false, reason: "not_started" };
  if (code.endsAt !== null && atOrAfter(now, code.endsAt)) return { ok: false, reason: "ended" };
  if (code.hubId !== null && code.hubId !== context.hubId) return { ok: false, reason: "other_hub" };
  if (code.oncePerCustomer && context.usedByCustomer) return { ok: false, reason: "already_used" };
  if (code.useLimit !== null && context.uses >= code.useLimit) return { ok: false, reason: "used_up" };
  if (itemsCents < code.minimumCents) return { ok: false, reason: "minimum" };
  const wanted = code.percentPpm === null ? (code.amountCents ?? zeroCents) : partOf(itemsCents, code.percentPpm);
  return { ok: true, discountCents: minCents(wanted, itemsCents) };
}

/** A code as it is stored and compared: without surrounding spaces, upper case. */
export function normaliseCode(code: string): string {
  return code.trim().toUpperCase();
}

/** One code per order, then the referral, together never more than the items (docs/product.md §6, failures K7). */
export function combineDiscounts(parts: { itemsCents: Cents; codeCents: Cents; referralCents: Cents }): {
  codeCents: Cents;
  referralCents: Cents;
  discountCents: Cents;
} {
  const codeCents = minCents(parts.codeCents, parts.itemsCents);
  const discountCents = minCents(addCents(codeCents, parts.referralCents), parts.itemsCents);
  return { codeCents, referralCents: subtractCents(discountCents, codeCents), discountCents };
}

/** What a promotion was worth to an order, and to which of its uses it is still worth something. */
export type MovedDiscounts = { codeCents: Cents; referralCents: Cents };

/**
 * The promotions of an order that is emptied, applied to the add-on that takes its place (`docs/product.md` §17): the code by
 * its own rule on what the add-on's items cost, the referral up to the rest. Time and use limits were checked when the code was
 * used. A code below its minimum is worth 0, and goes back to the shopper.
 */
export function moveDiscounts(
  itemsCents: Cents,
  code: Pick<DiscountCode, "percentPpm" | "amountCents" | "minimumCents"> | null,
  referralCents: Cents,
): MovedDiscounts {
  const wanted =
    code === null || itemsCents < code.minimumCents
      ? zeroCents
      : code.percentPpm === null
        ? (code.amountCents ?? zeroCents)
        : partOf(itemsCents, code.percentPpm);
  const combined = combineDiscounts({ itemsCents, codeCents: wanted, referralCents });
  return { codeCents: combined.codeCents, referralCents: combined.referralCents };
}
