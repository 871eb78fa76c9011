import { expect, test } from "vitest";

import { counted, formatCount, formatScore } from "./numbers.ts";

test("a score has one decimal, also a whole one and none at all", { tags: ["spec:2.4-46"] }, () => {
  expect([0, 4, 4.04, 4.05, 4.25, 4.35, 4.649, 5].map(formatScore)).toEqual([
    "0.0",
    "4.0",
    "4.0",
    "4.1",
    "4.3",
    "4.4",
    "4.6",
    "5.0",
  ]);
});

test("counts are grouped and agree with their word", () => {
  expect(formatCount(12_840)).toBe("12,840");
  expect([0, 1, 2].map((count) => counted(count, "follower"))).toEqual(["0 followers", "1 follower", "2 followers"]);
});
