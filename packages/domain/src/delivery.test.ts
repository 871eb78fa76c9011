import { describe, expect, test } from "vitest";

import { addDays, calendarDate, daysBetween, WEEKDAYS, weekdayOf, type CalendarDate } from "./calendar-date.ts";
import {
  autoCheckoutOf,
  cutoffOf,
  deliveryDayOf,
  deliveryDaysFrom,
  isPastCutoff,
  mayFinish,
  nextOpenDay,
  preOrderDay,
  replanDays,
} from "./delivery.ts";
import { getOrThrow } from "./get-or-throw.ts";
import { addMs, Day, Hour, Minute, msBetween, Week } from "./time.ts";

const ZONES = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
  "America/Phoenix",
  "America/Anchorage",
];
const date = calendarDate;

/** Reads a zone's wall clock by Intl alone: "2026-11-01 01:00". Shares no code with what is tested. */
function wallReader(zone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  return (ms) => format.format(ms);
}

/** Every instant of a span at which a zone's clock first shows 01:00 of a date, found by stepping through the span. */
function firstOneOClocks(zone: string, from: number, to: number, step: number): Map<string, number> {
  const read = wallReader(zone);
  const found = new Map<string, number>();
  for (let ms = from; ms < to; ms += step) {
    const wall = read(ms);
    if (wall.endsWith(" 01:00") && !found.has(wall.slice(0, 10))) found.set(wall.slice(0, 10), ms);
  }
  return found;
}

describe("cutoffOf", () => {
  test("autumn: the first of two one o'clocks", { tags: ["fail:C2"] }, () => {
    const cutoff = cutoffOf(date("2026-11-02"), "America/Chicago");
    expect(cutoff.toISOString()).toBe("2026-11-01T06:00:00.000Z");
    expect(autoCheckoutOf(cutoff).toISOString()).toBe("2026-10-30T18:00:00.000Z");
  });

  test("spring: 36 elapsed hours are 37 on the wall", { tags: ["fail:C3"] }, () => {
    const cutoff = cutoffOf(date("2027-03-16"), "America/Chicago");
    expect(cutoff.toISOString()).toBe("2027-03-15T06:00:00.000Z");
    const due = autoCheckoutOf(cutoff);
    expect(due.toISOString()).toBe("2027-03-13T18:00:00.000Z");
    expect(wallReader("America/Chicago")(due.getTime())).toBe("2027-03-13 12:00");
  });

  test.each([
    ["2026-11-26", "America/New_York", "2026-11-25T06:00:00.000Z"],
    ["2026-07-02", "America/Phoenix", "2026-07-01T08:00:00.000Z"],
    ["2026-07-02", "America/Denver", "2026-07-01T07:00:00.000Z"],
    // 1:00 does not exist: the first instant after the gap
    ["2027-03-29", "Europe/London", "2027-03-28T01:00:00.000Z"],
    ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00.000Z"], // the whole day was skipped
    // half an hour back at 2:00, one o'clock once
    ["2027-04-05", "Australia/Lord_Howe", "2027-04-03T14:00:00.000Z"],
  ])("delivery %s in %s closes at %s", { tags: ["spec:9-13"] }, (day, zone, cutoff) => {
    expect(cutoffOf(date(day), zone).toISOString()).toBe(cutoff);
  });

  test("an unknown zone throws", () => {
    expect(() => cutoffOf(date("2026-11-26"), "America/Nowhere")).toThrow(RangeError);
  });

  test.each(ZONES)(
    "every day of ten years in %s, every weekday among them, as the wall clock shows",
    { tags: ["spec:9-13"] },
    (zone) => {
      const first = date("2026-01-01");
      const clocks = firstOneOClocks(zone, Date.UTC(2025, 11, 30), Date.UTC(2036, 0, 2), Hour.ms);
      const weekdays = new Set<string>();
      for (let offset = 0; offset < 3652; offset += 1) {
        const day = addDays(first, offset);
        weekdays.add(weekdayOf(day));
        expect(cutoffOf(day, zone).getTime(), `${day} ${zone}`).toBe(clocks.get(addDays(day, -1)));
      }
      expect([...weekdays].toSorted()).toEqual([...WEEKDAYS].toSorted());
    },
  );

  test.each(ZONES)("the days round both changes of clocks in %s, minute by minute", (zone) => {
    const changes: CalendarDate[] = ["2026-03-08", "2026-11-01", "2027-03-14", "2027-11-07"].map(date);
    for (const change of changes) {
      const start = Date.parse(`${change}T00:00:00Z`);
      const clocks = firstOneOClocks(zone, start - 2 * Day.ms, start + 2 * Day.ms, Minute.ms);
      for (const offset of [-1, 0, 1]) {
        const day = addDays(change, offset + 1);
        expect(cutoffOf(day, zone).getTime(), `${day} ${zone}`).toBe(clocks.get(addDays(day, -1)));
      }
    }
  });
});

describe("deliveryDaysFrom", () => {
  const zone = "America/Chicago";
  const days = (now: string, closures: CalendarDate[] = [], weeks = 3) =>
    deliveryDaysFrom({ weekday: "Thursday", zone, now: new Date(now), weeks, closures }).map(({ day }) => day);

  test.each([
    ["2026-11-24T18:00:00Z", ["2026-11-26", "2026-12-03", "2026-12-10"]],
    // Wednesday after the cutoff: the day is still to be delivered
    ["2026-11-25T18:00:00Z", ["2026-11-26", "2026-12-03", "2026-12-10"]],
    // Thursday 23:59 in Chicago, already Friday in UTC
    ["2026-11-27T05:59:59Z", ["2026-11-26", "2026-12-03", "2026-12-10"]],
    ["2026-11-27T06:00:00Z", ["2026-12-03", "2026-12-10", "2026-12-17"]],
  ])("at %s", (now, expected) => {
    expect(days(now)).toEqual(expected);
  });

  test("closures are skipped, not moved", () => {
    expect(days("2026-11-24T18:00:00Z", [date("2026-11-26"), date("2026-12-24")])).toEqual([
      "2026-12-03",
      "2026-12-10",
    ]);
  });

  test("delivery days: twelve weeks by default, each with its instants", () => {
    const all = deliveryDaysFrom({ weekday: "Monday", zone, now: new Date("2026-10-26T12:00:00Z") });
    expect(all).toHaveLength(12);
    expect(all[1]).toEqual({
      day: "2026-11-02",
      cutoff: new Date("2026-11-01T06:00:00Z"),
      autoCheckoutAt: new Date("2026-10-30T18:00:00Z"),
    });
  });

  test.each(WEEKDAYS)("%s, from each of seven days", (weekday) => {
    for (let offset = 0; offset < 7; offset += 1) {
      const today = addDays(date("2026-11-22"), offset);
      const days = deliveryDaysFrom({
        weekday,
        zone: "America/New_York",
        now: new Date(`${today}T17:00:00Z`),
        weeks: 1,
      });
      const { day } = getOrThrow(days, 0);
      expect(weekdayOf(day)).toBe(weekday);
      expect(daysBetween(today, day)).toBeGreaterThanOrEqual(0);
      expect(daysBetween(today, day)).toBeLessThan(7);
    }
  });
});

describe("twenty years", () => {
  test.each(ZONES.map((zone, place) => [zone, getOrThrow(WEEKDAYS, place)] as const))(
    "in %s every %s's cutoff comes once",
    (zone, weekday) => {
      const start = new Date("2026-01-01T09:30:00Z");
      const rows = new Map<CalendarDate, Date>();
      const runs: CalendarDate[] = [];
      const weeks = 1044;
      for (let week = 0; week <= weeks; week += 1) {
        const now = addMs(start, week * Week.ms);
        for (const { day, cutoff } of deliveryDaysFrom({ weekday, zone, now })) {
          const stored = rows.get(day);
          if (stored === undefined) rows.set(day, cutoff);
          else expect([day, cutoff]).toEqual([day, stored]);
        }
        // which cutoffs this wake-up finds that the one a week before had not: none may be found twice or slip through
        const before = addMs(now, -Week.ms);
        for (const { day, cutoff } of deliveryDaysFrom({ weekday, zone, now: before, weeks: 3 })) {
          if (week > 0 && isPastCutoff(cutoff, now) && !isPastCutoff(cutoff, before)) runs.push(day);
        }
      }
      const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (const [place, [day, cutoff]] of sorted.entries()) {
        expect(weekdayOf(day)).toBe(weekday);
        const next = sorted[place + 1];
        if (next === undefined) continue;
        expect(daysBetween(day, next[0])).toBe(7);
        expect(Math.abs(msBetween(cutoff, next[1]) - Week.ms)).toBeLessThanOrEqual(Hour.ms);
        // within an hour of each other twice a year, never the same
        expect(next[1].getTime()).toBeGreaterThan(cutoff.getTime());
      }
      expect(new Set(sorted.map(([, cutoff]) => cutoff.getTime())).size).toBe(rows.size);
      const end = addMs(start, weeks * Week.ms);
      const passed = sorted.filter(([, cutoff]) => isPastCutoff(cutoff, end) && !isPastCutoff(cutoff, start));
      expect(runs).toEqual(passed.map(([day]) => day));
      expect(runs.length).toBeGreaterThanOrEqual(weeks - 1);
    },
  );
});

describe("open and closed", () => {
  const cutoff = new Date("2026-11-25T07:00:00Z");
  const days = [
    deliveryDayOf(date("2026-12-03"), "America/Chicago"),
    deliveryDayOf(date("2026-11-26"), "America/Chicago"),
  ];

  test.each([
    [-1, false],
    [0, true],
    [1, true],
  ])("%i ms after the cutoff: past is %s", { tags: ["fail:C17"] }, (offset, past) => {
    expect(isPastCutoff(cutoff, addMs(cutoff, offset))).toBe(past);
    expect(nextOpenDay(days, addMs(cutoff, offset))?.day).toBe(past ? "2026-12-03" : "2026-11-26");
  });

  test("no open day is null", () => {
    expect(nextOpenDay(days, new Date("2026-12-20T00:00:00Z"))).toBeNull();
    expect(nextOpenDay([], cutoff)).toBeNull();
  });

  test.each([
    // started, now (ms from the cutoff), may finish
    [-1, 0, true],
    [-1, 10 * Minute.ms - 1, true],
    [-1, 10 * Minute.ms, false],
    [-5 * Minute.ms, 5 * Minute.ms, true],
    [-5 * Minute.ms, 5 * Minute.ms + 1, false],
    [-Hour.ms, -1, true],
    [-Hour.ms, 0, false],
    [0, 0, false],
    [0, 1, false],
  ])("started at cutoff %i ms, judged at %i ms: %s", (started, now, may) => {
    expect(mayFinish(addMs(cutoff, started), cutoff, addMs(cutoff, now))).toBe(may);
  });
});

describe("pre-orders", () => {
  const days = ["2026-12-10", "2026-11-26", "2026-12-03"].map((day) => deliveryDayOf(date(day), "America/Chicago"));

  test.each([
    ["2026-11-26", "2026-11-26"],
    ["2026-11-27", "2026-12-03"],
    ["2026-12-04", "2026-12-10"],
    ["2026-12-11", undefined],
  ])("for %s is delivered on %s", (wanted, day) => {
    expect(preOrderDay(days, date(wanted))?.day).toBe(day);
  });
});

describe("replanDays", () => {
  const zone = "America/Chicago";
  const now = new Date("2026-11-25T18:00:00Z"); // Wednesday, past Thursday's cutoff
  const stored = deliveryDaysFrom({ weekday: "Thursday", zone, now, weeks: 4 });

  test(
    "days with orders stay, empty future ones are replaced, the closed one is history",
    { tags: ["fail:C19"] },
    () => {
      const wanted = deliveryDaysFrom({ weekday: "Saturday", zone, now, weeks: 3 });
      const plan = replanDays(
        stored.map((day) => ({ ...day, hasOrders: day.day === "2026-12-03" })),
        wanted,
        now,
      );
      expect(plan.remove).toEqual(["2026-12-10", "2026-12-17"]);
      expect(plan.add.map(({ day }) => day)).toEqual(["2026-11-28", "2026-12-05", "2026-12-12"]);
    },
  );

  test("nothing to do when nothing changed", () => {
    expect(
      replanDays(
        stored.map((day) => ({ ...day, hasOrders: false })),
        stored,
        now,
      ),
    ).toEqual({ add: [], remove: [] });
  });

  test("a day past its cutoff is not added", () => {
    expect(replanDays([], stored, now).add.map(({ day }) => day)).toEqual(["2026-12-03", "2026-12-10", "2026-12-17"]);
  });
});
