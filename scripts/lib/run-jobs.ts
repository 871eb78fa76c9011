import { dueWork, type DueWork } from "@marketday/server/jobs/due";
import { timetable } from "@marketday/server/jobs/index";
import type { Context } from "@marketday/server/lib/context";

/** What a run of the jobs did. */
export interface JobsRun {
  done: DueWork[];
  /** What is still due: a checkout is under way, or it failed. */
  left: DueWork[];
  /** "week: the sentence of the error", for each job that failed. */
  failed: string[];
  /** Mails that were sent. */
  mails: number;
  /** Orders that could not be charged. */
  uncharged: number;
}

/** What of `before` is no longer due, with how many of each were done. */
function doneOf(before: readonly DueWork[], after: readonly DueWork[]): DueWork[] {
  const isSame = (one: DueWork) => (each: DueWork) =>
    each.job === one.job && each.what === one.what && each.market === one.market && each.day === one.day;
  return before.flatMap((one) => {
    const left = after.find(isSame(one));
    if (!left) return [one];
    return left.count < one.count ? [{ ...one, count: one.count - left.count }] : [];
  });
}

/** Runs every job once as of `at`, or of the clock, mail last: the others cause it. A job's failure stops no other one. */
export async function runJobs(ctx: Context, at: Date | undefined, signal: AbortSignal): Promise<JobsRun> {
  const { clock, db } = ctx.deps;
  const asOf = (): Context => ({ ...ctx, now: at ?? clock.now() });
  const countSent = () => db.mail.count({ where: { sent_at: { not: null } } });
  const countUncharged = () => db.order.count({ where: { charge_failed_at: { not: null } } });
  const [due, sent, uncharged] = [await dueWork(asOf()), await countSent(), await countUncharged()];
  const failed: string[] = [];
  const isMail = ({ name }: { name: string }) => name === "mail";
  for (const job of [...timetable.filter((each) => !isMail(each)), ...timetable.filter(isMail)]) {
    signal.throwIfAborted();
    await job
      .run(asOf())
      .catch((error: unknown) => failed.push(`${job.name}: ${error instanceof Error ? error.message : String(error)}`));
  }
  signal.throwIfAborted();
  const left = await dueWork(asOf());
  return {
    done: doneOf(due, left),
    left,
    failed,
    mails: (await countSent()) - sent,
    uncharged: Math.max(0, (await countUncharged()) - uncharged),
  };
}
