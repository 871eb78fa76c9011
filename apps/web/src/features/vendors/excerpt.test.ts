import { DESCRIPTION_MORE_DESKTOP, DESCRIPTION_MORE_MOBILE } from "@marketday/domain/limits";
import { expect, test } from "vitest";

import { excerptOf } from "./excerpt.ts";

const words = (count: number) => "w".repeat(count);

test("up to the limit a text is whole, one more and it is cut", { tags: ["spec:2.4-45"] }, () => {
  expect([DESCRIPTION_MORE_MOBILE, DESCRIPTION_MORE_DESKTOP]).toEqual([80, 140]);
  for (const limit of [80, 140]) {
    expect(excerptOf(words(limit), limit)).toBeNull();
    expect(excerptOf(words(limit + 1), limit)).toBe(`${words(limit)}…`);
  }
});

test("a text is cut between words, without the comma before the cut", () => {
  expect(excerptOf("We grow greens, roots and herbs.", 16)).toBe("We grow greens…");
  expect(excerptOf("We grow greens and roots", 14)).toBe("We grow greens…");
});

test("a character is one, however it is written", () => {
  expect(excerptOf("🍅".repeat(80), 80)).toBeNull();
  expect(excerptOf("🍅".repeat(81), 80)).toBe(`${"🍅".repeat(80)}…`);
});
