import { expect, test } from "vitest";

import { formatHubCount, hubsForPrefix, maskedZip, zipAnswer } from "./format.ts";

const hubs = [
  { id: 1, accessibleZipCodes: ["46032", "46220"] },
  { id: 2, accessibleZipCodes: ["47401"] },
  { id: 3, accessibleZipCodes: [] },
];

test.each([
  ["", [1, 2, 3]],
  ["4", [1, 2]],
  ["46", [1]],
  ["46032", [1]],
  ["032", []],
  ["9", []],
])("zip codes that begin with '%s' find %j", (prefix, ids) => {
  expect(hubsForPrefix(hubs, prefix).map(({ id }) => id)).toEqual(ids);
});

test("what is typed keeps its digits, at most five", () => {
  expect(["", "46", "46032"].map(maskedZip)).toEqual(["xxxxx", "46xxx", "46032"]);
});

test.each([
  [3, "", "3 markets"],
  [1, "", "1 market"],
  [1, "46032", "1 market delivers to 46032"],
  [2, "46", "2 markets deliver to 46xxx"],
  [0, "9", "0 markets deliver to 9xxxx"],
])("%d for '%s' reads '%s'", (count, prefix, words) => {
  expect(formatHubCount(count, prefix)).toBe(words);
});

test("the zip checker: this market, another one, or none delivers", () => {
  const hub = { id: 1, name: "Carmel market", deliveryDay: "Thursday" };
  const madison = { id: 4, name: "Madison market", deliveryDay: "Tuesday" };
  expect(zipAnswer("46032", [madison, hub], hub)).toEqual({
    comes: true,
    text: "Yes, we deliver to 46032 on Thursdays.",
    other: null,
  });
  expect(zipAnswer("53703", [madison], hub)).toEqual({
    comes: false,
    text: "Carmel market doesn't deliver to 53703. Madison market does, on Tuesdays.",
    other: madison,
  });
  expect(zipAnswer("99999", [], hub)).toEqual({ comes: false, text: "No market delivers to 99999 yet.", other: null });
});
