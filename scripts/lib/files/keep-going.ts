import { type Problem, problemText } from "@marketday/server/modules/imports/problem";
import type { Command } from "commander";
import { stringify } from "csv-stringify/sync";

import { EXIT } from "../cli/exit.ts";
import { guarded } from "./formula.ts";
import { problemLines } from "./with-file-name.ts";
import { BOM, writeText } from "./write.ts";

/** What `--keep-going` takes or rejects one by one. */
export type Piece = "rows" | "files" | "hubs";

/** `--keep-going`, with the same words wherever something is brought in. */
export const keepGoing =
  (pieces: Piece) =>
  (made: Command): Command =>
    made.option(
      "--keep-going",
      `take what is right, and write the rejected ${pieces} and why beside the ${pieces === "files" ? "folder" : "file"}`,
    );

/** Where rejected pieces of a file or folder go: beside it, under its name. */
export const rejectedPath = (path: string, ending: string): string => `${path.replace(/\/+$/, "")}.rejected.${ending}`;

/** Files of a folder that were not taken, each with why. */
export async function writeRejectedFiles(to: string, rejected: readonly Problem[]): Promise<void> {
  const lines = rejected.map((problem) => [guarded(problem.file ?? ""), problemText(problem)]);
  await writeText(to, BOM + stringify([["file", "problem"], ...lines]));
}

/** What people are told of rejected pieces; the exit code says it to scripts. */
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
    ...(writtenTo === null ? [] : [`The rejected ${pieces} and why stand in ${writtenTo}: ${again}.`]),
  ];
}
