import { BOM, escapeFormula } from "@marketday/server/lib/csv";
import { type Problem, problemText } from "@marketday/server/lib/file-problem";
import type { Command } from "commander";
import { stringify } from "csv-stringify/sync";

import { EXIT } from "../cli/exit.ts";
import { problemLines } from "./import-errors.ts";
import { writeText } from "./write.ts";

/** The units that `--keep-going` imports or rejects. */
export type Piece = "rows" | "files" | "hubs";

/** The option `--keep-going` of all imports. */
export const keepGoing =
  (pieces: Piece) =>
  (command: Command): Command =>
    command.option(
      "--keep-going",
      `import what is right, and write the rejected ${pieces} and why to a file beside the ${pieces === "files" ? "folder" : "file"}`,
    );

/** The path of the file with the rejected pieces of a file or folder: beside it, with its name. */
export const rejectedPath = (path: string, ending: string): string => `${path.replace(/\/+$/, "")}.rejected.${ending}`;

/** Writes the names of the rejected files of a folder, each with the reason. */
export async function writeRejectedFiles(to: string, rejected: readonly Problem[]): Promise<void> {
  const lines = rejected.map((problem) => [escapeFormula(problem.file ?? ""), problemText(problem)]);
  await writeText(to, BOM + stringify([["file", "problem"], ...lines]));
}

/** The lines about rejected pieces for people. Sets the exit code for scripts. */
export function rejectedWords(
  path: string,
  pieces: Piece,
  rejected: readonly Problem[],
  writtenTo: string | null,
): string[] {
  if (rejected.length === 0) return [];
  process.exitCode = EXIT.partly;
  const again =
    pieces === "files" ? "put them right and import the folder again" : "put them right and import that file";
  return [
    problemLines(path, rejected),
    ...(writtenTo === null ? [] : [`The rejected ${pieces} and why are in ${writtenTo}: ${again}.`]),
  ];
}
