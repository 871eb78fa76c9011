import { shown } from "@marketday/server/lib/file-problem";
import type { ImportType } from "@marketday/server/modules/imports/kind";

const SUM = /^(?:(?:grand|sub)[ -]?)?(?:totals?|sums?)\b.{0,20}$/i;
const isNumber = (cell: string): boolean => /^[$(-]*\s*[\d.,]+\s*[%)]?$/.test(cell);

/**
 * A row that a person wrote for people: sums below the data, or a heading or note between them. Null for every other row.
 * @param cells with spaces around them
 * @returns the place of its first filled cell, and what to do
 */
export function findMisplacedRow(
  kind: ImportType,
  header: readonly string[],
  cells: readonly string[],
): [place: number, sentence: string] | null {
  const filled = cells.flatMap((cell, place) => (cell.trim() === "" ? [] : [{ place, text: cell.trim() }]));
  const [first, ...others] = filled;
  if (!first) return null;
  const isLabeled = SUM.test(first.text) && others.length > 0 && others.every(({ text }) => isNumber(text));
  const hasKey = filled.some(({ place }) => header[place] === kind.group);
  if (isLabeled || (!hasKey && filled.every(({ text }) => isNumber(text))))
    return [first.place, `this looks like a row of sums ("${shown(first.text)}"). Delete the row.`];
  const required = kind.columns.filter((column) => column.required).length;
  if (filled.length === 1 && required > 1)
    return [
      first.place,
      `only this cell of the row is filled ("${shown(first.text)}"). If it is a heading or a note, delete the row.`,
    ];
  return null;
}
