import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { getOrThrow } from "./get-or-throw.ts";
import {
  addCents,
  addDollars,
  allocate,
  cents,
  formatUsd,
  fromDollars,
  isLargeChange,
  maxCents,
  minCents,
  partOf,
  percentOf,
  splitPrice,
  subtractCents,
  subtractDollars,
  timesCents,
  timesDollars,
  toDollars,
} from "./money.ts";

const amount = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }).map(cents);

/** Half up by another road: multiply by two, floor the odd half. */
function oracle(value: number, ppm: number): number {
  const doubled = 2n * BigInt(value) * BigInt(ppm) + 1_000_000n;
  const modulo = ((doubled % 2_000_000n) + 2_000_000n) % 2_000_000n;
  return Number((doubled - modulo) / 2_000_000n);
}

describe("cents", () => {
  test.each([0.5, Number.NaN, Infinity, 2 ** 53, -1.01])("refuses %s", (value) => {
    expect(() => cents(value)).toThrow(RangeError);
  });

  test("keeps whole amounts and has no minus zero", () => {
    expect(cents(895)).toBe(895);
    expect(Object.is(cents(-0), 0)).toBe(true);
  });
});

describe("dollars", () => {
  test.each([
    [895, 8.95],
    [0, 0],
    [1, 0.01],
    [-200, -2],
    [13_995, 139.95],
    [29, 0.29],
    [113, 1.13],
  ])("%i cents are %d dollars, both ways", (value, dollars) => {
    expect(toDollars(cents(value))).toBe(dollars);
    expect(fromDollars(dollars)).toBe(value);
  });

  test.each([8.955, 0.001, 0.1 + 0.2, Number.NaN, Infinity, -Infinity, 1e300])("refuses %d", (dollars) => {
    expect(() => fromDollars(dollars)).toThrow(RangeError);
  });

  test("every amount survives the wire with at most two decimals", () => {
    fc.assert(
      fc.property(amount, (value) => {
        const text = JSON.stringify(toDollars(value));
        expect(text).toMatch(/^-?\d+(\.\d{1,2})?$/);
        expect(fromDollars(JSON.parse(text) as number)).toBe(value);
      }),
    );
  });
});

describe("sums", () => {
  test("add, subtract, times, min, max", () => {
    expect(addCents()).toBe(0);
    expect(addCents(cents(1), cents(2), cents(-5))).toBe(-2);
    expect(subtractCents(cents(10), cents(3), cents(4))).toBe(3);
    expect(timesCents(cents(325), 4)).toBe(1300);
    expect(minCents(cents(1), cents(2))).toBe(1);
    expect(minCents(cents(3), cents(2))).toBe(2);
    expect(maxCents(cents(1), cents(2))).toBe(2);
    expect(maxCents(cents(3), cents(2))).toBe(3);
  });

  test("amounts of the wire are added, subtracted and multiplied in cents", () => {
    expect(addDollars(0.1, 0.2)).toBe(0.3);
    expect(addDollars()).toBe(0);
    expect(subtractDollars(1.1, 0.3, 0.1)).toBe(0.7);
    expect(timesDollars(1.15, 3)).toBe(3.45);
    expect(() => addDollars(1, 0.001)).toThrow(RangeError);
  });

  test("a sum beyond whole cents throws", () => {
    expect(() => addCents(cents(Number.MAX_SAFE_INTEGER), cents(1))).toThrow(RangeError);
    expect(() => timesCents(cents(1), 0.5)).toThrow(RangeError);
  });
});

describe("parts", () => {
  test.each([
    [1000, 70_000, 70],
    [1, 500_000, 1], // a half goes up
    [1, 499_999, 0],
    [3, 500_000, 2],
    [-1, 500_000, 0], // towards plus infinity
    [-3, 500_000, -1],
    [333, 29_000, 10],
    [0, 70_000, 0],
  ])("%i cents × %i ppm = %i", (value, ppm, part) => {
    expect(partOf(cents(value), ppm)).toBe(part);
  });

  test.each([
    [1995, 5, 100], // 99.75
    [1990, 5, 100], // 99.5
    [1989, 5, 99], // 99.45
    [1001, 10, 100],
    [1005, 10, 101], // 100.5
    [999, 20, 200],
    [999, 0, 0],
    [10_000, 7.25, 725],
  ])("of %i cents %d percent is %i", (value, percent, part) => {
    expect(percentOf(cents(value), percent)).toBe(part);
  });

  test("refuses a part that is no number of millionths", () => {
    expect(() => partOf(cents(1), 0.5)).toThrow(RangeError);
    expect(() => percentOf(cents(1), 0.00001)).toThrow(RangeError);
  });

  test("equals a BigInt oracle", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 1_000_000 }), (value, ppm) => {
        expect(partOf(value, ppm)).toBe(oracle(value, ppm));
      }),
      { numRuns: 5000 },
    );
  });
});

describe("allocate", () => {
  test.each([
    [100, [1, 1, 1], [34, 33, 33]],
    [1, [1, 1], [1, 0]],
    [2, [1, 0, 1, 1], [1, 0, 1, 0]],
    [-100, [1, 1, 1], [-34, -33, -33]],
    [10, [3, 3, 4], [3, 3, 4]],
    [5, [1, 2], [2, 3]],
    [0, [0, 0], [0, 0]],
    [0, [], []],
  ])("%i over %j is %j", (total, weights, shares) => {
    expect(allocate(cents(total), weights)).toEqual(shares);
  });

  test.each([[[-1]], [[0.5]], [[Number.NaN]], [[0, 0]], [[]]])("refuses to share 5 cents over %j", (weights) => {
    expect(() => allocate(cents(5), weights)).toThrow(RangeError);
  });

  test("allocate: parts sum to the whole, zero gets zero, no part is more than a cent off", () => {
    fc.assert(
      fc.property(amount, fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 20 }), (total, weights) => {
        const sum = weights.reduce((all, weight) => all + weight, 0);
        fc.pre(sum > 0);
        const shares = allocate(total, weights);
        expect(addCents(...shares)).toBe(total);
        for (const [place, weight] of weights.entries()) {
          if (weight === 0) expect(shares[place]).toBe(0);
          const exact = BigInt(total) * BigInt(weight);
          const off = BigInt(getOrThrow(shares, place)) * BigInt(sum) - exact;
          expect(off < BigInt(sum) && off > -BigInt(sum)).toBe(true);
        }
        expect(allocate(total, weights)).toEqual(shares);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("prices on the page", () => {
  test.each([
    [895, "$8.95"],
    [5, "$0.05"],
    [0, "$0.00"],
    [-200, "−$2.00"],
    [123_456_789, "$1,234,567.89"],
  ])("%i cents read %s", { tags: ["spec:9-21"] }, (value, text) => {
    expect(formatUsd(cents(value))).toBe(text);
  });

  test.each([
    [650, { dollars: "6", cents: "50" }],
    [1100, { dollars: "11", cents: "00" }],
    [7, { dollars: "0", cents: "07" }],
    [-105, { dollars: "−1", cents: "05" }],
  ])("the sign of %i cents", (value, parts) => {
    expect(splitPrice(cents(value))).toEqual(parts);
  });
});

describe("isLargeChange", () => {
  test.each([
    [750, 75_000, true],
    [150_000, 1_500, true],
    [650, 1_950, false],
    [650, 1_951, true],
    [1_950, 650, false],
    [1_951, 650, true],
    [650, 0, true],
    [0, 895, false],
    [0, 0, false],
    [650, 650, false],
    [null, 895, false],
    [895, null, false],
  ] as const)("%s → %s: %s", (before, after, expected) => {
    expect(isLargeChange(before, after)).toBe(expected);
  });
});
