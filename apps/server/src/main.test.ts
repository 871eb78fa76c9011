import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { createTestDatabase } from "@marketday/db/testing";
import { expect, test } from "vitest";

test.each(["throw new Error('boom')", "Promise.reject(new Error('boom'))"])(
  "server: an uncaught error (%s) is logged, and the process exits with 1",
  { tags: ["fail:D13"] },
  async (thrown) => {
    const database = await createTestDatabase();
    const dataDir = mkdtempSync(join(tmpdir(), "marketday-crash-"));
    // The server as a container starts it, with a fault that occurs once it runs.
    const fault = `const wait = setInterval(() => {
      if (process.listenerCount("SIGTERM") === 0) return;
      clearInterval(wait);
      ${thrown};
    }, 20);`;
    const child = spawn(
      process.execPath,
      [
        "--import",
        `data:text/javascript,${encodeURIComponent(fault)}`,
        fileURLToPath(new URL("main.ts", import.meta.url)),
      ],
      {
        env: {
          ...process.env,
          NODE_ENV: "test",
          PORT: "0",
          HOST: "127.0.0.1",
          DATABASE_URL: database.url,
          DATA_DIR: dataDir,
          LOG_LEVEL: "info",
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    try {
      const exit = once(child, "exit");
      const output = await text(child.stdout);
      expect(await exit).toEqual([1, null]);
      const lines = output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { level: number; err?: { message: string } });
      expect(lines.filter(({ level }) => level >= 60).map(({ err }) => err?.message)).toEqual(["boom"]);
    } finally {
      child.kill("SIGKILL");
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
);
