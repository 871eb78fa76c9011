import pg from "pg";
import { expect, test } from "vitest";

import { readMigrations, readSnapshot } from "../src/migration-files.ts";
import { diffSchemas } from "../src/schema-engine.ts";
import { readSchema } from "../src/schema-files.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

/** Everything a datamodel decides, one line each, sorted. */
const catalogue = `
select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attnotnull then ' not null' else '' end
    || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') as line
  from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and c.relname <> '_prisma_migrations'
union all
select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
  from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'f', 'u') and conrelid::regclass::text <> '_prisma_migrations'
union all
select 'index ' || indexdef from pg_indexes where schemaname = 'public' and tablename <> '_prisma_migrations'
union all
select 'enum ' || t.typname || ' ' || string_agg(e.enumlabel, ',' order by e.enumsortorder)
  from pg_enum e join pg_type t on t.oid = e.enumtypid where t.typnamespace = 'public'::regnamespace group by t.typname
order by line`;

async function linesOf({ url }: TestDatabase, script?: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if (script) await client.query(script);
    return (await client.query<{ line: string }>(catalogue)).rows.map((row) => row.line);
  } finally {
    await client.end();
  }
}

test("the last migration leads to the present datamodel", async () => {
  const last = (await readMigrations()).at(-1);
  expect(last).toBeDefined();
  expect(await readSnapshot(last?.name ?? "")).toStrictEqual(await readSchema());
});

test("the migrated database is what the datamodel says, and by hand only indexes were added", async () => {
  const [migrated, plain] = await Promise.all([createTestDatabase(), createTestDatabase({ empty: true })]);
  try {
    const found = await linesOf(migrated);
    const wanted = await linesOf(plain, await diffSchemas(undefined, await readSchema()));
    expect(wanted.length).toBeGreaterThan(100);
    expect(wanted.filter((line) => !found.includes(line))).toStrictEqual([]);
    expect(found.filter((line) => !wanted.includes(line) && !line.startsWith("index CREATE "))).toStrictEqual([]);
  } finally {
    await Promise.all([migrated.drop(), plain.drop()]);
  }
});
