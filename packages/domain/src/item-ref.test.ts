import { expect, test } from "vitest";

import { findItems } from "./item-ref.ts";

const items = [
  { variantId: 7, product: "Brown eggs", variant: "Dozen", unit: "12 ct" },
  { variantId: 8, product: "Brown eggs", variant: "Half dozen" },
  { variantId: 9, product: "Rye", variant: "Rye" },
  { variantId: 10, product: "Rye rolls", variant: "Pack of 6" },
  { variantId: 9, product: "Rye", variant: "Rye" },
];
const found = (text: string) => findItems(items, text).map(({ variantId }) => variantId);

test.each([
  ["7", [7]],
  ["Brown eggs, Dozen", [7]],
  ["  brown EGGS,  half dozen ", [8]],
  ["brown eggs dozen", [7]],
  ["Brown eggs, Dozen · 12 ct", [7]],
  ["brown eggs, dozen 12 ct", [7]],
  ["Brown eggs", [7, 8]],
  ["brown", [7, 8]],
  ["Rye", [9]],
  ["rye r", [10]],
  ["11", []],
  ["goat", []],
  ["", []],
])("findItems: %j names variants %j", (text, expected) => {
  expect(found(text)).toEqual(expected);
});
