import { expect, test } from "vitest";

import { pageAddress, pageOf } from "./page-number.ts";

test("whatever an address says, the page is one the market takes", { tags: ["fail:I7"] }, () => {
  const queries = ["", "?page=2", "?page=-1", "?page=0", "?page=1.5", "?page=x", "?page=1000000000", "?page=1e400"];
  expect(queries.map(pageOf)).toEqual([1, 2, 1, 1, 1, 1, 1_000_000, 1]);
});

test("the first page has the address without a number", () => {
  expect([1, 2].map((page) => pageAddress("/blog", page))).toEqual(["/blog", "/blog?page=2"]);
});
