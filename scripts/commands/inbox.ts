import { answerForVendor, findWaiting } from "@marketday/server/modules/answers/answer-for-vendor";
import { type Conversation, readConversation } from "@marketday/server/modules/answers/read-conversation";
import { MATTERS, type Matter } from "@marketday/server/modules/answers/store";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { localTime } from "../lib/cli/local-time.ts";
import { harmless, type Output } from "../lib/cli/output.ts";
import { whole } from "../lib/cli/values.ts";
import { readText } from "../lib/files/read-text.ts";

/** "question:12" */
function matterOf(text: string): { matter: Matter; matterId: number } {
  const [name, id, ...more] = text.split(":");
  const matter = MATTERS.find((each) => each === name);
  if (!matter || !id || more.length > 0)
    throw new InvalidArgumentError("Say what is answered as `inbox list` does, such as thread:12 or question:7.");
  return { matter, matterId: whole(id) };
}

function conversationText(what: string, { customer, vendor, about, timeZone, messages }: Conversation, out: Output) {
  const name = customer.name || "(no name)";
  return [
    `${out.color.bold(what)} · ${name}${customer.email ? ` <${customer.email}>` : ""} and ${vendor}${about ? ` about ${about}` : ""}`,
    ...messages.flatMap(({ from, at, message }) => [
      `${localTime(at, timeZone)}  ${from === "customer" ? name : vendor}`,
      ...harmless(message)
        .split("\n")
        .map((line) => `  ${line}`),
    ]),
  ].join("\n");
}

/** `market inbox list|show|reply`: shoppers' messages and questions, answered for the vendors. */
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
                    `${out.color.bold(`${row.matter}:${row.id}`)} · ${localTime(row.asked_at, row.time_zone)} · ${row.customer} to ${row.vendor}${row.about ? ` about ${row.about}` : ""}\n  ${row.message}`,
                )
                .join("\n"),
        );
      },
    }),
    command({
      name: "show <what>",
      summary: "show all that was written about a thread, a question or a review",
      about: "What is shown is thread:ID, question:ID or review:ID. Times are those of the customer's hub.",
      examples: ["inbox show thread:12"],
      async run({ out, market }, what) {
        const about = matterOf(what);
        const conversation = await market(({ deps }) => readConversation(deps.db, about));
        out.answer({ ...about, ...conversation }, () => conversationText(what, conversation, out));
      },
    }),
    command<{ file?: string }>({
      name: "reply <what> [message]",
      summary: "answer for a vendor, with a mail to the shopper",
      about:
        "What is answered is thread:ID, question:ID or review:ID. The answer to a question is public. An answer with quotes or\nseveral lines is easier in a file; --file - reads standard input.",
      examples: [
        'inbox reply question:7 "Yes, from Tuesday on."',
        "inbox reply thread:12 --file answer.txt",
        "inbox reply thread:12 --file - < answer.txt",
      ],
      options: (made) => made.option("--file <path>", "the answer is in this file; - is standard input"),
      writes: true,
      reason: "optional",
      async run({ options, out, market, signal }, what, given?: string) {
        const about = matterOf(what);
        const { reason = "", dryRun = false, file } = options;
        if ((given === undefined) === (file === undefined))
          throw new CliError(
            EXIT.usage,
            "Give the answer, or --file FILE with it (- is standard input). Nothing was done.",
          );
        const message = given ?? (await readText(file!, signal));
        const { isNew } = await market((ctx) => answerForVendor(ctx, about, message, { reason, dryRun }));
        out.answer({ ...about, isNew, dryRun }, () =>
          isNew
            ? `${dryRun ? "Would answer" : "Answered"} ${what}.`
            : `${what} was answered so already; nothing was done.`,
        );
      },
    }),
  ]);
