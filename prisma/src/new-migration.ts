import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { migrationsDir, readMigrations, readSnapshot, snapshotName } from "./migration-files.ts";
import { diffSchemas } from "./schema-engine.ts";
import { packageDir, readSchema, type SchemaFiles } from "./schema-files.ts";

export type NewMigration = {
  /** What it does, in words or snake_case: becomes part of the folder's name. */
  name: string;
  now: Date;
  dir?: string;
  schema?: SchemaFiles;
  /** Hand-written SQL for the first migration; `prisma/constraints.sql` unless given. */
  constraints?: string;
};

const marker = "-- Written by hand: what Prisma's datamodel cannot say.";

/** `20260131_101500` and the words, as a folder's name. */
function folderName(name: string, now: Date): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "");
  if (!words) throw new Error("Give the migration a name: pnpm migration NAME");
  return `${now.toISOString().slice(0, 19).replace(/[-:T]/g, "")}_${words}`;
}

/**
 * Writes the next migration: what leads from the datamodel kept beside the last one to the present one. The first one
 * ends with `prisma/constraints.sql`; in a later one, SQL by hand goes under the line that says so.
 * @returns the folder's name, or undefined when the datamodel did not change
 */
export async function newMigration({
  name,
  now,
  dir = migrationsDir,
  schema,
  constraints,
}: NewMigration): Promise<string | undefined> {
  await mkdir(dir, { recursive: true });
  const to = schema ?? (await readSchema());
  const last = (await readMigrations(dir)).at(-1);
  const from = last ? await readSnapshot(last.name, dir) : undefined;
  const generated = (await diffSchemas(from, to)).trim();
  if (last && (generated === "" || /^-- This is an empty migration\.?$/.test(generated))) return undefined;
  const byHand = last
    ? ""
    : (constraints ?? (await readFile(join(packageDir, "constraints.sql"), "utf8").catch(() => "")));
  const folder = folderName(name, now);
  await mkdir(join(dir, folder));
  await writeFile(join(dir, folder, "migration.sql"), `${generated}\n\n${marker}\n${byHand && `\n${byHand.trim()}\n`}`);
  await writeFile(join(dir, folder, snapshotName), `${JSON.stringify(to, null, 2)}\n`);
  await writeFile(join(dir, "migration_lock.toml"), 'provider = "postgresql"\n');
  return folder;
}

if (import.meta.main) {
  try {
    const folder = await newMigration({ name: process.argv.slice(2).join(" "), now: new Date() });
    console.log(
      folder ? `Wrote prisma/migrations/${folder}. Read it before you commit it.` : "The datamodel did not change.",
    );
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
