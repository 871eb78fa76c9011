import { randomUUID } from "node:crypto";

import { execute, queryOne, sql, sqlTransaction } from "@marketday/db";
import { addMs } from "@marketday/domain/time";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  CHOICE,
  createAddress,
  createBundle,
  createHub,
  createProduct,
  GOOD_CARD,
  setCard,
} from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { signIn } from "../../../test/sign-in.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";

/** A callback that runs once at a failpoint. */
const at = new Map<string, () => Promise<void> | void>();
const overrides = {
  failpoint: async (point: string) => {
    const work = at.get(point);
    at.delete(point);
    await work?.();
  },
};
const market = await buildTestApp({ overrides });
const { db, deps } = market;
const CHALLENGE_CARD = "4000002500003155";
const CUTOFF = new Date("2026-11-25T06:00:00Z");
beforeEach(() => {
  at.clear();
  market.clock.set(MONDAY);
});
const job = (on = deps) => ({ now: on.clock.now(), actor: { type: "system" as const, job: "test" }, deps: on });

const chargesOf = async (customerId: number) =>
  (
    await db.payment.findMany({
      where: { customer_id: customerId },
      include: { attempt: true },
      orderBy: { created_at: "asc" },
    })
  ).map(({ state }) => state);

test.each([
  [-1, 1],
  [0, 0],
  [1, 0],
])(
  "auto-checkout: a payment authorized %i ms from the cutoff places %i orders",
  { tags: ["fail:V8"] },
  async (ms, count) => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 5 });
    await runWeek(job());
    const who = await signIn(market, { hubId: hub.id });
    const { id } = who.customer;
    await createAddress(db, id);
    await setCard(db, id);
    await who.put("/subscriptions/status", { enabled: true, status: 1 });
    await who.put("/cart", [eggs.line(2)]);
    market.clock.set(addMs(CUTOFF, -60_000));
    at.set("checkout:paid", () => market.clock.set(addMs(CUTOFF, ms)));
    await runAutoCheckouts(job());
    expect(await db.order.count({ where: { customer_id: id } })).toBe(count);
    expect(await db.stock_hold.count({ where: { attempt: { customer_id: id } } })).toBe(0);
    expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(5 - 2 * count);
    expect(await chargesOf(id)).toEqual([count === 1 ? "authorized" : "voided"]);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "checkout: a server that was suspended past its lease, while the sweep failed its attempt, requests no money",
  { tags: ["fail:C7"] },
  async () => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 5 });
    const who = await signIn(market, { hubId: hub.id });
    await who.put("/cart", [eggs.line(2)]);
    const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
    at.set("checkout:asking", async () => {
      market.clock.advance(21_000);
      await resumeAbandoned(job());
    });
    const { status, body } = await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
    expect([status, body[1]?.code]).toEqual([503, "interrupted"]);
    const attempt = await db.checkout_attempt.findFirstOrThrow({ where: { customer_id: who.customer.id } });
    expect(attempt.state).toBe("failed");
    expect(await db.test_charge.count({ where: { idempotency_key: attempt.id } })).toBe(0);
    expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(5);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "checkout: a server that was suspended beyond the hold, while another one took its attempt over, leaves that one's stock reserved",
  { tags: ["fail:C7", "fail:A6"] },
  async () => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 5 });
    const who = await signIn(market, { hubId: hub.id });
    await who.put("/cart", [eggs.line(2)]);
    const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
    const held = async () =>
      (await db.stock_hold.findMany({ where: { attempt: { customer_id: who.customer.id } } })).map(
        ({ quantity }) => quantity,
      );
    const [suspended, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    at.set("checkout:paid", () => {
      suspended.resolve();
      return resumed.promise;
    });
    const first = who.post("/checkout", {
      ...CHOICE,
      card: { ...GOOD_CARD, number: CHALLENGE_CARD },
      expectedTotal: orderTotal,
    });
    await suspended.promise;
    market.clock.advance(21_000);
    await resumeAbandoned(job());
    const { id, state } = await db.checkout_attempt.findFirstOrThrow({ where: { customer_id: who.customer.id } });
    expect([state, await held()]).toEqual(["challenge", [2]]);

    // The shopper returns from the bank; the first server goes on in between, after the ten minutes for which stock is held.
    let between: number[] = [];
    at.set("complete:claimed", async () => {
      market.clock.advance(10 * 60_000);
      resumed.resolve();
      await first;
      between = await held();
    });
    const { status, body } = await who.post(`/checkout/${id}/complete`, { approve: true });
    expect(between).toEqual([2]);
    expect(status, JSON.stringify(body)).toBe(201);
    expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(3);
    expect(await held()).toEqual([]);
    expect(await market.audit()).toEqual([]);
  },
);

test("checkout: a product whose row is locked for longer than the lock timeout once is ordered at the next try", async () => {
  let tries = 0;
  // The lock timeout of production.
  const own = await buildTestApp({
    url: market.url,
    timeoutFactor: 1,
    overrides: {
      failpoint: async (point) => {
        if (point === "checkout:locked" && (tries += 1) === 2) release.resolve();
      },
    },
  });
  const release = Promise.withResolvers<void>();
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 5 });
  const who = await signIn(own, { hubId: hub.id });
  await who.put("/cart", [eggs.line(2)]);
  const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
  const isLocked = Promise.withResolvers<void>();
  const locking = sqlTransaction(db, async (tx) => {
    await execute(tx, sql`select id from offer where variant_id = ${eggs.variant.id}::int for update`);
    isLocked.resolve();
    await release.promise;
  });
  await isLocked.promise;
  const placed = await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
  release.resolve();
  await locking;
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  expect(tries).toBe(2);
  expect(await market.audit()).toEqual([]);
});

test("checkout: a request that fails after the card was authorized leaves its attempt to the next try at once", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 5 });
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [eggs.line(2)]);
  const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
  at.set("checkout:paid", () => {
    throw new Error("The server failed.");
  });
  const key = { "idempotency-key": randomUUID() };
  const order = () => who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal }, key);
  expect((await order()).status).toBe(500);
  // The clock stands still: the lease of the failed request would not have expired.
  expect((await db.checkout_attempt.findFirstOrThrow({ where: { customer_id: who.customer.id } })).lease_until).toEqual(
    market.clock.now(),
  );
  const placed = await order();
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  expect(await db.order.count({ where: { customer_id: who.customer.id } })).toBe(1);
  expect((await chargesOf(who.customer.id)).filter((state) => state !== "voided")).toEqual(["authorized"]);
  expect(await market.audit()).toEqual([]);
});

describe("checkout: a benefit used up between quote and order is refused, and nothing is charged", () => {
  async function buyer(creditCents = 0) {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 5, priceCents: 2000 });
    const who = await signIn(market, { hubId: hub.id, creditCents });
    await who.put("/cart", [eggs.line(1)]);
    const order = async (about: object) => {
      const { orderTotal } = (await who.post("/checkout/quote", { ...CHOICE, ...about })).body;
      return who.post("/checkout", { ...CHOICE, ...about, expectedTotal: orderTotal });
    };
    const expectNothing = async () => {
      expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(5);
      expect((await chargesOf(who.customer.id)).at(-1)).toBe("voided");
      expect((await who.get("/cart")).body.items).toHaveLength(1);
      expect(await market.audit()).toEqual([]);
    };
    return { hub, eggs, who, order, expectNothing };
  }

  test("a discount code limited to one order per customer", { tags: ["fail:K1"] }, async () => {
    const { who, eggs, order, expectNothing } = await buyer();
    const code = await db.discount_code.create({ data: { code: "ONCEEACH", amount_cents: 500 } });
    const { orderId } = (await order({ discountCode: null })).body;
    await execute(
      db,
      sql`with raised as (update offer set inventory = 5 where variant_id = ${eggs.variant.id}::int returning id)
          insert into stock_adjustment (offer_id, amount, reason) select id, 1, 'test' from raised`,
    );
    await who.put("/cart", [eggs.line(1)]);
    at.set("checkout:paid", async () => {
      await db.discount_use.create({
        data: {
          discount_code_id: code.id,
          customer_id: who.customer.id,
          order_id: orderId,
          once: true,
          created_at: market.clock.now(),
        },
      });
      await db.discount_code.update({ where: { id: code.id }, data: { uses: 1 } });
    });
    const { status, body } = await order({ discountCode: "ONCEEACH" });
    expect([status, body[1]?.code], JSON.stringify(body)).toEqual([409, "code_gone"]);
    await expectNothing();
  });

  test("store credit", { tags: ["fail:V5"] }, async () => {
    const { who, order, expectNothing } = await buyer(700);
    at.set("checkout:paid", async () => {
      await sqlTransaction(db, async (tx) => {
        await execute(tx, sql`update customer set credit_cents = 699 where id = ${who.customer.id}::int`);
        await execute(
          tx,
          sql`with t as (insert into ledger_transaction (kind, created_at) values ('credit', now()) returning id)
              insert into ledger_entry (transaction_id, account, customer_id, amount_cents)
              select id, 'store_credit', ${who.customer.id}::int, -1 from t union all select id, 'promotions', null, 1 from t`,
        );
      });
    });
    const { status, body } = await order({ useCredit: true });
    expect([status, body[1]?.code], JSON.stringify(body)).toEqual([409, "credit_changed"]);
    await expectNothing();
  });
});

test(
  "checkout: units and a line that are added while it is paid stay in the cart, the bought ones and their subscription do not",
  { tags: ["fail:A7"] },
  async () => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 9 });
    const milk = await createProduct(db, hub.id, { inventory: 9 });
    const who = await signIn(market, { hubId: hub.id });
    await who.put("/cart", [eggs.line(2), milk.line(1)]);
    const cart = { customer_id: who.customer.id };
    await db.cart_item.updateMany({ where: { cart }, data: { subscription_interval: 2 } });
    const jam = await createProduct(db, hub.id);
    const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
    at.set("checkout:paid", async () => {
      expect((await who.put("/cart", [eggs.line(5), jam.line(1)])).status).toBe(200);
    });
    const placed = await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    const left = await db.cart_item.findMany({ where: { cart }, orderBy: { id: "asc" } });
    expect(left).toMatchObject([
      { variant_id: eggs.variant.id, quantity: 3, subscription_interval: null },
      { variant_id: jam.variant.id, quantity: 1 },
    ]);
    expect(await market.audit()).toEqual([]);
  },
);

describe("on Stripe", () => {
  const SECRET = "whsec_of_the_attempt_guards_0123";

  /** A checkout that waits for the bank, of two eggs, or of one alone and one in a bundle. */
  async function onStripe({ isInBundle = false } = {}) {
    const fake = await testStripe({ webhookSecret: SECRET, now: () => market.clock.now() });
    const own = await buildTestApp({
      env: {
        PAYMENTS: "stripe",
        STRIPE_SECRET_KEY: "sk_test_1",
        STRIPE_PUBLISHABLE_KEY: "pk_test_1",
        STRIPE_WEBHOOK_SECRET: SECRET,
        STRIPE_API_URL: fake.url,
      },
      overrides: { ...overrides, clock: market.clock },
    });
    const hub = await createHub(own.db);
    const eggs = await createProduct(own.db, hub.id, { inventory: 5 });
    const who = await signIn(own, { hubId: hub.id });
    const bundle = await createBundle(own.db, [hub.id], { items: [{ product: eggs }] });
    const inBundle = { ...eggs.line(1), fromBundleId: bundle.id };
    await who.put("/cart", isInBundle ? [eggs.line(1), inBundle] : [eggs.line(2)]);
    const { card: _card, ...choice } = CHOICE;
    const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
    const response = await who.post("/checkout", {
      ...choice,
      confirmationToken: tokenOf(CHALLENGE_CARD),
      expectedTotal: orderTotal,
    });
    expect(response.status).toBe(202);
    const attemptId = response.body.challenge.attemptId as string;
    const [intent] = [...fake.intents.values()];
    return { fake, own, eggs, who, attemptId, intent: intent! };
  }

  test("webhook: a repeated event is acknowledged without another call to Stripe", { tags: ["fail:B6"] }, async () => {
    const { fake, own, intent, who } = await onStripe();
    fake.answerBank(intent.id, true);
    const signed = fake.signed(fake.events.at(-1)!);
    const send = async () =>
      (
        await own.app.inject({
          method: "POST",
          url: "/api/webhooks/stripe",
          headers: { "content-type": "application/json", "stripe-signature": signed.signature },
          payload: signed.payload,
        })
      ).json();
    expect(await send()).toMatchObject({ outcome: "placed" });
    const calls = fake.calls.length;
    expect(await send()).toMatchObject({ outcome: "seen" });
    expect(fake.calls.length).toBe(calls);
    expect(await own.db.order.count({ where: { customer_id: who.customer.id } })).toBe(1);
  });

  test(
    "checkout: a shopper returns after the stock sold out: the failed attempt and its email are written together or not at all",
    { tags: ["fail:A6", "fail:V9"] },
    async () => {
      const { fake, own, eggs, who, attemptId, intent } = await onStripe();
      market.clock.advance(10 * 60_000 + 1);
      await resumeAbandoned(job(own.deps));
      // Someone else buys the rest.
      const { id: offerId } = await own.db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } });
      await own.db.offer.update({ where: { id: offerId }, data: { inventory: 0 } });
      await own.db.stock_adjustment.create({ data: { offer_id: offerId, amount: -5, reason: "sold" } });
      fake.answerBank(intent.id, true);
      const mails = () => own.db.mail.count({ where: { key: `not-charged:${attemptId}` } });
      const stateOf = async () => (await own.db.checkout_attempt.findUniqueOrThrow({ where: { id: attemptId } })).state;
      await execute(
        own.db,
        sql`create function no_late_mail() returns trigger language plpgsql as $$ begin raise exception 'no mail'; end $$`,
      );
      await execute(
        own.db,
        sql`create trigger no_late_mail before insert on mail for each row when (new.template = 'not-charged') execute function no_late_mail()`,
      );
      expect((await who.post(`/checkout/${attemptId}/complete`, {})).status).toBe(500);
      expect([await stateOf(), await mails()]).toEqual(["held", 0]);
      await execute(own.db, sql`drop trigger no_late_mail on mail`);
      market.clock.advance(21_000);
      await resumeAbandoned(job(own.deps));
      expect([await stateOf(), await mails()]).toEqual(["failed", 1]);
      expect(fake.intents.get(intent.id)?.status).toBe("canceled");
      expect(await own.db.order.count({ where: { customer_id: who.customer.id } })).toBe(0);
      await resumeAbandoned(job(own.deps));
      expect(await mails()).toBe(1);
      expect(await own.audit()).toEqual([]);
    },
  );

  test.each([
    [2, 201, 0],
    [1, 409, 1],
  ])(
    "checkout: a shopper returns for an item alone and in a bundle, %i of it are left: status %i, then %i are left",
    { tags: ["fail:A2", "fail:A6"] },
    async (inventory, status, left) => {
      const { fake, own, eggs, who, attemptId, intent } = await onStripe({ isInBundle: true });
      // After ten minutes the stock is on sale again; the bank's challenge stays open.
      market.clock.advance(10 * 60_000 + 1);
      await resumeAbandoned(job(own.deps));
      const { id: offerId } = await own.db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } });
      await own.db.offer.update({ where: { id: offerId }, data: { inventory } });
      await own.db.stock_adjustment.create({ data: { offer_id: offerId, amount: inventory - 5, reason: "sold" } });
      fake.answerBank(intent.id, true);
      expect((await who.post(`/checkout/${attemptId}/complete`, {})).status).toBe(status);
      expect((await own.db.offer.findUniqueOrThrow({ where: { id: offerId } })).inventory).toBe(left);
      expect(await own.audit()).toEqual([]);
    },
  );

  test(
    "checkout: stock reserved again for a returning shopper is released when the sweep fails the attempt at the same moment",
    { tags: ["fail:C7", "fail:V12"] },
    async () => {
      const { fake, own, eggs, who, attemptId, intent } = await onStripe();
      const sweep = () => resumeAbandoned(job(own.deps));
      // After ten minutes the stock is on sale again; the bank's challenge stays open.
      market.clock.advance(10 * 60_000 + 1);
      await sweep();
      expect(await own.db.stock_hold.count()).toBe(0);
      fake.answerBank(intent.id, true);
      const locked = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const holder = sqlTransaction(own.db, async (tx) => {
        await execute(tx, sql`select id from offer where variant_id = ${eggs.variant.id}::int for update`);
        locked.resolve();
        await release.promise;
      });
      await locked.promise;
      // After the stock is reserved again and committed, either server may be first; in this test the sweep is.
      const isTakenOver = Promise.withResolvers<void>();
      at.set("checkout:reacquired", () => isTakenOver.promise);
      const lockWaits = async () =>
        (await queryOne(
          own.db,
          sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          z.object({ n: z.number() }),
        ))!.n;
      const back = who.post(`/checkout/${attemptId}/complete`, {});
      await expect.poll(lockWaits).toBe(1);
      // The shopper's server is slow: its lease expires, the bank drops the charge, and the sweep takes over.
      market.clock.advance(21_000);
      fake.expire(intent.id);
      let isSwept = false;
      const swept = sweep().then(() => (isSwept = true));
      await expect.poll(async () => isSwept || (await lockWaits()) === 2).toBe(true);
      release.resolve();
      await Promise.all([holder, swept]);
      isTakenOver.resolve();
      expect((await back).status).toBeGreaterThanOrEqual(400);
      await sweep();
      expect(await own.db.stock_hold.count()).toBe(0);
      expect((await own.db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(5);
      expect(await own.audit()).toEqual([]);
    },
  );
});
