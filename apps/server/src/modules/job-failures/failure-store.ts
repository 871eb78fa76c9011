import type { Db } from "@marketday/db";
import { addMs, Day } from "@marketday/domain/time";

import type { Context } from "../identity/context.ts";
import { dueBy } from "./failure-sql.ts";

/** A provider repeats an event for 3 days at most; what failed is in the log. */
const KEPT_MS = 30 * Day.ms;

/** Deletes the failure of an item that succeeded or is no longer due. */
export async function clearFailure(db: Db, job: string, subject: string): Promise<void> {
  await db.job_failure.deleteMany({ where: { job, subject } });
}

/** The failed items of a job, and which of them wait for their next try. */
export async function findPauses(ctx: Context, job: string): Promise<{ subject: string; isPaused: boolean }[]> {
  const due = dueBy(ctx);
  const failures = await ctx.deps.db.job_failure.findMany({ where: { job }, select: { subject: true, next_at: true } });
  return failures.map(({ subject, next_at }) => ({ subject, isPaused: next_at > due }));
}

/** Deletes failures that nothing has tried again for a month: at most `rows` at once. */
export const deleteOldFailures = async (db: Db, now: Date, rows: number): Promise<number> =>
  (await db.job_failure.deleteMany({ where: { next_at: { lt: addMs(now, -KEPT_MS) } }, limit: rows })).count;
