import fc from "fast-check";
import { expect, test } from "vitest";

import { shareOut } from "./stock.ts";

const sum = (units: readonly number[]): number => units.reduce((all, count) => all + count, 0);
const orders = fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 30 });
const counts = fc.integer({ min: 0, max: 200 });

test.each([
  [9, [1, 5, 1, 5], [1, 4, 1, 3]],
  [3, [2, 2, 2, 2], [1, 1, 1, 0]],
  [5, [1, 4, 2], [1, 2, 2]],
  [0, [3, 1], [0, 0]],
  [9, [3, 1], [3, 1]],
  [4, [], []],
])("shareOut: %i units for boxes that ordered %j give %j", (came, ordered, shares) => {
  expect(shareOut(came, ordered)).toEqual(shares);
});

test("shareOut: shares sum to what came, and are between none and what was ordered", () => {
  fc.assert(
    fc.property(counts, orders, (came, ordered) => {
      const shares = shareOut(came, ordered);
      expect(sum(shares)).toBe(Math.min(came, sum(ordered)));
      expect(shares.every((share, place) => share >= 0 && share <= ordered[place]!)).toBe(true);
    }),
  );
});

test("shareOut: a box that lacks a unit has at most one less than any other, and no less than a younger one", () => {
  fc.assert(
    fc.property(counts, orders, (came, ordered) => {
      const shares = shareOut(came, ordered);
      for (const [place, share] of shares.entries()) {
        if (share === ordered[place]) continue;
        for (const [other, more] of shares.entries())
          expect(more).toBeLessThanOrEqual(other > place ? share : share + 1);
      }
    }),
  );
});

test("shareOut: shared out again after any of the boxes were lowered to their share, the shares are the same", () => {
  const isLowered = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 });
  fc.assert(
    fc.property(counts, orders, isLowered, (came, ordered, lowered) => {
      const shares = shareOut(came, ordered);
      const later = ordered.map((units, place) => (lowered[place] ? shares[place]! : units));
      expect(shareOut(came, later)).toEqual(shares);
    }),
  );
});

test("shareOut: two counts recorded in either order end in the shares of the lower one", () => {
  fc.assert(
    fc.property(counts, counts, orders, (one, two, ordered) => {
      const [less, more] = [Math.min(one, two), Math.max(one, two)];
      const shares = shareOut(less, ordered);
      expect(shareOut(less, shareOut(more, ordered))).toEqual(shares);
      expect(shareOut(more, shares)).toEqual(shares);
    }),
  );
});
