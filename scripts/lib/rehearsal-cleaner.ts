import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { startEmbedded } from "@marketday/db/embedded";

/**
 * Stops the Postgres of a rehearsal and removes its folder when the rehearsal's process is gone, even when it was killed:
 * the standard input of this process closes then. `node rehearsal-cleaner.ts FOLDER`
 */
const folder = process.argv[2] ?? "";
process.stdin.resume();
process.stdin.on("error", () => undefined);
process.stdin.once("close", () => void clean());

async function clean(): Promise<void> {
  if (!existsSync(folder)) return;
  const dataDir = join(folder, "postgres");
  // A throwaway cluster is stopped and removed when its last user leaves it.
  if (existsSync(`${dataDir}.json`))
    await startEmbedded({ dataDir, throwaway: true }).then(
      ({ stop }) => stop(),
      () => undefined,
    );
  await rm(folder, { recursive: true, force: true });
}
