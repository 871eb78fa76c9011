import type { AnyTx, Tx } from "@marketday/db";
import { compensationEntries, type LedgerEntry } from "@marketday/domain/ledger";
import { cents, minCents, type Cents } from "@marketday/domain/money";

import { insertBookings } from "../ledger/booking-sql.ts";
import { type BorneRefund, lockBorne } from "./bearer-sql.ts";
import { addReleased } from "./refund-store.ts";
import type { UnresolvedRefund } from "./unresolved-store.ts";

/**
 * Gives the vendor who bears a failed goodwill refund what of it is not given to the shopper after all. Cents.
 * @param dueCents what of the refund is still due
 * @returns what of `dueCents` the vendor does not bear
 */
export async function releaseBearer(
  tx: AnyTx,
  {
    order_id: orderId,
    bearer_id: vendorId,
    amount_cents: amountCents,
    released_cents: releasedCents,
  }: UnresolvedRefund,
  dueCents: number,
  now: Date,
): Promise<number> {
  if (orderId === null || vendorId === null) return 0;
  const borneCents = amountCents - releasedCents;
  const stillCents = Math.min(borneCents, dueCents);
  const entries = compensationEntries([{ vendorId, amountCents: cents(borneCents - stillCents) }]);
  await insertBookings(tx, [{ kind: "compensation", orderId, entries }], now);
  return dueCents - stillCents;
}

/** What of `goodwillCents`, or with "all" of what they bear, bearers have back: the oldest refund first. */
function shareGoodwill(borne: readonly BorneRefund[], goodwillCents: Cents | "all") {
  if (goodwillCents === "all")
    return borne.map(({ refundId, vendorId, borneCents }) => ({ refundId, vendorId, amountCents: cents(borneCents) }));
  let rest: number = goodwillCents;
  return borne
    .filter(({ isGiven }) => isGiven)
    .flatMap(({ refundId, vendorId, borneCents }) => {
      const amountCents = minCents(cents(borneCents), cents(rest));
      rest -= amountCents;
      return amountCents === 0 ? [] : [{ refundId, vendorId, amountCents }];
    });
}

/**
 * What `releaseBearers` would book. Goodwill that is deducted from what a lowered order gives back was the shopper's anyway, so no vendor
 * bears it: vendors have it back before the market does.
 * @param goodwillCents of `splitReturn`, without what a bank has; "all": the order is canceled, and costs no vendor anything
 */
export const releasedEntries = (borne: readonly BorneRefund[], goodwillCents: Cents | "all"): LedgerEntry[] =>
  compensationEntries(shareGoodwill(borne, goodwillCents));

/** Books what the bearers of an order's goodwill have back (`releasedEntries`). The order is locked. Returns the entries. */
export async function releaseBearers(
  tx: Tx,
  orderId: number,
  goodwillCents: Cents | "all",
  now: Date,
): Promise<LedgerEntry[]> {
  if (goodwillCents === 0) return [];
  const borne = await lockBorne(tx, orderId);
  const entries = releasedEntries(borne, goodwillCents);
  if (entries.length === 0) return [];
  for (const { refundId, amountCents } of shareGoodwill(borne, goodwillCents))
    await addReleased(tx, refundId, amountCents);
  await insertBookings(tx, [{ kind: "compensation", orderId, entries }], now);
  return entries;
}
