import { expect, test } from "vitest";

import { ago } from "./ago.ts";

test.each([
  ["2027-01-20T11:59:30Z", "just now"],
  ["2027-01-20T11:59:00Z", "1 minute ago"],
  ["2027-01-20T10:00:00Z", "2 hours ago"],
  ["2027-01-14T12:00:00Z", "6 days ago"],
  ["2027-01-13T12:00:00Z", "Jan 13"],
  ["2026-12-20T12:00:00Z", "Dec 20, 2026"],
])("on January 20, 2027, at noon %s is %s", (instant, words) => {
  expect(ago(instant, new Date("2027-01-20T12:00:00Z"))).toBe(words);
});
