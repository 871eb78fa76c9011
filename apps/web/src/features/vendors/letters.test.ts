import { describe, expect, test } from "vitest";

import { byLetter, letterOf, letters } from "./letters.ts";
import { sortOf, vendorSorts, withSort } from "./sorts.ts";

describe("letters", () => {
  test("a name is filed under its first letter, without its accent", () => {
    expect(["Rooted Acre", "östlund dairy", "Élan Orchards", " Hearth"].map(letterOf)).toEqual(["R", "O", "E", "H"]);
  });

  test("what begins with no letter of the rail comes under #", () => {
    expect(["7 Oaks", "", "「Mori」", "& Sons"].map(letterOf)).toEqual(["#", "#", "#", "#"]);
    expect(letters).toHaveLength(27);
    expect(letters.at(-1)).toBe("#");
  });

  test("groups keep the order of the rows, also from Z to A", () => {
    const names = ["Willow", "Rye", "Rooted", "Acre"].map((name) => ({ name }));
    expect(byLetter(names).map(({ letter, rows }) => [letter, rows.map(({ name }) => name)])).toEqual([
      ["W", ["Willow"]],
      ["R", ["Rye", "Rooted"]],
      ["A", ["Acre"]],
    ]);
    expect(byLetter([])).toEqual([]);
  });
});

describe("sorts", () => {
  test("three, in the spec's order and words", { tags: ["spec:2.1-09"] }, () => {
    expect(vendorSorts).toEqual([
      { value: "az-asc", label: "A-Z" },
      { value: "popular", label: "Popular" },
      { value: "desc", label: "Z-A" },
    ]);
  });

  test("the address says which; without or with another word it is A-Z", () => {
    expect(["?sort=popular", "?sort=desc", "?sort=az-asc", "", "?sort=price", "?sort="].map(sortOf)).toEqual([
      "popular",
      "desc",
      "az-asc",
      "az-asc",
      "az-asc",
      "az-asc",
    ]);
  });

  test("a sort goes into the address and leaves the rest of it alone", () => {
    expect(withSort("?sort=desc&app=true", "popular")).toBe("?app=true&sort=popular");
    expect(withSort("?sort=desc", "az-asc")).toBe("");
  });
});
