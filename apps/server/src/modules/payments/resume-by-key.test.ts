import { describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  newKey,
  PASSWORD,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const hub = await createHub(db);
const CHALLENGE = { ...GOOD_CARD, number: "4000002500003155" };
const DECLINED = { ...GOOD_CARD, number: "4000000000000002" };
const gift = { amount: 50, recipientEmail: "friend@example.com", message: "", deliverOn: "2026-12-24" };
const header = (key: string) => ({ "idempotency-key": key });

async function customer() {
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  const resume = async (path: "/purchases" | "/checkout", key: string) => {
    const { status, body } = await browser.post(`${path}/resume`, { key });
    return { status, body: status < 300 ? body : body[1].code };
  };
  const captured = () => db.payment.count({ where: { customer_id: row.id, state: "captured" } });
  return { row, browser, resume, captured };
}

/** Stops the server at a point of what `send` does; its idempotency key is left as by a killed process. */
async function killedAt(point: string, send: () => Promise<unknown>) {
  const never = Promise.withResolvers<void>();
  points.passed.length = 0;
  points.plan[point] = { until: never.promise };
  const reached = points.reached(point);
  const unanswered = send();
  await reached;
  delete points.plan[point];
  return async () => {
    never.resolve();
    await unanswered;
    market.clock.set(MONDAY);
  };
}

describe("the result of a payment, by the key of its request", () => {
  test("gift card: what was bought is found, by its buyer alone; an unknown and a declined key bought nothing", async () => {
    const buyer = await customer();
    const key = newKey();
    expect(await buyer.resume("/purchases", key)).toEqual({ status: 404, body: "no_attempt" });
    expect((await buyer.browser.post("/gift-cards", { ...gift, card: GOOD_CARD }, header(key))).status).toBe(201);
    const found = {
      status: 200,
      body: { kind: "gift-card", amount: 50, recipientEmail: gift.recipientEmail, deliverOn: gift.deliverOn },
    };
    expect(await buyer.resume("/purchases", key)).toEqual(found);
    expect(await (await customer()).resume("/purchases", key)).toEqual({ status: 404, body: "no_attempt" });
    const declined = newKey();
    expect((await buyer.browser.post("/gift-cards", { ...gift, card: DECLINED }, header(declined))).status).toBe(402);
    expect(await buyer.resume("/purchases", declined)).toEqual({ status: 404, body: "no_attempt" });
    // The same key pays for the next try, a moment later.
    market.clock.advance(1000);
    expect((await buyer.browser.post("/gift-cards", { ...gift, card: GOOD_CARD }, header(declined))).status).toBe(201);
    expect(await buyer.captured()).toBe(2);
    expect(await buyer.resume("/purchases", declined)).toEqual(found);
    market.clock.set("2026-11-23T17:00:00Z");
    expect(await market.audit()).toEqual([]);
  });

  test("wagon pass: the bank's challenge is found again until it is answered, then the pass; while the provider does not answer, neither", async () => {
    const { browser, resume, captured } = await customer();
    const key = newKey();
    const { body } = await browser.post("/wagon-pass", { plan: "yearly", card: CHALLENGE }, header(key));
    const { find, confirm } = deps.payments;
    const silent = () => Promise.reject(new ProviderUnavailable("away"));
    Object.assign(deps.payments, { find: silent, confirm: silent });
    try {
      expect(await resume("/purchases", key)).toEqual({ status: 409, body: "still_running" });
      const answered = await browser.post(`/purchases/${body.challenge.paymentId}/complete`, { approve: true });
      expect([answered.status, answered.body[1].code]).toEqual([503, "payments_down"]);
    } finally {
      Object.assign(deps.payments, { find, confirm });
    }
    expect(await resume("/purchases", key)).toEqual({ status: 202, body });
    await browser.post(`/purchases/${body.challenge.paymentId}/complete`, { approve: true });
    expect(await resume("/purchases", key)).toEqual({ status: 200, body: { kind: "wagon-pass", plan: "yearly" } });
    expect(await captured()).toBe(1);
  });

  test.each(["purchase:written", "purchase:authorized", "purchase:captured"])(
    "gift card: a server that dies at %s leaves a purchase that is still running, then bought or free for another body",
    async (point) => {
      const { browser, resume, captured } = await customer();
      const key = newKey();
      const revive = await killedAt(point, () =>
        browser.post("/gift-cards", { ...gift, card: GOOD_CARD }, header(key)),
      );
      try {
        expect(await resume("/purchases", key)).toEqual({ status: 409, body: "still_running" });
        market.clock.advance(30_000);
        const { status } = await resume("/purchases", key);
        expect(status).toBe(point === "purchase:written" ? 404 : 200);
        expect(await captured()).toBe(status === 200 ? 1 : 0);
        const again = await browser.post("/gift-cards", { ...gift, amount: 60, card: GOOD_CARD }, header(key));
        expect(again.status).toBe(status === 200 ? 422 : 201);
      } finally {
        await revive();
      }
      expect(await captured()).toBe(1);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("checkout: the order is found, by its customer alone; a refusal is found with its reason, an unknown key is free", async () => {
    const buyer = await customer();
    const eggs = await createProduct(db, hub.id, { inventory: 50 });
    const pay = async (key: string, card: object) => {
      await buyer.browser.put("/cart", [eggs.line(1)]);
      const { orderTotal } = (await buyer.browser.post("/checkout/quote", CHOICE)).body;
      return buyer.browser.post("/checkout", { ...CHOICE, card, expectedTotal: orderTotal }, header(key));
    };
    const [unknown, declined, challenged, placed] = [newKey(), newKey(), newKey(), newKey()];
    expect(await buyer.resume("/checkout", unknown)).toEqual({ status: 404, body: "no_attempt" });
    expect((await pay(declined, DECLINED)).status).toBe(402);
    expect(await buyer.resume("/checkout", declined)).toEqual({ status: 402, body: "card_declined" });
    const { body: challenge } = await pay(challenged, CHALLENGE);
    expect(await buyer.resume("/checkout", challenged)).toEqual({ status: 202, body: challenge });
    const { status, body } = await pay(placed, GOOD_CARD);
    expect(status).toBe(201);
    expect(await buyer.resume("/checkout", placed)).toEqual({ status: 201, body });
    expect(await buyer.resume("/checkout", challenged)).toEqual({ status: 409, body: "superseded" });
    expect(await (await customer()).resume("/checkout", placed)).toEqual({ status: 404, body: "no_attempt" });
    expect(await market.audit()).toEqual([]);
  });

  test("checkout: a server that dies with the card authorized leaves one order, found by its key", async () => {
    const { browser, resume, row } = await customer();
    const eggs = await createProduct(db, hub.id, { inventory: 50 });
    await browser.put("/cart", [eggs.line(1)]);
    const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
    const body = { ...CHOICE, card: GOOD_CARD, expectedTotal: orderTotal };
    const key = newKey();
    const revive = await killedAt("checkout:paid", () => browser.post("/checkout", body, header(key)));
    try {
      expect(await resume("/checkout", key)).toEqual({ status: 409, body: "still_running" });
      market.clock.advance(30_000);
      expect((await resume("/checkout", key)).status).toBe(201);
    } finally {
      await revive();
    }
    expect(await db.order.count({ where: { customer_id: row.id } })).toBe(1);
    expect(await market.audit()).toEqual([]);
  });
});
