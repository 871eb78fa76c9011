import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { generate } from "../prisma/src/generate.ts";
import { type Count, EMPTY_COUNT, judge, judgeAll } from "./lib/judge.ts";
import { root, runProgram } from "./lib/run.ts";
import { buildWeb } from "./lib/web-build.ts";
import type { VitestResult } from "./test/reporter.ts";

type Stage = { name: string; run: () => Promise<Count> };

const flags = new Set(process.argv.slice(2));
const quick = flags.has("--quick");
const soak = flags.has("--soak");
const bin = (name: string) => join(root, "node_modules/.bin", name);
const scratch = mkdtempSync(join(tmpdir(), "marketday-results-"));

/** A stage that counts as one test. Its output is printed only if it fails. */
function check(name: string, work: () => Promise<{ code: number; output: string }>): Stage {
  return {
    name,
    async run() {
      const { code, output } = await work();
      if (code !== 0) console.log(output.trimEnd());
      return { ...EMPTY_COUNT, ...(code === 0 ? { passed: 1 } : { failed: 1 }) };
    },
  };
}

const program = (name: string, command: string, args: string[]) => check(name, () => runProgram(command, args));

function work(name: string, run: () => Promise<unknown>): Stage {
  return check(name, () =>
    run().then(
      () => ({ code: 0, output: "" }),
      (error: unknown) => ({ code: 1, output: error instanceof Error ? error.message : String(error) }),
    ),
  );
}

function readJson(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** The counts of a runner. A nonzero exit code without a failed test (a file that does not load) counts as one failure. */
function settle(count: Count, code: number): Count {
  const { passed, failed } = count;
  return failed === 0 && (code !== 0 || passed === 0) ? { ...count, failed: 1 } : count;
}

/** The first lines of an error, without colors and without calls of libraries. */
const firstLines = (text: string) =>
  stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*at .*node_modules/.test(line))
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join("\n");

/** Prints the 20 slowest test files in seconds. */
function printSlowest(files: VitestResult["files"]): void {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, 20);
  console.log("\nSlowest test files:");
  for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(root, name)}`);
}

/** All tests, or one file in one worker. A file is the smallest part that runs alone: its tests may follow each other. */
async function runVitest(only?: string): Promise<Count> {
  const file = join(mkdtempSync(join(scratch, "vitest-")), "result.json");
  const args = ["run", "--reporter=default", `--reporter=${join(root, "scripts/test/reporter.ts")}`];
  if (only !== undefined) args.push("--maxWorkers=1", "--no-file-parallelism", only);
  const env = { TEST_RESULT: file, ...(soak && { SOAK: "1" }) };
  const { code } = await runProgram(bin("vitest"), args, { show: true, env });
  const result = readJson(file) as VitestResult | undefined;
  if (!result) return settle(EMPTY_COUNT, code);
  if (only === undefined) printSlowest(result.files);
  const suspects = result.files
    .filter(({ failures }) => failures.length > 0)
    .map(({ name, passed, failures }) => ({
      failures: failures.map(
        ({ test, error }) => `${relative(root, name)}${test === "" ? "" : ` › ${test}`}\n${firstLines(error)}`,
      ),
      passed,
      rerun: () => runVitest(name),
    }));
  const failures = [...suspects.flatMap((each) => each.failures), ...result.unhandled.map(firstLines)];
  const sum = (key: "passed" | "skipped") => result.files.reduce((total, each) => total + each[key], 0);
  return settle(
    { passed: sum("passed"), failed: failures.length, skipped: sum("skipped"), failures, flaky: [], suspects },
    code,
  );
}

interface Suite {
  suites?: Suite[];
  specs: {
    id: string;
    title: string;
    file: string;
    line: number;
    ok: boolean;
    tests: { results: { errors: { message: string }[] }[] }[];
  }[];
}

/** The failed browser tests of a suite and its nested suites, by their id. */
function findFailures({ suites = [], specs }: Suite): { id: string; failure: string }[] {
  const failures = specs
    .filter(({ ok }) => !ok)
    .map(({ id, title, file, line, tests }) => {
      const errors = tests.flatMap(({ results }) =>
        results.flatMap((result) => result.errors.map(({ message }) => message)),
      );
      return { id, failure: `apps/web/e2e/${file}:${line} › ${title}\n${firstLines(errors.join("\n"))}` };
    });
  return [...failures, ...suites.flatMap(findFailures)];
}

/** All browser tests, or the one with this id. The screenshots of a rerun are in a separate folder, so that the first ones stay. */
async function runBrowserTests(only?: string): Promise<Count> {
  const folder = mkdtempSync(join(scratch, "browser-"));
  const file = join(folder, "result.json");
  const args = ["test", "--reporter=list,json"];
  if (only !== undefined) {
    const list = join(folder, "last-run.json");
    writeFileSync(list, JSON.stringify({ status: "failed", failedTests: [only] }));
    args.push(
      "--last-failed",
      `--last-failed-file=${list}`,
      "--workers=1",
      `--output=${join(root, "var/e2e-again", only)}`,
    );
  }
  const { code } = await runProgram(join(root, "apps/web/node_modules/.bin/playwright"), args, {
    cwd: join(root, "apps/web"),
    show: true,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(soak && { SOAK: "1" }) },
  });
  const result = readJson(file) as
    | {
        stats: { expected: number; unexpected: number; flaky: number; skipped: number };
        suites: Suite[];
        errors: { message: string }[];
      }
    | undefined;
  if (!result) return settle(EMPTY_COUNT, code);
  const { expected, unexpected, flaky: retried, skipped } = result.stats;
  const found = result.suites.flatMap(findFailures);
  // An error of no test: a file that does not load, a browser or a server that does not start.
  const errors = result.errors.map(({ message }) => firstLines(message));
  const suspects = found.map(({ id, failure }) => ({
    failures: [failure],
    passed: 0,
    rerun: () => runBrowserTests(id),
  }));
  return settle(
    {
      passed: expected,
      // Playwright's own retries are off.
      failed: unexpected + retried + errors.length,
      skipped,
      failures: [...found.map(({ failure }) => failure), ...errors],
      flaky: [],
      suspects,
    },
    code,
  );
}

const stages: Stage[] = [
  work("generated client", generate),
  program("types", bin("tsc"), ["-p", "tsconfig.json"]),
  program("types of the web app", bin("tsc"), ["-p", "apps/web/tsconfig.json"]),
  program("lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]),
  program("format", bin("oxfmt"), ["--check"]),
  program("import rules", process.execPath, ["scripts/lint-imports.ts"]),
  program("unused code", bin("knip"), []),
  program("language", process.execPath, ["scripts/lint-language.ts"]),
  program("locators", process.execPath, ["scripts/lint-locators.ts"]),
  work("build of the web app", () => buildWeb()),
  { name: "tests", run: async () => judge(await runVitest()) },
  ...(quick ? [] : [{ name: "browser tests", run: async () => judge(await runBrowserTests()) }]),
];

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const describe = ({ passed, failed, skipped, flaky }: Count) =>
  `${passed} passed, ${failed} failed${flaky.length > 0 ? `, ${flaky.length} flaky` : ""}${skipped > 0 ? `, ${skipped} skipped` : ""}`;
const line = (count: Count & { name: string; time: string }) =>
  `${count.failed > 0 ? "✗" : "✓"} ${count.name}: ${describe(count)} (${count.time})`;

console.log(
  soak
    ? "Running everything at full size (soak)."
    : quick
      ? "Running everything except the browser tests."
      : "Running everything.",
);
const started = performance.now();
const results: (Count & { name: string; time: string })[] = [];
for (const { name, run } of stages) {
  console.log(`\n▸ ${name}`);
  const from = performance.now();
  const result = { ...(await run()), name, time: seconds(from) };
  console.log(line(result));
  results.push(result);
}
rmSync(scratch, { recursive: true, force: true });

const counts = judgeAll(results);
const flaky = counts.flatMap((count) => count.flaky);
if (flaky.length > 0)
  console.log(`\n${flaky.length} FLAKY (failed, then passed alone; to be repaired):\n\n${flaky.join("\n\n")}`);
const failures = counts.flatMap((count) => count.failures);
if (failures.length > 0) console.log(`\nFailures:\n\n${failures.join("\n\n")}`);
console.log(`\n${counts.map(line).join("\n")}\n\n${seconds(started)} in total`);
const sum = (key: "passed" | "failed") => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
