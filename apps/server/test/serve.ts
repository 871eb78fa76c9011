import { createDb } from "@marketday/db";
import { pino } from "pino";

import { parseEnv } from "../src/env.ts";
import { startServer } from "../src/main.ts";
import { failpoints, type Failpoint } from "./failpoint.ts";

/**
 * One server as a process of its own, for tests that kill it: `DATABASE_URL`, `DATA_DIR`, and `FAILPOINTS` as JSON
 * (`{"checkout:paid":"kill"}`); `CLOCK_SKEW_MS`: how far this process's own clock is off; `TEST_JOBS=off`: it only
 * answers; `PATIENCE`: times every limit of waiting. Says its address to the parent when it listens. Lives under test/, so
 * no image has it.
 */
const skew = Number(process.env["CLOCK_SKEW_MS"] ?? 0);
const trueNow = Date.now.bind(Date);
if (skew !== 0) Date.now = () => trueNow() + skew;
const plan = JSON.parse(process.env["FAILPOINTS"] ?? "{}") as Record<string, Failpoint>;
const points = failpoints(plan);
const timeoutFactor = Number(process.env["PATIENCE"] ?? 1);
const announced = Promise.withResolvers<void>();
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
  log: pino({ level: process.env["TEST_LOG"] ?? "silent" }) as never,
  jobs: process.env["TEST_JOBS"] !== "off",
  timeoutFactor: timeoutFactor,
  overrides: {
    db: createDb({ url, applicationName: "marketday server", timeoutFactor: timeoutFactor }),
    failpoint: async (point) => {
      // Nobody waits for a process that fell asleep before it said where it is.
      if (plan[point] === "stop") await announced.promise;
      await points.at(point);
    },
  },
});
process.send?.({ address: server.address }, () => announced.resolve());
process.on("disconnect", () => process.exit(0));
process.on("SIGTERM", () => void server.close().then(() => process.exit(0)));
