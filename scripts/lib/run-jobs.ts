import { dueWork, type DueWork } from "@marketday/server/jobs/due";
import { timetable } from "@marketday/server/jobs/index";
import type { Context } from "@marketday/server/modules/identity/context";

/** The result of a run of the jobs. */
export interface JobsRun {
  done: DueWork[];
  /** Work that is still due, because a checkout is in progress or it failed. */
  left: DueWork[];
  /** "week: error message", for each job that failed. */
  failed: string[];
  /** Mails that were sent. */
  mails: number;
  /** Orders that could not be charged. */
  uncharged: number;
}

/** Work of `before` that is no longer due, with the counts that were done. */
function doneOf(before: readonly DueWork[], after: readonly DueWork[]): DueWork[] {
  const isSame = (work: DueWork) => (each: DueWork) =>
    each.job === work.job && each.what === work.what && each.market === work.market && each.day === work.day;
  return before.flatMap((work) => {
    const left = after.find(isSame(work));
    if (!left) return [work];
    return left.count < work.count ? [{ ...work, count: work.count - left.count }] : [];
  });
}

/** Runs every job once as of `at`, or of the clock. Mail is last, because the others enqueue it. A job that fails does not stop the others. */
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
