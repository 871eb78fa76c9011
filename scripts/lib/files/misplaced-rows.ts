import { shown } from "@marketday/server/lib/file-problem";
import type { ImportType } from "@marketday/server/modules/imports/kind";

const SUM = /^(?:(?:grand|sub)[ -]?)?(?:totals?|sums?)(?:[\s:(].{0,20})?$/i;
const isNumber = (cell: string): boolean => /^[$(-]*\s*[\d.,]+\s*[%)]?$/.test(cell);
/** "$1,204.50" in ten-thousandths; NaN for a text. */
const amountOf = (cell: string): number =>
  isNumber(cell) ? Math.round(Number(cell.replaceAll(/[$,%\s]/g, "")) * 10_000) : Number.NaN;

interface Filled {
  place: number;
  text: string;
}

/**
 * Finds the rows that a person wrote for people: sums below the data, and headings and notes between the rows.
 * @returns a function for each next row, with spaces around its cells: the place of its first filled cell and what to do; null for
 * a row of data
 */
export function misplacedRowFinder(
  kind: ImportType,
  header: readonly string[],
): (cells: readonly string[]) => [place: number, sentence: string] | null {
  const keyCell = kind.columns.find(({ name }) => name === kind.group)?.cell;
  const required = kind.columns.filter(
    (column) => column.required || (column.needed !== undefined && column.of === undefined),
  );
  /** The rows of data, and the sum of each column. */
  const sums: number[] = [];
  let rows = 0;

  const isSum = ({ place, text }: Filled): boolean => rows > 1 && amountOf(text) === sums[place];
  const find = (filled: readonly Filled[]): [place: number, sentence: string] | null => {
    const [first, ...others] = filled;
    if (!first) return null;
    const key = filled.find(({ place }) => header[place] === kind.group);
    const isLabeled = SUM.test(first.text) && others.length > 0 && others.every(({ text }) => isNumber(text));
    // "TOTAL" may be a discount code.
    const isComplete =
      key !== undefined &&
      keyCell?.read(key.text, null) !== undefined &&
      required.every((column) => filled.some(({ place }) => header[place] === column.name));
    const numbers = others.filter((cell) => cell !== key);
    const isSummed = isLabeled && (!isComplete || (numbers.length > 0 && numbers.every(isSum)));
    if (isSummed || (key === undefined && filled.every(({ text }) => isNumber(text))))
      return [first.place, `this looks like a row of sums ("${shown(first.text)}"). Delete the row.`];
    // A row with a key alone changes nothing of what exists.
    const isKey = key === first && kind.key.length === 1 && keyCell?.read(key.text, null) !== undefined;
    if (others.length === 0 && required.length > 1 && !isKey)
      return [
        first.place,
        `only this cell of the row is filled ("${shown(first.text)}"). If it is a heading or a note, delete the row.`,
      ];
    return null;
  };

  return (cells) => {
    const filled = cells.flatMap((cell, place) => (cell.trim() === "" ? [] : [{ place, text: cell.trim() }]));
    const found = find(filled);
    if (found) return found;
    rows += 1;
    for (const { place, text } of filled) sums[place] = (sums[place] ?? 0) + (amountOf(text) || 0);
    return null;
  };
}
