import { expect, test } from "vitest";

import { findWords } from "./lint-language.ts";

test.each([
  ["const said = await charge();", "said"],
  ["// The lease was let go.", "let go"],
  ['test("nobody waits", run);', "nobody"],
  ["It lies in `var/`.", "lies in"],
  ["the STRAY charge", "STRAY"],
])("language lint: %j is found with its line and a replacement", (line, word) => {
  expect(findWords(`first\n${line}`)).toEqual([{ line: 2, word, instead: expect.stringMatching(/\w/) }]);
});

test.each(["const aforesaid = taskedWith;", "asked_at", "a strayed sheep", "untold", "standstill"])(
  "language lint: %j is left alone",
  (line) => {
    expect(findWords(line)).toEqual([]);
  },
);
