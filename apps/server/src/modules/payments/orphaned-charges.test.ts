import { execute, sql } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  CHOICE,
  createAddress,
  createCustomer,
  createHubNow,
  createProduct,
  newKey,
  PASSWORD,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { disagreements, tokenOf } from "../../../test/fake-stripe.ts";
import { startProcess } from "../../../test/processes.ts";
import { send } from "../../../test/race.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import type { Context } from "../identity/context.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { resumeAbandonedPurchases } from "./buy.ts";
import { renewHolds } from "./renew-holds.ts";

const SECRET = "whsec_of_orphaned_charges_0123456789";
const GOOD = "4242424242424242";
const CHALLENGED = "4000002500003155";
const MINUTE = 60_000;

const points = failpoints();
const fake = await testStripe({ webhookSecret: SECRET });
const env = {
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_API_URL: fake.url,
};
const market = await buildTestApp({ now: new Date().toISOString(), env, overrides: { failpoint: points.at } });
const { db, deps } = market;
const { card: _card, ...WITHOUT_CARD } = CHOICE;
const job = (part: Partial<Context["deps"]> = {}): Context => ({
  now: market.clock.now(),
  actor: { type: "system", job: "test" },
  deps: { ...deps, ...part },
});
/** The sweep of two servers at once. */
const sweep = () => Promise.all([resumeAbandoned(job()), resumeAbandoned(job())]);

async function shopper() {
  market.clock.set(new Date());
  const hub = await createHubNow(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  expect((await browser.post("/auth/login", { username: row.email, password: PASSWORD })).status).toBe(200);
  return { hub, eggs, row, browser };
}
type Who = Awaited<ReturnType<typeof shopper>>;

/** A card is kept, and with it the customer at Stripe. */
async function keepCard({ browser }: Who) {
  expect((await browser.post("/payment-methods", { confirmationToken: tokenOf(GOOD) })).status).toBe(200);
}
const intentsOf = async ({ row }: Who) => {
  const { stripe_customer_id } = await db.customer.findUniqueOrThrow({ where: { id: row.id } });
  return [...fake.intents.values()].filter(({ customer }) => customer === stripe_customer_id);
};
const heldFor = async (who: Who) => (await intentsOf(who)).filter(({ amount_capturable: held }) => held > 0);
const voidsAsked = () => fake.calls.filter((about) => about === "POST payment_intents cancel").length;

const GIFT = {
  amount: 25,
  recipientEmail: "fay@example.com",
  deliverOn: new Date(Date.now() + 30 * 1440 * MINUTE).toISOString().slice(0, 10),
};

/** The next request for money is on its way, and stays there, until it is let through. */
function onItsWay() {
  const received = Promise.withResolvers<void>();
  const letThrough = Promise.withResolvers<void>();
  fake.onRequest = async () => {
    if (fake.calls.at(-1) !== "POST payment_intents") return;
    fake.onRequest = null;
    received.resolve();
    await letThrough.promise;
  };
  return { received: received.promise, letThrough: () => letThrough.resolve() };
}
/** A server that dies while its request for money is on its way: it never hears what came of it. */
async function dieAsking(start: (port: number) => unknown, jobs: boolean) {
  const request = onItsWay();
  const server = await startProcess({ databaseUrl: market.url, dataDir: market.dataDir, env, jobs });
  start(server.port);
  await request.received;
  await server.kill();
  // The dead request's key is not used again.
  await db.idempotency_key.deleteMany({ where: { state: "running" } });
  return request;
}
async function expectAgreement() {
  // What has come by this clock for the others here.
  await runWeek(job());
  expect(await market.audit()).toEqual([]);
  expect(disagreements(fake, await db.payment.findMany({ where: { provider: "stripe" } }))).toEqual([]);
}

test(
  "an automatic checkout is failed while its charge is in flight, and the bank authorizes it later: it is found and voided, once",
  { tags: ["fail:V4", "fail:C7", "fail:B1"] },
  async () => {
    const who = await shopper();
    await keepCard(who);
    await createAddress(db, who.row.id);
    await db.customer.update({ where: { id: who.row.id }, data: { auto_checkout_status: 1 } });
    await who.browser.put("/cart", [who.eggs.line(2)]);
    const delivery = who.hub.deliveries[0]!.id;
    await execute(
      db,
      sql`with due as (update delivery set cutoff_at = now() + interval '36 hours', auto_checkout_at = now() where id = ${delivery}::int)
          insert into delivery_run (delivery_id, step, state, lease_until, started_at, done_at) values (${delivery}::int, 'open', 'done', now(), now(), now())`,
    );
    const request = await dieAsking(() => undefined, true);
    market.clock.set(new Date(Date.now() + MINUTE));
    await sweep();
    const given = await db.checkout_attempt.findFirstOrThrow({ where: { customer_id: who.row.id } });
    expect(given).toMatchObject({ source: "auto", state: "failed", failure: { code: "interrupted" } });
    expect(await intentsOf(who)).toEqual([]);

    request.letThrough();
    await expect.poll(() => heldFor(who)).toHaveLength(1);
    // No sweep runs: a quarter of an hour later the audit reports it.
    market.clock.advance(20 * MINUTE);
    const violations = (await market.audit()).filter(({ invariant }) => invariant === "V4");
    expect(violations.map(({ problem }) => problem)).toEqual([expect.stringContaining("was voided unseen")]);
    const before = voidsAsked();
    await sweep();
    expect(await heldFor(who)).toEqual([]);
    expect(voidsAsked() - before).toBe(1);
    const alert = { action: "alert", subject: `payment:${given.payment_id}` };
    expect(await db.audit_entry.count({ where: alert })).toBe(1);
    market.clock.advance(MINUTE);
    const calls = fake.calls.length;
    await sweep();
    expect(fake.calls.length).toBe(calls);

    // The cart is still there, and is ordered once.
    await runAutoCheckouts(job());
    const orders = await db.order.findMany({ where: { customer_id: who.row.id } });
    expect((await heldFor(who)).map(({ amount }) => amount)).toEqual(orders.map((order) => order.order_total_cents));
    expect(orders).toHaveLength(1);
    await expectAgreement();
  },
);

test(
  "what never was there is looked for less and less often, and no longer than a day",
  { tags: ["fail:V4"] },
  async () => {
    const who = await shopper();
    await keepCard(who);
    await who.browser.put("/cart", [who.eggs.line(1)]);
    points.plan["checkout:asking"] = "throw";
    const { orderTotal } = (await who.browser.post("/checkout/quote", WITHOUT_CARD)).body;
    const body = { ...WITHOUT_CARD, confirmationToken: tokenOf(GOOD), expectedTotal: orderTotal as number };
    expect((await who.browser.post("/checkout", body, { "idempotency-key": newKey() })).status).toBe(500);
    delete points.plan["checkout:asking"];
    const payment = () => db.payment.findFirstOrThrow({ where: { customer_id: who.row.id } });
    let looks = 0;
    for (let n = 0; n < 24 * 60 + 30; n += 5) {
      market.clock.advance(5 * MINUTE);
      const before = fake.calls.length;
      await resumeAbandoned(job());
      if (fake.calls.length > before) looks += 1;
      if (n === 60) expect(await market.audit()).toEqual([]);
    }
    expect(await payment()).toMatchObject({ state: "voided", unseen_since: null, look_again_at: null });
    expect(looks).toBeGreaterThan(24);
    expect(looks).toBeLessThan(24 * 6 + 12);
    await expectAgreement();
  },
);

test(
  "gift card: the server is killed while the card is authorized, the charge is voided",
  { tags: ["fail:V4"] },
  async () => {
    const who = await shopper();
    await keepCard(who);
    const request = await dieAsking((port) => {
      const cookie = who.browser.cookieHeader();
      const order = {
        port,
        method: "POST" as const,
        path: "/api/gift-cards",
        cookie,
        headers: { "idempotency-key": newKey() },
      };
      send({ ...order, body: { ...GIFT, confirmationToken: tokenOf(GOOD) } }).catch(() => undefined);
    }, false);
    market.clock.set(new Date(Date.now() + MINUTE));
    await resumeAbandonedPurchases(job());
    request.letThrough();
    await expect.poll(() => heldFor(who)).toHaveLength(1);
    market.clock.advance(20 * MINUTE);
    await sweep();
    expect(await heldFor(who)).toEqual([]);
    await expectAgreement();
  },
);

test(
  "a purchase that is given up at the moment its money comes: handed over, or nothing is taken",
  { tags: ["fail:V4"] },
  async () => {
    const who = await shopper();
    await keepCard(who);
    const gate = Promise.withResolvers<void>();
    points.plan["purchase:written"] = { until: gate.promise };
    points.passed.length = 0;
    const written = points.reached("purchase:written");
    const authorized = points.reached("purchase:authorized");
    const captured = Promise.withResolvers<void>();
    points.plan["purchase:authorized"] = { until: captured.promise };
    const buying = who.browser.post(
      "/gift-cards",
      { ...GIFT, confirmationToken: tokenOf(GOOD) },
      { "idempotency-key": newKey() },
    );
    await written;
    market.clock.advance(MINUTE);
    // The sweep found nothing at Stripe; before it has written so, the money comes.
    const payments = {
      ...deps.payments,
      void: async (charge: Parameters<typeof deps.payments.void>[0]) => {
        const known = await deps.payments.void(charge);
        delete points.plan["purchase:written"];
        gate.resolve();
        await Promise.race([authorized, buying]);
        return known;
      },
    };
    await resumeAbandonedPurchases(job({ payments }));
    delete points.plan["purchase:authorized"];
    captured.resolve();
    const answer = await buying;
    const taken = (await intentsOf(who)).reduce((sum, intent) => sum + intent.amount_received, 0);
    const given = await db.gift_card.count({ where: { buyer_id: who.row.id } });
    expect([answer.status === 200, taken, given]).toEqual(given === 1 ? [true, 2500, 1] : [false, 0, 0]);
    market.clock.advance(20 * MINUTE);
    await sweep();
    expect(await heldFor(who)).toEqual([]);
    await expectAgreement();
  },
);

test(
  "an authorization that was being renewed when its order is cancelled is voided with the old one",
  { tags: ["fail:V4", "fail:B13"] },
  async () => {
    const who = await shopper();
    const turkey = await createProduct(db, who.hub.id, {
      priceCents: 9000,
      preOrderDate: new Date(Date.now() + 10 * 1440 * MINUTE).toISOString().slice(0, 10),
    });
    await who.browser.put("/cart", [turkey.line(1)]);
    const { orderTotal } = (await who.browser.post("/checkout/quote", WITHOUT_CARD)).body;
    const body = {
      ...WITHOUT_CARD,
      confirmationToken: tokenOf(GOOD),
      savePaymentMethod: true,
      expectedTotal: orderTotal,
    };
    const placed = await who.browser.post("/checkout", body, { "idempotency-key": newKey() });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    const order = await db.order.findUniqueOrThrow({ where: { id: placed.body.orderId }, include: { delivery: true } });
    market.clock.set(new Date(order.delivery.cutoff_at.getTime() - 3 * 1440 * MINUTE));
    points.plan["hold:authorized"] = "throw";
    await renewHolds(job());
    delete points.plan["hold:authorized"];
    expect(await heldFor(who)).toHaveLength(2);
    await cancelOrder(job(), order.id, { to: "card", reason: "", key: null });
    await sweep();
    expect(await heldFor(who)).toEqual([]);
    await expectAgreement();
  },
);

test(
  "checkout: a challenge is not answered and Stripe is down when it fails, the charge is voided once Stripe is back",
  { tags: ["fail:V4", "fail:A6"] },
  async () => {
    const who = await shopper();
    await who.browser.put("/cart", [who.eggs.line(1)]);
    const { orderTotal } = (await who.browser.post("/checkout/quote", WITHOUT_CARD)).body;
    const body = { ...WITHOUT_CARD, confirmationToken: tokenOf(CHALLENGED), expectedTotal: orderTotal };
    const response = await who.browser.post("/checkout", body, { "idempotency-key": newKey() });
    expect(response.status).toBe(202);
    market.clock.advance(11 * MINUTE);
    await resumeAbandoned(job());
    market.clock.advance(51 * MINUTE);
    fake.trouble("POST payment_intents cancel", "cut before", "cut before");
    await resumeAbandoned(job());
    const [intent] = await intentsOf(who);
    expect(intent!.status).toBe("requires_action");
    // The shopper answers the bank's page after all, and no event of Stripe's reaches us.
    fake.answerBank(intent!.id, true);
    expect(await heldFor(who)).toHaveLength(1);
    market.clock.advance(MINUTE);
    await sweep();
    expect(await heldFor(who)).toEqual([]);
    expect(await db.payment.findFirst({ where: { customer_id: who.row.id } })).toMatchObject({ state: "failed" });
    await expectAgreement();
  },
);

test(
  "checkout: the saved card is removed after it was chosen: refused without a call of Stripe, and nothing is looked up there",
  { tags: ["fail:V4"] },
  async () => {
    const who = await shopper();
    await keepCard(who);
    const [card] = (await who.browser.get("/payment-methods")).body;
    await who.browser.put("/cart", [who.eggs.line(1)]);
    const chosen = { ...WITHOUT_CARD, paymentMethodId: card.id };
    const { orderTotal } = (await who.browser.post("/checkout/quote", chosen)).body;
    const gate = Promise.withResolvers<void>();
    points.passed.length = 0;
    points.plan["checkout:asking"] = { until: gate.promise };
    const refused = who.browser.post("/checkout", { ...chosen, expectedTotal: orderTotal });
    await points.reached("checkout:asking");
    delete points.plan["checkout:asking"];
    await db.payment_method.updateMany({ where: { id: card.id }, data: { deleted_at: market.clock.now() } });
    const before = fake.calls.length;
    gate.resolve();
    expect((await refused).body[1].code).toBe("payment_required");
    for (const minutes of [1, 60, 23 * 60]) {
      market.clock.advance(minutes * MINUTE);
      await sweep();
    }
    expect(fake.calls.slice(before)).toEqual([]);
    expect(await db.payment.findMany({ where: { customer_id: who.row.id } })).toMatchObject([
      { state: "voided", look_again_at: null, unseen_since: null },
    ]);
    await expectAgreement();
  },
);
