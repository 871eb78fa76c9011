import { expect, test } from "vitest";

import { controlIds, problemsOf, withoutCorrected } from "./problems.ts";

const ids = controlIds("gift", { amount: "", email: "" });

test.each([
  ["nothing", { amount: null, email: false }, []],
  ["one field", { amount: null, email: "Enter an email" }, [{ field: "gift-email", message: "Enter an email" }]],
  [
    "two fields, in the order of the rules",
    { email: "Enter an email", amount: "Enter an amount" },
    [
      { field: "gift-email", message: "Enter an email" },
      { field: "gift-amount", message: "Enter an amount" },
    ],
  ],
] as const)("problems: %s", (_, messages, expected) => {
  expect(problemsOf(ids, messages)).toEqual(expected);
});

test("problems: a corrected one is gone, the rest are the same, and a new one is not among them", () => {
  const [amount, email] = problemsOf(ids, { amount: "Enter an amount", email: "Enter an email" });
  const found = [amount!, email!];
  const now = problemsOf(ids, { email: "Enter a whole email" });
  expect(withoutCorrected(found, now)).toEqual([email]);
  expect(withoutCorrected(found, now)[0]).toBe(email);
  expect(withoutCorrected([], now)).toEqual([]);
});
