import { execute, isUnavailable, query, sql, sqlTransaction, transaction } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { buildTestApp, type TestMarket } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
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

const direct = await buildTestApp();
const { db } = direct;
const secrets = { SESSION_SECRET: direct.deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: direct.deps.env.pepper };
/** Another server of the market, with the limits of waiting that a market has. */
const usual = (url = direct.url) => buildTestApp({ url, timeoutFactor: 1, env: secrets });
/** The same browser at another server. */
function at(market: TestMarket, browser: Shopper): Shopper {
  const same = market.shopper();
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return same;
}
/** Not ended by Postgres however long the others take: what holds a lock or a connection until it is told. */
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

test("the answer of a COMMIT is lost: the same key finds the one order", { tags: ["fail:D2"] }, async () => {
  const { proxy, url } = await behindProxy(direct.url);
  const points = failpoints();
  const market = await buildTestApp({
    url,
    overrides: { failpoint: points.at },
    env: secrets,
  });
  const hub = await createHub(db);
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
    // Whoever held the key's lease is gone with the connection; it is asked again like any shopper would.
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
});

test(
  "a COMMIT that is answered late: done, or unknown and said so; nothing is left hanging and the process lives",
  { tags: ["fail:D9"] },
  async () => {
    const { proxy, url } = await behindProxy(direct.url);
    const slow = await usual(url);
    const stray: unknown[] = [];
    const hear = (error: unknown) => void stray.push(error);
    process.on("unhandledRejection", hear);
    const data = (key: string) => ({ key, template: "x", to_email: "a@example.com", data: {}, created_at: new Date() });
    try {
      // Postgres' own limit and the driver's (4 and 5 s) are shorter than Prisma's 20 s: it never gives up first.
      const delays = [400, 5600, 4700, 50, 1900, 2100, 3900, 4100, 5400, 9000];
      for (const commitDelayMs of delays.slice(0, size(2, delays.length))) {
        proxy.commitDelayMs = commitDelayMs;
        const key = `late answer ${commitDelayMs}`;
        const works = await Promise.allSettled([
          transaction(slow.db, (tx) => tx.mail.create({ data: data(`${key} a`) })),
          sqlTransaction(slow.db, (tx) =>
            query(
              tx,
              sql`insert into mail (key, template, to_email, data, created_at) values (${`${key} b`}, 'x', 'a@example.com', '{}', now()) returning id`,
            ),
          ),
        ]);
        proxy.commitDelayMs = 0;
        for (const work of works) {
          // Near the limit it may be either; what it says is true.
          if (commitDelayMs < 4000) expect(work.status).toBe("fulfilled");
          if (commitDelayMs > 5000) expect(work.status).toBe("rejected");
          if (work.status === "rejected") expect(isUnavailable(work.reason)).toBe(true);
        }
        // Its answer was late, not the commit.
        expect(await db.mail.count({ where: { key: { startsWith: key } } })).toBe(2);
        const after = await Promise.all(
          Array.from({ length: 20 }, () => slow.db.mail.count({ where: { template: "x" } })),
        );
        expect(new Set(after).size).toBe(1);
      }
      expect(stray).toEqual([]);
    } finally {
      process.off("unhandledRejection", hear);
      await db.mail.deleteMany({ where: { template: "x" } });
    }
  },
);

test(
  "a half-open connection: 503 in bounded time, nobody waits on, and it recovers by itself",
  { tags: ["fail:D3"] },
  async () => {
    const { proxy, url } = await behindProxy(direct.url);
    const market = await usual(url);
    const hub = await createHub(db);
    const browser = at(market, (await buyer(direct, hub)).browser);
    expect((await browser.get("/orders")).status).toBe(200);
    proxy.mode = "blackhole";
    const answers = await Promise.all(Array.from({ length: 15 }, () => browser.get("/orders")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    proxy.mode = "pass";
    // Connections that were begun in the dark are given up one by one; each try is answered.
    for (let status = 503; status !== 200;) {
      ({ status } = await browser.get("/orders"));
      expect([200, 503]).toContain(status);
    }
  },
);

test(
  "a row locked by somebody else: 503, the rest of the market goes on, and afterwards it works",
  { tags: ["fail:D5"] },
  async () => {
    const hub = await createHub(db);
    const market = await usual();
    const { row, eggs, ...one } = await buyer(direct, hub);
    const two = await buyer(direct, hub);
    const [browser, other] = [at(market, one.browser), at(market, two.browser)];
    const letGo = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holder = sqlTransaction(db, async (tx) => {
      await execute(tx, forLong);
      await query(tx, sql`select id from cart where customer_id = ${row.id}::int for update`);
      locked.resolve();
      await letGo.promise;
    });
    await locked.promise;
    const waiting = Array.from({ length: 6 }, () => browser.put("/cart", [eggs.line(3)]));
    expect((await other.put("/cart", [two.eggs.line(2)])).status).toBe(200);
    expect((await other.get("/hubs")).status).toBe(200);
    for (const answer of await Promise.all(waiting)) {
      expect(answer.status).toBe(503);
      expect(answer.headers["retry-after"]).toBeDefined();
    }
    letGo.resolve();
    await holder;
    expect((await browser.put("/cart", [eggs.line(3)])).status).toBe(200);
  },
);

test(
  "all connections taken: what is known is still shown, the rest is 503, and it recovers",
  { tags: ["fail:D6"] },
  async () => {
    const hub = await createHub(db);
    const market = await usual();
    const browser = at(market, (await buyer(direct, hub)).browser);
    expect((await browser.get("/hubs")).status).toBe(200);
    const letGo = Promise.withResolvers<void>();
    const held: Promise<void>[] = [];
    const taken: Promise<void>[] = [];
    for (let n = 0; n < 10; n += 1) {
      const begun = Promise.withResolvers<void>();
      taken.push(begun.promise);
      held.push(
        sqlTransaction(market.db, async (tx) => {
          await execute(tx, forLong);
          begun.resolve();
          await letGo.promise;
        }),
      );
    }
    await Promise.all(taken);
    const refused = await Promise.all(Array.from({ length: 220 }, () => browser.get("/orders")));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    // Nobody's own, and known in process: no connection is needed.
    expect((await market.app.inject("/api/hubs")).statusCode).toBe(200);
    letGo.resolve();
    await Promise.all(held);
    expect((await browser.get("/orders")).status).toBe(200);
  },
);

test(
  "SIGTERM in the middle of checkouts: whoever was let in gets an answer, and what was answered is true",
  { tags: ["fail:D10"] },
  async () => {
    direct.clock.set(new Date());
    const hub = await createHubNow(db);
    const server = await startProcess({
      databaseUrl: direct.url,
      dataDir: direct.dataDir,
      env: { ...secrets, PAYMENTS: "test" },
    });
    const crowd = [];
    for (let n = 0; n < size(12, 40); n += 1) crowd.push(await buyer(direct, hub));
    const first = Promise.withResolvers<void>();
    // All have been let in, but for their last byte, before the first is answered.
    const answers = race(
      crowd.map(({ browser, order }) => ({
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
