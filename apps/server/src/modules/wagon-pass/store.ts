import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../../lib/context.ts";

export const PassRow = z.object({
  id: z.number(),
  customer_id: z.number(),
  plan: z.enum(["monthly", "yearly"]),
  status: z.enum(["active", "cancelled", "lapsed"]),
  started_on: z.string(),
  renews_on: z.string().nullable(),
  ends_on: z.string().nullable(),
  /** How often the renewal that is due was declined. */
  declined: z.number(),
});
export type PassRow = z.infer<typeof PassRow>;

/** Whether a customer has a wagon pass at the market's local time: a renewing one, or a cancelled one that has not ended. */
export const hasActivePass = (customer: Sql, localTime: Sql) =>
  sql`exists (select 1 from wagon_pass w where w.customer_id = ${customer}
            and (w.status = 'active' or (w.status = 'cancelled' and w.ends_on >= (${localTime})::date)))`;

const columns = sql`id, customer_id, plan, status, to_char(started_on, 'YYYY-MM-DD') as started_on, to_char(renews_on, 'YYYY-MM-DD') as renews_on,
  to_char(ends_on, 'YYYY-MM-DD') as ends_on, declined`;

/** The date at a customer's market: what is due on a day is due when that day begins there. UTC without a market. */
const marketDate = (customerId: Sql, now: Date) =>
  sql`(${now}::timestamptz at time zone coalesce((select h.time_zone from customer c join hub h on h.id = c.hub_id where c.id = ${customerId}), 'UTC'))::date`;

/** `YYYY-MM-DD` at the customer's market. */
export const findMarketDate = async (db: Conn, customerId: number, now: Date): Promise<string> =>
  (await queryOne(
    db,
    sql`select to_char(${marketDate(sql`${customerId}::int`, now)}, 'YYYY-MM-DD') as day`,
    z.object({ day: z.string() }),
  ))!.day;

/** The customer's pass: the active one, else the last one. */
export const findPass = (db: Conn, customerId: CustomerId | number): Promise<PassRow | null> =>
  queryOne(
    db,
    sql`select ${columns} from wagon_pass where customer_id = ${customerId}::int order by (status = 'active') desc, id desc limit 1`,
    PassRow,
  );

export const lockPass = (tx: Conn, id: number): Promise<PassRow | null> =>
  queryOne(tx, sql`select ${columns} from wagon_pass where id = ${id}::int for update`, PassRow);

/** Purchases and grants of one customer's pass take turns until their transactions end. */
export const lockCustomerPass = (tx: Conn, customerId: number) =>
  execute(tx, sql`select pg_advisory_xact_lock(hashtext('wagon-pass'), ${customerId}::int)`);

/** Whether a purchase of a first pass is under way. */
export const isBeingBought = async (tx: Conn, customerId: number): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select true as open from payment where customer_id = ${customerId}::int and state in ('created', 'challenge', 'authorized')
          and purpose->>'kind' = 'wagon-pass' and purpose->>'passId' is null limit 1`,
    z.object({ open: z.boolean() }),
  )) !== null;

/** Throws a unique violation when one is active already. */
export const insertPass = (
  tx: Conn,
  customerId: number,
  plan: string,
  startedOn: string,
  renewsOn: string,
  now: Date,
) =>
  execute(
    tx,
    sql`insert into wagon_pass (customer_id, plan, status, started_on, renews_on, created_at)
        values (${customerId}::int, ${plan}, 'active', ${startedOn}::date, ${renewsOn}::date, ${now})`,
  );

/** One period more was paid: the day it renews, or, when it was cancelled meanwhile, the day it runs out. */
export const renewPass = (tx: Conn, id: number, until: string) =>
  execute(
    tx,
    sql`update wagon_pass set declined = 0, retry_at = null, renews_on = case when status = 'active' then ${until}::date end,
          ends_on = case when status <> 'active' then ${until}::date end, status = case when status = 'active' then 'active' else 'cancelled' end
        where id = ${id}::int`,
  );

/** Renews no more and runs out on the day it would have renewed. */
export const cancelPass = (tx: Conn, customerId: CustomerId) =>
  execute(
    tx,
    sql`update wagon_pass set status = 'cancelled', ends_on = renews_on, renews_on = null where customer_id = ${customerId}::int and status = 'active'`,
  );

export const lapsePass = (tx: Conn, id: number) =>
  execute(
    tx,
    sql`update wagon_pass set status = 'lapsed', ends_on = renews_on, renews_on = null, retry_at = null where id = ${id}::int and status = 'active'`,
  );

/** The renewal was declined and is tried again. */
export const postponeRenewal = (tx: Conn, id: number, retryAt: Date) =>
  execute(
    tx,
    sql`update wagon_pass set declined = declined + 1, retry_at = ${retryAt} where id = ${id}::int and status = 'active'`,
  );

/** The condition of a pass whose renewal day has come at its customer's market, and whose next try is due. */
export const isRenewalDue = (now: Date): Sql =>
  sql`status = 'active' and renews_on <= ${marketDate(sql`wagon_pass.customer_id`, now)} and (retry_at is null or retry_at <= ${now})`;

/** Passes that are due to be renewed, oldest first. */
export const findDuePasses = (db: Conn, now: Date): Promise<PassRow[]> =>
  query(db, sql`select ${columns} from wagon_pass where ${isRenewalDue(now)} order by renews_on, id`, PassRow);
