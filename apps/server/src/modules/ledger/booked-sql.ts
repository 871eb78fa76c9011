import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { isReversed } from "./payout-sql.ts";

const By = { actor: z.string(), actorName: z.string().nullable() };
const Booked = z.object({
  id: z.number(),
  at: z.string(),
  ...By,
  to: z.string(),
  vendors: z.number(),
  totalCents: z.number(),
  reversedCents: z.number(),
});
/** A booked payout; `actor` as the audit log has who booked it, with their name if they are on the staff. */
export type BookedRow = z.infer<typeof Booked>;

const isPayout = sql`x.action = 'ledger payouts'`;

/** The booked payouts with these numbers as JSON, newest first. A reversal is none. */
const payoutsOf = (ids: Sql): Sql => sql`coalesce((
          select json_agg(json_build_object('id', t.id, 'at', t.created_at, 'actor', x.actor,
              'actorName', (select s.name from staff s where x.actor = 'staff:' || s.email), 'to', x.data->>'to',
              'vendors', part.vendors, 'totalCents', part.cents, 'reversedCents', part.reversed) order by t.id desc)
          from ledger_transaction t join audit_entry x on x.subject = 'payout:' || t.id and ${isPayout}
          cross join lateral (
            select count(*)::int as vendors, coalesce(sum(e.amount_cents), 0) as cents,
              coalesce(sum(e.amount_cents) filter (where ${isReversed(sql`t.id`, sql`e.vendor_id`)}), 0) as reversed
            from ledger_entry e where e.transaction_id = t.id and e.account = 'payouts' and e.amount_cents > 0) part
          where t.kind = 'payout' and t.id in (${ids})), '[]')`;

const Page = z.object({ total: z.number(), payouts: z.array(Booked) });

/** A page of the booked payouts, newest first, and how many there are. */
export async function findBookedPayouts(
  db: Conn,
  { rows: limit, offset }: { rows: number; offset: number },
): Promise<z.infer<typeof Page>> {
  const found = await queryOne(
    db,
    sql`select (select count(*)::int from audit_entry x where ${isPayout}) as total,
          ${payoutsOf(sql`select split_part(x.subject, ':', 2)::int from audit_entry x where ${isPayout} order by 1 desc limit ${limit}::int offset ${offset}::int`)} as payouts`,
    Page,
  );
  return found!;
}

/** One booked payout; null: there is none with this number. */
export async function findBookedPayout(db: Conn, id: number): Promise<BookedRow | null> {
  const found = await queryOne(db, sql`select ${payoutsOf(sql`${id}::int`)} as payouts`, Page.pick({ payouts: true }));
  return found!.payouts[0] ?? null;
}

const Reversal = z.object({ vendorId: z.number(), at: z.string(), ...By, reason: z.string() });

/** The reversals of a payout's parts. */
export const findReversals = (db: Conn, payout: number): Promise<z.infer<typeof Reversal>[]> =>
  query(
    db,
    sql`select (x.data->>'vendorId')::int as "vendorId", to_json(x.created_at) #>> '{}' as at, x.actor,
          (select s.name from staff s where x.actor = 'staff:' || s.email) as "actorName", x.reason
        from audit_entry x where x.subject = ${`payout:${payout}`} and x.action = 'ledger reverse'`,
    Reversal,
  );
