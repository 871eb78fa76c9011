import type { Tx } from "@marketday/db";

import type { Problem } from "../../lib/file-problem.ts";
import { findProblems } from "./check-rows.ts";
import { findNearNames } from "./find-near-names.ts";
import type { ImportType } from "./kind.ts";
import type { RawFile } from "./raw-file.ts";
import type { Staged } from "./stage-rows.ts";

/** A thing that a file renamed. */
export interface Renamed {
  /** "brown-eggs" */
  subject: string;
  before: string;
  after: string;
}

/**
 * Checks the names of the staged rows, and renames what they rename, so that everything after it finds the new names. The problems
 * are added to `staged`.
 */
export async function applyNames(
  tx: Tx,
  kind: ImportType,
  file: RawFile,
  staged: Staged,
  acceptNames: boolean,
): Promise<void> {
  const add = (found: readonly Problem[]): void => {
    const seen = new Set(staged.problems.map(({ line, column }) => `${line} ${column}`));
    const added = found.filter(({ line, column }) => !seen.has(`${line} ${column}`));
    staged.problems.push(...added);
    staged.count += added.length;
  };
  if (kind.renames) {
    add(await findProblems(tx, kind.renames.checks, file));
    await tx.client.query(kind.renames.find);
  }
  if (!acceptNames) add(await findNearNames(tx, kind, file));
  if (kind.renames) await tx.client.query(kind.renames.apply);
}

/** The renamings of the accepted rows; those of rejected ones are taken back. */
export async function finishNames(tx: Tx, kind: ImportType): Promise<Renamed[]> {
  if (!kind.renames) return [];
  await tx.client.query(kind.renames.undo);
  const { rows } = await tx.client.query<Renamed>("select subject, before, after from renamed order by line");
  if (rows.length > 0) await tx.client.query(kind.renames.finish);
  return rows;
}
