import { cp } from "node:fs/promises";
import { join } from "node:path";

import pg from "pg";

import type { Db } from "../src/client.ts";
import { migrate } from "../src/migrate.ts";
import { migrationsDir, oldMigrationsDir, readMigrations } from "../src/migration-files.ts";
import { query } from "../src/query.ts";
import { raw, sql } from "../src/statement.ts";
import { atEnd, createTestDatabase, createTestFolder } from "./database.ts";

/** An empty database with these migrations of a folder. `upgrade` brings it up to date as a server's start does. */
async function createDatabaseWith(from: string, names: readonly string[]) {
  const dir = createTestFolder("old");
  const database = await createTestDatabase({ empty: true });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  atEnd(() => client.end());
  for (const name of names) await cp(join(from, name), join(dir, name), { recursive: true });
  await migrate({ url: database.url, dir });
  return { client, url: database.url, upgrade: () => migrate({ url: database.url }) };
}

/**
 * An empty database as the version before an old migration left it, or as the last one did. It is dropped at the end of the test
 * or file.
 */
export async function createOldDatabase(before?: string) {
  const names = (await readMigrations(oldMigrationsDir)).map(({ name }) => name);
  const count = before === undefined ? names.length : names.findIndex((name) => name.endsWith(`_${before}`));
  return createDatabaseWith(oldMigrationsDir, names.slice(0, count));
}

/** The same as the version before the last migration left it. */
export async function createPreviousDatabase() {
  const names = (await readMigrations()).map(({ name }) => name);
  return createDatabaseWith(migrationsDir, names.slice(0, -1));
}

/** The same as the version before a migration left it. */
export async function createDatabaseBefore(migration: string) {
  const names = (await readMigrations()).map(({ name }) => name);
  const count = names.findIndex((name) => name.endsWith(`_${migration}`));
  return createDatabaseWith(migrationsDir, names.slice(0, count));
}

/**
 * The number of rows of each table and a hash over them, independent of the order of columns, to compare a database before and after.
 * `tables` are left out, and of a table its `columns`.
 */
export async function readSums(
  db: Db,
  {
    tables = [],
    columns = {},
  }: { tables?: readonly string[]; columns?: Readonly<Record<string, string | readonly string[]>> } = {},
): Promise<Record<string, string>> {
  const found = await query<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
        and not table_name = any(${["_prisma_migrations", ...tables]}::text[]) order by 1`,
  );
  const sums: Record<string, string> = {};
  for (const { name } of found) {
    const [row] = await query<{ sum: string }>(
      db,
      sql`select count(*) || ' ' || coalesce(md5(string_agg(row::text, '' order by row::text)), '') as sum
          from ${raw(`"${name}"`)} t, lateral (select to_jsonb(t) - ${[columns[name] ?? []].flat()}::text[] as row) r`,
    );
    sums[name] = row!.sum;
  }
  return sums;
}
