import type { Client } from "@marketday/db";
import { calendarDate, dateToUtc } from "@marketday/domain/calendar-date";

import { shownVendor } from "./store.ts";

/** The amount due to a vendor: the shares minus the payouts. Below zero: the vendor was paid too much. */
export interface DueRow {
  id: number;
  slug: string;
  name: string;
  email: string | null;
  due_cents: number;
}

/**
 * The amounts due to vendors for delivery days up to `to` (included) whose cutoff has passed, by name. Vendors with nothing
 * due are left out.
 */
export async function findDues(db: Client, to: string, vendorId?: number): Promise<DueRow[]> {
  const sums = await db.ledger_entry.groupBy({
    by: ["vendor_id"],
    where: {
      account: "vendor",
      vendor_id: vendorId ?? { not: null },
      transaction: {
        OR: [
          { kind: "payout" },
          {
            order: {
              status: { in: ["pending", "closed", "cancelled"] },
              delivery: { day: { lte: dateToUtc(calendarDate(to)) } },
            },
          },
        ],
      },
    },
    _sum: { amount_cents: true },
    having: { amount_cents: { _sum: { not: 0 } } },
  });
  const dueCents = new Map(sums.map(({ vendor_id: id, _sum }) => [id, _sum.amount_cents ?? 0]));
  const vendors = await db.vendor.findMany({
    where: { id: { in: [...dueCents.keys()].filter((id) => id !== null) } },
    select: shownVendor,
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  return vendors.map((vendor) => ({ ...vendor, due_cents: dueCents.get(vendor.id)! }));
}

/** The action of the audit entry of a payout. */
export const PAYOUT = "ledger payouts";
/** The action of the audit entry that reverses a vendor's part of a payout. */
export const REVERSAL = "ledger reverse";

/** One vendor's part of a payout. */
export interface PaidRow {
  payout: number;
  paid_at: Date;
  note: string;
  id: number;
  slug: string;
  name: string;
  email: string | null;
  amount_cents: number;
  /** It was reversed: booked as another payout, below zero. */
  taken_back: boolean;
}

/** Vendors' parts of payouts, newest payout first, then by name: of one payout, of one vendor since a date, or all. */
export async function findPaid(
  db: Client,
  { payout, vendorId, from }: { payout?: number; vendorId?: number; from?: string } = {},
): Promise<PaidRow[]> {
  const entries = await db.ledger_entry.findMany({
    where: {
      account: "payouts",
      vendor_id: vendorId ?? { not: null },
      transaction: {
        kind: "payout",
        ...(payout !== undefined && { id: payout }),
        ...(from !== undefined && { created_at: { gte: dateToUtc(calendarDate(from)) } }),
      },
    },
    select: {
      amount_cents: true,
      transaction: { select: { id: true, created_at: true, note: true } },
      vendor: { select: shownVendor },
    },
    orderBy: [{ transaction_id: "desc" }, { vendor: { name: "asc" } }, { vendor_id: "asc" }],
  });
  const payouts = [...new Set(entries.map(({ transaction }) => transaction.id))];
  const reversals = await db.audit_entry.findMany({
    where: { action: REVERSAL, subject: { in: payouts.map((id) => `payout:${id}`) } },
    select: { subject: true, data: true },
  });
  const reversed = new Set(
    reversals.map(({ subject, data }) => `${subject} ${(data as { vendorId: number }).vendorId}`),
  );
  return entries.map(({ transaction, vendor, amount_cents: amountCents }) => ({
    payout: transaction.id,
    paid_at: transaction.created_at,
    note: transaction.note,
    ...vendor!,
    amount_cents: amountCents,
    taken_back: reversed.has(`payout:${transaction.id} ${vendor!.id}`),
  }));
}

/** The payout that a request of a person booked, by its `Idempotency-Key`: the data of its audit entry; null: it booked none. */
export const findPayoutOfRequest = (db: Client, actor: string, requestKey: string) =>
  db.audit_entry.findFirst({
    where: { action: PAYOUT, actor, data: { path: ["requestKey"], equals: requestKey } },
    select: { subject: true, data: true },
    orderBy: { id: "desc" },
  });
