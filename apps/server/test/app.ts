import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { countStatements, createDb, type Db, listen, notify, setRowChecking } from "@marketday/db";
import { atEnd, createTestDatabase, createTestFolder } from "@marketday/db/testing";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";

import { buildApp } from "../src/app.ts";
import { applyChange, CHANGE_CHANNELS, forgetCached, suspendCached } from "../src/changes.ts";
import { createDeps } from "../src/create-deps.ts";
import type { Deps } from "../src/deps.ts";
import { parseEnv } from "../src/env.ts";
import { KeyedCache } from "../src/lib/cache.ts";
import { setAnswerChecking } from "../src/lib/compiled-serializer.ts";
import { audit } from "../src/modules/doctor/violation-sql.ts";
import { nextDeliveries } from "../src/modules/hubs/deliveries.ts";
import { hubDirectory } from "../src/modules/hubs/directory.ts";
import { TEST_TIMEOUT_FACTOR, testClock, type TestClock } from "./clock.ts";
import { emptyDist } from "./dist.ts";
import { testQueues } from "./queues.ts";
import { shopper, type Shopper } from "./shopper.ts";
import { registerServer } from "./test-servers.ts";

/** A Monday afternoon in Indianapolis, a day and a half before the cutoff of Thursday's market. */
export const MONDAY = "2026-11-23T17:00:00Z";

/** The channel by which a test waits until a server has received all notifications. */
const MARKS = "test_marks";

export interface TestMarket {
  app: FastifyInstance;
  deps: Deps;
  db: Db;
  clock: TestClock;
  url: string;
  dataDir: string;
  /** Where the app listens, on 127.0.0.1. */
  port: number;
  /** A browser without cookies. */
  shopper(): Shopper;
  /** The violated invariants of docs/failures.md; tests of money and stock expect none. */
  audit(): ReturnType<typeof audit>;
  /** Resolves when this server has received the notifications of everything committed before. */
  waitForNotifications(): Promise<void>;
  /**
   * Statements that reach Postgres while `work` runs, after all notifications were received. The hubs are cached, or not with
   * `cold`. Not for concurrent calls.
   */
  statements(work: () => Promise<unknown>, options?: { cold?: boolean }): Promise<string[]>;
  close(): Promise<void>;
}

interface Options {
  now?: string;
  env?: Record<string, string>;
  overrides?: Partial<Deps>;
  /** An existing database, for a second server on it. */
  url?: string;
  /** Where it listens for notifications, instead of `url`: the same database behind a proxy. */
  listenUrl?: string;
  /** Serves pages, from an empty template. Without it the API is served, and no file of the built app. */
  pages?: true;
  /** Multiplies every timeout; 30 by default, 1 for tests of the timeouts. */
  timeoutFactor?: number;
}

/**
 * A complete server on a separate database (or on `url`) with a stopped clock. Built in a test it is closed when the test ends, else
 * when the file ends.
 */
export async function buildTestApp({
  now = MONDAY,
  env = {},
  overrides = {},
  url,
  listenUrl,
  pages,
  timeoutFactor = TEST_TIMEOUT_FACTOR,
}: Options = {}): Promise<TestMarket> {
  setRowChecking(true);
  setAnswerChecking(true);
  const database = url === undefined ? await createTestDatabase() : { url, drop: async () => undefined };
  const dataDir = createTestFolder("test");
  const clock = testClock(now);
  const db = createDb({ url: database.url, applicationName: "marketday test", timeoutFactor });
  const settings = parseEnv({
    NODE_ENV: "test",
    DATA_DIR: dataDir,
    RATE_LIMITS: "off",
    PAYMENTS: "test",
    LOG_LEVEL: "silent",
    ...env,
  });
  const log = pino({ level: process.env["TEST_LOG"] ?? "silent" });
  const queues = await testQueues(db, clock);
  // Without minimum ages: a test reads what it wrote a few milliseconds after it read the entry.
  const time = overrides.clock ?? clock;
  const cache = new KeyedCache({ elapsed: () => time.elapsed(), minAgeMs: 0, costlyAge: 0 });
  const deps = await createDeps(settings, database.url, log, { db, clock, queues, cache, ...overrides });
  const app = await buildApp(deps, {
    timeoutFactor,
    webDist: pages ? emptyDist(dataDir) : join(dataDir, "no-web-app"),
  });
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  const marks = new Map<string, () => void>();
  const listener = listen(
    listenUrl ?? database.url,
    [...CHANGE_CHANNELS, MARKS],
    (channel, payload) => {
      if (channel === MARKS) marks.get(payload)?.();
      else applyChange({ app, deps }, channel, payload);
    },
    {
      onLost: () => suspendCached({ app, deps }),
      onReconnect: () => {
        forgetCached({ app, deps });
        for (const resolve of marks.values()) resolve();
      },
    },
  );
  await listener.ready;
  const waitForNotifications = async () => {
    const mark = randomUUID();
    // Notifications arrive in the order of their commits.
    const arrived = new Promise<void>((resolve) => marks.set(mark, resolve));
    await notify(db, MARKS, mark);
    await arrived;
    marks.delete(mark);
  };
  const unregister = registerServer(db, database.url, async () => {
    await waitForNotifications();
    deps.cache.clear("hubs");
  });
  const market: TestMarket = {
    app,
    deps,
    db,
    clock,
    url: database.url,
    dataDir,
    port: Number(new URL(address).port),
    shopper: () => shopper(app),
    audit: () => audit(db, clock.now()),
    waitForNotifications,
    async statements(work, { cold = false } = {}) {
      await waitForNotifications();
      // The hubs and their next days are cached: they are loaded now or not at all, so that the count is deterministic.
      deps.cache.clear("hubs");
      if (!cold) {
        await hubDirectory(deps);
        await nextDeliveries(deps, clock.now());
      }
      const counting = countStatements(db);
      let executed: string[] = [];
      try {
        await work();
      } finally {
        executed = counting.stop();
      }
      return executed;
    },
    close: atEnd(async () => {
      unregister();
      await app.close();
      await listener.close();
      await Promise.all([db.close(), deps.readDb.close()]);
      await database.drop();
    }),
  };
  return market;
}
