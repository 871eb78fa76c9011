import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { getOrThrow } from "./get-or-throw.ts";

/** Everything a file imports, over all files of ours it reaches. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  if (!file.startsWith("./")) return seen;
  const source = readFileSync(new URL(file, import.meta.url), "utf8");
  for (const match of source.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"]+)"/gms))
    reached(getOrThrow(match, 1), seen);
  return seen;
}

const forTheWeb =
  "get-or-throw money limits time calendar-date week-line order cart paging review promotion pricing stock subscription inbox picture text waived".split(
    " ",
  );

test.each(forTheWeb)("%s brings nothing from npm into the browser", (name) => {
  expect([...reached(`./${name}.ts`)].filter((file) => !file.startsWith("./"))).toEqual([]);
});

test("the server's files do, so the test can see it", () => {
  expect([...reached("./delivery.ts")]).toContain("temporal-polyfill");
  expect([...reached("./geo.ts")]).toEqual(expect.arrayContaining(["flatbush", "robust-predicates"]));
});
