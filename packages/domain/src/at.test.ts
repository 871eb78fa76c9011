import { expect, test } from "vitest";

import { at } from "./at.ts";

test("gives what is there, even when it is null or empty", () => {
  expect([at(["a", ""], 1), at([null], 0), at("ab", 1)]).toEqual(["", null, "b"]);
});

test.each([-1, 1, 0.5])("throws at place %d of one", (place) => {
  expect(() => at(["a"], place)).toThrow(RangeError);
});
