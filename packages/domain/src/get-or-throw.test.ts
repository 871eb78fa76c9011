import { expect, test } from "vitest";

import { getOrThrow } from "./get-or-throw.ts";

test("gives what is there, even when it is null or empty", () => {
  expect([getOrThrow(["a", ""], 1), getOrThrow([null], 0), getOrThrow("ab", 1)]).toEqual(["", null, "b"]);
});

test.each([-1, 1, 0.5])("throws at place %d of one", (place) => {
  expect(() => getOrThrow(["a"], place)).toThrow(RangeError);
});
