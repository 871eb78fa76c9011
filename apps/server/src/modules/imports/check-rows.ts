import type { SqlTx } from "@marketday/db";

import type { Kind } from "./kind.ts";
import { ImportRefused, type Problem, shown } from "./problem.ts";
import type { RawFile } from "./raw-file.ts";
import { KEPT, type Staged } from "./stage-rows.ts";

const columnNumber = (file: RawFile, column: string): number | null => {
  const place = file.header.indexOf(column);
  return place < 0 ? null : place + 1;
};

async function findProblems(tx: SqlTx, kind: Kind, file: RawFile): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const check of kind.checks) {
    const { rows } = await tx.client.query<{ line: number; column: string; value: string | null; right: string }>(
      check,
    );
    for (const { line, column, value, right } of rows)
      problems.push({
        line,
        position: columnNumber(file, column),
        column,
        value: value === null ? null : shown(value),
        right,
      });
  }
  return problems.toSorted((a, b) => a.line - b.line);
}

/** Takes the groups of rejected rows out of `incoming`, and says of their other rows why they went too. */
async function dropRejected(tx: SqlTx, kind: Kind, rejected: Map<number, Problem>, groups: Set<string>): Promise<void> {
  const { rows } = await tx.client.query<{ line: number; name: string | null }>(
    `with bad as (select distinct ${kind.group} as name from incoming where line = any($1::int[]) or ${kind.group} = any($2::text[]))
     delete from incoming s where s.line = any($1::int[]) or s.${kind.group} in (select name from bad) returning s.line, s.${kind.group} as name`,
    [[...rejected.keys()], [...groups]],
  );
  for (const { line, name } of rows)
    if (!rejected.has(line))
      rejected.set(line, {
        line,
        position: null,
        column: kind.group,
        value: name,
        right: "a row whose other rows are all right",
      });
}

async function prepare(tx: SqlTx, kind: Kind): Promise<void> {
  for (const statement of kind.prepare ?? []) await tx.client.query(statement);
}

/**
 * Compares what was read with the market and with itself. Afterwards `incoming` holds what is to be written, and
 * `staged.rejected` what is not.
 * @throws ImportRefused when something is wrong and `keepGoing` is not said
 */
export async function checkRows(
  tx: SqlTx,
  kind: Kind,
  file: RawFile,
  staged: Staged,
  keepGoing: boolean,
): Promise<void> {
  const { rejected, groups } = staged;
  if (keepGoing) await dropRejected(tx, kind, rejected, groups);
  await prepare(tx, kind);
  const found = await findProblems(tx, kind, file);
  if (found.length === 0) return;
  if (!keepGoing) throw new ImportRefused(found.slice(0, KEPT), found.length);
  for (const problem of found) if (!rejected.has(problem.line)) rejected.set(problem.line, problem);
  await dropRejected(tx, kind, rejected, groups);
  // Tables of their own are made of what is left.
  for (const statement of kind.prepare ?? []) {
    const table = /^create temp table (\w+)/.exec(statement)?.[1];
    if (table) await tx.client.query(`drop table ${table}`);
  }
  await prepare(tx, kind);
}
