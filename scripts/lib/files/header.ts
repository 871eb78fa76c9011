import type { Kind } from "@marketday/server/modules/imports/kind";
import { ImportRefused } from "@marketday/server/modules/imports/problem";

const whole = (
  right: string,
  column: string | null = null,
  value: string | null = null,
  position: number | null = null,
) => new ImportRefused([{ line: column === null ? 0 : 1, position, column, value, right }]);

/** A file without anything in it. */
export const emptyFile = (kind: Kind): ImportRefused =>
  whole(`the file is empty; its first line should name its columns: ${kind.columns.map(({ name }) => name).join(",")}`);

/** How many letters lie between two words, at most 3. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (const [i, one] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (one === other ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** In a file of rejected rows: why each was. It is not read. */
export const WHY = "problem";

/** The columns a file has. Throws when one is unknown, twice or missing, and names what was probably meant. */
export function checkHeader(kind: Kind, names: readonly string[]): string[] {
  const known = kind.columns.map(({ name }) => name);
  const header = names.map((name) => name.trim());
  for (const [place, name] of header.entries()) {
    const first = header.indexOf(name);
    if (first < place)
      throw whole(`a name of its own: column ${first + 1} is called so too`, "header", name, place + 1);
    if (known.includes(name) || name === WHY) continue;
    const close = known.find((each) => distance(each, name.toLowerCase().replaceAll(" ", "_")) <= 2);
    throw whole(close ? `the column name ${close}` : `one of ${known.join(", ")}`, "header", name, place + 1);
  }
  const missing = kind.columns
    .filter(({ name, required }) => required && !header.includes(name))
    .map(({ name }) => name);
  if (missing.length > 0)
    throw whole(`a header with the column ${missing.join(", ")}`, "header", header.join(",").slice(0, 60));
  return header;
}
