import { expect, test } from "vitest";

import { FieldComparison } from "./field-changes.ts";

test("field changes: different values are listed in order, an empty value is none, and the same value is no change", () => {
  const comparison = new FieldComparison();
  comparison.add("eggs", "title", "Eggs", "Eggs");
  comparison.add("eggs", "story", null, "");
  comparison.add("eggs", "story", undefined, "none");
  comparison.add("eggs", "title", "Eggs", "Brown eggs");
  comparison.add("milk", "story", "From here.", null);
  expect(comparison.finish()).toEqual({
    changes: [
      { subject: "eggs", field: "title", before: "Eggs", after: "Brown eggs" },
      { subject: "milk", field: "story", before: "From here.", after: "none" },
    ],
    count: 2,
  });
});

test("field changes: a thousand are listed and all are counted", () => {
  const comparison = new FieldComparison();
  for (let n = 0; n < 1001; n += 1) comparison.add(`item ${n}`, "title", "old", "new");
  const { changes, count } = comparison.finish();
  expect([changes.length, changes.at(-1)!.subject, count]).toEqual([1000, "item 999", 1001]);
});
