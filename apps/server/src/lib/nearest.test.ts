import { expect, test } from "vitest";

import { nearestFinder } from "./nearest.ts";

const nearest = nearestFinder([
  { key: "goose-hill", name: "Goose Hill Farm" },
  { key: "oak-grove", name: "Café Chêne" },
  { key: "oak-ridge", name: null },
  { key: "rye", name: null },
]);

test.each([
  ["the name, in other letters", "GOOSE HILL FARM", "goose-hill"],
  ["the letters alone", "goosehill", "goose-hill"],
  ["a name without its accents", "cafe chene", "oak-grove"],
  ["two letters swapped", "goose-hlil", "goose-hill"],
  ["two of eight letters wrong", "oak-groxx", "oak-grove"],
  ["three of eight letters wrong", "oak-grxxx", null],
  ["one of three letters wrong", "rya", "rye"],
  ["two of three letters wrong", "rxa", null],
  ["a beginning that one key has", "goos", "goose-hill"],
  ["a beginning that two keys have", "oak", null],
  ["nothing", "", null],
  ["signs alone", "--", null],
])("nearest name: %s", (_what, text, key) => {
  expect(nearest(text)).toBe(key);
});

test("nearest name: of two that are as near the first one is meant", () => {
  const finder = nearestFinder([
    { key: "pear", name: null },
    { key: "peat", name: null },
  ]);
  expect([finder("peas"), finder("peat")]).toEqual(["pear", "peat"]);
});
