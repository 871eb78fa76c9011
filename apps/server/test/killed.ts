import { flushCompileCache } from "node:module";
import { join } from "node:path";

import { createDb } from "@marketday/db";
import { pino } from "pino";

import { createDeps } from "../src/create-deps.ts";
import { parseEnv } from "../src/env.ts";
import { timetable } from "../src/jobs/index.ts";
import { TEST_TIMEOUT_FACTOR, testClock } from "./clock.ts";
import { failpoints } from "./failpoint.ts";
import type { Doomed } from "./kill-at.ts";
import { testQueues } from "./queues.ts";

/** A server in a separate process that does one piece of work by a stopped clock, and is killed at a failpoint (`killAt`). */
const { url, applicationName, now, env, failpoint, work } = JSON.parse(process.env["DOOMED"] ?? "") as Doomed;
const settings = parseEnv({ NODE_ENV: "test", RATE_LIMITS: "off", LOG_LEVEL: "silent", ...env });
const log = pino({ level: process.env["TEST_LOG"] ?? "silent" });
const clock = testClock(now);
const db = createDb({ url, applicationName, timeoutFactor: TEST_TIMEOUT_FACTOR });
const deps = await createDeps(settings, url, log, {
  db,
  clock,
  queues: await testQueues(db, clock),
  failpoint: failpoints({ [failpoint]: "kill" }).at,
});
// With NODE_COMPILE_CACHE the next process loads faster; a killed one writes nothing at its exit.
flushCompileCache();
process.on("disconnect", () => process.exit(1));
if ("job" in work) {
  const job = timetable.find(({ name }) => name === work.job);
  await job?.run({ now: clock.now(), actor: { type: "system", job: work.job }, deps });
} else {
  const { buildApp } = await import("../src/app.ts");
  const app = await buildApp(deps, {
    timeoutFactor: TEST_TIMEOUT_FACTOR,
    webDist: join(settings.dataDir, "no-web-app"),
  });
  await app.inject(work.request);
}
process.exit(0);
