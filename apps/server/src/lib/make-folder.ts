import { mkdir, rmdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/**
 * Creates a folder with its missing parents. Returns the function that takes this back after a failure: of what was created here it
 * removes each folder that is empty, the deepest first.
 */
export async function makeFolder(path: string, mode?: number): Promise<() => Promise<void>> {
  const target = resolve(path);
  const first = await mkdir(target, { recursive: true, mode });
  return async () => {
    if (first === undefined) return;
    for (let folder = target; ; folder = dirname(folder)) {
      try {
        await rmdir(folder);
      } catch (error) {
        // It is not empty, or cannot be removed: it stays, and so do its parents.
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") return;
      }
      if (folder === first) return;
    }
  };
}
