import { copyIn, type CopyValue, readInBatches, type SqlTx } from "@marketday/db";
import { cleanCode } from "@marketday/domain/text";

import type { Accepted } from "../../lib/amount-changes.ts";
import { type Problem, shown } from "../../lib/file-problem.ts";
import { repairMojibake } from "../../lib/mojibake.ts";
import { isNone, unescapeNone } from "../../lib/none.ts";
import { type Cell, instant, readLocalTime } from "./cell.ts";
import { cleanRow } from "./clean-row.ts";
import type { Column, ImportType } from "./kind.ts";
import type { RawFile, RawRow } from "./raw-file.ts";
import { findZones, type Zones } from "./zone-sql.ts";

/** The maximum number of reported problems. */
export const KEPT = 1_000;

/** Options of an import. */
export interface How {
  dryRun: boolean;
  /** Import the valid rows, and return the problems of the others. */
  keepGoing: boolean;
  /** Amounts that change much. */
  accepted: Accepted;
  /** Take names, units and codes that look like a mistake. */
  acceptNames?: boolean;
  /** The numbers of the stock are a count of what is there now. */
  isCount?: boolean;
  /** Some values that a person has typed, and waits for: another import is awaited for a moment. */
  isEdit?: boolean;
  signal: AbortSignal;
  /** Runs once the rows are checked and locked, before anything is written: what it throws refuses the import. */
  guard?: (tx: SqlTx) => Promise<void>;
  /** Runs once all is written. @returns the action of the staff that the audit entry names; undefined: there is none */
  onWritten?: (tx: SqlTx) => Promise<number | undefined>;
  onProgress?: (rows: number, step: string) => void;
}

/** The result of staging; the rows are in the table `incoming`. */
export interface Staged {
  rows: number;
  /** All problems with `keepGoing`, else the first ones. */
  problems: Problem[];
  count: number;
}

/** Text that is probably a mistake or was broken by another program, unless the market has exactly this text. */
interface Suspect {
  problem: Problem;
  subject: string;
  column: string;
  text: string;
}

interface ReadRow {
  values: CopyValue[];
  problems: Problem[];
}

const NO_ZONE =
  "is a local time, but this row names no hub whose time zone applies. Name a hub in the column hub, or write the time in UTC, such as 2026-11-26T17:00:00Z.";
const mojibakeText = (value: string, repaired: string): string =>
  `"${value}" was probably "${shown(repaired)}" before another program broke its letters. Export the file again, open the new one, and save it as "CSV UTF-8".`;

/** How a name that looks like a mistake is taken all the same. */
export const IF_MEANT = "If it is meant so, --accept-names takes it.";
const endSentence = (sentence: string): string => `${sentence}${/[.?!]$/.test(sentence) ? "" : "."}`;

function rightFor(cell: Cell, given: string): string {
  const meant = cell.suggest?.(given) ?? null;
  return meant === null ? cell.right : `${cell.right}. Did you mean ${meant}?`;
}

/** Why a column cannot be emptied by the word `none`; null: it can. */
function neverEmptyText({ cell, required, needed, neverEmpty }: Column): string | null {
  if (neverEmpty !== undefined) return neverEmpty;
  if (needed !== undefined) return `Write ${needed}`;
  return required || cell.type === "boolean" ? `Write ${cell.right}` : null;
}

function readRow(
  kind: ImportType,
  row: RawRow,
  columns: readonly Column[],
  { zones, inSheet, acceptNames }: { zones: Zones; inSheet: boolean; acceptNames: boolean },
): ReadRow {
  const problems: Problem[] = [...(row.problems ?? [])];
  const suspects: Suspect[] = [];
  const broken = new Set(problems.map(({ column }) => column));
  const problemOf = (column: string, right: string, sentence?: string): Problem => ({
    line: row.line,
    position: row.positionOf(column),
    ...(inSheet && { inSheet }),
    column,
    value: row.cells[column]?.trim() ? shown(row.cells[column].trim()) : null,
    right,
    ...(sentence !== undefined && { sentence }),
  });
  const hubCell = (row.cells["hub"] ?? "").trim();
  const hub = isNone(hubCell) ? "" : hubCell;
  const zone = hub === "" ? zones.only : (zones.byHub.get(hub) ?? null);
  const values: CopyValue[] = [];
  const bad: string[] = [];
  const cleared: string[] = [];
  for (const column of columns) {
    const { name, cell, required, unless = "" } = column;
    const cellText = (row.cells[name] ?? "").trim();
    const given = cell.isText ? unescapeNone(cellText) : cleanCode(cellText);
    const isUnread = broken.has(name) || (row.isMisplaced && name !== kind.group);
    const isCleared = !isUnread && isNone(cellText);
    const neverEmpty = isCleared ? neverEmptyText(column) : null;
    let value = given === "" || isUnread || isCleared ? null : cell.read(given, zone);
    // Of the separators of a list alone.
    if (Array.isArray(value) && value.length === 0) value = null;
    if (row.isMisplaced) value ??= null;
    else if (neverEmpty !== null) {
      problems.push(
        problemOf(name, cell.right, `"${cellText}" empties a value, and ${name} cannot be empty. ${neverEmpty}`),
      );
      value = undefined;
    } else if (isCleared) cleared.push(name);
    else if (value === undefined && cell === instant && zone === null && readLocalTime(given)) {
      // An unknown hub is a separate problem.
      if (hub === "") problems.push(problemOf(name, cell.right, `"${shown(given)}" ${NO_ZONE}`));
    } else if (value === undefined) {
      const doubt = cell.doubt?.(given);
      problems.push(
        problemOf(name, rightFor(cell, given), doubt ? `${endSentence(doubt)} It should be ${cell.right}` : undefined),
      );
    } else if (value === null && required && !isUnread && !row.cells[unless]?.trim())
      problems.push(problemOf(name, cell.right));
    else if (cell.isText && value !== null) {
      const repaired = repairMojibake(given);
      const suspect = (sentence: string): void => {
        const problem = problemOf(name, cell.right, sentence);
        suspects.push({ problem, subject: (row.cells[kind.group] ?? "").trim(), column: name, text: given });
      };
      const doubt = cell.isName && acceptNames ? null : (cell.doubt?.(given) ?? null);
      if (doubt !== null) suspect(cell.isName ? `${endSentence(doubt)} ${IF_MEANT}` : doubt);
      else if (repaired !== null) suspect(mojibakeText(shown(given), repaired));
    }
    if (value === undefined || isUnread) {
      bad.push(name);
      value = null;
    }
    values.push(value);
  }
  // Postgres takes no half of a surrogate pair, which a shortened text may end with.
  const doubts =
    suspects.length === 0
      ? null
      : JSON.stringify(suspects, (_key, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value));
  return { values: [row.line, bad, cleared, doubts, ...values], problems };
}

/**
 * The problems of suspicious texts that the market does not have; its own texts may be exported and imported again. They are compared
 * in the database: every cell of a large file may be suspicious.
 */
async function* findBroken(tx: SqlTx, kind: ImportType): AsyncGenerator<Problem[]> {
  const { rowCount } = await tx.client.query(`
    create temp table suspect on commit drop as
    select i.line, t.place, t.one->>'subject' as subject, t.one->>'column' as "column", t.one->>'text' as text, t.one->'problem' as problem
    from incoming i cross join lateral jsonb_array_elements(i.doubts::jsonb) with ordinality as t (one, place) where i.doubts is not null`);
  if (!rowCount) return;
  await tx.client.query(`
    create temp table stored_text on commit drop as
    select coalesce(e.${kind.group}, '') as subject, f.key as "column", f.value as text
    from (${kind.exported}) e cross join lateral jsonb_each_text(to_jsonb(e)) as f
    where coalesce(e.${kind.group}, '') in (select subject from suspect) and f.value is not null`);
  const unknown = `select s.problem from suspect s where not exists (
      select 1 from stored_text t where t.subject = s.subject and t."column" = s."column" and t.text = s.text) order by s.line, s.place`;
  for await (const rows of readInBatches<{ problem: Problem }>(tx, unknown)) yield rows.map(({ problem }) => problem);
}

/**
 * Parses a file into the table `incoming`, cell by cell, with all problems of all rows; nothing is compared with the market
 * yet. An invalid value is null there, and its column is listed in `bad`.
 */
export async function stageRows(tx: SqlTx, kind: ImportType, file: RawFile, how: How): Promise<Staged> {
  const columns = kind.columns.filter(({ name }) => file.header.includes(name));
  const types = kind.columns.map(({ name, cell }) => `${name} ${cell.type}`);
  await tx.client.query(
    `create temp table incoming (line int not null, bad text[] not null, cleared text[] not null, doubts text, ${types.join(", ")}) on commit drop`,
  );
  const verbatim = new Set(columns.filter(({ cell }) => cell.isVerbatim).map(({ name }) => name));
  const zones = columns.some(({ cell }) => cell === instant)
    ? await findZones(tx)
    : { byHub: new Map<string, string>(), only: null };
  const problems: Problem[] = [];
  const reading = { zones, inSheet: file.inSheet ?? false, acceptNames: how.acceptNames ?? false };
  let count = 0;
  let rows = 0;
  const add = (found: readonly Problem[]): void => {
    count += found.length;
    for (const problem of found) if (how.keepGoing || problems.length < KEPT) problems.push(problem);
  };
  async function* understood(): AsyncGenerator<CopyValue[]> {
    for await (const row of file.rows) {
      how.signal.throwIfAborted();
      rows += 1;
      if (rows % 500 === 0) how.onProgress?.(rows, "Reading");
      const result = readRow(kind, cleanRow(row, verbatim), columns, reading);
      add(result.problems);
      yield result.values;
    }
  }
  await copyIn(
    tx,
    `incoming (line, bad, cleared, doubts, ${columns.map(({ name }) => name).join(", ")})`,
    understood(),
  );
  for await (const found of findBroken(tx, kind)) add(found);
  await tx.client.query(`create index on incoming (${kind.group}, line); analyze incoming`);
  return { rows, problems, count };
}
