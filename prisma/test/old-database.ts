import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pg from "pg";
import { onTestFinished } from "vitest";

import { migrate } from "../src/migrate.ts";
import { oldMigrationsDir, readMigrations } from "../src/migration-files.ts";
import { createTestDatabase } from "./database.ts";

/**
 * An empty database as the version before an old migration left it, or as the last one did. `upgrade` brings it up to date as a
 * server's start does. It is dropped when the test ends.
 */
export async function createOldDatabase(before?: string) {
  const dir = await mkdtemp(join(tmpdir(), "marketday-old-"));
  const database = await createTestDatabase({ empty: true });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
    await rm(dir, { recursive: true, force: true });
  });
  const names = (await readMigrations(oldMigrationsDir)).map(({ name }) => name);
  const count = before === undefined ? names.length : names.findIndex((name) => name.endsWith(`_${before}`));
  for (const name of names.slice(0, count))
    await cp(join(oldMigrationsDir, name), join(dir, name), { recursive: true });
  await migrate({ url: database.url, dir });
  return { client, url: database.url, upgrade: () => migrate({ url: database.url }) };
}
