import { expect, test } from "vitest";

import type { DayItem, Shortage } from "./api.ts";
import type { Draft } from "./count-form.ts";
import { groupEntries, unsettledOf } from "./list-entries.ts";

const item = (variantId: number, title: string): DayItem => ({
  variantId,
  title,
  unit: null,
  image: null,
  vendor: { id: 1, slug: "cluck", name: "Cluck & Co." },
  each: 7.25,
  ordered: 12,
  frozen: 12,
  boxes: 7,
  left: null,
});
const shortage = (id: number, variantId: number, state: Shortage["state"]): Shortage => ({
  id,
  variantId,
  came: 9,
  of: 15,
  gets: null,
  refundTo: "card",
  bearer: "vendor",
  reason: "",
  state,
  action: null,
  withheld: 0,
  countedBy: "Ada",
  countedAt: "2026-11-26T12:00:00Z",
  settledBy: null,
  settledAt: state === "settled" ? "2026-11-26T12:01:00Z" : null,
  version: 1,
});
const draft = (came: string, over: number | null): Draft => ({
  form: { came, gets: null, refundTo: "card", bearer: "vendor", reason: "" },
  over,
});
const items = [item(1, "Eggs"), item(2, "Rye"), item(3, "Kale"), item(4, "Pears")];

test("list of shortages: counted with what is typed over it, typed alone, held and settled are where they belong", () => {
  const shortages = [shortage(10, 1, "counted"), shortage(11, 2, "held"), shortage(12, 3, "settled")];
  const groups = groupEntries({ items, shortages }, { 1: draft("8", 1), 4: draft("", null) });
  const shown = (entries: typeof groups.held) => entries.map(({ title, came, of }) => [title, came, of]);
  expect([groups.toSettle, groups.held, groups.settled].map(shown)).toEqual([
    [
      ["Eggs", "8", 12],
      ["Pears", "–", 12],
    ],
    [["Rye", 9, 15]],
    [["Kale", 9, 15]],
  ]);
});

test("list of shortages: an item that is counted again opens its new count, and of two settled ones the newest", () => {
  const shortages = [
    shortage(13, 1, "counted"),
    shortage(12, 2, "settled"),
    shortage(11, 2, "settled"),
    shortage(10, 1, "settled"),
  ];
  const { toSettle, settled } = groupEntries({ items, shortages }, {});
  expect([...toSettle, ...settled].map(({ key, opens }) => [key, opens])).toEqual([
    ["13", true],
    ["12", true],
    ["11", false],
    ["10", false],
  ]);
});

test("list of shortages: an item that is gone keeps its row", () => {
  const { toSettle } = groupEntries({ items: [], shortages: [shortage(10, 99, "counted")] }, { 98: draft("1", null) });
  expect(toSettle.map(({ title, of }) => [title, of])).toEqual([["99", 15]]);
});

test("list of shortages: a number that is typed and says that all came is not counted as one to settle", () => {
  const { toSettle } = groupEntries(
    { items, shortages: [shortage(10, 1, "counted")] },
    { 1: draft("12", 1), 2: draft("12", null), 3: draft("", null) },
  );
  expect(unsettledOf(toSettle).map(({ title }) => title)).toEqual(["Eggs", "Kale"]);
});
