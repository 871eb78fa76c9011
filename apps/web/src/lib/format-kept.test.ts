import { expect, test } from "vitest";

import { formatKept } from "./format-kept.ts";

test.each([
  ["2026-11-18T22:04:00Z", "Wednesday, November 18 at 5:04PM"],
  ["2026-11-19T22:04:00Z", "Thursday at 5:04PM"],
  ["2025-11-19T22:04:00Z", "Wednesday, November 19, 2025 at 5:04PM"],
])("on Wednesday, November 25, 2026, a page kept at %s is of %s", (at, words) => {
  expect(formatKept(new Date(at), new Date("2026-11-25T18:00:00Z"), "America/Indiana/Indianapolis")).toBe(words);
});
