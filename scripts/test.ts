import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";

import { generate } from "../prisma/src/generate.ts";
import { startBrowser } from "./lib/browser.ts";
import { buildClockShift } from "./lib/clock-shift.ts";
import { watchDisks } from "./lib/disk-space.ts";
import { findLargeTests, LARGE_TESTS } from "./lib/large-tests.ts";
import { Lifetime } from "./lib/lifetime.ts";
import { EMPTY_COUNT, failTooManyFlaky, rerunFailed, type TestCount } from "./lib/rerun-failed.ts";
import { chooseParent, openRunFolder, RUN_VARIABLE, type RunFolder } from "./lib/run-folder.ts";
import { root, runProgram } from "./lib/run.ts";
import { countPlaywright, countVitest, type PlaywrightResult } from "./lib/test-results.ts";
import { buildWeb } from "./lib/web-build.ts";
import type { VitestResult } from "./test/reporter.ts";

/**
 * `pnpm test`: every check and test, each result counted, the last line "N passed, N failed".
 *
 *     --quick          without the browser tests (`pnpm check`)
 *     --soak           everything at full size (`pnpm soak`)
 *     --large          all of scripts/lib/large-tests.ts at their large size, not only those whose paths changed
 *     --stage NAME     only this stage; may be repeated
 *     --at INSTANT     each stage begins at that instant, such as 2027-03-14T06:50:00Z
 *     --random N       test files in a random order, the one of the seed N
 *     --workers N      that many browsers
 */
function readOptions() {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      soak: { type: "boolean", default: false },
      large: { type: "boolean", default: false },
      stage: { type: "string", multiple: true, default: [] },
      at: { type: "string" },
      random: { type: "string" },
      workers: { type: "string" },
    },
  });
  const at = values.at === undefined ? null : new Date(values.at);
  if (at && Number.isNaN(at.getTime())) throw new Error(`--at ${values.at}: write an instant, 2027-03-14T06:50:00Z.`);
  for (const name of ["random", "workers"] as const)
    if (values[name] !== undefined && !/^[1-9]\d*$/.test(values[name]))
      throw new Error(`--${name} ${values[name]}: write a whole number from 1.`);
  return { ...values, at };
}

/** The test files that run at their large size; at full size there is no other. */
async function chooseLarge({ soak, large }: ReturnType<typeof readOptions>): Promise<string[]> {
  if (soak) return [];
  return large ? LARGE_TESTS.flatMap(({ tests }) => tests) : findLargeTests();
}

interface Stage {
  name: string;
  run: () => Promise<TestCount>;
  /** It may run at the same time as other such stages. */
  parallel?: true;
}
type StageCount = TestCount & { name: string; time: string };

const bin = (name: string) => join(root, "node_modules/.bin", name);
const results = join(root, "var/test-results");

/** A stage that counts as one test. Its output is printed only if it fails. */
async function countCheck(run: () => Promise<{ code: number; output: string }>): Promise<TestCount> {
  const { code, output } = await run();
  if (code === 0) return { ...EMPTY_COUNT, passed: 1 };
  const reason = output.trimEnd() || `It ended with exit code ${code} and printed nothing.`;
  console.log(reason);
  return { ...EMPTY_COUNT, failed: 1, failures: [reason.split("\n").slice(0, 12).join("\n")] };
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

function sumCounts(first: TestCount, second: TestCount): TestCount {
  return {
    passed: first.passed + second.passed,
    failed: first.failed + second.failed,
    skipped: first.skipped + second.skipped,
    failures: [...first.failures, ...second.failures],
    flaky: [...first.flaky, ...second.flaky],
    units: [...first.units, ...second.units],
  };
}

/** The stages of a run. `environment()`: variables of what a stage starts now. `large`: test files that run at their large size. */
function listStages(
  { quick, soak, random, workers }: ReturnType<typeof readOptions>,
  folder: RunFolder,
  environment: () => Record<string, string>,
  large: readonly string[],
): Stage[] {
  const program = (name: string, command: string, args: string[]): Stage => ({
    name,
    run: () => countCheck(() => runProgram(command, args, { env: environment() })),
    parallel: true,
  });
  const work = (name: string, run: () => Promise<unknown>): Stage => ({
    name,
    run: () =>
      countCheck(() =>
        run().then(
          () => ({ code: 0, output: "" }),
          (error: unknown) => ({ code: 1, output: error instanceof Error ? error.message : String(error) }),
        ),
      ),
  });
  const node = (name: string, script: string) => program(name, process.execPath, [join(root, script)]);

  // A failed test may leave what it made.
  let hasFailed = false;
  const noteFailures = (count: TestCount) => {
    hasFailed ||= count.failed > 0;
    return count;
  };

  const sizeOf = (isLarge: boolean): Record<string, string> =>
    soak ? { TEST_SIZE: "soak" } : isLarge ? { TEST_SIZE: "large" } : {};

  /** Test files of vitest: all but some, or only some; one alone in one worker. */
  async function runVitest(which: {
    only?: readonly string[];
    without?: readonly string[];
    isLarge?: boolean;
    alone?: boolean;
  }): Promise<TestCount> {
    const { only = [], without = [], isLarge = false, alone = false } = which;
    const file = join(mkdtempSync(join(results, "vitest-")), "result.json");
    const args = ["run", "--reporter=default", `--reporter=${join(root, "scripts/test/reporter.ts")}`, ...only];
    if (alone) args.push("--maxWorkers=1", "--no-file-parallelism");
    if (random !== undefined) args.push("--sequence.shuffle.files", `--sequence.seed=${random}`);
    const env = { ...environment(), TEST_RESULT: file, TEST_LATER: without.join(","), ...sizeOf(isLarge) };
    const { code } = await runProgram(bin("vitest"), args, { show: true, env });
    const result = readJson(file) as VitestResult | undefined;
    if (result && !alone) printSlowest(result.files);
    return noteFailures(countVitest(result, code, (each) => runVitest({ only: [each], isLarge, alone: true })));
  }

  const isBrowserTest = (file: string) => file.endsWith(".e2e.ts");

  async function runTests(): Promise<TestCount> {
    const files = large.filter((file) => !isBrowserTest(file));
    const small = await runVitest({ without: files });
    if (files.length === 0) return small;
    console.log("\n▸ at their large size\n");
    return sumCounts(small, await runVitest({ only: files, isLarge: true }));
  }

  /** All browser tests, or the one with this id. The screenshots of a rerun are beside its result, so that the first ones stay. */
  async function runBrowserTests(only?: string): Promise<TestCount> {
    try {
      await (await startBrowser()).close();
    } catch (error) {
      // Otherwise every test would try.
      return noteFailures(
        await countCheck(() => Promise.resolve({ code: 1, output: `No browser starts. ${String(error)}` })),
      );
    }
    const dir = mkdtempSync(join(results, "browser-"));
    const file = join(dir, "result.json");
    const args = ["test", "--reporter=list,json"];
    if (only !== undefined) {
      const list = join(dir, "last-run.json");
      writeFileSync(list, JSON.stringify({ status: "failed", failedTests: [only] }));
      args.push("--last-failed", `--last-failed-file=${list}`, "--workers=1", `--output=${join(dir, "e2e")}`);
    } else if (workers !== undefined) args.push(`--workers=${workers}`);
    const { code } = await runProgram(join(root, "apps/web/node_modules/.bin/playwright"), args, {
      cwd: join(root, "apps/web"),
      show: true,
      env: {
        ...environment(),
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
        ...sizeOf(large.some(isBrowserTest)),
      },
    });
    return noteFailures(countPlaywright(readJson(file) as PlaywrightResult | undefined, code, runBrowserTests));
  }

  return [
    work("generated client", generate),
    program("types", bin("tsc"), ["-p", "tsconfig.json"]),
    program("types of the web app", bin("tsc"), ["-p", "apps/web/tsconfig.json"]),
    program("types of the admin app", bin("tsc"), ["-p", "apps/admin/tsconfig.json"]),
    program("lint", bin("oxlint"), ["--type-aware", "--deny-warnings"]),
    program("format", bin("oxfmt"), ["--check"]),
    node("import rules", "scripts/lint-imports.ts"),
    program("unused code", bin("knip"), []),
    node("language", "scripts/lint-language.ts"),
    node("locators", "scripts/lint-locators.ts"),
    node("messages", "scripts/lint-messages.ts"),
    work("build of the browser apps", () => buildWeb()),
    { name: "tests", run: async () => rerunFailed(await runTests()) },
    ...(quick ? [] : [{ name: "browser tests", run: async () => rerunFailed(await runBrowserTests()) }]),
    {
      name: "nothing is left",
      run: () =>
        countCheck(async () => {
          const left = await folder.findLeft();
          return {
            code: left.length > 0 && !hasFailed ? 1 : 0,
            output: `Tests left in their temporary folder:\n${left.join("\n")}`,
          };
        }),
    },
  ];
}

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const describe = ({ passed, failed, skipped, flaky }: TestCount) =>
  `${passed} passed, ${failed} failed${flaky.length > 0 ? `, ${flaky.length} flaky` : ""}${skipped > 0 ? `, ${skipped} skipped` : ""}`;
const line = (count: StageCount) => `${count.failed > 0 ? "✗" : "✓"} ${count.name}: ${describe(count)} (${count.time})`;

/** Runs the stages in their order; neighbors that may run at the same time do, two at a time. */
async function runStages(stages: readonly Stage[], life: Lifetime): Promise<StageCount[]> {
  const counted: StageCount[] = [];
  const runStage = async (stage: Stage) => {
    if (!stage.parallel) console.log(`\n▸ ${stage.name}`);
    const from = performance.now();
    const result = { ...(await stage.run()), name: stage.name, time: seconds(from) };
    // After a signal no stage begins: the process is about to end.
    if (life.ending) await life.end(1);
    console.log(line(result));
    counted.push(result);
  };
  const waiting = [...stages];
  while (waiting.length > 0) {
    const [first] = waiting;
    const end = waiting.findIndex(({ parallel }) => parallel !== first?.parallel);
    const group = waiting.splice(0, first?.parallel ? (end < 0 ? waiting.length : end) : 1);
    const lane = async () => {
      for (let stage = group.shift(); stage; stage = group.shift()) await runStage(stage);
    };
    await Promise.all([lane(), lane()]);
  }
  return counted;
}

function printSummary(counted: readonly StageCount[], started: number, findFullDisks: () => string[]): number {
  const counts = failTooManyFlaky(counted);
  const flaky = counts.flatMap((count) => count.flaky);
  if (flaky.length > 0)
    console.log(`\n${flaky.length} FLAKY (failed, then passed alone; to be repaired):\n\n${flaky.join("\n\n")}`);
  const failures = counts.flatMap((count) => count.failures);
  if (failures.length > 0) console.log(`\nFailures:\n\n${failures.join("\n\n")}`);
  console.log(`\n${counts.map(line).join("\n")}\n\n${seconds(started)} in total`);
  const sum = (key: "passed" | "failed") => counts.reduce((total, count) => total + count[key], 0);
  if (sum("failed") > 0) for (const sentence of findFullDisks()) console.log(sentence);
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`);
  return sum("failed") > 0 || sum("passed") === 0 ? 1 : 0;
}

/** @returns the exit code */
async function runEverything(life: Lifetime): Promise<number> {
  const started = performance.now();
  const options = readOptions();
  const shift = options.at && (await buildClockShift());
  const folder = await life.hold(chooseParent().then(openRunFolder), (opened) => opened.close());
  const findFullDisks = watchDisks([folder.path, root]);
  const large = await chooseLarge(options);
  process.env["TMPDIR"] = folder.path;
  process.env[RUN_VARIABLE] = folder.path;
  // What tests start loads in two thirds of the time.
  process.env["NODE_COMPILE_CACHE"] = join(root, "var/compile-cache");
  const environment = () => (shift && options.at ? shift(options.at) : {});
  const all = listStages(options, folder, environment, large);
  for (const name of options.stage)
    if (!all.some((stage) => stage.name === name))
      throw new Error(`There is no stage "${name}". Stages: ${all.map((stage) => stage.name).join(", ")}.`);
  const stages = options.stage.length > 0 ? all.filter(({ name }) => options.stage.includes(name)) : all;
  // The results of the run before are removed, unless this one has none.
  if (stages.some(({ name }) => name === "tests" || name === "browser tests")) {
    rmSync(results, { recursive: true, force: true });
    mkdirSync(results, { recursive: true });
  }
  const what = options.quick ? "everything except the browser tests" : "everything";
  const when = options.at ? `, each stage from ${options.at.toISOString()} on` : "";
  console.log(
    `Running ${options.stage.join(", ") || what}${options.soak ? " at full size" : ""}${when}. Ctrl-C ends what was started.`,
  );
  return printSummary(await runStages(stages, life), started, findFullDisks);
}

const life = new Lifetime({ stopCode: 1 });
try {
  await life.end(await runEverything(life));
} catch (error) {
  // A full disk, or an option that does not exist: no result is no success.
  console.error(error instanceof Error ? error.message : error);
  console.log("0 passed, 1 failed");
  await life.end(1);
}
