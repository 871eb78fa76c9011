let tries = 0;

/**
 * Repeats an import that failed or hangs: the same file under another URL, because a browser does not fetch a failed module again
 * and waits forever for one that hangs.
 */
export function importAgain<M>(load: () => Promise<M>): Promise<M> {
  // The file, as the build wrote it: not every browser's error names it.
  const [, file] = /\bimport\(["'`]([^"'`]+)["'`]\)/.exec(String(load)) ?? [];
  tries += 1;
  return file
    ? (import(/* @vite-ignore */ `${new URL(file, import.meta.url).href}?try=${tries}`) as Promise<M>)
    : load();
}
