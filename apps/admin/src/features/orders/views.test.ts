import { expect, test } from "vitest";

import type { DayBox } from "./api.ts";
import { countViews, filterBoxes, sumBoxes, viewOf, withFilter } from "./views.ts";

function box(orderId: number, changes: Partial<DayBox> = {}): DayBox {
  return {
    orderId,
    tote: orderId % 100,
    name: "Anna Castillo",
    status: "packing",
    units: 3,
    place: "Carmel",
    isPickup: false,
    driver: 1,
    stop: 2,
    total: 10.1,
    money: { state: "paid", amount: 10.1 },
    hasNotes: false,
    ...changes,
  };
}
const boxes = [
  box(397_120_814, { name: "Flóra Evans" }),
  box(397_120_822, { money: { state: "due", amount: 31.2 } }),
  box(500_000_014, { money: { state: "declined", amount: 40.95 }, name: "" }),
  box(500_000_023, { status: "cancelled", money: { state: "due", amount: 7 } }),
];
const found = (text: string, view = viewOf(null)) => filterBoxes(boxes, view, text).map(({ orderId }) => orderId);

test("boxes: the views filter by money and state, and a cancelled box is in no view of money", () => {
  expect(countViews(boxes)).toEqual({ all: 4, due: 1, declined: 1, cancelled: 1 });
  expect(found("", "due")).toEqual([397_120_822]);
  expect([viewOf("declined"), viewOf("nonsense")]).toEqual(["declined", "all"]);
});

test.each([
  ["flora", [397_120_814]],
  ["EVANS ", [397_120_814]],
  ["14", [397_120_814, 500_000_014]],
  ["397 120", [397_120_814, 397_120_822]],
  ["#500000023", [500_000_023]],
  ["39", []],
  ["<img src=x>", []],
])("boxes: the text %j finds by name, tote or the beginning of a number", (text, ids) => {
  expect(found(text)).toEqual(ids);
});

test("boxes: sums are of boxes that are not cancelled, exact to the cent", () => {
  expect(sumBoxes(boxes)).toEqual({ boxes: 3, cancelled: 1, total: 30.3, due: 31.2 });
});

test("boxes: the address holds the filter and keeps what else is in it", () => {
  expect(withFilter("/admin", "?hub=carmel", { view: "due", text: "Anna & Ben" })).toBe(
    "/admin?hub=carmel&show=due&q=Anna+%26+Ben",
  );
  expect(withFilter("/admin", "?hub=carmel&show=due&q=x", { view: "all", text: " " })).toBe("/admin?hub=carmel");
});
