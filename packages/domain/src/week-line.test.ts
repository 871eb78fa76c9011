import fc from "fast-check";
import { expect, test } from "vitest";

import { addDays, calendarDate, weekdayShort } from "./calendar-date.ts";
import { cutoffOf } from "./delivery.ts";
import { weekLine } from "./week-line.ts";

const zone = "America/Chicago";
const deliveryDate = calendarDate("2026-11-26"); // Thursday
const cutoff = new Date("2026-11-25T07:00:00Z"); // Wednesday 1AM

const words = (now: string) => {
  const dots = weekLine({ now: new Date(now), zone, cutoff, deliveryDate });
  return dots
    .map(({ date, name, kind, isToday, afterGap }) => {
      const label = { orderBy: "Order by", today: "Today", weekday: weekdayShort(date) }[name];
      return `${afterGap ? "~" : ""}${label}:${kind}${isToday ? "*" : ""}`;
    })
    .join(" ");
};

test.each([
  // Monday: the mock's own line
  ["2026-11-23T18:00:00Z", "Sat:past Sun:past Today:today* Tue:ahead Order by:orderBy Thu:delivery Fri:ahead"],
  ["2026-11-21T06:00:00Z", "Today:today* Sun:ahead Mon:ahead Tue:ahead Order by:orderBy Thu:delivery Fri:ahead"],
  // Wednesday half past midnight, then 1AM
  ["2026-11-25T06:30:00Z", "Sat:past Sun:past Mon:past Tue:past Order by:orderBy* Thu:delivery Fri:ahead"],
  ["2026-11-25T07:00:00Z", "Sat:past Sun:past Mon:past Tue:past Today:orderBy* Thu:delivery Fri:ahead"],
  ["2026-11-26T18:00:00Z", "Sat:past Sun:past Mon:past Tue:past Wed:orderBy Today:delivery* Fri:ahead"],
  ["2026-11-27T18:00:00Z", "Sat:past Sun:past Mon:past Tue:past Wed:orderBy Thu:delivery Today:today*"],
  ["2026-11-30T18:00:00Z", "Sat:past Sun:past Mon:past Tue:past Wed:orderBy Thu:delivery Fri:past"],
  // Friday before: a day earlier, no gap; Wednesday before: days left out
  ["2026-11-20T18:00:00Z", "Today:today* Sat:ahead Sun:ahead Mon:ahead Tue:ahead Order by:orderBy Thu:delivery"],
  ["2026-11-18T18:00:00Z", "Today:today* ~Sat:ahead Sun:ahead Mon:ahead Tue:ahead Order by:orderBy Thu:delivery"],
  // 23:30 on Monday in Chicago is Tuesday in UTC
  ["2026-11-24T05:30:00Z", "Sat:past Sun:past Today:today* Tue:ahead Order by:orderBy Thu:delivery Fri:ahead"],
])("at %s: %s", (now, line) => {
  expect(words(now)).toBe(line);
});

test("always seven dots with one delivery and one order-by, ascending, and today until the day after delivery", () => {
  const zones = fc.constantFrom("America/New_York", "America/Chicago", "America/Phoenix", "America/Anchorage");
  fc.assert(
    fc.property(
      zones,
      fc.integer({ min: 0, max: 3650 }),
      fc.integer({ min: 0, max: 20 * 1440 }),
      (inZone, offset, minutes) => {
        const day = addDays(calendarDate("2026-01-01"), offset);
        const closes = cutoffOf(day, inZone);
        const now = new Date(closes.getTime() + 46 * 3_600_000 - minutes * 60_000);
        const dots = weekLine({ now, zone: inZone, cutoff: closes, deliveryDate: day });
        const dates = dots.map(({ date }) => date);
        expect(dots).toHaveLength(7);
        expect(dates).toEqual([...new Set(dates)].toSorted());
        expect(dots.filter(({ kind }) => kind === "delivery").map(({ date }) => date)).toEqual([day]);
        expect(dots.filter(({ kind }) => kind === "orderBy").map(({ date }) => date)).toEqual([addDays(day, -1)]);
        expect(dots.filter(({ isToday }) => isToday)).toHaveLength(1);
        expect(dots.filter(({ name }) => name === "orderBy")).toHaveLength(now < closes ? 1 : 0);
      },
    ),
    { numRuns: 500 },
  );
});
