import { type AnyTx, type Conn, execute, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

/** Whether a vendor's part of a payout was reversed. */
export const isReversed = (payout: Sql, vendor: Sql): Sql =>
  sql`exists (select 1 from audit_entry a where a.subject = 'payout:' || ${payout} and a.action = 'ledger reverse' and (a.data->>'vendorId')::int = ${vendor})`;

const CoveringRow = z.object({ payout: z.number(), slug: z.string() });

/**
 * The first payout that includes a vendor's share of one of these orders and was not reversed; null: there is none. A payout
 * includes the orders of its delivery days whose cutoff had begun when it was booked.
 */
export const findCoveringPayout = (
  db: Conn,
  orderIds: readonly number[],
): Promise<z.infer<typeof CoveringRow> | null> =>
  queryOne(
    db,
    sql`with shares as (
          select t.order_id, e.vendor_id from ledger_transaction t join ledger_entry e on e.transaction_id = t.id and e.account = 'vendor'
          where t.order_id = any(${[...orderIds]}::int[]) group by 1, 2 having sum(e.amount_cents) <> 0)
        select t.id as payout, v.slug
        from shares s join orders o on o.id = s.order_id join delivery d on d.id = o.delivery_id join vendor v on v.id = s.vendor_id
        join delivery_run r on r.delivery_id = d.id and r.step = 'cutoff'
        join ledger_entry e on e.account = 'payouts' and e.vendor_id = v.id and e.amount_cents > 0
        join ledger_transaction t on t.id = e.transaction_id and t.kind = 'payout' and t.created_at >= r.started_at
        join audit_entry a on a.subject = 'payout:' || t.id and a.action = 'ledger payouts' and (a.data->>'to')::date >= d.day
        where not ${isReversed(sql`t.id`, sql`v.id`)} order by t.id, v.slug limit 1`,
    CoveringRow,
  );

/** The number of the last payout of which a part was not reversed; null: there is none. */
export const lastPayout = sql`(select p.id from (select distinct e.transaction_id as id from ledger_entry e where e.account = 'payouts' and e.amount_cents > 0 order by 1 desc offset 0) p
          where exists (select 1 from ledger_entry e where e.transaction_id = p.id and e.account = 'payouts' and e.amount_cents > 0 and not ${isReversed(sql`p.id`, sql`e.vendor_id`)})
          order by p.id desc limit 1)`;

/** The number of the last payout that is not a reversal, and of which a part was not reversed; null: there is none. */
export async function findLastPayout(db: Conn): Promise<number | null> {
  const row = await queryOne(db, sql`select ${lastPayout} as id`, z.object({ id: z.number().nullable() }));
  return row!.id;
}

/** Serializes payouts, so that each one includes the bookings of the previous one. */
export const lockPayouts = (tx: AnyTx): Promise<number> =>
  execute(tx, sql`select pg_advisory_xact_lock(7263903::bigint)`);
