import { execute, query, sql, transaction } from "@marketday/db";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  cardNumber,
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  PASSWORD,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { waitForLock } from "../../../test/locks.ts";
import { runWeek } from "../../jobs/week.ts";
import { asCustomerId } from "../identity/context.ts";
import { keepCard, forgetCard } from "./cards.ts";
import { findUse, removeMethod } from "./method-store.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
beforeEach(() => {
  for (const point of Object.keys(points.plan)) delete points.plan[point];
  points.passed.length = 0;
});
/** Settles when a connection waits for a lock. */
const untilLockWaits = () =>
  vi.waitUntil(
    async () =>
      (
        await query(
          db,
          sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          z.object({ pid: z.number() }),
        )
      ).length > 0,
    { timeout: 10_000, interval: 20 },
  );
const CUTOFF = "2026-11-25T06:00:00Z";
const OTHER_CARD = { ...GOOD_CARD, number: "5555555555554444" };

async function shopper() {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  return { hub, row, browser };
}

/** A box of this week and a pre-order of a later one on one card, which is saved; the box is captured. */
async function boxAndPreOrder() {
  const { hub, row, browser } = await shopper();
  const eggs = await createProduct(db, hub.id, { priceCents: 700 });
  const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-01" });
  await browser.put("/cart", [eggs.line(1), turkey.line(1)]);
  const choice = { ...CHOICE, savePaymentMethod: true };
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  const placed = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  market.clock.set(CUTOFF);
  await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
  const [, later] = placed.body.orderIds as [number, number];
  expect(await db.order.findUniqueOrThrow({ where: { id: later } })).toMatchObject({
    status: "open",
    payment_id: null,
  });
  const [card] = (await browser.get("/payment-methods")).body;
  return { row, browser, later, cardId: card.id as number };
}

test("cards: the only card is not removed while a later order will be charged on it", async () => {
  const { browser, cardId } = await boxAndPreOrder();
  const refused = await browser.delete(`/payment-methods/${cardId}`);
  expect([refused.status, refused.body[1]?.code]).toEqual([409, "in_use"]);
  // With another default card it may go.
  const { body: cards } = await browser.post("/payment-methods", { card: OTHER_CARD });
  const other = cards.find(({ id }: { id: number }) => id !== cardId);
  await browser.put(`/payment-methods/${other.id}/default`);
  expect((await browser.delete(`/payment-methods/${cardId}`)).status).toBe(200);
  expect((await browser.delete(`/payment-methods/${other.id}`)).status).toBe(409);
  expect(await market.audit()).toEqual([]);
});

const CHALLENGED = { ...GOOD_CARD, number: "4000002500003155" };

/** What needs a saved card, and how it stops needing it. */
const NEEDS: [
  need: string,
  card: object,
  use: (who: Awaited<ReturnType<typeof shopper>>, cardId: number) => Promise<() => Promise<unknown>>,
][] = [
  [
    "holds the money of an order",
    GOOD_CARD,
    async (who, cardId) => {
      const placed = await who.browser.post("/checkout", await cartOf(who, { paymentMethodId: cardId }));
      expect(placed.status).toBe(201);
      return () => who.browser.post("/orders/edit-order", { order: { id: placed.body.orderId, items: [] } });
    },
  ],
  [
    "pays for a checkout that waits for the bank",
    CHALLENGED,
    async (who, cardId) => {
      const response = await who.browser.post("/checkout", await cartOf(who, { paymentMethodId: cardId }));
      expect(response.status).toBe(202);
      return () => who.browser.post(`/checkout/${response.body.challenge.attemptId}/complete`, { approve: false });
    },
  ],
];

test.each(NEEDS)(
  "cards: one that %s is not removed, even when another is the default, until it is needed no more",
  async (_, card, use) => {
    const who = await shopper();
    const [needed] = (await who.browser.post("/payment-methods", { card })).body;
    const done = await use(who, needed.id);
    const { body: cards } = await who.browser.post("/payment-methods", { card: OTHER_CARD });
    await who.browser.put(`/payment-methods/${cards.find(({ id }: { id: number }) => id !== needed.id).id}/default`);
    const remove = () => who.browser.delete(`/payment-methods/${needed.id}`);
    const refused = await remove();
    expect([refused.status, refused.body[1]?.code]).toEqual([409, "in_use"]);
    await done();
    expect((await remove()).status).toBe(200);
    expect(await market.audit()).toEqual([]);
  },
);

test("cards: the default card is not removed while a wagon pass renews on it", async () => {
  const { browser } = await shopper();
  expect((await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD })).status).toBe(200);
  const [card] = (await browser.get("/payment-methods")).body;
  expect((await browser.delete(`/payment-methods/${card.id}`)).status).toBe(409);
  await browser.delete("/wagon-pass");
  expect((await browser.delete(`/payment-methods/${card.id}`)).body).toEqual([]);
});

test("cards: one of another customer or provider, and a removed one, is neither offered at checkout nor pays", async () => {
  const [who, stranger] = [await shopper(), await shopper()];
  const [own] = (await who.browser.post("/payment-methods", { card: GOOD_CARD })).body;
  const [other] = (await stranger.browser.post("/payment-methods", { card: GOOD_CARD })).body;
  const body = await cartOf(who, { paymentMethodId: own.id });
  const offered = async () =>
    (await who.browser.post("/checkout/quote", body)).body.paymentMethods.map(({ id }: { id: number }) => id);
  const payWith = async (paymentMethodId: number) => {
    const answer = await who.browser.post("/checkout", { ...body, paymentMethodId });
    return [answer.status, answer.body[1]?.code];
  };
  expect([await offered(), await payWith(other.id)]).toEqual([[own.id], [422, "payment_required"]]);
  const removed = { provider: "test", deleted_at: market.clock.now(), is_default: false };
  for (const data of [{ provider: "stripe" }, removed]) {
    await db.payment_method.update({ where: { id: own.id }, data });
    expect([await offered(), await payWith(own.id)]).toEqual([[], [422, "payment_required"]]);
  }
  expect(await db.checkout_attempt.count({ where: { customer_id: who.row.id } })).toBe(0);
});

test("cards: the provider removes one that is not the default: the default stays, without a mail; a second report changes nothing", async () => {
  const { row, browser, cardId } = await boxAndPreOrder();
  const { body: cards } = await browser.post("/payment-methods", { card: OTHER_CARD });
  const other = cards.find(({ id }: { id: number }) => id !== cardId);
  const { provider_ref: ref } = await db.payment_method.findUniqueOrThrow({ where: { id: other.id } });
  const lose = () => forgetCard({ deps, now: market.clock.now() }, "test", ref);
  expect([await lose(), await lose()]).toEqual([true, false]);
  expect((await browser.get("/payment-methods")).body).toMatchObject([{ id: cardId, isDefault: true }]);
  expect(await db.mail.count({ where: { template: "card-removed", to_email: row.email! } })).toBe(0);
});

test("cards: one that the provider removes gives way to another, and the shopper of an order that needs it gets a mail", async () => {
  const { row, browser, later, cardId } = await boxAndPreOrder();
  const { body: cards } = await browser.post("/payment-methods", { card: OTHER_CARD });
  const other = cards.find(({ id }: { id: number }) => id !== cardId);
  const lose = async (id: number) => {
    const { provider_ref: ref } = await db.payment_method.findUniqueOrThrow({ where: { id } });
    return forgetCard({ deps, now: market.clock.now() }, "test", ref);
  };
  // Two reports at once about the same card.
  expect((await Promise.all([lose(cardId), lose(cardId)])).filter(Boolean)).toEqual([true]);
  expect(await db.payment_method.findUniqueOrThrow({ where: { id: other.id } })).toMatchObject({ is_default: true });
  await lose(other.id);
  const mails = await db.mail.findMany({
    where: { template: "card-removed", to_email: row.email! },
    orderBy: { id: "asc" },
  });
  expect(mails.map(({ data }) => data)).toEqual([
    { last4: "4242", nextLast4: "4444", orderId: later },
    { last4: "4444", nextLast4: null, orderId: later },
  ]);
});

test("cards: the same card saved twice, also at the same time, is one saved card", async () => {
  const { row, browser } = await shopper();
  const forgotten: string[] = [];
  const deleteCard = deps.payments.deleteCard;
  deps.payments.deleteCard = async (ref) => void forgotten.push(ref);
  try {
    await Promise.all([1, 2, 3].map(() => browser.post("/payment-methods", { card: GOOD_CARD })));
    const { body } = await browser.post("/payment-methods", { card: { ...GOOD_CARD, expYear: GOOD_CARD.expYear + 1 } });
    expect(body).toMatchObject([{ last4: "4242", expYear: GOOD_CARD.expYear + 1, isDefault: true }]);
  } finally {
    deps.payments.deleteCard = deleteCard;
  }
  const kept = await db.payment_method.findMany({ where: { customer_id: row.id } });
  expect(kept).toHaveLength(1);
  expect(new Set(forgotten).size).toBe(3);
  expect(forgotten).not.toContain(kept[0]!.provider_ref);
});

test("cards: one setup that is completed twice leaves its card attached at the provider", async () => {
  const { row } = await shopper();
  const detached: string[] = [];
  const { deleteCard } = deps.payments;
  deps.payments.deleteCard = async (ref) => void detached.push(ref);
  const saved = { ref: "pm_once", brand: "visa", last4: "4242", expMonth: 12, expYear: 2030, fingerprint: "same" };
  const keep = async (ref: string) =>
    (await keepCard({ deps, now: market.clock.now() }, asCustomerId(row.id), { ...saved, ref })).how;
  try {
    expect([await keep("pm_once"), await keep("pm_once")]).toEqual(["new", "known"]);
    expect(detached).toEqual([]);
    expect(await keep("pm_copy")).toBe("copy");
    expect(detached).toEqual(["pm_copy"]);
  } finally {
    deps.payments.deleteCard = deleteCard;
  }
  expect(await db.payment_method.count({ where: { customer_id: row.id, deleted_at: null } })).toBe(1);
});

/** A cart of one, and what its checkout sends. */
async function cartOf({ hub, browser }: Awaited<ReturnType<typeof shopper>>, choice: object) {
  const eggs = await createProduct(db, hub.id, { priceCents: 700 });
  await browser.put("/cart", [eggs.line(1)]);
  const { card: _, ...rest } = CHOICE;
  const body = { ...rest, ...choice };
  const { orderTotal } = (await browser.post("/checkout/quote", body)).body;
  return { ...body, expectedTotal: orderTotal };
}

/** Adds a card. Returns its id. */
async function addCard({ browser }: Awaited<ReturnType<typeof shopper>>, number: string): Promise<number> {
  const { status, body } = await browser.post("/payment-methods", { card: { ...GOOD_CARD, number } });
  expect(status, JSON.stringify(body)).toBe(200);
  return Math.max(...body.map(({ id }: { id: number }) => id));
}

test("cards: of three the newest of the others becomes the default when the default is removed, and another customer's default stays", async () => {
  const [who, stranger] = [await shopper(), await shopper()];
  const strangers = await addCard(stranger, GOOD_CARD.number);
  const [first, second, third] = [
    await addCard(who, cardNumber(1)),
    await addCard(who, cardNumber(2)),
    await addCard(who, cardNumber(3)),
  ];
  const shown = async ({ browser }: typeof who) =>
    (await browser.get("/payment-methods")).body.map((card: { id: number; isDefault: boolean }) => [
      card.id,
      card.isDefault,
    ]);
  expect(await shown(who)).toEqual([
    [first, true],
    [third, false],
    [second, false],
  ]);
  await who.browser.put(`/payment-methods/${second}/default`);
  await who.browser.put(`/payment-methods/${first}/default`);
  expect((await who.browser.delete(`/payment-methods/${first}`)).status).toBe(200);
  expect(await shown(who)).toEqual([
    [third, true],
    [second, false],
  ]);
  expect(await shown(stranger)).toEqual([[strangers, true]]);
});

test("cards: the provider cannot detach a removed card or a second copy: the answer is as if it had", async () => {
  const who = await shopper();
  const { deleteCard } = deps.payments;
  deps.payments.deleteCard = () => Promise.reject(new Error("No such payment method"));
  try {
    const card = await addCard(who, GOOD_CARD.number);
    expect(await addCard(who, GOOD_CARD.number)).toBe(card);
    const removed = await who.browser.delete(`/payment-methods/${card}`);
    expect([removed.status, removed.body]).toEqual([200, []]);
  } finally {
    deps.payments.deleteCard = deleteCard;
  }
});

test("cards: one without a fingerprint is always another card; one of another customer, of a deleted one, and a removed one are not kept", async () => {
  const [who, stranger, former] = [await shopper(), await shopper(), await shopper()];
  const { deleteCard } = deps.payments;
  const detached: string[] = [];
  deps.payments.deleteCard = async (ref) => void detached.push(ref);
  const keep = (customerId: number, ref: string, fingerprint: string) =>
    keepCard({ deps, now: market.clock.now() }, asCustomerId(customerId), {
      ref,
      brand: "visa",
      last4: "4242",
      expMonth: 12,
      expYear: 2030,
      fingerprint,
    });
  try {
    expect((await keep(who.row.id, "pm_blank_1", "")).how).toBe("new");
    const second = await keep(who.row.id, "pm_blank_2", "");
    expect(second.how).toBe("new");
    // The same card with another provider, which the market used before.
    const earlier = { provider: "stripe", provider_ref: "pm_moved", fingerprint: "moved" };
    await db.payment_method.update({ where: { id: second.id! }, data: earlier });
    expect((await keep(who.row.id, "pm_now", "moved")).how).toBe("new");

    expect(await keep(stranger.row.id, "pm_now", "other")).toEqual({ how: "known", id: null });
    const lost = () => forgetCard({ deps, now: market.clock.now() }, deps.payments.name, "pm_blank_1");
    expect(await forgetCard({ deps, now: market.clock.now() }, "stripe", "pm_blank_1")).toBe(false);
    expect(await lost()).toBe(true);
    expect(await keep(who.row.id, "pm_blank_1", "")).toEqual({ how: "known", id: null });
    expect(detached).toEqual([]);

    expect((await former.browser.delete("/account", { password: PASSWORD })).status).toBe(200);
    expect(await keep(former.row.id, "pm_late", "late")).toEqual({ how: "copy", id: null });
    expect(detached).toEqual(["pm_late"]);
    expect(await db.payment_method.count({ where: { customer_id: former.row.id } })).toBe(0);
  } finally {
    deps.payments.deleteCard = deleteCard;
  }
});

test("cards: one that is removed at the moment at which it is made the default: 404, and the other one is the default", async () => {
  const who = await shopper();
  const [kept, removed] = [await addCard(who, cardNumber(4)), await addCard(who, cardNumber(5))];
  const { chosen } = await transaction(db, async (tx) => {
    await execute(tx, sql`select id from customer where id = ${who.row.id}::int for no key update`);
    const request = who.browser.put(`/payment-methods/${removed}/default`);
    await waitForLock(db, request);
    await removeMethod(tx, asCustomerId(who.row.id), removed, market.clock.now());
    return { chosen: request };
  });
  expect((await chosen).status).toBe(404);
  expect((await who.browser.get("/payment-methods")).body).toMatchObject([{ id: kept, isDefault: true }]);
});

test("cards: the default one is needed by an order that is to be charged on it, in each state of the order and its payment", async () => {
  const who = await shopper();
  const customerId = asCustomerId(who.row.id);
  const card = await addCard(who, cardNumber(6));
  const other = await addCard(who, cardNumber(7));
  // Paid with a card that is typed and not saved.
  const placed = await who.browser.post("/checkout", await cartOf(who, { card: GOOD_CARD }));
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const { payment_id: paymentId, ...order } = await db.order.findUniqueOrThrow({ where: { id: placed.body.orderId } });
  const now = market.clock.now();
  const isNeeded = async (orderPart: object, paymentPart: object, id = card) => {
    await db.order.update({ where: { id: order.id }, data: orderPart });
    await db.payment.update({ where: { id: paymentId! }, data: paymentPart });
    const use = await transaction(db, (tx) => findUse(tx, customerId, id));
    await db.order.update({
      where: { id: order.id },
      data: { status: "open", payment_id: paymentId, written_off_at: null, credit_cents: 0, cancelled_at: null },
    });
    await db.payment.update({
      where: { id: paymentId! },
      data: { state: "authorized", hold_lost_at: null, payment_method_id: null },
    });
    return use!.in_use;
  };
  const rows: [orderPart: object, paymentPart: object, isNeeded: boolean][] = [
    [{}, {}, false],
    [{}, { hold_lost_at: now }, true],
    [{}, { state: "created" }, true],
    [{}, { state: "failed" }, true],
    [{}, { state: "voided" }, true],
    [{ payment_id: null }, {}, true],
    [{ payment_id: null, status: "future" }, {}, true],
    [{ payment_id: null, status: "pending" }, {}, true],
    [{ payment_id: null, status: "closed" }, {}, true],
    [{ payment_id: null, status: "cancelled", cancelled_at: now }, {}, false],
    [{ payment_id: null, status: "closed", written_off_at: now }, {}, false],
    [{ payment_id: null, credit_cents: order.order_total_cents }, {}, false],
  ];
  for (const [orderPart, paymentPart, expected] of rows) {
    const part = JSON.stringify([orderPart, paymentPart]);
    expect([part, await isNeeded(orderPart, paymentPart)]).toEqual([part, expected]);
    // Another card is not charged instead.
    expect([part, await isNeeded(orderPart, paymentPart, other)]).toEqual([part, false]);
  }
  const holdsOther = { payment_method_id: other };
  expect(await isNeeded({ status: "pending" }, holdsOther, other)).toBe(true);
  expect(await isNeeded({ status: "closed" }, { ...holdsOther, state: "captured" }, other)).toBe(false);
  expect(await transaction(db, (tx) => findUse(tx, asCustomerId(who.row.id + 1_000_000), card))).toBeNull();
});

test("cards: the database keeps a customer's card once", async () => {
  const { row } = await shopper();
  const card = { customer_id: row.id, provider: "test", brand: "visa", last4: "4242", exp_month: 12, exp_year: 2030 };
  const add = (provider_ref: string, fingerprint: string) =>
    db.payment_method.create({ data: { ...card, provider_ref, fingerprint } });
  const first = await add("pm_a", "same");
  await expect(add("pm_b", "same")).rejects.toThrow("payment_method_card_key");
  await db.payment_method.update({ where: { id: first.id }, data: { deleted_at: market.clock.now() } });
  await add("pm_b", "same");
  await add("pm_c", "");
  await add("pm_d", "");
});

test("cards: a saved card that is typed again at checkout stays one, and its copy is detached at the provider", async () => {
  const who = await shopper();
  await who.browser.post("/payment-methods", { card: GOOD_CARD });
  const [saved] = await db.payment_method.findMany({ where: { customer_id: who.row.id } });
  const detached: string[] = [];
  const { deleteCard } = deps.payments;
  deps.payments.deleteCard = async (ref) => void detached.push(ref);
  try {
    const body = await cartOf(who, { card: GOOD_CARD, savePaymentMethod: true });
    expect((await who.browser.post("/checkout", body)).status).toBe(201);
  } finally {
    deps.payments.deleteCard = deleteCard;
  }
  expect(detached).toHaveLength(1);
  expect(detached).not.toContain(saved!.provider_ref);
  expect(await db.payment_method.findMany({ where: { customer_id: who.row.id } })).toMatchObject([{ id: saved!.id }]);
  expect(await db.payment.findFirstOrThrow({ where: { customer_id: who.row.id } })).toMatchObject({
    state: "authorized",
    payment_method_id: saved!.id,
  });
  expect(await market.audit()).toEqual([]);
});

describe("cards: chosen at checkout and removed in another tab at the same time", () => {
  test("removed before the checkout is written: checkout answers 422 `payment_required`, and nothing is held", async () => {
    const who = await shopper();
    const [card] = (await who.browser.post("/payment-methods", { card: GOOD_CARD })).body;
    const body = await cartOf(who, { paymentMethodId: card.id });
    // The checkout has read the card, and has not written that it pays with it.
    const gate = Promise.withResolvers<void>();
    points.plan["checkout:chosen"] = { until: gate.promise };
    const paying = who.browser.post("/checkout", body);
    await points.reached("checkout:chosen");
    const removed = await who.browser.delete(`/payment-methods/${card.id}`);
    gate.resolve();
    const paid = await paying;
    expect([removed.status, paid.status, paid.body[0], paid.body[1]?.code]).toEqual([
      200,
      422,
      "Choose a card.",
      "payment_required",
    ]);
    expect(await db.checkout_attempt.count({ where: { customer_id: who.row.id } })).toBe(0);
    expect(await market.audit()).toEqual([]);
  });

  test("removed while the checkout is being written: it waits, and is refused because the card is in use", async () => {
    const who = await shopper();
    const [card] = (await who.browser.post("/payment-methods", { card: GOOD_CARD })).body;
    const body = await cartOf(who, { paymentMethodId: card.id });
    const gate = Promise.withResolvers<void>();
    points.plan["checkout:holding"] = { until: gate.promise };
    const paying = who.browser.post("/checkout", body);
    await points.reached("checkout:holding");
    const removing = who.browser.delete(`/payment-methods/${card.id}`);
    await untilLockWaits();
    gate.resolve();
    const [paid, removed] = await Promise.all([paying, removing]);
    expect([paid.status, removed.status, removed.body[1]?.code]).toEqual([201, 409, "in_use"]);
    expect(await market.audit()).toEqual([]);
  });

  test("removed by the provider while the checkout waits to pay: it ends without an order, and the stock is free", async () => {
    const who = await shopper();
    const [card] = (await who.browser.post("/payment-methods", { card: GOOD_CARD })).body;
    const { provider_ref: ref } = await db.payment_method.findUniqueOrThrow({ where: { id: card.id } });
    const body = await cartOf(who, { paymentMethodId: card.id });
    const gate = Promise.withResolvers<void>();
    points.plan["checkout:held"] = { until: gate.promise };
    const paying = who.browser.post("/checkout", body);
    await points.reached("checkout:held");
    await forgetCard({ deps, now: market.clock.now() }, "test", ref);
    gate.resolve();
    const { status, body: answer } = await paying;
    expect([status, answer[1]?.code]).toEqual([422, "payment_required"]);
    expect(await db.checkout_attempt.findFirstOrThrow({ where: { customer_id: who.row.id } })).toMatchObject({
      state: "failed",
    });
    expect(await db.stock_hold.count()).toBe(0);
    expect(await market.audit()).toEqual([]);
  });
});
