import type { OrderItem } from "@marketday/contracts/orders";
import { expect, test } from "vitest";

import { isChanged, isEmptied, lowered } from "./edit.ts";

const item = (id: number, quantity: number) => ({ quantity, product: { variant: { id } } }) as OrderItem;
const items = [item(1, 3), item(2, 1)];
const lines = [
  { variantId: 1, quantity: 3 },
  { variantId: 2, quantity: 1 },
];

test("a line goes down to none and never above what was bought", () => {
  expect(lowered(lines, items, 0, 2).map(({ quantity }) => quantity)).toEqual([2, 1]);
  expect(lowered(lines, items, 0, 4).map(({ quantity }) => quantity)).toEqual([3, 1]);
  expect(lowered(lines, items, 1, -1).map(({ quantity }) => quantity)).toEqual([3, 0]);
  // Back up again, after a slip of the finger.
  expect(lowered(lowered(lines, items, 0, 1), items, 0, 3)).toEqual(lines);
});

test("it knows whether anything changed, and whether anything is left", () => {
  expect(isChanged(lines, items)).toBe(false);
  const one = lowered(lines, items, 0, 0);
  expect([isChanged(one, items), isEmptied(one, { addOns: null })]).toEqual([true, false]);
  const none = lowered(one, items, 1, 0);
  expect(isEmptied(none, { addOns: null })).toBe(true);
  // The add-ons still come in this box.
  expect(isEmptied(none, { addOns: { items, orderTotal: 5 } })).toBe(false);
});
