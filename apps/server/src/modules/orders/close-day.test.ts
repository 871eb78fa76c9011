import { execute, sql, sqlTransaction } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  CHOICE,
  createAddress,
  createHub,
  createProduct,
  GOOD_CARD,
  setCard,
  type TestHub,
} from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek, sendReminders } from "../../jobs/week.ts";
import { forgetPerson } from "../account/delete-account.ts";
import { nextDelivery } from "../hubs/deliveries.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { renderMail } from "../mail/layout.ts";
import { readWeek } from "../week/read-week.ts";
import { cancelOrder } from "./cancel-order.ts";
import { closeDay } from "./close-day.ts";
import { writeOffOrder } from "./write-off-order.ts";

const market = await buildTestApp();
const { db, deps } = market;
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const job = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });

const DAY = "2026-11-26";
const NEXT = "2026-12-03";
const CLOSE = { orders: { kind: "cancel", to: "card" }, reason: "snow storm", dryRun: false } as const;

/** A hub on Monday with its cycle open, and eggs of which 40 of 50 come each week. */
async function openHub() {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50 });
  await db.offer.updateMany({ where: { hub_id: hub.id }, data: { weekly_inventory: 50 } });
  await runWeek(job());
  return { hub, eggs };
}
type Open = Awaited<ReturnType<typeof openHub>>;
const fill = async ({ hub, eggs }: Open, quantity = 2) => {
  const browser = await signIn(market, { hubId: hub.id });
  expect((await browser.put("/cart", [eggs.line(quantity)])).status).toBe(200);
  return browser;
};
type Browser = Awaited<ReturnType<typeof signIn>>;
async function buy(browser: Browser, choice: object = CHOICE) {
  const quote = (await browser.post("/checkout/quote", choice)).body;
  const placed = await browser.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
  return { quotedDay: quote.deliveryDate as string, ...placed };
}
const deliveryOn = (hub: TestHub, day: string) =>
  hub.deliveries.find((each) => each.day.toISOString().startsWith(day))!;
const stockOf = async ({ eggs }: Open) =>
  (await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory;

test("a closed day: its orders are canceled and emailed at once; header, cart, checkout, jobs and `week` have the next day", async () => {
  const open = await openHub();
  const { hub } = open;
  const first = await fill(open);
  const placed = await buy(first);
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const subscriber = await fill(open, 1);
  await createAddress(db, subscriber.customer.id);
  await setCard(db, subscriber.customer.id);
  await subscriber.put("/subscriptions/status", { enabled: true, status: 1 });
  const late = await fill(open, 3);
  // A subscribed line, but no automatic checkout: nothing was to come.
  const manual = await fill(open, 1);
  await db.cart_item.updateMany({
    where: { cart: { customer_id: manual.customer.id } },
    data: { subscription_interval: 1 },
  });

  await expect(closeDay(operator(), hub.slug, DAY, { ...CLOSE, orders: null })).rejects.toMatchObject({
    message: `${hub.name} on Thursday, November 26 has 1 order. With --cancel they are canceled and refunded, with --move-to they move to a later day.`,
  });
  const planned = await closeDay(operator(), hub.slug, DAY, { ...CLOSE, dryRun: true });
  expect(await db.hub_closure.count({ where: { hub_id: hub.id } })).toBe(0);
  expect((await nextDelivery(deps, hub.id, market.clock.now()))?.day).toBe(DAY);
  const done = await closeDay(operator(), hub.slug, DAY, CLOSE);
  expect(done).toEqual(planned);
  expect(done.boxes).toMatchObject([{ orderId: placed.body.orderId, email: first.customer.email }]);
  expect(done.waiting).toMatchObject([{ customerId: subscriber.customer.id, email: subscriber.customer.email }]);
  expect(done).toMatchObject({ backCents: 0, uncollectedCents: 0, vendors: [] });
  expect(done.unchargedCents).toBeGreaterThan(0);
  const mails = await db.mail.findMany({ where: { template: "order-called-off", to_email: first.customer.email! } });
  expect(mails.map(({ data }) => data)).toMatchObject([{ orderId: placed.body.orderId, reason: "snow storm" }]);
  expect(await db.payment.findMany({ where: { customer_id: first.customer.id } })).toMatchObject([{ state: "voided" }]);

  // The next day's cycle opens at once; units that came back are not added to its weekly stock.
  await runWeek(job());
  expect(await stockOf(open)).toBe(50);
  await market.waitForNotifications();
  expect((await nextDelivery(deps, hub.id, market.clock.now()))?.day).toBe(NEXT);
  expect((await late.get(`/hubs/${hub.id}/details`)).body.nextDeliveryDate).toBe(NEXT);
  const ordered = await buy(late, { ...CHOICE, savePaymentMethod: true });
  expect([ordered.status, ordered.quotedDay]).toEqual([201, NEXT]);
  expect(await db.order.findUniqueOrThrow({ where: { id: ordered.body.orderId } })).toMatchObject({
    delivery_id: deliveryOn(hub, NEXT).id,
  });
  expect((await readWeek(operator(), hub.slug)).days.map(({ day }) => day)).toEqual([NEXT]);

  // Reminders, automatic checkout and cutoff of the closed day find nothing to do. The customer whose automatic order was still to come
  // is emailed that it is for the next day, and nothing about a missed order.
  for (const at of ["2026-11-22T18:00:00Z", "2026-11-23T18:00:00Z", "2026-11-24T06:00:00Z", "2026-11-25T06:00:01Z"]) {
    market.clock.set(at);
    await runWeek(job());
    await sendReminders(job());
    await runAutoCheckouts(job());
  }
  const templates = await db.mail.findMany({
    where: { to_email: subscriber.customer.email! },
    select: { template: true, data: true },
  });
  expect(templates).toEqual([
    {
      template: "auto-checkout-off",
      data: {
        day: DAY,
        market: hub.name,
        timeZone: "America/Indiana/Indianapolis",
        next: { day: NEXT, at: "2026-11-30T18:00:00.000Z" },
      },
    },
  ]);
  expect(await db.order.count({ where: { customer_id: subscriber.customer.id } })).toBe(0);
  expect(await market.audit()).toEqual([]);

  expect(await closeDay(operator(), hub.slug, DAY, CLOSE)).toMatchObject({
    boxes: [],
    backCents: 0,
    unchargedCents: 0,
  });
  expect(
    await db.audit_entry.count({ where: { action: "days close", subject: `delivery:${deliveryOn(hub, DAY).id}` } }),
  ).toBe(1);
});

test("a closed day: a checkout that is at the bank meanwhile is refused and its money released", async () => {
  const open = await openHub();
  const browser = await fill(open);
  const choice = { ...CHOICE, card: { ...GOOD_CARD, number: "4000002500003155" } };
  const held = await buy(browser, choice);
  expect(held.status, JSON.stringify(held.body)).toBe(202);
  await closeDay(operator(), open.hub.slug, DAY, CLOSE);
  const approved = await browser.post(`/checkout/${held.body.challenge.attemptId}/complete`, { approve: true });
  expect([approved.status, approved.body[1].code]).toEqual([409, "past_cutoff"]);
  expect(await db.order.count({ where: { customer_id: browser.customer.id } })).toBe(0);
  expect(await db.payment.findMany({ where: { customer_id: browser.customer.id } })).toMatchObject([
    { state: "voided" },
  ]);
  expect(await stockOf(open)).toBe(50);
  expect(await market.audit()).toEqual([]);
});

test("a day that has other orders than were listed when it is closed: it is refused, and nothing changes", async () => {
  const open = await openHub();
  const { hub } = open;
  const first = (await buy(await fill(open))).body.orderId as number;
  const planned = await closeDay(operator(), hub.slug, DAY, { ...CLOSE, dryRun: true });
  const expected = planned.boxes.flatMap(({ orderIds }) => orderIds);
  expect(expected).toEqual([first]);
  const second = (await buy(await fill(open))).body.orderId as number;
  const refused = {
    status: 409,
    message: `The orders of ${hub.name} on Thursday, November 26 have changed since they were listed. Nothing was done: run it again.`,
    details: { code: "orders_changed" },
  };
  for (const orders of [CLOSE.orders, { kind: "move", to: NEXT } as const])
    await expect(closeDay(operator(), hub.slug, DAY, { ...CLOSE, orders, expected })).rejects.toMatchObject(refused);
  expect(await db.hub_closure.count({ where: { hub_id: hub.id } })).toBe(0);
  const statuses = async () =>
    (await db.order.findMany({ where: { delivery_id: deliveryOn(hub, DAY).id } })).map(({ status }) => status);
  expect(await statuses()).toEqual(["open", "open"]);
  const both = [first, second].toSorted((a, b) => a - b);
  await closeDay(operator(), hub.slug, DAY, { ...CLOSE, expected: both });
  expect(await statuses()).toEqual(["cancelled", "cancelled"]);
  expect(await market.audit()).toEqual([]);
});

test("a date closed by a file while its automatic checkout has begun: doctor reports nothing, and the checkout goes on when the date is opened again", async () => {
  const open = await openHub();
  const { hub } = open;
  // The canceled order keeps the day.
  const { orderId } = (await buy(await fill(open))).body;
  await cancelOrder(operator(), orderId, { to: "card", reason: "called", key: "called" });
  const subscriber = await fill(open);
  // No card yet: the first try fails, and the next one is hours later.
  await createAddress(db, subscriber.customer.id);
  await subscriber.put("/subscriptions/status", { enabled: true, status: 1 });
  market.clock.set("2026-11-23T18:00:00Z");
  await runAutoCheckouts(job());
  await setCard(db, subscriber.customer.id);
  await execute(db, sql`insert into hub_closure (hub_id, day) values (${hub.id}::int, ${DAY}::date)`);
  for (const at of ["2026-11-24T00:00:01Z", "2026-11-24T00:10:00Z"]) {
    market.clock.set(at);
    await runAutoCheckouts(job());
    expect(await market.audit()).toEqual([]);
  }
  await execute(db, sql`delete from hub_closure where hub_id = ${hub.id}::int`);
  await runAutoCheckouts(job());
  expect(await db.order.findMany({ where: { customer_id: subscriber.customer.id } })).toMatchObject([
    { delivery_id: deliveryOn(hub, DAY).id, source: "auto", status: "open" },
  ]);
  expect(await market.audit()).toEqual([]);
});

test("a day whose automatic checkout has begun: it ends when the day is closed, with an email that the order is for the next day", async () => {
  const open = await openHub();
  await buy(await fill(open));
  const subscriber = await fill(open);
  // No card yet: the first try fails, and the next one is hours later.
  await createAddress(db, subscriber.customer.id);
  await subscriber.put("/subscriptions/status", { enabled: true, status: 1 });
  const ordered = await fill(open);
  await createAddress(db, ordered.customer.id);
  await setCard(db, ordered.customer.id);
  await ordered.put("/subscriptions/status", { enabled: true, status: 1 });
  market.clock.set("2026-11-23T18:00:00Z");
  await runAutoCheckouts(job());
  await setCard(db, subscriber.customer.id);
  const delivery = deliveryOn(open.hub, DAY).id;
  const resultOf = ({ customer }: Browser) =>
    db.auto_checkout_result.findFirstOrThrow({ where: { delivery_id: delivery, customer_id: customer.id } });
  const before = await resultOf(ordered);
  market.clock.set("2026-11-23T19:00:00Z");
  await closeDay(operator(), open.hub.slug, DAY, CLOSE);
  expect(await resultOf(subscriber)).toMatchObject({ outcome: "skipped", done_at: market.clock.now() });
  // The one whose order was placed, and is canceled now, stays as it was.
  expect(before.done_at).not.toBeNull();
  expect(await resultOf(ordered)).toEqual(before);
  for (const at of ["2026-11-24T00:00:01Z", "2026-11-24T00:10:00Z", "2026-11-25T06:00:01Z"]) {
    market.clock.set(at);
    await runAutoCheckouts(job());
    await runWeek(job());
    expect(await market.audit()).toEqual([]);
  }
  expect(await db.delivery_run.findMany({ where: { delivery_id: delivery, step: "auto_checkout" } })).toMatchObject([
    { state: "done" },
  ]);
  expect(await db.order.count({ where: { customer_id: subscriber.customer.id } })).toBe(0);
  const mails = await db.mail.findMany({ where: { to_email: subscriber.customer.email! }, select: { template: true } });
  expect(mails.map(({ template }) => template).toSorted()).toEqual(["auto-checkout-failed", "auto-checkout-off"]);
  expect(await market.audit()).toEqual([]);
});

test("a day after its cutoff: closing it refunds the card, and vendors who had their list are emailed", async () => {
  const open = await openHub();
  await db.vendor.update({ where: { id: open.eggs.vendor_id }, data: { email: "farm@example.com" } });
  const browser = await fill(open);
  const placed = await buy(browser);
  market.clock.set("2026-11-25T06:00:01Z");
  await runWeek(job());
  const done = await closeDay(operator(), open.hub.slug, DAY, CLOSE);
  expect(done).toMatchObject({ unchargedCents: 0, uncollectedCents: 0 });
  expect(done.backCents).toBeGreaterThan(0);
  expect(done.vendors).toHaveLength(1);
  expect(await db.refund.findMany({ where: { order_id: placed.body.orderId } })).toMatchObject([
    { state: "done", amount_cents: done.backCents },
  ]);
  expect(await market.audit()).toEqual([]);
});

test("a closure for a day with orders that no command closed: no new order joins them, and doctor names the command", async () => {
  const open = await openHub();
  const { hub } = open;
  const browser = await fill(open);
  const placed = await buy(browser);
  await execute(db, sql`insert into hub_closure (hub_id, day) values (${hub.id}::int, ${DAY}::date)`);
  await market.waitForNotifications();
  expect(await market.audit()).toEqual([
    {
      invariant: "V8",
      problem: `${DAY} is closed at ${hub.slug}, but has 1 order to deliver. Cancel them with ./market days close ${hub.slug} ${DAY} --cancel, move them with --move-to DATE, or take the date out of the hub's closures`,
    },
  ]);
  const second = await fill(open);
  const { status: code, quotedDay } = await buy(second, { ...CHOICE, savePaymentMethod: true });
  expect([code, quotedDay]).toEqual([201, NEXT]);
  expect((await readWeek(operator(), hub.slug)).days.map(({ day }) => day)).toEqual([DAY, NEXT]);
  // Its shopper may still change it.
  const { status } = await browser.post("/orders/edit-order", {
    order: {
      id: placed.body.orderId,
      items: [{ quantity: 1, product: { variant: { id: open.eggs.variant.id } } }],
    },
  });
  expect(status).toBe(200);
  expect((await closeDay(operator(), hub.slug, DAY, CLOSE)).boxes).toHaveLength(1);
  expect(await market.audit()).toEqual([]);
});

test("a closed day without orders: customers whose automatic order was still to come are emailed once; who skipped it, has none on or an empty cart is not", async () => {
  const open = await openHub();
  const { hub } = open;
  const regular = async (status: number, quantity: number) => {
    const browser = quantity > 0 ? await fill(open, quantity) : await signIn(market, { hubId: hub.id });
    expect((await browser.put("/subscriptions/status", { enabled: status > 0, status })).status).toBe(200);
    return browser;
  };
  const waiting = await regular(1, 2);
  await regular(0, 2);
  await regular(1, 0);
  // Only what is subscribed, and nothing is.
  await regular(2, 2);
  const skipping = await regular(1, 2);
  expect((await skipping.post("/subscriptions/skip", { deliveryDate: DAY })).status).toBe(200);

  const planned = await closeDay(operator(), hub.slug, DAY, { ...CLOSE, orders: null, dryRun: true });
  expect(await db.mail.count({ where: { to_email: waiting.customer.email! } })).toBe(0);
  const done = await closeDay(operator(), hub.slug, DAY, { ...CLOSE, orders: null });
  expect(done).toEqual(planned);
  expect(done).toMatchObject({ boxes: [], isNew: true });
  expect(done.waiting.map(({ customerId }) => customerId)).toEqual([waiting.customer.id]);
  expect(await closeDay(operator(), hub.slug, DAY, { ...CLOSE, orders: null })).toMatchObject({
    isNew: false,
    waiting: [],
  });
  const mails = await db.mail.findMany({ where: { to_email: waiting.customer.email! } });
  expect(mails).toHaveLength(1);
  const { text } = renderMail(
    (await deps.mailTemplates["auto-checkout-off"]!.content(
      deps,
      mails[0]!.data as Record<string, unknown>,
      market.clock.now(),
    ))!,
    deps.env,
  );
  expect(text).toContain(
    "does not deliver on Thursday, November 26, so automatic checkout orders nothing for that day",
  );
  expect(text).toContain("comes with the next delivery, on Thursday, December 3.");
  expect(text).toContain("Automatic checkout orders it at 1PM Monday, November 30");
  expect(await market.audit()).toEqual([]);
});

test("a later day than the next: its cycle is not open, so no one is emailed about automatic orders", async () => {
  const open = await openHub();
  const browser = await fill(open);
  await browser.put("/subscriptions/status", { enabled: true, status: 1 });
  expect(await closeDay(operator(), open.hub.slug, NEXT, CLOSE)).toMatchObject({ boxes: [], waiting: [], isNew: true });
  expect(await market.audit()).toEqual([]);
});

test.each(["before the cutoff", "after it"])(
  "a closed day with an order of a deleted account and one without a customer, %s: both are canceled, their money goes to the card, and no one is emailed",
  async (when) => {
    const open = await openHub();
    const [deleted, lost, other] = [await fill(open), await fill(open), await fill(open)];
    const [deletedId, lostId, otherId] = await Promise.all(
      [deleted, lost, other].map(async (browser) => (await buy(browser)).body.orderId as number),
    );
    if (when === "after it") {
      market.clock.set("2026-11-25T06:00:01Z");
      await runWeek(job());
    }
    // As after the restore of a backup from before the deletion.
    await sqlTransaction(db, (tx) =>
      forgetPerson(tx, { deps, now: market.clock.now() }, asCustomerId(deleted.customer.id), deleted.customer.email!),
    );
    await db.order.update({ where: { id: lostId! }, data: { customer_id: null } });
    const done = await closeDay(operator(), open.hub.slug, DAY, {
      ...CLOSE,
      orders: { kind: "cancel", to: "credit" },
    });
    const boxOf = (id: number | undefined) => done.boxes.find(({ orderId }) => orderId === id);
    expect(boxOf(deletedId)).toMatchObject({ email: null, to: "card" });
    expect(boxOf(lostId)).toMatchObject({ email: null, to: "card" });
    expect(boxOf(otherId)).toMatchObject({ email: other.customer.email, to: "credit" });
    const isPaid = when === "after it";
    const ids = [deletedId!, lostId!];
    expect(await db.refund.findMany({ where: { order_id: { in: ids } } })).toMatchObject(
      isPaid ? ids.map(() => ({ destination: "card", state: "done" })) : [],
    );
    const orders = await db.order.findMany({ where: { hub_id: open.hub.id }, include: { payment: true } });
    expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(["cancelled"]));
    expect(new Set(orders.map(({ payment }) => payment!.state))).toEqual(new Set([isPaid ? "captured" : "voided"]));
    const keys = (await db.mail.findMany({ where: { template: "order-called-off" } })).map(({ key }) => key);
    expect(keys).toContain(`order-called-off:${otherId}`);
    expect(keys).not.toContain(`order-called-off:${deletedId}`);
    expect(keys).not.toContain(`order-called-off:${lostId}`);
    expect(await market.audit()).toEqual([]);
  },
);

test("a closed day with an order that was written off: it is canceled with the others, and the loss is reversed", async () => {
  const open = await openHub();
  const browser = await fill(open);
  const { orderId } = (await buy(browser)).body;
  // The bank has released the authorization, and no card is saved.
  const { payment_id: paymentId } = await db.order.findUniqueOrThrow({ where: { id: orderId } });
  const { charge_key: key } = await db.payment.findUniqueOrThrow({ where: { id: paymentId! } });
  await db.test_charge.updateMany({ where: { idempotency_key: key }, data: { state: "voided" } });
  market.clock.set("2026-11-25T06:00:01Z");
  await runWeek(job());
  expect(await writeOffOrder(operator(), orderId, "moved away")).toBeGreaterThan(0);
  const done = await closeDay(operator(), open.hub.slug, DAY, CLOSE);
  expect(done).toMatchObject({ boxes: [{ orderId }], backCents: 0, unchargedCents: 0, uncollectedCents: 0 });
  const losses = await db.ledger_entry.aggregate({
    where: { account: "write_offs", transaction: { note: { contains: `order ${orderId}` } } },
    _sum: { amount_cents: true },
    _count: true,
  });
  expect([losses._count, losses._sum.amount_cents]).toEqual([2, 0]);
  expect(await market.audit()).toEqual([]);
});
