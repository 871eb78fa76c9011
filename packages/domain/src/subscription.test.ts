import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { addDays, calendarDate, daysBetween, type CalendarDate } from "./calendar-date.ts";
import { dueFrom, isDue, isIntervalWeeks, nextDue } from "./subscription.ts";

const date = (text: string | null) => (text === null ? null : calendarDate(text));

describe("isDue", { tags: ["fail:C16"] }, () => {
  test.each([
    // day, interval, last day, skipped, paused until, due
    ["2026-11-26", 1, null, null, null, true],
    ["2026-11-26", 4, null, null, null, true],
    ["2026-11-26", 1, "2026-11-19", null, null, true],
    ["2026-11-25", 1, "2026-11-19", null, null, false],
    ["2026-11-26", 2, "2026-11-19", null, null, false],
    ["2026-12-03", 2, "2026-11-19", null, null, true],
    ["2026-12-10", 2, "2026-11-19", null, null, true], // later than the first chance still counts
    ["2026-12-17", 4, "2026-11-19", null, null, true],
    ["2026-12-16", 4, "2026-11-19", null, null, false],
    // the weekday moved from Thursday to Saturday
    ["2026-11-28", 1, "2026-11-19", null, null, true],
    // skipping counts as taken
    ["2026-11-26", 1, "2026-11-19", "2026-11-26", null, false],
    ["2026-12-03", 1, "2026-11-19", "2026-11-26", null, true],
    ["2026-12-03", 2, null, "2026-11-26", null, false],
    ["2026-12-10", 2, "2026-11-26", "2026-11-12", null, true], // the later of both
    // pause
    ["2026-12-03", 1, "2026-11-19", null, "2026-12-04", false],
    ["2026-12-04", 1, "2026-11-19", null, "2026-12-04", true],
    ["2026-12-03", 1, null, null, "2026-12-10", false],
    ["2026-12-10", 4, "2026-12-03", null, "2026-12-10", false],
    // over changes of clocks, month ends, a leap day
    ["2026-11-05", 1, "2026-10-29", null, null, true],
    ["2027-03-18", 1, "2027-03-11", null, null, true],
    ["2028-03-07", 1, "2028-02-29", null, null, true],
    ["2028-02-29", 4, "2028-02-01", null, null, true],
    ["2028-02-28", 4, "2028-02-01", null, null, false],
  ])(
    "%s every %i weeks after %s, skipped %s, paused until %s: %s",
    (day, intervalWeeks, last, skipped, paused, due) => {
      const subscription = { intervalWeeks, lastDay: date(last), skippedDay: date(skipped), pausedUntil: date(paused) };
      expect(isDue(calendarDate(day), subscription)).toBe(due);
    },
  );

  test("ten years of weeks come exactly every n weeks, by an independent calendar", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 4 }), (offset, intervalWeeks) => {
        const first = addDays(calendarDate("2026-01-04"), offset);
        let lastDay: CalendarDate | null = null;
        const taken: CalendarDate[] = [];
        for (let week = 0; week < 522; week += 1) {
          const day = addDays(first, 7 * week);
          if (isDue(day, { intervalWeeks, lastDay })) {
            taken.push(day);
            lastDay = day;
          }
        }
        const expected: string[] = [];
        const cursor = new Date(`${first}T12:00:00Z`);
        while (expected.length < Math.ceil(522 / intervalWeeks)) {
          expected.push(cursor.toISOString().slice(0, 10));
          cursor.setUTCDate(cursor.getUTCDate() + 7 * intervalWeeks);
        }
        expect(taken).toEqual(expected);
      }),
      { numRuns: 28 },
    );
  });

  test("once due it stays due until taken, skipped or paused", () => {
    const days = fc.integer({ min: 0, max: 3650 }).map((offset) => addDays(calendarDate("2026-01-01"), offset));
    const maybe = fc.option(days, { nil: null });
    fc.assert(
      fc.property(
        days,
        fc.integer({ min: 1, max: 4 }),
        maybe,
        maybe,
        maybe,
        (day, intervalWeeks, lastDay, skippedDay, pausedUntil) => {
          const subscription = { intervalWeeks, lastDay, skippedDay, pausedUntil };
          const bars = [lastDay, skippedDay]
            .filter((taken) => taken !== null)
            .map((taken) => daysBetween(taken, day) >= 7 * intervalWeeks);
          const expected = bars.every(Boolean) && (pausedUntil === null || daysBetween(pausedUntil, day) >= 0);
          expect(isDue(day, subscription)).toBe(expected);
          if (expected) expect(isDue(addDays(day, 1), subscription)).toBe(true);
          expect(isDue(day, { ...subscription, skippedDay: day })).toBe(false);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

test("the next day among the hub's", () => {
  const days = ["2026-12-10", "2026-11-26", "2026-12-03"].map(calendarDate);
  expect(nextDue(days, { intervalWeeks: 1, lastDay: null })).toBe("2026-11-26");
  expect(nextDue(days, { intervalWeeks: 2, lastDay: calendarDate("2026-11-19") })).toBe("2026-12-03");
  expect(nextDue(days, { intervalWeeks: 4, lastDay: calendarDate("2026-11-19") })).toBeNull();
  expect(dueFrom({ intervalWeeks: 4, lastDay: calendarDate("2026-11-19") })).toBe("2026-12-17");
  expect(dueFrom({ intervalWeeks: 4, lastDay: null })).toBeNull();
});

test.each([
  [0, false],
  [1, true],
  [4, true],
  [5, false],
  [1.5, false],
  [Number.NaN, false],
])("%d weeks may be chosen: %s", { tags: ["spec:4-13"] }, (weeks, ok) => {
  expect(isIntervalWeeks(weeks)).toBe(ok);
  const due = () => dueFrom({ intervalWeeks: weeks, lastDay: null });
  if (ok) expect(due()).toBeNull();
  else expect(due).toThrow(RangeError);
});
