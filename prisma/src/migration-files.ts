import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { packageDir, type SchemaFiles } from "./schema-files.ts";

export const migrationsDir = join(packageDir, "migrations");

/** The datamodel a migration leads to, kept in its folder. Not named .prisma: Prisma would read it as a second schema. */
export const snapshotName = "datamodel.json";

/** One folder of `prisma/migrations`. `checksum` is sha-256 in hex, as Prisma stores it in `_prisma_migrations`. */
export type Migration = { name: string; script: string; checksum: string };

/** All migrations in the order they are applied. */
export async function readMigrations(dir: string = migrationsDir): Promise<Migration[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const script = await readFile(join(dir, name, "migration.sql"), "utf8");
      return { name, script, checksum: createHash("sha256").update(script).digest("hex") };
    }),
  );
}

/** The datamodel that a migration's folder keeps. */
export async function readSnapshot(name: string, dir: string = migrationsDir): Promise<SchemaFiles> {
  return JSON.parse(await readFile(join(dir, name, snapshotName), "utf8")) as SchemaFiles;
}
