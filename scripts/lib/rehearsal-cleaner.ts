import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { startEmbedded } from "@marketday/db/embedded";

/**
 * Stops the Postgres of a rehearsal and removes its folder when the rehearsal is gone: its end of this process's standard
 * input closes, even when it was killed. `node rehearsal-cleaner.ts FOLDER`
 */
const folder = process.argv[2] ?? "";
process.stdin.resume();
process.stdin.on("error", () => undefined);
process.stdin.once("close", () => void clean());

async function clean(): Promise<void> {
  if (!existsSync(folder)) return;
  const dataDir = join(folder, "postgres");
  // Joined and left again by its last user, a throwaway cluster is stopped and removed.
  if (existsSync(`${dataDir}.json`))
    await startEmbedded({ dataDir, throwaway: true }).then(
      ({ stop }) => stop(),
      () => undefined,
    );
  await rm(folder, { recursive: true, force: true });
}
