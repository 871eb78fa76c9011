import type { Context } from "@marketday/server/lib/context";
import { payVendors } from "@marketday/server/modules/ledger/pay-vendors";
import { findPaid } from "@marketday/server/modules/ledger/payout-store";
import type { Command } from "commander";
import { stringify } from "csv-stringify/sync";

import { command, type Tools } from "../../lib/cli/command.ts";
import { EXIT, CliError } from "../../lib/cli/exit.ts";
import { day, some, usd, whole } from "../../lib/cli/values.ts";
import { guarded } from "../../lib/files/formula.ts";
import { BOM, openOutput } from "../../lib/files/write.ts";

interface Line {
  slug: string;
  name: string;
  email: string | null;
  amountCents: number;
}
interface Options {
  to?: string;
  again?: number;
}

const fileOf = (payout: number | null, lines: readonly Line[]): string =>
  BOM +
  stringify([
    ["vendor", "name", "email", "amount", "payout"],
    ...lines.map((line) => [
      line.slug,
      guarded(line.name),
      line.email ?? "",
      (line.amountCents / 100).toFixed(2),
      payout ?? "",
    ]),
  ]);

/** The file of a payout that was booked before, without what was taken back since. */
async function again(
  payout: number,
  path: string | undefined,
  { out, market, options }: Tools<Options>,
): Promise<void> {
  const rows = await market(({ deps }) => findPaid(deps.db, { payout }));
  if (rows.length === 0) throw new CliError(EXIT.refused, `There is no payout ${payout}; \`ledger list\` lists them.`);
  const lines = rows
    .filter((row) => !row.taken_back && row.amount_cents > 0)
    .map((row) => ({ ...row, amountCents: row.amount_cents }));
  const totalCents = lines.reduce((sum, line) => sum + line.amountCents, 0);
  await put(
    { payout, lines, carried: [], totalCents, earlyCents: 0, dryRun: options.dryRun === true, isNew: false },
    path,
    out,
  );
}

/** Cents of what is owed up to `to` that are for deliveries after today, in UTC. */
async function earlyCents(ctx: Context, to: string): Promise<number> {
  const today = ctx.now.toISOString().slice(0, 10);
  if (to <= today) return 0;
  const owed = async (day: string) => (await payVendors(ctx, { to: day, dryRun: true })).totalCents;
  return (await owed(to)) - (await owed(today));
}

interface Said {
  payout: number | null;
  /** Cents of it that are for deliveries after today. */
  earlyCents: number;
  lines: readonly Line[];
  carried: readonly Line[];
  totalCents: number;
  dryRun: boolean;
  isNew: boolean;
}

/** The file, and what is said of it: the file alone on standard output when it has no path. */
async function put(said: Said, path: string | undefined, out: Tools<Options>["out"]): Promise<void> {
  const { payout, lines, carried, totalCents, dryRun } = said;
  const file = openOutput(dryRun ? undefined : path);
  try {
    if (!out.json || (path !== undefined && !dryRun)) await file.write(fileOf(payout, lines));
    await file.close();
  } catch (error) {
    await file.abandon();
    throw new CliError(
      EXIT.refused,
      `Payout ${payout} is booked, but ${path} cannot be written (${(error as Error).message}). \`ledger payouts FILE --again ${payout}\` writes it.`,
    );
  }
  const told = lines.map(({ slug, name, email, amountCents }) => ({ slug, name, email, amountCents }));
  const owing = carried.map(({ slug, amountCents }) => ({ slug, amountCents }));
  if (out.json || (path !== undefined && !dryRun))
    out.answer(
      {
        payout,
        isNew: said.isNew,
        totalCents,
        earlyCents: said.earlyCents,
        payouts: told,
        carried: owing,
        file: path ?? null,
        dryRun,
      },
      () =>
        [
          `Payout ${payout}: ${some(lines.length, "vendors")}, ${usd(totalCents)} together, ${said.isNew ? "booked and written" : "written again"} to ${path}.`,
          ...(said.earlyCents > 0
            ? [`${usd(said.earlyCents)} of it is for deliveries after today, which can still change.`]
            : []),
          ...owing.map(
            ({ slug, amountCents }) => `${slug} was paid ${usd(-amountCents)} too much: taken off next time.`,
          ),
        ].join("\n"),
    );
}

/** `market ledger payouts`. */
export const payouts = (): Command =>
  command<Options>({
    name: "payouts [file]",
    summary: "pay vendors what they are owed: book it as paid, and write it as CSV for the bank",
    about:
      "For delivery days up to --to whose cutoff has passed. One line a vendor: slug, name, e-mail, amount in dollars, number of\nthe payout. Without a file: to standard output. What was paid is not paid again: a second run pays what is new since. Who\nwas paid too much has it taken off the next time. `ledger reverse` takes a line back. --dry-run shows the file.",
    examples: [
      "ledger payouts --to 2026-11-30 --dry-run",
      "ledger payouts payouts.csv --to 2026-11-30 --yes",
      "ledger payouts payouts.csv --again 812",
    ],
    options: (made) =>
      made
        .option("--to <date>", "last delivery day, included", day)
        .option("--again <payout>", "write the file of an earlier payout again; nothing is booked", whole),
    writes: true,
    asks: true,
    async run(tools, path) {
      const { options, out, market, sure } = tools;
      const { to, dryRun = false } = options;
      if ((to === undefined) === (options.again === undefined))
        throw new CliError(EXIT.usage, "Say --to DATE, or --again PAYOUT for the file of an earlier one.");
      if (options.again !== undefined) return again(options.again, path, tools);
      const early = await market((ctx) => earlyCents(ctx, to ?? ""));
      const warning = early === 0 ? "" : ` ${usd(early)} of it is for deliveries after today, which can still change.`;
      await sure(`Book what vendors are owed for deliveries up to ${to} as paid?${warning}`);
      const { payout, paid, carried, totalCents, last } = await market(async (ctx) => {
        const done = await payVendors(ctx, { to: to ?? "", dryRun });
        const [newest] = done.paid.length === 0 ? await findPaid(ctx.deps.db) : [];
        return { ...done, last: newest?.payout ?? null };
      });
      if (paid.length === 0)
        return out.answer({ payout, isNew: false, totalCents, payouts: [], carried: [], file: null, dryRun }, () =>
          [
            `Nothing is owed for deliveries up to ${to} that was not paid.`,
            ...(last === null ? [] : [`The last payout was ${last}: --again ${last} writes its file again.`]),
          ].join("\n"),
        );
      const line = (due: (typeof paid)[number]): Line => ({ ...due, amountCents: due.due_cents });
      const lines = paid.map(line);
      return put(
        { payout, lines, carried: carried.map(line), totalCents, earlyCents: early, dryRun, isNew: !dryRun },
        path,
        out,
      );
    },
  });
