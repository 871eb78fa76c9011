import { isDeepStrictEqual } from "node:util";

import type { AnyTx, Tx } from "@marketday/db";
import { payoutEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { actorName, writeAuditEntry } from "../audit/write-audit-entry.ts";
import { marketDate } from "../hubs/market-date.ts";
import type { Context } from "../identity/context.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { bookPurchase } from "./booking-sql.ts";
import { findOverpaid } from "./paid-later.ts";
import { findCoveringPayout, lockPayouts } from "./payout-sql.ts";
import { type DueRow, findDues, findPaid, findPayoutOfRequest, PAYOUT, REVERSAL } from "./payout-store.ts";

/** The vendors who are paid, and those who were paid too much: the difference is carried to their next payout. */
export interface Payout {
  /** The payout's number; null: nothing is due, or it was a dry run. */
  payout: number | null;
  paid: DueRow[];
  carried: DueRow[];
  totalCents: number;
}

interface VendorMail {
  template: string;
  id: number;
  email: string | null;
  data: { payout: number | null; vendor: string; amountCents: number; to?: string };
}

/** Enqueues a vendor's mail about a payout; nothing without an email address. */
async function mailVendor(tx: AnyTx, now: Date, { template, id, email, data }: VendorMail): Promise<void> {
  if (!email) return;
  const key = `${template}:${data.payout}:${id}`;
  await enqueueMailTo(tx, { key, template, to: email, data: { ...data }, notBefore: null, isSecret: false, now });
}

const Booked = z.object({ to: z.string() });

/** A vendor's amount that a person confirmed. */
type ConfirmedAmount = Pick<DueRow, "id" | "due_cents">;

const amountsOf = (dues: readonly ConfirmedAmount[]) =>
  dues.toSorted((a, b) => a.id - b.id).map(({ id, due_cents: due }) => [id, due]);

/** The payout that this request booked before its answer was lost, whatever was reversed since; null: it booked none. */
async function findOwn(tx: Tx, { actor }: Context, requestKey: string): Promise<(Payout & { to: string }) | null> {
  const entry = await findPayoutOfRequest(tx, actorName(actor), requestKey);
  if (!entry) return null;
  const payout = Number(entry.subject.slice("payout:".length));
  const parts = await findPaid(tx, { payout });
  const paid = parts.map(({ amount_cents: due_cents, ...vendor }) => ({ ...vendor, due_cents }));
  const totalCents = paid.reduce((sum, { due_cents: due }) => sum + due, 0);
  return { payout, paid, carried: [], totalCents, to: Booked.parse(entry.data).to };
}

/**
 * Books the amounts due to vendors for delivery days up to `to` as paid to their banks (docs/product.md §14 `ledger payouts`).
 * A second run books only the amounts that are new.
 * @param how `expected`: the amounts that were confirmed, in any order; `requestKey`: the `Idempotency-Key` of a request, for its audit
 * entry
 * @throws AppError 409 `amounts_changed` when others are due meanwhile, 422 `key_reused` when the key has booked something else; nothing is
 * booked then
 */
export async function payVendors(
  ctx: Context,
  {
    to,
    dryRun,
    expected,
    requestKey,
  }: { to: string; dryRun: boolean; expected?: readonly ConfirmedAmount[]; requestKey?: string | null },
): Promise<Payout> {
  const today = await marketDate(ctx.deps, ctx.now);
  return withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    await lockPayouts(tx);
    const own = requestKey ? await findOwn(tx, ctx, requestKey) : null;
    if (own) {
      if (own.to !== to || (expected && !isDeepStrictEqual(amountsOf(own.paid), amountsOf(expected))))
        throw new AppError(422, "Idempotency key was used with another request.", { code: "key_reused" });
      return own;
    }
    const dues = await findDues(tx, to);
    const paid = dues.filter((due) => due.due_cents > 0);
    if (expected && !isDeepStrictEqual(amountsOf(paid), amountsOf(expected)))
      throw new AppError(
        409,
        "What vendors are owed has changed since it was listed. Nothing was booked: run it again.",
        { code: "amounts_changed" },
      );
    const carried = await findOverpaid(tx, dues, { to, today });
    const totalCents = paid.reduce((sum, due) => sum + due.due_cents, 0);
    if (paid.length === 0) return { payout: null, paid, carried, totalCents };
    const payout = await bookPurchase(
      tx,
      { kind: "payout", paymentId: null, note: `deliveries up to ${to}`, now: ctx.now },
      payoutEntries(paid.map(({ id, due_cents }) => ({ vendorId: id, amountCents: cents(due_cents) }))),
    );
    await writeAuditEntry(tx, ctx, {
      action: PAYOUT,
      subject: `payout:${payout}`,
      reason: `deliveries up to ${to}`,
      data: {
        to,
        totalCents,
        vendors: paid.map(({ slug, due_cents: amountCents }) => ({ slug, amountCents })),
        ...(requestKey && { requestKey }),
      },
    });
    for (const { id, name: vendor, email, due_cents: amountCents } of paid)
      await mailVendor(tx, ctx.now, {
        template: "vendor-payout",
        id,
        email,
        data: { payout, vendor, amountCents, to },
      });
    return { payout: dryRun ? null : payout, paid, carried, totalCents };
  });
}

/**
 * Reverses a vendor's part of a payout that did not arrive or was wrong: the amount is due again. Idempotent.
 * @returns the cents that are due again; 0 when the part was reversed before
 */
export async function reversePayout(
  ctx: Context,
  { payout, vendor, reason, dryRun }: { payout: number; vendor: string; reason: string; dryRun: boolean },
): Promise<number> {
  return withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    await lockPayouts(tx);
    const found = (await findPaid(tx, { payout })).find(({ slug }) => slug === vendor);
    if (!found || found.amount_cents < 0)
      throw new AppError(404, `Payout ${payout} has nothing for ${vendor}.`, { code: "not_found" });
    if (found.taken_back) return 0;
    await bookPurchase(
      tx,
      { kind: "payout", paymentId: null, note: `payout ${payout} taken back: ${reason}`, now: ctx.now },
      payoutEntries([{ vendorId: found.id, amountCents: cents(-found.amount_cents) }]),
    );
    await writeAuditEntry(tx, ctx, {
      action: REVERSAL,
      subject: `payout:${payout}`,
      reason,
      data: { vendorId: found.id, slug: vendor, amountCents: found.amount_cents },
    });
    const { id, name, email, amount_cents: amountCents } = found;
    const data = { payout, vendor: name, amountCents };
    await mailVendor(tx, ctx.now, { template: "vendor-payout-reversed", id, email, data });
    return found.amount_cents;
  });
}

/**
 * Keeps payouts waiting until the transaction ends, so that what these orders are is what the next payout finds.
 * @throws AppError 409 `paid_out` when a vendor was already paid for one of them
 */
export async function requireNotPaidOut(tx: AnyTx, orderIds: readonly number[]): Promise<void> {
  await lockPayouts(tx);
  const found = await findCoveringPayout(tx, orderIds);
  if (found)
    throw new AppError(409, `Payout ${found.payout} paid ${found.slug} for this order. This can no longer be undone.`, {
      code: "paid_out",
    });
}
