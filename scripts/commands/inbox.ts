import { answerForVendor } from "@marketday/server/modules/answers/answer-for-vendor";
import { findWaiting } from "@marketday/server/modules/answers/answer-sql";
import { type Conversation, loadConversation } from "@marketday/server/modules/answers/load-conversation";
import { SUBJECTS, type Subject } from "@marketday/server/modules/answers/store";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { stripControls, type Output } from "../lib/cli/output.ts";
import { localTime, whole } from "../lib/cli/values.ts";
import { readText } from "../lib/files/read-text.ts";

/** "question:12" */
function subjectOf(text: string): { subject: Subject; subjectId: number } {
  const [name, id, ...more] = text.split(":");
  const subject = SUBJECTS.find((each) => each === name);
  if (!subject || !id || more.length > 0)
    throw new InvalidArgumentError("Write the item as `inbox list` prints it, such as thread:12 or question:7.");
  return { subject, subjectId: whole(id) };
}

function formatConversation(what: string, { customer, vendor, about, timeZone, messages }: Conversation, out: Output) {
  const name = customer.name || "(no name)";
  return [
    `${out.color.bold(what)} · ${name}${customer.email ? ` <${customer.email}>` : ""} and ${vendor}${about ? ` about ${about}` : ""}`,
    ...messages.flatMap(({ from, at, message }) => [
      `${localTime(at, timeZone)}  ${from === "customer" ? name : vendor}`,
      ...stripControls(message)
        .split("\n")
        .map((line) => `  ${line}`),
    ]),
  ].join("\n");
}

/** `market inbox list|show|reply`: shoppers' messages and questions, answered on behalf of vendors. */
export const inboxCommand = (): Command =>
  group("inbox", "messages and questions to vendors, answered on their behalf", [
    command<{ vendor?: string; most: number }>({
      name: "list",
      summary: "list unanswered messages and questions, oldest first",
      examples: ["inbox list", "inbox list --vendor millstone-acres"],
      options: (cmd) =>
        cmd
          .option("--vendor <slug>", "only of this vendor")
          .option("--most <rows>", "maximum number of rows", whole, 100),
      async run({ options, out, market }) {
        const rows = await market(({ deps }) => findWaiting(deps.db, options.vendor ?? null, options.most));
        out.answer(rows, () =>
          rows.length === 0
            ? "Nothing to answer."
            : rows
                .map(
                  (row) =>
                    `${out.color.bold(`${row.subject}:${row.id}`)} · ${localTime(row.asked_at, row.time_zone)} · ${row.customer} to ${row.vendor}${row.about ? ` about ${row.about}` : ""}\n  ${row.message}`,
                )
                .join("\n"),
        );
      },
    }),
    command({
      name: "show <what>",
      summary: "show all messages of a thread, a question or a review",
      about: "The item is thread:ID, question:ID or review:ID. Times are in the time zone of the customer's hub.",
      examples: ["inbox show thread:12"],
      async run({ out, market }, what) {
        const about = subjectOf(what);
        const conversation = await market(({ deps }) => loadConversation(deps.db, about));
        out.answer({ ...about, ...conversation }, () => formatConversation(what, conversation, out));
      },
    }),
    command<{ file?: string }>({
      name: "reply <what> [message]",
      summary: "answer on behalf of a vendor, and email the shopper",
      about:
        "The item is thread:ID, question:ID or review:ID. The answer to a question is public. An answer with quotes or several\nlines is easier in a file; --file - reads standard input.",
      examples: [
        'inbox reply question:7 "Yes, from Tuesday on."',
        "inbox reply thread:12 --file answer.txt",
        "inbox reply thread:12 --file - < answer.txt",
      ],
      options: (cmd) => cmd.option("--file <path>", "read the answer from this file; - is standard input"),
      writes: true,
      reason: "optional",
      async run({ options, out, market, signal }, what, argument?: string) {
        const about = subjectOf(what);
        const { reason = "", dryRun = false, file } = options;
        if ((argument === undefined) === (file === undefined))
          throw new CliError(
            EXIT.usage,
            "Give the answer, or --file FILE with it (- is standard input). Nothing was done.",
          );
        const message = argument ?? (await readText(file!, signal));
        const { isNew } = await market((ctx) => answerForVendor(ctx, about, message, { reason, dryRun }));
        out.answer({ ...about, isNew, dryRun }, () =>
          isNew
            ? `${dryRun ? "Would answer" : "Answered"} ${what}.`
            : `${what} already has this answer; nothing was done.`,
        );
      },
    }),
  ]);
