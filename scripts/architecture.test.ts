import { globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import { expect, test } from "vitest";

import { root } from "./lib/run.ts";

const modulesDir = join(root, "apps/server/src/modules");
const text = readFileSync(join(root, "docs/architecture.md"), "utf8");
const order = [...text.slice(text.indexOf("## Modules of the server")).matchAll(/^\| `([a-z-]+)` \|/gm)].map(
  (match) => match[1]!,
);

/** The distinct imports between modules as "from → to", including types, without tests. */
function moduleImports(): string[] {
  const found = globSync("**/*.ts", { cwd: modulesDir, exclude: ["**/*.test.ts"] }).flatMap((path) => {
    const [from] = path.split("/");
    return [...readFileSync(join(modulesDir, path), "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].flatMap(
      (match) => {
        const target = relative(modulesDir, join(modulesDir, dirname(path), match[1]!));
        const [to] = target.split("/");
        return target.startsWith("..") || to === from ? [] : [`${from} → ${to}`];
      },
    );
  });
  return [...new Set(found)].toSorted();
}

test("architecture: docs/architecture.md lists every module of the server once", () => {
  expect(order.toSorted()).toEqual(readdirSync(modulesDir).toSorted());
});

test("architecture: imports go to lower modules", () => {
  const imports = moduleImports();
  expect(imports.length).toBeGreaterThan(50);
  const upward = imports.filter((edge) => {
    const [from, to] = edge.split(" → ");
    return order.indexOf(to!) > order.indexOf(from!);
  });
  expect(upward).toEqual([]);
});
