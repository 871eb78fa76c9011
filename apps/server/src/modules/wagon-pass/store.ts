import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

export const PassRow = z.object({
  id: z.number(),
  customer_id: z.number(),
  plan: z.enum(["monthly", "yearly"]),
  status: z.enum(["active", "cancelled", "lapsed"]),
  started_on: z.string(),
  renews_on: z.string().nullable(),
  ends_on: z.string().nullable(),
  /** The number of declined tries of the renewal that is due. */
  declined: z.number(),
  /** The saved card whose renewal the bank wants the shopper to confirm. */
  unconfirmed_method_id: z.number().nullable(),
});
export type PassRow = z.infer<typeof PassRow>;

/** Whether a customer has a wagon pass at the market's local time: a renewing one, or a cancelled one that has not ended. */
export const hasActivePass = (customer: Sql, localTime: Sql) =>
  sql`exists (select 1 from wagon_pass w where w.customer_id = ${customer}
            and (w.status = 'active' or (w.status = 'cancelled' and w.ends_on >= (${localTime})::date)))`;

const columns = sql`id, customer_id, plan, status, to_char(started_on, 'YYYY-MM-DD') as started_on, to_char(renews_on, 'YYYY-MM-DD') as renews_on,
  to_char(ends_on, 'YYYY-MM-DD') as ends_on, declined, unconfirmed_method_id`;

/** The date in the time zone of the customer's market; UTC without a market. */
const marketDate = (customerId: Sql, now: Date) =>
  sql`(${now}::timestamptz at time zone coalesce((select h.time_zone from customer c join hub h on h.id = c.hub_id where c.id = ${customerId}), 'UTC'))::date`;

/** The date `YYYY-MM-DD` in the time zone of the customer's market. */
export const findMarketDate = async (db: Conn, customerId: number, now: Date): Promise<string> =>
  (await queryOne(
    db,
    sql`select to_char(${marketDate(sql`${customerId}::int`, now)}, 'YYYY-MM-DD') as day`,
    z.object({ day: z.string() }),
  ))!.day;

/** The customer's active pass, else the latest one. */
export const findPass = (db: Conn, customerId: CustomerId | number): Promise<PassRow | null> =>
  queryOne(
    db,
    sql`select ${columns} from wagon_pass where customer_id = ${customerId}::int order by (status = 'active') desc, id desc limit 1`,
    PassRow,
  );

export const lockPass = (tx: Conn, id: number): Promise<PassRow | null> =>
  queryOne(tx, sql`select ${columns} from wagon_pass where id = ${id}::int for update`, PassRow);

/** Serializes purchases and grants of a customer's pass until the transaction ends. */
export const lockCustomerPass = (tx: Conn, customerId: number) =>
  execute(tx, sql`select pg_advisory_xact_lock(hashtext('wagon-pass'), ${customerId}::int)`);

/** Whether a purchase or renewal of the customer's pass is in progress. */
export const isBeingBought = async (tx: Conn, customerId: number): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select true as open from payment where customer_id = ${customerId}::int and state in ('created', 'challenge', 'authorized')
          and purpose->>'kind' = 'wagon-pass' limit 1`,
    z.object({ open: z.boolean() }),
  )) !== null;

/** Inserts an active pass. @throws unique violation when the customer has one already */
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

/** Extends a pass by a paid period: `until` is its next renewal day, or its last day if it is cancelled. */
export const renewPass = (tx: Conn, id: number, until: string) =>
  execute(
    tx,
    sql`update wagon_pass set declined = 0, retry_at = null, unconfirmed_method_id = null, renews_on = case when status = 'active' then ${until}::date end,
          ends_on = case when status <> 'active' then ${until}::date end, status = case when status = 'active' then 'active' else 'cancelled' end
        where id = ${id}::int`,
  );

/** Cancels the active pass: it ends on its renewal day. */
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

/** Counts a declined renewal and schedules the next try. `unconfirmed`: the card whose charge the bank wants confirmed. */
export const postponeRenewal = (tx: Conn, id: number, retryAt: Date, unconfirmed: number | null) =>
  execute(
    tx,
    sql`update wagon_pass set declined = declined + 1, retry_at = ${retryAt}, unconfirmed_method_id = ${unconfirmed}::int where id = ${id}::int and status = 'active'`,
  );

/** The condition that a pass is due for renewal in the time zone of its customer's market, and so is its next try. */
export const isRenewalDue = (now: Date): Sql =>
  sql`status = 'active' and renews_on <= ${marketDate(sql`wagon_pass.customer_id`, now)} and (retry_at is null or retry_at <= ${now})`;

/** Passes due for renewal, oldest first. */
export const findDuePasses = (db: Conn, now: Date): Promise<PassRow[]> =>
  query(db, sql`select ${columns} from wagon_pass where ${isRenewalDue(now)} order by renews_on, id`, PassRow);
