import { expect, test } from "vitest";

import { pickProducts } from "./shop.ts";

const product = (id: number, ...inventories: number[]) => ({
  id,
  variants: inventories.map((inventory) => ({ inventory })),
});

test("picked for this week: staff picks and trending products first, sold-out products last, each product once", () => {
  const picked = pickProducts([
    { type: "new-product", product: product(1, 4) },
    { type: "staff-pick", product: product(2, 0) },
    { type: "new-vendor", product: null },
    { type: "staff-trending", product: product(3, 0, 1) },
    { type: "restock", product: product(3, 0, 1) },
    { type: "staff-pick", product: product(4) },
    { type: "staff-pick", product: product(5, 2) },
  ]);
  expect(picked.map(({ id }) => id)).toEqual([3, 5, 1, 2]);
});

test("picked for this week: the first twelve products of a longer feed", () => {
  const feed = Array.from({ length: 14 }, (_, place) => ({ type: "new-product", product: product(place + 1, 1) }));
  expect(pickProducts(feed).map(({ id }) => id)).toEqual(feed.slice(0, 12).map(({ product: { id } }) => id));
});
