import type { GridOffer } from "@marketday/contracts/admin/offers";
import type { OfferField } from "@marketday/domain/offer-fields";
import { readCents } from "@marketday/domain/typed-numbers";

import type { GridColumn } from "./columns.ts";
import { canChange, type Draft, shownCell, typeCells } from "./draft.ts";

/** A place in the grid: row and column, from 0. */
export interface Place {
  row: number;
  column: number;
}

/** A rectangle of cells, both ends included. */
export interface Range {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** The rectangle between two corners. */
export const rangeOf = (one: Place, other: Place): Range => ({
  top: Math.min(one.row, other.row),
  bottom: Math.max(one.row, other.row),
  left: Math.min(one.column, other.column),
  right: Math.max(one.column, other.column),
});

/** The grid as it is shown: rows in their order, and its columns. */
export interface Sheet {
  rows: readonly GridOffer[];
  columns: readonly Pick<GridColumn, "field" | "read">[];
}

/**
 * A block from a spreadsheet's clipboard: lines of cells with tabs between them. A cell with a tab, a line end or a quote is in quotes. The
 * line end after the last line is none.
 */
export function readBlock(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*)/y;
  let at = 0;
  while (at <= text.length) {
    cell.lastIndex = at;
    const [whole = "", quoted, plain = ""] = cell.exec(text) ?? [];
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    at += whole.length;
    if (text[at] === "\t") at += 1;
    else if (at < text.length) {
      at += text.startsWith("\r\n", at) ? 2 : 1;
      if (at < text.length) rows.push([]);
      else break;
    } else break;
  }
  return rows;
}

const quote = (text: string): string => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The texts of a range for a spreadsheet. */
export const copyBlock = (draft: Draft, { rows, columns }: Sheet, { top, bottom, left, right }: Range): string =>
  rows
    .slice(top, bottom + 1)
    .map((row) =>
      columns
        .slice(left, right + 1)
        .map(({ field, read }) => quote(field === null ? (read?.(row) ?? "") : shownCell(draft, row, field).text))
        .join("\t"),
    )
    .join("\n");

/** What came of a block. */
export interface Pasted {
  draft: Draft;
  /** Cells that got a text. */
  cells: number;
  /** Texts that had no cell: below or beside the grid. */
  beyond: number;
  /** Texts on cells that this person does not change here. */
  fixed: number;
  /** Empty texts, which leave their cell as it is: of merged cells all but the first are empty. */
  empty: number;
  range: Range;
}

/**
 * Writes a block at a place. One text alone fills the whole selection; a block that fits into it several times is repeated. An empty text
 * leaves its cell as it is, the word `none` empties it, as in a file.
 */
export function pasteBlock(
  draft: Draft,
  { rows, columns }: Sheet,
  selected: Range,
  block: readonly (readonly string[])[],
): Pasted {
  const height = block.length;
  const width = Math.max(...block.map((line) => line.length));
  const repeat = (size: number, of: number) => (size > of && size % of === 0 ? size : of);
  const tall = repeat(selected.bottom - selected.top + 1, height);
  const wide = repeat(selected.right - selected.left + 1, width);
  const result: Pasted = {
    draft,
    cells: 0,
    beyond: 0,
    fixed: 0,
    empty: 0,
    range: {
      top: selected.top,
      left: selected.left,
      bottom: Math.min(selected.top + tall, rows.length) - 1,
      right: Math.min(selected.left + wide, columns.length) - 1,
    },
  };
  const next = typeCells(draft, (type) => {
    for (let down = 0; down < tall; down += 1)
      for (let across = 0; across < wide; across += 1) {
        const text = block[down % height]![across % width]?.trim() ?? "";
        const row = rows[selected.top + down];
        const field = columns[selected.left + across]?.field;
        if (text === "") {
          if (row && field !== undefined) result.empty += 1;
        } else if (!row || field === undefined) result.beyond += 1;
        else if (field === null || !canChange(row, field)) result.fixed += 1;
        else {
          type(row, field, text);
          result.cells += 1;
        }
      }
  });
  return { ...result, draft: next };
}

/** The first row of a range, written into its others. */
export function fillDown(draft: Draft, { rows, columns }: Sheet, { top, bottom, left, right }: Range): Draft {
  const source = rows[top];
  if (!source) return draft;
  return typeCells(draft, (type) => {
    for (const row of rows.slice(top + 1, bottom + 1))
      for (const { field } of columns.slice(left, right + 1))
        if (field !== null) type(row, field, shownCell(draft, source, field).text);
  });
}

/** Empties a range; what cannot be empty stays. */
export function clearRange(draft: Draft, { rows, columns }: Sheet, { top, bottom, left, right }: Range): Draft {
  return typeCells(draft, (type) => {
    for (const row of rows.slice(top, bottom + 1))
      for (const { field } of columns.slice(left, right + 1))
        if (field === "sale_price" || field === "weekly_inventory" || field === "unit" || field === "tags")
          type(row, field, "");
  });
}

/** A change of many cells of one column. */
export type BulkChange =
  | { kind: "set"; to: string }
  /** Of amounts and stock: by so many percent, rounded to `step` (cents or units). */
  | { kind: "percent"; by: number; step: number }
  /** By so many dollars or units. */
  | { kind: "add"; by: number };

const isMoney = (field: OfferField): boolean => field === "price" || field === "sale_price";

/** The text of a cell after a change; null: there is nothing to change, or it would be below zero. */
export function changedText(field: OfferField, text: string, change: BulkChange): string | null {
  if (change.kind === "set") return change.to;
  const now = isMoney(field) ? readCents(text) : text === "" ? undefined : Number(text);
  if (now === undefined || !Number.isFinite(now)) return null;
  const by =
    change.kind === "percent" ? (now * change.by) / 100 : isMoney(field) ? Math.round(change.by * 100) : change.by;
  const step = change.kind === "percent" ? change.step : 1;
  // Half up, and what floating point made of 1.15 × 100 is not a half.
  const next = Math.round(Number(((now + by) / step).toFixed(6))) * step;
  if (next < 0) return null;
  return isMoney(field) ? (next / 100).toFixed(2) : String(next);
}

/** A column of some rows changed. @returns how many cells are something else, and how many could not be changed */
export function changeColumn(
  draft: Draft,
  rows: readonly GridOffer[],
  field: OfferField,
  change: BulkChange,
): { draft: Draft; changed: number; left: number } {
  let changed = 0;
  let left = 0;
  const next = typeCells(draft, (type, now) => {
    for (const row of rows) {
      const before = shownCell(draft, row, field).text;
      const text = changedText(field, before, change);
      if (text === null || !canChange(row, field)) {
        left += 1;
        continue;
      }
      // What is of a product is changed once for all its rows.
      const isDone = shownCell(now, row, field).text !== before;
      type(row, field, text);
      if (!isDone && shownCell(now, row, field).text !== before) changed += 1;
    }
  });
  return { draft: next, changed, left };
}
