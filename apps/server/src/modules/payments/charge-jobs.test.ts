import { execute, query, sql } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { CHARGES_AT_ONCE } from "@marketday/domain/limits";
import { addMs, Minute } from "@marketday/domain/time";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY, type TestMarket } from "../../../test/app.ts";
import { CHOICE, createCustomer, createHub, createProduct, PASSWORD, setCard } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { ownPostgres } from "../../../test/own-postgres.ts";
import { type PaymentProvider, ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { chargeNow } from "../orders/charge-now.ts";
import { recordPayments } from "../orders/record-payment.ts";
import { chargeDueOrders } from "./charge-order.ts";
import { findSetAside } from "./set-aside-store.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
// A second server on the same database.
const otherPoints = failpoints();
const other = await buildTestApp({ url: market.url, overrides: { failpoint: otherPoints.at } });
const CUTOFF = "2026-11-25T06:00:00Z";
const real: PaymentProvider = { ...deps.payments };
const never = new Promise<never>(() => undefined);

beforeEach(async () => {
  for (const { clock } of [market, other]) clock.set(MONDAY);
  for (const server of [market, other]) Object.assign(server.deps.payments, real);
  for (const at of [points, otherPoints]) {
    for (const point of Object.keys(at.plan)) delete at.plan[point];
    at.passed.length = 0;
  }
  await execute(db, sql`delete from pgboss.job`);
});

const system = (server: TestMarket): Context => ({
  now: server.clock.now(),
  actor: { type: "system", job: "test" },
  deps: server.deps,
});
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const week = (at: string, server = market): Promise<void> => {
  server.clock.set(at);
  return runWeek(system(server));
};
const charges = (at: string, server = market): Promise<void> => {
  server.clock.set(at);
  return chargeDueOrders(system(server));
};

/** So many orders of different shoppers, each with a hold on a card that is not saved. */
async function orders(count: number, server = market) {
  const hub = await createHub(server.db);
  const eggs = await createProduct(server.db, hub.id, { inventory: 50, priceCents: 700 });
  const placed: { id: number; customerId: number; key: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id: customerId, email } = await createCustomer(server.db, {
      hubId: hub.id,
      pepper: server.deps.env.pepper,
    });
    const browser = server.shopper();
    await browser.post("/auth/login", { username: email, password: PASSWORD });
    await browser.put("/cart", [eggs.line(1)]);
    const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
    const { status, body } = await browser.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
    expect(status, JSON.stringify(body)).toBe(201);
    const id: number = body.orderId;
    const { payment } = await orderOf(id, server);
    placed.push({ id, customerId, key: payment!.charge_key });
  }
  return { hub, placed, deliveryId: hub.deliveries[0]!.id };
}
const orderOf = (id: number, server = market) =>
  server.db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
/** An order whose hold is gone: it is charged to the default card. */
async function withoutHold() {
  const { placed, deliveryId } = await orders(1);
  const [order] = placed as [(typeof placed)[number]];
  await db.test_charge.updateMany({ where: { idempotency_key: order.key }, data: { state: "voided" } });
  await setCard(db, order.customerId);
  return { ...order, deliveryId };
}

const Job = z.object({ key: z.string(), state: z.string(), retry_count: z.number() });
const jobs = (server = market) =>
  query(
    server.db,
    sql`select singleton_key as key, state::text, retry_count from pgboss.job where name = 'charge' and state <> 'completed' order by singleton_key::int`,
    Job,
  );
/** Everything that the provider took from a customer and that the books have, in cents. */
async function takenFrom(customerId: number, server = market) {
  const payments = await server.db.payment.findMany({ where: { customer_id: customerId } });
  const taken = await server.db.test_charge.findMany({
    where: { idempotency_key: { in: payments.map(({ charge_key }) => charge_key) }, state: "captured" },
  });
  const booked = await server.db.ledger_transaction.count({
    where: { kind: "capture", payment_id: { in: payments.map(({ id }) => id) } },
  });
  return { cents: taken.map(({ captured_cents }) => captured_cents), booked };
}
const paidOnce = async (id: number, customerId: number, server = market) =>
  expect(await takenFrom(customerId, server)).toEqual({
    cents: [(await orderOf(id, server)).order_total_cents],
    booked: 1,
  });

describe("charge jobs: they exist from the freeze on", () => {
  test("a freeze that fails leaves no job, one that succeeds leaves one for each charge", async () => {
    const { placed } = await orders(3);
    points.plan["cutoff:frozen"] = "throw";
    await week(CUTOFF);
    expect(await jobs()).toEqual([]);
    delete points.plan["cutoff:frozen"];
    points.plan["cutoff:closed"] = "throw";
    await week(CUTOFF);
    expect(await jobs()).toEqual(
      placed
        .map(({ id }) => ({ key: String(id), state: "created", retry_count: 0 }))
        .toSorted((a, b) => Number(a.key) - Number(b.key)),
    );
    delete points.plan["cutoff:closed"];
    await week(CUTOFF);
    for (const { id, customerId } of placed) await paidOnce(id, customerId);
  });

  test(
    "a server that stops after the freeze: another server's charges job captures the orders, and its week ends the run",
    { tags: ["fail:M2", "fail:C6"] },
    async () => {
      const { placed, deliveryId } = await orders(3);
      otherPoints.plan["cutoff:closed"] = { until: never };
      void week(CUTOFF, other);
      await otherPoints.reached("cutoff:closed");
      await charges(CUTOFF);
      for (const { id, customerId } of placed) await paidOnce(id, customerId);
      await week("2026-11-25T06:03:00Z");
      const run = { delivery_id: deliveryId, step: "cutoff" };
      expect(await db.delivery_run.findFirstOrThrow({ where: run })).toMatchObject({ state: "done" });
      expect(await jobs()).toEqual([]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("jobs that are gone, as after a restored backup, are enqueued again by the run", async () => {
    const { placed } = await orders(2);
    points.plan["cutoff:closed"] = "throw";
    await week(CUTOFF);
    delete points.plan["cutoff:closed"];
    await execute(db, sql`delete from pgboss.job`);
    await week(CUTOFF);
    for (const { id, customerId } of placed) await paidOnce(id, customerId);
    expect(await market.audit()).toEqual([]);
  });
});

test(
  "charge jobs: two servers share the charges of a day, and each is captured once",
  { tags: ["fail:C6"] },
  async () => {
    const { placed } = await orders(CHARGES_AT_ONCE + 1);
    points.plan["cutoff:closed"] = "throw";
    await week(CUTOFF);
    delete points.plan["cutoff:closed"];
    const [keys, otherKeys]: [string[], string[]] = [[], []];
    // All workers of the first server wait for the provider.
    const [isBusy, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    deps.payments.capture = async (request) => {
      if (keys.push(request.key) === CHARGES_AT_ONCE) isBusy.resolve();
      await gate.promise;
      return real.capture(request);
    };
    other.deps.payments.capture = async (request) => {
      otherKeys.push(request.key);
      return real.capture(request);
    };
    const first = charges(CUTOFF);
    await isBusy.promise;
    await charges(CUTOFF, other);
    expect(otherKeys).toHaveLength(1);
    gate.resolve();
    await first;
    expect([...keys, ...otherKeys].toSorted()).toEqual(placed.map(({ key }) => key).toSorted());
    for (const { id, customerId } of placed) await paidOnce(id, customerId);
    await week(CUTOFF);
    expect(await market.audit()).toEqual([]);
  },
);

describe("charge jobs: a server that is killed in the middle of a charge", () => {
  test.each(["charge:loaded", "charge:created", "charge:authorized", "cutoff:captured"])(
    "at %s: another one takes the job over, and the money is taken once",
    { tags: ["fail:M2", "fail:C6", "fail:C7"] },
    async (point) => {
      const { id, customerId } = await withoutHold();
      const woken = Promise.withResolvers<void>();
      otherPoints.plan[point] = { until: woken.promise };
      const killed = week(CUTOFF, other);
      await otherPoints.reached(point);
      await charges("2026-11-25T06:01:00Z");
      expect(await takenFrom(customerId)).toMatchObject({ booked: 0 });
      expect(await jobs()).toEqual([{ key: String(id), state: "active", retry_count: 0 }]);
      await charges("2026-11-25T06:02:00Z");
      await paidOnce(id, customerId);
      // It was only suspended, and goes on with a job that is no longer its own.
      woken.resolve();
      await killed;
      await paidOnce(id, customerId);
      expect(await orderOf(id)).toMatchObject({ charge_failed_at: null, charge_tries: 0 });
      await week("2026-11-25T06:03:00Z");
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "a suspended server whose job was taken over sets nothing aside when its provider refuses",
    { tags: ["fail:M2", "fail:C7"] },
    async () => {
      const { placed } = await orders(1);
      const [{ id, customerId }] = placed as [(typeof placed)[number]];
      const woken = Promise.withResolvers<never>();
      woken.promise.catch(() => undefined);
      const asleep = Promise.withResolvers<void>();
      other.deps.payments.capture = () => {
        asleep.resolve();
        return woken.promise;
      };
      const suspended = week(CUTOFF, other);
      await asleep.promise;
      await charges("2026-11-25T06:02:00Z");
      await paidOnce(id, customerId);
      woken.reject(new Error("No such payment_intent"));
      await suspended;
      expect(await orderOf(id)).toMatchObject({ charge_failed_at: null, charge_error: null, charge_tries: 0 });
      await week("2026-11-25T06:05:00Z");
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "three times: the order is set aside with the reason, doctor shows it, and it is charged again later",
    { tags: ["fail:M2"] },
    async () => {
      const { placed, deliveryId } = await orders(2);
      const [bad, good] = placed as [(typeof placed)[number], (typeof placed)[number]];
      // Each server that captures this order dies.
      let died = Promise.withResolvers<void>();
      for (const server of [market, other])
        server.deps.payments.capture = async (request) => {
          if (request.key !== bad.key) return real.capture(request);
          died.resolve();
          return never;
        };
      for (const [at, run, server] of [
        [CUTOFF, week, other],
        ["2026-11-25T06:02:00Z", charges, market],
        ["2026-11-25T06:04:00Z", charges, other],
      ] as const) {
        died = Promise.withResolvers();
        void run(at, server);
        await died.promise;
      }
      // The other order's job may still be under way: a server died while it had both.
      const left = (await jobs()).find(({ key }) => key === String(bad.id));
      expect(left).toMatchObject({ state: "active", retry_count: 2 });
      Object.assign(deps.payments, real);
      await charges("2026-11-25T06:06:00Z");
      await paidOnce(good.id, good.customerId);
      expect(await findSetAside(db, deliveryId)).toMatchObject([
        {
          id: bad.id,
          tries: 1,
          reason: "The server stopped while it charged this order.",
          next_at: new Date("2026-11-25T06:07:00Z"),
        },
      ]);
      expect(await market.audit()).toEqual([]);
      await charges("2026-11-25T06:06:59Z");
      expect(await takenFrom(bad.customerId)).toEqual({ cents: [], booked: 0 });
      await charges("2026-11-25T06:07:00Z");
      await paidOnce(bad.id, bad.customerId);
      expect(await findSetAside(db, deliveryId)).toEqual([]);
      await week("2026-11-25T06:07:00Z");
      expect(await market.audit()).toEqual([]);
    },
  );
});

describe("charge jobs: a job that is taken over after its order changed does nothing", { tags: ["fail:M2"] }, () => {
  test.each<[what: string, change: (id: number) => Promise<unknown>, cents: "none" | "all"]>([
    ["it was paid at the door", (id) => recordPayments(operator(), [id], "cash", false), "none"],
    ["it was canceled", (id) => cancelOrder(operator(), id, { to: "card", reason: "", key: null }), "none"],
    ["it was charged", (id) => chargeNow(operator(), id), "all"],
    [
      "it is charged again later",
      (id) => db.order.update({ where: { id }, data: { charge_next_at: new Date("2026-11-25T07:00:00Z") } }),
      "none",
    ],
  ])("%s", async (_what, change, cents) => {
    const { placed } = await orders(1);
    const [{ id, customerId }] = placed as [(typeof placed)[number]];
    deps.payments.capture = () => Promise.reject(new ProviderUnavailable("away"));
    await week(CUTOFF);
    Object.assign(deps.payments, real);
    await change(id);
    const before = await orderOf(id);
    // The job of a worker that stopped before the change.
    await execute(
      db,
      sql`insert into pgboss.job (name, data, singleton_key, policy, state, started_on, retry_limit, expire_seconds)
          values ('charge', jsonb_build_object('orderId', ${id}::int, 'aheadMs', 0), ${String(id)}, 'exclusive', 'active', ${new Date(CUTOFF)}, 2, 110)`,
    );
    if (before.charge_failed_at !== null)
      await expect(chargeNow(operator(), id)).rejects.toMatchObject({ details: { code: "still_charging" } });
    await db.order.update({ where: { id }, data: { charge_next_at: before.charge_next_at } });
    const calls: string[] = [];
    const refuse = (method: string) => () => {
      calls.push(method);
      return Promise.reject(new Error("A charge that is over was requested."));
    };
    Object.assign(deps.payments, { authorize: refuse("authorize"), capture: refuse("capture") });
    await charges("2026-11-25T06:02:00Z");
    expect([calls, await jobs()]).toEqual([[], []]);
    expect(await orderOf(id)).toEqual(before);
    expect((await takenFrom(customerId)).cents).toEqual(cents === "all" ? [before.order_total_cents] : []);
  });
});

describe("charge jobs: servers of the version before, which lease orders in the row", { tags: ["fail:D12"] }, () => {
  test("an order that one of them is charging gets no second payment; it is charged when the lease is over", async () => {
    const { id, customerId } = await withoutHold();
    await db.order.update({ where: { id }, data: { charge_lease_until: new Date("2026-11-25T06:02:00Z") } });
    await week(CUTOFF);
    expect(await db.payment.count({ where: { customer_id: customerId } })).toBe(1);
    expect(await takenFrom(customerId)).toEqual({ cents: [], booked: 0 });
    await week("2026-11-25T06:02:00Z");
    await paidOnce(id, customerId);
    expect(await market.audit()).toEqual([]);
  });

  test("a day that one of them froze without jobs is charged", async () => {
    const { placed, deliveryId } = await orders(2);
    points.plan["cutoff:closed"] = "throw";
    await week(CUTOFF);
    delete points.plan["cutoff:closed"];
    // One charge was in progress there.
    await execute(db, sql`delete from pgboss.job`);
    const lease = new Date("2026-11-25T06:02:00Z");
    await db.order.update({
      where: { id: placed[0]!.id },
      data: { charge_lease_until: lease, charge_next_at: lease },
    });
    await db.delivery_run.updateMany({ where: { delivery_id: deliveryId }, data: { lease_until: lease } });
    await charges(CUTOFF);
    expect(await jobs()).toEqual([]);
    await week("2026-11-25T06:02:00Z");
    for (const { id, customerId } of placed) await paidOnce(id, customerId);
    expect(await market.audit()).toEqual([]);
  });
});

test(
  "charge jobs: Postgres is killed several times while two servers charge a day, and every order is captured once",
  { tags: ["fail:D1", "fail:M2"] },
  async () => {
    const postgres = await ownPostgres();
    try {
      const at = failpoints();
      const one = await buildTestApp({ url: postgres.url, overrides: { failpoint: at.at } });
      const two = await buildTestApp({ url: postgres.url });
      const { placed, deliveryId } = await orders(size(10, 40), one);
      let now = new Date(CUTOFF);
      const run = () => {
        for (const { clock } of [one, two]) clock.set(now);
        return Promise.allSettled(
          [one, two].map((server) => Promise.all([runWeek(system(server)), chargeDueOrders(system(server))])),
        );
      };
      for (const point of ["cutoff:captured", "charge:loaded", "cutoff:frozen", "cutoff:paid"].slice(0, size(2, 4))) {
        const reached = Promise.withResolvers<void>();
        const killed = Promise.withResolvers<void>();
        at.plan[point] = {
          get until() {
            reached.resolve();
            return killed.promise;
          },
        };
        const running = run();
        await Promise.race([reached.promise, running]);
        postgres.kill();
        killed.resolve();
        delete at.plan[point];
        await running;
        await postgres.restart();
        now = addMs(now, 3 * Minute.ms);
      }
      const state = async () =>
        (await one.db.delivery_run.findFirst({ where: { delivery_id: deliveryId, step: "cutoff" } }))?.state ??
        "running";
      while ((await state()) === "running") {
        await run();
        now = addMs(now, 3 * Minute.ms);
      }
      for (const { id, customerId } of placed) await paidOnce(id, customerId, one);
      expect(await jobs(one)).toEqual([]);
      expect(await one.audit()).toEqual([]);
      await Promise.all([one.close(), two.close()]);
    } finally {
      await postgres.stop();
    }
  },
);
