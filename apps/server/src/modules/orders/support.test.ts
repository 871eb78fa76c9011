import { execute, sql } from "@marketday/db";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  createVendor,
  PASSWORD,
  type TestProduct,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { findDues } from "../ledger/payout-store.ts";
import { findVendorShares } from "../ledger/share-sql.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { finishRefund, resumeRefunds } from "../payments/finish-refund.ts";
import { resendRefund } from "../payments/resolve-refund.ts";
import { findUnresolvedRefunds } from "../payments/unresolved-store.ts";
import { cancelOrder } from "./cancel-order.ts";
import { chargeNow } from "./charge-now.ts";
import { deliverOrders } from "./deliver-orders.ts";
import { recordPayments } from "./record-payment.ts";
import { refundOrder } from "./refund-order.ts";
import { shortOrder } from "./short-order.ts";
import { writeOffOrder } from "./write-off-order.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const MONDAY = "2026-11-23T17:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";
const AFTER = "2026-11-25T09:00:00Z";

const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const back = <T extends object>(part: T = {} as T) => ({
  to: "card" as "card" | "credit",
  reason: "The jar was broken.",
  key: null as string | null,
  ...part,
});

async function shopper(hubId: number, lines: ReturnType<TestProduct["line"]>[], creditCents = 0) {
  const row = await createCustomer(db, { hubId, pepper: deps.env.pepper, creditCents });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await browser.put("/cart", lines);
  return { row, browser };
}
async function buy({ browser }: Awaited<ReturnType<typeof shopper>>, choice: object = CHOICE): Promise<number> {
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  const { status, body } = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.orderId;
}
async function tick(at: string) {
  market.clock.set(at);
  await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
}

/** A charged order of 3 eggs and 1 bread, with its customer, hub and products. */
async function chargedOrder(part: { creditCents?: number; choice?: object } = {}) {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { title: "Duck Eggs", priceCents: 700, inventory: 10 });
  const bread = await createProduct(db, hub.id, { title: "Rye", priceCents: 900, inventory: 10 });
  const who = await shopper(hub.id, [eggs.line(3), bread.line(1)], part.creditCents);
  const id = await buy(who, { ...CHOICE, useCredit: true, ...part.choice });
  await tick(CUTOFF);
  await tick(AFTER);
  return { hub, eggs, bread, who, id };
}
const orderOf = (id: number) => db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
const chargeOf = async (id: number) =>
  db.test_charge.findFirstOrThrow({ where: { id: (await orderOf(id)).payment!.provider_ref! } });
const creditOf = async (id: number) => (await db.customer.findUniqueOrThrow({ where: { id } })).credit_cents;
const stockOf = async (product: TestProduct) =>
  (await db.offer.findFirstOrThrow({ where: { variant_id: product.variant.id } })).inventory;

test(
  "refund: to the card or as store credit, once per key, never more than was paid, with an email",
  { tags: ["fail:K11"] },
  async () => {
    const { who, id } = await chargedOrder();
    const all = await Promise.all(
      Array.from({ length: 5 }, () => refundOrder(operator(), id, back({ amountCents: 500, key: "jar-1" }))),
    );
    expect(new Set(all.map(({ refundId }) => refundId)).size).toBe(1);
    expect(all.every(({ state, amountCents }) => state === "done" && amountCents === 500)).toBe(true);
    expect(await chargeOf(id)).toMatchObject({ refunded_cents: 500 });
    const credited = await refundOrder(operator(), id, back({ amountCents: 300, to: "credit" }));
    expect(credited).toMatchObject({ state: "done", destination: "credit" });
    expect(await creditOf(who.row.id)).toBe(300);
    const { order_total_cents } = await orderOf(id);
    await expect(refundOrder(operator(), id, back({ amountCents: order_total_cents - 799 }))).rejects.toMatchObject({
      status: 422,
      details: { code: "too_much", most: order_total_cents - 800 },
    });
    await refundOrder(operator(), id, back({ amountCents: order_total_cents - 800 }));
    expect((await chargeOf(id)).refunded_cents).toBe(order_total_cents - 300);
    expect(await db.audit_entry.count({ where: { subject: `order:${id}`, actor: "operator:mara" } })).toBe(3);
    await sendDueMail(deps);
    const mails = await db.mail.findMany({
      where: { template: "order-refunded", to_email: who.row.email!, sent_at: { not: null } },
      orderBy: { id: "asc" },
    });
    expect(mails.map(({ data }) => data)).toMatchObject([
      { amountCents: 500, to: "card" },
      { amountCents: 300, to: "credit" },
      { amountCents: order_total_cents - 800, to: "card" },
    ]);
    expect(await market.audit()).toEqual([]);
  },
);

test("refund: a card refund before the charge, an invalid amount and an unknown order are refused", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const id = await buy(await shopper(hub.id, [eggs.line(1)]));
  await expect(refundOrder(operator(), id, back({ amountCents: 100 }))).rejects.toMatchObject({
    details: { code: "not_charged" },
  });
  await expect(refundOrder(operator(), id, back({ amountCents: 0 }))).rejects.toMatchObject({ status: 400 });
  await expect(refundOrder(operator(), 100_000_001, back({ amountCents: 1 }))).rejects.toMatchObject({ status: 404 });
  const nothing = { to: "card", reason: "", key: null } as const;
  await expect(cancelOrder(operator(), 100_000_001, nothing)).rejects.toMatchObject({ status: 404 });
  await expect(shortOrder(operator(), id, [{ variantId: eggs.variant.id, quantity: 1 }], back())).rejects.toMatchObject(
    { details: { code: "still_open" } },
  );
  expect(await market.audit()).toEqual([]);
});

test("short: missing units lower the order, tip, tax and vendor's share, are refunded and written off", async () => {
  const { hub, eggs, who, id } = await chargedOrder();
  const before = await orderOf(id);
  const shorted = await shortOrder(
    operator(),
    id,
    [{ variantId: eggs.variant.id, quantity: 2 }],
    back({ to: "credit", reason: "" }),
  );
  const after = await orderOf(id);
  expect(after).toMatchObject({ items_cents: 1600, tip_cents: 160, tax_cents: 112, status: "pending" });
  expect(shorted.backCents).toBe(before.order_total_cents - after.order_total_cents);
  expect(await creditOf(who.row.id)).toBe(shorted.backCents);
  expect(await stockOf(eggs)).toBe(7);
  const shares = await findVendorShares(db, { hubId: hub.id, from: "2026-11-26", to: "2026-11-26" });
  const eggShare = shares.find(({ vendor_id }) => vendor_id === eggs.vendor_id)!;
  expect(eggShare).toMatchObject({ order_id: id, items_cents: 700, day: "2026-11-26" });
  expect(eggShare.share_cents + eggShare.commission_cents).toBe(700);
  await expect(shortOrder(operator(), id, [{ variantId: eggs.variant.id, quantity: 2 }], back())).rejects.toMatchObject(
    { status: 422, details: { code: "too_many", items: [eggs.variant.id] } },
  );
  await sendDueMail(deps);
  expect(await db.mail.findFirstOrThrow({ where: { template: "order-short" } })).toMatchObject({
    data: { missing: ["2 × Duck Eggs, Each"] },
  });
  const [listed] = (await who.browser.get("/orders")).body.payload;
  for (const shown of [listed, (await who.browser.get(`/orders/${id}`)).body])
    expect(shown).toMatchObject({
      missing: ["2 × Duck Eggs, Each"],
      refunds: { done: shorted.backCents / 100, underway: 0, byHand: 0, failed: 0 },
      paymentProblem: null,
      isPaidAtDoor: false,
    });
  const shownAfter = async (data: { state: string; failure: string | null; resolved_at?: Date }) => {
    await db.refund.updateMany({ where: { order_id: id }, data: { resolved_at: null, ...data } });
    return (await who.browser.get(`/orders/${id}`)).body.refunds;
  };
  const money = shorted.backCents / 100;
  const nothing = { done: 0, underway: 0, byHand: 0, failed: 0 };
  expect(await shownAfter({ state: "failed", failure: "refused" })).toEqual({ ...nothing, failed: money });
  const resolved = { state: "failed", failure: "refused", resolved_at: new Date(AFTER) };
  expect(await shownAfter(resolved)).toEqual(nothing);
  // A version that named no reason gave it as store credit.
  expect(await shownAfter({ state: "failed", failure: null })).toEqual({ ...nothing, done: money });
  await shownAfter({ state: "done", failure: null });
  expect(await market.audit()).toEqual([]);
});

test("short: when the market bears it, the vendor keeps the share, in the statement and in what is owed; a repeat changes nothing", async () => {
  const { hub, eggs, id } = await chargedOrder();
  const of = { hubId: hub.id, vendorId: eggs.vendor_id, from: "2026-11-26", to: "2026-11-26" };
  const owed = async () => (await findDues(db, "2026-11-26", eggs.vendor_id))[0]!.due_cents;
  const [sold] = await findVendorShares(db, of);
  expect(sold).toMatchObject({ items_cents: 2100, compensation_cents: 0 });
  const missing = (quantity: number, ordered: number) => [{ variantId: eggs.variant.id, quantity, of: ordered }];
  const input = back({ to: "credit", reason: "dropped" });
  const shorted = await shortOrder(operator(), id, missing(2, 3), { ...input, bearer: "market" });
  expect(shorted.backCents).toBeGreaterThan(1400);
  const [kept] = await findVendorShares(db, of);
  expect(kept).toMatchObject({ items_cents: 700, share_cents: sold!.share_cents });
  expect(kept!.commission_cents + kept!.share_cents - kept!.compensation_cents).toBe(700);
  expect(await owed()).toBe(sold!.share_cents);
  expect((await shortOrder(operator(), id, missing(2, 3), input)).items).toEqual([]);
  expect(await owed()).toBe(sold!.share_cents);
  // The last one at the vendor's expense: the statement still has the order, with its compensation alone.
  await shortOrder(operator(), id, missing(1, 1), input);
  expect(await findVendorShares(db, of)).toMatchObject([
    { items_cents: 0, commission_cents: 0, compensation_cents: kept!.compensation_cents },
  ]);
  expect(await owed()).toBe(kept!.compensation_cents);
  expect(await db.audit_entry.findMany({ where: { subject: `order:${id}` }, orderBy: { id: "asc" } })).toMatchObject([
    { action: "orders short", data: { bearer: "market" } },
    { action: "orders short", data: { bearer: "vendor" } },
  ]);
  expect(await market.audit()).toEqual([]);
});

test("short: a compensation stays in the statement and in what is owed when the order is canceled afterwards", async () => {
  const { hub, eggs, id } = await chargedOrder();
  const input = back({ to: "credit", reason: "dropped" });
  await shortOrder(operator(), id, [{ variantId: eggs.variant.id, quantity: 1 }], { ...input, bearer: "market" });
  await cancelOrder(operator(), id, input);
  const [due] = await findDues(db, "2026-11-26", eggs.vendor_id);
  const of = { hubId: hub.id, vendorId: eggs.vendor_id, from: "2026-11-26", to: "2026-11-26" };
  expect(due!.due_cents).toBeGreaterThan(0);
  expect(await findVendorShares(db, of)).toMatchObject([
    {
      order_id: id,
      items_cents: 0,
      commission_cents: 0,
      compensation_cents: due!.due_cents,
      share_cents: due!.due_cents,
    },
  ]);
  expect(await market.audit()).toEqual([]);
});

test("refund: a vendor of the order bears it, at most what it sold there", async () => {
  const { hub, eggs, who, id } = await chargedOrder();
  const of = { hubId: hub.id, vendorId: eggs.vendor_id, from: "2026-11-26", to: "2026-11-26" };
  const [sold] = await findVendorShares(db, of);
  const { slug: bearer } = await db.vendor.findUniqueOrThrow({ where: { id: eggs.vendor_id } });
  const stranger = await createVendor(db);
  const refund = (more: { amountCents: number; bearer: string }) =>
    refundOrder(operator(), id, { ...back({ to: "credit" }), ...more });
  await expect(refund({ amountCents: 100, bearer: stranger.slug })).rejects.toMatchObject({ status: 404 });
  await expect(refund({ amountCents: 2101, bearer })).rejects.toMatchObject({
    status: 422,
    details: { code: "too_much", most: 2100 },
  });
  await refund({ amountCents: 150, bearer });
  expect(await creditOf(who.row.id)).toBe(150);
  // What it bears of the order already is not borne twice.
  await expect(refund({ amountCents: 1951, bearer })).rejects.toMatchObject({
    status: 422,
    message: expect.stringMatching(
      / sold \$21\.00 in this order and bears \$1\.50 of it already, so it can bear at most \$19\.50\.$/,
    ),
    details: { code: "too_much", most: 1950 },
  });
  expect(await findVendorShares(db, of)).toMatchObject([
    {
      items_cents: 2100,
      commission_cents: sold!.commission_cents,
      compensation_cents: -150,
      share_cents: sold!.share_cents - 150,
    },
  ]);
  expect(await market.audit()).toEqual([]);
});

test(
  "short: the same count recorded twice or concurrently credits each unit once; a later count takes off one more",
  { tags: ["fail:M17"] },
  async () => {
    const { eggs, who, id } = await chargedOrder();
    const count = (quantity: number, of: number) =>
      shortOrder(
        operator(),
        id,
        [{ variantId: eggs.variant.id, quantity, of }],
        back({ to: "credit", reason: "frost" }),
      );
    const both = await Promise.all([count(1, 3), count(1, 3)]);
    const [first, repeated] = both.toSorted((a, b) => b.items.length - a.items.length);
    expect(first).toMatchObject({ items: [{ orderId: id, variantId: eggs.variant.id, quantity: 1 }] });
    expect(repeated).toMatchObject({ items: [], backCents: 0, creditCents: 0, uncollectedCents: 0, unchargedCents: 0 });
    expect(await creditOf(who.row.id)).toBe(first!.backCents);
    // Ten minutes later, one more for the same reason.
    const second = await count(1, 2);
    expect(second.items).toMatchObject([{ quantity: 1 }]);
    expect(await creditOf(who.row.id)).toBe(first!.backCents + second.backCents);
    expect((await count(1, 3)).items).toEqual([]);
    expect(
      await db.order_item.findFirstOrThrow({ where: { order_id: id, variant_id: eggs.variant.id } }),
    ).toMatchObject({
      quantity: 1,
    });
    expect(await db.mail.count({ where: { template: "order-short", to_email: who.row.email! } })).toBe(2);
    expect(await market.audit()).toEqual([]);
  },
);

test("short: a count of more units than the order has is refused and changes nothing", async () => {
  const { eggs, id } = await chargedOrder();
  const count = [{ variantId: eggs.variant.id, quantity: 2, of: 4 }];
  await expect(shortOrder(operator(), id, count, back())).rejects.toMatchObject({
    details: { code: "other_count", ordered: 3 },
    message: "The order has 3 of it now, not 4. Nothing was done.",
  });
  expect(await db.audit_entry.count({ where: { subject: `order:${id}` } })).toBe(0);
});

test("short: when everything is missing, the delivery fee is refunded to the card too", async () => {
  const { eggs, bread, id } = await chargedOrder();
  const { captured_cents } = await chargeOf(id);
  await shortOrder(
    operator(),
    id,
    [
      { variantId: eggs.variant.id, quantity: 3 },
      { variantId: bread.variant.id, quantity: 1 },
    ],
    back(),
  );
  expect(await chargeOf(id)).toMatchObject({ refunded_cents: captured_cents });
  expect((await orderOf(id)).order_total_cents).toBe(0);
  expect(await market.audit()).toEqual([]);
});

test(
  "cancel: after the charge everything is refunded once, less earlier refunds, and store credit as store credit",
  { tags: ["fail:K11"] },
  async () => {
    const { eggs, who, id } = await chargedOrder({ creditCents: 1000 });
    const { captured_cents } = await chargeOf(id);
    await refundOrder(operator(), id, back({ amountCents: 250 }));
    const all = await Promise.all(Array.from({ length: 5 }, () => cancelOrder(operator(), id, back())));
    expect(all.filter(({ orderIds }) => orderIds.length === 1)).toHaveLength(1);
    expect(await chargeOf(id)).toMatchObject({ refunded_cents: captured_cents });
    expect(await creditOf(who.row.id)).toBe(1000);
    expect(await stockOf(eggs)).toBe(10);
    expect((await who.browser.get(`/orders/${id}`)).body.status).toBe("cancelled");
    await expect(refundOrder(operator(), id, back({ amountCents: 1, to: "credit" }))).rejects.toMatchObject({
      details: { code: "cancelled" },
    });
    await sendDueMail(deps);
    expect(await db.mail.count({ where: { key: `order-called-off:${id}`, sent_at: { not: null } } })).toBe(1);
    expect(await market.audit()).toEqual([]);
  },
);

test("cancel: an open box voids its authorizations, its add-ons' too; spoiled goods do not return to stock", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 10 });
  const who = await shopper(hub.id, [eggs.line(2)]);
  const box = await buy(who);
  await who.browser.put("/cart", [eggs.line(1)]);
  const addOn = await buy(who);
  const { orderIds } = await cancelOrder(operator(), box, back({ restock: false }));
  expect(orderIds).toEqual([box, addOn]);
  expect([(await chargeOf(box)).state, (await chargeOf(addOn)).state]).toEqual(["voided", "voided"]);
  expect(await stockOf(eggs)).toBe(7);
  expect(await market.audit()).toEqual([]);
});

test("cancel: units of a delivered order are written off, those of an order that was not delivered return to stock", async () => {
  for (const [isDelivered, left] of [
    [true, 7],
    [false, 10],
  ] as const) {
    const { eggs, id } = await chargedOrder();
    if (isDelivered) await deliverOrders(operator(), [id]);
    await cancelOrder(operator(), id, back());
    expect([isDelivered, await stockOf(eggs)]).toEqual([isDelivered, left]);
  }
  expect(await market.audit()).toEqual([]);
});

describe("an order in the wrong state is refused by name and does not change", () => {
  const OPERATIONS = {
    charge: (id) => chargeNow(operator(), id),
    paid: (id) => recordPayments(operator(), [id]),
    "write off": (id) => writeOffOrder(operator(), id, "moved away"),
    deliver: (id) => deliverOrders(operator(), [id]),
    short: (id, { variant }) => shortOrder(operator(), id, [{ variantId: variant.id, quantity: 1 }], back()),
    refund: (id) => refundOrder(operator(), id, back({ amountCents: 100, to: "credit" })),
    cancel: (id) => cancelOrder(operator(), id, back()),
  } satisfies Record<string, (id: number, product: TestProduct) => Promise<unknown>>;
  type Refused = Partial<Record<keyof typeof OPERATIONS, string>>;
  const STILL_OPEN: Refused = {
    charge: "still_open",
    paid: "still_open",
    "write off": "still_open",
    deliver: "still_open",
    short: "still_open",
    refund: "not_charged",
  };
  const openOrder = async (day: { preOrderDate?: string } = {}) => {
    market.clock.set(MONDAY);
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 10, ...day });
    return { hub, eggs, id: await buy(await shopper(hub.id, [eggs.line(2)]), { ...CHOICE, savePaymentMethod: true }) };
  };
  type Scene = { eggs: TestProduct; id: number; restore?: () => Promise<unknown> };

  test.each<[state: string, scene: () => Promise<Scene>, refused: Refused]>([
    ["open", openOrder, STILL_OPEN],
    ["for a later day", () => openOrder({ preOrderDate: "2026-12-20" }), STILL_OPEN],
    [
      "canceled",
      async () => {
        const scene = await openOrder();
        await cancelOrder(operator(), scene.id, back());
        return scene;
      },
      {
        charge: "cancelled",
        paid: "cancelled",
        "write off": "cancelled",
        deliver: "cancelled",
        short: "still_open",
        refund: "cancelled",
      },
    ],
    ["charged", chargedOrder, { paid: "not_offline", "write off": "paid" }],
    [
      "charged, of a deleted account",
      async () => {
        const { eggs, id, who } = await chargedOrder();
        await db.order.update({ where: { id }, data: { customer_id: null } });
        return {
          eggs,
          id,
          restore: () => db.order.update({ where: { id }, data: { customer_id: who.row.id } }),
        };
      },
      { short: "no_customer", refund: "no_customer" },
    ],
    [
      "closed by a cutoff that still runs, and not charged yet",
      async () => {
        const { hub, eggs, id } = await openOrder();
        const at = market.clock.now();
        const delivery_id = hub.deliveries[0]!.id;
        await db.order.update({ where: { id }, data: { status: "pending" } });
        const run = { delivery_id, step: "cutoff", state: "running", lease_until: at, started_at: at };
        await db.delivery_run.create({ data: run });
        return {
          eggs,
          id,
          restore: async () => {
            await db.delivery_run.deleteMany({ where: { delivery_id } });
            await db.order.update({ where: { id }, data: { status: "open" } });
          },
        };
      },
      {
        paid: "not_offline",
        "write off": "not_failed",
        short: "still_charging",
        refund: "still_charging",
        cancel: "still_charging",
      },
    ],
    [
      "being charged",
      async () => {
        const { eggs, id } = await chargedOrder();
        await execute(
          db,
          sql`insert into pgboss.job (name, singleton_key, policy, state, started_on)
              values ('charge', ${String(id)}, 'exclusive', 'active', ${market.clock.now()})`,
        );
        const key = String(id);
        return { eggs, id, restore: () => execute(db, sql`delete from pgboss.job where singleton_key = ${key}`) };
      },
      { short: "still_charging", refund: "still_charging", cancel: "still_charging" },
    ],
  ])("%s", async (_state, scene, refused) => {
    const { eggs, id, restore } = await scene();
    const before = await orderOf(id);
    for (const [name, code] of Object.entries(refused))
      await expect(OPERATIONS[name as keyof typeof OPERATIONS](id, eggs), name).rejects.toMatchObject({
        details: { code },
      });
    expect(await orderOf(id)).toEqual(before);
    expect(await db.refund.count({ where: { order_id: id } })).toBe(0);
    await restore?.();
    expect(await market.audit()).toEqual([]);
  });
});

test(
  "refund: a crash or provider outage after the refund is written: the sweep completes it once",
  { tags: ["fail:K11", "fail:V4"] },
  async () => {
    const { id } = await chargedOrder();
    points.plan["refund:given"] = "throw";
    await expect(refundOrder(operator(), id, back({ amountCents: 400 }))).rejects.toThrow("failpoint");
    delete points.plan["refund:given"];
    const [refund] = await db.refund.findMany({ where: { order_id: id } });
    expect(refund).toMatchObject({ state: "created" });
    market.clock.advance(60_000);
    const working = deps.payments.refund;
    deps.payments.refund = async () => {
      throw new ProviderUnavailable("away");
    };
    expect(await resumeRefunds(operator())).toBe(0);
    deps.payments.refund = working;
    expect(await Promise.all([resumeRefunds(operator()), finishRefund(operator(), refund!.id)])).toBeDefined();
    expect(await chargeOf(id)).toMatchObject({ refunded_cents: 400 });
    expect(await db.refund.findUniqueOrThrow({ where: { id: refund!.id } })).toMatchObject({ state: "done" });
    expect(await market.audit()).toEqual([]);
  },
);

test("refund: one that the card rejects becomes store credit only when an operator gives it, once, with an email", async () => {
  const { who, id } = await chargedOrder();
  const working = deps.payments.refund;
  deps.payments.refund = async () => ({ state: "failed", failure: "expired_card", reason: "closed account" });
  const given = await refundOrder(operator(), id, back({ amountCents: 350 }));
  deps.payments.refund = working;
  expect(given).toMatchObject({ state: "failed", failure: "expired_card" });
  expect(await creditOf(who.row.id)).toBe(0);
  await sendDueMail(deps);
  const mails = async () =>
    (await db.mail.findMany({ where: { to_email: who.row.email!, sent_at: { not: null } }, orderBy: { id: "asc" } }))
      .map(({ template }) => template)
      .filter((template) => template.includes("refund"));
  expect(await mails()).toEqual(["order-refunded"]);
  const waiting = (await findUnresolvedRefunds(db)).filter(({ order_id: orderId }) => orderId === id);
  expect(waiting).toMatchObject([{ id: given.refundId, amount_cents: 350, failure: "expired_card" }]);
  const shownRefunds = async () => (await who.browser.get(`/orders/${id}`)).body.refunds;
  expect(await shownRefunds()).toEqual({ done: 0, underway: 0, byHand: 0, failed: 3.5 });

  const send = () => resendRefund(operator(), given.refundId!, { to: "credit", reason: "card closed", dryRun: false });
  const results = await Promise.allSettled([send(), send()]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(send()).rejects.toThrow("was settled before");
  expect(await creditOf(who.row.id)).toBe(350);
  expect(await shownRefunds()).toEqual({ done: 3.5, underway: 0, byHand: 0, failed: 0 });
  await sendDueMail(deps);
  expect(await mails()).toEqual(["order-refunded", "refund-as-credit"]);
  expect(await market.audit()).toEqual([]);
});

test("refund: money that another provider took is not requested from today's, and becomes no store credit", async () => {
  const { who, id } = await chargedOrder();
  await db.payment.update({ where: { id: (await orderOf(id)).payment!.id }, data: { provider: "stripe" } });
  const { refund } = deps.payments;
  deps.payments.refund = () => expect.unreachable();
  try {
    const given = await refundOrder(operator(), id, back({ amountCents: 300 }));
    expect(given).toMatchObject({ state: "waiting", destination: "card" });
    market.clock.advance(60_000);
    await resumeRefunds(operator());
    const subject = `refund ${given.refundId}`;
    const reason = { contains: 'It was paid with "stripe"' };
    expect(await db.job_failure.count({ where: { subject, reason } })).toBe(1);
  } finally {
    deps.payments.refund = refund;
    await db.refund.updateMany({ where: { order_id: id }, data: { state: "done" } });
  }
  expect(await creditOf(who.row.id)).toBe(0);
});
