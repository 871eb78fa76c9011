import { readdir } from "node:fs/promises";
import { join } from "node:path";

import type { Env } from "../../env.ts";
import { sizeOf } from "./back-up.ts";
import { filesOf } from "./check-backup.ts";
import { isBackupName, wholeManifest } from "./prune-backups.ts";

/** Where `market backup` puts a backup that no other folder is given for. */
export const backupFolder = ({ dataDir }: Pick<Env, "dataDir">): string => join(dataDir, "backups");

/** A backup of the folder. `takenAt` null: a file is missing or cut short. */
export interface ListedBackup {
  name: string;
  takenAt: string | null;
  bytes: number;
}

/** The backups of a folder that are named by their instant, newest first, at most `most`; none when there is no folder. */
export async function listBackups(folder: string, most: number): Promise<ListedBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const newest = names.filter(isBackupName).toSorted().toReversed().slice(0, most);
  return Promise.all(
    newest.map(async (name) => {
      const path = join(folder, name);
      const manifest = await wholeManifest(path);
      return {
        name,
        takenAt: manifest?.takenAt ?? null,
        bytes: manifest ? filesOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0) : await sizeOf(path),
      };
    }),
  );
}
