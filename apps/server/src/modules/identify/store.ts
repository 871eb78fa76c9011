import { type Conn, execute, queryOne, sql } from "@marketday/db";
import { addMs, Day } from "@marketday/domain/time";
import { z } from "zod";

export const insertEvent = (
  conn: Conn,
  event: { event: "login" | "sign_up"; customerId: number; visit: string | null; now: Date },
) =>
  execute(
    conn,
    sql`insert into identify_event (event, customer_id, visit, created_at)
        values (${event.event}, ${event.customerId}::int, ${event.visit}, ${event.now})`,
  );

const EventRow = z.object({
  id: z.number(),
  event: z.enum(["login", "sign_up"]),
  visit: z.string().nullable(),
  attempts: z.number(),
  created_at: z.date(),
  customer_id: z.number(),
});
export type EventRow = z.infer<typeof EventRow>;

/** Takes the oldest event that is due; another sender skips it while the lease lasts. */
export const claimEvent = (conn: Conn, now: Date, leaseUntil: Date): Promise<EventRow | null> =>
  queryOne(
    conn,
    sql`update identify_event set attempts = attempts + 1, next_at = ${leaseUntil}
        where id = (select id from identify_event where sent_at is null and (next_at is null or next_at <= ${now})
          order by id for update skip locked limit 1)
        returning id, event, visit, attempts, created_at, customer_id`,
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

/** The person as they are now; null when the account is gone. */
export const findPerson = (conn: Conn, customerId: number) =>
  queryOne(
    conn,
    sql`select id, email, first_name, last_name, zip_code, hub_id, subscribed_marketing_emails, subscribed_marketing_sms,
          utm_source, utm_campaign, trk
        from customer where id = ${customerId}::int and deleted_at is null and email is not null`,
    PersonRow,
  );

/** Settled: told, refused for good (`error` says so), or nobody is left to tell of. */
export const markTold = (conn: Conn, id: number, now: Date, error: string | null) =>
  execute(conn, sql`update identify_event set sent_at = ${now}, last_error = ${error} where id = ${id}::int`);

export const markUntold = (conn: Conn, id: number, error: string, retryAt: Date) =>
  execute(
    conn,
    sql`update identify_event set last_error = ${error.slice(0, 500)}, next_at = ${retryAt} where id = ${id}::int`,
  );

/** Told a week ago, or in vain for two days: of no use any more. At most `rows` at once. */
export const deleteOldEvents = (conn: Conn, now: Date, rows: number) =>
  execute(
    conn,
    sql`delete from identify_event where id in (
          select id from identify_event
          where sent_at < ${addMs(now, -7 * Day.ms)} or (sent_at is null and created_at < ${addMs(now, -2 * Day.ms)})
          limit ${rows}::int)`,
  );
