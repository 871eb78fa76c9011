import { expect, test } from "vitest";

import { withHub } from "./hub-filter.ts";

test("market filter: it is added to an address, replaced and removed, and the rest of the query stays", () => {
  expect(withHub("/admin", "carmel")).toBe("/admin?hub=carmel");
  expect(withHub("/admin/staff?person=3", "carmel")).toBe("/admin/staff?person=3&hub=carmel");
  expect(withHub("/admin?hub=carmel&x=1", "madison")).toBe("/admin?hub=madison&x=1");
  expect(withHub("/admin?hub=carmel", null)).toBe("/admin");
  expect(withHub("/admin", null)).toBe("/admin");
});

test("market filter: a slug with other letters is encoded", { tags: ["fail:I17"] }, () => {
  expect(withHub("/admin", "a&b=c#d")).toBe("/admin?hub=a%26b%3Dc%23d");
});
