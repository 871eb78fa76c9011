import { expect, test } from "vitest";

import { withSearch } from "./recent.ts";

test("the newest search comes first, each once, six in all", () => {
  expect(withSearch(["eggs", "corn"], "Corn")).toEqual(["Corn", "eggs"]);
  expect(withSearch(["a", "b", "c", "d", "e", "f"], "g")).toEqual(["g", "a", "b", "c", "d", "e"]);
});
