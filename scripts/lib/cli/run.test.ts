import { open } from "node:fs/promises";

import { Command } from "commander";
import { expect, test, vi } from "vitest";

import { EXIT } from "./exit.ts";
import { runCommandLine } from "./run.ts";

test.runIf(process.platform === "linux")(
  "a disk that is full: a sentence and exit code 1, though the error names no path",
  async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const command = new Command("market").exitOverride().action(async () => {
      const file = await open("/dev/full", "w");
      try {
        await file.write("x");
      } finally {
        await file.close();
      }
    });
    try {
      expect(await runCommandLine(command, [])).toBe(EXIT.refused);
      expect(printed.mock.calls).toEqual([
        ["The disk is full: a file could not be written. What was under way was taken back."],
      ]);
    } finally {
      printed.mockRestore();
    }
  },
);
