import type { SqlTx } from "@marketday/db";

import type { AmountUnit } from "../../lib/amount-changes.ts";
import type { Cell } from "./cell.ts";

/** A column of a file: its name and its type. */
export interface Column {
  name: string;
  cell: Cell;
  /** Required in the header and in each row. */
  required?: boolean;
  /** The column with the number of the same thing: with it an empty cell is its name. */
  unless?: string;
  /** Required of what is new: what it should be. An empty cell of what exists is the stored value, as in every column. */
  needed?: string;
  /** The last column of the key of the subject that has this value, where it is not the whole key: a product's title is of its slug. */
  of?: string;
  /** Why the word `none` is refused, if it cannot be empty: what to write. Columns with `required` or `needed` and yes or no never are. */
  neverEmpty?: string;
  /** Changes by sales: an empty cell is whatever it is when the row is written. */
  isVolatile?: boolean;
  /** Not a value to set: what an export says about its row, such as the stock at that time. */
  isFromExport?: boolean;
  /** A description, if the name is not enough. */
  about?: string;
}

/** The numbers of new and changed rows. */
export interface Count {
  created: number;
  changed: number;
}
export type Counts = Record<string, Count>;

export interface Writing {
  now: Date;
  /** Whether the file has the column; missing columns stay as they are. */
  has: (column: string) => boolean;
  /** The reason of stock changes (failures.md V1). */
  stockReason: string;
}

/** Things that a file refers to, such as vendors by slug. */
export interface Named {
  /** "vendor" */
  noun: string;
  /** A query for all of them: `key` as in files, `name` as shown to people. */
  all: string;
  /** The part of a value that is the key; default: the whole value. */
  partOf?: (value: string) => string;
  /** How to list them all, or what to do first. */
  hint: string;
}

/** A query for invalid rows: line, column, value, and what would be right, or `sentence`, a message about the value. */
export interface Check {
  sql: string;
  /** Left out where the file is a count of what is there now. */
  unlessCount?: boolean;
  /** The value should be one of these; the message has a suggestion. */
  named?: Named;
}

/**
 * Names that tell things apart: two that differ only by capitals, spaces, accents or dashes are refused. The queries have `scope`
 * (names are compared within it), `key` (what has the name) and `name`.
 */
export interface Names {
  /** "a variant" */
  noun: string;
  column: string;
  /** The market's names in the scopes of the file. */
  market: string;
  /** The names of the rows in `incoming`, also with `line`. */
  incoming: string;
  /** Whether different things may have exactly the same name. */
  isEqualFine?: boolean;
  /** How a thing is renamed, for messages. */
  rename?: string;
}

/** How rows rename things that they identify by a number. All are queries or statements over `incoming`. */
export interface Renames {
  /** Fills the empty names of rows that have a number. */
  complete: string;
  /** Checks before the renaming. */
  checks: readonly Check[];
  /** Creates the table `renamed` with line, subject, id, before and after. */
  find: string;
  /** Locks what `finish` changes; not in a dry run. */
  lock: string;
  /** Renames what `renamed` lists. */
  apply: string;
  /** Takes back the renamings of rejected rows, and removes them from `renamed`. */
  undo: string;
  /** Renames what belongs to the things, once the rows are accepted; not in a dry run. */
  finish: string;
}

/** The amounts of money and the shares of a kind, which are compared before and after an import. */
export interface Amounts {
  fields: readonly {
    name: string;
    unit: AmountUnit;
    /**
     * SQL of what the new amount is compared with, of the rows `b` before and `a` after; `b` is null for a new subject.
     * Default: the amount before.
     */
    reference?: string;
  }[];
  /** A query for the market's amounts of the rows in `incoming`: `line`, `subject` as people read it, and the fields. */
  sql: string;
}

/**
 * A kind of file: its columns, its checks, and how it is written. All statements use the table `incoming`, which has `line`, the
 * parsed columns of the file, `bad`: the names of columns with invalid values, which are null, and `cleared`: those of columns that
 * the file empties by the word `none`. Before the checks the empty cells of what exists get the stored values. They are trusted text.
 */
export interface ImportType {
  /** "products" */
  noun: string;
  columns: readonly Column[];
  /** The column that groups rows of one subject, which are accepted or rejected together. */
  group: string;
  /** The columns that identify a subject, which an import never changes. */
  key: readonly string[];
  /** Statements before the checks, such as temporary tables. */
  prepare?: readonly string[];
  names?: readonly Names[];
  renames?: Renames;
  checks: readonly Check[];
  write: (tx: SqlTx, writing: Writing) => Promise<Counts>;
  /** What people should know about the written rows, in sentences. */
  notes?: (tx: SqlTx) => Promise<string[]>;
  amounts?: Amounts;
  /** In a dry run: replaces the tables whose rows sales lock by temporary copies, so that no sale waits for it. */
  copyLocked?: (tx: SqlTx) => Promise<void>;
  /** All rows of the market as text, in the order of an export. */
  exported: string;
  /** A query for what the market has of the rows in `incoming`: `line`, and each stored column as text. No row of what is new. */
  stored: string;
}

/** A check that a name exists; `found` is the query. */
export const mustBeThere = (column: string, found: string, named: Named): Check => ({
  sql: `select line, '${column}' as column, ${column} as value, 'a ${named.noun} of this market' as "right" from incoming s where ${column} is not null and not exists (${found})`,
  named,
});

/** A check that each name of a list exists. */
export const eachMustBeThere = (column: string, found: string, named: Named): Check => ({
  sql: `select line, '${column}' as column, one as value, 'a ${named.noun} of this market' as "right" from incoming s, unnest(s.${column}) as one where not exists (${found})`,
  named,
});

const bySlug = (table: "vendor" | "hub" | "product"): Named => ({
  noun: table,
  all: `select slug as key, ${table === "product" ? "title" : "name"} as name from ${table} order by id`,
  hint: `\`market ${table}s export\` lists the ${table}s`,
});

/** A check that a column names a thing by its slug: a vendor, a hub, a product. */
export const slugThere = (table: "vendor" | "hub" | "product"): Check =>
  mustBeThere(table, `select 1 from ${table} t where t.slug = s.${table}`, bySlug(table));

/** A check that a list names things by their slugs. */
export const slugsThere = (table: "hub" | "product", column: string): Check =>
  eachMustBeThere(column, `select 1 from ${table} t where t.slug = one`, bySlug(table));

/** The slugs of a table and its names, each of which is of one slug. */
export const namesBySlug = (table: "bundle" | "vendor", column: "name" | "title", isEqualFine = false): Names[] => [
  slugNames(table),
  {
    noun: `a ${table}`,
    column,
    market: `select '' as scope, t.slug as key, t.${column} as name from ${table} t`,
    incoming: `select s.line, '' as scope, s.slug as key, s.${column} as name from incoming s where s.slug is not null and s.${column} is not null`,
    isEqualFine,
  },
];
/** The slugs of a table: "oakfarm" is not a new one beside "oak-farm". */
export const slugNames = (table: "bundle" | "collection" | "product" | "vendor"): Names => {
  const plain = (alias: string) => `replace(${alias}.slug, '-', '')`;
  return {
    noun: `a ${table}`,
    column: "slug",
    market: `select ${plain("t")} as scope, t.slug as key, t.slug as name from ${table} t where ${plain("t")} in (select ${plain("i")} from incoming i)`,
    incoming: `select s.line, ${plain("s")} as scope, s.slug as key, s.slug as name from incoming s where s.slug is not null`,
  };
};

/** A check that no two rows have the same key. Rows with invalid keys are not compared. */
export const onlyOnce = (columns: readonly string[], shown: string = columns[0]!): Check => ({
  sql: `select line, '${shown}' as column, ${shown}::text as value, format('something else: row %s has the same ${columns.join(", ")}', first) as "right"
   from (select s.*, first_value(line) over (partition by ${columns.join(", ")} order by line) as first from incoming s
     where not s.bad && array[${columns.map((column) => `'${column}'`).join(", ")}]) as s where line <> first`,
});

/** A check that `ends_at` is after `starts_at`. */
export const notBefore: Check = {
  sql: `select line, 'ends_at' as column, null as value, '' as "right",
      format('it ends %s, which should be later than its start, %s', ${exportedInstant("ends_at")}, ${exportedInstant("starts_at")}) as sentence
    from incoming where ends_at <= starts_at`,
};

/** The stored rows of a kind that one column identifies, from its exported rows. */
export const storedBy = (key: string, exported: string): string =>
  `select s.line, e.* from incoming s join (${exported}) e on e.${key} = s.${key}`;

/** SQL of an instant in an exported file. */
export function exportedInstant(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** Pictures by name: the uploaded file's, or the 16 digits of the id. */
export const pictureNames: readonly string[] = [
  `create temp table picture_name on commit drop as
   select distinct on (name) name, id from (
     select id as name, id, created_at from picture union all select substr(file, 18), id, created_at from picture where file is not null) as p
   order by name, created_at desc`,
  "create unique index on picture_name (name)",
  "analyze picture_name",
];
const picture: Named = {
  noun: "picture",
  // Without the ids, which stand for pictures that have no file name.
  all: "select name as key, null as name from picture_name where name <> id",
  hint: "`market images import` brings pictures in",
};
/** A check that a column names a picture; the kind prepares `pictureNames`. */
export const pictureThere = (column: string): Check =>
  mustBeThere(column, `select 1 from picture_name p where p.name = s.${column}`, picture);
/** A check that a list names pictures. */
export const picturesThere = (column: string): Check =>
  eachMustBeThere(column, "select 1 from picture_name p where p.name = one", picture);
/** The name of a picture in an exported file. */
export const pictureName = (alias: string): string => `coalesce(substr(${alias}.file, 18), ${alias}.id)`;
export const pictureOf = (value: string): string => `(select id from picture_name where name = ${value})`;

/** A column of a table and its value, from the row `s`. */
export interface Field {
  /** The file's column; the field stays when the file does not have it. Null: always written. */
  from: string | null;
  to: string;
  value: string;
}

/** A column of the file that is a field of the table, with a default for empty cells. */
export const field = (from: string, to: string = from, orElse?: string): Field => ({
  from,
  to,
  value: orElse === undefined ? `s.${from}` : `coalesce(s.${from}, ${orElse})`,
});

/** A column that is written even where the file does not have it, because what is new needs it. */
export const always = (name: string, to: string = name): Field => ({ from: null, to, value: `s.${name}` });

/** Creates the table of the slugs that an import wrote, for kinds with lists: `upsert` fills it, and `noteChanged`. */
export const trackWritten = (tx: SqlTx) =>
  tx.client.query("create temp table written_row (slug text primary key, is_new boolean not null) on commit drop");

/** Runs a statement that writes lists and returns the slugs they belong to. */
export const noteChanged = (tx: SqlTx, statement: string) =>
  tx.client.query(
    `with touched as (${statement}) insert into written_row select distinct slug, false from touched on conflict do nothing`,
  );

/** The rows that were written, with those whose lists alone were. */
export async function countWritten(tx: SqlTx): Promise<Count> {
  const { rows } = await tx.client.query<Count>(
    "select count(*) filter (where is_new)::int as created, count(*) filter (where not is_new)::int as changed from written_row",
  );
  return rows[0]!;
}

/** Upserts the rows of `source` into a table by a key, and counts new and changed ones. With `isTracked` their slugs are noted too. */
export async function upsert(
  tx: SqlTx,
  has: (column: string) => boolean,
  how: {
    into: string;
    source: string;
    key: readonly string[];
    fields: readonly Field[];
    onlyNew?: readonly Field[];
    isTracked?: true;
  },
): Promise<Count> {
  const { into, source, key, onlyNew = [], isTracked } = how;
  const written = how.fields.filter(({ from }) => from === null || has(from));
  const all = [...written, ...onlyNew];
  const changing = written.filter(({ to }) => !key.includes(to));
  const now = changing.map(({ to }) => `t.${to}`).join(", ");
  const next = changing.map(({ to }) => `excluded.${to}`).join(", ");
  const { rows } = await tx.client.query<Count>(`
    with written as (
      insert into ${into} as t (${all.map(({ to }) => to).join(", ")})
      select ${all.map(({ value }) => value).join(", ")} from ${source} s order by s.line
      on conflict (${key.join(", ")}) do ${
        changing.length === 0
          ? "nothing"
          : `update set ${changing.map(({ to }) => `${to} = excluded.${to}`).join(", ")} where (${now}) is distinct from (${next})`
      }
      returning t.xmax = 0 as is_new${isTracked ? ", t.slug" : ""})${isTracked ? ", noted as (insert into written_row select slug, is_new from written)" : ""}
    select count(*) filter (where is_new)::int as created, count(*) filter (where not is_new)::int as changed from written`);
  return rows[0]!;
}
