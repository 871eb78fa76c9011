import { cleanText } from "@marketday/domain/text";

import { repairMojibake } from "../../lib/mojibake.ts";
import type { RawRow } from "./raw-file.ts";

const PLAIN = /^[ -~]*$/;

/** A cell, cleaned as everything that people paste; a text that another program broke stays as it is, to be rejected. */
function cleanCell(text: string): string {
  if (PLAIN.test(text)) return text.trim();
  return text.includes("\0") || repairMojibake(text) !== null ? text : cleanText(text);
}

/** The row with clean cells (docs/product.md §2 "Text"), but for those of the columns whose text is compared as it was stored. */
export const cleanRow = (row: RawRow, verbatim: ReadonlySet<string>): RawRow => ({
  ...row,
  cells: Object.fromEntries(
    Object.entries(row.cells).map(([column, text]) => [column, verbatim.has(column) ? text.trim() : cleanCell(text)]),
  ),
});
