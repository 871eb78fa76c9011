import { randomUUID } from "node:crypto";
import { copyFile, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

import { Day } from "@marketday/domain/time";

/** Prefix of a file that is being copied: a server may end in the middle, and an incomplete file is never served under its name. */
const PARTIAL = ".copying-";

/** Tabs that are open for longer were prompted to reload. */
const RETENTION_MS = 14 * Day.ms;

/**
 * Copies the files of this build to those of earlier builds, so that a tab that was open during a deploy still finds its code.
 * Files that no start has copied for 14 days are deleted. File names contain a hash: the same name is the same content.
 * @param from the build's `assets`
 * @param to an existing folder, the same one across builds
 */
export async function retainAssets(from: string, to: string, now: Date): Promise<void> {
  const existing = new Set(await readdir(to));
  for (const name of await readdir(from)) {
    const target = join(to, name);
    if (!existing.has(name)) {
      const partial = join(to, `${PARTIAL}${randomUUID()}`);
      try {
        await copyFile(join(from, name), partial);
        await rename(partial, target);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    }
    await utimes(target, now, now);
  }
  for (const name of existing) {
    // Another server on the same folder may have renamed or deleted it.
    const file = await stat(join(to, name)).catch(() => undefined);
    if (file && now.getTime() - file.mtimeMs > RETENTION_MS) await rm(join(to, name), { force: true });
  }
}
