import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A file of a folder, and how it is made at a path. */
export interface FolderFile {
  name: string;
  make: (path: string) => Promise<void>;
}

/**
 * Puts files into a folder: each is made under another name first, and takes its own when all of them are there. Stopped
 * or failed before, it leaves the folder as it was.
 */
export async function writeFolder(folder: string, files: readonly FolderFile[], signal: AbortSignal): Promise<void> {
  const made: { temporary: string; path: string }[] = [];
  try {
    for (const { name, make } of files) {
      signal.throwIfAborted();
      const path = join(folder, name);
      const temporary = `${path}.${process.pid}.tmp`;
      await mkdir(dirname(path), { recursive: true });
      made.push({ temporary, path });
      await make(temporary);
    }
    signal.throwIfAborted();
    for (const { temporary, path } of made) await rename(temporary, path);
  } catch (error) {
    for (const { temporary } of made) await rm(temporary, { force: true });
    throw error;
  }
}
