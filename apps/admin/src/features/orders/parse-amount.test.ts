import { expect, test } from "vitest";

import { parseAmount, parseCount } from "./parse-amount.ts";

test.each([
  ["7.94", 7.94],
  ["$7.9", 7.9],
  [" 7,94 ", 7.94],
  ["12", 12],
  ["0", null],
  ["0.00", null],
  ["-3", null],
  ["1.234", null],
  ["1,234.00", null],
  ["seven", null],
  ["", null],
])("amount: %j is %j", (text, amount) => {
  expect(parseAmount(text)).toBe(amount);
});

test.each([
  ["0", 0],
  ["12", 12],
  ["1.5", null],
  ["-1", null],
  ["", null],
])("count: %j is %j", (text, count) => {
  expect(parseCount(text)).toBe(count);
});
