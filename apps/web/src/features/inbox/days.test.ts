import { expect, test } from "vitest";

import { byDay } from "./days.ts";

/** Local times, as the reader's clock has them. */
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).toISOString();
const messageAt = (created: string) => ({ sender: "C" as const, created, message: created });
const now = new Date(2026, 10, 23, 18);

test("messages are grouped by day, oldest first", { tags: ["spec:3-30"] }, () => {
  const messages = [at(3, 9), at(3, 23), at(22, 0), at(22, 23), at(23, 0), at(23, 17)].map(messageAt);
  expect(byDay(messages, now).map(({ day, messages: of }) => [day, of.length])).toEqual([
    ["Tuesday, November 3", 2],
    ["Yesterday", 2],
    ["Today", 2],
  ]);
});

test("a day of another year includes the year", () => {
  const [only] = byDay([messageAt(new Date(2025, 11, 31, 12).toISOString())], now);
  expect(only?.day).toBe("Wednesday, December 31, 2025");
});

test("an empty thread has no days", () => {
  expect(byDay([], now)).toEqual([]);
});
