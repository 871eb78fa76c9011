import { readFileSync } from "node:fs";

import { transaction } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY, type TestMarket } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, GOOD_CARD, PASSWORD, setCard } from "../../../test/factories.ts";
import { mailsIn } from "../../../test/mails.ts";
import { runWeek } from "../../jobs/week.ts";
import { grantCredit } from "../gift-cards/grant-credit.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { payVendors, reversePayout } from "../ledger/pay-vendors.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { chargeNow } from "../orders/charge-now.ts";
import { closeDay } from "../orders/close-day.ts";
import { recordPayments } from "../orders/record-payment.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { shortOrder } from "../orders/short-order.ts";
import { undoPayments } from "../orders/undo-payment.ts";
import { writeOffOrder } from "../orders/write-off-order.ts";
import { failRefund } from "../payments/fail-refund.ts";
import { reconcileCharge } from "../payments/reconcile-charge.ts";
import { renewHolds } from "../payments/renew-holds.ts";
import { resendRefund } from "../payments/resolve-refund.ts";
import { renewWagonPasses } from "../wagon-pass/renew-wagon-pass.ts";
import { sendDueMail } from "./send-mail.ts";

const [cards, door] = [await buildTestApp(), await buildTestApp({ env: { PAYMENTS: "offline" } })];
const CUTOFF = "2026-11-25T06:00:00Z";
const AFTER = "2026-11-25T09:00:00Z";
const DECLINED = "4000000000000002";

const operator = ({ clock, deps }: TestMarket): Context => ({
  now: clock.now(),
  actor: { type: "operator", name: "mara" },
  deps,
});
async function tick(market: TestMarket, at: string): Promise<void> {
  market.clock.set(at);
  await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps: market.deps });
}
const renewAt = (at: string): Promise<void> => {
  cards.clock.set(at);
  return renewWagonPasses(operator(cards));
};

let people = 0;
async function register(market: TestMarket, part: object = {}) {
  market.clock.set(MONDAY);
  people += 1;
  const email = `money-${people}@example.com`;
  const browser = market.shopper();
  const names = { firstName: "Pat", lastName: "Lake", zipCode: "46032" };
  const { status, body } = await browser.post("/auth/register", { email, password: PASSWORD, ...names, ...part });
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: body.id as number, email, browser };
}

/** An open order of two jars and a loaf, that uses store credit and keeps its card. */
async function openOrder(market: TestMarket, { creditCents = 0, ...part }: { creditCents?: number } & object = {}) {
  market.clock.set(MONDAY);
  const hub = await createHub(market.db);
  const jar = await createProduct(market.db, hub.id, { priceCents: 1000, inventory: 50 });
  const loaf = await createProduct(market.db, hub.id, { priceCents: 700, inventory: 50 });
  const who = await register(market, part);
  await market.db.customer.update({ where: { id: who.id }, data: { hub_id: hub.id, credit_cents: creditCents } });
  await who.browser.put("/cart", [jar.line(2), loaf.line(1)]);
  const address = { address: `${people} Walnut Street`, city: "Carmel", state: "IN", zipCode: "46032" };
  const { card, ...withoutCard } = { ...CHOICE, deliveryAddress: address, useCredit: true };
  const choice = market === door ? withoutCard : { ...withoutCard, card, savePaymentMethod: true };
  const { orderTotal } = (await who.browser.post("/checkout/quote", choice)).body;
  const { status, body } = await who.browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
  const id = body.orderId as number;
  const keep = (...lines: [variantId: number, quantity: number][]) =>
    who.browser.post("/orders/edit-order", {
      order: {
        id,
        items: lines.map(([variantId, quantity]) => ({ quantity, product: { variant: { id: variantId } } })),
      },
    });
  return { market, hub, jar, who, id, keep, email: who.email };
}
type Order = Awaited<ReturnType<typeof openOrder>>;

const paymentOf = async ({ market, id }: Order) =>
  (await market.db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } })).payment!;
async function closedOrder(market: TestMarket, part: object = {}): Promise<Order> {
  const order = await openOrder(market, part);
  await tick(market, CUTOFF);
  market.clock.set(AFTER);
  return order;
}
/** The bank gives the hold of an open order up. */
async function loseHold(order: Order): Promise<void> {
  const { charge_key: key, provider_ref: ref, amount_cents: amountCents } = await paymentOf(order);
  await cards.db.test_charge.updateMany({ where: { idempotency_key: key }, data: { state: "voided" } });
  await reconcileCharge(operator(cards), { key, ref: ref!, amountCents, takenCents: 0, currency: "usd" });
}
/** Its card is declined at the cutoff. */
async function uncharged(): Promise<Order> {
  const order = await openOrder(cards);
  const { charge_key: key } = await paymentOf(order);
  await cards.db.test_charge.updateMany({ where: { idempotency_key: key }, data: { state: "voided" } });
  await setCard(cards.db, order.who.id, DECLINED);
  await tick(cards, CUTOFF);
  cards.clock.set(AFTER);
  return order;
}
/** A refund that fails days after the mail about it. */
async function failedRefund() {
  const order = await closedOrder(cards);
  const { refundId } = await refundOrder(operator(cards), order.id, { ...back(), amountCents: 300 });
  await sendDueMail(cards.deps);
  await transaction(cards.db, (tx) => failRefund(operator(cards), tx, refundId!, "expired_card"));
  return { ...order, refundId: refundId! };
}
const back = (to: "card" | "credit" = "card") => ({ to, reason: "The jar was broken.", key: null });

/** A friend's order paid at the door; the mails are the referrer's. */
async function referred() {
  const referrer = await register(door);
  const order = await closedOrder(door, { referredByCustomerId: referrer.id });
  await recordPayments(operator(door), [order.id]);
  return { market: door, order, email: referrer.email };
}
async function boughtCard() {
  const who = await register(cards);
  const recipientEmail = `gift-${people}@example.com`;
  const body = { amount: 50, recipientEmail, deliverOn: "2026-11-23", card: GOOD_CARD };
  const { status, body: bought } = await who.browser.post("/gift-cards", body);
  expect(status).toBe(201);
  const mail = await cards.db.mail.findUniqueOrThrow({ where: { key: `gift-card:${bought.id}` } });
  const { code } = mail.data as { code: string };
  return { market: cards, who, email: who.email, id: bought.id as number, code, recipientEmail };
}
async function holder(plan: "monthly" | "yearly") {
  const who = await register(cards);
  expect((await who.browser.post("/wagon-pass", { plan, card: GOOD_CARD })).status).toBe(200);
  return { market: cards, who, email: who.email };
}
async function paidVendor() {
  const order = await closedOrder(door);
  await recordPayments(operator(door), [order.id]);
  const email = `vendor-${people}@example.com`;
  const vendor = await door.db.vendor.update({ where: { id: order.jar.vendor_id }, data: { email } });
  const { payout } = await payVendors(operator(door), { to: "2026-11-26", dryRun: false });
  return { market: door, email, vendor, payout: payout! };
}

/** Whose mails a movement is about. */
interface Moved {
  market: TestMarket;
  email: string;
}

/** Every movement of docs/product.md §7, run as in production. The mails from the last step count. */
const MOVEMENTS: Record<string, () => Promise<Moved>> = {
  "an order or an add-on is placed: the card is authorized, store credit is taken": () =>
    openOrder(cards, { creditCents: 500 }),
  "the customer lowers an order; tip, tax and fees follow, store credit comes back": async () => {
    const order = await openOrder(cards);
    expect((await order.keep([order.jar.variant.id, 1])).status).toBe(200);
    return order;
  },
  "the customer removes the last item": async () => {
    const order = await openOrder(cards, { creditCents: 500 });
    expect((await order.keep()).status).toBe(200);
    return order;
  },
  "the market moves an order to another day": async () => {
    const order = await openOrder(cards);
    const orders = { kind: "move", to: "2026-12-03" } as const;
    await closeDay(operator(cards), order.hub.slug, "2026-11-26", { orders, reason: "snow", dryRun: false });
    return order;
  },
  "the hold of an open order is renewed": async () => {
    const order = await openOrder(cards);
    const before = await paymentOf(order);
    // Its hold is as old as that of an order placed a week before.
    await cards.db.payment.update({
      where: { id: before.id },
      data: { authorized_at: new Date("2026-11-18T17:00:00Z") },
    });
    await renewHolds(operator(cards));
    expect((await paymentOf(order)).charge_key).not.toBe(before.charge_key);
    return order;
  },
  "the hold of an open order is lost": async () => {
    const order = await openOrder(cards);
    await loseHold(order);
    return order;
  },
  "an order is charged when it closes": async () => {
    const order = await closedOrder(cards);
    expect((await paymentOf(order)).state).toBe("captured");
    return order;
  },
  "a rest of up to 49 cents is waived": async () => {
    cards.clock.set(MONDAY);
    const hub = await createHub(cards.db, { taxRatePpm: 0, processingPpm: 0, processingFixedCents: 0 });
    const seed = await createProduct(cards.db, hub.id, { priceCents: 40, inventory: 5 });
    const point = await cards.db.pickup_point.create({
      data: {
        hub_id: hub.id,
        name: "Depot",
        address: "1 Depot",
        city: "Carmel",
        state: "IN",
        zip_code: "46032",
        hours: "",
      },
    });
    const who = await register(cards);
    await cards.db.customer.update({ where: { id: who.id }, data: { hub_id: hub.id } });
    await who.browser.put("/cart", [seed.line(1)]);
    const choice = { type: "pickup", pickupPointId: point.id, tipPercentage: 0 };
    const { orderTotal, waived } = (await who.browser.post("/checkout/quote", choice)).body;
    expect(waived).toBeGreaterThan(0);
    expect((await who.browser.post("/checkout", { ...choice, expectedTotal: orderTotal })).status).toBe(201);
    return { market: cards, email: who.email };
  },
  "an order cannot be charged when it closes": uncharged,
  "an order that could not be charged is charged later": async () => {
    const order = await uncharged();
    await setCard(cards.db, order.who.id);
    await chargeNow(operator(cards), order.id, "a new card");
    expect((await paymentOf(order)).state).toBe("captured");
    return order;
  },
  "an order is paid at the door": async () => {
    const order = await closedOrder(door);
    await recordPayments(operator(door), [order.id]);
    return order;
  },
  "the market writes an order off": async () => {
    const order = await closedOrder(door);
    await writeOffOrder(operator(door), order.id, "moved away");
    return order;
  },
  "items come short": async () => {
    const order = await closedOrder(cards);
    await shortOrder(operator(cards), order.id, [{ variantId: order.jar.variant.id, quantity: 1 }], back());
    return order;
  },
  "the market gives part of an order back": async () => {
    const order = await closedOrder(cards);
    await refundOrder(operator(cards), order.id, { ...back(), amountCents: 300 });
    return order;
  },
  "a refund does not go back to the card": failedRefund,
  "the market gives such a refund as store credit": async () => {
    const order = await failedRefund();
    await resendRefund(operator(cards), order.refundId, { to: "credit", reason: "a new card", dryRun: false });
    return order;
  },
  "the market cancels an order": async () => {
    const order = await closedOrder(cards);
    await cancelOrder(operator(cards), order.id, back());
    return order;
  },
  "a payment that pays for nothing goes back": async () => {
    const who = await register(cards);
    const challenged = { ...GOOD_CARD, number: "4000002500003155" };
    await who.browser.post("/gift-cards", {
      amount: 50,
      recipientEmail: "late@example.com",
      deliverOn: "2026-11-23",
      card: challenged,
    });
    const payment = await cards.db.payment.findFirstOrThrow({ where: { customer_id: who.id } });
    await who.browser.post(`/purchases/${payment.id}/complete`, { approve: false });
    const where = { idempotency_key: payment.charge_key };
    const taken = { state: "captured", captured_cents: 5000 };
    const { id: ref } = await cards.db.test_charge.update({ where, data: taken });
    const reported = { key: payment.charge_key, ref, amountCents: 5000, takenCents: 5000, currency: "usd" };
    for (let webhook = 0; webhook < 2; webhook += 1) await reconcileCharge(operator(cards), reported);
    return { market: cards, email: who.email };
  },
  "the market gives store credit": async () => {
    const who = await register(cards);
    const customer = { id: asCustomerId(who.id), email: who.email };
    const how = { amountCents: 500, reason: "late", key: null, dryRun: false };
    await grantCredit(operator(cards), customer, { ...how, dryRun: true });
    for (let run = 0; run < 2; run += 1) await grantCredit(operator(cards), customer, how);
    return { market: cards, email: who.email };
  },
  "a friend's first order brings store credit": referred,
  "that order is unpaid again, and the credit is taken back": async () => {
    const found = await referred();
    await sendDueMail(door.deps);
    await undoPayments(operator(door), [found.order.id], "the wrong order");
    return found;
  },
  "a gift card is bought: to its buyer": boughtCard,
  "a gift card is due: to its recipient": async () => {
    const { market, recipientEmail: email } = await boughtCard();
    return { market, email };
  },
  "a gift card is sent again: to its buyer": async () => {
    const card = await boughtCard();
    const recipientEmail = `right-${people}@example.com`;
    await card.who.browser.post(`/gift-cards/${card.id}/resend`, { recipientEmail, version: 1 });
    return card;
  },
  "a gift card is redeemed": async () => {
    const [{ code }, who] = [await boughtCard(), await register(cards)];
    for (let press = 0; press < 2; press += 1) await who.browser.post("/gift-cards/redeem", { code });
    return { market: cards, email: who.email };
  },
  "a wagon pass is bought or renewed": () => holder("monthly"),
  "a wagon pass renews in 30 days, yearly or at another price": async () => {
    const who = await holder("yearly");
    await renewAt("2027-10-24T17:00:00Z");
    return who;
  },
  "a wagon pass cannot be renewed": async () => {
    const found = await holder("monthly");
    await setCard(cards.db, found.who.id, DECLINED);
    await renewAt("2026-12-23T17:00:00Z");
    return found;
  },
  "a wagon pass ends after its last declined renewal": async () => {
    const found = await holder("monthly");
    await setCard(cards.db, found.who.id, DECLINED);
    for (const day of ["23", "24", "26", "29"]) await renewAt(`2026-12-${day}T17:00:00Z`);
    return found;
  },
  "a wagon pass is ended by its customer or the market": async () => {
    const found = await holder("monthly");
    for (let press = 0; press < 2; press += 1) await found.who.browser.delete("/wagon-pass");
    return found;
  },
  "a vendor is paid: to the vendor": paidVendor,
  "a vendor's payout is taken back: to the vendor": async () => {
    const { vendor, payout, ...moved } = await paidVendor();
    const part = { payout, vendor: vendor.slug, reason: "closed account", dryRun: false };
    for (let run = 0; run < 2; run += 1) await reversePayout(operator(door), part);
    return moved;
  },
};

test("an order paid at the door and canceled: the mail says that the amount is given back by hand, and names no card", async () => {
  const order = await closedOrder(door);
  await recordPayments(operator(door), [order.id]);
  const paidCents = (await paymentOf(order)).captured_cents;
  await cancelOrder(operator(door), order.id, back());
  await sendDueMail(door.deps);
  const mail = (await mailsIn(door.dataDir)).find(
    ({ to, subject }) => to?.[0]?.address === order.email && subject === `Your order ${order.id} was cancelled`,
  );
  expect(mail!.text).toContain(
    `We will give you back the $${(paidCents / 100).toFixed(2)} that you paid at pickup or at the door.`,
  );
  expect(mail!.text).not.toContain("card");
});

test("a canceled order that was to be paid at the door is uncollected, and one by card uncharged", async () => {
  for (const [market, isOffline] of [
    [door, true],
    [cards, false],
  ] as const) {
    const order = await openOrder(market);
    const { order_total_cents: total } = await market.db.order.findUniqueOrThrow({ where: { id: order.id } });
    expect(await cancelOrder(operator(market), order.id, back())).toMatchObject({
      uncollectedCents: isOffline ? total : 0,
      unchargedCents: isOffline ? 0 : total,
    });
  }
});

/** Mails that belong to the steps before a movement. */
const BEFORE = new Set([
  "order-confirmation",
  "gift-card-receipt",
  "wagon-pass-receipt",
  "payment-failed",
  "wagon-pass-declined",
  "order-refunded",
  "refund-failed",
  "referral-credit",
  "vendor-payout",
]);

const page = readFileSync(new URL("../../../../../docs/product.md", import.meta.url), "utf8");
const rows = [...page.matchAll(/^ {2}\| (?!movement)([^|]+) \| (?:`([a-z-]+)`|none) \| ([^|]*)\|$/gm)].map(
  ([, movement, template, why]) => ({ movement: movement!.trim(), template: template ?? null, why: why!.trim() }),
);

test("mails about money: the table of docs/product.md has every movement, and each has a mail or a reason", () => {
  expect(rows.map(({ movement }) => movement)).toEqual(Object.keys(MOVEMENTS));
  for (const { movement, template, why } of rows)
    expect([movement, template === null ? why !== "" : template in cards.deps.mailTemplates]).toEqual([movement, true]);
});

test.each(rows)(
  "$movement: $template once, in the transaction that moves the money",
  async ({ movement, template }) => {
    const { market, email } = await MOVEMENTS[movement]!();
    const enqueued = async () =>
      (await market.db.mail.findMany({ where: { to_email: email } })).map((mail) => mail.template);
    const found = await enqueued();
    expect(found.filter((each) => each === template)).toHaveLength(template === null ? 0 : 1);
    expect(found.filter((each) => each !== template && !BEFORE.has(each))).toEqual([]);
    // Every mail can be rendered and sent.
    await sendDueMail(market.deps);
    const unsent = await market.db.mail.findMany({ where: { to_email: email, sent_at: null } });
    expect(unsent).toEqual([]);
  },
);
