import type { CopyValue, SqlTx } from "@marketday/db";

import type { Cell } from "./cell.ts";

/** One column of a file: what operators call it, and what it takes. */
export interface Column {
  name: string;
  cell: Cell;
  /** Must stand in the header and, unless a row goes on with the thing of the row before, in each row. */
  required?: boolean;
  /** What it is, where its name does not say it. */
  about?: string;
}

/** A row as it was read: `values` by column name; those the file does not have are missing. */
type Row = Readonly<Record<string, CopyValue>>;

/** How many things are new, and how many others changed. */
export interface Count {
  created: number;
  changed: number;
}
export type Counts = Record<string, Count>;

export interface Writing {
  now: Date;
  /** Whether the file has the column: what it does not have stays as it is. */
  has: (column: string) => boolean;
  /** Why stock moves, in its history (failures.md V1). */
  stockReason: string;
}

/** Things that a file may name: vendors by their slugs. */
export interface Named {
  /** "vendor" */
  noun: string;
  /** A query for all of them: `key` as files name it, `name` as people do. */
  all: string;
  /** The part of a value that names one; the whole value when left out. */
  partOf?: (value: string) => string;
  /** How to see them all, or what to do first. */
  hint: string;
}

/** A query for rows that are wrong: line, column, value, and what would be right. */
export interface Check {
  sql: string;
  /** The value should name one of these: what was probably meant is said. */
  named?: Named;
}

/**
 * A kind of file: its columns, what must hold between its rows and the market, and how it is written. All statements are
 * over the table `incoming`, which has `line`, the columns of the file as they were read, and `bad`: the names of the
 * columns whose values cannot be read, which are null. They are trusted text.
 */
export interface ImportType {
  /** "products" */
  noun: string;
  columns: readonly Column[];
  /** The column whose value says which rows are of one thing: they are taken or rejected together. */
  group: string;
  /** What is wrong within a row. A value that cannot be read is NaN. */
  rowCheck?: (row: Row) => readonly { column: string; right: string }[];
  /** Statements before the checks: tables of their own. */
  prepare?: readonly string[];
  checks: readonly Check[];
  write: (tx: SqlTx, writing: Writing) => Promise<Counts>;
  /** All of the market as rows of text, in the order in which they are written again. */
  exported: string;
}

/** A check that a name stands for something that is there; `found` looks for it. */
export const mustBeThere = (column: string, found: string, named: Named): Check => ({
  sql: `select line, '${column}' as column, ${column} as value, 'a ${named.noun} of this market' as "right" from incoming s where ${column} is not null and not exists (${found})`,
  named,
});

/** A check that each name of a list stands for something that is there. */
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

/** A check that no two rows are of the same thing. Rows whose names cannot be read are not compared. */
export const onlyOnce = (columns: readonly string[], shown: string = columns[0]!): Check => ({
  sql: `select line, '${shown}' as column, ${shown}::text as value, format('something else: row %s has the same ${columns.join(", ")}', first) as "right"
   from (select s.*, first_value(line) over (partition by ${columns.join(", ")} order by line) as first from incoming s
     where not s.bad && array[${columns.map((column) => `'${column}'`).join(", ")}]) as s where line <> first`,
});

/** What is wrong with `ends_at` of a row: it must come after `starts_at`. */
export const notBefore = (
  start: CopyValue | undefined,
  end: CopyValue | undefined,
): { column: string; right: string }[] =>
  typeof start === "string" && typeof end === "string" && Date.parse(end) <= Date.parse(start)
    ? [{ column: "ends_at", right: "later than starts_at" }]
    : [];

/** Pictures by the names operators know them by: the file's own, or the 16 digits of their id. */
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
  all: "select name as key, null as name from picture_name",
  hint: "`market images import` brings pictures in",
};
/** A check that a column names a picture; the kind prepares `pictureNames`. */
export const pictureThere = (column: string): Check =>
  mustBeThere(column, `select 1 from picture_name p where p.name = s.${column}`, picture);
/** A check that a list names pictures. */
export const picturesThere = (column: string): Check =>
  eachMustBeThere(column, "select 1 from picture_name p where p.name = one", picture);
/** The name a picture has in a file. */
export const pictureName = (alias: string): string => `coalesce(substr(${alias}.file, 18), ${alias}.id)`;
export const pictureOf = (value: string): string => `(select id from picture_name where name = ${value})`;

/** One column of a table and what it is filled with, from the row `s`. */
export interface Field {
  /** The file's column; the field is left alone when the file does not have it. Null: always written. */
  from: string | null;
  to: string;
  value: string;
}

/** A column of the file that is a field of the table: as it is, or where the cell is empty something else. */
export const field = (from: string, to: string = from, orElse?: string): Field => ({
  from,
  to,
  value: orElse === undefined ? `s.${from}` : `coalesce(s.${from}, ${orElse})`,
});

/** Writes the rows of `source` into a table, by a key, and counts what is new and what is different. */
export async function upsert(
  tx: SqlTx,
  has: (column: string) => boolean,
  how: { into: string; source: string; key: readonly string[]; fields: readonly Field[]; onlyNew?: readonly Field[] },
): Promise<Count> {
  const { into, source, key, onlyNew = [] } = how;
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
      returning t.xmax = 0 as is_new)
    select count(*) filter (where is_new)::int as created, count(*) filter (where not is_new)::int as changed from written`);
  return rows[0]!;
}
