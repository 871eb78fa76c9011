import { type Conn, execute, liveJob, query, type Sql, sql } from "@marketday/db";
import { addMs, Day, Hour, Second } from "@marketday/domain/time";
import { z } from "zod";

import { maskPrivateText, reasonOf } from "../../lib/log-errors.ts";
import type { Context } from "../identity/context.ts";

/** Characters of a reason that are kept. */
const REASON_MAX = 300;
/** The second try is made at the next tick, the next ones after 20, 40, 80 … seconds. */
const FIRST_PAUSE_MS = 20 * Second.ms;
const PAUSE_MAX_MS = Hour.ms;

/** Items whose next try is due by this instant are tried. An operator who runs the jobs waits for no pause. */
export const dueBy = ({ deps, actor }: Context): Date =>
  addMs(deps.clock.now(), actor.type === "operator" ? PAUSE_MAX_MS : 0);

/** The condition that an item is not waiting for its next try. `subject`: its `subjectOf` in SQL. */
export const isNotPaused = (ctx: Context, job: string, subject: Sql): Sql =>
  sql`not exists (select 1 from job_failure f where f.job = ${job} and f.subject = ${subject} and f.next_at > ${dueBy(ctx)})`;

const reasonFor = (error: unknown): string =>
  (error instanceof Error ? reasonOf(error) : maskPrivateText(String(error))).slice(0, REASON_MAX);

/** Writes that a try of an item failed, and when it is tried again; kept until `clearFailure`. */
export const noteFailure = (
  { deps }: { deps: Pick<Context["deps"], "db" | "clock"> },
  job: string,
  subject: string,
  error: unknown,
  pauseMaxMs = PAUSE_MAX_MS,
): Promise<number> => {
  const now = deps.clock.now();
  return execute(
    deps.db,
    sql`insert into job_failure as f (job, subject, reason, since, next_at) values (${job}, ${subject}, ${reasonFor(error)}, ${now}, ${now})
        on conflict (job, subject) do update set reason = excluded.reason, tries = f.tries + 1,
          next_at = ${now}::timestamptz + least(make_interval(secs => ${pauseMaxMs / 1000}),
            make_interval(secs => ${FIRST_PAUSE_MS / 1000}) * power(2, least(f.tries - 1, 20)))`,
  );
};

const FailureRow = z.object({
  job: z.string(),
  subject: z.string(),
  reason: z.string(),
  tries: z.number(),
  since: z.date(),
  /** Null: at the queue's next try. */
  next_at: z.date().nullable(),
});
/** Work that failed and is tried again. */
export type JobFailure = z.infer<typeof FailureRow>;

/** Days that a delivery's failed automatic orders are shown for. */
const AUTO_SHOWN_MS = 3 * Day.ms;

/** The subject of an event of email marketing, row `identify_event`. */
export const identifySubject = sql`format('event %s of customer %s', id, customer_id)`;
/** The subject of an automatic order: result `r`, delivery `d`, hub `h`. */
export const autoCheckoutSubject = sql`format('customer %s for %s of %s', r.customer_id, to_char(d.day, 'YYYY-MM-DD'), h.slug)`;

/**
 * The failures of all jobs that are not done, as a query: from this table, the rows of the message queues, and the results and dead
 * letters of auto-checkout.
 */
export const failuresAt = (now: Date): Sql =>
  sql`select job, subject, reason, tries, since, next_at from job_failure
        union all
        select 'mail', key, coalesce(last_error, ''), attempts, greatest(created_at, next_at), null from mail where sent_at is null and attempts > 0
        union all
        select 'identify', ${identifySubject}, coalesce(last_error, ''), attempts, created_at, null
        from identify_event where sent_at is null and attempts > 0
        union all
        select 'auto-checkout', ${autoCheckoutSubject},
          coalesce(r.error, case when r.outcome = 'payments_down' then 'The payment provider did not answer.' else 'The server stopped during the try.' end),
          greatest(r.tries, letter.tries), d.auto_checkout_at,
          case when r.done_at is null then (select j.start_after ${liveJob("auto-checkout", sql`r.delivery_id || ':' || r.customer_id`)}) end
        from auto_checkout_result r join delivery d on d.id = r.delivery_id join hub h on h.id = d.hub_id
        left join (
          select singleton_key, max(retry_count) + 1 as tries from pgboss.job where name = 'auto-checkout' and state = 'failed' group by 1
        ) letter on letter.singleton_key = r.delivery_id || ':' || r.customer_id
        where d.cutoff_at > ${addMs(now, -AUTO_SHOWN_MS)}
          and (r.outcome = 'failed' or (r.done_at is null and (r.outcome in ('payments_down', 'error') or letter.tries is not null)))`;

/** Those of `failuresAt`, by job and time. */
export const findFailures = (db: Conn, now: Date): Promise<JobFailure[]> =>
  query(db, sql`${failuresAt(now)} order by job, since, subject`, FailureRow);
