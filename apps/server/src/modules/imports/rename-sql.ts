import type { SqlTx } from "@marketday/db";

import { findProblems } from "./check-rows.ts";
import type { ImportType } from "./kind.ts";
import type { RawFile } from "./raw-file.ts";
import type { How, Staged } from "./stage-rows.ts";

/** A thing that a file renamed. */
export interface Renamed {
  /** "brown-eggs" */
  subject: string;
  before: string;
  after: string;
}

/**
 * Renames what the staged rows rename by its number, so that everything after it finds the new names. The problems are added to
 * `staged`.
 */
export async function applyRenames(
  tx: SqlTx,
  { renames }: ImportType,
  file: RawFile,
  staged: Staged,
  { dryRun }: Pick<How, "dryRun">,
): Promise<void> {
  if (!renames) return;
  await tx.client.query(renames.complete);
  const seen = new Set(staged.problems.map(({ line, column }) => `${line} ${column}`));
  const found = await findProblems(tx, renames.checks, file);
  const added = found.filter(({ line, column }) => !seen.has(`${line} ${column}`));
  staged.problems.push(...added);
  staged.count += added.length;
  await tx.client.query(renames.find);
  if (!dryRun) await tx.client.query(renames.lock);
  await tx.client.query(renames.apply);
}

/** The renamings of the accepted rows; those of rejected ones are taken back. */
export async function finishRenames(
  tx: SqlTx,
  { renames }: ImportType,
  { dryRun }: Pick<How, "dryRun">,
): Promise<Renamed[]> {
  if (!renames) return [];
  await tx.client.query(renames.undo);
  const { rows } = await tx.client.query<Renamed>("select subject, before, after from renamed order by line");
  if (rows.length > 0 && !dryRun) await tx.client.query(renames.finish);
  return rows;
}
