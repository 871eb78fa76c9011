import { randomUUID } from "node:crypto";

import { size } from "@marketday/db/testing";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  CHOICE,
  createAddress,
  createCustomer,
  createHub,
  createProduct,
  newKey,
  PASSWORD,
  setInventory,
  type TestProduct,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { disagreements, tokenOf } from "../../../test/fake-stripe.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { READ_OPTIONS, TIMEOUT_MS } from "../../gateways/payments/stripe/client.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import type { Context } from "../identity/context.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { renewWagonPasses } from "../wagon-pass/renew-wagon-pass.ts";
import { resumeAbandonedPurchases } from "./buy.ts";
import { resumeRefunds } from "./finish-refund.ts";
import { renewHolds } from "./renew-holds.ts";

const SECRET = "whsec_of_the_tests_alone_0123456789";
const MONDAY = "2026-11-23T17:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";
const GOOD = "4242424242424242";
const CHALLENGED = "4000002500003155";

const points = failpoints();
const fake = await testStripe({ webhookSecret: SECRET, now: () => market.clock.now() });
const env = {
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_API_URL: fake.url,
};
const market = await buildTestApp({ env, overrides: { failpoint: points.at } });
const { db, deps } = market;

const job = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
const { card: _card, ...WITHOUT_CARD } = CHOICE;
const choice = (number: string, part: object = {}) => ({
  ...WITHOUT_CARD,
  confirmationToken: tokenOf(number),
  ...part,
});

async function shopper(hubId: number, ...lines: ReturnType<TestProduct["line"]>[]) {
  const row = await createCustomer(db, { hubId, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  if (lines.length > 0) await browser.put("/cart", lines);
  return { row, browser };
}
type Who = Awaited<ReturnType<typeof shopper>>;

async function pay({ browser }: Who, chosen: object, key: string = newKey()) {
  const { orderTotal } = (await browser.post("/checkout/quote", chosen)).body;
  return browser.post("/checkout", { ...chosen, expectedTotal: orderTotal }, { "idempotency-key": key });
}
async function hubWithEggs(part: { inventory?: number; now?: string } = {}) {
  market.clock.set(part.now ?? MONDAY);
  const hub = await createHub(db, { now: market.clock.now() });
  return { hub, eggs: await createProduct(db, hub.id, { priceCents: 700, inventory: part.inventory ?? 20 }) };
}
const attemptOf = (customerId: number) =>
  db.checkout_attempt.findFirstOrThrow({
    where: { customer_id: customerId },
    orderBy: { created_at: "desc" },
    include: { payment: true },
  });
const intentsOf = async (customerId: number) => {
  const { stripe_customer_id } = await db.customer.findUniqueOrThrow({ where: { id: customerId } });
  return [...fake.intents.values()].filter(({ customer }) => customer === stripe_customer_id);
};
const ordersOf = (customerId: number) => db.order.findMany({ where: { customer_id: customerId } });
const send = (signed: { payload: string; signature: string }) =>
  market.app.inject({
    method: "POST",
    url: "/api/webhooks/stripe",
    headers: { "content-type": "application/json", "stripe-signature": signed.signature },
    payload: signed.payload,
  });

/** Nothing is wrong here, and the two ledgers say the same. */
async function expectAgreement() {
  expect(await market.audit()).toEqual([]);
  expect(disagreements(fake, await db.payment.findMany({ where: { provider: "stripe" } }))).toEqual([]);
}

describe("a checkout on Stripe", () => {
  test.for<[name: string, card: string]>([
    ["paid at once", GOOD],
    ["paid after the bank's challenge", CHALLENGED],
  ])(
    "by a friend with the referrer's unsaved card, %s, is voided and quoted again without the discount",
    { tags: ["fail:M4"] },
    async ([, number]) => {
      const { hub, eggs } = await hubWithEggs();
      const referrer = await shopper(hub.id, eggs.line(1));
      const home = (address: string) => choice(number, { deliveryAddress: { ...CHOICE.deliveryAddress, address } });
      const settle = async (who: Who, chosen: object) => {
        const answer = await pay(who, chosen);
        if (number === GOOD) return answer;
        expect(answer.status).toBe(202);
        fake.answerBank((await intentsOf(who.row.id)).at(-1)!.id, true);
        return who.browser.post(`/checkout/${answer.body.challenge.attemptId}/complete`, {});
      };
      expect((await settle(referrer, home("1 Elm Street"))).status).toBe(201);
      const { payment } = await attemptOf(referrer.row.id);
      expect(payment).toMatchObject({ card_fingerprint: `fp${number}`, payment_method_id: null });

      const friend = await shopper(hub.id, eggs.line(4));
      await db.referral.create({ data: { friend_id: friend.row.id, referrer_id: referrer.row.id } });
      const chosen = () => home("2 Oak Street");
      const before = (await friend.browser.post("/checkout/quote", chosen())).body;
      expect(before).toMatchObject({ discountAmount: 20, referralNote: null });
      const refused = await settle(friend, chosen());
      expect([refused.status, refused.body[1].code]).toEqual([409, "total_changed"]);
      expect((await intentsOf(friend.row.id)).map(({ status }) => status)).toEqual(["canceled"]);
      expect(await ordersOf(friend.row.id)).toEqual([]);
      const after = (await friend.browser.post("/checkout/quote", chosen())).body;
      expect(after).toMatchObject({ discountAmount: 0, referralNote: expect.stringContaining("card") });
      expect((await settle(friend, chosen())).status).toBe(201);
      expect(await ordersOf(friend.row.id)).toMatchObject([{ discount_cents: 0 }]);
      await expectAgreement();
    },
  );

  test(
    "holds the money, keeps the card, takes it at the cutoff for what the order then is, and gives it back",
    { tags: ["fail:B13", "fail:B14", "fail:V4"] },
    async () => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(3));
      const placed = await pay(who, choice(GOOD, { savePaymentMethod: true }));
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      const [intent] = await intentsOf(who.row.id);
      expect(intent).toMatchObject({ status: "requires_capture", currency: "usd", setup_future_usage: "off_session" });
      const [saved] = (await who.browser.get("/payment-methods")).body;
      expect(saved).toMatchObject({ brand: "visa", last4: "4242", isDefault: true });
      const id = placed.body.orderId as number;
      await who.browser.post("/orders/edit-order", {
        order: { id, items: [{ quantity: 1, product: { variant: { id: eggs.variant.id } } }] },
      });
      market.clock.set(CUTOFF);
      await Promise.all([runWeek(job()), runWeek(job())]);
      const order = await db.order.findUniqueOrThrow({ where: { id } });
      expect(intent).toMatchObject({ status: "succeeded", amount_received: order.order_total_cents });
      expect(await refundOrder(job(), id, { amountCents: 200, to: "card", reason: "", key: null })).toMatchObject({
        state: "done",
      });
      await cancelOrder(job(), id, { to: "card", reason: "", key: null });
      expect(fake.ledger().find(({ ref }) => ref === intent!.id)).toMatchObject({ backCents: order.order_total_cents });
      market.clock.set(MONDAY);
      await who.browser.put("/cart", [eggs.line(1)]);
      expect((await pay(who, { ...WITHOUT_CARD, paymentMethodId: saved.id })).status).toBe(201);
      await expectAgreement();
    },
  );

  test("a declined card and one without funds are 402 in the bank's words, and hold nothing", async () => {
    const { hub, eggs } = await hubWithEggs();
    const who = await shopper(hub.id, eggs.line(1));
    const declined = await pay(who, choice("4000000000000002"));
    expect([declined.status, declined.body[1].code]).toEqual([402, "card_declined"]);
    const poor = await pay(who, choice("4000000000009995"));
    expect([poor.status, poor.body]).toMatchObject([
      402,
      ["Your card has insufficient funds.", { code: "insufficient_funds" }],
    ]);
    const empty = await pay(who, WITHOUT_CARD);
    expect([empty.status, empty.body[1].code]).toEqual([422, "payment_required"]);
    expect((await intentsOf(who.row.id)).map(({ status }) => status)).toEqual(["canceled", "canceled"]);
    await expectAgreement();
  });

  test.for([true, false])("the bank's question, answered %s", async (approve) => {
    const { hub, eggs } = await hubWithEggs();
    const who = await shopper(hub.id, eggs.line(1));
    const challenged = await pay(who, choice(CHALLENGED));
    expect(challenged.status).toBe(202);
    const { attemptId, clientSecret } = challenged.body.challenge;
    const [intent] = await intentsOf(who.row.id);
    expect(clientSecret).toBe(intent!.client_secret);
    const early = await who.browser.post(`/checkout/${attemptId}/complete`, {});
    expect(early.status).toBe(202);
    fake.answerBank(intent!.id, approve);
    const done = await who.browser.post(`/checkout/${attemptId}/complete`, {});
    expect(done.status).toBe(approve ? 201 : 402);
    expect(await ordersOf(who.row.id)).toHaveLength(approve ? 1 : 0);
    await expectAgreement();
  });

  test(
    "the bank's question takes twelve minutes: the stock is taken again, or nothing is charged and the cart stays",
    { tags: ["fail:A6"] },
    async () => {
      for (const isThere of [true, false]) {
        const { hub, eggs } = await hubWithEggs({ inventory: 1 });
        const who = await shopper(hub.id, eggs.line(1));
        const { attemptId } = (await pay(who, choice(CHALLENGED))).body.challenge;
        market.clock.advance(10 * 60_000 + 1);
        await resumeAbandoned(job());
        expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(1);
        expect(await market.audit()).toEqual([]);
        market.clock.advance(2 * 60_000);
        if (!isThere) await setInventory(db, eggs.variant.id, hub.id, 0);
        const [intent] = await intentsOf(who.row.id);
        fake.answerBank(intent!.id, true);
        const done = await who.browser.post(`/checkout/${attemptId}/complete`, {});
        expect(done.status, JSON.stringify(done.body)).toBe(isThere ? 201 : 409);
        if (!isThere) {
          expect(done.body[1].code).toBe("sold_out");
          expect(intent!.status).toBe("canceled");
          expect(await db.cart_item.count({ where: { cart: { customer_id: who.row.id } } })).toBe(1);
          expect(await db.mail.count({ where: { key: `not-charged:${attemptId}` } })).toBe(1);
        }
        await expectAgreement();
      }
    },
  );

  test("checkout: a challenge that is never answered fails after an hour", { tags: ["fail:A6"] }, async () => {
    const { hub, eggs } = await hubWithEggs();
    const who = await shopper(hub.id, eggs.line(1));
    await pay(who, choice(CHALLENGED));
    market.clock.advance(10 * 60_000 + 1);
    await resumeAbandoned(job());
    expect((await attemptOf(who.row.id)).state).toBe("challenge");
    market.clock.advance(51 * 60_000);
    await resumeAbandoned(job());
    expect((await attemptOf(who.row.id)).state).toBe("failed");
    expect((await intentsOf(who.row.id))[0]!.status).toBe("canceled");
    await expectAgreement();
  });
});

test(
  "the market lowers its stock below what is held: the hold is honoured, later buyers are refused",
  { tags: ["fail:A9", "fail:V1"] },
  async () => {
    const { hub, eggs } = await hubWithEggs({ inventory: 5 });
    const who = await shopper(hub.id, eggs.line(3));
    const { attemptId } = (await pay(who, choice(CHALLENGED))).body.challenge;
    await setInventory(db, eggs.variant.id, hub.id, 0);
    expect(await market.audit()).toEqual([]);
    const late = await shopper(hub.id, eggs.line(1));
    expect((await pay(late, choice(GOOD))).status).toBe(409);
    fake.answerBank((await intentsOf(who.row.id))[0]!.id, true);
    expect((await who.browser.post(`/checkout/${attemptId}/complete`, {})).status).toBe(201);
    expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(0);
    await expectAgreement();
  },
);

describe("Stripe on a bad day", () => {
  test.for([
    ["500 after it charged", "500 after"],
    ["500 before it did anything", "500 before"],
    ["the line is cut after it charged", "cut after"],
    ["the line is cut before", "cut before"],
  ] as const)(
    "%s: the same charge is found again, never a second one",
    { tags: ["fail:B5", "fail:B11"] },
    async ([, trouble]) => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      await who.browser.get("/payment-methods");
      fake.trouble("POST payment_intents", trouble);
      const placed = await pay(who, choice(GOOD));
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      expect((await intentsOf(who.row.id)).filter(({ status }) => status === "requires_capture")).toHaveLength(1);
      await expectAgreement();
    },
  );

  test(
    "Stripe is down: 503 within 12 s, stock released, no transaction open; after five failures no request waits, after 30 s one is retried",
    { tags: ["fail:B10"] },
    async () => {
      const { hub, eggs } = await hubWithEggs({ inventory: 5 });
      const who = await shopper(hub.id, eggs.line(1));
      fake.down = true;
      const real = deps.clock.elapsed;
      const received = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      fake.onRequest = () => (received.resolve(), gate.promise);
      let elapsed = deps.clock.elapsed();
      deps.clock.elapsed = () => elapsed;
      const from = fake.calls.length;
      const asking = pay(who, choice(GOOD));
      await received.promise;
      const open = await db.$queryRawUnsafe<{ n: bigint }[]>(
        "select count(*) as n from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
      );
      expect(Number(open[0]!.n)).toBe(0);
      fake.onRequest = null;
      gate.resolve();
      const first = await asking;
      // Had each of them been left without an answer until its limit:
      const waits = fake.calls
        .slice(from)
        .map((about) => (about.startsWith("GET") ? READ_OPTIONS.timeout : TIMEOUT_MS));
      const pauses = 500 * (waits.length - 1);
      expect(waits.length).toBeGreaterThan(1);
      expect(waits.reduce((sum, ms) => sum + ms, pauses)).toBeLessThan(12_000);
      expect([first.status, first.body[0]]).toEqual([
        503,
        "Payments are temporarily unavailable. You have not been charged.",
      ]);
      expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(5);
      for (let n = 0; n < 4; n += 1) expect((await pay(who, choice(GOOD))).status).toBe(503);
      const callsBefore = fake.calls.length;
      expect((await pay(who, choice(GOOD))).status).toBe(503);
      expect(fake.calls.length).toBe(callsBefore);
      fake.down = false;
      expect((await pay(who, choice(GOOD))).status).toBe(503);
      elapsed += 31_000;
      expect((await pay(who, choice(GOOD))).status).toBe(201);
      deps.clock.elapsed = real;
      market.clock.advance(60_000);
      await resumeAbandoned(job());
      expect(await ordersOf(who.row.id)).toHaveLength(1);
      await expectAgreement();
    },
  );

  test(
    "more than a day later its keys are forgotten: the charge is found by listing",
    { tags: ["fail:B12"] },
    async () => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      points.plan["checkout:paid"] = "throw";
      expect((await pay(who, choice(GOOD))).status).toBe(500);
      delete points.plan["checkout:paid"];
      fake.prune();
      const before = fake.intents.size;
      market.clock.advance(25 * 3_600_000);
      market.clock.set(new Date(new Date(CUTOFF).getTime() - 3_600_000));
      await resumeAbandoned(job());
      expect(await ordersOf(who.row.id)).toHaveLength(1);
      expect(fake.intents.size).toBe(before);
      await expectAgreement();
    },
  );

  test(
    "a refund whose response was lost is found by listing when its key is forgotten, and not made twice",
    { tags: ["fail:B12", "fail:K11"] },
    async () => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      const { body } = await pay(who, choice(GOOD));
      market.clock.set(CUTOFF);
      await runWeek(job());
      points.plan["refund:given"] = "throw";
      const refund = refundOrder(job(), body.orderId, { amountCents: 200, to: "card", reason: "", key: null });
      await expect(refund).rejects.toThrow("failpoint");
      delete points.plan["refund:given"];
      fake.prune();
      market.clock.advance(25 * 3_600_000);
      expect(await resumeRefunds(job())).toBe(1);
      const [intent] = await intentsOf(who.row.id);
      expect(fake.ledger().find(({ ref }) => ref === intent!.id)).toMatchObject({ backCents: 200 });
      await expectAgreement();
    },
  );

  test("refund: a card that takes no refunds gives no store credit, and the amount waits for an operator", async () => {
    const { hub, eggs } = await hubWithEggs();
    const who = await shopper(hub.id, eggs.line(1));
    const { body } = await pay(who, choice("4000000000005126"));
    market.clock.set(CUTOFF);
    await runWeek(job());
    const refund = { amountCents: 250, to: "card", reason: "", key: null } as const;
    expect(await refundOrder(job(), body.orderId, refund)).toMatchObject({ state: "failed", failure: "refused" });
    expect((await db.customer.findUniqueOrThrow({ where: { id: who.row.id } })).credit_cents).toBe(0);
    expect(await db.refund.findMany({ where: { order_id: body.orderId } })).toMatchObject([
      { state: "failed", failure: "refused", resolved_at: null, amount_cents: 250 },
    ]);
    await expectAgreement();
  });

  test(
    "a void that Stripe does not answer: the sweep voids the charge when Stripe is back",
    { tags: ["fail:V4"] },
    async () => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      const { body } = await pay(who, choice(GOOD));
      fake.trouble("POST payment_intents cancel", "500 before", "500 before");
      await cancelOrder(job(), body.orderId, { to: "card", reason: "", key: null });
      expect((await intentsOf(who.row.id))[0]!.status).toBe("requires_capture");
      market.clock.advance(60_000);
      await resumeAbandoned(job());
      expect((await intentsOf(who.row.id))[0]!.status).toBe("canceled");
      await expectAgreement();
    },
  );
});

describe("webhooks", () => {
  test(
    "webhook: an event that was not signed by Stripe in the last five minutes is refused",
    { tags: ["fail:B7"] },
    async () => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      await pay(who, choice(CHALLENGED));
      const [intent] = await intentsOf(who.row.id);
      fake.answerBank(intent!.id, true);
      const event = fake.events.at(-1)!;
      const now = market.clock.now();
      const good = fake.signed(event);
      const bad: [string, { payload: string; signature: string }][] = [
        ["no signature", { ...good, signature: "" }],
        ["nonsense", { ...good, signature: "t=1,v1=abc" }],
        ["another secret", fake.signed(event, now, "whsec_somebody_elses")],
        ["an empty secret", fake.signed(event, now, " ")],
        ["six minutes old", fake.signed(event, new Date(now.getTime() - 301_000))],
        ["changed on the way", { ...good, payload: good.payload.replace("amount_capturable_updated", "succeeded") }],
        ["no JSON", { ...fake.signed(event), payload: "hello" }],
      ];
      for (const [why, signed] of bad) {
        const answer = await send(signed);
        expect([why, answer.statusCode, answer.json()[1].code]).toEqual([why, 400, "bad_signature"]);
      }
      expect(await ordersOf(who.row.id)).toHaveLength(0);
      expect(await db.webhook_event.count({ where: { event_id: event.id } })).toBe(0);
      expect((await send(good)).statusCode).toBe(200);
      expect(await ordersOf(who.row.id)).toHaveLength(1);
      await expectAgreement();
    },
  );

  test("webhook: the charge of another market at the same account is acknowledged and left alone", async () => {
    const { hub, eggs } = await hubWithEggs();
    const who = await shopper(hub.id, eggs.line(1));
    await pay(who, choice(CHALLENGED));
    const [intent] = await intentsOf(who.row.id);
    fake.answerBank(intent!.id, true);
    const event = fake.events.at(-1)!;
    const { payload } = fake.signed(event);
    const key = /"metadata":\{[^}]*?"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/.exec(payload)![1]!;
    const other = JSON.parse(payload.replaceAll(key, randomUUID())) as typeof event;
    const answer = await send(fake.signed({ ...other, id: `evt_${randomUUID()}` }));
    expect([answer.statusCode, answer.json()]).toEqual([200, { received: true, outcome: "not ours" }]);
    expect(await ordersOf(who.row.id)).toHaveLength(0);
    expect((await send(fake.signed(event))).json()).toEqual({ received: true, outcome: "placed" });
    await expectAgreement();
  });

  test(
    "webhook: an event that was handled before is acknowledged and not handled again",
    { tags: ["fail:B6"] },
    async () => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      await pay(who, choice(CHALLENGED));
      const [intent] = await intentsOf(who.row.id);
      fake.answerBank(intent!.id, true);
      const signed = fake.signed(fake.events.at(-1)!);
      expect((await send(signed)).json()).toEqual({ received: true, outcome: "placed" });
      expect((await send(signed)).json()).toEqual({ received: true, outcome: "seen" });
      expect(await ordersOf(who.row.id)).toHaveLength(1);
    },
  );

  test("webhook: one that cannot be handled is refused, and named for the operator until it is handled", async () => {
    const { hub, eggs } = await hubWithEggs();
    const who = await shopper(hub.id, eggs.line(1));
    await pay(who, choice(CHALLENGED));
    const [intent] = await intentsOf(who.row.id);
    fake.answerBank(intent!.id, true);
    const event = fake.events.at(-1)!;
    const signed = fake.signed(event);
    const failures = () => db.job_failure.findMany({ where: { job: "webhook", subject: `${event.type} ${event.id}` } });
    const { find } = deps.payments;
    deps.payments.find = () => Promise.reject(new Error("an answer that makes no sense"));
    try {
      expect((await send(signed)).statusCode).toBe(500);
    } finally {
      deps.payments.find = find;
    }
    expect(await failures()).toMatchObject([{ reason: "an answer that makes no sense" }]);
    expect((await send(signed)).json()).toEqual({ received: true, outcome: "placed" });
    expect(await failures()).toEqual([]);
  });

  test(
    "webhook: an order was captured at Stripe and is not booked yet, nothing is given back",
    { tags: ["fail:B6"] },
    async () => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      expect((await pay(who, choice(GOOD))).status).toBe(201);
      const { payment } = await attemptOf(who.row.id);
      const charge = { key: payment!.charge_key, customerId: who.row.id, ref: payment!.provider_ref };
      expect(await deps.payments.capture({ ...charge, amountCents: payment!.amount_cents })).toBe("captured");
      const event = fake.events.at(-1)!;
      expect(event.type).toBe("payment_intent.succeeded");
      expect((await send(fake.signed(event))).json()).toEqual({ received: true, outcome: "nothing to do" });
      expect(fake.ledger().find(({ ref }) => ref === payment!.provider_ref)).toMatchObject({ backCents: 0 });
      market.clock.set(CUTOFF);
      await runWeek(job());
      await expectAgreement();
    },
  );

  test("with another provider there is no such address", { tags: ["fail:B7"] }, async () => {
    const other = await buildTestApp({ url: market.url });
    const { statusCode } = await other.app.inject({
      method: "POST",
      url: "/api/webhooks/stripe",
      headers: { "content-type": "application/json" },
      payload: "{}",
    });
    expect(statusCode).toBe(404);
  });

  test("the webhook and the shopper come back together: one order", { tags: ["fail:B4"] }, async () => {
    for (let round = 0; round < size(6, 100); round += 1) {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      const { attemptId } = (await pay(who, choice(CHALLENGED))).body.challenge;
      const [intent] = await intentsOf(who.row.id);
      fake.answerBank(intent!.id, true);
      const signed = fake.signed(fake.events.at(-1)!);
      const back = () => who.browser.post(`/checkout/${attemptId}/complete`, {}, { "idempotency-key": newKey() });
      const both = round % 2 === 0 ? [send(signed), back()] : [back(), send(signed)];
      const answers = await Promise.all(both);
      const order = await ordersOf(who.row.id);
      expect(order).toHaveLength(1);
      const shopperSaw = await back();
      expect([shopperSaw.status, shopperSaw.body.orderId]).toEqual([201, order[0]!.id]);
      expect(answers.every((answer) => ("statusCode" in answer ? answer.statusCode : answer.status) < 300)).toBe(true);
    }
    await expectAgreement();
  });

  test(
    "three times at once, in any order and three days late: each has its effect once",
    { tags: ["fail:B6"] },
    async () => {
      for (let seed = 0; seed < size(8, 200); seed += 1) {
        const from = fake.events.length;
        const { hub, eggs } = await hubWithEggs();
        const who = await shopper(hub.id, eggs.line(2));
        const { body } = await pay(who, choice(GOOD));
        market.clock.set(CUTOFF);
        await runWeek(job());
        await refundOrder(job(), body.orderId, { amountCents: 100, to: "card", reason: "", key: null });
        market.clock.advance(3 * 86_400_000);
        const shuffled = fake.events
          .slice(from)
          .map((event, place) => ({ event, at: ((place + 1) * 7919 * (seed + 1)) % 1009 }))
          .toSorted((a, b) => a.at - b.at);
        for (const { event } of shuffled) {
          const answers = await Promise.all([1, 2, 3].map(() => send(fake.signed(event))));
          expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
        }
        expect(await ordersOf(who.row.id)).toHaveLength(1);
        expect(await db.refund.count({ where: { order_id: body.orderId } })).toBe(1);
        market.clock.set("2026-11-25T08:00:00Z");
      }
      await expectAgreement();
    },
  );

  test(
    "webhook: money captured for a canceled order is refunded once, and the operator is alerted",
    { tags: ["fail:B8"] },
    async () => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      const { body } = await pay(who, choice(GOOD));
      const [intent] = await intentsOf(who.row.id);
      fake.trouble("POST payment_intents cancel", "500 before", "500 before");
      await cancelOrder(job(), body.orderId, { to: "card", reason: "", key: null });
      fake.captureInDashboard(intent!.id);
      const event = fake.events.at(-1)!;
      await Promise.all([1, 2, 3].map(() => send(fake.signed(event))));
      expect(fake.ledger().find(({ ref }) => ref === intent!.id)).toMatchObject({
        takenCents: intent!.amount,
        backCents: intent!.amount,
      });
      const { payment_id } = await attemptOf(who.row.id);
      expect(await db.audit_entry.count({ where: { action: "alert", subject: `payment:${payment_id}` } })).toBe(1);
      expect(await db.refund.findMany({ where: { payment_id: payment_id! } })).toMatchObject([
        { kind: "orphaned_charge", state: "done" },
      ]);
      await expectAgreement();
    },
  );

  test.for([
    ["another amount", { amount: 1 }],
    ["another currency", { currency: "eur" }],
  ])(
    "webhook: a charge of %s than requested is voided, nothing is fulfilled, and the operator is alerted",
    { tags: ["fail:B8"] },
    async ([, change]) => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      await pay(who, choice(CHALLENGED));
      const [intent] = await intentsOf(who.row.id);
      fake.answerBank(intent!.id, true);
      Object.assign(intent!, change);
      const event = structuredClone(fake.events.at(-1)!);
      Object.assign(event.data.object, change);
      expect((await send(fake.signed(event))).json()).toMatchObject({ outcome: "mismatch, voided" });
      expect(await ordersOf(who.row.id)).toHaveLength(0);
      expect(intent!.status).toBe("canceled");
      const { payment_id } = await attemptOf(who.row.id);
      expect(await db.audit_entry.count({ where: { action: "alert", subject: `payment:${payment_id}` } })).toBe(1);
      market.clock.advance(61 * 60_000);
      await resumeAbandoned(job());
      expect((await attemptOf(who.row.id)).state).toBe("failed");
    },
  );

  test.for([
    ["another amount", { amount: 1 }],
    ["another currency", { currency: "eur" }],
  ])(
    "webhook: money captured in %s than requested is refunded once, and nothing is fulfilled, also when the shopper returns",
    { tags: ["fail:B8"] },
    async ([, change]) => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      const { attemptId } = (await pay(who, choice(CHALLENGED))).body.challenge;
      const [intent] = await intentsOf(who.row.id);
      fake.answerBank(intent!.id, true);
      Object.assign(intent!, change);
      fake.captureInDashboard(intent!.id);
      const event = fake.events.at(-1)!;
      expect((await send(fake.signed(event))).json()).toMatchObject({ outcome: "refunded" });
      const again = { ...event, id: `evt_${randomUUID()}` };
      expect((await send(fake.signed(again))).json()).toMatchObject({ outcome: "refunded before" });
      expect(fake.ledger().find(({ ref }) => ref === intent!.id)).toMatchObject({
        takenCents: intent!.amount,
        backCents: intent!.amount,
      });
      const back = await who.browser.post(`/checkout/${attemptId}/complete`, {});
      expect([back.status, back.body[0], back.body[1]?.code]).toEqual([
        503,
        "The payment didn't go through as requested, so it was refunded. Please try again.",
        "interrupted",
      ]);
      expect(await ordersOf(who.row.id)).toEqual([]);
      const { payment_id, state } = await attemptOf(who.row.id);
      expect(state).toBe("failed");
      expect(await db.audit_entry.count({ where: { action: "alert", subject: `payment:${payment_id}` } })).toBe(1);
      await expectAgreement();
    },
  );

  test.for([
    ["gift card", "authorized", "voided"],
    ["gift card", "captured", "refunded"],
    ["checkout", "authorized", "voided"],
    ["checkout", "captured", "refunded"],
  ] as const)(
    "webhook: money for a %s that had failed is %s: it is %s, and nothing is granted",
    { tags: ["fail:B8", "fail:V4"] },
    async ([what, state, outcome]) => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(1));
      const gift = { amount: 25, recipientEmail: "fay@example.com", deliverOn: "2026-11-24" };
      const response =
        what === "checkout"
          ? await pay(who, choice(CHALLENGED))
          : await who.browser.post("/gift-cards", { ...gift, confirmationToken: tokenOf(CHALLENGED) });
      expect(response.status).toBe(202);
      // The challenge is not answered, and Stripe is away when its charge is voided.
      const sweep = what === "checkout" ? resumeAbandoned : resumeAbandonedPurchases;
      for (const minutes of what === "checkout" ? [11, 51] : [11]) {
        market.clock.advance(minutes * 60_000);
        fake.trouble("POST payment_intents cancel", "500 before", "500 before");
        await sweep(job());
        fake.clearTroubles();
      }
      const [intent] = await intentsOf(who.row.id);
      expect(intent!.status).toBe("requires_action");
      fake.answerBank(intent!.id, true);
      if (state === "captured") fake.captureInDashboard(intent!.id);
      expect((await send(fake.signed(fake.events.at(-1)!))).json()).toMatchObject({ outcome });
      const captured = state === "captured" ? intent!.amount : 0;
      expect(fake.ledger().find(({ ref }) => ref === intent!.id)).toMatchObject({
        heldCents: 0,
        takenCents: captured,
        backCents: captured,
      });
      expect(await ordersOf(who.row.id)).toEqual([]);
      expect(await db.gift_card.count({ where: { buyer_id: who.row.id } })).toBe(0);
      await expectAgreement();
    },
  );

  test.for([
    ["refund.failed", "failed"],
    ["refund.updated", "canceled"],
    ["charge.refund.updated", "failed"],
  ])(
    "webhook: a refund that comes back from the bank days later (%s, %s) is undone and emailed once, and is no store credit",
    async ([type, status]) => {
      const { hub, eggs } = await hubWithEggs();
      const who = await shopper(hub.id, eggs.line(2));
      const { body } = await pay(who, choice(GOOD));
      market.clock.set(CUTOFF);
      await runWeek(job());
      await refundOrder(job(), body.orderId, { amountCents: 300, to: "card", reason: "", key: null });
      const credit = async () => (await db.customer.findUniqueOrThrow({ where: { id: who.row.id } })).credit_cents;
      const succeeded = { ...fake.events.at(-1)!, type: "refund.updated" };
      expect((await send(fake.signed(succeeded))).json()).toMatchObject({ outcome: "nothing to do" });
      await sendDueMail(deps);
      fake.failRefund([...fake.refunds.keys()].at(-1)!);
      const event = structuredClone(fake.events.at(-1)!);
      Object.assign(event, { type });
      Object.assign(event.data.object, { status });
      await Promise.all([1, 2, 3].map(() => send(fake.signed(event))));
      expect(await credit()).toBe(0);
      const key = { startsWith: "refund-failed:" };
      expect(await db.mail.count({ where: { key, to_email: who.row.email! } })).toBe(1);
      expect(await db.refund.findMany({ where: { order_id: body.orderId } })).toMatchObject([
        { state: "failed", failure: "refused", resolved_at: null },
      ]);
      await expectAgreement();
    },
  );

  test("webhook: a card that was detached at Stripe is no longer offered; an unknown one changes nothing", async () => {
    const { hub } = await hubWithEggs();
    const who = await shopper(hub.id);
    await who.browser.post("/payment-methods", { confirmationToken: tokenOf(GOOD) });
    const { provider_ref: ref } = await db.payment_method.findFirstOrThrow({ where: { customer_id: who.row.id } });
    const detached = async (id: string) => {
      const event = { id: `evt_${randomUUID()}`, object: "event", type: "payment_method.detached" };
      const answer = await send(fake.signed({ ...event, data: { object: { id, object: "payment_method" } } }));
      return [answer.json().outcome, (await who.browser.get("/payment-methods")).body.length];
    };
    expect(await detached("pm_unknown")).toEqual(["nothing to do", 1]);
    expect(await detached(ref)).toEqual(["card forgotten", 0]);
  });
});

describe("holds that would lapse", () => {
  /** Ordered on a Monday for the Thursday ten days later. */
  async function early(number: string) {
    const { hub, eggs } = await hubWithEggs();
    const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-03" });
    const who = await shopper(hub.id, turkey.line(1));
    const placed = await pay(who, choice(number, { savePaymentMethod: true }));
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    return { hub, eggs, who, id: placed.body.orderId as number };
  }

  test("a card must be kept when the cutoff is more than six days off", { tags: ["fail:B13"] }, async () => {
    const { hub } = await hubWithEggs();
    const turkey = await createProduct(db, hub.id, { preOrderDate: "2026-12-03" });
    const who = await shopper(hub.id, turkey.line(1));
    const answer = await pay(who, choice(GOOD));
    expect([answer.status, answer.body[1].code]).toEqual([422, "saved_card_required"]);
  });

  test("are renewed once, four days before the cutoff, killed or not in between", { tags: ["fail:B13"] }, async () => {
    const { who, id } = await early(GOOD);
    const at = async (instant: string) => {
      market.clock.set(instant);
      await Promise.all([renewHolds(job()), renewHolds(job())]);
      return (await intentsOf(who.row.id)).map(({ status }) => status);
    };
    expect(await at("2026-11-28T05:00:00Z")).toEqual(["requires_capture"]);
    for (const point of ["hold:authorized", "hold:swapping"]) {
      points.plan[point] = "throw";
      await at("2026-11-28T06:00:01Z");
      delete points.plan[point];
    }
    const renewed = await at("2026-11-28T06:10:00Z");
    expect(renewed.filter((status) => status === "requires_capture")).toHaveLength(1);
    expect(renewed[0]).toBe("canceled");
    expect(await at("2026-11-28T06:20:00Z")).toEqual(renewed);
    // Three days old, but younger than six at the cutoff.
    expect(await at("2026-12-01T06:20:00Z")).toEqual(renewed);
    await expectAgreement();
    market.clock.set("2026-12-02T06:00:00Z");
    await runWeek(job());
    const order = await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
    expect(order).toMatchObject({
      status: "pending",
      payment: { state: "captured", captured_cents: order.order_total_cents },
    });
    await expectAgreement();
  });

  test(
    "a server that looked before another one was through holds nothing a second time",
    { tags: ["fail:B13"] },
    async () => {
      const { who } = await early(GOOD);
      market.clock.set("2026-11-28T06:00:01Z");
      const looked = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const failpoint = async (point: string) => {
        if (point !== "hold:due") return;
        looked.resolve();
        await gate.promise;
      };
      const late = renewHolds({ ...job(), deps: { ...deps, failpoint } });
      await looked.promise;
      await renewHolds(job());
      const renewed = (await intentsOf(who.row.id)).map(({ status }) => status);
      expect(renewed).toEqual(["canceled", "requires_capture"]);
      gate.resolve();
      await late;
      expect((await intentsOf(who.row.id)).map(({ status }) => status)).toEqual(renewed);
      await expectAgreement();
    },
  );

  test(
    "a hold is renewed for what a lowered order costs; the event of the new charge leaves it alone meanwhile",
    { tags: ["fail:B13", "fail:B14"] },
    async () => {
      const { hub } = await hubWithEggs();
      const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-03" });
      const who = await shopper(hub.id, turkey.line(2));
      const id: number = (await pay(who, choice(GOOD, { savePaymentMethod: true }))).body.orderId;
      const items = [{ quantity: 1, product: { variant: { id: turkey.variant.id } } }];
      expect((await who.browser.post("/orders/edit-order", { order: { id, items } })).status).toBe(200);
      market.clock.set("2026-11-28T06:00:01Z");
      points.plan["hold:authorized"] = "throw";
      await renewHolds(job());
      delete points.plan["hold:authorized"];
      expect((await send(fake.signed(fake.events.at(-1)!))).json()).toMatchObject({ outcome: "a hold being renewed" });
      market.clock.set("2026-11-28T06:10:00Z");
      await renewHolds(job());
      const { order_total_cents: total } = await db.order.findUniqueOrThrow({ where: { id } });
      expect((await intentsOf(who.row.id)).map(({ status, amount }) => [status, amount])).toEqual([
        ["canceled", expect.any(Number)],
        ["requires_capture", total],
      ]);
      expect((await attemptOf(who.row.id)).payment).toMatchObject({ state: "authorized", amount_cents: total });
      await expectAgreement();
    },
  );

  test(
    "a lapsed authorization is mailed, renewed, and charged at the cutoff all the same",
    { tags: ["fail:B13"] },
    async () => {
      const { who, id } = await early(GOOD);
      const [intent] = await intentsOf(who.row.id);
      fake.expire(intent!.id);
      expect((await send(fake.signed(fake.events.at(-1)!))).json()).toMatchObject({ outcome: "hold lost" });
      expect(await db.mail.count({ where: { template: "hold-lost", data: { path: ["orderId"], equals: id } } })).toBe(
        1,
      );
      expect((await who.browser.get(`/orders/${id}`)).body.status).toBe("future");
      const bannersOf = async () => (await who.browser.get("/cart")).body.banners as { id: string; type: string }[];
      expect(await bannersOf()).toMatchObject([
        { id: `hold-lost-${id}`, type: "warning", title: `Your bank no longer holds the money for order ${id}.` },
      ]);
      market.clock.set("2026-12-02T06:00:00Z");
      await runWeek(job());
      const order = await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
      expect(order.payment).toMatchObject({ state: "captured", captured_cents: order.order_total_cents });
      expect(await bannersOf()).toEqual([]);
      await expectAgreement();
    },
  );

  test(
    "a renewal the card refuses: a mail and a banner until a day later another try goes through",
    { tags: ["fail:B13"] },
    async () => {
      const { who, id } = await early(GOOD);
      const [saved] = [...fake.methods.values()].filter(({ customer }) => customer !== null).slice(-1);
      const good = saved!.number;
      saved!.number = "4000000000000002";
      market.clock.set("2026-11-28T06:00:01Z");
      await renewHolds(job());
      const bannersOf = async () => (await who.browser.get("/cart")).body.banners as { id: string }[];
      expect((await bannersOf()).map((banner) => banner.id)).toEqual([`hold-lost-${id}`]);
      expect(await db.mail.count({ where: { template: "hold-lost", data: { path: ["orderId"], equals: id } } })).toBe(
        1,
      );
      const stranger = await shopper(who.row.hub_id!);
      expect((await stranger.browser.get("/cart")).body.banners).toEqual([]);
      saved!.number = good;
      await renewHolds(job());
      expect(await bannersOf()).toHaveLength(1);
      market.clock.set("2026-11-29T06:10:00Z");
      await renewHolds(job());
      expect(await bannersOf()).toEqual([]);
      await expectAgreement();
    },
  );
});

describe("cards and purchases", () => {
  test("a card is kept without a charge, after the bank's question too, and taken off", async () => {
    const { hub } = await hubWithEggs();
    const who = await shopper(hub.id);
    expect((await who.browser.post("/payment-methods", { confirmationToken: tokenOf(GOOD) })).body).toMatchObject([
      { last4: "4242" },
    ]);
    expect(
      (await who.browser.post("/payment-methods", { confirmationToken: tokenOf("4000000000000002") })).status,
    ).toBe(402);
    const challenged = await who.browser.post("/payment-methods", { confirmationToken: tokenOf(CHALLENGED) });
    expect(challenged.status).toBe(202);
    const { setupId } = challenged.body.challenge;
    expect((await who.browser.post("/payment-methods/complete", { setupId })).status).toBe(202);
    const stranger = await shopper(hub.id);
    expect((await stranger.browser.post("/payment-methods/complete", { setupId })).status).toBe(404);
    fake.answerBank(setupId, true);
    const two = await who.browser.post("/payment-methods/complete", { setupId });
    expect(two.body).toMatchObject([{ last4: "4242" }, { last4: "3155" }]);
    expect((await who.browser.delete(`/payment-methods/${two.body[1].id}`)).body).toHaveLength(1);
    expect(
      [...fake.methods.values()].filter(({ number, customer }) => number === CHALLENGED && customer !== null),
    ).toEqual([]);
    expect((await who.browser.post("/payment-methods", { confirmationToken: "4242424242424242" })).status).toBe(400);
  });

  test("a gift card after the bank's question: bought once, by the shopper or by the webhook; refused it costs nothing", async () => {
    const { hub } = await hubWithEggs();
    const gift = { amount: 25, recipientEmail: "fay@example.com", deliverOn: "2026-11-24" };
    for (const how of ["shopper", "webhook", "refused", "silence"] as const) {
      const who = await shopper(hub.id);
      const key = newKey();
      const order = { ...gift, confirmationToken: tokenOf(CHALLENGED) };
      const challenged = await who.browser.post("/gift-cards", order, { "idempotency-key": key });
      expect(challenged.status, how).toBe(202);
      const { paymentId } = challenged.body.challenge;
      const stranger = await shopper(hub.id);
      expect((await stranger.browser.post(`/purchases/${paymentId}/complete`, {})).status).toBe(404);
      const [intent] = await intentsOf(who.row.id);
      if (how === "silence") {
        market.clock.advance(11 * 60_000);
        await resumeAbandonedPurchases(job());
        expect((await who.browser.post(`/purchases/${paymentId}/complete`, {})).status).toBe(402);
      } else {
        fake.answerBank(intent!.id, how !== "refused");
        if (how === "webhook")
          await Promise.all([send(fake.signed(fake.events.at(-1)!)), send(fake.signed(fake.events.at(-1)!))]);
        const done = await who.browser.post(`/purchases/${paymentId}/complete`, {});
        expect([how, done.status]).toEqual([how, how === "refused" ? 402 : 200]);
      }
      const isBought = how === "shopper" || how === "webhook";
      expect([how, await db.gift_card.count({ where: { payment_id: paymentId } })]).toEqual([how, isBought ? 1 : 0]);
      expect([how, intent!.status]).toEqual([how, isBought ? "succeeded" : "canceled"]);
    }
    await expectAgreement();
  });
});

describe("a saved card that the bank challenges at checkout is charged without a challenge when no shopper is present", () => {
  type Cardholder = Who & { paysWith: { paymentMethodId: number }; approve: (request: Promise<any>) => Promise<any> };

  /** A shopper with such a card. `approve` completes the challenge of a request that pays. */
  async function cardholder(hubId: number, ...lines: ReturnType<TestProduct["line"]>[]): Promise<Cardholder> {
    const who = await shopper(hubId, ...lines);
    const { body } = await who.browser.post("/payment-methods", { confirmationToken: tokenOf(CHALLENGED) });
    const { setupId } = body.challenge;
    fake.answerBank(setupId, true);
    const [card] = (await who.browser.post("/payment-methods/complete", { setupId })).body;
    const approve = async (request: Promise<any>) => {
      const response = await request;
      expect(response.status, JSON.stringify(response.body)).toBe(202);
      fake.answerBank((await intentsOf(who.row.id)).at(-1)!.id, true);
      const { attemptId, paymentId } = response.body.challenge;
      const url = attemptId ? `/checkout/${attemptId}/complete` : `/purchases/${paymentId}/complete`;
      const done = await who.browser.post(url, {});
      expect(done.status, JSON.stringify(done.body)).toBeLessThan(300);
      return done.body;
    };
    return { ...who, paysWith: { paymentMethodId: card.id }, approve };
  }

  test("an automatic order", { tags: ["fail:C12"] }, async () => {
    const { hub, eggs } = await hubWithEggs();
    await runWeek(job());
    const who = await cardholder(hub.id, eggs.line(1));
    await createAddress(db, who.row.id);
    await db.customer.update({ where: { id: who.row.id }, data: { auto_checkout_status: 1 } });
    market.clock.set("2026-11-23T18:00:00Z");
    await runAutoCheckouts(job());
    expect(await ordersOf(who.row.id)).toMatchObject([{ source: "auto" }]);
    expect((await intentsOf(who.row.id)).map(({ status }) => status)).toEqual(["requires_capture"]);
    market.clock.set(CUTOFF);
    await runWeek(job());
    await expectAgreement();
  });

  test("the renewal of a hold", { tags: ["fail:B13"] }, async () => {
    const { hub } = await hubWithEggs();
    const turkey = await createProduct(db, hub.id, { preOrderDate: "2026-12-03" });
    const who = await cardholder(hub.id, turkey.line(1));
    await who.approve(pay(who, { ...WITHOUT_CARD, ...who.paysWith }));
    market.clock.set("2026-11-28T06:00:01Z");
    await renewHolds(job());
    expect((await intentsOf(who.row.id)).map(({ status }) => status)).toEqual(["canceled", "requires_capture"]);
    await expectAgreement();
  });

  test("the charge of an order whose hold lapsed", { tags: ["fail:B13"] }, async () => {
    const { hub, eggs } = await hubWithEggs();
    const who = await cardholder(hub.id, eggs.line(1));
    await who.approve(pay(who, { ...WITHOUT_CARD, ...who.paysWith }));
    fake.expire((await intentsOf(who.row.id))[0]!.id);
    market.clock.set(CUTOFF);
    await runWeek(job());
    expect((await intentsOf(who.row.id)).map(({ status }) => status)).toEqual(["canceled", "succeeded"]);
    await expectAgreement();
  });

  test("the renewal of a wagon pass", { tags: ["fail:K10"] }, async () => {
    const { hub } = await hubWithEggs();
    const who = await cardholder(hub.id);
    await who.approve(who.browser.post("/wagon-pass", { plan: "monthly", ...who.paysWith }));
    market.clock.set("2026-12-23T06:00:00Z");
    await renewWagonPasses(job());
    expect((await intentsOf(who.row.id)).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(await db.wagon_pass.findFirstOrThrow({ where: { customer_id: who.row.id } })).toMatchObject({ declined: 0 });
  });
});

test("webhook of a challenged purchase: the charge is looked up once, and captured", async () => {
  const { hub } = await hubWithEggs();
  const who = await shopper(hub.id);
  const order = {
    amount: 25,
    recipientEmail: "fay@example.com",
    deliverOn: "2026-11-24",
    confirmationToken: tokenOf(CHALLENGED),
  };
  const { paymentId } = (await who.browser.post("/gift-cards", order)).body.challenge;
  const [intent] = await intentsOf(who.row.id);
  fake.answerBank(intent!.id, true);
  const from = fake.calls.length;
  await send(fake.signed(fake.events.at(-1)!));
  // The second look is the capture's own.
  expect(fake.calls.slice(from)).toEqual([
    "GET payment_intents",
    "GET payment_intents",
    "POST payment_intents capture",
  ]);
  expect(await db.gift_card.count({ where: { payment_id: paymentId } })).toBe(1);
  await expectAgreement();
});

describe("a customer who was deleted in Stripe's dashboard", () => {
  /** A shopper with a saved card who is known at Stripe, and is then deleted there. */
  async function deletedAtStripe() {
    const { hub, eggs } = await hubWithEggs();
    const who = await shopper(hub.id, eggs.line(1));
    const saved = await who.browser.post("/payment-methods", { confirmationToken: tokenOf(GOOD) });
    expect(saved.status).toBe(200);
    const { stripe_customer_id: ref } = await db.customer.findUniqueOrThrow({ where: { id: who.row.id } });
    const gone = await fetch(`${fake.url}/v1/customers/${ref}`, { method: "DELETE" });
    expect(gone.status).toBe(200);
    return { who, gone: ref!, cardId: saved.body[0].id as number };
  }
  const refOf = async (id: number) => (await db.customer.findUniqueOrThrow({ where: { id } })).stripe_customer_id;

  test("pays with a typed card: one order, for a new customer there; the cards that went are no longer offered", async () => {
    const { who, gone } = await deletedAtStripe();
    const { status, body } = await pay(who, choice(GOOD, { savePaymentMethod: true }));
    expect(status, JSON.stringify(body)).toBe(201);
    const ref = await refOf(who.row.id);
    expect([ref === gone, fake.customers.has(ref!)]).toEqual([false, true]);
    expect((await intentsOf(who.row.id)).map((intent) => intent.status)).toEqual(["requires_capture"]);
    const cards = (await who.browser.get("/payment-methods")).body;
    expect(cards).toHaveLength(1);
    const method = await db.payment_method.findUniqueOrThrow({ where: { id: cards[0].id } });
    expect([method.is_default, fake.methods.get(method.provider_ref)?.customer]).toEqual([true, ref]);
    await expectAgreement();
  });

  test("pays with a saved card: refused, and the next try with a typed one is an order", async () => {
    const { who, cardId } = await deletedAtStripe();
    const refused = await pay(who, { ...WITHOUT_CARD, paymentMethodId: cardId });
    expect([refused.status, refused.body[0]]).toEqual([402, "This card could not be used. Please enter it again."]);
    expect((await who.browser.get("/payment-methods")).body).toEqual([]);
    expect((await pay(who, choice(GOOD))).status).toBe(201);
    expect(await ordersOf(who.row.id)).toHaveLength(1);
    await expectAgreement();
  });

  test("saves a card: it is saved for a new customer there, and pays", async () => {
    const { who, gone } = await deletedAtStripe();
    const saved = await who.browser.post("/payment-methods", { confirmationToken: tokenOf(GOOD) });
    expect([saved.status, saved.body.length]).toEqual([200, 1]);
    expect(await refOf(who.row.id)).not.toBe(gone);
    const paid = await pay(who, { ...WITHOUT_CARD, paymentMethodId: saved.body[0].id });
    expect(paid.status, JSON.stringify(paid.body)).toBe(201);
    await expectAgreement();
  });
});
