import { findLeads } from "@marketday/server/modules/leads/store";
import { closeProblem } from "@marketday/server/modules/problems/close-problem";
import { findProblems } from "@marketday/server/modules/problems/store";
import { type Command, InvalidArgumentError } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { localTime, whole } from "../lib/cli/values.ts";
import { creditCommand, giftCardsCommand } from "./gifts.ts";
import { passesCommand } from "./passes.ts";

const formatDate = (at: Date): string => at.toISOString().slice(0, 10);

/** `market problems …`. */
const problemsCommand = (): Command =>
  group("problems", "shoppers' problem reports about orders", [
    command<{ all?: boolean }>({
      name: "list",
      summary: "list open problem reports, oldest first",
      examples: ["problems list"],
      options: (cmd) => cmd.option("--all", "include closed ones"),
      async run({ options, out, market }) {
        const rows = await market(({ deps }) => findProblems(deps.db, options.all === true));
        out.answer(rows, () =>
          rows.length === 0
            ? "No open problems."
            : rows
                .map(
                  (row) =>
                    `${out.color.bold(`#${row.id}`)} ${row.status} · ${localTime(row.created_at, row.time_zone)} · order ${row.order_id} (${row.hub}) · ${row.customer ?? "deleted"}${row.photos.length > 0 ? ` · photos: ${row.photos.join(", ")}` : ""}\n  ${row.message.replaceAll("\n", "\n  ")}`,
                )
                .join("\n"),
        );
      },
    }),
    command({
      name: "close <problem>",
      summary: "close a problem report",
      examples: ['problems close 12 --reason "refunded the peaches"'],
      writes: true,
      reason: true,
      async run({ options, out, market }, id) {
        const number = whole(id);
        const wasOpen = await market(async (ctx) => {
          return closeProblem(ctx, number, options.reason ?? "", options.dryRun === true);
        });
        out.answer({ id: number, wasOpen, dryRun: options.dryRun === true }, () =>
          wasOpen
            ? `${options.dryRun ? "Would close" : "Closed"} #${number}.`
            : `#${number} was already closed; nothing was done.`,
        );
      },
    }),
  ]);

const KINDS = ["vendor", "driver", "job"];
const OTHER_KINDS = ["contact", "email", "zip"];

function kindOf(text: string): string {
  const all = [...KINDS, ...OTHER_KINDS];
  if (!all.includes(text)) throw new InvalidArgumentError(`Use ${all.slice(0, -1).join(", ")} or ${all.at(-1)}.`);
  return text;
}

/** `market applications list`: applications to sell, drive or work; with --kind also emails, zips and messages. */
const applicationsCommand = (): Command =>
  group("applications", "applications to sell, drive or work here", [
    command<{ kind?: string; most: number }>({
      name: "list",
      summary: "list applications, newest first",
      examples: ["applications list", "applications list --kind vendor"],
      options: (cmd) =>
        cmd
          .option("--kind <kind>", "vendor, driver, job, contact, email or zip", kindOf)
          .option("--most <rows>", "maximum number of rows", whole, 100),
      async run({ options, out, market }) {
        const kinds = options.kind ? [options.kind] : KINDS;
        const rows = await market(({ deps }) => findLeads(deps.db, kinds, options.most));
        out.answer(rows, () =>
          rows.length === 0
            ? "None."
            : rows
                .map((row) =>
                  [
                    `${out.color.bold(`#${row.id}`)} ${row.kind} · ${formatDate(row.created_at)} · ${row.name} <${row.email}>${row.zip_code ? ` · ${row.zip_code}` : ""}`,
                    ...Object.entries(row.data).map(
                      ([name, value]) => `  ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
                    ),
                  ].join("\n"),
                )
                .join("\n"),
        );
      },
    }),
  ]);

/** Customer support commands: problem reports, applications, store credit, gift cards and passes. */
export const supportCommands = (): Command[] => [
  problemsCommand(),
  applicationsCommand(),
  creditCommand(),
  giftCardsCommand(),
  passesCommand(),
];
