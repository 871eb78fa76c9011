import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

import { makeFolder } from "@marketday/server/lib/make-folder";

/** A file of a folder, and the function that writes it to a path. */
export interface FolderFile {
  name: string;
  make: (path: string) => Promise<void>;
}

/**
 * Writes files into a folder: all under temporary names first, then renamed. When it is interrupted or fails before, the
 * folder is unchanged, and one that was created for them is removed.
 */
export async function writeFolder(folder: string, files: readonly FolderFile[], signal: AbortSignal): Promise<void> {
  const written: { temporary: string; path: string }[] = [];
  const created: (() => Promise<void>)[] = [];
  try {
    for (const { name, make } of files) {
      signal.throwIfAborted();
      const path = join(folder, name);
      const temporary = `${path}.${process.pid}.tmp`;
      created.unshift(await makeFolder(dirname(path)));
      written.push({ temporary, path });
      await make(temporary);
    }
    signal.throwIfAborted();
    for (const { temporary, path } of written) await rename(temporary, path);
  } catch (error) {
    for (const { temporary } of written) await rm(temporary, { force: true });
    for (const removeEmpty of created) await removeEmpty();
    throw error;
  }
}
