import type { Outcome } from "@marketday/server/modules/imports/import-file";
import { ImportRefused, problemText } from "@marketday/server/modules/imports/problem";

import { EXIT, CliError } from "../cli/exit.ts";

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
