import { execute, isUnavailable, query, sql, sqlTransaction } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { expect, test, vi } from "vitest";

import { buildTestApp, type TestMarket } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHubNow,
  createProduct,
  newKey,
  PASSWORD,
  type TestHub,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { startProcess } from "../../../test/processes.ts";
import { behindProxy } from "../../../test/proxy.ts";
import { race } from "../../../test/race.ts";
import type { Shopper } from "../../../test/shopper.ts";

/** The processes among them have the real clock. */
const now = new Date().toISOString();
const direct = await buildTestApp({ now });
const { db } = direct;
const secrets = { SESSION_SECRET: direct.deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: direct.deps.env.pepper };
/** Another server of the market, with production timeouts. */
const usual = (url = direct.url) => buildTestApp({ url, now, timeoutFactor: 1, env: secrets });
/** A browser with the same cookies at another server. */
function at(market: TestMarket, browser: Shopper): Shopper {
  const same = market.shopper();
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return same;
}
/** Disables the idle timeout for a transaction that holds a lock or a connection until it is released. */
const forLong = sql`set local idle_in_transaction_session_timeout = 0`;

async function buyer(market: TestMarket, hub: TestHub, quantity = 1) {
  const eggs = await createProduct(db, hub.id, { inventory: 50 });
  const row = await createCustomer(db, { hubId: hub.id, pepper: market.deps.env.pepper });
  const browser = market.shopper();
  expect((await browser.post("/auth/login", { username: row.email, password: PASSWORD })).status).toBe(200);
  await browser.put("/cart", [eggs.line(quantity)]);
  const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
  return { row, eggs, browser, order: { ...CHOICE, expectedTotal: orderTotal as number } };
}

test(
  "checkout: the response to a COMMIT is lost: a retry with the same key finds the one order",
  { tags: ["fail:D2"] },
  async () => {
    const { proxy, url } = await behindProxy(direct.url);
    const points = failpoints();
    const market = await buildTestApp({
      url,
      now,
      overrides: { failpoint: points.at },
      env: secrets,
    });
    const hub = await createHubNow(db);
    for (let round = 0; round < size(2, 20); round += 1) {
      const { row, browser, order } = await buyer(market, hub);
      const armed = Promise.withResolvers<void>();
      points.plan["checkout:before-commit"] = { until: armed.promise };
      points.passed.length = 0;
      const reached = points.reached("checkout:before-commit");
      const key = { "idempotency-key": newKey() };
      const first = browser.post("/checkout", order, key);
      await reached;
      const lost = proxy.loseNextCommit();
      delete points.plan["checkout:before-commit"];
      armed.resolve();
      await lost;
      const answer = await first;
      expect([201, 409, 503]).toContain(answer.status);
      let again = await browser.post("/checkout", order, key);
      // The owner of the key's lease died with the connection, so the request is retried after the lease.
      for (let tries = 0; again.status !== 201 && tries < 5; tries += 1) {
        direct.clock.advance(60_000);
        market.clock.set(direct.clock.now());
        again = await browser.post("/checkout", order, key);
      }
      expect(again.status, JSON.stringify(again.body)).toBe(201);
      const orders = await db.order.findMany({ where: { customer_id: row.id } });
      expect(orders.map(({ id }) => id)).toEqual([again.body.orderId]);
    }
    expect(await direct.audit()).toEqual([]);
  },
);

test(
  "a late COMMIT response: success or an `unavailable` error, no hanging transaction, and the process survives",
  { tags: ["fail:D9"] },
  async () => {
    const { proxy, url } = await behindProxy(direct.url);
    const slow = await usual(url);
    const unhandled: unknown[] = [];
    const onRejection = (error: unknown) => void unhandled.push(error);
    process.on("unhandledRejection", onRejection);
    try {
      // Postgres' own limit and the driver's are 4 and 5 s.
      const delays = [400, 5600, 4700, 50, 1900, 2100, 3900, 4100, 5400, 9000];
      for (const commitDelayMs of delays.slice(0, size(2, delays.length))) {
        proxy.commitDelayMs = commitDelayMs;
        const key = `late answer ${commitDelayMs}`;
        const [work] = await Promise.allSettled([
          sqlTransaction(slow.db, (tx) =>
            query(
              tx,
              sql`insert into mail (key, template, to_email, data, created_at) values (${key}, 'x', 'a@example.com', '{}', now()) returning id`,
            ),
          ),
        ]);
        proxy.commitDelayMs = 0;
        // Near the limit either result is valid.
        if (commitDelayMs < 4000) expect(work.status).toBe("fulfilled");
        if (commitDelayMs > 5000) expect(work.status).toBe("rejected");
        if (work.status === "rejected") expect(isUnavailable(work.reason)).toBe(true);
        // Only the response was late; the commit succeeded.
        expect(await db.mail.count({ where: { key } })).toBe(1);
        const after = await Promise.all(
          Array.from({ length: 20 }, () => slow.db.mail.count({ where: { template: "x" } })),
        );
        expect(new Set(after).size).toBe(1);
      }
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", onRejection);
      await db.mail.deleteMany({ where: { template: "x" } });
    }
  },
);

test(
  "a half-open database connection: 503 in bounded time, no request hangs, and the server recovers automatically",
  { tags: ["fail:D3"] },
  async () => {
    const { proxy, url } = await behindProxy(direct.url);
    const market = await usual(url);
    const hub = await createHubNow(db);
    const browser = at(market, (await buyer(direct, hub)).browser);
    expect((await browser.get("/orders")).status).toBe(200);
    proxy.mode = "blackhole";
    const answers = await Promise.all(Array.from({ length: 15 }, () => browser.get("/orders")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    proxy.mode = "pass";
    // Connections opened during the outage time out one by one; every request gets a response.
    for (let status = 503; status !== 200;) {
      ({ status } = await browser.get("/orders"));
      expect([200, 503]).toContain(status);
    }
  },
);

test(
  "a half-open database connection: by the server's timers a statement ends within 5 s and every request within 10 s",
  { tags: ["fail:D3"] },
  async () => {
    const { proxy, url } = await behindProxy(direct.url);
    const market = await usual(url);
    const hub = await createHubNow(db);
    const { browser, eggs, order } = await buyer(direct, hub);
    const shopper = at(market, browser);
    // Open connections look usable; for others the server waits until they are open.
    const warm = await Promise.all(Array.from({ length: 10 }, () => shopper.get("/orders")));
    expect(new Set(warm.map(({ status }) => status))).toEqual(new Set([200]));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      proxy.mode = "blackhole";
      const endedAt: Record<string, number> = {};
      let elapsedMs = 0;
      const timed = async (name: string, work: Promise<unknown>) => {
        const [result] = await Promise.allSettled([work]);
        endedAt[name] = elapsedMs;
        return result;
      };
      const statement = timed("statement", query(market.db, sql`select 1 as n`));
      const requests = [
        timed("orders", shopper.get("/orders")),
        timed("cart", shopper.put("/cart", [eggs.line(2)])),
        timed("checkout", shopper.post("/checkout", order, { "idempotency-key": newKey() })),
      ];
      // Every wait of the server is one of these timers; between two of them it does all that it can do.
      const settle = async () => {
        for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      };
      await settle();
      while (elapsedMs < 60_000 && Object.keys(endedAt).length < 4) {
        elapsedMs += 100;
        await vi.advanceTimersByTimeAsync(100);
        await settle();
      }
      expect((await statement).status).toBe("rejected");
      for (const answer of await Promise.all(requests))
        expect(answer).toMatchObject({ status: "fulfilled", value: { status: 503 } });
      expect(endedAt["statement"]).toBeLessThanOrEqual(5_000);
      expect(Math.max(...Object.values(endedAt))).toBeLessThanOrEqual(10_000);
    } finally {
      vi.useRealTimers();
    }
  },
);

test(
  "a row locked by another transaction: 503 for its cart, other requests work, and the cart works after the release",
  { tags: ["fail:D5"] },
  async () => {
    const hub = await createHubNow(db);
    const market = await usual();
    const { row, eggs, ...one } = await buyer(direct, hub);
    const two = await buyer(direct, hub);
    const [browser, other] = [at(market, one.browser), at(market, two.browser)];
    const release = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holder = sqlTransaction(db, async (tx) => {
      await execute(tx, forLong);
      await query(tx, sql`select id from cart where customer_id = ${row.id}::int for update`);
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const waiting = Array.from({ length: 6 }, () => browser.put("/cart", [eggs.line(3)]));
    expect((await other.put("/cart", [two.eggs.line(2)])).status).toBe(200);
    expect((await other.get("/hubs")).status).toBe(200);
    for (const answer of await Promise.all(waiting)) {
      expect(answer.status).toBe(503);
      expect(answer.headers["retry-after"]).toBeDefined();
    }
    release.resolve();
    await holder;
    expect((await browser.put("/cart", [eggs.line(3)])).status).toBe(200);
  },
);

test(
  "all database connections in use: cached data is served, the rest is 503, and the server recovers",
  { tags: ["fail:D6"] },
  async () => {
    const hub = await createHubNow(db);
    const market = await usual();
    const browser = at(market, (await buyer(direct, hub)).browser);
    expect((await browser.get("/hubs")).status).toBe(200);
    const release = Promise.withResolvers<void>();
    const held: Promise<void>[] = [];
    const taken: Promise<void>[] = [];
    for (let n = 0; n < 10; n += 1) {
      const begun = Promise.withResolvers<void>();
      taken.push(begun.promise);
      held.push(
        sqlTransaction(market.db, async (tx) => {
          await execute(tx, forLong);
          begun.resolve();
          await release.promise;
        }),
      );
    }
    await Promise.all(taken);
    const refused = await Promise.all(Array.from({ length: 220 }, () => browser.get("/orders")));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    // Public and cached in process: no connection is needed.
    expect((await market.app.inject("/api/hubs")).statusCode).toBe(200);
    release.resolve();
    await Promise.all(held);
    expect((await browser.get("/orders")).status).toBe(200);
  },
);

test(
  "SIGTERM during checkouts: every accepted request gets a response that matches the database",
  { tags: ["fail:D10"] },
  async () => {
    direct.clock.set(new Date());
    const hub = await createHubNow(db);
    const server = await startProcess({
      databaseUrl: direct.url,
      dataDir: direct.dataDir,
      env: { ...secrets, PAYMENTS: "test" },
    });
    const manyShoppers = [];
    for (let n = 0; n < size(12, 40); n += 1) manyShoppers.push(await buyer(direct, hub));
    const first = Promise.withResolvers<void>();
    // All requests are accepted except for their last byte before the first response.
    const answers = race(
      manyShoppers.map(({ browser, order }) => ({
        port: server.port,
        method: "POST" as const,
        path: "/api/checkout",
        body: order,
        cookie: browser.cookieHeader(),
      })),
      () => first.resolve(),
    );
    await first.promise;
    await server.kill("SIGTERM");
    const settled = (await answers).map((answer) => {
      if (answer.status === "rejected") throw answer.reason;
      return answer.value;
    });
    expect(settled.every(({ status }) => status === 201 || status === 503)).toBe(true);
    const placed = settled.filter(({ status }) => status === 201).map(({ body }) => body.orderId as number);
    const rows = await db.order.findMany({ where: { hub_id: hub.id }, select: { id: true } });
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(placed));
    expect(rows).toHaveLength(placed.length);
    direct.clock.set(new Date());
    expect(await direct.audit()).toEqual([]);
  },
);
