import { expect, test } from "vitest";

import { badgesOf, nearness } from "./nearness.ts";
import { isKansasFarm } from "./origin.ts";

const from = (state: string, originCountry: string | null = null) => ({ originCountry, vendor: { state } });
const kansas = { state: "KS" };
const indiana = { state: "IN" };

test.each([
  ["a vendor of the market's state", from("IN"), indiana, "local-first"],
  ["a vendor of another state", from("KY"), indiana, "regional-specialty"],
  ["coffee grown abroad", from("IN", "Colombia"), indiana, "beyond-local"],
  ["a country that is this one", from("IN", "USA"), indiana, "local-first"],
  ["spelled out", from("KY", "United States"), indiana, "regional-specialty"],
  ["no market yet", from("IN"), null, null],
])("%s", (_name, product, hub, near) => {
  expect(nearness(product, hub)).toBe(near);
});

test("the Kansas badge stands on Kansas farms in a Kansas market, and nowhere else", () => {
  expect([
    isKansasFarm("KS", kansas),
    isKansasFarm("KS", indiana),
    isKansasFarm("MO", kansas),
    isKansasFarm("KS", null),
  ]).toEqual([true, false, false, false]);
  expect(badgesOf(from("KS"), kansas)).toEqual(["local-first", "kansas-farms"]);
  expect(badgesOf(from("MO"), kansas)).toEqual(["regional-specialty"]);
  expect(badgesOf(from("KS"), null)).toEqual([]);
});
