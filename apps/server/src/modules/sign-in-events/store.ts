import { type Conn, enqueued, execute, pauses, queryOne, sql, waits } from "@marketday/db";
import { addMs, Day } from "@marketday/domain/time";
import { z } from "zod";

/** Writes an event and enqueues it. */
export const insertEvent = (
  conn: Conn,
  event: { event: "login" | "sign_up"; customerId: number; visit: string | null; now: Date },
) =>
  execute(
    conn,
    sql`with written as (
          insert into identify_event (event, customer_id, visit, created_at)
          values (${event.event}, ${event.customerId}::int, ${event.visit}, ${event.now}) returning id)
        ${enqueued("identify", sql`select id from written`)}`,
  );

/** Enqueues unsent events without a job (after a restored backup). */
export const enqueueUnnotified = (conn: Conn): Promise<number> =>
  execute(
    conn,
    enqueued(
      "identify",
      sql`select e.id from identify_event e where e.sent_at is null and not ${waits("identify", sql`e.id`)} order by e.id limit 1000`,
    ),
  );

/** Events that are due. */
export async function countUnnotified(conn: Conn): Promise<number> {
  const row = await queryOne(
    conn,
    sql`select count(*)::int as count from identify_event e where e.sent_at is null and not ${pauses("identify", sql`e.id`)}`,
    z.object({ count: z.number() }),
  );
  return row?.count ?? 0;
}

const EventRow = z.object({
  id: z.number(),
  event: z.enum(["login", "sign_up"]),
  visit: z.string().nullable(),
  created_at: z.date(),
  customer_id: z.number(),
});
export type EventRow = z.infer<typeof EventRow>;

/** An unsent event; null when it was sent or deleted. */
export const findUnnotified = (conn: Conn, id: number): Promise<EventRow | null> =>
  queryOne(
    conn,
    sql`select id, event, visit, created_at, customer_id from identify_event where id = ${id}::int and sent_at is null`,
    EventRow,
  );

const PersonRow = z.object({
  id: z.number(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  zip_code: z.string().nullable(),
  hub_id: z.number().nullable(),
  subscribed_marketing_emails: z.boolean(),
  subscribed_marketing_sms: z.boolean(),
  utm_source: z.string().nullable(),
  utm_campaign: z.string().nullable(),
  trk: z.string().nullable(),
});

/** The customer's current data; null when the account is deleted. */
export const findPerson = (conn: Conn, customerId: number) =>
  queryOne(
    conn,
    sql`select id, email, first_name, last_name, zip_code, hub_id, subscribed_marketing_emails, subscribed_marketing_sms,
          utm_source, utm_campaign, trk
        from customer where id = ${customerId}::int and deleted_at is null and email is not null`,
    PersonRow,
  );

/** Marks an event as done: sent, rejected for good (`error`), or of a deleted account. */
export const markNotified = (conn: Conn, id: number, now: Date, error: string | null) =>
  execute(
    conn,
    sql`update identify_event set sent_at = ${now}, attempts = attempts + 1, last_error = ${error} where id = ${id}::int`,
  );

/** Records a failed try for operators. */
export const markUnnotified = (conn: Conn, id: number, error: string) =>
  execute(
    conn,
    sql`update identify_event set attempts = attempts + 1, last_error = ${error.slice(0, 500)} where id = ${id}::int and sent_at is null`,
  );

/** Deletes events that were sent a week ago or failed for two days. At most `rows` at once. */
export const deleteOldEvents = (conn: Conn, now: Date, rows: number) =>
  execute(
    conn,
    sql`delete from identify_event where id in (
          select id from identify_event
          where sent_at < ${addMs(now, -7 * Day.ms)} or (sent_at is null and created_at < ${addMs(now, -2 * Day.ms)})
          limit ${rows}::int)`,
  );
