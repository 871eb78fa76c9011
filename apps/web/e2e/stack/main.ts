import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

import { createDb } from "../../../../prisma/src/client.ts";
import { setTimeoutFactor } from "../../../../prisma/src/pool.ts";
import { asAdmin, withDatabase } from "../../../../prisma/test/postgres.ts";
import { createDeps } from "../../../server/src/create-deps.ts";
import { parseEnv } from "../../../server/src/env.ts";
import { KeyedCache } from "../../../server/src/lib/cache.ts";
import { databaseClock } from "../../../server/src/lib/clock.ts";
import { createLogger } from "../../../server/src/lib/logger.ts";
import { type RunningServer, startServer } from "../../../server/src/main.ts";
import { TEST_TIMEOUT_FACTOR } from "../../../server/test/clock.ts";
import { fakeStripe } from "../../../server/test/fake-stripe.ts";
import { type Stack, type Controls, controls } from "./controls.ts";
import { lengthenHolds } from "./held-actions.ts";
import { fillMarket, type HubPlace } from "./market.ts";
import { movingClock } from "./moving-clock.ts";

/**
 * The real stack of one test worker: a separate database with a small market, the server on a free port. The worker
 * talks to it over the process's channel: `{ id, op, place, input }` is answered with `{ id, value }` or `{ id, error }`.
 */
const [adminUrl = "", template = "", pictures = ""] = process.argv.slice(2);
const name = `e2e_${process.pid}`;
const url = withDatabase(adminUrl, name);
await asAdmin(adminUrl, `create database ${name} template ${template}`);

const dataDir = mkdtempSync(join(tmpdir(), "marketday-e2e-"));
symlinkSync(pictures, join(dataDir, "pictures"));

const payments = process.env["E2E_PAYMENTS"] ?? "test";
const webhookSecret = "whsec_of_the_tests_alone_0123456789";
const stripe = payments === "stripe" ? await fakeStripe({ webhookSecret }) : null;
const env = parseEnv({
  NODE_ENV: "test",
  PORT: "0",
  HOST: "127.0.0.1",
  DATA_DIR: dataDir,
  RATE_LIMITS: "off",
  PAYMENTS: payments,
  ...(stripe && {
    STRIPE_SECRET_KEY: "sk_test_e2e",
    STRIPE_PUBLISHABLE_KEY: "pk_test_e2e",
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: stripe.url,
  }),
  DEMO: "off",
  SPECIAL_HUB_TEXT: "Run together with the growers’ guild.",
  LOG_LEVEL: process.env["TEST_LOG"] ?? "silent",
});
// Every pool of this process: the controls' and the server's.
setTimeoutFactor(TEST_TIMEOUT_FACTOR);
const db = createDb({ url, applicationName: "marketday e2e" });
const market = await fillMarket(db, env, new Date());
await lengthenHolds(db);

// A change by a control is known to the server before the next step of the test, however late its notifications arrive.
const elapsed = () => performance.now();
const cache = new KeyedCache({ elapsed });
const personalCache = new KeyedCache({ elapsed, minAgeMs: 0 });
const forget = () => {
  cache.clear();
  personalCache.clear();
};
const marketClock = await databaseClock(db);
const clock = movingClock(marketClock);
const options = { databaseUrl: url, overrides: { cache, personalCache, clock }, timeoutFactor: TEST_TIMEOUT_FACTOR };
/** Of the controls that do what a job of the server does. */
const deps = await createDeps(env, url, createLogger("silent", false), { db, cache, personalCache, clock });
let server: RunningServer | null = await startServer(env, options);
const address = server.address.replace("localhost", "127.0.0.1");
const stack: Stack = {
  db,
  pepper: env.pepper,
  sessionSecrets: env.sessionSecrets,
  dataDir,
  market,
  stripe,
  hubIsOpen: async (id) => {
    for (;;) {
      forget();
      const answer = await fetch(`${address}/api/hubs`);
      if (((await answer.json()) as { id: number }[]).some((hub) => hub.id === id)) return;
      await setTimeout(50);
    }
  },
  address,
  clock,
  context: () => ({ now: clock.now(), actor: { type: "system", job: "e2e" }, deps }),
  stopServer: async () => {
    await server?.close();
    server = null;
  },
  startServer: async () => {
    server ??= await startServer({ ...env, port: Number(new URL(address).port) }, options);
  },
};

interface Request {
  id: number;
  op: keyof Controls;
  place: HubPlace;
  input: never;
}
process.on("message", ({ id, op, place, input }: Request) => {
  const run = controls[op] as (stack: Stack, input: never) => Promise<unknown>;
  run({ ...stack, market: { ...market, ...place } }, input)
    .finally(forget)
    .then(
      (value) => process.send?.({ id, value }),
      (error: unknown) => process.send?.({ id, error: error instanceof Error ? error.stack : String(error) }),
    );
});
process.on("disconnect", () => {
  void (async () => {
    await server?.close();
    marketClock.stop();
    await db.close();
    await asAdmin(adminUrl, `drop database if exists ${name} with (force)`);
    rmSync(dataDir, { recursive: true, force: true });
    process.exit(0);
  })();
});
process.send?.({ address, market });
