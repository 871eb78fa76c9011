import { writeFileSync } from "node:fs";

import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** What `pnpm test` reads of a run of vitest. */
export interface VitestResult {
  files: {
    /** Absolute path. */
    name: string;
    ms: number;
    passed: number;
    skipped: number;
    failures: { test: string; error: string }[];
  }[];
  /** Errors outside of tests: vitest only names where they came from. */
  unhandled: string[];
}

const messages = (errors: readonly SerializedError[]) =>
  errors.map(({ message, stack }) => stack ?? message).join("\n");

function readFile(file: TestModule): VitestResult["files"][number] {
  const tests = [...file.children.allTests()];
  const failed = tests.filter((test) => test.result().state === "failed");
  const failures = failed.map((test) => ({ test: test.fullName, error: messages(test.result().errors ?? []) }));
  // The file did not load, or a hook outside of its tests failed.
  const errors = [file, ...file.children.allSuites()].flatMap((each) => each.errors());
  if (errors.length > 0) failures.push({ test: "", error: messages(errors) });
  return {
    name: file.moduleId,
    ms: file.diagnostic().duration,
    passed: tests.filter((test) => test.result().state === "passed").length,
    skipped: tests.filter((test) => test.result().state === "skipped").length,
    failures,
  };
}

/** Writes a `VitestResult` to the file that `TEST_RESULT` names. */
export default class ResultReporter implements Reporter {
  onTestRunEnd(files: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const result: VitestResult = { files: files.map(readFile), unhandled: unhandled.map((error) => messages([error])) };
    writeFileSync(process.env["TEST_RESULT"] ?? "", JSON.stringify(result));
  }
}
