import { expect, test } from "vitest";

import { initials, STALL_HUES, vendorColor } from "./picture.ts";

test("a stall's hue is one of eight, always the same, and neighbours differ", () => {
  const hues = Array.from({ length: 400 }, (_, index) => vendorColor(index + 1));
  expect(hues.slice(0, 8)).toEqual(hues.slice(0, 8).map((_, index) => vendorColor(index + 1)));
  for (const hue of hues) expect([0, 1, 2, 3, 4, 5, 6, 7]).toContain(hue);
  const counts = Map.groupBy(hues, (hue) => hue);
  expect(counts.size).toBe(STALL_HUES);
  for (const same of counts.values()) expect(same.length).toBeLessThan(100);
});

test.each([
  ["Rooted Acre Farm", "RA"],
  ["Hearth & Rye", "HR"],
  ["4 Winds Orchard", "WO"],
  ["Ökohof Müller", "ÖM"],
  ["Pruitt", "PR"],
])("%s is written %s", (name, letters) => {
  expect(initials(name)).toBe(letters);
});
