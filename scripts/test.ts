import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { generate } from "../prisma/src/generate.ts";
import { root, runProgram } from "./lib/run.ts";
import { buildWeb } from "./lib/web-build.ts";

/** `failures`: the failed tests with the first lines of their errors, printed again at the end of the log. */
type Count = { passed: number; failed: number; skipped: number; failures?: string[] };
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
      return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
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
function settle(count: Count | undefined, code: number): Count {
  const { passed, failed, skipped, failures = [] } = count ?? { passed: 0, failed: 0, skipped: 0 };
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed, skipped, failures };
}

/** The first lines of an error message, without colors. */
const firstLines = (text: string) =>
  stripVTControlCharacters(text)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 12)
    .map((line) => `    ${line}`)
    .join("\n");

/** Prints the 20 slowest test files in seconds. Times are in ms. */
function printSlowest(files: readonly { name: string; startTime: number; endTime: number }[]): void {
  const slowest = files
    .map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime }))
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, 20);
  console.log("\nSlowest test files:");
  for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(root, name)}`);
}

async function runVitest(): Promise<Count> {
  const file = join(scratch, "vitest.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const { code } = await runProgram(bin("vitest"), args, { show: true, env: soak ? { SOAK: "1" } : {} });
  const result = readJson(file) as
    | {
        numPassedTests: number;
        numFailedTests: number;
        numPendingTests: number;
        numTodoTests: number;
        testResults: {
          name: string;
          status: string;
          message: string;
          startTime: number;
          endTime: number;
          assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
        }[];
      }
    | undefined;
  if (!result) return settle(undefined, code);
  printSlowest(result.testResults);
  const broken = result.testResults.filter(
    (each) => each.status === "failed" && !each.assertionResults.some(({ status }) => status === "failed"),
  );
  const failures = result.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(
        ({ fullName, failureMessages }) =>
          `${relative(root, name)} › ${fullName}\n${firstLines(failureMessages.join("\n"))}`,
      ),
  );
  const count = {
    passed: result.numPassedTests,
    failed: result.numFailedTests + broken.length,
    skipped: result.numPendingTests + result.numTodoTests,
    failures: [...failures, ...broken.map(({ name, message }) => `${relative(root, name)}\n${firstLines(message)}`)],
  };
  return settle(count, code);
}

interface Suite {
  suites?: Suite[];
  specs: {
    title: string;
    file: string;
    line: number;
    ok: boolean;
    tests: { results: { errors: { message: string }[] }[] }[];
  }[];
}

/** The failed browser tests of a suite and its nested suites. */
function findFailures({ suites = [], specs }: Suite): string[] {
  const failures = specs
    .filter(({ ok }) => !ok)
    .map(({ title, file, line, tests }) => {
      const errors = tests.flatMap(({ results }) =>
        results.flatMap((result) => result.errors.map(({ message }) => message)),
      );
      return `apps/web/e2e/${file}:${line} › ${title}\n${firstLines(errors.join("\n"))}`;
    });
  return [...failures, ...suites.flatMap(findFailures)];
}

async function runBrowserTests(): Promise<Count> {
  const file = join(scratch, "browser-tests.json");
  const { code } = await runProgram(
    join(root, "apps/web/node_modules/.bin/playwright"),
    ["test", "--reporter=list,json"],
    {
      cwd: join(root, "apps/web"),
      show: true,
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(soak && { SOAK: "1" }) },
    },
  );
  const result = readJson(file) as
    | { stats: { expected: number; unexpected: number; flaky: number; skipped: number }; suites: Suite[] }
    | undefined;
  if (!result) return settle(undefined, code);
  const { expected, unexpected, flaky, skipped } = result.stats;
  // A test that passes only on retry counts as failed.
  return settle(
    { passed: expected, failed: unexpected + flaky, skipped, failures: result.suites.flatMap(findFailures) },
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
  work("build of the web app", () => buildWeb()),
  { name: "tests", run: runVitest },
  ...(quick ? [] : [{ name: "browser tests", run: runBrowserTests }]),
];

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const describe = ({ passed, failed, skipped }: Count) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;

console.log(
  soak
    ? "Running everything at full size (soak)."
    : quick
      ? "Running everything except the browser tests."
      : "Running everything.",
);
const started = performance.now();
const counts: (Count & { name: string; line: string })[] = [];
for (const { name, run } of stages) {
  console.log(`\n▸ ${name}`);
  const from = performance.now();
  const count = await run();
  const line = `${count.failed > 0 ? "✗" : "✓"} ${name}: ${describe(count)} (${seconds(from)})`;
  console.log(line);
  counts.push({ ...count, name, line });
}
rmSync(scratch, { recursive: true, force: true });

const failures = counts.flatMap((count) => count.failures ?? []);
if (failures.length > 0) console.log(`\nFailures:\n\n${failures.join("\n\n")}`);
console.log(`\n${counts.map(({ line }) => line).join("\n")}\n\n${seconds(started)} in total`);
const sum = (key: "passed" | "failed") => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
