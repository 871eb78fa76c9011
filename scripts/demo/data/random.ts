import { createHash } from "node:crypto";

/** Random numbers that are the same each time for the same seed. */
export interface Chance {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** True with the given probability. */
  odds(probability: number): boolean;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  /** One of a list that is not empty, each by its weight. */
  weighted<T>(list: readonly (readonly [T, number])[]): T;
  /** A shuffled copy. */
  shuffle<T>(list: readonly T[]): T[];
  /** At most `count` different members, in random order. */
  sample<T>(list: readonly T[], count: number): T[];
}

/** The first `length` hex digits of a text's SHA-256. */
export const hexOf = (text: string, length = 16): string =>
  createHash("sha256").update(text).digest("hex").slice(0, length);

/** Random numbers seeded by a text (mulberry32 over its hash). */
export function chance(seed: string): Chance {
  let state = Number.parseInt(hexOf(seed, 8), 16);
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError("Nothing to pick from");
    return list[Math.floor(next() * list.length)] as T;
  };
  const shuffle = <T>(list: readonly T[]): T[] => {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const other = int(0, i);
      [copy[i], copy[other]] = [copy[other] as T, copy[i] as T];
    }
    return copy;
  };
  return {
    next,
    int,
    pick,
    shuffle,
    odds: (probability) => next() < probability,
    sample: (list, count) => shuffle(list).slice(0, count),
    weighted: (list) => {
      let left = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [value, weight] of list) {
        left -= weight;
        if (left < 0) return value;
      }
      return pick(list)[0];
    },
  };
}
