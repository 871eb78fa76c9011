import { answerForVendor, findWaiting } from "@marketday/server/modules/answers/answer-for-vendor";
import { MATTERS, type Matter } from "@marketday/server/modules/answers/store";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { whole } from "../lib/cli/values.ts";

/** "question:12" */
function matterOf(text: string): { matter: Matter; matterId: number } {
  const [name, id, ...more] = text.split(":");
  const matter = MATTERS.find((each) => each === name);
  if (!matter || !id || more.length > 0)
    throw new InvalidArgumentError("Say what is answered as `inbox list` does, such as thread:12 or question:7.");
  return { matter, matterId: whole(id) };
}

/** `market inbox list|reply`: shoppers' messages and questions, answered for the vendors. */
export const inboxCommand = (): Command =>
  group("inbox", "what shoppers ask vendors, answered for them", [
    command<{ vendor?: string; most: number }>({
      name: "list",
      summary: "list messages and questions that wait for an answer, the oldest first",
      examples: ["inbox list", "inbox list --vendor millstone-acres"],
      options: (made) =>
        made.option("--vendor <slug>", "of one vendor").option("--most <rows>", "at most so many", whole, 100),
      async run({ options, out, market }) {
        const rows = await market(({ deps }) => findWaiting(deps.db, options.vendor ?? null, options.most));
        out.answer(rows, () =>
          rows.length === 0
            ? "Nobody waits."
            : rows
                .map(
                  (row) =>
                    `${out.color.bold(`${row.matter}:${row.id}`)} · ${row.asked_at.toISOString().slice(0, 10)} · ${row.customer} to ${row.vendor}${row.about ? ` about ${row.about}` : ""}\n  ${row.message}`,
                )
                .join("\n"),
        );
      },
    }),
    command({
      name: "reply <what> <message>",
      summary: "answer for a vendor, with a mail to the shopper",
      about: "What is answered is thread:ID, question:ID or review:ID. The answer to a question is public.",
      examples: ['inbox reply question:7 "Yes, from Tuesday on."'],
      writes: true,
      reason: "optional",
      async run({ options, out, market }, what, message) {
        const about = matterOf(what);
        const { reason = "", dryRun = false } = options;
        const { isNew } = await market((ctx) => answerForVendor(ctx, about, message, { reason, dryRun }));
        out.answer({ ...about, isNew, dryRun }, () =>
          isNew
            ? `${dryRun ? "Would answer" : "Answered"} ${what}.`
            : `${what} was answered so already; nothing was done.`,
        );
      },
    }),
  ]);
