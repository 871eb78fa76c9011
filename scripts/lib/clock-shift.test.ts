import { spawnSync } from "node:child_process";

import { expect, test } from "vitest";

import { buildClockShift } from "./clock-shift.ts";
import { runProgram } from "./run.ts";

const isPossible = process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0;

test.runIf(isPossible)(
  "a program under a shifted clock begins at that instant, and its timers run as always",
  async () => {
    const instant = new Date("2028-02-29T12:00:00Z");
    const shift = await buildClockShift();
    const script = `const wall = Date.now(), timer = performance.now();
    setTimeout(() => console.log(JSON.stringify([wall, Date.now() - wall, performance.now() - timer])), 300)`;
    const { output } = await runProgram(process.execPath, ["-e", script], { env: shift(instant) });
    const [wall = 0, wallMs = 0, timerMs = 0] = JSON.parse(output) as number[];
    // The same day, however slowly the program started.
    expect(new Date(wall).toISOString().slice(0, 10)).toBe("2028-02-29");
    expect(wall).toBeGreaterThanOrEqual(instant.getTime() - 1000);
    expect(Math.abs(wallMs - timerMs)).toBeLessThan(timerMs);
  },
);
