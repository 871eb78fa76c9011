import { Minute } from "@marketday/domain/time";
import pLimit from "p-limit";

import type { Context } from "../identity/context.ts";
import { noteFailure } from "./failure-sql.ts";
import { clearFailure, findPauses } from "./failure-store.ts";

/** Items that one job works on at the same time: the provider is waited for, the pool of connections is not. */
const AT_ONCE = 8;
/** The longest pause of a sweep, whose items hold stock or money. */
export const SWEEP_PAUSE_MAX_MS = 2 * Minute.ms;
/** The pause of steps of the week, which must not be late: each run of the job tries them again. */
export const WEEK_PAUSE_MAX_MS = 0;

/** What one run of a job works on. */
export interface Batch<T> {
  /** The job's name in the timetable, or the name of a part of it. Batches with the same name have the same items. */
  job: string;
  /** Due items. A limited selection must exclude paused items (`isNotPaused`), or they would displace others. */
  items: readonly T[];
  /** The item, as operators read it: "pass 7". */
  subjectOf: (item: T) => string;
  /**
   * Rejects when the item is to be tried again. Resolves with "skipped" when nothing was tried (another server has the item, or
   * it waits): its earlier failure stays.
   */
  run: (item: T) => Promise<unknown>;
  /** Whether `items` is everything that is due: a failure of an item that is not in it is over, because the item was finished otherwise. */
  isComplete: boolean;
  /** ms; the longest pause between two tries. */
  pauseMaxMs?: number;
  /** Items that are processed at the same time; 8 by default. 1: in order, for items that depend on each other or fill the pool. */
  atOnce?: number;
}

/**
 * Processes each item separately, some concurrently (`atOnce`): an item that fails or hangs does not stop the others. Its reason is stored
 * for `market doctor`, and it is retried after growing pauses (failures.md M3). After the abort of `ctx.signal` no other item begins.
 * @returns how many succeeded
 */
export async function runEach<T>(ctx: Context, batch: Batch<T>): Promise<number> {
  const { deps } = ctx;
  const { job, items, subjectOf, run, isComplete, pauseMaxMs, atOnce = AT_ONCE } = batch;
  const subjects = new Set(items.map(subjectOf));
  const before = await findPauses(ctx, job);
  const failed = new Set(before.map(({ subject }) => subject));
  const paused = new Set(before.filter(({ isPaused }) => isPaused).map(({ subject }) => subject));
  if (isComplete)
    for (const subject of failed)
      if (!paused.has(subject) && !subjects.has(subject)) await clearFailure(deps.db, job, subject);
  const limit = pLimit(atOnce);
  let done = 0;
  await Promise.all(
    items.map((item) =>
      limit(async () => {
        const subject = subjectOf(item);
        if (paused.has(subject) || ctx.signal?.aborted) return;
        try {
          if ((await run(item)) === "skipped") return;
          if (failed.has(subject)) await clearFailure(deps.db, job, subject);
          done += 1;
        } catch (error) {
          deps.log.error({ err: error, job, subject }, "an item of a job failed and is tried again");
          await noteFailure(ctx, job, subject, error, pauseMaxMs);
        }
      }),
    ),
  );
  return done;
}
