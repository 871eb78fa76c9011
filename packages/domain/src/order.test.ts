import { describe, expect, test } from "vitest";

import { calendarDate } from "./calendar-date.ts";
import { canEdit, formatArrives, isNumericOrderId, orderGroup, statusLabel } from "./order-state.ts";
import {
  formatChangeBy,
  formatClock,
  formatCloses,
  newOrderId,
  formatOrderBy,
  orderTransitions,
  timeLeft,
  formatTimeLeft,
  statesBefore,
} from "./order.ts";

const zone = "America/Chicago";

describe("states", () => {
  test("an order is delivered only after its cutoff, and a cancelled one never changes", () => {
    expect(statesBefore(orderTransitions, "closed")).toStrictEqual(["pending"]);
    expect(statesBefore(orderTransitions, "open")).toStrictEqual(["future"]);
    expect(statesBefore(orderTransitions, "future")).toStrictEqual(["open"]);
    expect(statesBefore(orderTransitions, "cancelled")).toStrictEqual(["future", "open", "pending", "closed"]);
    expect(orderTransitions.cancelled).toStrictEqual([]);
  });

  test.each([
    ["open", "Open", "open"],
    ["closed", "Delivered", "completed"],
    ["pending", "Pending", "open"],
    ["future", "Pending", "future"],
    ["cancelled", "Cancelled", "completed"],
    ["something new", "Pending", "open"],
  ])(
    "%s is shown as %s among the %s ones",
    { tags: ["spec:4-25", "spec:4-26", "spec:2.4-53"] },
    (status, label, group) => {
      expect(statusLabel(status)).toBe(label);
      expect(orderGroup(status)).toBe(group);
    },
  );

  const cutoff = new Date("2026-11-25T07:00:00Z");
  test.each([
    ["open", -1, true],
    ["open", 0, false],
    ["open", 1, false],
    ["pending", -1, false],
    ["future", -1, true],
    ["closed", -1, false],
    ["cancelled", -1, false],
  ])(
    "a %s order, %i ms from the cutoff, can be edited: %s",
    { tags: ["spec:2.4-56", "fail:C17"] },
    (status, offset, can) => {
      expect(canEdit(status, cutoff, new Date(cutoff.getTime() + offset))).toBe(can);
    },
  );
});

describe("ids", () => {
  test.each([42, "42", 123_456_789, "9007199254740991"])("%j is one", { tags: ["spec:4-37", "fail:H11"] }, (value) => {
    expect(isNumericOrderId(value)).toBe(true);
  });

  test.each([
    {},
    "1e3",
    -1,
    "-1",
    1.5,
    "1.5",
    "99<script>",
    "",
    " 42",
    "042",
    0,
    "0",
    null,
    undefined,
    [42],
    Number.NaN,
    2 ** 53,
    "9".repeat(16),
    "9".repeat(17),
    "4\n",
  ])("%j is none", { tags: ["fail:H11"] }, (value) => {
    expect(isNumericOrderId(value)).toBe(false);
  });

  test("a new one has nine digits and covers them all", { tags: ["fail:G3"] }, () => {
    expect(newOrderId((min) => min)).toBe(100_000_000);
    expect(newOrderId((_, max) => max - 1)).toBe(999_999_999);
  });
});

describe("the countdown", () => {
  const cutoff = new Date("2026-11-25T07:00:00Z"); // Wednesday 1AM in Chicago

  test.each([
    ["2026-11-22T07:00:00Z", "3 days left to add"],
    ["2026-11-23T07:00:00Z", "2 days left to add"],
    ["2026-11-23T07:00:00.001Z", "1 day left to add"],
    ["2026-11-24T07:00:00Z", "1 day left to add"],
    ["2026-11-24T07:00:00.001Z", "23 hours left"],
    ["2026-11-25T01:00:00Z", "6 hours left"],
    ["2026-11-25T05:59:59Z", "1 hour left"],
    ["2026-11-25T06:00:01Z", "59 minutes left"],
    ["2026-11-25T06:59:59Z", "1 minute left"],
    ["2026-11-25T07:00:00Z", null],
    ["2026-11-26T07:00:00Z", null],
  ])("at %s: %s", { tags: ["spec:2.4-54"] }, (now, words) => {
    expect(formatTimeLeft(new Date(now), cutoff, zone)).toBe(words);
  });

  test("a day of 25 hours is a day, and so is one of 23", () => {
    const autumn = new Date("2026-11-02T07:00:00Z"); // Monday 1AM, the clocks went back on Sunday at 2
    expect(timeLeft(new Date("2026-11-01T06:00:00Z"), autumn, zone)).toEqual({ unit: "day", count: 1 });
    expect(timeLeft(new Date("2026-11-01T07:00:00Z"), autumn, zone)).toEqual({ unit: "day", count: 1 });
    expect(timeLeft(new Date("2026-11-01T06:00:01Z"), autumn, zone)).toEqual({ unit: "hour", count: 24 });
    expect(timeLeft(new Date("2026-11-01T07:00:01Z"), autumn, zone)).toEqual({ unit: "hour", count: 23 });
    const spring = new Date("2027-03-15T06:00:00Z"); // Monday 1AM, the clocks went forward on Sunday at 2
    expect(timeLeft(new Date("2027-03-14T07:00:00Z"), spring, zone)).toEqual({ unit: "day", count: 1 });
    expect(timeLeft(new Date("2027-03-14T07:00:01Z"), spring, zone)).toEqual({ unit: "hour", count: 22 });
  });

  test.each([
    ["2026-11-23T18:00:00Z", "closes at 1AM Wednesday"],
    ["2026-11-24T05:59:59Z", "closes at 1AM Wednesday"], // Monday night
    ["2026-11-24T06:00:00Z", "closes at 1AM tonight"], // Tuesday
    ["2026-11-25T06:30:00Z", "closes at 1AM tonight"],
    ["2026-11-25T07:00:00Z", null],
  ])("at %s: %s", (now, words) => {
    expect(formatCloses(new Date(now), cutoff, zone)).toBe(words);
  });

  test.each([
    ["2026-11-25T11:59:59Z", "closes at 5:59AM tonight"],
    ["2026-11-25T12:00:00Z", "closes at 6AM Wednesday"],
  ])("a day before, a cutoff at %s: %s", (early, words) => {
    expect(formatCloses(new Date("2026-11-24T18:00:00Z"), new Date(early), zone)).toBe(words);
  });

  test.each([
    ["2026-11-25T07:00:00Z", "1AM"],
    ["2026-11-25T06:00:00Z", "12AM"],
    ["2026-11-25T18:30:00Z", "12:30PM"],
    ["2026-11-26T05:05:00Z", "11:05PM"],
  ])("%s is %s", (instant, words) => {
    expect(formatClock(new Date(instant), zone)).toBe(words);
  });

  test("order-by and arrival", { tags: ["spec:9-13", "spec:2.4-55"] }, () => {
    const now = new Date("2026-11-23T18:00:00Z");
    expect(formatOrderBy(cutoff, zone, now)).toBe("1AM Wednesday");
    expect(formatChangeBy(cutoff, zone, now)).toBe("1AM Wednesday, November 25");
    expect(formatArrives(calendarDate("2026-11-26"), calendarDate("2026-11-23"))).toBe("Arrives Thursday, November 26");
    const nextYear = new Date("2027-01-06T07:00:00Z");
    expect(formatChangeBy(nextYear, zone, now)).toBe("1AM Wednesday, January 6, 2027");
    expect(formatArrives(calendarDate("2027-01-07"), calendarDate("2026-12-31"))).toBe(
      "Arrives Thursday, January 7, 2027",
    );
  });

  // Six days before the cutoff its weekday is enough, seven days before it is also today's; by the date in the hub's zone.
  test.each([
    ["2026-11-18T06:00:00Z", "2026-11-25T07:00:00Z", "1AM Wednesday, November 25"], // its own minute, a week before
    ["2026-11-19T05:59:59Z", "2026-11-25T07:00:00Z", "1AM Wednesday, November 25"], // Wednesday night in Chicago
    ["2026-11-19T06:00:00Z", "2026-11-25T07:00:00Z", "1AM Wednesday"], // Thursday
    ["2026-10-28T05:00:00Z", "2026-11-04T07:00:00Z", "1AM Wednesday, November 4"], // clocks go back on November 1
    ["2026-10-29T04:59:59Z", "2026-11-04T07:00:00Z", "1AM Wednesday, November 4"],
    ["2026-10-29T05:00:00Z", "2026-11-04T07:00:00Z", "1AM Wednesday"],
    ["2027-03-11T05:59:59Z", "2027-03-17T06:00:00Z", "1AM Wednesday, March 17"], // clocks go forward on March 14
    ["2027-03-11T06:00:00Z", "2027-03-17T06:00:00Z", "1AM Wednesday"],
    ["2026-12-31T05:59:59Z", "2027-01-06T07:00:00Z", "1AM Wednesday, January 6, 2027"],
    ["2026-12-31T06:00:00Z", "2027-01-06T07:00:00Z", "1AM Wednesday"],
    ["2027-01-01T06:00:00Z", "2027-01-13T07:00:00Z", "1AM Wednesday, January 13"],
  ])("at %s a cutoff at %s is %s", (now, instant, words) => {
    expect(formatOrderBy(new Date(instant), zone, new Date(now))).toBe(words);
    expect(formatCloses(new Date(now), new Date(instant), zone)).toBe(`closes at ${words}`);
  });
});
