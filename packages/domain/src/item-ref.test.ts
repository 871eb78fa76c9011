import { expect, test } from "vitest";

import { findItems } from "./item-ref.ts";

const items = [
  { variantId: 7, product: "Brown eggs", variant: "Dozen", unit: "12 ct" },
  { variantId: 8, product: "Brown eggs", variant: "Half dozen" },
  { variantId: 9, product: "Rye", variant: "Rye" },
  { variantId: 10, product: "Rye rolls", variant: "Pack of 6" },
  { variantId: 9, product: "Rye", variant: "Rye" },
  { variantId: 12, product: "Crème fraîche", variant: "Half-pint" },
  { variantId: 13, product: "Ham", variant: "1-2 lb" },
  { variantId: 14, product: "Ham", variant: "12 lb" },
  { variantId: 15, product: "Ham", variant: "Whole" },
  { variantId: 16, product: "Ham", variant: "whole" },
  { variantId: 17, product: "Feta", variant: "Default Title", unit: "each" },
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
  ["creme fraiche, half pint", [12]],
  ["Ham, 1–2 lb", [13]],
  ["Ham, 12 lb", [14]],
  ["Ham, whole", [16]],
  ["Ham, WHOLE", [15, 16]],
  ["Feta · each", [17]],
  ["Feta, Default Title", [17]],
  ["Feta, Default Title · each", [17]],
  ["", []],
])("findItems: %j names variants %j", (text, expected) => {
  expect(found(text)).toEqual(expected);
});
