import { expect, test } from "vitest";

import { formatShopNote, weekOf } from "./hub-week.ts";

const hub = {
  timeZone: "America/Indiana/Indianapolis",
  nextDeliveryDate: "2026-12-03", // Thursday
  cutoff: "2026-12-02T06:00:00.000Z", // Wednesday, 1AM
};

const wordsAt = (now: string, cycle: Parameters<typeof weekOf>[0] = hub) => {
  const week = weekOf(cycle, new Date(now))!;
  const { heading, sentence } = formatShopNote(week, "Carmel market", "$8.95");
  return [week.orderByShort, heading, sentence.join("").replaceAll("\u00A0", " ")];
};

test.each([
  // Wednesday, a quarter of an hour after the last cutoff: both weekdays have a nearer day of their name.
  [
    "2026-11-25T06:15:00Z",
    "1AM Dec 2",
    "December 3’s market is open",
    "Fill the wagon by 1AM Wednesday, December 2. It reaches your door Thursday, December 3, $8.95 flat.",
  ],
  // Thursday: the cutoff is six days away, the delivery seven.
  [
    "2026-11-26T05:00:00Z",
    "1AM Wed",
    "December 3’s market is open",
    "Fill the wagon by 1AM Wednesday. It reaches your door Thursday, December 3, $8.95 flat.",
  ],
  [
    "2026-11-27T05:00:00Z",
    "1AM Wed",
    "Thursday’s market is open",
    "Fill the wagon by 1AM Wednesday. It reaches your door Thursday, $8.95 flat.",
  ],
  [
    "2026-12-02T06:00:00Z",
    "1AM Wed",
    "Carmel market",
    "Orders closed at 1AM Wednesday. The wagon is on its way for Thursday.",
  ],
])("at %s the chip, the heading and the sentence name the days without doubt", (now, chip, heading, sentence) => {
  expect(wordsAt(now)).toEqual([chip, heading, sentence]);
});

test("the sentence never ends a line between a month and its day", () => {
  const { sentence } = formatShopNote(weekOf(hub, new Date("2026-11-25T06:15:00Z"))!, "Carmel market", "$8.95");
  expect(sentence.join("").replaceAll("\u00A0", "_")).toBe(
    "Fill the wagon by 1AM Wednesday, December_2. It reaches your door Thursday, December_3, $8.95 flat.",
  );
  const late = { ...hub, nextDeliveryDate: "2027-01-07", cutoff: "2027-01-06T06:00:00.000Z" };
  const nextYear = formatShopNote(weekOf(late, new Date("2026-12-30T12:00:00Z"))!, "Carmel market", "$8.95").sentence;
  // The year may be on the next line, as large text needs.
  expect(nextYear.join("").replaceAll("\u00A0", "_")).toContain("Thursday, January_7, 2027, $8.95 flat.");
});

test("a market that comes in another year has the year", () => {
  const cycle = { ...hub, nextDeliveryDate: "2027-01-07", cutoff: "2027-01-06T06:00:00.000Z" };
  expect(wordsAt("2026-12-30T12:00:00Z", cycle)).toEqual([
    "1AM Jan 6, 2027",
    "January 7’s market is open",
    "Fill the wagon by 1AM Wednesday, January 6, 2027. It reaches your door Thursday, January 7, 2027, $8.95 flat.",
  ]);
});

test("a market without a day ahead has no week", () => {
  expect(weekOf({ ...hub, cutoff: null }, new Date())).toBeNull();
});
