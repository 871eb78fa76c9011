import { cents, fromDollars, toDollars } from "@marketday/domain/money";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import { actorName } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { payVendors, reversePayout } from "./pay-vendors.ts";
import { findPayoutOfRequest } from "./payout-store.ts";
import { payableUntil } from "./read-due.ts";
import { findVendorById } from "./store.ts";

/** What a request booked; the total in dollars. */
interface BookedAnswer {
  payout: number;
  vendors: number;
  total: number;
}

const BookedData = z.object({ totalCents: z.number(), vendors: z.array(z.unknown()) });

/** The payout that this request booked before its answer was lost; null: it booked none. */
async function findOwn({ deps, actor }: Context, requestKey: string | null): Promise<BookedAnswer | null> {
  const entry = requestKey === null ? null : await findPayoutOfRequest(deps.db, actorName(actor), requestKey);
  if (!entry) return null;
  const { totalCents, vendors } = BookedData.parse(entry.data);
  return {
    payout: Number(entry.subject.slice("payout:".length)),
    vendors: vendors.length,
    total: toDollars(cents(totalCents)),
  };
}

/**
 * Books what is due up to `to` as paid (`payVendors`), if it is still what was shown.
 * @param requestKey the `Idempotency-Key`: a request that is repeated after its server died is answered with its own payout
 * @throws AppError 400 `future`; 409 `amounts_changed`
 */
export async function bookPayout(
  ctx: Context,
  { to, amounts }: { to: string; amounts: readonly { vendorId: number; amount: number }[] },
  requestKey: string | null,
): Promise<BookedAnswer> {
  await payableUntil(ctx, to);
  const expected = amounts.map(({ vendorId, amount }) => ({ id: vendorId, due_cents: fromDollars(amount) }));
  try {
    const { payout, paid, totalCents } = await payVendors(ctx, { to, dryRun: false, expected, requestKey });
    await ctx.deps.failpoint("payout:booked");
    // There is at least one amount: one that is not due is refused.
    return { payout: payout!, vendors: paid.length, total: toDollars(cents(totalCents)) };
  } catch (error) {
    const isChanged = error instanceof AppError && error.details.code === "amounts_changed";
    const own = isChanged ? await findOwn(ctx, requestKey) : null;
    if (own) return own;
    throw error;
  }
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
