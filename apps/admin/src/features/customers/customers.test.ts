import { expect, test } from "vitest";

import { balancesOf } from "./credit-balances.ts";
import { amountProblem, parseDollars } from "./credit-form-values.ts";
import { withSearch } from "./list-address.ts";

test("credit: what a person types for dollars is read, and nothing else", () => {
  expect(
    ["20", "$20", "$ 20.50", "1,000", ".5", "20.", "0", "-5", "5,00", "12.345", "", "$", "ten", "1e3"].map(
      parseDollars,
    ),
  ).toEqual([20, 20, 20.5, 1000, 0.5, null, null, null, null, null, null, null, null, null]);
});

test("credit: an amount over the role's limit names the limit, one over the market's names that", () => {
  expect(amountProblem("50", 50)).toBeNull();
  expect(amountProblem("50.01", 50)).toContain("$50.00");
  expect(amountProblem("1000", null)).toBeNull();
  expect(amountProblem("1000.01", null)).toContain("$1,000.00");
  expect(amountProblem("a few", 50)).toBe("Enter an amount, like 20 or 12.50.");
});

test("credit: each entry has the credit after it, down to the oldest one", () => {
  expect(balancesOf(12.5, [{ amount: -7.5 }, { amount: 0.1 }, { amount: 19.9 }])).toEqual([12.5, 20, 19.9]);
  expect(balancesOf(0, [])).toEqual([]);
});

test("list: a text begins at its first page, and the market stays in the address", () => {
  expect(withSearch("/admin/customers", "?hub=carmel&page=3", { text: "flora" })).toBe(
    "/admin/customers?hub=carmel&q=flora",
  );
  expect(withSearch("/admin/customers/7", "?q=flora&hub=carmel", { text: " " })).toBe("/admin/customers/7?hub=carmel");
  expect(withSearch("/admin/customers", "?q=flora", { page: 2 })).toBe("/admin/customers?q=flora&page=2");
  expect(withSearch("/admin/customers", "?q=flora&page=2", { page: 1 })).toBe("/admin/customers?q=flora");
});
