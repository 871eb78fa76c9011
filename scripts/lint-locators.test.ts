import { expect, test } from "vitest";

import { findLooseNames } from "./lint-locators.ts";

test.each([
  'page.getByRole("heading", { name: formatLong(day) });',
  "card.getByRole('button', { name });",
  'page.getByRole("heading", { level: 2, name: `Order #${id}` });',
  'page.getByRole("link", { name: product.title, exact: false });',
  'page.getByRole("link", { name: new RegExp(`^Order #${id}`) });',
])("locator lint: the generated name of %j without exact is found with its line", (line) => {
  expect(findLooseNames("a.e2e.ts", `first();\n${line}`)).toEqual([
    { line: 2, locator: expect.stringMatching(/^getByRole\(.*\)$/) },
  ]);
});

test.each([
  'page.getByRole("heading", { name: "Help" });',
  'page.getByRole("button", { name: /^Add / });',
  'page.getByRole("button", { name: new RegExp(`^Add one ${title}$`) });',
  'page.getByRole("button", { name: new RegExp(`^${title}, Each`) });',
  'page.getByRole("heading", { name: formatLong(day), exact: true });',
  'page.getByRole("dialog");',
  "call({ name });",
])("locator lint: %j is left alone", (line) => {
  expect(findLooseNames("a.e2e.ts", line)).toEqual([]);
});
