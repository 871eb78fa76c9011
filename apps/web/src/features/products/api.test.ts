import { QueryClient } from "@tanstack/react-query";
import { afterAll, expect, test, vi } from "vitest";

import { product } from "./product.fixture.ts";

vi.stubGlobal("document", { getElementById: () => null });
const { cachedProduct, changeProduct, patchProduct } = await import("./api.ts");
afterAll(() => vi.unstubAllGlobals());

test("a product is found in whatever list of its hub has it", () => {
  const client = new QueryClient();
  client.setQueryData(
    ["feed", 4],
    [
      { id: "c1", product: null },
      { id: "c2", product: product(2) },
    ],
  );
  client.setQueryData(["search", 4, "eggs", 1], { products: [product(3)], totalResults: 1 });
  client.setQueryData(["search", 5, "eggs", 1], { products: [product(9)], totalResults: 1 });
  const find = (id: number) => cachedProduct(client, 4, (one) => one.id === id)?.slug;
  expect([2, 3, 9].map(find)).toEqual(["p2", "p3", undefined]);
});

test("a change reaches every list, and leaves the others and their age alone", { tags: ["spec:4-21"] }, () => {
  const client = new QueryClient();
  const before = { products: [product(1), product(2)], totalResults: 2 };
  const other = [product(3)];
  client.setQueryData(["search", 4, "eggs", 1], before, { updatedAt: 1000 });
  client.setQueryData(["collection-page", 4, "dairy", 1], { payload: [product(1)] }, { updatedAt: 2000 });
  client.setQueryData(["favorites", 4, 1], other, { updatedAt: 3000 });
  patchProduct(client, 1, { isFavorite: true });

  const after = client.getQueryData<typeof before>(["search", 4, "eggs", 1]);
  expect(after?.products.map(({ isFavorite }) => isFavorite)).toEqual([true, false]);
  expect(after?.products[1]).toBe(before.products[1]);
  expect(client.getQueryState(["search", 4, "eggs", 1])?.dataUpdatedAt).toBe(1000);
  expect(client.getQueryData(["collection-page", 4, "dairy", 1])).toMatchObject({ payload: [{ isFavorite: true }] });
  expect(client.getQueryData(["favorites", 4, 1])).toBe(other);
});

test("what has no such product stays the very same object", () => {
  for (const data of [null, "text", 4, [1, 2], { cart: { items: [{ id: 1, product: { id: 1, slug: "p1" } }] } }])
    expect(changeProduct(data, 1, { isFavorite: true })).toBe(data);
});
