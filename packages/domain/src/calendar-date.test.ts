import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  addDays,
  calendarDate,
  dateFromUtc,
  dateInZone,
  dateToUtc,
  dayOfMonth,
  daysBetween,
  formatDay,
  formatLong,
  formatLongWithYear,
  formatShort,
  formatWeekday,
  isCalendarDate,
  isNear,
  isTimeZone,
  isWeekday,
  wallClock,
  weekdayBefore,
  weekdayOf,
  weekdayShort,
  WEEKDAYS,
} from "./calendar-date.ts";

const someDate = fc.integer({ min: -30_000, max: 60_000 }).map((days) => addDays(calendarDate("2026-01-01"), days));

describe("calendarDate", () => {
  test.each(["2026-11-26", "2028-02-29", "2000-02-29", "0001-01-01", "9999-12-31"])("takes %s", (text) => {
    expect(calendarDate(text)).toBe(text);
    expect(isCalendarDate(text)).toBe(true);
  });

  test.each([
    "2026-02-30",
    "2027-02-29",
    "1900-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-1-1",
    "26-01-01",
    "",
    "2026-01-01T00:00:00Z",
    " 2026-01-01",
    "2026-01-32",
    "0000-01-01",
  ])("refuses %j", (text) => {
    expect(() => calendarDate(text)).toThrow(RangeError);
    expect(isCalendarDate(text)).toBe(false);
  });
});

describe("arithmetic", () => {
  test.each([
    ["2026-11-26", 7, "2026-12-03"],
    ["2026-03-01", -1, "2026-02-28"],
    ["2028-03-01", -1, "2028-02-29"],
    ["2026-12-31", 1, "2027-01-01"],
    ["2026-11-01", 0, "2026-11-01"],
  ])("%s + %i days = %s", (date, days, result) => {
    expect(addDays(calendarDate(date), days)).toBe(result);
    expect(daysBetween(calendarDate(date), calendarDate(result))).toBe(days);
  });

  test("refuses half days", () => {
    expect(() => addDays(calendarDate("2026-01-01"), 0.5)).toThrow(RangeError);
  });

  test("adding and counting agree, text order is date order, seven days keep the weekday", () => {
    fc.assert(
      fc.property(someDate, fc.integer({ min: -4000, max: 4000 }), (date, days) => {
        const other = addDays(date, days);
        expect(daysBetween(date, other)).toBe(days);
        expect(addDays(other, -days)).toBe(date);
        expect(other > date).toBe(days > 0);
        expect(weekdayOf(addDays(date, 7))).toBe(weekdayOf(date));
        expect(WEEKDAYS.indexOf(weekdayOf(addDays(date, 1)))).toBe((WEEKDAYS.indexOf(weekdayOf(date)) + 1) % 7);
      }),
    );
  });

  test("dates go to and from a date column", () => {
    expect(dateToUtc(calendarDate("2026-11-26")).toISOString()).toBe("2026-11-26T00:00:00.000Z");
    expect(dateFromUtc(new Date("2026-11-26T00:00:00Z"))).toBe("2026-11-26");
  });
});

describe("words", () => {
  test.each([
    ["2026-11-26", "Thursday", "Thu", 26, "Thursday, November 26", "Thu, Nov 26", "Nov 26"],
    ["2026-11-01", "Sunday", "Sun", 1, "Sunday, November 1", "Sun, Nov 1", "Nov 1"],
    ["2027-05-08", "Saturday", "Sat", 8, "Saturday, May 8", "Sat, May 8", "May 8"],
  ])("%s", (text, weekday, short, day, long, brief, monthDay) => {
    const date = calendarDate(text);
    expect([weekdayOf(date), weekdayShort(date), dayOfMonth(date)]).toEqual([weekday, short, day]);
    expect([formatLong(date, date), formatShort(date, date), formatDay(date, date)]).toEqual([long, brief, monthDay]);
    const year = date.slice(0, 4);
    expect(formatLongWithYear(date)).toBe(`${long}, ${year}`);
    // Any day of another year, before or after: with the year.
    for (const today of [calendarDate(`${Number(year) - 1}-12-31`), calendarDate(`${Number(year) + 1}-01-01`)])
      expect([formatLong(date, today), formatShort(date, today), formatDay(date, today)]).toEqual([
        `${long}, ${year}`,
        `${brief}, ${year}`,
        `${monthDay}, ${year}`,
      ]);
  });

  test.each([
    ["2026-11-25", 0, "Wednesday"],
    ["2026-11-25", 1, "Thursday"],
    ["2026-11-25", 6, "Tuesday"],
    ["2026-11-25", 7, "Wednesday, December 2"],
    ["2026-11-25", -6, "Thursday"],
    ["2026-11-25", -7, "Wednesday, November 18"],
    ["2026-12-30", 6, "Tuesday"],
    ["2026-12-30", 7, "Wednesday, January 6, 2027"],
    ["2027-01-05", -6, "Wednesday"],
    ["2027-01-05", -7, "Tuesday, December 29, 2026"],
    // Both clock changes of the United States are in between.
    ["2026-10-28", 7, "Wednesday, November 4"],
    ["2026-10-29", 6, "Wednesday"],
    ["2027-03-10", 7, "Wednesday, March 17"],
    ["2027-03-11", 6, "Wednesday"],
  ])("on %s a day %i days away is %s", (today, days, words) => {
    expect(formatWeekday(addDays(calendarDate(today), days), calendarDate(today))).toBe(words);
  });

  test("two near days have different weekdays, and a far one has its date", () => {
    fc.assert(
      fc.property(someDate, fc.integer({ min: -400, max: 400 }), (today, days) => {
        const date = addDays(today, days);
        expect(isNear(date, today)).toBe(Math.abs(days) < 7);
        expect(formatWeekday(date, today)).toBe(Math.abs(days) < 7 ? weekdayOf(date) : formatLong(date, today));
      }),
    );
  });

  test("weekdays are English and spelled out", () => {
    expect(isWeekday("Thursday")).toBe(true);
    expect(isWeekday("thursday")).toBe(false);
    expect(isWeekday("Thu")).toBe(false);
  });
});

describe("zones", () => {
  test.each([
    ["2026-11-01T04:59:59Z", "America/Chicago", "2026-10-31"],
    ["2026-11-01T05:00:00Z", "America/Chicago", "2026-11-01"],
    ["2026-11-02T05:59:59Z", "America/Chicago", "2026-11-01"],
    ["2026-07-01T06:59:59Z", "America/Phoenix", "2026-06-30"],
    ["2026-07-01T07:00:00Z", "America/Phoenix", "2026-07-01"],
    ["2026-12-31T23:00:00Z", "Pacific/Apia", "2027-01-01"],
    ["2026-01-01T08:00:00Z", "America/Anchorage", "2025-12-31"],
  ])("%s in %s is %s", (instant, zone, date) => {
    expect(dateInZone(new Date(instant), zone)).toBe(date);
  });

  test("the wall clock shows an hour twice in autumn", () => {
    const first = wallClock(new Date("2026-11-01T06:30:00.250Z"), "America/Chicago");
    expect(first).toEqual({ date: "2026-11-01", timeOfDayMs: 5_400_250 });
    expect(wallClock(new Date("2026-11-01T07:30:00.250Z"), "America/Chicago")).toEqual(first);
    expect(wallClock(new Date("2026-11-01T05:00:00Z"), "America/Chicago").timeOfDayMs).toBe(0);
  });

  test("time zone: an unknown one is rejected by name", () => {
    expect(isTimeZone("America/Chicago")).toBe(true);
    expect(isTimeZone("America/Nowhere")).toBe(false);
    expect(() => dateInZone(new Date(0), "America/Nowhere")).toThrow(RangeError);
  });
});

test("the weekday before is that of the date before", () => {
  expect([weekdayBefore("Thursday"), weekdayBefore("Sunday")]).toEqual(["Wednesday", "Saturday"]);
  fc.assert(fc.property(someDate, (date) => weekdayBefore(weekdayOf(date)) === weekdayOf(addDays(date, -1))));
});
