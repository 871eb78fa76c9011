import type { CartItem } from "@marketday/contracts/cart";
import type { OrderItem } from "@marketday/contracts/orders";
import { expect, test } from "vitest";

import { reorderChanges } from "./reorder.ts";

const item = (id: number, quantity: number, inventory = 50, isPublished = true, fromBundleId: number | null = null) =>
  ({
    quantity,
    isPublished,
    fromBundleId,
    vendor: {},
    product: { id: id * 10, variant: { id, inventory, price: 5, salePrice: null } },
  }) as OrderItem;
const inCart = (id: number, quantity: number, watching = false) =>
  ({ quantity, watching, fromBundleId: null, product: { variant: { id } } }) as CartItem;
const quantities = (...input: Parameters<typeof reorderChanges>) =>
  reorderChanges(...input).map(({ variantId, bundleId, quantity }) => [variantId, bundleId, quantity]);

test("an old order goes on top of the cart, with its add-ons and bundles", { tags: ["spec:3-17"] }, () => {
  const order = { items: [item(1, 2), item(2, 1, 50, true, 7)], addOns: { items: [item(1, 1)], orderTotal: 5 } };
  expect(quantities(order, [])).toEqual([
    [1, null, 3],
    [2, 7, 1],
  ]);
  expect(quantities(order, [inCart(1, 4)])[0]).toEqual([1, null, 7]);
  expect(quantities(order, [inCart(1, 4, true)])[0]).toEqual([1, null, 3]);
});

test("what is not sold today stays out, and nothing goes above the stock", () => {
  const order = { items: [item(1, 2, 0), item(2, 5, 3), item(3, 1, 9, false)], addOns: null };
  expect(quantities(order, [])).toEqual([[2, null, 3]]);
});

test("until the server answers, a line that is ordered again costs today's price, a sale's while there is one", () => {
  const sold = item(1, 2);
  const { product } = sold;
  const onSale = { ...sold, product: { ...product, variant: { ...product.variant, salePrice: 4 } } } as OrderItem;
  const prices = (line: OrderItem) =>
    reorderChanges({ items: [line], addOns: null }, []).map(({ item: { price } }) => price);
  expect([prices(sold), prices(onSale)]).toEqual([[5], [4]]);
});
