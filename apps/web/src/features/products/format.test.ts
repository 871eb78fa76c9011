import type { Variant } from "@marketday/contracts/products";
import { expect, test } from "vitest";

import { fullName, unitLine } from "./format.ts";
import { product } from "./product.fixture.ts";

const variant = (change: Partial<Variant> = {}): Variant => ({
  id: 1,
  title: "24 oz",
  size: "24 oz",
  unitPrice: "$0.33 / oz",
  inventory: 20,
  price: 8,
  salePrice: null,
  isSubscribed: false,
  preOrderDate: null,
  ...change,
});

test.for([
  ["a size with a unit price", [variant()], "24 oz · $0.33 / oz"],
  ["a size without one", [variant({ unitPrice: null })], "24 oz"],
  ["a size that the product's title names", [variant({ size: "" })], "$0.33 / oz"],
  ["nothing to say", [variant({ size: "", unitPrice: null })], ""],
  ["two sizes", [variant(), variant({ id: 2 })], "24 oz · $0.33 / oz · 1 more size"],
  [
    "three sizes, few left",
    [variant({ inventory: 3 }), variant(), variant()],
    "24 oz · $0.33 / oz · 2 more sizes · Last 3",
  ],
  ["not sold here", [], ""],
] as const)("the line under the price, %s", ([, variants, line]) => {
  expect(unitLine(product(1, [...variants])).replaceAll("\u00A0", " ")).toBe(line);
});

test("the line under the price never ends between a number and its word", () => {
  const line = unitLine(product(1, [variant({ size: "2 lb, whole bean", inventory: 3 }), variant()]));
  const pieces = "2_lb, whole bean · $0.33_/_oz · 1_more_size · Last_3";
  expect(line.replaceAll("\u00A0", "_")).toBe(pieces);
});

test("a variant is named with its size where the product has several", () => {
  const [one, other] = [variant(), variant({ id: 2, size: "" })];
  expect(fullName(product(1, [one]), one)).toBe("Product 1");
  expect(fullName(product(1, [one, other]), one)).toBe("Product 1, 24 oz");
  expect(fullName(product(1, [one, other]), other)).toBe("Product 1");
});
