import { readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { type Embedded, startEmbedded } from "@marketday/db/embedded";
import { migrate } from "@marketday/db/migrate";
import { atEnd, createTestFolder, quietPort } from "@marketday/db/testing";

/**
 * A separate Postgres for a test, with fsync and all migrations, that can be killed and restarted. Stopped at the end of the test or
 * file.
 */
export async function ownPostgres() {
  const dir = createTestFolder("outage");
  // As root, Postgres runs as a separate user that needs access.
  await chmod(dir, 0o755);
  const dataDir = join(dir, "postgres");
  let running: Embedded = await startEmbedded({ dataDir, port: await quietPort() });
  const stop = atEnd(() => running.stop());
  await migrate({ url: running.url });
  return {
    url: running.url,
    kill: () =>
      void process.kill(Number(readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n")[0]), "SIGKILL"),
    /** Restarts the same cluster; dying child processes may hold it a moment longer. */
    async restart(): Promise<void> {
      for (;;) {
        try {
          running = await startEmbedded({ dataDir });
          return;
        } catch {
          await pause(100);
        }
      }
    },
    stop,
  };
}
