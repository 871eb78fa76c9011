import { copyFile, mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

import { Day } from "@marketday/domain/time";

/** A tab that is older than this has been asked to reload long ago. */
const KEPT_MS = 14 * Day.ms;

/**
 * Keeps the files of this build beside those of the builds before it, so that a tab which was open during a deploy still
 * finds the code it was promised. What no start has brought along for 14 days goes. Names say what is in a file: the same
 * name is the same file.
 * @param from the build's `assets`
 * @param to a folder that outlives the build
 */
export async function keepAssets(from: string, to: string, now: Date): Promise<void> {
  await mkdir(to, { recursive: true });
  const present = new Set(await readdir(to));
  for (const name of await readdir(from)) {
    const kept = join(to, name);
    if (!present.has(name)) await copyFile(join(from, name), kept);
    await utimes(kept, now, now);
  }
  for (const name of present) {
    const { mtimeMs } = await stat(join(to, name));
    if (now.getTime() - mtimeMs > KEPT_MS) await rm(join(to, name), { force: true });
  }
}
