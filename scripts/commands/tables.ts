import { existsSync } from "node:fs";
import { basename } from "node:path";

import type { Accepted } from "@marketday/server/lib/amount-changes";
import { exportFile } from "@marketday/server/modules/imports/export-file";
import { importFile, type Outcome } from "@marketday/server/modules/imports/import-file";
import type { ImportType } from "@marketday/server/modules/imports/kind";
import { bundles } from "@marketday/server/modules/imports/kinds/bundles";
import { collections } from "@marketday/server/modules/imports/kinds/collections";
import { discounts } from "@marketday/server/modules/imports/kinds/discounts";
import { banners, posts } from "@marketday/server/modules/imports/kinds/notices";
import { products } from "@marketday/server/modules/imports/kinds/products";
import { vendors } from "@marketday/server/modules/imports/kinds/vendors";
import type { Command } from "commander";

import { command, group, type Tools } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some } from "../lib/cli/values.ts";
import { type AcceptNames, acceptNames } from "../lib/files/accept-names.ts";
import { amountLines, largeChanges, withAcceptedChanges } from "../lib/files/amount-changes.ts";
import { ABOUT_EMPTY, fieldLines } from "../lib/files/field-changes.ts";
import { withFileName } from "../lib/files/import-errors.ts";
import { keepGoing, rejectedPath, rejectedWords } from "../lib/files/keep-going.ts";
import { openTable, throttleMemory } from "../lib/files/read-table.ts";
import { writeRejected } from "../lib/files/rejected.ts";
import { openWriter } from "../lib/files/write.ts";
import { setProducts } from "./products-set.ts";
import { arrivalCommands } from "./vendor-arrivals.ts";
import { linkCommand } from "./vendor-link.ts";

/** The kinds of files, in the order in which a new market imports them. */
const importTypes: readonly ImportType[] = [vendors, products, collections, bundles, posts, banners, discounts];

/** The number of renamings that are listed. */
const SHOWN = 50;
/** "Renamed: brown-eggs: Dozen → 12 eggs" */
const renamedLines = (renamed: Outcome["renamed"], dryRun: boolean): string[] => [
  ...(renamed.length > 0 ? [`${dryRun ? "Would rename" : "Renamed"}:`] : []),
  ...renamed.slice(0, SHOWN).map(({ subject, before, after }) => `  ${subject}: ${before} → ${after}`),
  ...(renamed.length > SHOWN ? [`  … and ${(renamed.length - SHOWN).toLocaleString("en-US")} more`] : []),
];

const formatCounts = (kind: ImportType, { rows, counts, rejected }: Outcome): string =>
  [
    some(rows, "rows"),
    ...Object.entries(counts).map(
      ([name, { created, changed }]) => `${some(created, name)} new, ${changed.toLocaleString("en-US")} changed`,
    ),
    ...(rejected.length > 0 ? [`${some(new Set(rejected.map(({ line }) => line)).size, "rows")} rejected`] : []),
  ].join(" · ");

interface ImportOptions extends AcceptNames {
  keepGoing?: boolean;
  count?: boolean;
}

/** `market NOUN import`: imports a file, and prints the counts and rejected rows. */
async function runImport(kind: ImportType, path: string, tools: Tools<ImportOptions>): Promise<void> {
  const { options, out, signal } = tools;
  const importWith = async (accepted: Accepted): Promise<Outcome> => {
    if (!existsSync(path)) throw new CliError(EXIT.input, `There is no file ${path}. Nothing was written.`);
    const file = await openTable(path, kind);
    const bar = out.progress("Reading");
    try {
      return await tools.market(
        (ctx) =>
          importFile(
            ctx,
            kind,
            { ...file, name: basename(path), rows: throttleMemory(file.rows) },
            {
              dryRun: options.dryRun === true,
              keepGoing: options.keepGoing === true,
              acceptNames: options.acceptNames === true,
              accepted,
              isCount: options.count === true,
              signal,
              onProgress: (rows, step) => bar.at(rows, undefined, step),
            },
          ),
        { long: true, stopsItself: true },
      );
    } finally {
      bar.end();
    }
  };
  const outcome = await withFileName(path, () => withAcceptedChanges(tools, path, importWith));
  const { rejected } = outcome;
  const rejectedFile = rejected.length > 0 ? rejectedPath(path, "csv") : null;
  if (rejectedFile && !options.dryRun) await writeRejected(path, kind, rejected, rejectedFile);
  const rejectedLines = rejectedWords(path, "rows", rejected, options.dryRun ? null : rejectedFile);
  out.answer({ ...outcome, dryRun: options.dryRun === true, rejectedFile }, () =>
    outcome.rows === 0
      ? `${path} has a header and no rows: nothing to import.`
      : [
          `${options.dryRun ? "Would import" : "Imported"} ${path}: ${formatCounts(kind, outcome)}.`,
          ...renamedLines(outcome.renamed, options.dryRun === true),
          ...(rejected.length > 0 ||
          outcome.renamed.length > 0 ||
          Object.values(outcome.counts).some(({ created, changed }) => created + changed > 0)
            ? []
            : ["The market already has all of it; nothing was changed."]),
          ...amountLines(outcome.amounts, options.dryRun === true),
          ...fieldLines(outcome.fields, options.dryRun === true),
          ...outcome.notes,
          ...rejectedLines,
        ].join("\n"),
  );
}

const ABOUT_STOCK = [
  "An export has the stock twice, in `inventory` and `inventory_exported`. Where both are equal the stock stays as it is. Where they",
  "differ, `inventory` is a count, which is refused if the stock has changed since the export, or if there is no",
  "`inventory_exported`: --count imports it as what is there now.",
].join("\n");

const about = (kind: ImportType): string =>
  [
    "A CSV file with a header row (or .json: a list of objects). All of it is imported, or nothing; a second import changes",
    "nothing. Rows and columns that are not in the file keep their values.",
    ABOUT_EMPTY,
    ...(kind === products ? [ABOUT_STOCK] : []),
    "Columns:",
    ...kind.columns.map(
      ({ name, cell, required, needed, about: meaning }) =>
        `  ${name.padEnd(18)} ${meaning ? `${meaning}: ` : ""}${cell.right}${required ? " (required)" : needed === undefined ? "" : " (required for new ones)"}`,
    ),
  ].join("\n");

/** `market products import|export` etc., one command group per import type. */
export const tableCommands = (): Command[] =>
  importTypes.map((kind) =>
    group(
      kind.noun,
      kind === vendors
        ? "import vendors from a file, export them, or check them in"
        : `import ${kind.noun} from a file, or export them`,
      [
        command<ImportOptions>({
          name: "import <file>",
          summary: `import ${kind.noun} from a CSV or JSON file`,
          about: about(kind),
          examples: [`${kind.noun} import ${kind.noun}.csv --dry-run`, `${kind.noun} import ${kind.noun}.csv`],
          options(cmd) {
            acceptNames(keepGoing("rows")(cmd));
            if (kind === products)
              cmd.option("--count", "numbers in inventory that differ from inventory_exported are what is there now");
            return kind.amounts ? largeChanges(cmd) : cmd;
          },
          writes: true,
          run: (tools, path) => runImport(kind, path, tools),
        }),
        command({
          name: "export [file]",
          summary: `export all ${kind.noun} to a file, or to standard output`,
          about:
            "CSV, or JSON if the file name ends in .json. `import` accepts the file. Texts that a spreadsheet could read as a formula\nbegin with an apostrophe.",
          examples: [`${kind.noun} export ${kind.noun}.csv`],
          async run({ out, market, signal }, path) {
            const writer = openWriter(kind, path);
            const bar = out.progress("Writing");
            try {
              let done = 0;
              const rows = await market(
                (ctx) =>
                  exportFile(ctx, kind, async (batch) => {
                    signal.throwIfAborted();
                    await writer.write(batch);
                    bar.at((done += batch.length));
                  }),
                { long: true },
              );
              await writer.close();
              if (path !== undefined) out.answer({ file: path, rows }, () => `Wrote ${some(rows, "rows")} to ${path}.`);
            } catch (error) {
              await writer.abandon();
              throw error;
            } finally {
              bar.end();
            }
          },
        }),
        ...(kind.noun === "products" ? [setProducts()] : []),
        ...(kind === vendors ? [...arrivalCommands(), linkCommand()] : []),
      ],
    ),
  );
