import type { Product, Variant } from "@marketday/contracts/products";
import { expect, test } from "vitest";

import { addableOf } from "./addable.ts";

const variant = (id: number, inventory: number): Variant => ({
  id,
  title: `Size ${id}`,
  inventory,
  price: 5,
  salePrice: null,
  isSubscribed: false,
  preOrderDate: null,
  size: "",
  unitPrice: null,
});
const product = (id: number, variants: Variant[]) => ({ id, variants }) as Product;
const line = (id: number) => ({ product: { id } }) as Parameters<typeof addableOf>[1][number];

test("one of each that can be bought and is not in the cart, in the first size left", () => {
  const products = [
    product(1, [variant(10, 0), variant(11, 4)]),
    product(2, [variant(20, 0)]),
    product(3, []),
    product(4, [variant(40, 9)]),
    product(5, [variant(50, 1)]),
  ];
  const added = addableOf(products, [line(4)]);
  expect(added.map((one) => [one.product.id, one.variant.id])).toEqual([
    [1, 11],
    [5, 50],
  ]);
});
