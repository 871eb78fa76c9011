import { expect, test } from "vitest";

import { deviceDay, when } from "./when.ts";

const now = new Date(2030, 5, 20, 12, 0);
const before = (ms: number) => new Date(now.getTime() - ms).toISOString();

test.each([
  ["half a minute", 30_000, "just now"],
  ["a minute", 60_000, "1 minute ago"],
  ["59 minutes", 59 * 60_000, "59 minutes ago"],
  ["23 hours", 23 * 3_600_000, "23 hours ago"],
  ["6 days", 6 * 86_400_000, "6 days ago"],
  ["10 days", 10 * 86_400_000, "Jun 10"],
  ["400 days", 400 * 86_400_000, "May 16, 2029"],
  ["a device whose clock is behind", -60_000, "just now"],
])("when: an instant %s before now reads %s", (_, ms, words) => {
  expect(when(before(ms), now)).toBe(words);
});

test("the day of an instant is that of the device", () => {
  expect(deviceDay(new Date(2031, 0, 2, 0, 5))).toBe("2031-01-02");
  expect(deviceDay(new Date(2031, 0, 2, 23, 55))).toBe("2031-01-02");
});
