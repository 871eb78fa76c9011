import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createDb } from "@marketday/db";
import { startEmbedded } from "@marketday/db/embedded";
import { migrate } from "@marketday/db/migrate";
import { parseEnv } from "@marketday/server/env";

import { type DemoShopper, fillDemo } from "../demo/fill.ts";

/** A separate demo market in a separate Postgres; the real market is not touched. */
export interface BenchMarket {
  /** Settings for a server of this market. */
  env: Record<string, string>;
  databaseUrl: string;
  shoppers: DemoShopper[];
  stop(): Promise<void>;
}

/** Creates the market in a temporary folder, in some seconds. */
export async function openBenchMarket(): Promise<BenchMarket> {
  const folder = mkdtempSync(join(tmpdir(), "marketday-bench-"));
  const postgres = await startEmbedded({ dataDir: join(folder, "postgres"), throwaway: true });
  const stop = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await migrate({ url: postgres.url });
    const env = {
      DATABASE_URL: postgres.url,
      DATA_DIR: folder,
      PORT: "0",
      HOST: "127.0.0.1",
      RATE_LIMITS: "off",
      PAYMENTS: "test",
      DEMO: "off",
      NODE_ENV: "development",
    };
    const db = createDb({ url: postgres.url, statementTimeoutMs: 60_000 });
    const { shoppers } = await fillDemo({ db, now: new Date(), env: parseEnv({ ...process.env, ...env }) });
    await db.close();
    return { env, databaseUrl: postgres.url, shoppers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
