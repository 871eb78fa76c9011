import fc from "fast-check";
import { expect, test } from "vitest";

import { capQuantity, HOLD_MS, lockOrder, planHolds, takeWhatIsLeft, unitsByVariant } from "./stock.ts";

test.each([
  [3, 10, 3],
  [11, 10, 10],
  [10, 10, 10],
  [1, 0, 0],
  [5, -2, 0],
  [5000, 100_000, 999],
  [0, 5, 0],
])("%i wanted of %i are %i", { tags: ["spec:5-23"] }, (wanted, inventory, quantity) => {
  expect(capQuantity(wanted, inventory)).toBe(quantity);
});

test("rows are locked in id order, by number and not by text", { tags: ["fail:A3"] }, () => {
  expect(lockOrder([{ variantId: 10 }, { variantId: 9 }, { variantId: 10 }, { variantId: 100 }])).toEqual([9, 10, 100]);
});

test("a hold lives ten minutes", () => {
  expect(HOLD_MS).toBe(600_000);
});

const stock = new Map([
  [1, 5],
  [2, 0],
  [3, 2],
]);

test.each([
  [
    [
      { variantId: 3, quantity: 2 },
      { variantId: 1, quantity: 5 },
    ],
    [
      { variantId: 1, quantity: 5 },
      { variantId: 3, quantity: 2 },
    ],
  ],
  [
    [
      { variantId: 1, quantity: 2 },
      { variantId: 1, quantity: 3 },
    ],
    [{ variantId: 1, quantity: 5 }],
  ],
  [[{ variantId: 2, quantity: 0 }], []],
  [[], []],
])("holds for %j", { tags: ["fail:A2", "fail:A3"] }, (lines, holds) => {
  expect(planHolds(lines, stock)).toEqual({ ok: true, holds });
});

test.each([
  [[{ variantId: 1, quantity: 6 }], [{ variantId: 1, wanted: 6, left: 5 }]],
  [
    [
      { variantId: 1, quantity: 3 },
      { variantId: 1, quantity: 3 },
    ],
    [{ variantId: 1, wanted: 6, left: 5 }],
  ],
  [
    [
      { variantId: 2, quantity: 1 },
      { variantId: 1, quantity: 1 },
    ],
    [{ variantId: 2, wanted: 1, left: 0 }],
  ],
  [
    [
      { variantId: 9, quantity: 1 },
      { variantId: 2, quantity: 2 },
    ],
    [
      { variantId: 2, wanted: 2, left: 0 },
      { variantId: 9, wanted: 1, left: 0 },
    ],
  ],
])("%j are too many", { tags: ["fail:A2"] }, (lines, short) => {
  expect(planHolds(lines, stock)).toEqual({ ok: false, reason: "sold_out", short });
});

test("auto-checkout takes what is left", { tags: ["fail:C15"] }, () => {
  const lines = [
    { variantId: 1, quantity: 4, bundleId: null },
    { variantId: 2, quantity: 1, bundleId: null },
    { variantId: 1, quantity: 3, bundleId: 7 },
  ];
  expect(takeWhatIsLeft(lines, stock)).toEqual({
    taken: [lines[0], { variantId: 1, quantity: 1, bundleId: 7 }],
    short: [lines[1], { variantId: 1, quantity: 2, bundleId: 7 }],
  });
});

test("holds never exceed the stock, and what is taken and short make up what was wanted", () => {
  const lines = fc.array(fc.record({ variantId: fc.nat({ max: 4 }), quantity: fc.nat({ max: 9 }) }), { maxLength: 8 });
  const stocks = fc.array(fc.nat({ max: 20 }), { minLength: 5, maxLength: 5 }).map((all) => new Map(all.entries()));
  const units = (of: readonly { variantId: number; quantity: number }[], id: number) =>
    of.filter(({ variantId }) => variantId === id).reduce((all, { quantity }) => all + quantity, 0);
  fc.assert(
    fc.property(lines, stocks, (wanted, inventories) => {
      const plan = planHolds(wanted, inventories);
      const { taken, short } = takeWhatIsLeft(wanted, inventories);
      for (const [id, left] of inventories) {
        expect(units(unitsByVariant(wanted), id)).toBe(units(wanted, id));
        expect(units(taken, id)).toBe(Math.min(units(wanted, id), left));
        expect(units(taken, id) + units(short, id)).toBe(units(wanted, id));
      }
      expect(plan.ok).toBe([...inventories].every(([id, left]) => units(wanted, id) <= left));
      expect(plan.ok).toBe(short.length === 0);
    }),
    { numRuns: 1000 },
  );
});
