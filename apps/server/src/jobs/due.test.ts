import { addMs, Day, Hour, Second } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
  createOrder,
  createProduct,
  GOOD_CARD,
  type TestHub,
} from "../../test/factories.ts";
import { signIn } from "../../test/sign-in.ts";
import { newUuid } from "../lib/tokens.ts";
import { insertEvent } from "../modules/sign-in-events/event-sql.ts";
import { notifyDue } from "../modules/sign-in-events/notify-due.ts";
import { runAutoCheckouts } from "./auto-checkout.ts";
import { dueWork, formatDueWork } from "./due.ts";
import { runWeek, sendReminders } from "./week.ts";

let isUnavailable = false;
const market = await buildTestApp({
  overrides: {
    identify: {
      send: async () => {
        if (isUnavailable) throw new Error("unavailable");
        return "accepted";
      },
    },
  },
});
const { db, deps, clock } = market;
const due = async () => {
  const work = await dueWork({ now: clock.now(), actor: { type: "system", job: "test" }, deps });
  return Object.fromEntries(work.filter(({ market: of }) => of === null).map(({ job, count }) => [job, count]));
};

test("due: interrupted payments and refunds are due after their lease, events that wait for a retry are not", async () => {
  const hub = await createHub(db, { now: clock.now() });
  const { id } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  expect(await due()).toEqual({});
  const created_at = clock.now();
  const payment = { customer_id: id, provider: "test", amount_cents: 2500, created_at };
  const purpose = { kind: "wagon-pass", plan: "yearly" };
  await db.payment.create({ data: { ...payment, id: newUuid(), state: "created", purpose } });
  const paid = await db.payment.create({ data: { ...payment, id: newUuid(), state: "captured" } });
  await db.refund.create({
    data: {
      id: newUuid(),
      payment_id: paid.id,
      kind: "goodwill",
      destination: "card",
      amount_cents: 100,
      reason: "test",
      state: "created",
      created_at,
    },
  });
  const gone = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  await db.customer.update({
    where: { id: gone.id },
    data: { deleted_at: created_at, email: null, password_hash: null, stripe_customer_id: "cus_1" },
  });
  await insertEvent(db, { event: "login", customerId: id, visit: null, now: created_at });
  expect(await due()).toEqual({ "delete-provider-customers": 1, identify: 1 });
  clock.advance(20 * Second.ms);
  expect(await due()).toEqual({ purchases: 1, refunds: 1, "delete-provider-customers": 1, identify: 1 });
  isUnavailable = true;
  expect(await notifyDue(deps)).toBe(0);
  expect(await due()).not.toHaveProperty("identify");
});

test("due: checkouts, charges and mails are due from their instant", async () => {
  const hub = await createHub(db, { now: clock.now() });
  const eggs = await createProduct(db, hub.id);
  const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const at = addMs(clock.now(), Hour.ms);
  const later = addMs(at, Day.ms);
  const attempt = { customer_id: customerId, hub_id: hub.id, delivery_id: hub.deliveries[0]!.id, choice: {}, plan: {} };
  const amounts = { order_total_cents: 100, amount_due_cents: 100, created_at: clock.now() };
  for (const instants of [
    { state: "held", lease_until: at, expires_at: later },
    { state: "challenge", lease_until: at, expires_at: at },
    { state: "challenge", lease_until: at, expires_at: later },
    { state: "failed", lease_until: at, expires_at: at },
  ])
    await db.checkout_attempt.create({ data: { id: newUuid(), ...attempt, ...amounts, ...instants } });
  for (const failed of [at, null]) {
    const { id } = await createOrder(db, { customerId, hub, product: eggs });
    await db.order.update({ where: { id }, data: { charge_failed_at: failed, charge_next_at: at } });
  }
  const mail = { template: "x", to_email: "a@example.com", data: {}, created_at: clock.now() };
  await db.mail.create({ data: { ...mail, key: "waits", next_at: at } });
  await db.mail.create({ data: { ...mail, key: "sent", sent_at: at } });
  const counts = async (instant: Date) => {
    clock.set(instant);
    const { checkouts, charges, mail: mails } = await due();
    return { checkouts, charges, mails };
  };
  expect(await counts(addMs(at, -1))).toEqual({});
  expect(await counts(at)).toEqual({ checkouts: 2, charges: 1, mails: 1 });
  await db.checkout_attempt.deleteMany({ where: { customer_id: customerId } });
});

test("due: the work of a delivery day is listed from its instant until it is done, with the orders or customers it concerns", async () => {
  const now = clock.now();
  const hub = await createHub(db, { now, deliveryDay: "Saturday" });
  const eggs = await createProduct(db, hub.id, { inventory: 50 });
  const milk = await createProduct(db, hub.id, { inventory: 50 });
  const [first, second] = hub.deliveries as [TestHub["deliveries"][number], TestHub["deliveries"][number]];
  const [automatic, waiting, buyer, creditor] = [
    await signIn(market, { hubId: hub.id }),
    await signIn(market, { hubId: hub.id }),
    await signIn(market, { hubId: hub.id }),
    await signIn(market, { hubId: hub.id, creditCents: 20_000 }),
  ];
  const subscription = { variant_id: milk.variant.id, quantity: 1, interval_weeks: 1 };
  await db.subscription.create({ data: { customer_id: automatic.customer.id, ...subscription } });
  await db.customer.update({ where: { id: automatic.customer.id }, data: { auto_checkout_status: 1 } });
  for (const [who, useCredit] of [
    [buyer, false],
    [creditor, true],
  ] as const) {
    await who.put("/cart", [eggs.line(1)]);
    const choice = { ...CHOICE, card: GOOD_CARD, useCredit };
    const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
    expect((await who.post("/checkout", { ...choice, expectedTotal: orderTotal })).status).toBe(201);
  }
  await waiting.put("/cart", [eggs.line(1)]);
  // An order that is paid at the door is closed with the others and not charged.
  const atDoor = await createOrder(db, { customerId: buyer.customer.id, hub, product: milk, status: "open" });
  const payment = await db.payment.create({
    data: {
      id: newUuid(),
      charge_key: newUuid(),
      customer_id: buyer.customer.id,
      provider: "offline",
      state: "authorized",
      amount_cents: 100,
      created_at: now,
    },
  });
  await db.order.update({ where: { id: atDoor.id }, data: { payment_id: payment.id } });

  const context = () => ({ now: clock.now(), actor: { type: "system" as const, job: "test" }, deps });
  const dueAt = async (at: Date) => {
    clock.set(at);
    return (await dueWork(context())).filter((work) => work.market === hub.name).map(formatDueWork);
  };
  const line = (what: string, day: typeof first, count: number) =>
    `${what} of ${hub.name} for ${day.day.toISOString().slice(0, 10)}: ${count}`;
  const { auto_checkout_at: auto, cutoff_at: cutoff } = first;

  expect(await dueAt(now)).toEqual([line("open a cycle and fill carts", first, 1)]);
  await runWeek(context());
  // A pre-order whose cycle never opened is closed with the others.
  await db.order.update({ where: { id: atDoor.id }, data: { status: "future" } });
  expect(await dueAt(addMs(auto, -24 * Hour.ms - 1))).toEqual([]);
  expect(await dueAt(addMs(auto, -24 * Hour.ms))).toEqual([line("remind of automatic checkout", first, 1)]);
  expect(await dueAt(addMs(auto, -1))).toEqual([line("remind of automatic checkout", first, 1)]);
  await sendReminders(context());
  expect(await dueAt(addMs(auto, -1))).toEqual([]);
  const ordering = line("order for customers", first, 1);
  expect(await dueAt(auto)).toEqual([ordering]);
  expect(await dueAt(addMs(cutoff, -24 * Hour.ms - 1))).toEqual([ordering]);
  expect(await dueAt(addMs(cutoff, -24 * Hour.ms))).toEqual([ordering, line("remind to order", first, 1)]);
  expect(await dueAt(addMs(cutoff, -1))).toEqual([ordering, line("remind to order", first, 1)]);
  await sendReminders(context());
  expect(await dueAt(addMs(cutoff, -1))).toEqual([ordering]);
  expect(await dueAt(cutoff)).toEqual([
    line("close orders", first, 3),
    line("charge orders", first, 1),
    line("open a cycle and fill carts", second, 1),
    line("give up automatic checkout", first, 1),
  ]);
  await runWeek(context());
  await runAutoCheckouts(context());
  const midnight = addMs(cutoff, 47 * Hour.ms);
  expect(await dueAt(addMs(midnight, -1))).toEqual([]);
  expect(await dueAt(midnight)).toEqual([line("mark orders delivered", first, 3)]);
  await runWeek(context());
  expect(await dueAt(midnight)).toEqual([]);
});

test("due: closing a day's orders is due from its cutoff until it is done", async () => {
  const hub = await createHub(db, { now: clock.now() });
  const cutoff = hub.deliveries[0]!.cutoff_at;
  const context = () => ({ now: clock.now(), actor: { type: "system" as const, job: "test" }, deps });
  const closing = async () =>
    (await dueWork(context())).filter(({ what, market: of }) => what === "close orders" && of === hub.name).length;
  clock.set(new Date(cutoff.getTime() - 1));
  expect(await closing()).toBe(0);
  clock.set(cutoff);
  expect(await closing()).toBe(1);
  await runWeek(context());
  expect(await closing()).toBe(0);
});

test("due: a market that is not published orders for no one and reminds no one; one that opened late has missed no automatic checkout", async () => {
  const now = clock.now();
  const hub = await createHub(db, { now });
  const eggs = await createProduct(db, hub.id);
  const [first] = hub.deliveries as [TestHub["deliveries"][number]];
  const [waiting, reader] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
  for (const shopper of [waiting, reader]) await shopper.put("/cart", [eggs.line(1)]);
  await db.customer.update({ where: { id: reader.customer.id }, data: { subscribed_all_messages: false } });
  const wantsNone = { auto_checkout_status: 1, subscribed_all_messages: false };
  for (const data of [{ auto_checkout_status: 1 }, wantsNone]) {
    const { id } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    await db.customer.update({ where: { id }, data });
  }
  const context = () => ({ now: clock.now(), actor: { type: "system" as const, job: "test" }, deps });
  const dueAt = async (at: Date) => {
    clock.set(at);
    return (await dueWork(context())).flatMap(({ what, market: of, count }) =>
      of === hub.name ? [`${what} ${count}`] : [],
    );
  };
  const { auto_checkout_at: auto, cutoff_at: cutoff } = first;
  const opening = "open a cycle and fill carts 0";
  await db.hub.update({ where: { id: hub.id }, data: { is_published: false } });
  for (const at of [addMs(auto, -1), addMs(cutoff, -1)]) expect(await dueAt(at)).toEqual([opening]);
  await db.hub.update({ where: { id: hub.id }, data: { is_published: true } });
  expect(await dueAt(addMs(auto, -1))).toEqual([opening, "remind of automatic checkout 1"]);
  expect(await dueAt(addMs(cutoff, -1))).toEqual([opening, "order for customers 2", "remind to order 1"]);
  // No step of the market had begun when automatic checkout was due.
  await db.delivery_run.create({
    data: { delivery_id: first.id, step: "open", state: "done", lease_until: auto, started_at: addMs(auto, 1) },
  });
  expect(await dueAt(cutoff)).not.toContain("give up automatic checkout 2");
  await db.delivery_run.updateMany({ where: { delivery_id: first.id }, data: { started_at: auto } });
  expect(await dueAt(cutoff)).toContain("give up automatic checkout 2");
});
