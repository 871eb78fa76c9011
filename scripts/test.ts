import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { generate } from "../prisma/src/generate.ts";
import { EMPTY_COUNT, failTooManyFlaky, rerunFailed, type TestCount } from "./lib/rerun-failed.ts";
import { root, runProgram } from "./lib/run.ts";
import { countPlaywright, countVitest, type PlaywrightResult } from "./lib/test-results.ts";
import { buildWeb } from "./lib/web-build.ts";
import type { VitestResult } from "./test/reporter.ts";

type Stage = { name: string; run: () => Promise<TestCount> };

const flags = new Set(process.argv.slice(2));
const quick = flags.has("--quick");
const soak = flags.has("--soak");
const bin = (name: string) => join(root, "node_modules/.bin", name);
/** The runners' results of this run, and the screenshots of reruns; those of the run before are removed. */
const results = join(root, "var/test-results");
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

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

/** Prints the 20 slowest test files in seconds. */
function printSlowest(files: VitestResult["files"]): void {
  const slowest = files.toSorted((a, b) => b.ms - a.ms).slice(0, 20);
  console.log("\nSlowest test files:");
  for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(root, name)}`);
}

/** All tests, or one file in one worker. */
async function runVitest(only?: string): Promise<TestCount> {
  const file = join(mkdtempSync(join(results, "vitest-")), "result.json");
  const args = ["run", "--reporter=default", `--reporter=${join(root, "scripts/test/reporter.ts")}`];
  if (only !== undefined) args.push("--maxWorkers=1", "--no-file-parallelism", only);
  const env = { TEST_RESULT: file, ...(soak && { SOAK: "1" }) };
  const { code } = await runProgram(bin("vitest"), args, { show: true, env });
  const result = readJson(file) as VitestResult | undefined;
  if (result && only === undefined) printSlowest(result.files);
  return countVitest(result, code, runVitest);
}

/** All browser tests, or the one with this id. The screenshots of a rerun are beside its result, so that the first ones stay. */
async function runBrowserTests(only?: string): Promise<TestCount> {
  const folder = mkdtempSync(join(results, "browser-"));
  const file = join(folder, "result.json");
  const args = ["test", "--reporter=list,json"];
  if (only !== undefined) {
    const list = join(folder, "last-run.json");
    writeFileSync(list, JSON.stringify({ status: "failed", failedTests: [only] }));
    args.push("--last-failed", `--last-failed-file=${list}`, "--workers=1", `--output=${join(folder, "e2e")}`);
  }
  const { code } = await runProgram(join(root, "apps/web/node_modules/.bin/playwright"), args, {
    cwd: join(root, "apps/web"),
    show: true,
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...(soak && { SOAK: "1" }) },
  });
  return countPlaywright(readJson(file) as PlaywrightResult | undefined, code, runBrowserTests);
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
  { name: "tests", run: async () => rerunFailed(await runVitest()) },
  ...(quick ? [] : [{ name: "browser tests", run: async () => rerunFailed(await runBrowserTests()) }]),
];

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const describe = ({ passed, failed, skipped, flaky }: TestCount) =>
  `${passed} passed, ${failed} failed${flaky.length > 0 ? `, ${flaky.length} flaky` : ""}${skipped > 0 ? `, ${skipped} skipped` : ""}`;
const line = (count: TestCount & { name: string; time: string }) =>
  `${count.failed > 0 ? "✗" : "✓"} ${count.name}: ${describe(count)} (${count.time})`;

console.log(
  soak
    ? "Running everything at full size (soak)."
    : quick
      ? "Running everything except the browser tests."
      : "Running everything.",
);
const started = performance.now();
const counted: (TestCount & { name: string; time: string })[] = [];
for (const { name, run } of stages) {
  console.log(`\n▸ ${name}`);
  const from = performance.now();
  const result = { ...(await run()), name, time: seconds(from) };
  console.log(line(result));
  counted.push(result);
}

const counts = failTooManyFlaky(counted);
const flaky = counts.flatMap((count) => count.flaky);
if (flaky.length > 0)
  console.log(`\n${flaky.length} FLAKY (failed, then passed alone; to be repaired):\n\n${flaky.join("\n\n")}`);
const failures = counts.flatMap((count) => count.failures);
if (failures.length > 0) console.log(`\nFailures:\n\n${failures.join("\n\n")}`);
console.log(`\n${counts.map(line).join("\n")}\n\n${seconds(started)} in total`);
const sum = (key: "passed" | "failed") => counts.reduce((total, count) => total + count[key], 0);
console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
process.exitCode = sum("failed") > 0 ? 1 : 0;
