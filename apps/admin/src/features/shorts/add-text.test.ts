import { expect, test } from "vitest";

import { findItems, parseAddText, parseAddTexts } from "./add-text.ts";
import type { DayItem } from "./api.ts";

test.each([
  ["eggs", "eggs", null],
  ["eggs 9", "eggs", 9],
  ["  eggs cluck 9  ", "eggs cluck", 9],
  ["eggs 9 of 12", "eggs", 9],
  ["eggs 9/12", "eggs", 9],
  ["eggs 0", "eggs", 0],
  // A number alone is no item, and one inside of a name is a part of it.
  ["9", "9", null],
  ["braising mix, 8 oz", "braising mix, 8 oz", null],
  ["braising mix, 8 oz 20", "braising mix, 8 oz", 20],
  ["eggs -3", "eggs -3", null],
  ["eggs 1234567", "eggs 1234567", null],
  ["", "", null],
])("add a shortage: %j is the item %j and the number %j", (text, words, came) => {
  expect(parseAddText(text)).toEqual({ words, came });
});

test.each([
  ["eggs 9", [["eggs", 9]]],
  [
    "eggs 9, rye 3; kale 0,",
    [
      ["eggs", 9],
      ["rye", 3],
      ["kale", 0],
    ],
  ],
  [
    "eggs 9, braising mix, 8 oz 20",
    [
      ["eggs", 9],
      ["braising mix, 8 oz", 20],
    ],
  ],
  [
    "eggs 9\nrye\n",
    [
      ["eggs", 9],
      ["rye", null],
    ],
  ],
  ["", []],
])("several shortages at once: %j", (text, parsed) => {
  expect(parseAddTexts(text).map(({ words, came }) => [words, came])).toEqual(parsed);
});

const item = (variantId: number, title: string, name: string): DayItem => ({
  variantId,
  title,
  unit: null,
  image: null,
  vendor: { id: variantId, slug: name.toLowerCase().replaceAll(/\W+/g, "-"), name },
  each: 7.25,
  ordered: 12,
  frozen: 12,
  boxes: 7,
  left: null,
});
const items = [
  item(1, "Braising Mix, 8 oz", "Eggleston Farm"),
  item(2, "Pasture Eggs, Dozen", "Cluck & Co."),
  item(3, "Duck Eggs, Six", "Pond’s Edge"),
  item(4, "Lion’s Mane, Half pound", "Fern & Spore"),
  item(5, "Crème Fraîche, 8 oz", "Rooted Acre"),
];
test.each([
  ["eggs", [2, 3]],
  // A title wins over a vendor.
  ["egg", [2, 3, 1]],
  ["eggs cluck", [2]],
  ["cluck", [2]],
  ["lions", [4]],
  ["creme fraiche", [5]],
  ["asture", [2]],
  ["8 oz", [1, 5]],
  ["eggs rooted", []],
  ["", [1, 2, 3, 4, 5]],
])("items of a day: %j finds the items %j, the best first", (words, found) => {
  expect(findItems(items, words).map(({ variantId }) => variantId)).toEqual(found);
});
