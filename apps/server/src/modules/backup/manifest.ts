import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { z } from "zod";

/** A backup that cannot be taken or restored; the message is one sentence for people. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

const File = z.object({ path: z.string(), bytes: z.number(), sha256: z.string() });

export const Manifest = z.object({
  /** The format's version. */
  format: z.literal(1),
  market: z.string(),
  /** The snapshot's instant. */
  takenAt: z.string(),
  /** The migrations of the schema: another list is another schema. */
  migrations: z.array(z.string()),
  /** First digits of a hash of the passwords' pepper: with another one no customer can log in. */
  pepper: z.string(),
  /** In the order of the restore: a table comes after those it refers to. */
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      /** SHA-256 of the rows themselves, ordered by key: equal data, equal hash. */
      content: z.string(),
      file: File,
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  /** Uploaded pictures and photos, below the data folder. */
  files: z.array(File),
  /** Accounts that are deleted: a restore of an older backup deletes them again (failures.md L3). */
  deletions: z.array(z.number()),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST = "manifest.json";
/** The file with the manifest's hash. */
export const SEAL = "manifest.sha256";

export const sealOf = (text: string): string => createHash("sha256").update(text).digest("hex");
export const pepperMark = (pepper: string): string =>
  createHash("sha256").update(`marketday backup ${pepper}`).digest("hex").slice(0, 16);

/** Reads a backup's manifest. @throws BackupError when it is missing, changed or of another format */
export async function readManifest(folder: string): Promise<Manifest> {
  const read = (name: string) =>
    readFile(join(folder, name), "utf8").catch(() => {
      throw new BackupError(`${folder} is no whole backup: ${name} is missing.`);
    });
  const text = await read(MANIFEST);
  if ((await read(SEAL)).trim() !== sealOf(text))
    throw new BackupError(`The backup in ${folder} is damaged: ${MANIFEST} was changed.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new BackupError(`The backup in ${folder} is damaged: ${MANIFEST} is no JSON.`);
  }
  const manifest = Manifest.safeParse(parsed);
  if (!manifest.success)
    throw new BackupError(`The backup in ${folder} was made in another way than this version knows.`);
  return manifest.data;
}
