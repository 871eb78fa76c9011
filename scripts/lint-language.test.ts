import { expect, test } from "vitest";

import { findWords } from "./lint-language.ts";

test.each([
  ["const said = await charge();", "said"],
  ["// The lease was let go.", "let go"],
  ['test("nobody waits", run);', "nobody"],
  ["It lies in `var/`.", "lies in"],
  ["the STRAY charge", "STRAY"],
  ["const StrayRow = 1;", "StrayR"],
  ["isReckoning={true}", "Reckon"],
  ["export type Matter = string;", "Matter"],
  ["one live link per matter", "per matter"],
  ["-- kept for the log of hands", "log of hands"],
  ["#STORY_PAYMENTS=test", "STORY_"],
  ["/// nobody lets it in", "nobody"],
])("language lint: %j is found with its line and a replacement", (line, word) => {
  expect(findWords(`first\n${line}`)).toEqual([{ line: 2, word, instead: expect.stringMatching(/\w/) }]);
});

test.each([
  "const aforesaid = taskedWith;",
  "asked_at",
  "a strayed sheep",
  "untold",
  "standstill",
  "no matter which",
  "keywords.ts",
  "`forget-payers`",
])("language lint: %j is left alone", (line) => {
  expect(findWords(line)).toEqual([]);
});
