import { cents, fromDollars, toDollars } from "@marketday/domain/money";

import { notFound } from "../../lib/app-error.ts";
import type { Context } from "../identity/context.ts";
import { payVendors, reversePayout } from "./pay-vendors.ts";
import { payableUntil } from "./read-due.ts";
import { findVendorById } from "./store.ts";

/** What a request booked; the total in dollars. */
interface BookedAnswer {
  payout: number;
  vendors: number;
  total: number;
}

/**
 * Books what is due up to `to` as paid (`payVendors`), if it is still what was shown.
 * @param requestKey the `Idempotency-Key`: a request that is repeated after its server died is answered with its own payout
 * @throws AppError 400 `future`; 409 `amounts_changed`; 422 `key_reused`
 */
export async function bookPayout(
  ctx: Context,
  { to, amounts }: { to: string; amounts: readonly { vendorId: number; amount: number }[] },
  requestKey: string | null,
): Promise<BookedAnswer> {
  await payableUntil(ctx, to);
  const expected = amounts.map(({ vendorId, amount }) => ({ id: vendorId, due_cents: fromDollars(amount) }));
  const { payout, paid, totalCents } = await payVendors(ctx, { to, dryRun: false, expected, requestKey });
  await ctx.deps.failpoint("payout:booked");
  // There is at least one amount: one that is not due is refused.
  return { payout: payout!, vendors: paid.length, total: toDollars(cents(totalCents)) };
}

/** Reverses a vendor's part (`reversePayout`). @returns the dollars that are due again @throws AppError 404 */
export async function reversePart(
  ctx: Context,
  { payout, vendorId, reason }: { payout: number; vendorId: number; reason: string },
): Promise<number> {
  const vendor = await findVendorById(ctx.deps.db, vendorId);
  if (!vendor) throw notFound();
  return toDollars(cents(await reversePayout(ctx, { payout, vendor: vendor.slug, reason, dryRun: false })));
}
