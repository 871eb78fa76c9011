import type { Accepted } from "../../lib/amount-changes.ts";
import type { Context } from "../identity/context.ts";
import { importFile, type Outcome } from "./import-file.ts";
import { products } from "./kinds/products.ts";
import type { How } from "./stage-rows.ts";

/** Values of a variant in a hub, by the columns of a products file. */
export type ValueRow = { slug: string; variant: string } & Readonly<Record<string, string>>;

/**
 * Sets some values of products, like the import of a file with only these cells. Every row has the same columns.
 * @throws ImportRefused with the problems, with rows counted from 1; LargeChangesRefused; AppError `busy` while an import runs
 */
export function setValues(
  ctx: Context,
  rows: readonly [ValueRow, ...ValueRow[]],
  how: {
    action: string;
    subject: string;
    dryRun: boolean;
    accepted: Accepted;
    acceptNames?: boolean;
    signal: AbortSignal;
    /** Of the audit entry; default: the rows. */
    data?: Readonly<Record<string, unknown>>;
    guard?: How["guard"];
    onWritten?: How["onWritten"];
  },
): Promise<Outcome> {
  const { action, subject, data = { values: rows }, ...options } = how;
  const file = {
    name: action,
    header: Object.keys(rows[0]),
    // oxlint-disable-next-line typescript/require-await -- rows of a file come one after the other
    rows: (async function* () {
      for (const [place, cells] of rows.entries()) yield { line: place + 1, cells, positionOf: () => null };
    })(),
    audit: { action, subject, data },
  };
  return importFile(ctx, products, file, { ...options, keepGoing: false, isCount: true, isEdit: true });
}
