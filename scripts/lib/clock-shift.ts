import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";

import { root, runProgram } from "./run.ts";

/**
 * Builds the library that shifts the wall clock of programs and of what they start: Node, Chromium and Postgres alike.
 * @returns the environment of a program whose clock shows `instant` now and goes on from there
 * @throws Error where it cannot be shifted, with one sentence for people
 */
export async function buildClockShift(): Promise<(instant: Date) => Record<string, string>> {
  if (process.platform !== "linux") throw new Error("--at shifts the clock on Linux only.");
  const library = join(root, "var/clock-shift.so");
  mkdirSync(join(root, "var"), { recursive: true });
  const built = `${library}.${process.pid}`;
  const source = join(root, "scripts/lib/clock-shift.c");
  const { code, output } = await runProgram("cc", ["-shared", "-fPIC", "-O2", "-o", built, source, "-ldl"]);
  if (code === 127) throw new Error("--at needs a C compiler: install gcc or clang, so that `cc` is there.");
  if (code !== 0) throw new Error(`cc could not build ${source}.\n${output.trimEnd()}`);
  // Programs that run under the clock have it open.
  renameSync(built, library);
  // This process may run under a shifted clock itself.
  const own = Number(process.env["CLOCK_SHIFT_S"] ?? 0);
  return (instant) => ({
    LD_PRELOAD: library,
    CLOCK_SHIFT_S: String(own + Math.round((instant.getTime() - Date.now()) / 1000)),
  });
}
