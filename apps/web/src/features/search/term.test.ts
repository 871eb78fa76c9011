import { SEARCH_MAX } from "@marketday/domain/limits";
import { expect, test } from "vitest";

import { cleanTerm, isLongEnough, predictedParts } from "./term.ts";

test("a term is one line of at most what the market takes", () => {
  expect(cleanTerm("  sweet \n corn\u0000 ")).toBe("sweet corn");
  expect(cleanTerm("%_'\\")).toBe("%_'\\");
  expect([...cleanTerm("🍅".repeat(200))]).toHaveLength(SEARCH_MAX);
  expect(cleanTerm("خيار طازج")).toBe("خيار طازج");
});

test("a search starts at three characters", { tags: ["spec:4-32", "spec:5-33"] }, () => {
  expect(["", "to", " to ", "tom"].map((text) => isLongEnough(cleanTerm(text)))).toEqual([false, false, false, true]);
});

/** Predicted text in brackets. */
const marked = (title: string, typed: string) =>
  predictedParts(title, typed)
    .map(({ text, predicted }) => (predicted ? `[${text}]` : text))
    .join("");

test("what was not typed is predicted", () => {
  expect(marked("Tomatoes", "tom")).toBe("Tom[atoes]");
  expect(marked("Heirloom Tomatoes", "tom")).toBe("[Heirloom ]Tom[atoes]");
  expect(marked("Sweet Corn, Six Ears", "sweet co")).toBe("Sweet[ ]Co[rn, Six Ears]");
  expect(marked("Tomatoes", "tomatos")).toBe("Tomato[es]");
  expect(marked("Honey", "tom")).toBe("[Honey]");
  expect(marked("June-bearing Strawberries", "bear straw")).toBe("[June-]bear[ing ]Straw[berries]");
});
