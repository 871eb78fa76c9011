import { mkdir, rmdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder with its missing parents. Returns the function that takes this back after a failure: of what was created here it
 * removes each folder that is empty, the deepest first.
 */
export async function makeFolder(path: string, mode?: number): Promise<() => Promise<void>> {
  const first = await mkdir(path, { recursive: true, mode });
  return async () => {
    if (first === undefined) return;
    for (let folder = resolve(path); ; folder = dirname(folder)) {
      try {
        await rmdir(folder);
      } catch (error) {
        // It has files: it stays, and so do its parents.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") return;
      }
      if (folder === resolve(first)) return;
    }
  };
}
