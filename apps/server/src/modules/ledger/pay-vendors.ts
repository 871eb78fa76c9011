import { execute, sql, type SqlTx } from "@marketday/db";
import { payoutEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { bookPurchase } from "./booking-store.ts";
import { type DueRow, findDues, findPaid } from "./payout-store.ts";

/** One payout at a time: what one books the next one sees. */
const oneAtATime = (tx: SqlTx): Promise<number> => execute(tx, sql`select pg_advisory_xact_lock(7263903::bigint)`);

/** Who is paid, in cents, and who was paid too much and is not: that is taken off their next payout. */
export interface Payout {
  /** Its number; null: nothing is owed, or it was only tried. */
  payout: number | null;
  paid: DueRow[];
  carried: DueRow[];
  totalCents: number;
}

/**
 * Books what vendors are owed for delivery days up to `to` as paid (docs/product.md §14 `ledger payouts`): each vendor's share
 * leaves for their bank. Run again it finds only what is new since.
 */
export async function payVendors(ctx: Context, { to, dryRun }: { to: string; dryRun: boolean }): Promise<Payout> {
  return withDryRun(ctx.deps.db, dryRun, async (tx) => {
    await oneAtATime(tx);
    const dues = await findDues(tx, to);
    const paid = dues.filter((due) => due.due_cents > 0);
    const carried = dues.filter((due) => due.due_cents < 0);
    const totalCents = paid.reduce((sum, due) => sum + due.due_cents, 0);
    if (paid.length === 0) return { payout: null, paid, carried, totalCents };
    const payout = await bookPurchase(
      tx,
      { kind: "payout", paymentId: null, note: `deliveries up to ${to}`, now: ctx.now },
      payoutEntries(paid.map(({ id, due_cents }) => ({ vendorId: id, amountCents: cents(due_cents) }))),
    );
    await writeAuditEntry(tx, ctx, {
      action: "ledger payouts",
      subject: `payout:${payout}`,
      reason: `deliveries up to ${to}`,
      data: { to, totalCents, vendors: paid.map(({ slug, due_cents: amountCents }) => ({ slug, amountCents })) },
    });
    return { payout: dryRun ? null : payout, paid, carried, totalCents };
  });
}

/**
 * A vendor's part of a payout did not arrive, or was wrong: it is booked back, and they are owed it again. Twice is once.
 * @returns the cents that are owed again; 0 when it was taken back before
 */
export async function reversePayout(
  ctx: Context,
  { payout, vendor, reason, dryRun }: { payout: number; vendor: string; reason: string; dryRun: boolean },
): Promise<number> {
  return withDryRun(ctx.deps.db, dryRun, async (tx) => {
    await oneAtATime(tx);
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
      action: "ledger reverse",
      subject: `payout:${payout}`,
      reason,
      data: { vendorId: found.id, slug: vendor, amountCents: found.amount_cents },
    });
    return found.amount_cents;
  });
}
