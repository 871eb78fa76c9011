import { cp } from "node:fs/promises";
import { join } from "node:path";

import pg from "pg";

import { migrate } from "../src/migrate.ts";
import { migrationsDir, oldMigrationsDir, readMigrations } from "../src/migration-files.ts";
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
