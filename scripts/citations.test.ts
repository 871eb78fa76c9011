import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { root } from "./lib/run.ts";

const SOURCES = "{apps,packages,prisma,scripts}/**/*.{ts,tsx}";
const sources = globSync(SOURCES, { cwd: root, exclude: ["**/node_modules", "prisma/generated", "prisma/migrations"] });

/** The distinct matches of the pattern's first group in the sources, sorted. */
function cited(pattern: RegExp): string[] {
  const found = sources.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(pattern)].map((match) => match[1]!),
  );
  return [...new Set(found)].toSorted();
}

test("citations: every row of failures.md that a comment or a tag names is in docs/failures.md", () => {
  const rows = new Set(
    [...readFileSync(join(root, "docs/failures.md"), "utf8").matchAll(/^\| ([A-Z]\d+) \|/gm)].map((match) => match[1]!),
  );
  const ids = cited(/(?:fail:|failures(?:\.md)? )([A-Z]\d+)\b/g);
  expect(ids.length).toBeGreaterThan(150);
  expect(ids.filter((id) => !rows.has(id))).toEqual([]);
});

test("citations: every section of product.md that a comment names is in docs/product.md", () => {
  const headings = [...readFileSync(join(root, "docs/product.md"), "utf8").matchAll(/^#+ (\d+)\b/gm)];
  const sections = new Set(headings.map((match) => match[1]!));
  const cites = cited(/product\.md §(\d+)/g);
  expect(cites.length).toBeGreaterThan(10);
  expect(cites.filter((section) => !sections.has(section))).toEqual([]);
});
