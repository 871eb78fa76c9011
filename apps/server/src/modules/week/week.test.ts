import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  cardRef,
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  PASSWORD,
  type TestProduct,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { chargeDueOrders } from "../payments/charge-order.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const MONDAY = "2026-11-23T17:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";

const tick = (at: string): Promise<void> => {
  market.clock.set(at);
  const ctx: Context = { now: market.clock.now(), actor: { type: "system", job: "week" }, deps };
  return runWeek(ctx);
};

/** Runs the job that charges set-aside orders again. */
const retry = (at: string): Promise<void> => {
  market.clock.set(at);
  return chargeDueOrders({ now: market.clock.now(), actor: { type: "system", job: "charges" }, deps });
};

async function shopper(hubId: number, ...lines: ReturnType<TestProduct["line"]>[]) {
  const row = await createCustomer(db, { hubId, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await browser.put("/cart", lines);
  return { row, browser };
}
type Who = Awaited<ReturnType<typeof shopper>>;
async function buy({ browser }: Who, choice: object = CHOICE): Promise<number[]> {
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  const { status, body } = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.orderIds;
}
const statusOf = async (id: number) => (await db.order.findUniqueOrThrow({ where: { id } })).status;
const paymentOf = (customerId: number) =>
  db.payment.findFirstOrThrow({ where: { customer_id: customerId }, orderBy: { created_at: "asc" } });

test(
  "cutoff: orders close and are captured once, for their current total",
  { tags: ["fail:B14", "fail:V8", "spec:4-27"] },
  async () => {
    market.clock.set(MONDAY);
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { priceCents: 700 });
    const who = await shopper(hub.id, eggs.line(3));
    const [id] = (await buy(who)) as [number];
    const items = [{ quantity: 1, product: { variant: { id: eggs.variant.id } } }];
    const { orderTotal } = (await who.browser.post("/orders/edit-order", { order: { id, items } })).body;
    await tick("2026-11-25T05:59:59Z");
    expect(await statusOf(id)).toBe("open");
    await Promise.all([tick(CUTOFF), tick(CUTOFF)]);
    await tick("2026-11-25T06:01:00Z");
    expect(await statusOf(id)).toBe("pending");
    const { payload } = (await who.browser.get("/orders")).body;
    expect(payload.map((order: { id: number; status: string }) => [order.id, order.status])).toEqual([[id, "pending"]]);
    const payment = await paymentOf(who.row.id);
    expect(payment).toMatchObject({ state: "captured", captured_cents: Math.round(orderTotal * 100) });
    expect(await db.test_charge.findFirstOrThrow({ where: { id: payment.provider_ref! } })).toMatchObject({
      state: "captured",
      captured_cents: payment.captured_cents,
    });
    const owed = await db.ledger_entry.aggregate({
      where: { account: "shopper", customer_id: who.row.id },
      _sum: { amount_cents: true },
    });
    expect(owed._sum.amount_cents).toBe(0);
    await tick("2026-11-27T04:59:00Z");
    expect(await statusOf(id)).toBe("pending");
    await tick("2026-11-27T05:00:00Z");
    expect(await db.order.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: "closed",
      closed_at: new Date("2026-11-27T05:00:00Z"),
    });
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "my orders: an order placed ahead is listed as future until its own delivery opens",
  { tags: ["spec:4-27"] },
  async () => {
    market.clock.set(MONDAY);
    const hub = await createHub(db);
    const turkey = await createProduct(db, hub.id, { preOrderDate: "2026-12-17" });
    const eggs = await createProduct(db, hub.id);
    const who = await shopper(hub.id, turkey.line(1), eggs.line(1));
    const ids = await buy(who, { ...CHOICE, savePaymentMethod: true });
    expect(ids).toHaveLength(2);
    const listed = async () =>
      (await who.browser.get("/orders")).body.payload.map(
        ({ status, deliveryDate }: { status: string; deliveryDate: string }) => [status, deliveryDate],
      );
    expect(await listed()).toEqual([
      ["future", "2026-12-17"],
      ["open", "2026-11-26"],
    ]);
    for (const at of [CUTOFF, "2026-11-27T05:00:00Z", "2026-12-04T05:00:00Z"]) await tick(at);
    expect(await listed()).toEqual([
      ["future", "2026-12-17"],
      ["closed", "2026-11-26"],
    ]);
    await tick("2026-12-11T05:05:00Z");
    expect((await listed())[0]).toEqual(["open", "2026-12-17"]);
  },
);

test("cutoff: it waits for a checkout that began in time, at most ten minutes", async () => {
  market.clock.set("2026-11-25T05:58:00Z");
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const who = await shopper(hub.id, eggs.line(1));
  const choice = { ...CHOICE, card: { ...GOOD_CARD, number: "4000002500003155" } };
  const { orderTotal } = (await who.browser.post("/checkout/quote", choice)).body;
  const { attemptId } = (await who.browser.post("/checkout", { ...choice, expectedTotal: orderTotal })).body.challenge;
  const [delivery] = hub.deliveries;
  const runs = () => db.delivery_run.count({ where: { delivery_id: delivery!.id, step: "cutoff", state: "done" } });
  await tick("2026-11-25T06:05:00Z");
  expect(await runs()).toBe(0);
  const placed = await who.browser.post(`/checkout/${attemptId}/complete`, { approve: true });
  expect(placed.status).toBe(201);
  await tick("2026-11-25T06:06:00Z");
  expect([await runs(), await statusOf(placed.body.orderId)]).toEqual([1, "pending"]);
});

test("cutoff: a pre-order opens with its cycle and is charged at its own cutoff, and a declined card is reported by mail", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700 });
  const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-01" });
  const good = await shopper(hub.id, eggs.line(1), turkey.line(1));
  const [box, later] = (await buy(good, { ...CHOICE, savePaymentMethod: true })) as [number, number];
  const poor = await shopper(hub.id, eggs.line(1), turkey.line(1));
  const [, unpaid] = (await buy(poor, { ...CHOICE, savePaymentMethod: true })) as [number, number];
  await tick(CUTOFF);
  expect([await statusOf(box), await statusOf(later)]).toEqual(["pending", "open"]);
  const first = await paymentOf(good.row.id);
  expect(first.captured_cents).toBe((await db.order.findUniqueOrThrow({ where: { id: box } })).order_total_cents);
  await db.payment_method.updateMany({
    where: { customer_id: poor.row.id },
    data: { provider_ref: cardRef("4000000000000002", "y") },
  });
  await tick("2026-12-02T06:00:00Z");
  expect(await statusOf(later)).toBe("pending");
  const order = await db.order.findUniqueOrThrow({ where: { id: later }, include: { payment: true } });
  expect(order.payment).toMatchObject({ state: "captured", captured_cents: order.order_total_cents });
  expect(await db.order.findUniqueOrThrow({ where: { id: unpaid } })).toMatchObject({ payment_id: null });
  expect(await db.mail.count({ where: { key: `payment-failed:${unpaid}` } })).toBe(1);
  const [, second] = hub.deliveries;
  expect(await db.delivery_run.findFirstOrThrow({ where: { delivery_id: second!.id, step: "cutoff" } })).toMatchObject({
    state: "done_with_errors",
    errors: [`order ${unpaid} was not charged: Your card was declined.`],
  });
  expect(await market.audit()).toEqual([]);
});

test(
  "cutoff: when the provider is unavailable every order is set aside, and later captured once",
  { tags: ["fail:C5", "fail:C6", "fail:V8"] },
  async () => {
    market.clock.set(MONDAY);
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 50 });
    const manyShoppers = await Promise.all(Array.from({ length: 4 }, () => shopper(hub.id, eggs.line(1))));
    for (const who of manyShoppers) await buy(who);
    const real = deps.payments.capture;
    const captured: string[] = [];
    deps.payments.capture = () => Promise.reject(new ProviderUnavailable("away"));
    await tick(CUTOFF);
    deps.payments.capture = async (request) => {
      captured.push(request.key);
      return real(request);
    };
    try {
      points.plan["cutoff:captured"] = "throw";
      await retry("2026-11-25T06:01:00Z");
      delete points.plan["cutoff:captured"];
      await retry("2026-11-25T06:03:00Z");
    } finally {
      deps.payments.capture = real;
    }
    for (const who of manyShoppers) expect(await paymentOf(who.row.id)).toMatchObject({ state: "captured" });
    expect(new Set(captured).size).toBe(4);
    const moves = await db.ledger_transaction.groupBy({
      by: ["payment_id"],
      where: { kind: "capture", payment: { customer_id: { in: manyShoppers.map(({ row }) => row.id) } } },
      _count: true,
    });
    expect(moves.map(({ _count }) => _count)).toEqual([1, 1, 1, 1]);
    // The cutoff ended at once; only the charges waited for the provider.
    const run = await db.delivery_run.findFirstOrThrow({
      where: { delivery_id: hub.deliveries[0]!.id, step: "cutoff" },
    });
    expect([run.state, run.done_at]).toEqual(["done_with_errors", new Date(CUTOFF)]);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "referral: the referrer gets 20.00 once, at the cutoff of the friend's first order",
  { tags: ["spec:1-02", "fail:K5", "fail:V7"] },
  async () => {
    market.clock.set(MONDAY);
    const hub = await createHub(db, { zips: ["46037"] });
    const referrer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const friend = market.shopper();
    await friend.post("/auth/register", {
      email: "pal@example.com",
      password: "wheelbarrow",
      zipCode: "46037",
      firstName: "Pal",
      lastName: "Moss",
      referredByCustomerId: referrer.id,
    });
    const eggs = await createProduct(db, hub.id, { priceCents: 3000 });
    await friend.put("/cart", [eggs.line(1)]);
    const row = await db.customer.findUniqueOrThrow({ where: { email: "pal@example.com" } });
    await buy(
      { row, browser: friend },
      { ...CHOICE, deliveryAddress: { ...CHOICE.deliveryAddress, zipCode: "46037" } },
    );
    const credit = async () => (await db.customer.findUniqueOrThrow({ where: { id: referrer.id } })).credit_cents;
    expect(await credit()).toBe(0);
    await tick(CUTOFF);
    await tick("2026-11-25T06:05:00Z");
    expect(await credit()).toBe(2000);
    const mails = await db.mail.findMany({ where: { template: "referral-credit" } });
    expect(mails.map(({ to_email, data }) => [to_email, data])).toEqual([[referrer.email, { amountCents: 2000 }]]);
    expect(await market.audit()).toEqual([]);
  },
);

test("week: weekly stock is refilled once when the cycle opens, never lowered, and what was sold out is back in stock", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 2 });
  await db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { weekly_inventory: 12 } });
  await tick(MONDAY);
  const who = await shopper(hub.id, eggs.line(5));
  await buy(who);
  await tick("2026-11-23T18:00:00Z");
  expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(7);
  // Only what was sold out is in the feed as back in stock.
  const milk = await createProduct(db, hub.id, { inventory: 0 });
  const full = await createProduct(db, hub.id, { inventory: 9 });
  const weekly = { variant_id: { in: [milk.variant.id, full.variant.id] } };
  await db.offer.updateMany({ where: weekly, data: { weekly_inventory: 4 } });
  await db.offer.updateMany({ where: { variant_id: milk.variant.id }, data: { sold_out_at: new Date(MONDAY) } });
  await tick(CUTOFF);
  const offers = await db.offer.findMany({ where: { hub_id: hub.id }, orderBy: { id: "asc" } });
  expect(offers.map(({ inventory, restocked_at, sold_out_at }) => [inventory, restocked_at, sold_out_at])).toEqual([
    [12, null, null],
    [4, new Date(CUTOFF), null],
    [9, null, null],
  ]);
  // The level that a week begins with is kept also where nothing was added.
  expect(
    await db.stock_adjustment.findMany({
      where: { offer: { variant_id: full.variant.id }, reason: "weekly stock" },
      select: { amount: true, level: true },
    }),
  ).toEqual([{ amount: 0, level: 9 }]);
  expect(await market.audit()).toEqual([]);
});
