import { dueWords, dueWork } from "@marketday/server/jobs/due";
import { timetable } from "@marketday/server/jobs/index";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT } from "../lib/cli/exit.ts";

function instant(text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) || Number.isNaN(at.getTime()))
    throw new InvalidArgumentError("Give an instant such as 2026-11-25T06:00:00Z.");
  return at;
}

const run = (): Command =>
  command<{ at?: Date }>({
    name: "run",
    summary: "run whatever is due now, or as of an instant, and send the mails that causes",
    examples: ["jobs run", "jobs run --at 2026-11-25T06:00:00Z"],
    options: (made) => made.option("--at <instant>", "as of this instant, in UTC", instant),
    writes: true,
    stopped: "Stopped. What is still due is done when it is run again.",
    async run({ options, out, market, signal }) {
      const names = timetable.map(({ name }) => name);
      if (options.dryRun) {
        const due = await market((ctx) => dueWork({ ...ctx, now: options.at ?? ctx.deps.clock.now() }));
        return out.answer({ jobs: names, due }, () =>
          due.length > 0 ? `Would do:\n${due.map((one) => `  ${dueWords(one)}`).join("\n")}` : "Nothing is due.",
        );
      }
      const failed = await market(async (ctx) => {
        const problems: string[] = [];
        // Mail goes last: the others cause it.
        const isMail = ({ name }: { name: string }) => name === "mail";
        for (const job of [...timetable.filter((each) => !isMail(each)), ...timetable.filter(isMail)]) {
          signal.throwIfAborted();
          const now = options.at ?? ctx.deps.clock.now();
          await job
            .run({ ...ctx, now })
            .catch((error: unknown) =>
              problems.push(`${job.name}: ${error instanceof Error ? error.message : String(error)}`),
            );
        }
        signal.throwIfAborted();
        return problems;
      });
      if (failed.length > 0) process.exitCode = EXIT.refused;
      return out.answer({ ran: names, failed }, () =>
        failed.length > 0 ? failed.join("\n") : `Ran ${names.length} jobs.`,
      );
    },
  });

/** `market jobs run`: whatever is due as of an instant, in the timetable's order, and the mails it caused. */
export const jobsCommand = (): Command => group("jobs", "the clockwork of the week", [run()]);
