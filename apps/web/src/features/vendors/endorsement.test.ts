import { expect, test } from "vitest";

import { emptyEndorsement, endorsementBody, endorsementProblems, relationships } from "./endorsement.ts";

const chosen = { ...emptyEndorsement, score: 4, relationship: 1 };

test("the two required choices are named", { tags: ["spec:5-19"] }, () => {
  expect(endorsementProblems(emptyEndorsement).map(({ message }) => message)).toEqual([
    "Choose how much you agree",
    "Choose how you know this farm",
  ]);
  expect(endorsementProblems({ ...chosen, relationship: null }).map(({ field }) => field)).toEqual([
    "endorse-relationship",
  ]);
  expect(endorsementProblems(chosen)).toEqual([]);
  expect(endorsementBody(emptyEndorsement)).toBeNull();
});

test("relationships are numbered as in the spec", { tags: ["spec:5-21"] }, () => {
  expect(relationships.map(({ value, label }) => [value, label])).toEqual([
    [1, "Patron"],
    [2, "Relative"],
    [3, "Friend"],
    [4, "Employee"],
  ]);
});

test("the comment is optional, and blanks are none", { tags: ["spec:5-22"] }, () => {
  expect(endorsementBody({ ...chosen, comment: "  " })).toEqual({ score: 4, relationship: 1 });
  expect(endorsementBody({ ...chosen, comment: " Fine eggs " })).toEqual({
    score: 4,
    relationship: 1,
    comment: "Fine eggs",
  });
});

test("answers about a visit go along only when there was one", { tags: ["spec:4-24", "spec:5-22"] }, () => {
  const visit = { visitRating: 5, wouldVisitAgain: true };
  expect(endorsementBody({ ...chosen, ...visit, hasVisited: true })).toEqual({
    score: 4,
    relationship: 1,
    hasVisited: true,
    ...visit,
  });
  expect(endorsementBody({ ...chosen, ...visit, hasVisited: false })).toEqual({
    score: 4,
    relationship: 1,
    hasVisited: false,
  });
  expect(endorsementBody({ ...chosen, ...visit })).toEqual({ score: 4, relationship: 1 });
});
