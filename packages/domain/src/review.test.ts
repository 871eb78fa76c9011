import { expect, test } from "vitest";

import { isRating, raterName, roundToHalf, showStars, starParts } from "./review.ts";

test.each([
  [0, 0, false],
  [0, 5, false],
  [1, 3.5, true],
  [1, 3.49, false],
  [2, 3.5, true],
  [2, 3.4, false],
  [3, 0, true],
  [40, 1, true],
])("stars of %i ratings averaging %d show: %s", { tags: ["spec:5-25"] }, (count, average, shown) => {
  expect(showStars(count, average)).toBe(shown);
});

test.each([
  [0, 0, "empty empty empty empty empty"],
  [0.24, 0, "empty empty empty empty empty"],
  [0.25, 0.5, "half empty empty empty empty"],
  [3.74, 3.5, "full full full half empty"],
  [3.75, 4, "full full full full empty"],
  [4.6, 4.5, "full full full full half"],
  [5, 5, "full full full full full"],
  [7, 5, "full full full full full"],
  [-1, 0, "empty empty empty empty empty"],
])("%d is %d stars", { tags: ["spec:9-09"] }, (rating, rounded, parts) => {
  expect(roundToHalf(rating)).toBe(rounded);
  expect(starParts(rating).join(" ")).toBe(parts);
});

test.each([
  [0, true],
  [0.5, true],
  [4.5, true],
  [5, true],
  [5.5, false],
  [-0.5, false],
  [4.3, false],
  [0.3, false],
  [Number.NaN, false],
  [Infinity, false],
])("%d may be given: %s", { tags: ["spec:5-17"] }, (rating, ok) => {
  expect(isRating(rating)).toBe(ok);
});

test.each([
  ["Anna", "Baker", "Anna B."],
  [" Anna ", " baker", "Anna B."],
  ["Anna", "", "Anna"],
  ["Zoë", "Ångström", "Zoë Å."],
  ["", "Baker", "B."],
  ["A", "𝒵ed", "A 𝒵."],
])("%j %j is %j", (first, last, name) => {
  expect(raterName(first, last)).toBe(name);
});
