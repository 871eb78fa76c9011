import { bankFile, type BankLine } from "@marketday/server/modules/ledger/bank-file";

import { EXIT, CliError } from "../../lib/cli/exit.ts";
import type { Output } from "../../lib/cli/output.ts";
import { some, usd } from "../../lib/cli/values.ts";
import { bomFor, writeText } from "../../lib/files/write.ts";

interface PayoutResult {
  payout: number | null;
  /** The payout before this one, whose file may be missing because its command was killed; null when the file is written again. */
  previous: number | null;
  /** The part of the total for deliveries after today, in cents. */
  earlyCents: number;
  lines: readonly BankLine[];
  carried: readonly BankLine[];
  totalCents: number;
  dryRun: boolean;
  isNew: boolean;
}

/** Writes the bank file to `path`, or to standard output. @throws CliError when it cannot be written */
async function writeBankFile({ payout, lines }: PayoutResult, path: string | undefined): Promise<void> {
  try {
    await writeText(path, bomFor(path) + bankFile(payout, lines));
  } catch (error) {
    throw new CliError(
      EXIT.refused,
      `Payout ${payout} is booked, but ${path} cannot be written (${(error as Error).message}). \`ledger payouts FILE --again ${payout}\` writes it.`,
    );
  }
}

/** How the file of an earlier payout is written: a command that was killed after its booking wrote none. */
const ifFileIsMissing = (payout: number): string =>
  `If its file is missing, \`ledger payouts FILE --again ${payout}\` writes it.`;

/** The payout before this one, and how its file is written when it is missing. */
const previousPayout = (payout: number): string => `The payout before it was ${payout}. ${ifFileIsMissing(payout)}`;

/** What a run says that pays nothing. `last`: the last payout; null when there is none. */
export const nothingOwed = (to: string, last: number | null): string =>
  [
    `Nothing is owed for deliveries up to ${to}.`,
    ...(last === null ? [] : [`The last payout was ${last}. ${ifFileIsMissing(last)}`]),
  ].join("\n");

/**
 * Writes the bank file and prints a summary. Without a path, and on a dry run: prints the file, or the summary as JSON; the payout
 * before it is then named on standard error.
 */
export async function printPayout(result: PayoutResult, path: string | undefined, out: Output): Promise<void> {
  const { payout, previous, lines, carried, totalCents, dryRun } = result;
  const isWritten = path !== undefined && !dryRun;
  if (isWritten || !out.json) await writeBankFile(result, isWritten ? path : undefined);
  const payouts = lines.map(({ slug, name, email, amountCents }) => ({ slug, name, email, amountCents }));
  const overpaid = carried.map(({ slug, amountCents }) => ({ slug, amountCents }));
  if (isWritten || out.json)
    out.answer(
      {
        payout,
        isNew: result.isNew,
        totalCents,
        earlyCents: result.earlyCents,
        payouts,
        carried: overpaid,
        file: path ?? null,
        previous,
        dryRun,
      },
      () =>
        [
          `Payout ${payout}: ${some(lines.length, "vendors")}, ${usd(totalCents)} in total, ${result.isNew ? "booked and written" : "written again"} to ${path}.`,
          ...(result.earlyCents > 0
            ? [`${usd(result.earlyCents)} of it is for deliveries after today, which can still change.`]
            : []),
          ...overpaid.map(
            ({ slug, amountCents }) => `${slug} was paid ${usd(-amountCents)} too much: deducted from the next payout.`,
          ),
          ...(previous === null ? [] : [previousPayout(previous)]),
        ].join("\n"),
    );
  else if (previous !== null) console.error(previousPayout(previous));
}
