import fc from "fast-check";
import { expect, test } from "vitest";

import { formatTotes, parseTotes } from "./totes.ts";

test.each([
  ["7", [7]],
  ["1-3,18", [1, 2, 3, 18]],
  ["18, 2 - 3 ,2", [2, 3, 18]],
  ["", null],
  ["0", null],
  ["3-1", null],
  ["1-", null],
  ["a", null],
  ["1;2", null],
  ["1-99999", null],
  ["1,,2", null],
])("parseTotes: %j is %j", (text, expected) => {
  expect(parseTotes(text)).toEqual(expected);
});

test("parseTotes: one list names up to 10,000 totes in a range", () => {
  expect(parseTotes("5-10004")).toHaveLength(10_000);
  expect(parseTotes("5-10005")).toBeNull();
});

test("formatTotes: numbers written as ranges are read back the same", () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(numbers, (some) => {
      const sorted = some.toSorted((a, b) => a - b);
      expect(parseTotes(formatTotes(sorted))).toEqual(sorted);
    }),
  );
  expect(formatTotes([1, 2, 3, 7])).toBe("1-3,7");
});
