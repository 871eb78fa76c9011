import { copyFile, mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

import { Day } from "@marketday/domain/time";

/** Tabs that are open for longer were prompted to reload. */
const RETENTION_MS = 14 * Day.ms;

/**
 * Copies the files of this build to those of earlier builds, so that a tab that was open during a deploy still finds its code.
 * Files that no start has copied for 14 days are deleted. File names contain a hash: the same name is the same content.
 * @param from the build's `assets`
 * @param to a folder that is target across builds
 */
export async function retainAssets(from: string, to: string, now: Date): Promise<void> {
  await mkdir(to, { recursive: true });
  const existing = new Set(await readdir(to));
  for (const name of await readdir(from)) {
    const target = join(to, name);
    if (!existing.has(name)) await copyFile(join(from, name), target);
    await utimes(target, now, now);
  }
  for (const name of existing) {
    const { mtimeMs } = await stat(join(to, name));
    if (now.getTime() - mtimeMs > RETENTION_MS) await rm(join(to, name), { force: true });
  }
}
