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

test.each([
  ["the connection was refused", { code: "ECONNREFUSED" }, "What was under way was taken back."],
  ["a lock was not released", { code: "55P03" }, "What was under way was taken back."],
  ["the connection was lost", { code: "ECONNRESET" }, "It may have been done: look before you run it again."],
])("a database that goes away, %s: the sentence promises no more than is known", async (message, fields, then) => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const command = new Command("market").exitOverride().action(() => {
    throw Object.assign(new Error(message), fields);
  });
  try {
    expect(await runCommandLine(command, [])).toBe(EXIT.away);
    expect(printed.mock.calls).toEqual([[`The database went away (${message}). ${then}`]]);
  } finally {
    printed.mockRestore();
  }
});
