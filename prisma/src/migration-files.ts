import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The `prisma/` folder of the repository. */
export const packageDir = dirname(dirname(fileURLToPath(import.meta.url)));

export const migrationsDir = join(packageDir, "migrations");

/** The migration that creates the tables of a new database. */
export const BASELINE = "20261123083000_baseline";

/** The migrations that the baseline replaced. Only databases that are older than it run them. */
export const oldMigrationsDir = join(packageDir, "migrations-before-baseline");

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
