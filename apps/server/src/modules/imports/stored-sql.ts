import { readInBatches, type SqlTx } from "@marketday/db";

import { FieldComparison, type FieldChanges } from "../../lib/field-changes.ts";
import { type Cell, money, percentOff } from "./cell.ts";
import type { Column, ImportType } from "./kind.ts";

/** SQL of the typed value of a cell, from SQL of its text in an exported file. */
function valueOf(cell: Cell, text: string): string {
  if (cell === money) return `round(${text}::numeric * 100)::int`;
  if (cell === percentOff) return `round(${text}::numeric * 10000)::int`;
  if (cell.type === "text") return text;
  if (cell.type === "boolean") return `${text} = 'yes'`;
  return cell.type === "text[]" ? `string_to_array(nullif(${text}, ''), '|')` : `${text}::${cell.type}`;
}

const isGiven = ({ name }: Column): string => `(${name} is not null or '${name}' = any(cleared))`;

/** The columns that rows of one subject share, by the key of the subject: products by slug, variants by slug and title. */
const sharedColumns = ({ key, columns }: ImportType, header: readonly string[]): [string[], Column[]][] =>
  key.slice(0, -1).flatMap((name, place) => {
    const shared = columns.filter((column) => column.of === name && header.includes(column.name));
    return shared.length > 0 ? [[key.slice(0, place + 1), shared] satisfies [string[], Column[]]] : [];
  });

/**
 * A query for rows that give a shared column another value than an earlier row of the same subject: line, column, value, and what
 * would be right.
 */
export const disagreements = (kind: ImportType, header: readonly string[]): string[] =>
  sharedColumns(kind, header).flatMap(([key, columns]) =>
    columns.map((column) => {
      const { name } = column;
      const same = key.map((each) => `f.${each} = s.${each}`).join(" and ");
      return `select s.line, '${name}' as column, coalesce(s.${name}::text, 'none') as value,
          format('empty, or the same as in row %s: both are of one ${key.length === 1 ? kind.noun.replace(/s$/, "") : key.at(-1)!}', f.line) as "right"
        from incoming s join (select distinct on (${key.join(", ")}) ${key.join(", ")}, line, ${name} from incoming
            where ${isGiven(column)} order by ${key.join(", ")}, line) f on ${same} and s.line > f.line
        where (s.${name} is not null or '${name}' = any(s.cleared)) and s.${name} is distinct from f.${name}`;
    }),
  );

/** Gives all rows of a subject the value that one of them gives. */
async function spread(tx: SqlTx, key: readonly string[], columns: readonly Column[]): Promise<void> {
  const first = (value: string, column: Column): string =>
    `(array_agg(${value} order by line) filter (where ${isGiven(column)}))[1]`;
  const values = columns.map((column) => {
    const { name, cell } = column;
    // A list as text: `array_agg` takes no lists of different lengths.
    return `${cell.type === "text[]" ? `${first(`${name}::text`, column)}::text[]` : first(name, column)} as ${name}`;
  });
  const cleared = columns.map(
    (column) => `case when ${first(`${column.name} is null`, column)} then '${column.name}' end`,
  );
  await tx.client.query(`
    update incoming s set ${columns.map(({ name }) => `${name} = f.${name}`).join(", ")}, cleared = s.cleared || f.cleared
    from (select ${key.join(", ")}, ${values.join(", ")}, array_remove(array[${cleared.join(", ")}], null) as cleared
          from incoming group by ${key.join(", ")} having count(*) > 1) f
    where ${key.map((each) => `s.${each} = f.${each}`).join(" and ")}`);
}

/**
 * Completes `incoming` by what the market has: an empty cell, or a column that is not in the file, is the stored value. What is new
 * stays empty. The stored values remain in `stored_before`.
 */
export async function completeRows(tx: SqlTx, kind: ImportType, header: readonly string[]): Promise<void> {
  for (const [key, columns] of sharedColumns(kind, header)) await spread(tx, key, columns);
  await tx.client.query(`create temp table stored_before on commit drop as ${kind.stored}`);
  await tx.client.query("create unique index on stored_before (line)");
  await tx.client.query("analyze stored_before");
  const kept = kind.columns.filter(
    ({ name, isVolatile, isFromExport }) => !kind.key.includes(name) && !isVolatile && !isFromExport,
  );
  const sets = kept.map(
    ({ name, cell }) =>
      `${name} = coalesce(s.${name}, case when not '${name}' = any(s.cleared || s.bad) then ${valueOf(cell, `b.${name}`)} end)`,
  );
  await tx.client.query(`update incoming s set ${sets.join(", ")} from stored_before b where b.line = s.line`);
  await tx.client.query("analyze incoming");
}

/**
 * Queries for new subjects without a value they need: line, column, value, and what would be right. Reported with the subject's first
 * row.
 */
export const missingValues = ({ key, columns }: ImportType): string[] =>
  columns.flatMap(({ name, needed, of }) => {
    if (needed === undefined) return [];
    const subject = of === undefined ? key : key.slice(0, key.indexOf(of) + 1);
    const same = subject.join(", ");
    return `select line, '${name}' as column, null as value, '${needed.replaceAll("'", "''")}' as "right" from (
        select distinct on (${same}) s.* from incoming s where ${subject.map((each) => `${each} is not null`).join(" and ")} order by ${same}, line) s
      where s.${name} is null and not '${name}' = any(s.bad) and not exists (
        select 1 from stored_before b where b.line = s.line${of === undefined ? "" : ` and b.${of} is not null`})`;
  });

interface ChangedRow {
  subject: string;
  field: string;
  before: string | null;
  after: string | null;
}

/** The stored values that the import changed, except amounts and what is new. */
export async function compareStored(tx: SqlTx, kind: ImportType, header: readonly string[]): Promise<FieldChanges> {
  const { key, columns, amounts, stored } = kind;
  const compared = columns.filter(
    ({ name, isFromExport }) =>
      header.includes(name) &&
      !key.includes(name) &&
      !isFromExport &&
      !amounts?.fields.some((field) => field.name === name),
  );
  const comparison = new FieldComparison();
  if (compared.length === 0) return comparison.finish();
  const values = compared.map(({ name, of, isVolatile }, place) => {
    const subject = of === undefined ? key : key.slice(0, key.indexOf(of) + 1);
    const isOld = [
      ...(of === undefined ? [] : [`b.${of} is not null`]),
      ...(isVolatile ? [`s.${name} is not null`] : []),
    ];
    const names = subject.map((each) => `b.${each}`).join(", ");
    return `(${place}, '${name}', concat_ws(', ', ${names}), b.${name}, a.${name}, ${isOld.join(" and ") || "true"})`;
  });
  const list = (alias: string): string => compared.map(({ name }) => `${alias}.${name}`).join(", ");
  const changed = `select v.subject, v.field, v.before, v.after
    from stored_before b join (${stored}) a on a.line = b.line join incoming s on s.line = b.line
    cross join lateral (values ${values.join(", ")}) as v (place, field, subject, before, after, is_old)
    where row(${list("b")}) is distinct from row(${list("a")}) and v.is_old and coalesce(v.before, '') <> coalesce(v.after, '')
    group by 1, 2, 3, 4 order by min(b.line), min(v.place)`;
  for await (const rows of readInBatches<ChangedRow>(tx, changed))
    for (const { subject, field, before, after } of rows) comparison.add(subject, field, before, after);
  return comparison.finish();
}
