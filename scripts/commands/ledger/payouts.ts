import { isRolledBack, isUnavailable } from "@marketday/db";
import { marketDate } from "@marketday/server/modules/hubs/market-date";
import type { Context } from "@marketday/server/modules/identity/context";
import { type BankLine, bankLines } from "@marketday/server/modules/ledger/bank-file";
import { payVendors } from "@marketday/server/modules/ledger/pay-vendors";
import { findLastPayout } from "@marketday/server/modules/ledger/payout-sql";
import { type DueRow, findPaid } from "@marketday/server/modules/ledger/payout-store";
import type { Command } from "commander";

import { command, FUTURE, includeFuture, type Tools } from "../../lib/cli/command.ts";
import { EXIT, CliError } from "../../lib/cli/exit.ts";
import { day, some, usd, whole } from "../../lib/cli/values.ts";
import { nothingOwed, printPayout } from "./bank-file.ts";

interface Options {
  to?: string;
  again?: number;
}

/** Writes the file of an earlier payout again, without lines that have been reversed. */
async function rewriteFile(
  payout: number,
  path: string | undefined,
  { out, market, options }: Tools<Options>,
): Promise<void> {
  const rows = await market(({ deps }) => findPaid(deps.db, { payout }));
  if (rows.length === 0) throw new CliError(EXIT.refused, `There is no payout ${payout}; \`ledger list\` lists them.`);
  const lines = bankLines(rows);
  const totalCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
  await printPayout(
    {
      payout,
      previous: null,
      lines,
      carried: [],
      totalCents,
      earlyCents: 0,
      dryRun: options.dryRun === true,
      isNew: false,
    },
    path,
    out,
  );
}

/** Cents owed for deliveries after the market's date, up to `to`. */
async function earlyCents(ctx: Context, to: string): Promise<number> {
  const today = await marketDate(ctx.deps, ctx.now);
  if (to <= today) return 0;
  const owed = async (day: string) => (await payVendors(ctx, { to: day, dryRun: true })).totalCents;
  return (await owed(to)) - (await owed(today));
}

const LISTED = 100;

/** The amounts as a question lists them. */
const listOf = (paid: readonly DueRow[]): string =>
  [
    ...paid.slice(0, LISTED).map(({ name, due_cents: due }) => `${name}: ${usd(due)}`),
    ...(paid.length > LISTED ? [`… and ${paid.length - LISTED} more, which --dry-run prints`] : []),
    `${some(paid.length, "vendors")}, ${usd(paid.reduce((sum, { due_cents: due }) => sum + due, 0))} in total.`,
  ].join("\n");

/** Whether a payout was booked is open when the answer to its COMMIT was lost. @throws the error, with what to do then */
function rethrowLost(error: unknown): never {
  if (!isUnavailable(error) || isRolledBack(error)) throw error;
  throw new CliError(
    EXIT.away,
    `The database went away (${(error as Error).message}). The payout may be booked. Run it again to see: the same command line pays nothing twice.`,
  );
}

/** `market ledger payouts`. */
export const payouts = (): Command =>
  command<Options>({
    name: "payouts [file]",
    summary: "pay vendors what they are owed: book the payout, and write it as CSV for the bank",
    about:
      "For delivery days up to --to whose cutoff has passed. One line per vendor: slug, name, email, amount in dollars, number of\nthe payout. Without a file: to standard output. Nothing is paid twice: a second run pays what is new since then. Overpaid\nvendors have the difference deducted from their next payout. `ledger reverse` reverses a line. --dry-run prints the file, and --yes\nsays that you have seen it. Deliveries after today are another question, which --include-future answers.",
    examples: [
      "ledger payouts --to 2026-11-30 --dry-run",
      "ledger payouts payouts.csv --to 2026-11-30 --yes",
      "ledger payouts payouts.csv --again 812",
    ],
    options: (cmd) =>
      includeFuture(cmd)
        .option("--to <date>", "last delivery day, inclusive", day)
        .option("--again <payout>", "write the file of an earlier payout again, without booking anything", whole),
    writes: true,
    needsConfirmation: true,
    async run(tools, path) {
      const { options, out, market, confirm } = tools;
      const { to, dryRun = false } = options;
      if ((to === undefined) === (options.again === undefined))
        throw new CliError(EXIT.usage, "Give --to DATE, or --again PAYOUT for the file of an earlier payout.");
      if (options.again !== undefined) return rewriteFile(options.again, path, tools);
      const { planned, early, last } = await market(async (ctx) => {
        const planned = await payVendors(ctx, { to: to ?? "", dryRun: true });
        const last = await findLastPayout(ctx.deps.db);
        return { planned, early: await earlyCents(ctx, to ?? ""), last };
      });
      const warning = `${usd(early)} of it is for deliveries after today, which can still change.`;
      if (planned.paid.length > 0) {
        if (dryRun && early !== 0 && !out.json) console.error(warning);
        await confirm(
          `${listOf(planned.paid)}\nBook these amounts for deliveries up to ${to} as paid?${early === 0 ? "" : ` ${warning}`}`,
        );
        if (early !== 0) await confirm(`${warning} Book it already?`, FUTURE);
      }
      const { payout, paid, carried, totalCents } = dryRun
        ? planned
        : await market((ctx) => payVendors(ctx, { to: to ?? "", dryRun, expected: planned.paid })).catch(rethrowLost);
      if (paid.length === 0) {
        // Standard output is the bank file's, which has no lines.
        if (!out.json && (path === undefined || dryRun)) return console.error(nothingOwed(to ?? "", last));
        return out.answer(
          { payout, isNew: false, totalCents, payouts: [], carried: [], file: null, previous: last, dryRun },
          () => nothingOwed(to ?? "", last),
        );
      }
      const payoutLine = (due: (typeof paid)[number]): BankLine => ({ ...due, amountCents: due.due_cents });
      const lines = paid.map(payoutLine);
      return printPayout(
        {
          payout,
          previous: last,
          lines,
          carried: carried.map(payoutLine),
          totalCents,
          earlyCents: early,
          dryRun,
          isNew: !dryRun,
        },
        path,
        out,
      );
    },
  });
