import { setTimeout as pause } from "node:timers/promises";

import { execute, query, sql } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../../test/app.ts";
import { ADDRESS, createHubNow, createProduct } from "../../../test/factories.ts";
import { startProcess, type ServerProcess } from "../../../test/processes.ts";

/** A hub whose automatic checkout came due a moment ago by the real clock, its cycle open, and so many regular shoppers. */
async function dueHub(market: Awaited<ReturnType<typeof buildTestApp>>, carts: number) {
  const { db } = market;
  const hub = await createHubNow(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: carts * 5 });
  const [first] = hub.deliveries;
  await execute(
    db,
    sql`update delivery set cutoff_at = date_trunc('second', now()) + interval '36 hours', auto_checkout_at = date_trunc('second', now()) where id = ${first!.id}::int`,
  );
  await execute(
    db,
    sql`insert into delivery_run (delivery_id, step, state, lease_until, started_at, done_at) values (${first!.id}::int, 'open', 'done', now(), now(), now())`,
  );
  await execute(
    db,
    sql`with people as (
          insert into customer (email, email_normal, first_name, last_name, hub_id, auto_checkout_status, default_tip)
          select 'auto' || ${hub.id}::int || '.' || n || '@example.com', 'auto' || ${hub.id}::int || '.' || n || '@example.com', 'Ada', 'Baker', ${hub.id}::int, 1, 10
          from generate_series(1, ${carts}::int) n returning id),
        homes as (
          insert into address (customer_id, address, city, state, zip_code, is_default)
          select id, ${ADDRESS.address}, 'Carmel', 'IN', '46032', true from people),
        cards as (
          insert into payment_method (customer_id, provider, provider_ref, brand, last4, exp_month, exp_year, is_default)
          select id, 'test', 'tpm_' || ${Buffer.from("4242424242424242").toString("base64url")} || '.' || id, 'visa', '4242', 12, 2030, true from people),
        carts as (insert into cart (customer_id) select id from people returning id)
        insert into cart_item (cart_id, variant_id, quantity, seen_price_cents) select id, ${eggs.variant.id}::int, 2, 700 from carts`,
  );
  return { hub, delivery: first!, eggs };
}

const Count = z.object({ customers: z.number(), orders: z.number(), late: z.number() });
const countOf = async (market: Awaited<ReturnType<typeof buildTestApp>>, deliveryId: number) =>
  (
    await query(
      market.db,
      sql`select count(distinct customer_id)::int as customers, count(*)::int as orders,
            count(*) filter (where o.created_at >= d.cutoff_at)::int as late
          from orders o join delivery d on d.id = o.delivery_id where o.delivery_id = ${deliveryId}::int and o.source = 'auto' and o.status <> 'cancelled'`,
      Count,
    )
  )[0]!;

/** A server of its own beside the market's, its clock off by so much. */
const serve = (
  market: Awaited<ReturnType<typeof buildTestApp>>,
  failpoints: Record<string, "kill" | "stop"> = {},
  skewMs = 0,
): Promise<ServerProcess> =>
  startProcess({
    databaseUrl: market.url,
    dataDir: market.dataDir,
    failpoints,
    env: {
      SESSION_SECRET: market.deps.env.sessionSecrets.join(","),
      PASSWORD_PEPPER: market.deps.env.pepper,
      PAYMENTS: "test",
      CLOCK_SKEW_MS: String(skewMs),
    },
  });

test(
  "three servers whose clocks are an hour apart, one of them killed again and again: every cart once, nobody missed, nobody late",
  { tags: ["fail:C1", "fail:C6", "fail:C8", "fail:V8", "fail:V9", "fail:V12"] },
  async () => {
    const market = await buildTestApp({ now: new Date().toISOString() });
    const carts = size(60, 1000);
    const { delivery } = await dueHub(market, carts);
    const start = (skewMs: number, failpoints: Record<string, "kill"> = {}) => serve(market, failpoints, skewMs);
    // Each of these dies over the first cart it takes, at a point of its own.
    const points = ["checkout:paid", "auto:claimed", "checkout:held", "checkout:before-commit", "auto:ordered"];
    for (const point of points.slice(0, size(1, points.length)))
      await start(0, { [point]: "kill" }).then(
        ({ gone }) => gone,
        () => undefined,
      );
    const held = await market.db.job_claim.count({ where: { done_at: null, attempts: { gt: 0 } } });
    expect(held).toBeGreaterThanOrEqual(1);
    const hour = 3_600_000;
    const servers = await Promise.all([start(hour), start(-hour)]);
    let victim = await start(0);
    const kills = size(2, 12);
    for (let killed = 0; killed < kills; killed += 1) {
      while ((await countOf(market, delivery.id)).orders < (carts * (killed + 1)) / (kills + 1)) await pause(20);
      await victim.kill("SIGKILL");
      victim = await start(0);
    }
    const run = () => market.db.delivery_run.findFirst({ where: { delivery_id: delivery.id, step: "auto_checkout" } });
    // What the dead held is taken over when its lease has run out.
    while ((await run())?.state !== "done") await pause(200);
    expect(await countOf(market, delivery.id)).toEqual({ customers: carts, orders: carts, late: 0 });
    for (const { address } of servers) {
      const { clockSkewMs, clockWarning } = (await (await fetch(`${address}/readyz`)).json()) as {
        clockSkewMs: number;
        clockWarning: boolean;
      };
      expect([Math.round(Math.abs(clockSkewMs) / hour), clockWarning]).toEqual([1, true]);
    }
    const mails = await market.db.mail.count({ where: { template: "order-confirmation" } });
    expect(mails).toBe(carts);
    const charges = await market.db.test_charge.groupBy({ by: ["state"], _count: true });
    expect(charges.filter(({ state }) => state === "authorized").map(({ _count }) => _count)).toEqual([carts]);
    market.clock.set(new Date());
    await Promise.all([...servers, victim].map((server) => server.kill("SIGTERM")));
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "a server that sleeps with a cart in its hands and wakes long after its lease: what it goes on with changes nothing",
  { tags: ["fail:C7"] },
  async () => {
    const points = ["checkout:held", "checkout:paid", "auto:ordered", "auto:claimed", "checkout:asking"];
    for (const point of points.slice(0, size(2, points.length))) {
      const market = await buildTestApp({ now: new Date().toISOString() });
      const { delivery } = await dueHub(market, 1);
      const sleeper = await serve(market, { [point]: "stop" });
      while (!(await sleeper.sleeps())) await pause(50);
      // As if it slept for ten minutes.
      await execute(
        market.db,
        sql`with carts as (update job_claim set lease_until = now() - interval '9 minutes' where done_at is null)
            update checkout_attempt set lease_until = now() - interval '9 minutes' where state in ('held', 'paid')`,
      );
      const other = await serve(market);
      const claim = () => market.db.job_claim.findFirstOrThrow({ where: { job: "auto-checkout" } });
      while ((await claim()).done_at === null) await pause(100);
      const done = await claim();
      expect(await countOf(market, delivery.id)).toEqual({ customers: 1, orders: 1, late: 0 });
      const written = async () => ({
        claim: await claim(),
        attempts: await market.db.checkout_attempt.findMany({ orderBy: { created_at: "asc" } }),
        orders: await market.db.order.findMany(),
        stock: (await market.db.offer.findFirstOrThrow()).inventory,
        mails: await market.db.mail.findMany({ where: { sent_at: null } }).then((rows) => rows.length),
        ledger: await market.db.ledger_entry.count(),
      });
      while ((await market.db.mail.count({ where: { sent_at: null } })) > 0) await pause(100);
      const before = await written();
      expect(["placed", "already"]).toContain(done.outcome);
      sleeper.wake();
      // It ends once its jobs are over: by then it has written what it was about to write.
      await sleeper.kill("SIGTERM");
      expect(await written()).toEqual(before);
      const charges = await market.db.test_charge.groupBy({ by: ["state"], _count: true });
      expect(charges.filter(({ state }) => state === "authorized").map(({ _count }) => _count)).toEqual([1]);
      expect(await market.db.mail.count({ where: { template: "order-confirmation" } })).toBe(1);
      await other.kill("SIGTERM");
      market.clock.set(new Date());
      expect(await market.audit()).toEqual([]);
      await market.close();
    }
  },
);
