import { expect, test } from "vitest";

import { addMs, atOrAfter, Day, Hour, isBefore, Minute, msBetween, Second, Week } from "./time.ts";

test("spans are what their names say", () => {
  expect([Second.ms, Minute.ms, Hour.ms, Day.ms, Week.ms]).toEqual([1000, 60_000, 3_600_000, 86_400_000, 604_800_000]);
});

test("36 hours are elapsed hours, over a change of clocks too", () => {
  const cutoff = new Date("2027-03-15T06:00:00Z");
  const earlier = addMs(cutoff, -36 * Hour.ms);
  expect(earlier.toISOString()).toBe("2027-03-13T18:00:00.000Z");
  expect(cutoff.toISOString()).toBe("2027-03-15T06:00:00.000Z");
  expect(msBetween(earlier, cutoff)).toBe(36 * Hour.ms);
  expect(msBetween(cutoff, earlier)).toBe(-36 * Hour.ms);
});

test.each([
  [-1, true],
  [0, false],
  [1, false],
])("an instant %i ms from another is before it: %s", (offset, before) => {
  const b = new Date("2026-11-01T06:00:00Z");
  const a = addMs(b, offset);
  expect(isBefore(a, b)).toBe(before);
  expect(atOrAfter(a, b)).toBe(!before);
});
