import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  createAddress,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  newKey,
  PASSWORD,
  setCard,
  type TestHub,
  type TestProduct,
} from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { shortOrder } from "../orders/short-order.ts";
import { chargeDueOrders } from "../payments/charge-order.ts";
import { renewHolds } from "../payments/renew-holds.ts";

const CUTOFF = "2026-11-25T06:00:00Z";
const SECRET = "whsec_of_the_tests_alone_0123456789";

const fake = await testStripe({ webhookSecret: SECRET, now: () => stripe.clock.now() });
const stripe = await buildTestApp({
  env: {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_URL: fake.url,
  },
});
const local = await buildTestApp();
const offline = await buildTestApp({ env: { PAYMENTS: "offline" } });
const MARKETS = { test: local, stripe, offline };
type Provider = keyof typeof MARKETS;

beforeEach(() => {
  for (const market of Object.values(MARKETS)) market.clock.set(MONDAY);
});

/** A market with a shopper, in which a pickup costs what its items cost. */
function at(provider: Provider) {
  const market = MARKETS[provider];
  const { db, deps } = market;
  const context = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
  const tick = (time: string): Promise<void> => {
    market.clock.set(time);
    return runWeek(context());
  };
  const hubOf = () => createHub(db, { taxRatePpm: 0, processingPpm: 0, processingFixedCents: 0 });
  const shopper = async (hub: TestHub, creditCents: number, ...lines: ReturnType<TestProduct["line"]>[]) => {
    const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper, creditCents });
    const browser = market.shopper();
    await browser.post("/auth/login", { username: row.email, password: PASSWORD });
    await browser.put("/cart", lines);
    return { row, browser };
  };
  type Who = Awaited<ReturnType<typeof shopper>>;
  const choiceOf = (hub: TestHub, part: object = {}) => ({
    type: "pickup",
    pickupPointId: hub.pickup_points[0]!.id,
    tipPercentage: 0,
    ...(provider === "test" && { card: GOOD_CARD }),
    ...(provider === "stripe" && { confirmationToken: tokenOf(GOOD_CARD.number) }),
    ...part,
  });
  const buy = async (hub: TestHub, { browser }: Who, part: object = {}) => {
    const choice = choiceOf(hub, part);
    const quote = (await browser.post("/checkout/quote", choice)).body;
    const placed = await browser.post(
      "/checkout",
      { ...choice, expectedTotal: quote.orderTotal },
      { "idempotency-key": newKey() },
    );
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    return { quote, id: placed.body.orderId as number };
  };
  const orderOf = (id: number) => db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
  const creditOf = async (id: number) => (await db.customer.findUniqueOrThrow({ where: { id } })).credit_cents;
  const mailsTo = async ({ row }: Who) =>
    (await db.mail.findMany({ where: { to_email: row.email! }, orderBy: { id: "asc" } })).map(
      ({ template }) => template,
    );
  const mailOf = async ({ row }: Who, template: string) => {
    const mail = await db.mail.findFirstOrThrow({ where: { to_email: row.email!, template } });
    return deps.mailTemplates[template]!.content(deps, mail.data as never, market.clock.now());
  };
  return { market, db, context, tick, hubOf, shopper, buy, orderOf, creditOf, mailsTo, mailOf };
}

describe.each(["test", "stripe"] as const)("small amounts, %s", (provider) => {
  const { market, db, context, tick, hubOf, shopper, buy, orderOf, creditOf, mailsTo, mailOf } = at(provider);
  const retry = (time: string): Promise<void> => {
    market.clock.set(time);
    return chargeDueOrders(context());
  };

  test.for([2000, 1981, 2029])(
    "store credit of %i cents leaves less than 50 cents of $20.30: 50 cents are charged, and the quote says why",
    async (creditCents) => {
      const hub = await hubOf();
      const ham = await createProduct(db, hub.id, { priceCents: 2030 });
      const who = await shopper(hub, creditCents, ham.line(1));
      const { quote, id } = await buy(hub, who, { useCredit: true });
      const kept = `$0.${String(creditCents - 1980).padStart(2, "0")}`;
      expect(quote).toMatchObject({
        orderTotal: 20.3,
        credit: 19.8,
        amountDue: 0.5,
        waived: 0,
        creditNote: `Cards are charged $0.50 or more, so ${kept} of your store credit stays in your account.`,
      });
      expect(await creditOf(who.row.id)).toBe(creditCents - 1980);
      await tick(CUTOFF);
      expect((await orderOf(id)).payment).toMatchObject({ state: "captured", captured_cents: 50 });
      expect(await market.audit()).toEqual([]);
    },
  );

  test("store credit that leaves 50 cents or nothing is used as it is", async () => {
    const hub = await hubOf();
    const ham = await createProduct(db, hub.id, { priceCents: 2030 });
    for (const [creditCents, amountDue] of [
      [1980, 0.5],
      [2030, 0],
    ] as const) {
      const who = await shopper(hub, creditCents, ham.line(1));
      const { quote } = await buy(hub, who, { useCredit: true });
      expect(quote).toMatchObject({ credit: creditCents / 100, amountDue, waived: 0, creditNote: null });
    }
    expect(await market.audit()).toEqual([]);
  });

  test("an order of 40 cents is waived: no card is charged, and quote, receipt, mail and ledger have the line", async () => {
    const hub = await hubOf();
    const herb = await createProduct(db, hub.id, { priceCents: 40 });
    const who = await shopper(hub, 0, herb.line(1));
    const { quote, id } = await buy(hub, who, { card: undefined, confirmationToken: undefined });
    expect(quote).toMatchObject({ subtotal: 0.4, waived: 0.4, orderTotal: 0, amountDue: 0 });
    expect((await who.browser.get(`/orders/${id}`)).body).toMatchObject({ waived: 0.4, orderTotal: 0, amountDue: 0 });
    expect(JSON.stringify(await mailOf(who, "order-confirmation"))).toContain('["Waived, under $0.50","−$0.40"]');
    const entries = await db.ledger_entry.findMany({ where: { transaction: { order_id: id } } });
    expect(entries.filter(({ account }) => account === "write_offs").map((row) => row.amount_cents)).toEqual([-40]);
    await tick(CUTOFF);
    expect(await orderOf(id)).toMatchObject({ payment: null, charge_failed_at: null, waived_cents: 40 });
    expect(await mailsTo(who)).not.toContain("payment-failed");
    expect(await market.audit()).toEqual([]);
  });

  test("an add-on of 40 cents joins an open box: it is waived, the box is charged, and the receipt names it", async () => {
    const hub = await hubOf();
    const ham = await createProduct(db, hub.id, { priceCents: 2030 });
    const herb = await createProduct(db, hub.id, { priceCents: 40 });
    const who = await shopper(hub, 0, ham.line(1));
    const box = await buy(hub, who);
    await who.browser.put("/cart", [herb.line(1)]);
    const addOn = await buy(hub, who);
    expect(await orderOf(addOn.id)).toMatchObject({ add_on_to_id: box.id, order_total_cents: 0, waived_cents: 40 });
    expect((await who.browser.get(`/orders/${box.id}`)).body.addOnOrders).toEqual([
      expect.objectContaining({ id: addOn.id, waived: 0.4, orderTotal: 0 }),
    ]);
    await tick(CUTOFF);
    expect((await orderOf(box.id)).payment).toMatchObject({ state: "captured", captured_cents: 2030 });
    expect(await market.audit()).toEqual([]);
  });

  test("an edit that leaves 40 cents waives them, and the cutoff releases the hold without a mail about a card", async () => {
    const hub = await hubOf();
    const ham = await createProduct(db, hub.id, { priceCents: 2030 });
    const herb = await createProduct(db, hub.id, { priceCents: 40 });
    const who = await shopper(hub, 0, ham.line(1), herb.line(1));
    const { id } = await buy(hub, who);
    const edited = await who.browser.post("/orders/edit-order", {
      order: { id, items: [{ quantity: 1, product: { variant: { id: herb.variant.id } } }] },
    });
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    expect(await orderOf(id)).toMatchObject({ order_total_cents: 0, waived_cents: 40 });
    expect(await market.audit()).toEqual([]);
    await tick(CUTOFF);
    expect((await orderOf(id)).payment).toMatchObject({ state: "voided", captured_cents: 0 });
    expect(await mailsTo(who)).toEqual(["order-confirmation", "order-changed"]);
    expect(await market.audit()).toEqual([]);
  });

  test("an edit of an order that store credit pays in part leaves 50 cents for the card and returns the credit", async () => {
    const hub = await hubOf();
    const ham = await createProduct(db, hub.id, { priceCents: 2000 });
    const herb = await createProduct(db, hub.id, { priceCents: 20 });
    const who = await shopper(hub, 1990, ham.line(1), herb.line(2));
    const { id } = await buy(hub, who, { useCredit: true });
    expect(await orderOf(id)).toMatchObject({ credit_cents: 1990 });
    await who.browser.post("/orders/edit-order", {
      order: { id, items: [{ quantity: 1, product: { variant: { id: ham.variant.id } } }] },
    });
    expect(await orderOf(id)).toMatchObject({ order_total_cents: 2000, credit_cents: 1950, waived_cents: 0 });
    expect(await creditOf(who.row.id)).toBe(40);
    await tick(CUTOFF);
    expect((await orderOf(id)).payment).toMatchObject({ state: "captured", captured_cents: 50 });
    expect(await market.audit()).toEqual([]);
  });

  test("a shortage after the charge refunds small amounts to the card, and nothing is waived", async () => {
    const hub = await hubOf();
    const ham = await createProduct(db, hub.id, { priceCents: 2030 });
    const herb = await createProduct(db, hub.id, { priceCents: 10 });
    const who = await shopper(hub, 0, ham.line(1), herb.line(1));
    const { id } = await buy(hub, who);
    await tick(CUTOFF);
    const input = { to: "card", reason: "fox" } as const;
    await shortOrder(context(), id, [{ variantId: herb.variant.id, quantity: 1 }], input);
    expect((await orderOf(id)).payment).toMatchObject({ captured_cents: 2040, refunded_cents: 10 });
    const next = await shopper(hub, 0, ham.line(1), herb.line(1));
    market.clock.set(MONDAY);
    expect(await market.audit()).toEqual([]);
    expect(next.row.id).toBeGreaterThan(who.row.id);
    market.clock.set(CUTOFF);
    await shortOrder(context(), id, [{ variantId: ham.variant.id, quantity: 1 }], input);
    expect(await orderOf(id)).toMatchObject({ waived_cents: 0, order_total_cents: 0 });
    expect((await orderOf(id)).payment).toMatchObject({ captured_cents: 2040, refunded_cents: 2040 });
    expect(await market.audit()).toEqual([]);
  });

  test("a shortage of an order that could not be charged leaves 40 cents: they are waived, and it is settled", async () => {
    const hub = await hubOf();
    const ham = await createProduct(db, hub.id, { priceCents: 2030 });
    const herb = await createProduct(db, hub.id, { priceCents: 40 });
    const who = await shopper(hub, 0, ham.line(1), herb.line(1));
    const { id } = await buy(hub, who);
    const { provider_ref: ref, charge_key } = (await orderOf(id)).payment!;
    if (provider === "stripe") fake.expire(ref!);
    else await db.test_charge.updateMany({ where: { idempotency_key: charge_key }, data: { state: "voided" } });
    await tick(CUTOFF);
    expect((await orderOf(id)).charge_failed_at).not.toBeNull();
    await shortOrder(context(), id, [{ variantId: ham.variant.id, quantity: 1 }], { to: "card", reason: "fox" });
    expect(await orderOf(id)).toMatchObject({ waived_cents: 40, order_total_cents: 0, charge_failed_at: null });
    expect(await market.audit()).toEqual([]);
    await retry("2026-11-27T06:00:00Z");
    expect(await market.audit()).toEqual([]);
  });

  test("a rest of 30 cents that an older server left is waived when it would be charged", async () => {
    const hub = await hubOf();
    const ham = await createProduct(db, hub.id, { priceCents: 2030 });
    const who = await shopper(hub, 2030, ham.line(1));
    const { id } = await buy(hub, who, { useCredit: true });
    // As it was placed before: 30 cents are due.
    await db.order.update({ where: { id }, data: { credit_cents: 2000 } });
    await db.customer.update({ where: { id: who.row.id }, data: { credit_cents: 30 } });
    await db.ledger_transaction.create({
      data: {
        kind: "credit",
        order_id: id,
        created_at: market.clock.now(),
        entries: {
          createMany: {
            data: [
              { account: "store_credit", customer_id: who.row.id, amount_cents: 30 },
              { account: "shopper", customer_id: who.row.id, amount_cents: -30 },
            ],
          },
        },
      },
    });
    expect(await market.audit()).toEqual([]);
    await tick(CUTOFF);
    expect(await orderOf(id)).toMatchObject({ waived_cents: 30, order_total_cents: 2000, charge_failed_at: null });
    expect(await mailsTo(who)).toEqual(["order-confirmation"]);
    expect(await market.audit()).toEqual([]);
  });

  test("a box of a pre-order and items of this week: each day's rest is 0 or at least 50 cents", async () => {
    const hub = await hubOf();
    const ham = await createProduct(db, hub.id, { priceCents: 1000 });
    const day = hub.deliveries[1]!.day.toISOString().slice(0, 10);
    const cake = await createProduct(db, hub.id, { priceCents: 1030, preOrderDate: day });
    const who = await shopper(hub, 2000, ham.line(1), cake.line(1));
    await setCard(db, who.row.id);
    const { quote } = await buy(hub, who, { useCredit: true, savePaymentMethod: true });
    expect(quote).toMatchObject({ orderTotal: 20.3, credit: 19.8, amountDue: 0.5 });
    const placed = await db.order.findMany({ where: { customer_id: who.row.id }, orderBy: { attempt_part: "asc" } });
    expect(placed.map((order) => order.order_total_cents - order.credit_cents)).toEqual([0, 50]);
    await tick(CUTOFF);
    await renewHolds(context());
    expect(await market.audit()).toEqual([]);
  });
});

test("small amounts: an automatic order of 40 cents is placed and waived, and its preview says so", async () => {
  const { market, db, context, tick, hubOf, shopper } = at("test");
  const hub = await hubOf();
  await db.hub.update({ where: { id: hub.id }, data: { delivery_fee_cents: 0 } });
  await tick(MONDAY);
  const herb = await createProduct(db, hub.id, { priceCents: 40 });
  const who = await shopper(hub, 0);
  await createAddress(db, who.row.id);
  await setCard(db, who.row.id);
  await who.browser.put("/subscriptions/tip", { percentage: 0 });
  await who.browser.put("/subscriptions/status", { enabled: true, status: 1 });
  await who.browser.put("/cart", [herb.line(1)]);
  expect((await who.browser.get("/subscriptions/next-boxes")).body[0]).toMatchObject({
    waived: 0.4,
    orderTotal: 0,
  });
  market.clock.set("2026-11-23T18:00:00Z");
  await runAutoCheckouts(context());
  expect(await db.order.findFirst({ where: { customer_id: who.row.id } })).toMatchObject({
    source: "auto",
    waived_cents: 40,
    payment_id: null,
  });
  expect(await market.audit()).toEqual([]);
});

test("small amounts: a market that takes no cards collects 30 cents at the door", async () => {
  const { market, db, hubOf, shopper, buy } = at("offline");
  const hub = await hubOf();
  const ham = await createProduct(db, hub.id, { priceCents: 2030 });
  const who = await shopper(hub, 2000, ham.line(1));
  const { quote } = await buy(hub, who, { useCredit: true });
  expect(quote).toMatchObject({ credit: 20, amountDue: 0.3, waived: 0, creditNote: null });
  expect(await market.audit()).toEqual([]);
});
