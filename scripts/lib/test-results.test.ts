import { join } from "node:path";

import { expect, test, vi } from "vitest";

import type { VitestResult } from "../test/reporter.ts";
import { EMPTY_COUNT } from "./rerun-failed.ts";
import { root } from "./run.ts";
import { countPlaywright, countVitest, type PlaywrightResult } from "./test-results.ts";

const rerun = vi.fn(() => Promise.resolve({ ...EMPTY_COUNT, passed: 1 }));

const file = (name: string, more: Partial<VitestResult["files"][number]>) => ({
  name: join(root, name),
  ms: 1,
  passed: 0,
  skipped: 0,
  failures: [],
  ...more,
});

test("vitest: passed, skipped and failed tests are counted; a failure has its file, title and first lines", () => {
  const error = "Error: no\n\n    at own.ts:1\n    at x/node_modules/lib.js:2\n";
  const files = [
    file("a.test.ts", { passed: 3, skipped: 1 }),
    file("b.test.ts", { passed: 2, failures: [{ test: "works", error }] }),
  ];
  const count = countVitest({ files, unhandled: [] }, 1, rerun);
  const failures = ["b.test.ts › works\n    Error: no\n        at own.ts:1"];
  expect(count).toMatchObject({ passed: 5, failed: 1, skipped: 1, failures, units: [{ failures, passed: 2 }] });
});

test("vitest: a file that did not load is one failed unit; an unhandled error is a failure of no unit", () => {
  const files = [file("a.test.ts", { failures: [{ test: "", error: "Cannot find module" }] })];
  const count = countVitest({ files, unhandled: ["Error: later"] }, 1, rerun);
  expect(count).toMatchObject({ failed: 2, failures: ["a.test.ts\n    Cannot find module", "    Error: later"] });
  expect(count.units).toHaveLength(1);
});

test.each([
  ["wrote no result", undefined, 1, "vitest ended with exit code 1, and no test failed."],
  ["ran no test", { files: [], unhandled: [] }, 0, "vitest ran no test."],
  [
    "was interrupted after a failure",
    { files: [file("a.test.ts", { passed: 1, failures: [{ test: "works", error: "no" }] })], unhandled: [] },
    130,
    "vitest ended with exit code 130: it was interrupted, or could not start.",
  ],
])("vitest: a run that %s has a failure of no unit, with the reason", (_, result, code, reason) => {
  const { failed, failures, units } = countVitest(result, code, rerun);
  expect(failures.at(-1)).toBe(reason);
  expect(failed).toBe(units.length + 1);
});

const report = (more: Partial<PlaywrightResult["stats"]>, parts: Partial<PlaywrightResult> = {}): PlaywrightResult => ({
  stats: { expected: 5, unexpected: 0, flaky: 0, skipped: 0, ...more },
  suites: [],
  errors: [],
  ...parts,
});
const spec = { id: "f-1", title: "pays", file: "a.e2e.ts", line: 7, ok: false };

test("Playwright: a failed test of a nested suite is a unit with its id", async () => {
  const specs = [{ ...spec, tests: [{ results: [{ errors: [{ message: "Error: no" }] }] }] }];
  const count = countPlaywright(report({ unexpected: 1 }, { suites: [{ specs: [], suites: [{ specs }] }] }), 1, rerun);
  expect(count).toMatchObject({ passed: 5, failed: 1, failures: ["apps/web/e2e/a.e2e.ts:7 › pays\n    Error: no"] });
  await count.units[0]!.rerun();
  expect(rerun).toHaveBeenLastCalledWith("f-1");
});

test.each([
  ["an error of no test", report({}, { errors: [{ value: "no browser" }] }), 1, "    no browser"],
  ["tests that did not run", report({ skipped: 2 }), 1, "2 browser tests did not run."],
  ["an interruption", report({}), 130, "Playwright ended with exit code 130: it was interrupted, or could not start."],
  ["no result", undefined, 1, "Playwright ended with exit code 1, and no test failed."],
])("Playwright: %s is a failure of no unit, with the reason", (_, result, code, reason) => {
  const { failed, failures, units } = countPlaywright(result, code, rerun);
  expect(failed).toBeGreaterThan(0);
  expect(failures).toEqual([reason]);
  expect(units).toEqual([]);
});
