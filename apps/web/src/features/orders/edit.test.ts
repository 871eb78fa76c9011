import type { OrderItem } from "@marketday/contracts/orders";
import { expect, test } from "vitest";

import { changedOrders, editLines, isEmptied, lineKeys, withoutSaved } from "./edit.ts";

const item = (orderId: number, id: number, quantity: number, fromBundleId: number | null = null) =>
  ({ orderId, quantity, fromBundleId, product: { variant: { id } } }) as OrderItem;
const box = {
  id: 1,
  items: [item(1, 7, 3), item(1, 7, 2, 5)],
  addOns: { items: [item(2, 7, 1), item(3, 8, 4)], orderTotal: 9 },
};
const keys = lineKeys([...box.items, ...box.addOns.items]);
const quantities = (changes: Record<string, number>, of = box) =>
  editLines(of, changes).map(({ quantity }) => quantity);

test("a line goes down to none and never above what was bought", () => {
  expect(quantities({ [keys[0]!]: 2 })).toEqual([2, 2, 1, 4]);
  expect(quantities({ [keys[0]!]: 9, [keys[3]!]: -1 })).toEqual([3, 2, 1, 0]);
});

test("a variant alone, from a bundle and in an add-on are lines of their own", () => {
  expect(new Set(keys).size).toBe(4);
  expect(quantities({ [keys[1]!]: 1, [keys[2]!]: 0 })).toEqual([3, 1, 0, 4]);
});

test("lines that another device lowered or removed are as they are now, whatever was changed here", () => {
  const now = { ...box, items: [item(1, 7, 1)], addOns: { items: [item(3, 8, 2)], orderTotal: 5 } };
  expect(quantities({ [keys[0]!]: 2, [keys[2]!]: 0 }, now)).toEqual([1, 2]);
  expect(changedOrders(now, editLines(now, { [keys[0]!]: 2, [keys[2]!]: 0 }))).toEqual([]);
});

test("an add-on that became the first order of the box keeps its changes", () => {
  const promoted = { id: 2, items: [item(2, 7, 1)], addOns: { items: [item(3, 8, 4)], orderTotal: 5 } };
  expect(quantities({ [keys[3]!]: 1 }, promoted)).toEqual([1, 1]);
});

test("each changed order is saved whole, the first order of the box last", () => {
  const lines = editLines(box, { [keys[0]!]: 0, [keys[3]!]: 3 });
  expect(changedOrders(box, lines)).toEqual([
    { id: 3, lines: [{ orderId: 3, variantId: 8, quantity: 3 }] },
    {
      id: 1,
      lines: [
        { orderId: 1, variantId: 7, quantity: 0 },
        { orderId: 1, variantId: 7, quantity: 2 },
      ],
    },
  ]);
  expect(changedOrders(box, editLines(box, {}))).toEqual([]);
});

test("nothing left in the box deletes it; what an add-on keeps does not", () => {
  const none = Object.fromEntries(keys.map((key) => [key, 0]));
  expect(isEmptied(editLines(box, none))).toBe(true);
  expect(isEmptied(editLines(box, { ...none, [keys[3]!]: 1 }))).toBe(false);
});

test("of what was changed, only what was saved is removed: another quantity since, and other orders, stay", () => {
  const changes = { [keys[0]!]: 2, [keys[1]!]: 1, [keys[2]!]: 0, "9 7  0": 1 };
  const lines = editLines(box, changes);
  expect(withoutSaved({ ...changes, [keys[1]!]: 0 }, box, lines, 1)).toEqual({
    [keys[1]!]: 0,
    [keys[2]!]: 0,
    "9 7  0": 1,
  });
});
