import { expect, test } from "vitest";

import { pageOf } from "./page-of.ts";

test("whatever an address says, the page is one the market takes", { tags: ["fail:I7"] }, () => {
  const queries = ["", "page=2", "page=-1", "page=0", "page=1.5", "page=x", "page=1000000000", "page=1e400"];
  expect(queries.map((query) => pageOf(new URLSearchParams(query)))).toEqual([1, 2, 1, 1, 1, 1, 1_000_000, 1]);
});
