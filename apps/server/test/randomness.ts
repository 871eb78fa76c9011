/** Chances that are the same for the same seed, so that what failed once fails again. */
export function randomness(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    /** A whole number from `least` to `most`, both included. */
    between: (least: number, most: number): number => least + Math.floor(next() * (most - least + 1)),
    chance: (part: number): boolean => next() < part,
    pick: <T>(list: readonly T[]): T => {
      const one = list[Math.floor(next() * list.length)];
      if (one === undefined) throw new Error("nothing to pick from");
      return one;
    },
    shuffle: <T>(list: readonly T[]): T[] =>
      list
        .map((value) => ({ value, place: next() }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ value }) => value),
  };
}
export type Randomness = ReturnType<typeof randomness>;
