import { statfsSync } from "node:fs";

const MIB = 2 ** 20;
/** Bytes. With less, programs have begun to fail: a Postgres of the tests allocates 16 MiB at a time. */
const NEARLY_FULL = 64 * MIB;
const EVERY_MS = 1000;

const readFree = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};

/**
 * Looks at the free space of these folders each second: what fills a disk is often removed before the run has failed.
 * @param freeOf bytes; it throws for a folder that is gone.
 * @returns the sentences to print, one for each folder whose disk was nearly full at some time
 */
export function watchDisks(folders: readonly string[], freeOf: (folder: string) => number = readFree): () => string[] {
  const least = new Map<string, number>();
  const look = () => {
    for (const folder of folders)
      try {
        least.set(folder, Math.min(least.get(folder) ?? Infinity, freeOf(folder)));
      } catch {
        // The run removed it.
      }
  };
  look();
  setInterval(look, EVERY_MS).unref();
  return () => {
    look();
    return [...least]
      .filter(([, bytes]) => bytes < NEARLY_FULL)
      .map(
        ([folder, bytes]) =>
          `The disk of ${folder} was full: ${Math.floor(bytes / MIB)} MiB were left. Failures can have this reason; free some space and run again.`,
      );
  };
}
