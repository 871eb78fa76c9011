import { flushCompileCache } from "node:module";
import { join } from "node:path";

import { createDb } from "@marketday/db";
import { pino } from "pino";

import { parseEnv } from "../src/env.ts";
import { startServer } from "../src/main.ts";
import { failpoints, type Failpoint } from "./failpoint.ts";

/**
 * A server in a separate process, for tests that kill it: `DATABASE_URL`, `DATA_DIR`, and `FAILPOINTS` as JSON
 * (`{"checkout:paid":"kill"}`); `CLOCK_SKEW_MS`: error of this process's clock; `TEST_JOBS=off`: no jobs; `TIMEOUT_FACTOR`
 * multiplies every timeout. Serves the API without the web app, and sends its address to the parent when it listens. Under test/,
 * so that it is in no image.
 */
const skew = Number(process.env["CLOCK_SKEW_MS"] ?? 0);
const realNow = Date.now.bind(Date);
if (skew !== 0) Date.now = () => realNow() + skew;
const plan = JSON.parse(process.env["FAILPOINTS"] ?? "{}") as Record<string, Failpoint>;
const points = failpoints(plan);
const timeoutFactor = Number(process.env["TIMEOUT_FACTOR"] ?? 1);
const addressSent = Promise.withResolvers<void>();
const env = parseEnv({
  NODE_ENV: "test",
  PORT: "0",
  HOST: "127.0.0.1",
  RATE_LIMITS: "off",
  LOG_LEVEL: "warn",
  ...process.env,
});
const url = env.databaseUrl;
if (!url) throw new Error("DATABASE_URL is missing");
const server = await startServer(env, {
  databaseUrl: url,
  webDist: join(env.dataDir, "no-web-app"),
  log: pino({ level: process.env["TEST_LOG"] ?? "silent" }) as never,
  jobs: process.env["TEST_JOBS"] !== "off",
  timeoutFactor,
  overrides: {
    db: createDb({ url, applicationName: "marketday server", timeoutFactor }),
    failpoint: async (point) => {
      // A process that stops before it sent its address would never be continued.
      if (plan[point] === "stop") await addressSent.promise;
      await points.at(point);
    },
  },
});
// With NODE_COMPILE_CACHE the next process loads faster; a killed one writes nothing at its exit.
flushCompileCache();
process.send?.({ address: server.address }, () => addressSent.resolve());
process.on("disconnect", () => process.exit(0));
process.on("SIGTERM", () => void server.close().then(() => process.exit(0)));
