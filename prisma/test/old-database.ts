import { cp } from "node:fs/promises";
import { join } from "node:path";

import pg from "pg";

import { migrate } from "../src/migrate.ts";
import { oldMigrationsDir, readMigrations } from "../src/migration-files.ts";
import { atEnd, createTestDatabase, createTestFolder } from "./database.ts";

/**
 * An empty database as the version before an old migration left it, or as the last one did. `upgrade` brings it up to date as a
 * server's start does. It is dropped at the end of the test or file.
 */
export async function createOldDatabase(before?: string) {
  const dir = createTestFolder("old");
  const database = await createTestDatabase({ empty: true });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  atEnd(() => client.end());
  const names = (await readMigrations(oldMigrationsDir)).map(({ name }) => name);
  const count = before === undefined ? names.length : names.findIndex((name) => name.endsWith(`_${before}`));
  for (const name of names.slice(0, count))
    await cp(join(oldMigrationsDir, name), join(dir, name), { recursive: true });
  await migrate({ url: database.url, dir });
  return { client, url: database.url, upgrade: () => migrate({ url: database.url }) };
}
