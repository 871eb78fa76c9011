import { ImportRefused, type Problem, problemText } from "@marketday/server/modules/imports/problem";

import { EXIT, CliError } from "../cli/exit.ts";

const SHOWN = 50;
const ALL = ". With --keep-going all of them are written to a file beside it.";

/** Problems as lines: `products.csv: row 12, price (column F): …`; in text files as editors link them: `hubs.geojson:12:4 …`. */
export const problemLines = (
  path: string,
  problems: readonly Problem[],
  count: number = problems.length,
  where = "",
): string =>
  [
    ...problems
      .slice(0, SHOWN)
      .map(
        (problem) =>
          `${path}${problem.file ? `/${problem.file}` : ""}:${problem.line === 0 || problem.inSheet ? " " : ""}${problemText(problem)}`,
      ),
    ...(count > SHOWN ? [`… and ${(count - SHOWN).toLocaleString("en-US")} more${where}`] : []),
  ].join("\n");

/** Runs work on a file. @throws CliError with the places of its mistakes */
export async function withFileName<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImportRefused)
      throw new CliError(EXIT.input, `${problemLines(path, error.problems, error.count, ALL)}\nNothing was written.`, {
        file: path,
        count: error.count,
        problems: error.problems,
      });
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "EISDIR" || code === "EACCES")
      throw new CliError(EXIT.input, `${path} cannot be read (${code}). Nothing was written.`);
    throw error;
  }
}
