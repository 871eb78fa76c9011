import { expect, test } from "vitest";

import { type DayChange, formatPlaceChange } from "./format.ts";

const change = (kind: DayChange["kind"], before: DayChange["goesTo"]["before"]): DayChange => ({
  kind,
  tote: 40,
  orderId: 1,
  name: "Ben Baker",
  lines: [],
  collect: { before: 0, after: 24.65 },
  goesTo: { before, after: { driver: 1, stop: 40 } },
});

test.each([
  ["nothing when the older version has no routes", "collect", null, null],
  [
    "where it was and is",
    "rerouted",
    { driver: 2, stop: 3 },
    "Was Driver\u00A02, stop\u00A03. Now Driver\u00A01, stop\u00A040.",
  ],
  ["that it had no address", "moved", null, "Was set aside, no address. Now Driver\u00A01, stop\u00A040."],
  ["where a new box goes", "added", null, "Driver\u00A01, stop\u00A040"],
] as const)("place of a changed box: %s", (_, kind, before, words) => {
  expect(formatPlaceChange(change(kind, before))).toBe(words);
});
