import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startEmbedded } from "./embedded.ts";
import { migrationsDir, readMigrations } from "./migration-files.ts";
import { diffMigrations, readSchema, type SchemaFiles } from "./schema-engine.ts";

export type NewMigration = {
  /** What it does, in words or snake_case: becomes part of the folder's name. */
  name: string;
  now: Date;
  /** A server on which a database may be created for the comparison. */
  url: string;
  dir?: string;
  schema?: SchemaFiles;
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
 * Writes the next migration: what leads from the migrations so far to the datamodel. Handwritten SQL goes under the marker line.
 * @returns the folder's name, or undefined when the datamodel did not change
 */
export async function newMigration({
  name,
  now,
  url,
  dir = migrationsDir,
  schema,
}: NewMigration): Promise<string | undefined> {
  await mkdir(dir, { recursive: true });
  const generated = await diffMigrations(url, await readMigrations(dir), schema ?? (await readSchema()));
  if (generated === "") return undefined;
  const folder = folderName(name, now);
  await mkdir(join(dir, folder));
  await writeFile(join(dir, folder, "migration.sql"), `${generated}\n\n${marker}\n`);
  await writeFile(join(dir, "migration_lock.toml"), 'provider = "postgresql"\n');
  return folder;
}

if (import.meta.main) {
  const scratch = await mkdtemp(join(tmpdir(), "marketday-migration-"));
  const { url, stop } = await startEmbedded({ dataDir: join(scratch, "postgres"), throwaway: true });
  try {
    const folder = await newMigration({ name: process.argv.slice(2).join(" "), now: new Date(), url });
    console.log(
      folder ? `Wrote prisma/migrations/${folder}. Read it before you commit it.` : "The datamodel did not change.",
    );
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  } finally {
    await stop();
    await rm(scratch, { recursive: true, force: true });
  }
}
