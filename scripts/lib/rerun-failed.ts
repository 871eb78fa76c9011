/** Failed tests that are run again. With more, nothing is rerun, and flaky tests count as failed. */
const FLAKY_MAX = 3;

/** A test file or a browser test that failed. */
export interface FailedUnit {
  /** Each failed test with the first lines of its error; a file that did not load is one. */
  failures: string[];
  /** Other tests of the file. */
  passed: number;
  skipped: number;
  /** Runs the file or the test once more: alone, in a fresh process and a fresh market. */
  rerun: () => Promise<TestCount>;
}

/** The result of a stage. */
export interface TestCount {
  passed: number;
  failed: number;
  skipped: number;
  /** Printed again at the end of the log. */
  failures: string[];
  /** Failed, then passed alone. They are in `passed`. */
  flaky: string[];
  /** The files or tests that failed. */
  units: FailedUnit[];
}

export const EMPTY_COUNT: TestCount = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [], units: [] };

/**
 * Runs what failed once more. A test that passes alone is flaky and counts as passed; one that fails again, or is skipped then,
 * counts as failed. Nothing runs again when more than `FLAKY_MAX` tests failed, or when a failure belongs to no test.
 */
export async function rerunFailed(first: TestCount): Promise<TestCount> {
  const attributed = first.units.reduce((sum, { failures }) => sum + failures.length, 0);
  if (first.failed === 0 || first.failed > FLAKY_MAX || attributed !== first.failed) return first;
  let { passed, failed, skipped } = first;
  const failures: string[] = [];
  const flaky: string[] = [];
  for (const unit of first.units) {
    console.log(`\n▸ once more, alone\n\n${unit.failures.join("\n\n")}\n`);
    const second = await unit.rerun();
    if (second.failed > 0 || second.passed === 0 || second.skipped > unit.skipped) {
      failures.push(...unit.failures, ...second.failures.map((failure) => `(again, alone) ${failure}`));
      continue;
    }
    flaky.push(...unit.failures);
    passed += second.passed - unit.passed;
    skipped += second.skipped - unit.skipped;
    failed -= unit.failures.length;
  }
  return { passed, failed, skipped, failures, flaky, units: [] };
}

/** The flaky tests of all stages count as failed when they are more than `FLAKY_MAX`. */
export function failTooManyFlaky<T extends TestCount>(counts: readonly T[]): T[] {
  const flaky = counts.reduce((sum, count) => sum + count.flaky.length, 0);
  if (flaky <= FLAKY_MAX) return [...counts];
  return counts.map((count) => ({
    ...count,
    passed: count.passed - count.flaky.length,
    failed: count.failed + count.flaky.length,
    failures: [...count.failures, ...count.flaky.map((each) => `(flaky, one of more than ${FLAKY_MAX}) ${each}`)],
    flaky: [],
  }));
}
