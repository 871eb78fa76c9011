import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, newKey, type TestProduct } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { disagreements, tokenOf } from "../../../test/fake-stripe.ts";
import { signIn } from "../../../test/sign-in.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { type PaymentProvider, ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { runWeek } from "../../jobs/week.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import type { Context } from "../identity/context.ts";
import { findFailures } from "../job-failures/failure-sql.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { findDueHolds } from "./hold-sql.ts";
import { renewHolds } from "./renew-holds.ts";

const SECRET = "whsec_of_renewed_holds_0123456789";
const GOOD = "4242424242424242";
const DECLINED = "4000000000000002";
/** Four days before the cutoff of the pre-order, and the runs of the job after it. */
const DUE = "2026-11-28T06:00:01Z";
const NEXT_RUN = "2026-11-28T06:10:00Z";
const DAY_LATER = "2026-11-29T06:20:00Z";
const CUTOFF = "2026-12-02T06:00:00Z";

const points = failpoints();
const fake = await testStripe({ webhookSecret: SECRET, now: () => market.clock.now() });
const market = await buildTestApp({
  env: {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_URL: fake.url,
  },
  overrides: { failpoint: points.at },
});
const { db, deps } = market;
const { card: _card, ...WITHOUT_CARD } = CHOICE;
const job = (part: Partial<Context["deps"]> = {}): Context => ({
  now: market.clock.now(),
  actor: { type: "system", job: "test" },
  deps: { ...deps, ...part },
});

/** An order of a Monday for the Thursday ten days later, with a saved card. */
async function early(units = 1) {
  market.clock.set(MONDAY);
  const hub = await createHub(db, { now: market.clock.now() });
  const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-03" });
  const browser = await signIn(market, { hubId: hub.id });
  const { orderId } = await place(browser, [turkey.line(units)]);
  return { browser, turkey, customerId: browser.customer.id, id: orderId };
}
type Early = Awaited<ReturnType<typeof early>>;

/** Orders a cart with a saved card. */
async function place(browser: Awaited<ReturnType<typeof signIn>>, lines: ReturnType<TestProduct["line"]>[]) {
  await browser.put("/cart", lines);
  const choice = { ...WITHOUT_CARD, confirmationToken: tokenOf(GOOD), savePaymentMethod: true };
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  const placed = await browser.post(
    "/checkout",
    { ...choice, expectedTotal: orderTotal },
    { "idempotency-key": newKey() },
  );
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  return placed.body as { orderId: number; orderIds: number[] };
}

async function intentsOf({ customerId }: Pick<Early, "customerId">) {
  const { stripe_customer_id } = await db.customer.findUniqueOrThrow({ where: { id: customerId } });
  return [...fake.intents.values()].filter(({ customer }) => customer === stripe_customer_id);
}
const statusesOf = async (who: Early) => (await intentsOf(who)).map(({ status }) => status);
const paymentOf = async ({ id }: Early) =>
  (await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } })).payment!;
const lossMails = ({ id }: Pick<Early, "id">) =>
  db.mail.count({ where: { template: "hold-lost", data: { path: ["orderId"], equals: id } } });

/** Delivers an event of the old charge's void to the webhook; returns its outcome. */
async function sendCanceled(since: number, work: Partial<PaymentProvider> = {}) {
  const event = fake.events.slice(since).find(({ type }) => type === "payment_intent.canceled");
  expect(event).toBeDefined();
  const signed = fake.signed(event!);
  const { find } = deps.payments;
  Object.assign(deps.payments, work);
  const answer = await market.app.inject({
    method: "POST",
    url: "/api/webhooks/stripe",
    headers: { "content-type": "application/json", "stripe-signature": signed.signature },
    payload: signed.payload,
  });
  deps.payments.find = find;
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().outcome as string;
}

/** A renewal that has voided the old charge and is about to store the new one. */
async function renewingAt(instant: string) {
  market.clock.set(instant);
  const gate = Promise.withResolvers<void>();
  points.passed.length = 0;
  points.plan["hold:swapping"] = { until: gate.promise };
  const done = renewHolds(job());
  await points.reached("hold:swapping");
  delete points.plan["hold:swapping"];
  return { done, resume: gate.resolve };
}

/** Runs the renewal and kills it at `point`. */
async function renewKilledAt(point: string, instant: string) {
  market.clock.set(instant);
  points.plan[point] = "throw";
  await renewHolds(job());
  delete points.plan[point];
}

async function expectAgreement() {
  expect(await market.audit()).toEqual([]);
  expect(disagreements(fake, await db.payment.findMany({ where: { provider: "stripe" } }))).toEqual([]);
}

/** At the cutoff the order is charged once. */
async function expectCharged(who: Early) {
  market.clock.set(CUTOFF);
  await runWeek(job());
  const order = await db.order.findUniqueOrThrow({ where: { id: who.id }, include: { payment: true } });
  expect(order).toMatchObject({
    status: "pending",
    payment: { state: "captured", captured_cents: order.order_total_cents },
  });
  expect((await intentsOf(who)).filter(({ status }) => status === "succeeded")).toHaveLength(1);
  await expectAgreement();
}

test(
  "a renewal: the event of the old charge, handled while the new one is stored, loses nothing and is not mailed",
  { tags: ["fail:B13", "fail:B6"] },
  async () => {
    const who = await early();
    const seen = fake.events.length;
    const renewal = await renewingAt(DUE);
    const { find } = deps.payments;
    // The webhook has read our row and finds the old charge voided; before it writes, the renewal is stored.
    const outcome = await sendCanceled(seen, {
      find: async (charge) => {
        const found = await find(charge);
        renewal.resume();
        await renewal.done;
        return found;
      },
    });
    expect(outcome).toBe("nothing to do");
    expect(await paymentOf(who)).toMatchObject({ state: "authorized", hold_lost_at: null, next_key: null });
    expect(await lossMails(who)).toBe(0);
    for (const instant of [NEXT_RUN, DAY_LATER]) {
      market.clock.set(instant);
      await renewHolds(job());
      expect(await statusesOf(who)).toEqual(["canceled", "requires_capture"]);
    }
    await expectAgreement();
    await expectCharged(who);
  },
);

test(
  "a renewal: the event of the old charge comes between its void and the new one, then the server is killed: the next run finishes the renewal",
  { tags: ["fail:B13", "fail:B6"] },
  async () => {
    const who = await early();
    const seen = fake.events.length;
    await renewKilledAt("hold:swapping", DUE);
    expect(await sendCanceled(seen)).toBe("nothing to do");
    expect(await lossMails(who)).toBe(0);
    market.clock.set(NEXT_RUN);
    await renewHolds(job());
    for (const instant of [NEXT_RUN, DAY_LATER]) {
      market.clock.set(instant);
      await renewHolds(job());
      await resumeAbandoned(job());
      expect(await statusesOf(who)).toEqual(["canceled", "requires_capture"]);
    }
    await expectAgreement();
    await expectCharged(who);
  },
);

test(
  "a renewal that is declined while another server stores a newer one loses nothing",
  { tags: ["fail:B13"] },
  async () => {
    const who = await early();
    market.clock.set(DUE);
    // The bank refuses the renewal; its result arrives after another server has lost that one and renewed the hold.
    const [saved] = [...fake.methods.values()].filter(({ customer }) => customer !== null).slice(-1);
    const good = saved!.number;
    saved!.number = DECLINED;
    const gate = Promise.withResolvers<void>();
    points.passed.length = 0;
    points.plan["hold:authorized"] = { until: gate.promise };
    const late = renewHolds(job());
    await points.reached("hold:authorized");
    delete points.plan["hold:authorized"];
    await renewHolds(job());
    expect(await paymentOf(who)).toMatchObject({ hold_lost_at: market.clock.now(), next_key: null });
    const problem = async () => (await who.browser.get(`/orders/${who.id}`)).body.paymentProblem;
    expect(await problem()).toBe("card");
    saved!.number = good;
    market.clock.set(DAY_LATER);
    await renewHolds(job());
    const renewed = await paymentOf(who);
    expect(renewed).toMatchObject({ hold_lost_at: null, next_key: null });
    expect(await problem()).toBeNull();
    gate.resolve();
    await late;
    expect(await paymentOf(who)).toEqual(renewed);
    await expectAgreement();
    await expectCharged(who);
  },
);

/** The number of the card that was saved last is another one from now on; returns the earlier one. */
function changeNumber(number: string): string {
  const [saved] = [...fake.methods.values()].filter(({ customer }) => customer !== null).slice(-1);
  const before = saved!.number;
  saved!.number = number;
  return before;
}

test(
  "a renewal while the bank has an outage, killed before its charge is voided: the next run renews the hold and mails nothing",
  { tags: ["fail:B13"] },
  async () => {
    const who = await early();
    const good = changeNumber(DECLINED);
    await renewKilledAt("hold:authorized", DUE);
    const refused = (await intentsOf(who)).at(-1)!;
    refused.last_payment_error = { type: "card_error", code: "processing_error" };
    changeNumber(good);
    await renewKilledAt("hold:dropped", NEXT_RUN);
    expect(await paymentOf(who)).toMatchObject({ hold_lost_at: null, next_key: null });
    market.clock.set(DAY_LATER);
    await renewHolds(job());
    expect(await statusesOf(who)).toEqual(["canceled", "requires_payment_method", "requires_capture"]);
    expect(await paymentOf(who)).toMatchObject({ hold_lost_at: null, next_key: null });
    expect(await lossMails(who)).toBe(0);
    await expectAgreement();
    await expectCharged(who);
  },
);

test(
  "a renewal that is declined and then not voided: the hold is lost and mailed once, and the job has not failed",
  { tags: ["fail:B13"] },
  async () => {
    const who = await early();
    changeNumber(DECLINED);
    market.clock.set(DUE);
    const silent = () => Promise.reject(new ProviderUnavailable("no answer"));
    await renewHolds(job({ payments: { ...deps.payments, void: silent } }));
    expect(await paymentOf(who)).toMatchObject({ hold_lost_at: market.clock.now(), next_key: null });
    expect(await lossMails(who)).toBe(1);
    expect((await findFailures(db, market.clock.now())).map(({ subject }) => subject)).not.toContain(
      `hold of order ${who.id}`,
    );
    await expectAgreement();
  },
);

test(
  "a renewal that was killed after the bank held the money, for an order that was lowered since, is stored with the amount that is held",
  { tags: ["fail:B13", "fail:B14", "fail:B8"] },
  async () => {
    const who = await early(2);
    const { order_total_cents: before } = await db.order.findUniqueOrThrow({ where: { id: who.id } });
    const seen = fake.events.length;
    await renewKilledAt("hold:authorized", DUE);
    const items = [{ quantity: 1, product: { variant: { id: who.turkey.variant.id } } }];
    expect((await who.browser.post("/orders/edit-order", { order: { id: who.id, items } })).status).toBe(200);
    market.clock.set(NEXT_RUN);
    await renewHolds(job());
    expect((await paymentOf(who)).amount_cents).toBe(before);
    // The new charge's own event arrives late.
    const signed = fake.signed(
      fake.events.slice(seen).find(({ type }) => type === "payment_intent.amount_capturable_updated")!,
    );
    const answer = await market.app.inject({
      method: "POST",
      url: "/api/webhooks/stripe",
      headers: { "content-type": "application/json", "stripe-signature": signed.signature },
      payload: signed.payload,
    });
    expect(answer.json()).toMatchObject({ outcome: "nothing to do" });
    expect(await statusesOf(who)).toEqual(["canceled", "requires_capture"]);
    await expectAgreement();
    await expectCharged(who);
  },
);

test(
  "a renewal that was killed after the bank held the money is finished although the card was detached since",
  { tags: ["fail:B13"] },
  async () => {
    const who = await early();
    await renewKilledAt("hold:swapping", DUE);
    await db.payment_method.updateMany({
      where: { customer_id: who.customerId },
      data: { deleted_at: market.clock.now() },
    });
    market.clock.set(NEXT_RUN);
    await renewHolds(job());
    expect(await statusesOf(who)).toEqual(["canceled", "requires_capture"]);
    expect(await paymentOf(who)).toMatchObject({ next_key: null, hold_lost_at: null });
    await expectAgreement();
    await expectCharged(who);
  },
);

test(
  "a renewal that is still under way at the cutoff: the order is charged on the new hold, and on no other",
  { tags: ["fail:B13"] },
  async () => {
    const who = await early();
    const renewal = await renewingAt("2026-12-02T05:59:59Z");
    market.clock.set(CUTOFF);
    const gate = Promise.withResolvers<void>();
    points.plan["charge:gone"] = { until: gate.promise };
    const week = runWeek(job());
    await points.reached("charge:gone");
    delete points.plan["charge:gone"];
    renewal.resume();
    await renewal.done;
    gate.resolve();
    await week;
    expect(await statusesOf(who)).toEqual(["canceled", "succeeded"]);
    await expectCharged(who);
  },
);

test(
  "a renewal whose order is canceled while it is stored: neither the old nor the new hold stays",
  { tags: ["fail:B13", "fail:V4"] },
  async () => {
    const who = await early();
    const renewal = await renewingAt(DUE);
    await cancelOrder(job(), who.id, { to: "card", reason: "", key: null });
    renewal.resume();
    await renewal.done;
    expect(await statusesOf(who)).toEqual(["canceled", "canceled"]);
    await resumeAbandoned(job());
    await expectAgreement();
  },
);

test(
  "a hold whose next one was requested by a server that died, and that is captured at the cutoff: the next one is released",
  { tags: ["fail:B13", "fail:V4"] },
  async () => {
    const who = await early();
    await renewKilledAt("hold:authorized", "2026-12-02T05:59:00Z");
    expect(await statusesOf(who)).toEqual(["requires_capture", "requires_capture"]);
    market.clock.set(CUTOFF);
    await runWeek(job());
    await resumeAbandoned(job());
    expect(await statusesOf(who)).toEqual(["succeeded", "canceled"]);
    await expectAgreement();
  },
);

test("holds to renew: from four days before the cutoff until it, a lost one a day later, of 50 cents or more, with a card of the provider", async () => {
  const who = await early();
  const payment = await paymentOf(who);
  const order = await db.order.findUniqueOrThrow({ where: { id: who.id } });
  const cutoff = new Date(CUTOFF).getTime();
  const days = (count: number) => count * 86_400_000;
  const dueAt = async (ms: number, orderPart: object = {}, paymentPart: object = {}, provider = "stripe") => {
    await db.order.update({ where: { id: who.id }, data: orderPart });
    await db.payment.update({ where: { id: payment.id }, data: paymentPart });
    const found = await findDueHolds(db, provider, new Date(ms));
    const { credit_cents, status } = order;
    await db.order.update({ where: { id: who.id }, data: { credit_cents, status } });
    const { hold_lost_at, unconfirmed_at, authorized_at } = payment;
    await db.payment.update({ where: { id: payment.id }, data: { hold_lost_at, unconfirmed_at, authorized_at } });
    return found.some(({ payment_id: id }) => id === payment.id);
  };
  const due = cutoff - days(4);
  expect([await dueAt(due - 1), await dueAt(due), await dueAt(cutoff - 1), await dueAt(cutoff)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  const restOf = (cents: number) => ({ credit_cents: order.order_total_cents - cents });
  expect([await dueAt(due, restOf(49)), await dueAt(due, restOf(50))]).toEqual([false, true]);
  const lost = { hold_lost_at: new Date(due) };
  expect([await dueAt(due + days(1) - 1, {}, lost), await dueAt(due + days(1), {}, lost)]).toEqual([false, true]);
  expect(await dueAt(due + days(1), {}, { ...lost, unconfirmed_at: new Date(due) })).toBe(false);
  expect([await dueAt(due, {}, {}, "test"), await dueAt(due, { status: "pending" })]).toEqual([false, false]);
  // Younger than six days at the cutoff.
  expect(await dueAt(due, {}, { authorized_at: new Date(cutoff - days(6)) })).toBe(false);
  expect(await dueAt(due, {}, { authorized_at: new Date(cutoff - days(6) - 1) })).toBe(true);
  await db.payment_method.updateMany({ where: { customer_id: who.customerId }, data: { deleted_at: new Date(due) } });
  expect(await dueAt(due)).toBe(false);
});

test(
  "a lapsed hold of two orders, one of which is canceled: the mail names the other one",
  { tags: ["fail:B13"] },
  async () => {
    market.clock.set(MONDAY);
    const hub = await createHub(db, { now: market.clock.now() });
    const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-03" });
    const pie = await createProduct(db, hub.id, { priceCents: 2000, preOrderDate: "2026-12-10" });
    const browser = await signIn(market, { hubId: hub.id });
    const { orderIds } = await place(browser, [turkey.line(1), pie.line(1)]);
    const [canceled, kept] = orderIds.toSorted((a, b) => a - b) as [number, number];
    await cancelOrder(job(), canceled, { to: "card", reason: "", key: null });
    const seen = fake.events.length;
    const [intent] = await intentsOf({ customerId: browser.customer.id });
    fake.expire(intent!.id);
    expect(await sendCanceled(seen)).toBe("hold lost");
    expect([await lossMails({ id: canceled }), await lossMails({ id: kept })]).toEqual([0, 1]);
    expect(await market.audit()).toEqual([]);
  },
);
