import { type Conn, execute, join, query, raw, sql } from "@marketday/db";
import { z } from "zod";

/** The columns that hold HTML. */
export const DESCRIPTIONS = [
  { table: "vendor", columns: ["description"] },
  { table: "product", columns: ["description", "new_description"] },
  { table: "bundle", columns: ["description"] },
  { table: "collection", columns: ["description"] },
] as const;
export type Described = (typeof DESCRIPTIONS)[number];

const TextsRow = z.object({ id: z.number(), texts: z.array(z.string().nullable()) });
export type TextsRow = z.infer<typeof TextsRow>;

/** The next rows after an id, with their HTML in the order of the columns. */
export async function findTexts(
  conn: Conn,
  { table, columns }: Described,
  after: number,
  rows: number,
): Promise<TextsRow[]> {
  const texts = join(columns.map((column) => raw(`"${column}"`)));
  return query(
    conn,
    sql`select id, array[${texts}] as texts from ${raw(`"${table}"`)} where id > ${after}::int order by id limit ${rows}::int`,
    TextsRow,
  );
}

/** Replaces texts that have not changed since they were read. */
export async function replaceTexts(
  conn: Conn,
  table: Described["table"],
  column: string,
  changes: readonly { id: number; before: string; after: string }[],
): Promise<void> {
  const name = raw(`"${column}"`);
  await execute(
    conn,
    sql`update ${raw(`"${table}"`)} t set ${name} = c.after
        from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (id int, before text, after text)
        where t.id = c.id and t.${name} = c.before`,
  );
}
