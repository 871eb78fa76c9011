import {
  type Accepted,
  type AmountChange,
  type AmountChanges,
  LargeChangesRefused,
} from "@marketday/server/lib/amount-changes";
import type { Command } from "commander";

import type { Tools } from "../cli/command.ts";
import { some, usd } from "../cli/values.ts";

const FLAG = "--accept-large-changes";
const MUCH = "by more than a factor of three, or to zero";
const SHOWN = 50;

/** The option that accepts amounts which change much. */
export const largeChanges = (command: Command): Command =>
  command.option(FLAG, `accept prices, fees and percentages that change ${MUCH}`);

const formatAmount = (amount: number | null, unit: AmountChange["unit"]): string =>
  amount === null ? "none" : unit === "cents" ? usd(amount) : `${amount / 10_000}%`;

/** "brown-eggs, Dozen, carmel: price $6.50 → $6.75" */
const formatChange = ({ subject, field, unit, before, after }: AmountChange): string =>
  `  ${subject}: ${field} ${formatAmount(before, unit)} → ${formatAmount(after, unit)}`;

const lines = (changes: readonly AmountChange[], count: number): string[] => [
  ...changes.slice(0, SHOWN).map(formatChange),
  ...(count > SHOWN ? [`  … and ${(count - SHOWN).toLocaleString("en-US")} more`] : []),
];

/** The line of a dry run about large changes that need a confirmation. */
export const largeNote = ({ largeCount }: AmountChanges, dryRun: boolean): string[] =>
  dryRun && largeCount > 0
    ? [`${some(largeCount, "amounts")} would change ${MUCH}: the import asks, or needs ${FLAG}.`]
    : [];

/** The changed amounts, old → new, large changes first. */
export function amountLines(amounts: AmountChanges, dryRun: boolean): string[] {
  const large = amounts.changes.filter(({ isLarge }) => isLarge);
  const others = amounts.changes.filter(({ isLarge }) => !isLarge);
  return [
    ...(large.length > 0 ? [`Amounts that ${dryRun ? "would change" : "changed"} much:`] : []),
    ...lines(large, amounts.largeCount),
    ...largeNote(amounts, dryRun),
    ...(others.length > 0 ? [`Amounts that ${dryRun ? "would change" : "changed"}:`] : []),
    ...lines(others, amounts.count - amounts.largeCount),
  ];
}

/**
 * Runs an import. Amounts that change much are listed and confirmed first, on a terminal by a question. `--yes` does not confirm
 * them: scripts always pass it. Amounts that change much only since the question are listed and confirmed again.
 * @throws CliError when they are not confirmed; nothing was written
 */
export async function withAcceptedChanges<T>(
  { options, confirm }: Pick<Tools<object>, "options" | "confirm">,
  name: string,
  work: (accepted: Accepted) => Promise<T>,
): Promise<T> {
  let accepted: Accepted = options.acceptLargeChanges ? "all" : null;
  for (;;) {
    try {
      return await work(accepted);
    } catch (error) {
      if (!(error instanceof LargeChangesRefused)) throw error;
      const { changes, largeCount } = error.amounts;
      const large = changes.filter(({ isLarge }) => isLarge);
      const intro = `${name}: ${some(largeCount, "amounts")} would change ${MUCH}:`;
      const question = `${largeCount === 1 ? "Is it" : "Are they"} right?`;
      await confirm([intro, ...lines(large, largeCount), question].join("\n"), FLAG);
      accepted = { fingerprint: error.fingerprint };
    }
  }
}
