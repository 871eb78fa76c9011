import { expect, test } from "vitest";

import { isNewPassword, newPasswordProblems } from "./reset-rules.ts";

test.each([
  ["", "", "A password is required.", null],
  ["fives", "fives", "Password must be at least 6 characters long.", null],
  ["fives", "", "Password must be at least 6 characters long.", "Passwords must match."],
  ["sixsix", "sixsiy", null, "Passwords must match."],
  ["sixsix", "sixsix", null, null],
  ["🥕🥕🥕🥕🥕", "🥕🥕🥕🥕🥕", "Password must be at least 6 characters long.", null],
  ["🥕🥕🥕🥕🥕🥕", "🥕🥕🥕🥕🥕🥕", null, null],
])("%j and %j", { tags: ["spec:5-16", "spec:4-39"] }, (password, confirm, first, second) => {
  expect(newPasswordProblems({ password, confirm })).toEqual({ password: first, confirm: second });
  expect(isNewPassword({ password, confirm })).toBe(first === null && second === null);
});
