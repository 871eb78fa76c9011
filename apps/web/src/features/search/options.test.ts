import type { Suggestion } from "@marketday/contracts/search";
import { expect, test } from "vitest";

import { recentOptions, suggestionOptions } from "./options.ts";

const suggestion = (id: number, type: Suggestion["type"] = "product"): Suggestion => ({
  type,
  id,
  slug: `s${id}`,
  title: `Thing ${id}`,
  image: null,
  vendor: null,
  price: null,
  size: "",
});

test("each kind leads to its own screen, and all of it to the search", { tags: ["spec:2.3-05"] }, () => {
  const all = [suggestion(1), suggestion(2, "vendor"), suggestion(3, "collection")];
  const options = suggestionOptions(all, { term: "thing", mode: "items", room: 8 });
  expect(options.map(({ to }) => to)).toEqual(["/product/s1", "/vendors/s2", "/collections/s3", "/search?q=thing"]);
});

test("there are no more than there is room for", () => {
  const many = Array.from({ length: 25 }, (_, index) => suggestion(index + 1, "vendor"));
  const options = suggestionOptions(many, { term: "a & b", mode: "vendors", room: 6 });
  expect(options).toHaveLength(7);
  expect(options.at(-1)?.to).toBe("/search?q=a+%26+b&in=vendors");
});

test("a recent search is a search again", () => {
  expect(recentOptions(["eggs"], "items")).toMatchObject([{ kind: "recent", label: "eggs", to: "/search?q=eggs" }]);
});
