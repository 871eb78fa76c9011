import type { SqlTx } from "@marketday/db";

import { ImportRefused, type Problem, shown } from "../../lib/file-problem.ts";
import { type Name, nearestFinder } from "../../lib/nearest.ts";
import type { Check, ImportType, Named } from "./kind.ts";
import { findNearNames } from "./near-name-sql.ts";
import type { RawFile } from "./raw-file.ts";
import { type How, KEPT, type Staged } from "./stage-rows.ts";
import { completeRows, disagreements, missingValues } from "./stored-sql.ts";

/** The number of names up to which all are listed. */
const LISTED = 10;
/** The number of different values for which a suggestion is searched. */
const SUGGESTED = 100;

/** A sentence for a value that should be one of some names: "There is no vendor … Did you mean …?". */
async function namedSentences(tx: SqlTx, { noun, all, hint, partOf }: Named): Promise<(value: string) => string> {
  const { rows } = await tx.client.query<Name>(all);
  const nearest = nearestFinder(rows);
  const known = new Map<string, string>();
  return (value) => {
    let help = known.get(value);
    if (help === undefined) {
      const meant = known.size < SUGGESTED ? nearest(partOf?.(value) ?? value) : null;
      const names = rows.map(({ key }) => key).join(", ");
      const few = rows.length === 1 ? `The only ${noun} is ${names}.` : `The ${noun}s are ${names}.`;
      const list = rows.length > 0 && rows.length <= LISTED ? few : `${hint}.`;
      help = meant === null ? list : `Did you mean ${meant}?`;
      known.set(value, help);
    }
    return `there is no ${noun} "${shown(value)}". ${help}`;
  };
}

interface InvalidRow {
  line: number;
  column: string;
  value: string | null;
  right: string;
  sentence?: string;
}

/** The problems that checks find. */
export async function findProblems(tx: SqlTx, checks: readonly Check[], file: RawFile): Promise<Problem[]> {
  const problems: Problem[] = [];
  const inSheet = file.inSheet ?? false;
  for (const { sql, named } of checks) {
    const { rows } = await tx.client.query<InvalidRow>(sql);
    const sentenceOf = named && rows.length > 0 ? await namedSentences(tx, named) : null;
    for (const { line, column, value, right, sentence } of rows)
      problems.push({
        line,
        position: inSheet ? file.header.indexOf(column) + 1 || null : null,
        ...(inSheet && { inSheet }),
        column,
        value: value === null ? null : shown(value),
        right: inSheet ? right : right.replaceAll(/\brow (?=\d)/g, "line "),
        ...(sentence !== undefined && { sentence }),
        ...(sentenceOf && value !== null && { sentence: sentenceOf(value) }),
      });
  }
  return problems;
}

/** Takes the groups of rejected rows out of `incoming`. @returns the problems of their other rows */
async function dropRejected(
  tx: SqlTx,
  kind: ImportType,
  file: RawFile,
  lines: ReadonlySet<number>,
): Promise<Problem[]> {
  const { rows } = await tx.client.query<{ line: number; first: number | null }>(
    `with bad as (select ${kind.group} as name, min(line) as first from incoming where line = any($1::int[]) and ${kind.group} is not null group by 1)
     delete from incoming s where s.line = any($1::int[]) or s.${kind.group} in (select name from bad)
     returning s.line, (select first from bad where name = s.${kind.group}) as first`,
    [[...lines]],
  );
  const inSheet = file.inSheet ?? false;
  return rows
    .filter(({ line }) => !lines.has(line))
    .map(({ line, first }) => ({
      line,
      position: null,
      ...(inSheet && { inSheet }),
      column: null,
      value: null,
      right: `left out with ${inSheet ? "row" : "line"} ${first}, which is of the same ${kind.noun.replace(/s$/, "")}`,
    }));
}

/** The number of empty cells of a column from which they are one problem. */
const MERGED_LEAST = 3;
/** The number of row ranges that are listed. */
const RANGES = 10;

/** "3 to 20, 22 and 24 to 30" */
function rowRanges(rows: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const row of rows) {
    const last = ranges.at(-1);
    if (last?.[1] === row - 1) last[1] = row;
    else ranges.push([row, row]);
  }
  const texts = ranges.map(([from, to]) => (from === to ? `${from}` : `${from} to ${to}`));
  if (texts.length > RANGES) return `${texts.slice(0, RANGES).join(", ")} and more`;
  return [texts.slice(0, -1).join(", "), texts.at(-1)].filter(Boolean).join(" and ");
}

/**
 * Makes the empty cells of a column one problem that lists their rows: a merged cell of a spreadsheet has its value in its first
 * row only.
 */
function joinEmptyCells(problems: readonly Problem[]): Problem[] {
  const empty = Map.groupBy(
    problems.filter(
      ({ value, column, sentence, inSheet }) => inSheet && value === null && column !== null && !sentence,
    ),
    ({ column, right }) => `${column} ${right}`,
  );
  const joined = new Map<Problem, Problem | null>();
  for (const group of empty.values()) {
    if (group.length < MERGED_LEAST) continue;
    const [first] = group;
    const rows = rowRanges(group.map(({ line }) => line));
    const sentence = `this is empty in the rows ${rows}. It should be ${first!.right}. If cells are merged, unmerge them and fill the value into each row.`;
    for (const problem of group) joined.set(problem, problem === first ? { ...problem, sentence } : null);
  }
  return problems.flatMap((problem) => {
    const instead = joined.get(problem);
    return instead === null ? [] : [instead ?? problem];
  });
}

async function prepare(tx: SqlTx, kind: ImportType): Promise<void> {
  for (const statement of kind.prepare ?? []) await tx.client.query(statement);
}

const byPlace = (a: Problem, b: Problem): number =>
  a.line - b.line || (a.position ?? Infinity) - (b.position ?? Infinity) || 0;

/** The problems of the rows as they are in the file, and then of the rows completed by what the market has. */
async function checkAll(tx: SqlTx, kind: ImportType, file: RawFile, how: How): Promise<Problem[]> {
  const asChecks = (queries: readonly string[]): Check[] => queries.map((sql) => ({ sql }));
  const agreement = await findProblems(tx, asChecks(disagreements(kind, file.header)), file);
  await completeRows(tx, kind, file.header);
  const checks = kind.checks.filter(({ unlessCount }) => !(unlessCount && how.isCount));
  const near = how.acceptNames ? [] : await findNearNames(tx, kind, file);
  return [...agreement, ...near, ...(await findProblems(tx, [...asChecks(missingValues(kind)), ...checks], file))];
}

/**
 * Checks the staged rows against the market and each other. Afterwards `incoming` has the rows to write, completed by what the market
 * has.
 * @returns with `keepGoing`: the problems of the rejected rows, by their place
 * @throws ImportRefused when there are problems and `keepGoing` is not set
 */
export async function checkRows(
  tx: SqlTx,
  kind: ImportType,
  file: RawFile,
  staged: Staged,
  how: How,
): Promise<Problem[]> {
  await prepare(tx, kind);
  const seen = new Set(staged.problems.map(({ line, column }) => `${line} ${column}`));
  const found = (await checkAll(tx, kind, file, how)).filter(({ line, column }) => !seen.has(`${line} ${column}`));
  const problems = [...staged.problems, ...found].toSorted(byPlace);
  if (problems.length === 0) return [];
  if (!how.keepGoing) {
    const joined = joinEmptyCells(problems);
    throw new ImportRefused(joined.slice(0, KEPT), staged.count + found.length - (problems.length - joined.length));
  }
  const leftOut = await dropRejected(tx, kind, file, new Set(problems.map(({ line }) => line)));
  // Tables of the kind are built from the remaining rows.
  for (const statement of kind.prepare ?? []) {
    const table = /^create temp table (\w+)/.exec(statement)?.[1];
    if (table) await tx.client.query(`drop table ${table}`);
  }
  await prepare(tx, kind);
  return [...problems, ...leftOut].toSorted(byPlace);
}
