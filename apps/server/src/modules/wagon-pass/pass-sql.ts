import { type AnyTx, type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { WAGON_PASS_NOTICE_DAYS, WAGON_PASS_REMINDER_DAYS, wagonPassPrice } from "@marketday/domain/wagon-pass";
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

/** The date of an instant in the time zone of the customer's market; UTC without a market. */
const marketDate = (customerId: Sql, at: Sql) =>
  sql`(${at} at time zone coalesce((select h.time_zone from customer c join hub h on h.id = c.hub_id where c.id = ${customerId}), 'UTC'))::date`;

export const lockPass = (tx: AnyTx, id: number): Promise<PassRow | null> =>
  queryOne(tx, sql`select ${columns} from wagon_pass where id = ${id}::int for update`, PassRow);

/** Serializes purchases and grants of a customer's pass until the transaction ends. */
export const lockCustomerPass = (tx: AnyTx, customerId: number) =>
  execute(tx, sql`select pg_advisory_xact_lock(hashtext('wagon-pass'), ${customerId}::int)`);

/** Cancels the active pass: it ends on its renewal day. Null: there is none. */
export const cancelPass = (tx: AnyTx, customerId: CustomerId): Promise<PassRow | null> =>
  queryOne(
    tx,
    sql`update wagon_pass set status = 'cancelled', ends_on = renews_on, renews_on = null, retry_at = null
        where customer_id = ${customerId}::int and status = 'active' returning ${columns}`,
    PassRow,
  );

export const lapsePass = (tx: Conn, id: number) =>
  execute(
    tx,
    sql`update wagon_pass set status = 'lapsed', ends_on = renews_on, renews_on = null, retry_at = null where id = ${id}::int and status = 'active'`,
  );

/** Of a pass: the price of its plan today. */
const price = sql`case wagon_pass.plan when 'yearly' then ${wagonPassPrice("yearly")}::int else ${wagonPassPrice("monthly")}::int end`;

/** Of a pass: what its customer paid last for its plan; null: no payment is known. */
const lastPaid = sql`(select p.amount_cents from payment p where p.customer_id = wagon_pass.customer_id and p.state = 'captured'
    and p.purpose->>'kind' = 'wagon-pass' and p.purpose->>'plan' = wagon_pass.plan order by p.created_at desc limit 1)`;

/** The condition of a pass that its next renewal needs a reminder: a yearly one, and one at another price than the last. */
const needsReminder = sql`(wagon_pass.plan = 'yearly' or coalesce(${lastPaid} <> ${price}, false))`;

/** Of a pass: the key of the reminder of its next renewal at today's price. */
const reminderKey = sql`'wagon-pass-reminder:' || wagon_pass.id || ':' || to_char(wagon_pass.renews_on, 'YYYY-MM-DD') || ':' || ${price}`;

/** The condition that the reminder of a pass was sent, and its notice is over (`chargeDay`). */
const isNoticeOver = (today: Sql): Sql => sql`exists (select 1 from mail m where m.key = ${reminderKey}
    and ${marketDate(sql`wagon_pass.customer_id`, sql`m.sent_at`)} + case wagon_pass.plan when 'yearly' then ${WAGON_PASS_NOTICE_DAYS.yearly}::int else ${WAGON_PASS_NOTICE_DAYS.monthly}::int end <= ${today})`;

/**
 * The condition that a pass is due for renewal in the time zone of its customer's market: its day has come, so has its next try,
 * and the notice of a reminder that it needs is over.
 */
export const isRenewalDue = (now: Date): Sql => {
  const today = marketDate(sql`wagon_pass.customer_id`, sql`${now}::timestamptz`);
  return sql`status = 'active' and renews_on <= ${today} and (retry_at is null or retry_at <= ${now})
    and (not ${needsReminder} or ${isNoticeOver(today)})`;
};

/** The condition that the reminder of a pass's next renewal is due, and is neither sent nor queued. */
export const isReminderDue = (now: Date): Sql =>
  sql`status = 'active' and renews_on <= ${marketDate(sql`wagon_pass.customer_id`, sql`${now}::timestamptz`)} + ${WAGON_PASS_REMINDER_DAYS}::int
    and ${needsReminder} and not exists (select 1 from mail m where m.key = ${reminderKey})`;

/** Passes due for renewal, oldest first. */
export const findDuePasses = (db: Conn, now: Date): Promise<PassRow[]> =>
  query(db, sql`select ${columns} from wagon_pass where ${isRenewalDue(now)} order by renews_on, id`, PassRow);

const ReminderRow = z.object({ id: z.number(), customer_id: z.number(), key: z.string() });

/** Passes whose reminder is due, oldest first, with the key of its mail. */
export const findDueReminders = (db: Conn, now: Date): Promise<z.infer<typeof ReminderRow>[]> =>
  query(
    db,
    sql`select id, customer_id, ${reminderKey} as key from wagon_pass
        where ${isReminderDue(now)} order by wagon_pass.renews_on, id`,
    ReminderRow,
  );

const RenewalRow = z.object({
  plan: PassRow.shape.plan,
  key: z.string(),
  /** The renewal day, `YYYY-MM-DD`. */
  renews_on: z.string(),
  /** Today in the time zone of the customer's market, `YYYY-MM-DD`. */
  today: z.string(),
  last_paid_cents: z.number().nullable(),
});
/** The next renewal of an active pass. */
export type RenewalRow = z.infer<typeof RenewalRow>;

/** The next renewal of a pass, and the key of its reminder at today's price; null: it does not renew. */
export const findRenewal = (db: Conn, id: number, now: Date): Promise<RenewalRow | null> =>
  queryOne(
    db,
    sql`select plan, ${reminderKey} as key, to_char(renews_on, 'YYYY-MM-DD') as renews_on, ${lastPaid} as last_paid_cents,
          to_char(${marketDate(sql`wagon_pass.customer_id`, sql`${now}::timestamptz`)}, 'YYYY-MM-DD') as today
        from wagon_pass where id = ${id}::int and status = 'active' and renews_on is not null`,
    RenewalRow,
  );
