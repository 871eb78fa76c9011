import { expect, test } from "vitest";

import { areaByState, areaSentence, andList, formatArea, hubFacts, orderByRule } from "./hub-facts.ts";

test.each([
  ["Thursday", "1AM Wednesday"],
  ["Sunday", "1AM Saturday"],
  ["Monday", "1AM Sunday"],
  ["someday", null],
])("a %s market closes at %s", (day, rule) => {
  expect(orderByRule(day)).toBe(rule);
  expect(hubFacts(day, "$8.95")).toEqual({ delivers: `${day}s`, orderBy: rule, fee: "$8.95 flat" });
});

test("the area is described by state, whole counties first", () => {
  const label = (name: string, state: string, served: "all" | "part" | null) => ({ name, state, served });
  const areas = areaByState([
    label("Wyandotte", "Kansas", "all"),
    label("Jackson", "Missouri", "part"),
    label("Johnson", "Kansas", "all"),
    label("Leavenworth", "Kansas", "part"),
    label("Clay", "Missouri", null),
  ]);
  expect(areas.map(formatArea)).toEqual(["Johnson and Wyandotte, and parts of Leavenworth", "parts of Jackson"]);
  expect(areaSentence(areas)).toBe(
    "Delivers to Johnson and Wyandotte, and parts of Leavenworth in Kansas; parts of Jackson in Missouri.",
  );
  expect(areaSentence(areaByState([]))).toBe("");
  expect(andList(["a", "b", "c"])).toBe("a, b and c");
});
