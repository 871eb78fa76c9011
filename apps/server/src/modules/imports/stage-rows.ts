import { copyIn, type CopyValue, type SqlTx } from "@marketday/db";

import type { Column, Kind } from "./kind.ts";
import { type Problem, shown } from "./problem.ts";
import type { RawFile, RawRow } from "./raw-file.ts";

/** Problems that are kept; a file with more is wrong in another way. */
export const KEPT = 1_000;

/** How a file is taken in. */
export interface How {
  dryRun: boolean;
  /** Take what can be taken, answer the rest as problems. */
  keepGoing: boolean;
  signal: AbortSignal;
  onProgress?: (rows: number, step: string) => void;
}

/** What was read of a file: its rows are in the table `incoming`, but those that are not understood. */
export interface Staged {
  rows: number;
  /** With `keepGoing`: rows that are not understood, by line, and the things they are of. */
  rejected: Map<number, Problem>;
  groups: Set<string>;
  /** The first ones, and how many there are. */
  problems: Problem[];
  count: number;
}

function read(kind: Kind, row: RawRow, columns: readonly Column[]): { values: CopyValue[] } | { problem: Problem } {
  const wrong = (column: string, right: string): { problem: Problem } => ({
    problem: {
      line: row.line,
      position: row.positionOf(column),
      column,
      value: row.cells[column] ? shown(row.cells[column]) : null,
      right,
    },
  });
  const values: CopyValue[] = [];
  const byName: Record<string, CopyValue> = {};
  for (const { name, cell, required } of columns) {
    const given = row.cells[name] ?? "";
    const value = given.trim() === "" ? null : cell.read(given);
    if (value === undefined || (required && value === null)) return wrong(name, cell.right);
    values.push(value);
    byName[name] = value;
  }
  const found = kind.rowCheck?.(byName);
  return found ? wrong(found.column, found.right) : { values: [row.line, ...values] };
}

/** Reads a file into the table `incoming`, cell by cell; nothing is compared with the market yet. */
export async function stageRows(tx: SqlTx, kind: Kind, file: RawFile, how: How): Promise<Staged> {
  const columns = kind.columns.filter(({ name }) => file.header.includes(name));
  const types = kind.columns.map(({ name, cell }) => `${name} ${cell.type}`);
  await tx.client.query(`create temp table incoming (line int not null, ${types.join(", ")}) on commit drop`);
  const rejected = new Map<number, Problem>();
  const groups = new Set<string>();
  const problems: Problem[] = [];
  let count = 0;
  let rows = 0;
  async function* understood(): AsyncGenerator<CopyValue[]> {
    for await (const row of file.rows) {
      how.signal.throwIfAborted();
      rows += 1;
      if (rows % 500 === 0) how.onProgress?.(rows, "Reading");
      const result = read(kind, row, columns);
      if ("values" in result) {
        yield result.values;
        continue;
      }
      count += 1;
      if (problems.length < KEPT) problems.push(result.problem);
      if (!how.keepGoing) continue;
      rejected.set(row.line, result.problem);
      groups.add((row.cells[kind.group] ?? "").trim());
    }
  }
  await copyIn(tx, `incoming (line, ${columns.map(({ name }) => name).join(", ")})`, understood());
  await tx.client.query(`create index on incoming (${kind.group}, line); analyze incoming`);
  return { rows, rejected, groups, problems, count };
}
