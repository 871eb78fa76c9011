import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { countStatements, createDb, type Db, listen, notify, setRowChecking } from "@marketday/db";
import { createTestDatabase } from "@marketday/db/testing";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll } from "vitest";

import { buildApp } from "../src/app.ts";
import { createDeps } from "../src/create-deps.ts";
import type { Deps } from "../src/deps.ts";
import { parseEnv } from "../src/env.ts";
import { audit } from "../src/modules/doctor/audit.ts";
import { nextDeliveries } from "../src/modules/hubs/deliveries.ts";
import { dropDirectory, forgetDirectory, hubDirectory } from "../src/modules/hubs/directory.ts";
import { testClock, type TestClock } from "./clock.ts";
import { emptyDist } from "./empty-dist.ts";
import { onNews } from "./news.ts";
import { PATIENCE } from "./patience.ts";
import { testQueues } from "./queues.ts";
import { shopper, type Shopper } from "./shopper.ts";

/** A Monday afternoon in Indianapolis: the Thursday market is open, its cutoff is a day and a half away. */
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
   * Statements that reach Postgres while `work` runs; the server has received all notifications by then and knows the hubs, or, `cold`,
   * has forgotten them. One at a time.
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
  /** With pages, of an app that is nothing but its places. */
  pages?: true;
  /** Times every limit of waiting, 30 unless given: 1 for tests of the limits themselves. */
  timeoutFactor?: number;
}

/** A whole server on a database of its own (or on `url`), the clock standing still. Closed when the file's tests are over. */
export async function buildTestApp({
  now = MONDAY,
  env = {},
  overrides = {},
  url,
  pages,
  timeoutFactor: patience = PATIENCE,
}: Options = {}): Promise<TestMarket> {
  setRowChecking(true);
  const database = url === undefined ? await createTestDatabase() : { url, drop: async () => undefined };
  const dataDir = mkdtempSync(join(tmpdir(), "marketday-test-"));
  const clock = testClock(now);
  const db = createDb({ url: database.url, applicationName: "marketday test", timeoutFactor: patience });
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
  const deps = await createDeps(settings, database.url, log, { db, clock, queues, ...overrides });
  const app = await buildApp(deps, { timeoutFactor: patience, ...(pages && { webDist: emptyDist(dataDir) }) });
  const address = await app.listen({ host: "127.0.0.1", port: 0 });
  const marks = new Map<string, () => void>();
  const listener = listen(
    database.url,
    ["catalogue", "hubs", "session", MARKS],
    (channel, payload) => {
      if (channel === "catalogue") deps.cache.drop(payload === "" ? null : Number(payload));
      else if (channel === "hubs") dropDirectory(deps);
      else if (channel === "session") app.dropSession(payload);
      else marks.get(payload)?.();
    },
    {
      onReconnect: () => {
        deps.cache.clear();
        dropDirectory(deps);
        app.dropSession(null);
        for (const resolve of marks.values()) resolve();
      },
    },
  );
  await listener.ready;
  const waitForNotifications = async () => {
    const mark = randomUUID();
    // Notices come in the order of their commits.
    const arrived = new Promise<void>((resolve) => marks.set(mark, resolve));
    await notify(db, MARKS, mark);
    await arrived;
    marks.delete(mark);
  };
  const forget = onNews(db, database.url, async () => {
    await waitForNotifications();
    forgetDirectory(deps);
  });
  let closed = false;
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
      // The hubs and their next days are kept in memory: who reads them, and when, is no matter of chance.
      forgetDirectory(deps);
      if (!cold) {
        await hubDirectory(deps);
        await nextDeliveries(deps, clock.now());
      }
      const counting = countStatements(db);
      let seen: string[] = [];
      try {
        await work();
      } finally {
        seen = counting.stop();
      }
      return seen;
    },
    async close() {
      if (closed) return;
      closed = true;
      forget();
      await app.close();
      await listener.close();
      await db.close();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  afterAll(() => market.close());
  return market;
}
