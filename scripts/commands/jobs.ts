import { isCalendarDate } from "@marketday/domain/calendar-date";
import { dueWords, dueWork, type DueWork, lastRunnable } from "@marketday/server/jobs/due";
import { timetable } from "@marketday/server/jobs/index";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some } from "../lib/cli/values.ts";
import { runJobs } from "../lib/run-jobs.ts";

/** An instant with its zone. Without one it would be read in the zone of this machine. */
function instant(text: string): Date {
  const found = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/i.exec(
    text,
  );
  const at = new Date(text);
  if (!found || !isCalendarDate(found[1] ?? "") || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError(
      "Give a date and a time that exist, with a zone: 2026-11-25T06:00:00Z is in UTC, 2026-11-25T01:00:00-05:00 in New York.",
    );
  if (!found[3])
    throw new InvalidArgumentError(
      `It has no zone. Write ${text}Z if it is in UTC, or the hours from UTC, such as ${text}-05:00 in New York.`,
    );
  return at;
}

const lines = (work: readonly DueWork[]): string => work.map((one) => `  ${dueWords(one)}`).join("\n");

/** What `jobs run --at` would do, on a terminal or as the reason to say --yes. Nothing may be undone by a later run. */
const question = (at: Date, due: readonly DueWork[]): string =>
  [
    `${at.toISOString()} has not come yet. Run now, this ${due.length > 0 ? "would do, early and for good:" : "finds nothing due but housekeeping."}`,
    ...(due.length > 0 ? [lines(due)] : []),
    "Do it?",
  ].join("\n");

const run = (): Command =>
  command<{ at?: Date }>({
    name: "run",
    summary: "run whatever is due now, or as of an instant, and send the mails that causes",
    about: `An instant that has not come yet closes orders and takes money early, for good: it is listed first, and asked on
a terminal. At most the next delivery of each hub can be run early. To try a week out, use market rehearse.`,
    examples: ["jobs run", "jobs run --at 2026-11-25T06:00:00Z --dry-run"],
    options: (made) =>
      made.option("--at <instant>", "as of this instant, with its zone: 2026-11-25T01:00:00-05:00", instant),
    writes: true,
    asks: true,
    stopped: "Stopped. What is still due is done when it is run again.",
    async run({ options, out, market, signal, sure }) {
      const { at } = options;
      return market(async (ctx) => {
        const { clock } = ctx.deps;
        const isEarly = at !== undefined && at > clock.now();
        if (isEarly) {
          const last = await lastRunnable(ctx);
          if (at >= last.before)
            throw new CliError(
              EXIT.usage,
              `${at.toISOString()} is too far ahead: ${last.reason}. Give an instant before ${last.before.toISOString()}. Nothing was done.`,
            );
        }
        const due = await dueWork({ ...ctx, now: at ?? clock.now() });
        if (options.dryRun)
          return out.answer({ jobs: timetable.map(({ name }) => name), due }, () =>
            due.length > 0 ? `Would do:\n${lines(due)}` : "Nothing is due.",
          );
        if (isEarly) await sure(question(at, due));
        const { done, left, failed, mails, uncharged } = await runJobs(ctx, at, signal);
        if (failed.length > 0) process.exitCode = EXIT.refused;
        return out.answer({ done, left, failed, mails, uncharged }, () =>
          [
            done.length > 0 ? `Done:\n${lines(done)}` : "Nothing was due.",
            ...(uncharged > 0
              ? [`Could not charge ${some(uncharged, "orders")}; doctor names them. They are charged again later.`]
              : []),
            ...(mails > 0 ? [`Sent ${some(mails, "mails")}.`] : []),
            ...(left.length > 0 ? [`Still due:\n${lines(left)}`] : []),
            ...failed.map((problem) => `Failed: ${problem}`),
          ].join("\n"),
        );
      });
    },
  });

/** `market jobs run`: whatever is due as of an instant, in the timetable's order, and the mails it caused. */
export const jobsCommand = (): Command => group("jobs", "the clockwork of the week", [run()]);
