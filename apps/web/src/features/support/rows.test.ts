import { calendarDate } from "@marketday/domain/calendar-date";
import { expect, test } from "vitest";

import { formatReported, reportRows, tickedRows } from "./rows.ts";

type Item = Parameters<typeof reportRows>[0]["items"][number];
const item = (variantId: number, title: string, quantity: number): Item => ({
  orderId: 1,
  quantity,
  isPublished: true,
  fromBundleId: null,
  product: {
    id: variantId,
    slug: "x",
    title,
    images: [],
    variant: {
      id: variantId,
      title: "Dozen",
      size: "Dozen",
      inventory: 0,
      price: 5,
      salePrice: null,
      preOrderDate: null,
    },
  },
  vendor: { id: 1, slug: "hill", name: "Hill Farm", city: "Carmel", state: "IN", avatar: null },
});
const box = {
  items: [item(7, "Brown Eggs", 2), item(8, "Plum Jam", 1), item(7, "Brown Eggs", 1)],
  addOns: { items: [item(7, "Brown Eggs", 3), item(9, "Duck Eggs", 1)], orderTotal: 20 },
};

test("report: a variant in several lines and add-ons of the box is one row with all of it", () => {
  expect(reportRows(box).map(({ name, about, quantity }) => [name, about, quantity])).toEqual([
    ["Brown Eggs, Dozen", "Dozen · Hill Farm", 6],
    ["Plum Jam, Dozen", "Dozen · Hill Farm", 1],
    ["Duck Eggs, Dozen", "Dozen · Hill Farm", 1],
  ]);
});

test("report: a kept draft ticks no row that the order has no more, and not more of one than it has", () => {
  const draft = [
    { variantId: 7, quantity: 9 },
    { variantId: 8, quantity: 1 },
    { variantId: 4, quantity: 1 },
  ];
  expect([...tickedRows(reportRows(box), draft)]).toEqual([
    [7, 6],
    [8, 1],
  ]);
});

test("report: the order is named by its day and number", () => {
  expect(formatReported({ id: 123_456_789, deliveryDate: "2026-11-26" }, calendarDate("2026-11-28"))).toBe(
    "Order of Thursday, November 26 · #123456789",
  );
});
