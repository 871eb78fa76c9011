import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { Day } from "@marketday/domain/time";

import { filesOf } from "./check-backup.ts";
import { type Manifest, readManifest } from "./manifest.ts";

/** The result of deleting old backups: names of folders. */
export interface Pruned {
  kept: string[];
  deleted: string[];
  /** Folders named like a backup that are not complete. They are not counted and stay. */
  damaged: string[];
}

/** The name of a backup from an instant: "2026-11-26T033000Z". */
export const backupName = (now: Date): string => now.toISOString().replaceAll(/[:]|\.\d+/g, "");

/** Whether a folder is named like a backup of `backupName`. */
export const isBackupName = (name: string): boolean => /^\d{4}-\d\d-\d\dT\d{6}Z$/.test(name);
/** Left behind by a process that was killed while it wrote or deleted a backup. */
const PARTIAL = /^(\d{4}-\d\d-\d\d)T\d{6}Z\.partial$/;
const DELETING = /^\d{4}-\d\d-\d\dT\d{6}Z\.deleting$/;

/** The manifest of a backup; null when it is not valid, or a file is missing or cut short. */
export async function wholeManifest(folder: string): Promise<Manifest | null> {
  try {
    const manifest = await readManifest(folder);
    for (const { path, bytes } of filesOf(manifest)) if ((await stat(join(folder, path))).size !== bytes) return null;
    return manifest;
  } catch {
    return null;
  }
}

/**
 * Keeps the newest `keep` whole backups that are named by their instant and deletes the older ones; backups with other
 * names stay. `made` is the newest and stays even if others have later names, so a good one is always left. An interrupted deletion
 * leaves no folder that looks like a backup.
 */
export async function pruneBackups(folder: string, keep: number, made: string, now: Date): Promise<Pruned> {
  if (keep < 1) throw new RangeError("at least one backup is kept");
  const names = await readdir(folder);
  for (const name of names) {
    const day = PARTIAL.exec(name)?.[1];
    const isOld = day !== undefined && Date.parse(day) < now.getTime() - 2 * Day.ms;
    if (isOld || DELETING.test(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
  const found = await Promise.all(
    names
      .filter(isBackupName)
      .map(async (name) => ({ name, at: (await wholeManifest(join(folder, name)))?.takenAt ?? null })),
  );
  const rank = ({ name, at }: { name: string; at: string | null }): string => (name === made ? "~" : (at ?? ""));
  const whole = found.filter(({ at }) => at !== null).toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1));
  const old = whole.slice(keep);
  for (const { name } of old) {
    const leaving = join(folder, `${name}.deleting`);
    await rename(join(folder, name), leaving);
    await rm(leaving, { recursive: true, force: true });
  }
  return {
    kept: whole.slice(0, keep).map(({ name }) => name),
    deleted: old.map(({ name }) => name),
    damaged: found.filter(({ at }) => at === null).map(({ name }) => name),
  };
}
