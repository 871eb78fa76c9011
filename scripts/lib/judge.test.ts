import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { type Count, EMPTY_COUNT, judge, judgeAll, type Suspect } from "./judge.ts";

beforeEach(() => void vi.spyOn(console, "log").mockReturnValue());
afterEach(() => vi.restoreAllMocks());

const suspect = (failures: string[], passed: number, second: Partial<Count>): Suspect => ({
  failures,
  passed,
  rerun: vi.fn(() => Promise.resolve({ ...EMPTY_COUNT, ...second })),
});
const count = (passed: number, suspects: Suspect[]): Count => {
  const failures = suspects.flatMap((each) => each.failures);
  return { ...EMPTY_COUNT, passed, failed: failures.length, failures, suspects };
};

test("judge: a test that fails and then passes alone is flaky and counts as passed, with its first error", async () => {
  const file = suspect(["a.test.ts › one\n    first error"], 4, { passed: 5 });
  const result = await judge(count(10, [file]));
  expect(result).toMatchObject({ passed: 11, failed: 0, failures: [], flaky: ["a.test.ts › one\n    first error"] });
  expect(file.rerun).toHaveBeenCalledTimes(1);
});

test("judge: a test that fails again counts as failed; the flaky one beside it does not", async () => {
  const broken = suspect(["a › one"], 0, { failed: 1 });
  const file = suspect(["b"], 0, { passed: 7 });
  const result = await judge(count(10, [broken, file]));
  expect(result).toMatchObject({ passed: 17, failed: 1, failures: ["a › one"], flaky: ["b"] });
});

test("judge: with four failed tests nothing runs again", async () => {
  const suspects = [suspect(["1", "2"], 0, { passed: 2 }), suspect(["3", "4"], 0, { passed: 2 })];
  const first = count(10, suspects);
  expect(await judge(first)).toEqual(first);
  for (const { rerun } of suspects) expect(rerun).not.toHaveBeenCalled();
});

test("judge: a failure that belongs to no test stays, and nothing runs again", async () => {
  const file = suspect(["a › one"], 0, { passed: 1 });
  const first = { ...count(10, [file]), failed: 2 };
  expect(await judge(first)).toEqual(first);
  expect(file.rerun).not.toHaveBeenCalled();
});

test("judge: three flaky tests of all stages pass; four count as failed", () => {
  const stage = (flaky: string[]): Count => ({ ...EMPTY_COUNT, passed: 10, flaky });
  expect(judgeAll([stage(["1", "2"]), stage(["3"])])).toMatchObject([{ failed: 0 }, { failed: 0 }]);
  expect(judgeAll([stage(["1", "2"]), stage(["3", "4"])])).toMatchObject([
    { passed: 8, failed: 2, flaky: ["1", "2"] },
    { passed: 8, failed: 2, flaky: ["3", "4"] },
  ]);
});
