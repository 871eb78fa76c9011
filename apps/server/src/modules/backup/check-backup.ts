import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";

import { BackupError, type Manifest, readManifest } from "./manifest.ts";

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of createReadStream(path, { signal }) as AsyncIterable<Buffer>) hash.update(part);
  return hash.digest("hex");
}

/** The paths of a backup's files in its folder. */
export const filesOf = (manifest: Manifest): { path: string; bytes: number; sha256: string }[] => [
  ...manifest.tables.map(({ file }) => file),
  ...manifest.files.map((file) => ({ ...file, path: `files/${file.path}` })),
];

/**
 * Reads a whole backup and compares every file with the manifest.
 * @throws BackupError that names the first file that is missing, cut short or changed
 */
export async function checkBackup(folder: string, signal: AbortSignal): Promise<Manifest> {
  const manifest = await readManifest(folder);
  for (const { path, bytes, sha256 } of filesOf(manifest)) {
    const found = await stat(join(folder, path)).catch(() => null);
    if (!found) throw new BackupError(`The backup in ${folder} is damaged: ${path} is missing. Use another one.`);
    if (found.size !== bytes)
      throw new BackupError(
        `The backup in ${folder} is damaged: ${path} has ${found.size} bytes, not ${bytes}. Use another one.`,
      );
    if ((await hashOf(join(folder, path), signal)) !== sha256)
      throw new BackupError(`The backup in ${folder} is damaged: ${path} was changed. Use another one.`);
  }
  return manifest;
}
