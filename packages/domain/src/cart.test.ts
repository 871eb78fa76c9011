import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { mergeCarts, mergeLines, orderBanners, shownBanners, splitItems, subtotals, type CartLine } from "./cart.ts";
import { cents } from "./money.ts";

const line = (variantId: number, quantity: number, bundleId: number | null = null): CartLine => ({
  variantId,
  bundleId,
  quantity,
});

describe("mergeLines", () => {
  test.each([
    [
      [line(1, 1), line(2, 2), line(1, 3)],
      [line(1, 4), line(2, 2)],
    ],
    [
      [line(1, 1), line(1, 1, 7), line(1, 1, 7)],
      [line(1, 1), line(1, 2, 7)],
    ],
    [[], []],
  ])("%j", { tags: ["fail:A2"] }, (lines, merged) => {
    expect(mergeLines(lines)).toEqual(merged);
  });

  test("keeps every unit and every line once", { tags: ["fail:A2"] }, () => {
    const lines = fc.array(
      fc.record({ variantId: fc.nat({ max: 3 }), bundleId: fc.constantFrom(null, 0, 1), quantity: fc.nat({ max: 9 }) }),
    );
    fc.assert(
      fc.property(lines, (given) => {
        const merged = mergeLines(given);
        const units = (of: readonly CartLine[]) => of.reduce((all, { quantity }) => all + quantity, 0);
        expect(units(merged)).toBe(units(given));
        expect(new Set(merged.map(({ variantId, bundleId }) => JSON.stringify([variantId, bundleId]))).size).toBe(
          merged.length,
        );
      }),
    );
  });
});

describe("mergeCarts", () => {
  const inventory = new Map([
    [1, 5],
    [2, 0],
    [3, 100],
  ]);

  test.each([
    ["the guest's is larger", [line(1, 4)], [line(1, 2)], [line(1, 4)], []],
    ["the account's is larger", [line(1, 1)], [line(1, 3)], [line(1, 3)], []],
    ["both are kept", [line(3, 1)], [line(1, 2)], [line(1, 2), line(3, 1)], []],
    ["more than the stock", [line(1, 9)], [line(1, 2)], [line(1, 5)], [1]],
    ["alone and from a bundle share the stock", [line(1, 4, 7)], [line(1, 3)], [line(1, 3), line(1, 2, 7)], [1]],
    ["a bundle's line for which nothing is left goes", [line(1, 4, 7)], [line(1, 5)], [line(1, 5)], [1]],
    ["sold out stays, to be watched", [line(2, 3)], [], [line(2, 3)], []],
    ["not sold here stays, to wait for its hub", [line(9, 3)], [line(9, 1)], [line(9, 3)], []],
    ["above 999", [line(9, 5000)], [], [line(9, 999)], [9]],
    ["nothing", [], [], [], []],
  ])("%s", (_, guest, account, lines, capped) => {
    expect(mergeCarts(guest, account, inventory)).toEqual({ lines, capped });
  });
});

describe("banners", () => {
  const banner = (id: number, type: string) => ({ id, type });
  const ids = (banners: { id: number }[]) => banners.map(({ id }) => id);

  test.each([
    [["other", "information", "warning"], [2, 1, 0], 3],
    [["other", "constructor", "information"], [2, 0, 1], 3],
    [["information", "other", "warning", "warning"], [2, 3, 0, 1], 3],
    [["other"], [0], 1],
    [[], [], 0],
    [["other", "other", "other", "other", "warning"], [4, 0, 1, 2, 3], 3],
  ])("of %j", { tags: ["spec:2.4-23", "spec:9-31"] }, (types, order, shown) => {
    const banners = types.map((type, id) => banner(id, type));
    expect(ids(orderBanners(banners))).toEqual(order);
    expect(ids(shownBanners(banners))).toEqual(order.slice(0, shown));
  });
});

test("items are split into active, watching and pre-orders", { tags: ["spec:2.4-24"] }, () => {
  const item = (watching: boolean, preOrderDate: string | null) => ({
    watching,
    product: { variant: { preOrderDate } },
  });
  const items = [item(false, null), item(true, null), item(false, "2026-12-10"), item(true, "2026-12-10")];
  expect(splitItems(items)).toEqual({ active: [items[0]], watching: [items[1], items[3]], preorders: [items[2]] });
});

describe("subtotals", () => {
  const lines = [
    { quantity: 2, unitCents: cents(650), watching: false, isPublished: true },
    { quantity: 9, unitCents: cents(999), watching: true, isPublished: true },
    { quantity: 9, unitCents: cents(999), watching: false, isPublished: false },
  ];

  test.each([
    [[], 0, 1300],
    [[200], 200, 1100],
    [[200, 100], 300, 1000],
    [[5000], 1300, 0],
  ])(
    "watched and unpublished lines do not count; discounts %j",
    { tags: ["spec:2.4-19"] },
    (amounts, discount, subtotal) => {
      expect(
        subtotals(
          lines,
          amounts.map((amount) => ({ amountCents: cents(amount) })),
        ),
      ).toEqual({
        subtotalBeforeDiscountsCents: 1300,
        discountCents: discount,
        subtotalCents: subtotal,
      });
    },
  );
});
