import { readInBatches, type SqlTx } from "@marketday/db";
import { foldName } from "@marketday/domain/names";

import { type Problem, shown } from "../../lib/file-problem.ts";
import type { ImportType, Names } from "./kind.ts";
import type { RawFile } from "./raw-file.ts";
import { IF_MEANT } from "./stage-rows.ts";

/** A name of the market (`line` is null) or of the file. */
interface NameRow {
  line: number | null;
  /** Names are compared within it. */
  scope: string;
  /** What has the name; two names of one thing are a renaming. */
  key: string;
  name: string;
}

/** Of each spelling the first row, and the first one of another thing: the first row that any row is compared with is among them. */
function firstOfEach(group: readonly NameRow[]): NameRow[] {
  const kept = new Map<string, { first: NameRow; isPair: boolean }>();
  return group.filter((row) => {
    const same = kept.get(row.name);
    if (!same) kept.set(row.name, { first: row, isPair: false });
    else if (same.isPair || same.first.key === row.key) return false;
    else same.isPair = true;
    return true;
  });
}

/** The problems of the new names of one scope: those that only look different from another thing's name. */
function problemsOf(rows: readonly NameRow[], { isEqualFine = false }: Names): { row: NameRow; other: NameRow }[] {
  const unchanged = new Set(rows.flatMap(({ line, key, name }) => (line === null ? [`${key}\0${name}`] : [])));
  const isNew = ({ line, key, name }: NameRow): boolean => line !== null && !unchanged.has(`${key}\0${name}`);
  const groups = Map.groupBy(rows, ({ name }) => foldName(name));
  return [...groups.values()].flatMap((group) => {
    const others = firstOfEach(group);
    return group.filter(isNew).flatMap((row) => {
      const other = others.find(
        ({ line, key, name }) =>
          key !== row.key && !(isEqualFine && name === row.name) && (line === null || line < row.line!),
      );
      return other ? [{ row, other }] : [];
    });
  });
}

async function* scopesOf(tx: SqlTx, { market, incoming }: Names): AsyncGenerator<NameRow[]> {
  await tx.client.query(`create temp table name_row on commit drop as
    with given as (${incoming}), stored as (${market})
    select distinct on (g.scope, g.key, g.name) g.line, g.scope, g.key, g.name from given g
    where g.scope in (select n.scope from given n where not exists (
      select 1 from stored s where s.scope = n.scope and s.key = n.key and s.name = n.name))
    order by g.scope, g.key, g.name, g.line`);
  const all = `select null::int as line, s.scope, s.key, s.name from (${market}) s where s.scope in (select scope from name_row)
    union all select line, scope, key, name from name_row order by scope, line nulls first`;
  let rows: NameRow[] = [];
  for await (const batch of readInBatches<NameRow>(tx, all))
    for (const row of batch) {
      if (rows.length > 0 && rows[0]!.scope !== row.scope) {
        yield rows;
        rows = [];
      }
      rows.push(row);
    }
  if (rows.length > 0) yield rows;
  await tx.client.query("drop table name_row");
}

/**
 * The new names of a file that differ from a name of the market, or of another row, only by capitals, spaces, accents, dashes or
 * invisible characters: each would be a second thing with the same name.
 */
export async function findNearNames(tx: SqlTx, kind: ImportType, file: RawFile): Promise<Problem[]> {
  const problems: Problem[] = [];
  const inSheet = file.inSheet ?? false;
  for (const names of kind.names ?? []) {
    if (!file.header.includes(names.column)) continue;
    for await (const rows of scopesOf(tx, names))
      for (const { row, other } of problemsOf(rows, names)) {
        const place = other.line === null ? "" : `${inSheet ? "row" : "line"} ${other.line} has `;
        const named = other.key === other.name ? `"${shown(other.name)}"` : `"${shown(other.name)}" (${other.key})`;
        const meant = names.rename === undefined ? other.key : other.name;
        const there = place === "" ? `there is ${names.noun} ${named} already` : `${place}${named}`;
        problems.push({
          line: row.line!,
          position: inSheet ? file.header.indexOf(names.column) + 1 || null : null,
          ...(inSheet && { inSheet }),
          column: names.column,
          value: shown(row.name),
          right: `another name than ${named}`,
          sentence: `"${shown(row.name)}" is ${row.name === other.name ? "the same name" : "nearly the same name"}: ${there}. Did you mean ${meant}? ${names.rename ?? ""}${IF_MEANT}`,
        });
      }
  }
  return problems;
}
