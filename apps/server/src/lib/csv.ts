import { stringify } from "csv-stringify/sync";

/**
 * Spreadsheets run a cell that begins with one of these as a formula, which may read and send other cells (CSV injection).
 * It is written with an apostrophe before it, which spreadsheets hide.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/** A text as a cell of a file. */
export const escapeFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);
/** The inverse of `escapeFormula`. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;

/** Byte order mark: without it Excel reads UTF-8 as Windows-1252 and breaks every accent. */
export const BOM = "\uFEFF";

/** Rows of texts as lines of CSV, without formulas. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  stringify(rows.map((row) => row.map((cell) => escapeFormula(cell))));
