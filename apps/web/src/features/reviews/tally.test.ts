import { expect, test } from "vitest";

import { tally } from "./tally.ts";

test("every rating is in one bar, half stars count up", () => {
  const ratings = [5, 4.5, 4, 3.5, 2, 0.5, 0, 5];
  const bars = tally(ratings);
  expect(bars.map(({ stars, count }) => [stars, count])).toEqual([
    [5, 3],
    [4, 2],
    [3, 0],
    [2, 1],
    [1, 2],
  ]);
  expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(ratings.length);
  expect(bars[0]?.share).toBe(37.5);
});

test("nothing rated, nothing drawn", () => {
  expect(tally([]).every(({ count, share }) => count === 0 && share === 0)).toBe(true);
});
