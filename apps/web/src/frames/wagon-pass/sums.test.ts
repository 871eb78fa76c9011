import { expect, test } from "vitest";

import { breakEven, yearlySaving } from "./sums.ts";

test("a year costs $27.45 less than twelve months", { tags: ["spec:1-03"] }, () => {
  expect(yearlySaving).toBe(2745);
});

test("the pass pays off with the delivery that makes the fees as much as it costs", () => {
  expect(breakEven(1395, 895)).toBe(2);
  expect(breakEven(13_995, 895)).toBe(16);
  expect(breakEven(1395, 1395)).toBe(1);
  expect(breakEven(1395, 1394)).toBe(2);
  // A market that delivers for nothing has no fee to count with.
  expect(breakEven(1395, null)).toBe(2);
});
