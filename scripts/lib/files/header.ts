import { ImportRefused, type Problem } from "@marketday/server/lib/file-problem";
import { nearestFinder } from "@marketday/server/lib/nearest";
import type { ImportType } from "@marketday/server/modules/imports/kind";

/** The error for an empty file. */
export const emptyFile = (kind: ImportType): ImportRefused => {
  const right = `The file is empty. Its first row should name its columns: ${kind.columns.map(({ name }) => name).join(", ")}.`;
  return new ImportRefused([{ line: 0, position: null, column: null, value: null, right }]);
};

/** The column of a file of rejected rows with the reason. Imports ignore it. */
export const PROBLEM_COLUMN = "problem";

/** Former column names and their replacements. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = { bundles: { discount: "percent" } };

/** "Sale Price" → "sale_price" */
const columnName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");

/** The number of cells that name a column of the kind. */
export const countKnown = (kind: ImportType, cells: readonly string[]): number =>
  cells.filter((cell) => kind.columns.some(({ name }) => name === columnName(cell))).length;

/**
 * The columns a file has, by its header: "Sale Price" is sale_price. A cell without a name stays empty.
 * @throws ImportRefused with every name that is unknown (and the nearest known one), duplicate or missing
 */
export function checkHeader(
  kind: ImportType,
  names: readonly string[],
  place: Pick<Problem, "line" | "inSheet"> = { line: 1 },
): string[] {
  const known = kind.columns.map(({ name }) => name);
  const meant = nearestFinder(known.map((key) => ({ key, name: null })));
  const problems: Problem[] = [];
  const wrong = (position: number | null, right: string): void => {
    problems.push({ ...place, position, column: null, value: null, right });
  };
  const header = names.map(columnName);
  while (header.at(-1) === "") header.pop();
  let isListed = false;
  for (const [index, name] of header.entries()) {
    const given = names[index]!.trim().replaceAll(/\s+/g, " ").slice(0, 60);
    if (name === "") continue;
    if (header.indexOf(name) < index)
      wrong(index + 1, `the header names "${given}" twice. Delete one of the two columns, or rename it.`);
    else if (given.includes("\uFFFD"))
      wrong(
        index + 1,
        `the name "${given}" cannot be read: the file is not saved as UTF-8. Save it as "CSV UTF-8 (Comma delimited)".`,
      );
    else if (!known.includes(name) && name !== PROBLEM_COLUMN) {
      const near = RENAMED[kind.noun]?.[name] ?? meant(name);
      wrong(
        index + 1,
        `there is no column "${given}". ${near ? `Did you mean ${near}?` : isListed ? "" : `The columns are ${known.join(", ")}.`}`.trim(),
      );
      isListed ||= !near;
    }
  }
  const missing = kind.columns
    .filter(({ name, required, unless = "" }) => required && !header.includes(name) && !header.includes(unless))
    .map(({ name }) => name);
  if (missing.length > 0)
    wrong(null, `the header needs ${missing.length === 1 ? "the column" : "the columns"} ${missing.join(" and ")}.`);
  if (problems.length > 0) throw new ImportRefused(problems);
  return header;
}
