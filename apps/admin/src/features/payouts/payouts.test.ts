import { expect, test } from "vitest";

import { dayOf, type DuePayout, withDay } from "./api.ts";
import { amountsOf, isOther, otherOf } from "./format.ts";

const line = (id: number, due: number): DuePayout["lines"][number] => ({
  vendor: { id, slug: `vendor-${id}`, name: `Vendor ${id}`, email: null },
  sales: Math.max(due, 0),
  commission: 0,
  compensation: 0,
  earlier: Math.min(due, 0),
  due,
});
const due = (lines: DuePayout["lines"], to = "2026-11-26"): DuePayout => ({
  to,
  today: "2026-11-28",
  lines,
  vendors: lines.length,
  total: 0,
  openDays: 0,
  last: null,
});

test("amounts of a payout: those above zero are sent, as they were shown", () => {
  expect(amountsOf(due([line(3, 642.02), line(4, -2.29), line(5, 0.1)]))).toEqual([
    { vendorId: 3, amount: 642.02 },
    { vendorId: 5, amount: 0.1 },
  ]);
});

test.each([
  ["the same amounts", due([line(3, 1), line(4, -2)]), false],
  ["what is carried over alone has changed", due([line(3, 1), line(4, -7)]), false],
  ["another amount", due([line(3, 1.01), line(4, -2)]), true],
  ["another vendor", due([line(3, 1), line(4, -2), line(5, 1)]), true],
  ["another last day", due([line(3, 1), line(4, -2)], "2026-11-27"), true],
])("amounts that were read again: %s", (_, newest, expected) => {
  expect(isOther(due([line(3, 1), line(4, -2)]), newest)).toBe(expected);
});

test("other amounts of a vendor: cents add up exactly", () => {
  expect(otherOf({ compensation: 0.1, earlier: 0.2 })).toBe(0.3);
});

test.each([
  ["", null],
  ["?to=2026-11-26", "2026-11-26"],
  ["?to=2026-02-30", null],
  ["?to=tomorrow", null],
])("day of the address: %o is %o", (search, day) => {
  expect(dayOf(search)).toBe(day);
});

test("address with another day: what else is in it stays", () => {
  const day = dayOf("?to=2026-11-26");
  expect(withDay("/admin/payouts", "?hub=carmel", day)).toBe("/admin/payouts?hub=carmel&to=2026-11-26");
  expect(withDay("/admin/payouts", "?to=2026-11-26", null)).toBe("/admin/payouts");
});
