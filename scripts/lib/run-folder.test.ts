import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createTestFolder } from "@marketday/db/testing";
import { expect, test, vi } from "vitest";

import { isAlive } from "../../prisma/src/lock.ts";
import { chooseParent, openRunFolder, RUN_VARIABLE } from "./run-folder.ts";
import { environment, root } from "./run.ts";

const parent = createTestFolder("runs");

/** A process that lives until it is ended. */
async function startIn(folder: string) {
  const script = "console.log('started'); setInterval(() => {}, 1000)";
  const child = spawn(process.execPath, ["-e", script], { env: environment({ [RUN_VARIABLE]: folder }) });
  await once(child.stdout, "data");
  return child;
}

test("a run's folder names what tests left in it, ends its processes and is removed", async () => {
  const folder = await openRunFolder(parent);
  expect(await folder.findLeft()).toEqual([]);
  const child = await startIn(folder.path);
  mkdirSync(join(folder.path, "marketday-test-1"));
  mkdirSync(join(folder.path, "node-compile-cache"));
  expect(await folder.findLeft()).toEqual([
    expect.stringMatching(new RegExp(`^process ${child.pid}: .*setInterval`)),
    "folder marketday-test-1",
  ]);
  await folder.close();
  expect([isAlive(child.pid ?? 0), existsSync(folder.path)]).toEqual([false, false]);
});

test("a run removes what a killed one left, and leaves a living one alone", async () => {
  const gone = spawn(process.execPath, ["-e", ""]);
  await once(gone, "exit");
  const killed = join(parent, `marketday-run-${gone.pid}-abc`);
  const living = join(parent, `marketday-run-${process.pid}-abc`);
  for (const path of [killed, living]) mkdirSync(path);
  const child = await startIn(killed);
  const folder = await openRunFolder(parent);
  expect([isAlive(child.pid ?? 0), existsSync(killed), existsSync(living)]).toEqual([false, false, true]);
  await folder.close();
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "pnpm test, ended by %s, fails and leaves no process and no folder",
  async (signal) => {
    const own = mkdtempSync(join(parent, "signal-"));
    const args = [join(root, "scripts/test.ts"), "--stage", "types"];
    const run = spawn(process.execPath, args, { env: environment({ TMPDIR: own }) });
    await once(run.stdout, "data");
    const folder = readdirSync(own).find((name) => name.startsWith("marketday-run-")) ?? "";
    run.kill(signal);
    const [code] = (await once(run, "exit")) as [number];
    expect([folder !== "", code, existsSync(join(own, folder))]).toEqual([true, 1, false]);
  },
);

test("a run's folder is made in memory where there is room, or where TMPDIR says", async () => {
  vi.stubEnv("TMPDIR", undefined);
  const none = { files: 0, programs: 0 };
  expect(await chooseParent(parent, none)).toBe(process.platform === "linux" ? parent : tmpdir());
  for (const lack of [{ files: Infinity }, { programs: Infinity }])
    expect(await chooseParent(parent, { ...none, ...lack })).toBe(tmpdir());
  expect(await chooseParent(join(parent, "missing"), none)).toBe(tmpdir());
  vi.stubEnv("TMPDIR", parent);
  expect(await chooseParent("/dev/shm", none)).toBe(parent);
});
