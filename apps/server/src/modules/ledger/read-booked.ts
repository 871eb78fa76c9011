import type { BookedPayout, PayoutSummary } from "@marketday/contracts/admin/payouts";
import { cents, toDollars } from "@marketday/domain/money";

import { notFound } from "../../lib/app-error.ts";
import { BOM } from "../../lib/csv.ts";
import type { Page } from "../../lib/paging.ts";
import { byOf } from "../audit-log/serialize-entry.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bankFile, bankLines } from "./bank-file.ts";
import { type BookedRow, findBookedPayout, findBookedPayouts, findReversals } from "./booked-sql.ts";
import { findPaid } from "./payout-store.ts";

const toSummary = (row: BookedRow): PayoutSummary => ({
  id: row.id,
  bookedAt: new Date(row.at).toISOString(),
  by: byOf(row).name,
  to: row.to,
  vendors: row.vendors,
  total: toDollars(cents(row.totalCents)),
  reversed: toDollars(cents(row.reversedCents)),
});

/** A page of the booked payouts, newest first: one statement. */
export async function listPayouts({ deps }: Context, page: Page): Promise<{ payouts: PayoutSummary[]; total: number }> {
  const { payouts, total } = await findBookedPayouts(deps.db, page);
  return { payouts: payouts.map(toSummary), total };
}

/** One payout with every vendor's part. @throws AppError 404, also for the number of a reversal */
export async function readPayout({ deps: { db } }: Context, id: number): Promise<BookedPayout> {
  const row = await findBookedPayout(db, id);
  if (!row) throw notFound();
  const parts = await findPaid(db, { payout: id });
  const reversals = new Map((await findReversals(db, id)).map((reversal) => [reversal.vendorId, reversal]));
  return {
    ...toSummary(row),
    parts: parts.map(({ id: vendorId, slug, name, email, amount_cents: amountCents }) => {
      const reversal = reversals.get(vendorId);
      return {
        vendor: { id: vendorId, slug, name, email },
        amount: toDollars(cents(amountCents)),
        reversal: reversal
          ? { at: new Date(reversal.at).toISOString(), by: byOf(reversal).name, reason: reversal.reason }
          : null,
      };
    }),
  };
}

/**
 * The file for the bank as `market ledger payouts FILE` writes it, without the parts that were reversed. It is in the audit log with the
 * number of its lines. @throws AppError 404
 */
export async function readBankFile(ctx: Context, id: number): Promise<string> {
  const { db } = ctx.deps;
  if (!(await findBookedPayout(db, id))) throw notFound();
  const lines = bankLines(await findPaid(db, { payout: id }));
  await writeAuditEntry(db, ctx, {
    action: "ledger file",
    subject: `payout:${id}`,
    reason: "",
    data: { count: lines.length },
  });
  return BOM + bankFile(id, lines);
}
