import type { Variant } from "@marketday/contracts/products";
import { expect, test } from "vitest";

import { formatHistory, formatOrigin } from "./format-details.ts";
import { formatStock, fullName, ribbonOf, unitLine } from "./format.ts";
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

test("the stock is shown from five down", () => {
  expect([6, 5, 1, 0, -1].map((inventory) => formatStock(variant({ inventory })))).toEqual([
    null,
    "Last 5",
    "Last 1",
    "Sold out",
    "Sold out",
  ]);
});

test("a ribbon: sold out in all sizes before pre-order before what staff say, deals in their own color", () => {
  const [left, none] = [variant(), variant({ id: 2, inventory: 0 })];
  const ribbon = (variants: Variant[], change: object = {}) => ribbonOf({ ...product(1, variants), ...change });
  const staff = { ribbonText: "Try it", ribbonType: "staff-pick" };
  expect([
    ribbon([none], { ...staff, isPreOrder: true }),
    ribbon([none, left], { ...staff, isPreOrder: true }),
    ribbon([left, none], staff),
    ...["staff-flash-sale", "staff-insane-weekly-deal"].map((ribbonType) => ribbon([left], { ...staff, ribbonType })),
    ribbon([left]),
    ribbon([]),
  ]).toEqual([
    { tone: "ink", text: "Sold out" },
    { tone: "beet", text: "Pre-order" },
    { tone: "squash", text: "Try it" },
    { tone: "tomato", text: "Try it" },
    { tone: "tomato", text: "Try it" },
    null,
    null,
  ]);
});

test("how often it was ordered: the product before its stall", () => {
  const history = (previousOrderCount: number, previousVendorOrderCount: number) =>
    formatHistory({ ...product(1), previousOrderCount, previousVendorOrderCount });
  expect([history(1, 9), history(2, 9), history(3, 9), history(0, 1), history(0, 0)]).toEqual([
    "You ordered this once",
    "You ordered this twice",
    "You ordered this 3 times",
    "You ordered from Farm once",
    null,
  ]);
});

test("where it grew: a county is called one once, and the country only where there is no state", () => {
  const origin = (originCounty: string | null, originState: string | null, originCountry: string | null) =>
    formatOrigin({ ...product(1), originCounty, originState, originCountry });
  expect([
    origin("Boone", "Indiana", "USA"),
    origin("Boone County", "Indiana", null),
    origin(null, null, "Peru"),
    origin(null, null, null),
  ]).toEqual(["Boone County, Indiana", "Boone County, Indiana", "Peru", null]);
});
