import { bringForward, type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { autoCheckoutSubject, failuresAt, identifySubject, type JobFailure } from "./failure-sql.ts";

/**
 * Jobs whose failed work this market does not try again: an event is sent again by the payment provider, card payments that it refuses
 * succeed with a shopper's next one, and the time of a lookup is in its payment.
 */
const NOT_OURS = ["webhook", "payments", "orphaned-charges"];

/** Whether a person can have failed work tried now. An automatic order without a next try is over: its customer was notified. */
export const canRetry = (job: string, hasTime: boolean): boolean =>
  !NOT_OURS.includes(job) && (job !== "auto-checkout" || hasTime);

/**
 * Tries failed work again now, on whichever server comes first: ends its pause, and runs the job (`startJobs`).
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
          select w.job, w.subject from (${failuresAt(now)}) w
          where w.job <> all(${NOT_OURS}::text[]) and (w.job <> 'auto-checkout' or w.next_at is not null) and ${isWanted}),
        ended as (update job_failure x set next_at = ${at} from failed f where x.job = f.job and x.subject = f.subject and x.next_at > ${at} returning 1),
        mails as (${bringForward("mail", sql`select m.id::text from mail m join failed f on f.job = 'mail' and f.subject = m.key where m.sent_at is null`, at)} returning 1),
        events as (${bringForward(
          "identify",
          sql`select id::text from identify_event where sent_at is null and ${identifySubject} in (select f.subject from failed f where f.job = 'identify')`,
          at,
        )} returning 1),
        orders as (${bringForward(
          "auto-checkout",
          sql`select r.delivery_id || ':' || r.customer_id from auto_checkout_result r join delivery d on d.id = r.delivery_id join hub h on h.id = d.hub_id
              where r.done_at is null and ${autoCheckoutSubject} in (select f.subject from failed f where f.job = 'auto-checkout')`,
          at,
        )} returning 1),
        notified as (select pg_notify('jobs', ${work?.job ?? "all"}::text) from failed limit 1)
        select (select count(*)::int from failed) as retried, (select count(*)::int from notified) as notified`,
    z.object({ retried: z.number(), notified: z.number() }),
  );
  return row?.retried ?? 0;
}
