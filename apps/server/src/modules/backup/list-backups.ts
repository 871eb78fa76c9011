import { readdir } from "node:fs/promises";
import { join } from "node:path";

import type { Env } from "../../env.ts";
import { sizeOf } from "./back-up.ts";
import { filesOf } from "./check-backup.ts";
import { isBackupName, wholeManifest } from "./prune-backups.ts";

/** Where `market backup` puts a backup that no other folder is given for. */
export const backupFolder = ({ dataDir }: Pick<Env, "dataDir">): string => join(dataDir, "backups");

/** A backup of the folder. `takenAt` null: a file is missing, cut short or not readable. */
export interface ListedBackup {
  name: string;
  takenAt: string | null;
  bytes: number;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** One backup; null: it was deleted meanwhile. */
async function readBackup(folder: string, name: string): Promise<ListedBackup | null> {
  const path = join(folder, name);
  const manifest = await wholeManifest(path);
  if (manifest)
    return { name, takenAt: manifest.takenAt, bytes: filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0) };
  try {
    return { name, takenAt: null, bytes: await sizeOf(path) };
  } catch (error) {
    return isMissing(error) ? null : { name, takenAt: null, bytes: 0 };
  }
}

/**
 * The backups of a folder that are named by their instant, newest first, at most `most`. None when the folder is not there or not
 * readable: it may be on another machine.
 */
export async function listBackups(folder: string, most: number): Promise<ListedBackup[]> {
  const names = await readdir(folder).catch(() => []);
  const newest = names.filter(isBackupName).toSorted().toReversed().slice(0, most);
  return (await Promise.all(newest.map((name) => readBackup(folder, name)))).filter((backup) => backup !== null);
}
