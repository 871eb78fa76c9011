import { BOM, csvLines } from "@marketday/server/lib/csv";
import { findRecalled, type RecalledRow } from "@marketday/server/modules/orders/find-recalled";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { CliError, EXIT } from "../../lib/cli/exit.ts";
import { day } from "../../lib/cli/values.ts";
import { writeText } from "../../lib/files/write.ts";

interface Options {
  product?: string;
  vendor?: string;
  from: string;
  to: string;
}

const HEADER = ["day", "hub", "order", "status", "name", "email", "phone", "where", "item", "units"];

const cells = (row: RecalledRow): string[] => [
  row.day,
  row.hub,
  String(row.order_id),
  row.status,
  row.name,
  row.email ?? "",
  row.phone ?? "",
  row.place,
  row.item,
  String(row.units),
];

/** `market orders recall`. */
export const recall = (): Command =>
  command<Options>({
    name: "recall [file.csv]",
    summary: "list who gets or got a product, or anything of a vendor, with how to reach them",
    about:
      "Product and vendor are slugs. Without units that came short or were removed, and without canceled orders. `pending` is packed\nor on its way, `closed` is delivered. With a file it is written as CSV.",
    examples: [
      "orders recall --product brown-eggs --from 2026-11-01 --to 2026-11-30",
      "orders recall called.csv --vendor oak-farm --from 2026-11-26 --to 2026-11-26",
    ],
    options: (cmd) =>
      cmd
        .option("--product <slug>", "the product")
        .option("--vendor <slug>", "the vendor")
        .requiredOption("--from <date>", "first delivery day", day)
        .requiredOption("--to <date>", "last delivery day, inclusive", day),
    async run({ options: { product, vendor, from, to }, out, market }, file: string | undefined) {
      if (from > to) throw new CliError(EXIT.usage, "--from is after --to.");
      if (product === undefined && vendor === undefined)
        throw new CliError(EXIT.usage, "Give --product or --vendor, or both.");
      const rows = await market(({ deps }) =>
        findRecalled(deps.db, { product: product ?? null, vendor: vendor ?? null, from, to }),
      );
      if (rows === null)
        throw new CliError(
          EXIT.refused,
          `There is no ${product === undefined ? `vendor ${vendor}` : `product ${product}`}${product !== undefined && vendor !== undefined ? ` of ${vendor}` : ""}.`,
        );
      if (file !== undefined) await writeText(file, BOM + csvLines([HEADER, ...rows.map(cells)]));
      const people = new Set(rows.map(({ email, order_id: id }) => email ?? id)).size;
      const units = rows.reduce((sum, row) => sum + row.units, 0);
      out.answer({ rows, people, units }, () =>
        rows.length === 0
          ? "No one ordered it for these days."
          : [
              ...(file === undefined ? [out.table(HEADER, rows.map(cells), ["units"])] : []),
              `${units} units for ${people === 1 ? "1 person" : `${people} people`}${file === undefined ? "." : `: ${file}.`}`,
            ].join("\n"),
      );
    },
  });
