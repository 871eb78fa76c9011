import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { EMPTY_COUNT, type FailedUnit, failTooManyFlaky, rerunFailed, type TestCount } from "./rerun-failed.ts";

beforeEach(() => void vi.spyOn(console, "log").mockReturnValue());
afterEach(() => vi.restoreAllMocks());

const unit = (failures: string[], passed: number, second: Partial<TestCount>, skipped = 0): FailedUnit => ({
  failures,
  passed,
  skipped,
  rerun: vi.fn(() => Promise.resolve({ ...EMPTY_COUNT, ...second })),
});
const count = (passed: number, units: FailedUnit[], skipped = 0): TestCount => {
  const failures = units.flatMap((each) => each.failures);
  return { ...EMPTY_COUNT, passed, failed: failures.length, skipped, failures, units };
};

test("rerun: a test that fails and then passes alone is flaky and counts as passed, with its first error", async () => {
  const file = unit(["a.test.ts › one\n    first error"], 4, { passed: 5 });
  const result = await rerunFailed(count(10, [file]));
  expect(result).toMatchObject({ passed: 11, failed: 0, failures: [], flaky: ["a.test.ts › one\n    first error"] });
  expect(file.rerun).toHaveBeenCalledTimes(1);
});

test("rerun: a test that fails again counts as failed, with both errors; the flaky one beside it does not", async () => {
  const broken = unit(["a › one"], 0, { failed: 1, failures: ["a › one, second error"] });
  const file = unit(["b"], 0, { passed: 7 });
  const result = await rerunFailed(count(10, [broken, file]));
  expect(result).toMatchObject({ passed: 17, failed: 1, flaky: ["b"] });
  expect(result.failures).toEqual(["a › one", "(again, alone) a › one, second error"]);
});

test.each([
  ["skips it and passes another", { passed: 1, skipped: 1 }],
  ["runs no test", {}],
])("rerun: a run that %s leaves the test failed", async (_, second) => {
  expect(await rerunFailed(count(10, [unit(["a › one"], 1, second)]))).toMatchObject({
    passed: 10,
    failed: 1,
    flaky: [],
  });
});

test("rerun: tests skipped because a hook failed are counted once, as passed, when they pass alone", async () => {
  const file = unit(["a\n    the hook"], 0, { passed: 5 }, 5);
  expect(await rerunFailed(count(10, [file], 6))).toMatchObject({ passed: 15, failed: 0, skipped: 1 });
});

test("rerun: with four failed tests nothing runs again", async () => {
  const units = [unit(["1", "2"], 0, { passed: 2 }), unit(["3", "4"], 0, { passed: 2 })];
  const first = count(10, units);
  expect(await rerunFailed(first)).toEqual(first);
  for (const { rerun } of units) expect(rerun).not.toHaveBeenCalled();
});

test("rerun: a failure that belongs to no test stays, and nothing runs again", async () => {
  const file = unit(["a › one"], 0, { passed: 1 });
  const first = { ...count(10, [file]), failed: 2 };
  expect(await rerunFailed(first)).toEqual(first);
  expect(file.rerun).not.toHaveBeenCalled();
});

test("flaky tests: three in all stages pass; four count as failed, with their errors", () => {
  const stage = (flaky: string[]): TestCount => ({ ...EMPTY_COUNT, passed: 10, flaky });
  expect(failTooManyFlaky([stage(["1", "2"]), stage(["3"])])).toMatchObject([{ failed: 0 }, { failed: 0 }]);
  expect(failTooManyFlaky([stage(["1", "2"]), stage(["3", "4"])])).toMatchObject([
    { passed: 8, failed: 2, failures: [expect.stringMatching(/1$/), expect.stringMatching(/2$/)] },
    { passed: 8, failed: 2, failures: [expect.stringMatching(/3$/), expect.stringMatching(/4$/)] },
  ]);
});
