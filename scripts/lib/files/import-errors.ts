import { ImportRefused, type Problem, problemText } from "@marketday/server/lib/file-problem";
import type { Outcome } from "@marketday/server/modules/imports/import-file";

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

/** Whether an import changed, or would change, anything. */
export const isChanged = ({ counts }: Outcome): boolean =>
  Object.values(counts).some(({ created, changed }) => created + changed > 0);

/** Runs an import of values of the command line. @throws CliError with the options that are wrong */
export async function fromOptions<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error;
    const lines = error.problems.map((problem) =>
      problemText({ ...problem, line: 0, column: problem.column && `--${problem.column.replaceAll("_", "-")}` }),
    );
    throw new CliError(EXIT.usage, `${[...new Set(lines)].join("\n")}\nNothing was written.`);
  }
}
