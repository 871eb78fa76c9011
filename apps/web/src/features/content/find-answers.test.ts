import type { FaqEntry } from "@marketday/contracts/content";
import { expect, test } from "vitest";

import { findAnswers } from "./find-answers.ts";

const entry = (id: number, question: string, answer: string, ...triggerPhrases: string[]): FaqEntry => ({
  id,
  slug: `q-${id}`,
  question,
  answer: `<p>${answer}</p>`,
  triggerPhrases,
});
const entries = [
  entry(1, "When do I have to order by?", "By 1 AM on the day before.", "cutoff", "deadline"),
  entry(2, "What does delivery cost?", "A flat fee.", "shipping"),
  entry(3, "Do you deliver jalapeños?", "In season, with the <b>delivery</b>."),
];

test.each([
  ["", [1, 2, 3]],
  ["  ?! ", [1, 2, 3]],
  ["deliver", [2, 3]],
  ["delivery", [2, 3]],
  ["SHIPPING", [2]],
  ["what is the cutoff", [1]],
  ["jalapenos", [3]],
  ["delivery fee", [2]],
  ["deliver season", [3]],
  ["when", [1]],
  ["do", [1, 2, 3]],
  ["tractor", []],
  ["delivery tractor", []],
  ["b", [1]],
] as const)("%j finds %j", { tags: ["spec:2.4-66", "spec:3-32"] }, (search, ids) => {
  expect(findAnswers(entries, search).map(({ id }) => id)).toEqual(ids);
});
