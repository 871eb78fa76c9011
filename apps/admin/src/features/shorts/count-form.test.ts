import { expect, test } from "vitest";

import type { Share } from "./api.ts";
import { adjustBox, applyShares, type CountForm, isSameForm, parseCame, unitsLeft } from "./count-form.ts";

test.each([
  ["9", 9],
  [" 9 ", 9],
  ["0", 0],
  ["12", 12],
  ["13", "more"],
  ["", "empty"],
  [" ", "empty"],
  ["9.5", "invalid"],
  ["-1", "invalid"],
  ["nine", "invalid"],
])("units that came: %j of 12 is %j", (text, parsed) => {
  expect(parseCame(text, 12)).toBe(parsed);
});

/** Boxes, the oldest first, that ordered so many. */
const ordering = (...ordered: number[]): Share[] =>
  ordered.map((units, place) => ({
    boxId: place + 1,
    tote: place + 1,
    name: "Anna",
    placedAt: "2026-11-24T12:00:00Z",
    isSubscription: false,
    ordered: units,
    gets: units,
    cardName: null,
    money: null,
  }));
const getsOf = (boxes: { gets: number }[]) => boxes.map(({ gets }) => gets);

test("shares by the rule: each box gets one before any gets two, the oldest first, whatever the last plan was", () => {
  const shares = ordering(3, 1, 2, 1);
  expect(getsOf(applyShares(shares, 5, null))).toEqual([2, 1, 1, 1]);
  expect(getsOf(applyShares(shares, 3, null))).toEqual([1, 1, 1, 0]);
  expect(getsOf(applyShares(shares, 0, null))).toEqual([0, 0, 0, 0]);
});

test("shares by hand: one box less leaves a unit to give, to another box none, and one more is too many", () => {
  const shares = ordering(3, 1, 2);
  const less = adjustBox(applyShares(shares, 4, null), 1, -1);
  expect(less).toEqual({ 1: 1, 2: 1, 3: 1 });
  const boxes = applyShares(shares, 4, less);
  expect(unitsLeft(boxes, 4)).toBe(1);
  const given = applyShares(shares, 4, adjustBox(boxes, 3, 1));
  expect([getsOf(given), unitsLeft(given, 4)]).toEqual([[1, 1, 2], 0]);
  expect(unitsLeft(applyShares(shares, 4, adjustBox(given, 1, 1)), 4)).toBe(-1);
});

test("shares by hand: no box gets less than none or more than it ordered", () => {
  const boxes = applyShares(ordering(1, 2), 2, null);
  expect(adjustBox(boxes, 1, 1)).toEqual({ 1: 1, 2: 1 });
  expect(adjustBox(boxes, 1, -5)).toEqual({ 1: 0, 2: 1 });
});

test("shares by hand: a box that came since has what it ordered", () => {
  expect(getsOf(applyShares(ordering(2, 1, 4), 2, { 1: 1, 2: 1 }))).toEqual([1, 1, 4]);
});

test("a form is the same whatever the order of its boxes and spaces, and another with another number, bearer or box", () => {
  const form: CountForm = { came: "9", gets: { 2: 1, 10: 3 }, refundTo: "card", bearer: "vendor", reason: "" };
  expect(isSameForm(form, { ...form, came: " 9", gets: { 10: 3, 2: 1 }, reason: " " })).toBe(true);
  for (const change of [{ came: "8" }, { gets: null }, { gets: { 2: 2, 10: 2 } }, { bearer: "market" }] as const)
    expect(isSameForm(form, { ...form, ...change })).toBe(false);
});
