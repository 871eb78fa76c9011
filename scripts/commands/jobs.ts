import { isCalendarDate } from "@marketday/domain/calendar-date";
import { formatDueWork, dueWork, type DueWork, lastRunnable } from "@marketday/server/jobs/due";
import { timetable } from "@marketday/server/jobs/index";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some } from "../lib/cli/values.ts";
import { runJobs } from "../lib/run-jobs.ts";

/** Parses an instant. A time zone is required: otherwise it would be read in the zone of this machine. */
function instant(text: string): Date {
  const match = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/i.exec(
    text,
  );
  const at = new Date(text);
  if (!match || !isCalendarDate(match[1] ?? "") || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError(
      "Give a date and a time that exist, with a zone: 2026-11-25T06:00:00Z is in UTC, 2026-11-25T01:00:00-05:00 in New York.",
    );
  if (!match[3])
    throw new InvalidArgumentError(
      `It has no zone. Write ${text}Z if it is in UTC, or the hours from UTC, such as ${text}-05:00 in New York.`,
    );
  return at;
}

const formatWork = (work: readonly DueWork[]): string => work.map((item) => `  ${formatDueWork(item)}`).join("\n");

/** Confirmation text of `jobs run --at` with all work that is due; it cannot be undone. */
const question = (at: Date, due: readonly DueWork[]): string =>
  [
    `${at.toISOString()} is in the future. Running now ${due.length > 0 ? "does this early, and it cannot be undone:" : "finds nothing due except housekeeping."}`,
    ...(due.length > 0 ? [formatWork(due)] : []),
    "Do it?",
  ].join("\n");

const run = (): Command =>
  command<{ at?: Date }>({
    name: "run",
    summary: "run everything that is due now, or at an instant, and send the resulting emails",
    about: `A future instant closes orders and takes money early, which cannot be undone: the work is listed first and must be
confirmed. At most the next delivery of each hub can be run early. To try out a week, use market rehearse.`,
    examples: ["jobs run", "jobs run --at 2026-11-25T06:00:00Z --dry-run"],
    options: (cmd) =>
      cmd.option("--at <instant>", "run as of this instant, with a time zone: 2026-11-25T01:00:00-05:00", instant),
    writes: true,
    needsConfirmation: true,
    stopped: "Stopped. Run it again to do what is still due.",
    async run({ options, out, market, signal, confirm }) {
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
            due.length > 0 ? `Would do:\n${formatWork(due)}` : "Nothing is due.",
          );
        if (isEarly) await confirm(question(at, due));
        const { done, left, failed, mails, uncharged } = await runJobs(ctx, at, signal);
        if (failed.length > 0) process.exitCode = EXIT.refused;
        return out.answer({ done, left, failed, mails, uncharged }, () =>
          [
            done.length > 0 ? `Done:\n${formatWork(done)}` : "Nothing was due.",
            ...(uncharged > 0
              ? [`Could not charge ${some(uncharged, "orders")}; doctor lists them. They are charged again later.`]
              : []),
            ...(mails > 0 ? [`Sent ${some(mails, "emails")}.`] : []),
            ...(left.length > 0 ? [`Still due:\n${formatWork(left)}`] : []),
            ...failed.map((problem) => `Failed: ${problem}`),
          ].join("\n"),
        );
      });
    },
  });

/** `market jobs run`: everything due at an instant, in the timetable's order, and the resulting mails. */
export const jobsCommand = (): Command => group("jobs", "scheduled work of the week", [run()]);
