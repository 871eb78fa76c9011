import { cpSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createTestFolder } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { root, runProgram } from "./lib/run.ts";

const run = (line: string, cwd = tmpdir()) => runProgram("sh", ["-c", line], { cwd });

test("./market: runs from any folder, on the installed Node", async () => {
  const { code, output } = await run(`PATH=/usr/bin:/bin ${root}/market --help`);
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringContaining("Runs a market from the command line."),
  });
});

test("./market before the install: prints one sentence with the command to run", async () => {
  const folder = createTestFolder("bare");
  cpSync(join(root, "market"), join(folder, "market"));
  expect(await run("./market --help", folder)).toEqual({
    code: 2,
    output: `Nothing is installed in ${folder} yet. Run there: npx -y pnpm@10.34.8 install\n`,
  });
});

test("./market with a reader that closes the pipe early: exits with 0 and no stack trace", async () => {
  // The pipe is closed before the first line is printed.
  const { output } = await run(`(${root}/market --help; echo "ended with $?" >&2) | true`);
  expect(output).toBe("ended with 0\n");
});
