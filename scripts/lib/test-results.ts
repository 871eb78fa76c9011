import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

import type { VitestResult } from "../test/reporter.ts";
import { EMPTY_COUNT, type TestCount } from "./rerun-failed.ts";
import { root } from "./run.ts";

/** What `pnpm test` reads of Playwright's JSON report. */
export interface PlaywrightResult {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  suites: Suite[];
  /** Errors of no test: a file that does not load, a browser or a server that does not start. */
  errors: PlaywrightError[];
}
interface PlaywrightError {
  message?: string;
  /** A thrown value that is no error. */
  value?: string;
}
interface Suite {
  suites?: Suite[];
  specs: {
    id: string;
    title: string;
    file: string;
    line: number;
    ok: boolean;
    tests: { results: { errors: PlaywrightError[] }[] }[];
  }[];
}

/** The first lines of an error, without colors and without calls of libraries. */
const firstLines = (text: string) =>
  stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*at .*(node_modules|node:internal)/.test(line))
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join("\n");

const linesOf = (errors: readonly PlaywrightError[]) =>
  firstLines(errors.map(({ message, value }) => message ?? value ?? "An error without a message.").join("\n"));

/** A run that ended with an error, was interrupted, or ran no test has at least one failure, with the reason. */
function withReason(count: TestCount, runner: string, code: number): TestCount {
  const reason =
    code > 1
      ? `${runner} ended with exit code ${code}: it was interrupted, or could not start.`
      : count.failed > 0
        ? null
        : code !== 0
          ? `${runner} ended with exit code ${code}, and no test failed.`
          : count.passed === 0
            ? `${runner} ran no test.`
            : null;
  return reason === null ? count : { ...count, failed: count.failed + 1, failures: [...count.failures, reason] };
}

/** Counts a run of vitest; `result` is missing when it wrote none. A unit is a file (absolute path): its tests may follow each other. */
export function countVitest(
  result: VitestResult | undefined,
  code: number,
  rerun: (file: string) => Promise<TestCount>,
): TestCount {
  const { files = [], unhandled = [] } = result ?? {};
  const units = files
    .filter(({ failures }) => failures.length > 0)
    .map(({ name, passed, skipped, failures }) => ({
      failures: failures.map(
        ({ test, error }) => `${relative(root, name)}${test === "" ? "" : ` › ${test}`}\n${firstLines(error)}`,
      ),
      passed,
      skipped,
      rerun: () => rerun(name),
    }));
  const failures = [...units.flatMap((unit) => unit.failures), ...unhandled.map(firstLines)];
  const sum = (key: "passed" | "skipped") => files.reduce((total, each) => total + each[key], 0);
  const count = { passed: sum("passed"), failed: failures.length, skipped: sum("skipped"), failures, flaky: [], units };
  return withReason(count, "vitest", code);
}

/** The failed browser tests of a suite and its nested suites, by their id. */
function findFailures({ suites = [], specs }: Suite): { id: string; failure: string }[] {
  const failures = specs
    .filter(({ ok }) => !ok)
    .map(({ id, title, file, line, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((each) => each.errors));
      return { id, failure: `apps/web/e2e/${file}:${line} › ${title}\n${linesOf(errors)}` };
    });
  return [...failures, ...suites.flatMap(findFailures)];
}

/**
 * Counts a run of Playwright; `result` is missing when it wrote none. A unit is a test, by its id. No browser test is skipped on
 * purpose, so a skipped one did not run and counts as failed; so does one that Playwright retried, because retries are off.
 */
export function countPlaywright(
  result: PlaywrightResult | undefined,
  code: number,
  rerun: (id: string) => Promise<TestCount>,
): TestCount {
  if (!result) return withReason(EMPTY_COUNT, "Playwright", code);
  const { expected, unexpected, flaky, skipped } = result.stats;
  const found = result.suites.flatMap(findFailures);
  const units = found.map(({ id, failure }) => ({
    failures: [failure],
    passed: 0,
    skipped: 0,
    rerun: () => rerun(id),
  }));
  const failures = found.map(({ failure }) => failure);
  for (const error of result.errors) failures.push(linesOf([error]));
  if (skipped > 0) failures.push(`${skipped} browser tests did not run.`);
  const failed = unexpected + flaky + skipped + result.errors.length;
  return withReason({ passed: expected, failed, skipped: 0, failures, flaky: [], units }, "Playwright", code);
}
