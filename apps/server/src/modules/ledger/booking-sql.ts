import { type AnyTx, type Conn, execute, query, sql } from "@marketday/db";
import { z } from "zod";

export interface Booking {
  kind: "sale" | "edit" | "credit" | "refund" | "compensation";
  orderId: number;
  entries: readonly { account: string; customerId: number | null; vendorId: number | null; amountCents: number }[];
}

/** Inserts ledger transactions; the database rejects one whose entries do not sum to zero. */
export async function insertBookings(tx: AnyTx, bookings: readonly Booking[], now: Date): Promise<void> {
  const rows = bookings.flatMap((booking) =>
    booking.entries.map((entry) => ({ kind: booking.kind, orderId: booking.orderId, ...entry })),
  );
  await execute(
    tx,
    sql`with e as (
          select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            as e (kind text, "orderId" int, account text, "customerId" int, "vendorId" int, "amountCents" int)),
        t as (
          insert into ledger_transaction (kind, order_id, created_at)
          select distinct kind, "orderId", ${now}::timestamptz from e
          returning id, kind, order_id)
        insert into ledger_entry (transaction_id, account, customer_id, vendor_id, amount_cents)
        select t.id, e.account, e."customerId", e."vendorId", e."amountCents" from e join t on t.kind = e.kind and t.order_id = e."orderId"`,
  );
}

/** Books a purchase; the database refuses what does not sum to zero. */
export async function bookPurchase(
  tx: Conn,
  booking: { kind: string; paymentId: string | null; note: string; now: Date },
  entries: readonly { account: string; customerId: number | null; vendorId: number | null; amountCents: number }[],
): Promise<number | null> {
  const rows = await query(
    tx,
    sql`with t as (
          insert into ledger_transaction (kind, payment_id, note, created_at) values (${booking.kind}, ${booking.paymentId}::uuid, ${booking.note}, ${booking.now})
          returning id)
        insert into ledger_entry (transaction_id, account, customer_id, vendor_id, amount_cents)
        select t.id, e.account, e."customerId", e."vendorId", e."amountCents"
        from t, jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (account text, "customerId" int, "vendorId" int, "amountCents" int)
        returning transaction_id as id`,
    z.object({ id: z.number() }),
  );
  return rows[0]?.id ?? null;
}
