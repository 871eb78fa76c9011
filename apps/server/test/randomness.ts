/** A random generator with a seed, so that failures can be reproduced. */
export function randomness(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    /** A whole number from `min` to `max`, both included. */
    between: (min: number, max: number): number => min + Math.floor(next() * (max - min + 1)),
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(list: readonly T[]): T => {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
    shuffle: <T>(list: readonly T[]): T[] =>
      list
        .map((value) => ({ value, rank: next() }))
        .toSorted((a, b) => a.rank - b.rank)
        .map(({ value }) => value),
  };
}
export type Randomness = ReturnType<typeof randomness>;
