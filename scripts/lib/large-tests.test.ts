import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { LARGE_TESTS, chooseTests } from "./large-tests.ts";
import { root } from "./run.ts";

describe("tests to run at their large size", () => {
  const list = [
    { tests: ["scripts/image.test.ts"], paths: ["Dockerfile", "deploy"] },
    { tests: ["a.test.ts", "b.test.ts"], paths: ["apps/server/src/modules/orders"] },
  ];

  test.each([
    ["nothing changed", [], []],
    ["something else changed", ["README.md", "Dockerfile.old", "deployed/x"], []],
    ["a guarded file changed", ["Dockerfile"], ["scripts/image.test.ts"]],
    ["a file in a guarded folder changed", ["apps/server/src/modules/orders/x.ts"], ["a.test.ts", "b.test.ts"]],
    ["another test in a guarded folder changed", ["apps/server/src/modules/orders/x.test.ts"], []],
    ["a test changed itself", ["b.test.ts"], ["a.test.ts", "b.test.ts"]],
    [
      "several did",
      ["deploy/Caddyfile", "a.test.ts", "Dockerfile"],
      ["scripts/image.test.ts", "a.test.ts", "b.test.ts"],
    ],
  ])("%s", (_, changed, expected) => {
    expect(chooseTests(changed, list)).toEqual(expected);
  });

  test("every test of the list has two sizes, and every path exists", () => {
    for (const { tests, paths } of LARGE_TESTS) {
      for (const file of tests)
        expect({ file, content: readFileSync(join(root, file), "utf8") }).toEqual({
          file,
          content: expect.stringMatching(/\b(?:isLarge\b|size\()/),
        });
      for (const path of paths) expect({ path, exists: existsSync(join(root, path)) }).toEqual({ path, exists: true });
    }
  });
});
