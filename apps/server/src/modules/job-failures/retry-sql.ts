import { bringForward, type Conn, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { failuresAt, type JobFailure } from "./failure-sql.ts";

/** Whether failed work has a next try; `hasTime`: its `next_at` is not null. A failed automatic order has none: its customer was notified. */
export const hasNextTry = (job: string, hasTime: boolean): boolean => job !== "auto-checkout" || hasTime;

/** The failed work of a job that waits for its next try, as `from … where`. `f`: job and subject. */
const failed = (job: string, subject: Sql): Sql => sql`join failed f on f.job = ${job} and f.subject = ${subject}`;

/**
 * Tries failed work again now, on whichever server comes first: ends its pause, and runs the jobs (`startJobs`).
 * @param work the one of this job and subject; null: all
 * @returns how much is tried
 */
export async function retryFailures(
  db: Conn,
  work: Pick<JobFailure, "job" | "subject"> | null,
  now: Date,
): Promise<number> {
  const isWanted = work === null ? sql`true` : sql`w.job = ${work.job} and w.subject = ${work.subject}`;
  const at = sql`${now}::timestamptz`;
  const row = await queryOne(
    db,
    sql`with failed as materialized (
          select w.job, w.subject from (${failuresAt(now)}) w where (w.job <> 'auto-checkout' or w.next_at is not null) and ${isWanted}),
        ended as (update job_failure x set next_at = ${at} from failed f where x.job = f.job and x.subject = f.subject and x.next_at > ${at} returning 1),
        mails as (${bringForward("mail", sql`select m.id::text from mail m ${failed("mail", sql`m.key`)} where m.sent_at is null`, at)} returning 1),
        events as (${bringForward(
          "identify",
          sql`select e.id::text from identify_event e ${failed("identify", sql`format('event %s of customer %s', e.id, e.customer_id)`)} where e.sent_at is null`,
          at,
        )} returning 1),
        orders as (${bringForward(
          "auto-checkout",
          sql`select r.delivery_id || ':' || r.customer_id from auto_checkout_result r join delivery d on d.id = r.delivery_id join hub h on h.id = d.hub_id
              ${failed("auto-checkout", sql`format('customer %s for %s of %s', r.customer_id, to_char(d.day, 'YYYY-MM-DD'), h.slug)`)}`,
          at,
        )} returning 1),
        notified as (select pg_notify('jobs', '') from failed limit 1)
        select (select count(*)::int from failed) as retried, (select count(*)::int from notified) as notified`,
    z.object({ retried: z.number(), notified: z.number() }),
  );
  return row?.retried ?? 0;
}
