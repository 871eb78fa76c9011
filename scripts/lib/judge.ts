/** Failed tests that may pass when they run again. More in one run are no accident. */
const FLAKY_MAX = 3;

/** A test file or a browser test that failed. */
export interface Suspect {
  /** Each failed test with the first lines of its error; a file that did not load is one. */
  failures: string[];
  /** Passed tests of the file. */
  passed: number;
  /** Runs the file or the test once more: alone, in a fresh process and a fresh market. */
  rerun: () => Promise<Count>;
}

/** The result of a stage. */
export interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** Printed again at the end of the log. */
  failures: string[];
  /** Failed, then passed alone. They are in `passed`. */
  flaky: string[];
  /** Whose failures are in `failures`. */
  suspects: Suspect[];
}

export const EMPTY_COUNT: Count = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [], suspects: [] };

/**
 * Runs what failed once more. A test that passes alone is flaky and counts as passed; one that fails again has a defect. Nothing runs
 * again when more than `FLAKY_MAX` tests failed, or when a failure belongs to no test.
 */
export async function judge(first: Count): Promise<Count> {
  const known = first.suspects.reduce((sum, { failures }) => sum + failures.length, 0);
  if (first.failed === 0 || first.failed > FLAKY_MAX || known !== first.failed) return first;
  let { passed, failed } = first;
  const failures: string[] = [];
  const flaky: string[] = [];
  for (const suspect of first.suspects) {
    console.log(`\n▸ once more, alone\n\n${suspect.failures.join("\n\n")}\n`);
    const second = await suspect.rerun();
    if (second.failed > 0) {
      failures.push(...suspect.failures);
      continue;
    }
    flaky.push(...suspect.failures);
    passed += second.passed - suspect.passed;
    failed -= suspect.failures.length;
  }
  return { ...first, passed, failed, failures, flaky, suspects: [] };
}

/** The flaky tests of all stages count as failed when they are more than `FLAKY_MAX`. */
export function judgeAll<T extends Count>(counts: readonly T[]): T[] {
  const flaky = counts.reduce((sum, count) => sum + count.flaky.length, 0);
  if (flaky <= FLAKY_MAX) return [...counts];
  return counts.map((count) => ({
    ...count,
    passed: count.passed - count.flaky.length,
    failed: count.failed + count.flaky.length,
  }));
}
