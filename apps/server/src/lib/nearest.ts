import { foldName } from "@marketday/domain/names";

/** Something that files refer to by key, such as a vendor by slug. */
export interface Name {
  key: string;
  /** Its name as shown to people. */
  name: string | null;
}

/** Only letters and digits, in lower case and without accents. */
const folded = (text: string): string =>
  text
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** The edit distance of two words, with swaps; `most + 1` when it is larger. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const isSwap = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = isSwap ? before[j - 1]! + 1 : Infinity;
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (a[i] === b[j] ? 0 : 1), swapped));
    }
    if (Math.min(...row, ...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[b.length]!;
}

/**
 * Finds the key that was probably meant: with the same name (`foldName`), the same letters, a small edit distance, or the same
 * beginning.
 */
export function nearestFinder(names: readonly Name[]): (text: string) => string | null {
  const byName = new Map<string, string>();
  for (const { key, name } of names)
    for (const word of [key, name ?? key]) if (!byName.has(foldName(word))) byName.set(foldName(word), key);
  const words = names.flatMap(({ key, name }) =>
    [key, name].filter((word) => word !== null).map((word) => ({ key, word: folded(word) })),
  );
  return (text) => {
    const wanted = folded(text);
    if (wanted === "") return null;
    const same = byName.get(foldName(text));
    if (same !== undefined) return same;
    const most = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
    let best: { key: string; steps: number } | null = null;
    for (const { key, word } of words) {
      const steps = distance(wanted, word, most);
      if (steps === 0) return key;
      if (steps <= most && (best === null || steps < best.steps)) best = { key, steps };
    }
    if (best) return best.key;
    const begins = wanted.length < 4 ? [] : words.filter(({ word }) => word.startsWith(wanted));
    const keys = new Set(begins.map(({ key }) => key));
    return keys.size === 1 ? [...keys][0]! : null;
  };
}
