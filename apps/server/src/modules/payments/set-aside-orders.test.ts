import { sqlTransaction } from "@marketday/db";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  PASSWORD,
  setCard,
  type TestProduct,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { type PaymentProvider, ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { chargeNow } from "../orders/charge-now.ts";
import { closeDay } from "../orders/close-day.ts";
import { recordPayments } from "../orders/record-payment.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { chargeDueOrders, fetchCharges } from "./charge-order.ts";
import { enqueueAtOnce } from "./order-charge-sql.ts";
import { findSetAside } from "./set-aside-store.ts";

const market = await buildTestApp();
const { db, deps } = market;
// A second server on the same database.
const otherPoints = failpoints();
const other = await buildTestApp({ url: market.url, overrides: { failpoint: otherPoints.at } });
const CUTOFF = "2026-11-25T06:00:00Z";
const LATER = "2026-11-25T07:00:00Z";
const DECLINED = "4000000000000002";
const real: PaymentProvider = { ...deps.payments };

beforeEach(() => {
  for (const { clock } of [market, other]) clock.set(MONDAY);
  Object.assign(deps.payments, real);
  for (const point of Object.keys(otherPoints.plan)) delete otherPoints.plan[point];
  otherPoints.passed.length = 0;
});

const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const week = (at: string): Promise<void> => {
  market.clock.set(at);
  return runWeek(operator());
};
const charges = (at: string): Promise<void> => {
  market.clock.set(at);
  return chargeDueOrders(operator());
};

async function shopper(hubId: number) {
  const row = await createCustomer(db, { hubId, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  const buy = async (lines: ReturnType<TestProduct["line"]>[], part: object = {}): Promise<number[]> => {
    await browser.put("/cart", lines);
    const choice = { ...CHOICE, ...part };
    const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
    const { status, body } = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.orderIds;
  };
  return { row, browser, buy };
}
const orderOf = (id: number) => db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
const keyOf = async (id: number) => (await orderOf(id)).payment!.charge_key;
const loseHold = async (id: number, state = "voided") =>
  db.test_charge.updateMany({ where: { idempotency_key: await keyOf(id) }, data: { state } });
/** What the provider took from a customer, charge by charge, and how often it is booked. Cents. */
async function takenFrom(customerId: number) {
  const payments = await db.payment.findMany({ where: { customer_id: customerId } });
  const taken = await db.test_charge.findMany({
    where: { idempotency_key: { in: payments.map(({ charge_key }) => charge_key) }, state: "captured" },
  });
  const booked = { kind: "capture", payment_id: { in: payments.map(({ id }) => id) } };
  return {
    cents: taken.map(({ captured_cents }) => captured_cents).toSorted((a, b) => a - b),
    booked: await db.ledger_transaction.count({ where: booked }),
  };
}
const mailsAbout = async (template: string, customerEmail: string | null) =>
  (await db.mail.findMany({ where: { template, to_email: customerEmail! }, orderBy: { id: "asc" } })).map(
    ({ data }) => data,
  );

const idIn = (data: unknown) => (data as { orderId: number }).orderId;

/** An order that had no card to be charged on, at the cutoff; then its customer has a good one. */
async function setAside(units = 1) {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50, priceCents: 700 });
  const who = await shopper(hub.id);
  const [id] = (await who.buy([eggs.line(units)])) as [number];
  await loseHold(id);
  await week(CUTOFF);
  const order = await orderOf(id);
  expect(order).toMatchObject({ charge_error: "There is no card in the account.", charge_next_at: null });
  await setCard(db, who.row.id);
  market.clock.set(LATER);
  return { hub, who, id, dueCents: order.order_total_cents };
}

/** Orders of one customer and one charge: a box, and a pre-order of a later day. */
async function boxAndPreOrder(part: object = {}) {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50, priceCents: 700 });
  const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-03" });
  const who = await shopper(hub.id);
  const ids = await who.buy([eggs.line(1), turkey.line(1)], { savePaymentMethod: true, ...part });
  const [box, later] = ids as [number, number];
  const [{ order_total_cents: boxCents }, { order_total_cents: laterCents }] = [
    await orderOf(box),
    await orderOf(later),
  ];
  return { hub, who, box, later, boxCents, laterCents };
}

test("set aside: two orders of one charge that is declined: each has a mail, and another one when it is charged", async () => {
  const { hub, who, box, later } = await boxAndPreOrder();
  const move = { orders: { kind: "move", to: "2026-12-03" }, reason: "storm", dryRun: false } as const;
  await closeDay(operator(), hub.slug, "2026-11-26", move);
  await loseHold(box);
  await setCard(db, who.row.id, DECLINED);
  await week("2026-12-02T06:00:01Z");
  const ids = [box, later].toSorted((a, b) => a - b);
  expect(await mailsAbout("payment-failed", who.row.email)).toEqual(ids.map((orderId) => ({ orderId })));
  await setCard(db, who.row.id);
  await charges("2026-12-03T06:00:01Z");
  const orders = await Promise.all(ids.map(orderOf));
  for (const order of orders)
    expect(order).toMatchObject({ charge_failed_at: null, charge_tries: 0, payment: { state: "captured" } });
  expect((await mailsAbout("order-charged", who.row.email)).toSorted((a, b) => idIn(a) - idIn(b))).toEqual(
    orders.map(({ id, order_total_cents: amountCents }) => ({ orderId: id, amountCents })),
  );
  expect(await market.audit()).toEqual([]);
});

test("cutoff: an order that is charged without trouble has no mail that it was charged after all", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700 });
  const who = await shopper(hub.id);
  await who.buy([eggs.line(1)]);
  await week(CUTOFF);
  expect((await takenFrom(who.row.id)).booked).toBe(1);
  expect(await mailsAbout("order-charged", who.row.email)).toEqual([]);
});

test("set aside: a box and a pre-order of one charge are both closed before the charge can be made: each day is charged separately", async () => {
  const { who, box, later, boxCents, laterCents } = await boxAndPreOrder();
  const payment = { where: { id: (await orderOf(box)).payment_id! } };
  await db.payment.update({ ...payment, data: { provider: "stripe" } });
  await week(CUTOFF);
  await week("2026-12-02T06:00:00Z");
  expect((await findSetAside(db, null)).filter(({ id }) => id === box || id === later)).toHaveLength(2);
  await db.payment.update({ ...payment, data: { provider: "test" } });
  expect(await chargeNow(operator(), box)).toBe(boxCents);
  await charges("2026-12-02T06:05:00Z");
  expect(await takenFrom(who.row.id)).toEqual({ cents: [boxCents, laterCents], booked: 2 });
  expect(await market.audit()).toEqual([]);
});

test("cutoff: the bank released the hold of a box and a pre-order: the box is charged again, and the pre-order has no charge until its day", async () => {
  const { who, box, later, boxCents, laterCents } = await boxAndPreOrder();
  await loseHold(box);
  await week(CUTOFF);
  expect(await takenFrom(who.row.id)).toEqual({ cents: [boxCents], booked: 1 });
  expect(await orderOf(later)).toMatchObject({ payment_id: null, charge_failed_at: null });
  await week("2026-12-02T06:00:00Z");
  expect(await takenFrom(who.row.id)).toEqual({ cents: [boxCents, laterCents], booked: 2 });
});

/** A set-aside order whose new charge was requested: the provider holds the money, and its answer was lost. */
async function withUnknownCharge() {
  const order = await setAside();
  deps.payments.authorize = async (request) => {
    await real.authorize(request);
    throw new ProviderUnavailable("the answer was lost");
  };
  await expect(chargeNow(operator(), order.id)).rejects.toMatchObject({ details: { code: "not_charged" } });
  Object.assign(deps.payments, real);
  expect(await orderOf(order.id)).toMatchObject({ charge_tries: 2, payment: { state: "created" } });
  return order;
}

test("set aside: a charge whose answer was lost is not given up while the provider does not answer, and is found and captured then", async () => {
  const { who, id, dueCents } = await withUnknownCharge();
  const before = await orderOf(id);
  deps.payments.find = () => Promise.reject(new ProviderUnavailable("away"));
  await charges("2026-11-25T07:02:00Z");
  expect(await orderOf(id)).toMatchObject({
    payment_id: before.payment_id,
    payment: { state: "created" },
    charge_error: "The payment provider did not answer.",
    charge_next_at: new Date("2026-11-25T07:06:00Z"),
  });
  Object.assign(deps.payments, real);
  await charges("2026-11-25T07:06:00Z");
  expect(await orderOf(id)).toMatchObject({ payment_id: before.payment_id, payment: { state: "captured" } });
  expect(await takenFrom(who.row.id)).toEqual({ cents: [dueCents], booked: 1 });
  expect(await market.audit()).toEqual([]);
});

test.each<[how: string, work: (id: number) => Promise<unknown>]>([
  ["it is charged again", (id) => chargeNow(operator(), id)],
  [
    "it is noted as paid at the door, which is refused",
    (id) =>
      expect(recordPayments(operator(), [id], "cash", false)).rejects.toMatchObject({
        details: { code: "not_offline" },
      }),
  ],
])(
  "set aside: a charge whose answer was lost was captured at the provider by hand: booked once when %s",
  async (_how, work) => {
    const { who, id, dueCents } = await withUnknownCharge();
    await db.test_charge.updateMany({
      where: { idempotency_key: await keyOf(id) },
      data: { state: "captured", captured_cents: dueCents },
    });
    await work(id);
    expect(await orderOf(id)).toMatchObject({ charge_failed_at: null, payment: { state: "captured" } });
    expect(await takenFrom(who.row.id)).toEqual({ cents: [dueCents], booked: 1 });
    expect(await market.audit()).toEqual([]);
  },
);

test("set aside: a charge whose answer was lost and that the bank released since is tried again a day later", async () => {
  const { id } = await withUnknownCharge();
  await loseHold(id);
  await charges("2026-11-25T07:02:00Z");
  expect(await orderOf(id)).toMatchObject({
    payment_id: null,
    charge_error: "The bank released the money before it was captured.",
    charge_next_at: new Date("2026-11-26T07:02:00Z"),
  });
});

test("set aside: a charge that never reached the provider, and whose card was removed since: its reason is that there is no card", async () => {
  const { who, id } = await setAside();
  deps.payments.authorize = () => Promise.reject(new ProviderUnavailable("away"));
  await expect(chargeNow(operator(), id)).rejects.toMatchObject({ details: { code: "not_charged" } });
  Object.assign(deps.payments, real);
  await db.payment_method.updateMany({
    where: { customer_id: who.row.id },
    data: { deleted_at: market.clock.now(), is_default: false },
  });
  await charges("2026-11-25T07:02:00Z");
  expect(await orderOf(id)).toMatchObject({ payment_id: null, charge_error: "There is no card in the account." });
});

test("set aside: a default card of another provider is not charged", async () => {
  const { who, id } = await setAside();
  await db.payment_method.updateMany({ where: { customer_id: who.row.id }, data: { provider: "stripe" } });
  await expect(chargeNow(operator(), id)).rejects.toThrow("There is no card in the account.");
  expect(await db.payment.count({ where: { customer_id: who.row.id, payment_method_id: { not: null } } })).toBe(0);
});

test("set aside: a new charge that is gone when it is captured is not followed by another one at once", async () => {
  const { who, id } = await setAside();
  let requests = 0;
  Object.assign(deps.payments, {
    authorize: (request: Parameters<typeof real.authorize>[0]) => ((requests += 1), real.authorize(request)),
    // The bank releases the money at this moment.
    capture: async ({ key }: { key: string }) => {
      await db.test_charge.updateMany({ where: { idempotency_key: key }, data: { state: "voided" } });
      return "gone";
    },
  });
  await expect(chargeNow(operator(), id)).rejects.toThrow("The bank released the money before it was captured.");
  expect([requests, await takenFrom(who.row.id)]).toEqual([1, { cents: [], booked: 0 }]);
});

test("set aside: another customer's new card changes nothing for an order that waits for one", async () => {
  const [first, second] = [await setAside(), await setAside()];
  const { browser } = first.who;
  await browser.post("/auth/login", { username: first.who.row.email, password: PASSWORD });
  expect(
    (await browser.post("/payment-methods", { card: { ...CHOICE.card, number: "5555555555554444" } })).status,
  ).toBe(200);
  expect([(await orderOf(first.id)).charge_next_at, (await orderOf(second.id)).charge_next_at]).toEqual([
    market.clock.now(),
    null,
  ]);
  const listed = async (hub: typeof first.hub) => (await findSetAside(db, hub.deliveries[0]!.id)).map(({ id }) => id);
  expect([await listed(first.hub), await listed(second.hub)]).toEqual([[first.id], [second.id]]);
});

test("orders charge: the job of an operator's process that died before is done first, and its result is not this order's", async () => {
  const [dead, own] = [await setAside(1), await setAside(3)];
  expect(own.dueCents).not.toBe(dead.dueCents);
  await sqlTransaction(db, (tx) => enqueueAtOnce(tx, dead.id, market.clock.now()));
  expect(await chargeNow(operator(), own.id)).toBe(own.dueCents);
  for (const { who, dueCents } of [dead, own])
    expect(await takenFrom(who.row.id)).toEqual({ cents: [dueCents], booked: 1 });
  expect(await market.audit()).toEqual([]);
});

test("orders charge: the job of a process that died in the middle is taken over by the operator's second try, with one more entry in the audit log", async () => {
  const { who, id, dueCents } = await setAside();
  otherPoints.plan["charge:created"] = { until: new Promise(() => undefined) };
  other.clock.set(LATER);
  void chargeNow({ ...operator(), deps: other.deps }, id);
  await otherPoints.reached("charge:created");
  await expect(chargeNow(operator(), id)).rejects.toMatchObject({ details: { code: "still_charging" } });
  const entries = () => db.audit_entry.count({ where: { subject: `order:${id}`, action: "orders charge" } });
  expect(await entries()).toBe(1);
  market.clock.set("2026-11-25T07:02:00Z");
  expect(await chargeNow(operator(), id)).toBe(dueCents);
  expect(await entries()).toBe(1);
  expect(await takenFrom(who.row.id)).toEqual({ cents: [dueCents], booked: 1 });
});

test("set aside: an order whose charge was looked up is not charged for two minutes, in which the operator's change is written", async () => {
  const { id, who, dueCents } = await withUnknownCharge();
  await fetchCharges(operator(), id);
  await charges("2026-11-25T07:01:59Z");
  expect((await takenFrom(who.row.id)).booked).toBe(0);
  await charges("2026-11-25T07:02:00Z");
  expect(await takenFrom(who.row.id)).toEqual({ cents: [dueCents], booked: 1 });
});

test("set aside: an add-on was captured and the answer was lost: canceled with its box, all that the card paid goes back", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50, priceCents: 700 });
  const who = await shopper(hub.id);
  const [box] = (await who.buy([eggs.line(1)])) as [number];
  const [addOn] = (await who.buy([eggs.line(2)])) as [number];
  const key = await keyOf(addOn);
  expect(await orderOf(addOn)).toMatchObject({ add_on_to_id: box });
  deps.payments.capture = async (request) => {
    const result = await real.capture(request);
    if (request.key === key) throw new ProviderUnavailable("the answer was lost");
    return result;
  };
  await week(CUTOFF);
  Object.assign(deps.payments, real);
  const [{ order_total_cents: boxCents }, { order_total_cents: addOnCents }] = [
    await orderOf(box),
    await orderOf(addOn),
  ];
  expect(await cancelOrder(operator(), box, { to: "card", reason: "", key: null })).toMatchObject({
    backCents: boxCents + addOnCents,
  });
  expect(await db.test_charge.findUniqueOrThrow({ where: { idempotency_key: key } })).toMatchObject({
    refunded_cents: addOnCents,
  });
  expect(await market.audit()).toEqual([]);
});

test("refund: of an order that another provider charged than the market's today, nothing is requested, and it waits", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700 });
  const who = await shopper(hub.id);
  const [id] = (await who.buy([eggs.line(1)])) as [number];
  await week(CUTOFF);
  const { payment } = await orderOf(id);
  await db.payment.update({ where: { id: payment!.id }, data: { provider: "stripe" } });
  const requests: string[] = [];
  deps.payments.refund = (request) => (requests.push(request.key), real.refund(request));
  const done = await refundOrder(operator(), id, { amountCents: 200, to: "card", reason: "bruised", key: null });
  expect([requests, done.state]).toEqual([[], "waiting"]);
  expect(await db.refund.findMany({ where: { order_id: id } })).toMatchObject([{ state: "created" }]);
});
