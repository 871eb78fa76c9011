import { Placed, Quote } from "@marketday/contracts/checkout";
import { Order } from "@marketday/contracts/orders";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  ADDRESS,
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  newKey,
  PASSWORD,
  setInventory,
  type TestProduct,
} from "../../../test/factories.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import { sendDueMail } from "../mail/send-mail.ts";

const market = await buildTestApp();
const { db, deps } = market;
const hub = await createHub(db);

/** A logged-in customer with these lines in the cart. */
async function customerWith(
  lines: ReturnType<TestProduct["line"]>[],
  options: { creditCents?: number; hubId?: number } = {},
) {
  const customer = await createCustomer(db, {
    hubId: options.hubId ?? hub.id,
    pepper: deps.env.pepper,
    creditCents: options.creditCents ?? 0,
  });
  const browser = market.shopper();
  expect((await browser.post("/auth/login", { username: customer.email, password: PASSWORD })).status).toBe(200);
  if (lines.length > 0) expect((await browser.put("/cart", lines)).status).toBe(200);
  return { customer, browser };
}

type Customer = Awaited<ReturnType<typeof customerWith>>;

const quoteOf = async ({ browser }: Customer, choice: object = CHOICE) => {
  const { status, body } = await browser.post("/checkout/quote", choice);
  expect(status, JSON.stringify(body)).toBe(200);
  return Quote.parse(body);
};

const pay = async (who: Customer, choice: object = CHOICE, headers: Record<string, string> = {}) => {
  const quote = await quoteOf(who, choice);
  return who.browser.post("/checkout", { ...choice, expectedTotal: quote.orderTotal }, headers);
};

const stockOf = async (product: TestProduct) =>
  (await db.offer.findFirstOrThrow({ where: { variant_id: product.variant.id, hub_id: hub.id } })).inventory;

test(
  "checkout: the placed order, stock, ledger, cart and email match the quote",
  { tags: ["spec:3-18", "spec:3-20", "spec:3-21", "spec:7.3-02", "fail:V1", "fail:V3"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { title: "Pasture Eggs", priceCents: 725, inventory: 8 });
    const bread = await createProduct(db, hub.id, { title: "Sourdough", priceCents: 950, salePriceCents: 900 });
    const who = await customerWith([eggs.line(2), bread.line(1)]);
    const quote = await quoteOf(who);
    // 23.50 of items: tip 10 % 2.35, tax 7 % 1.645 → 1.65, card 3 % + 0.30 = 1.01 (0.705 → 0.71), delivery 8.95
    expect(quote).toMatchObject({
      subtotal: 23.5,
      tip: 2.35,
      tax: 1.65,
      processingFee: 9.96,
      fees: { delivery: 8.95, card: 1.01 },
      orderTotal: 37.46,
      amountDue: 37.46,
      deliveryDate: "2026-11-26",
      timeZone: "America/Indiana/Indianapolis",
    });
    const answer = await pay(who);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const { orderId, orderIds } = Placed.parse(answer.body);
    expect(orderIds).toEqual([orderId]);
    expect(String(orderId)).toMatch(/^[1-9]\d{8}$/);

    const order = Order.parse((await who.browser.get(`/orders/${orderId}`)).body);
    expect(order).toMatchObject({
      status: "open",
      type: "delivery",
      deliveryAddress: { address: "12 Main Street", zipCode: "46032" },
      tip: 2.35,
      tax: 1.65,
      processingFee: 9.96,
      discountAmount: 0,
      orderTotal: 37.46,
      deliveryDate: "2026-11-26",
      addOns: null,
    });
    expect(
      order.items.map(({ quantity, product }) => [
        product.title,
        quantity,
        product.variant.price,
        product.variant.salePrice,
        product.variant.inventory,
      ]),
    ).toEqual([
      ["Pasture Eggs", 2, 7.25, null, 6],
      ["Sourdough", 1, 9.5, 9, 9],
    ]);
    expect(await stockOf(eggs)).toBe(6);
    expect((await who.browser.get("/cart")).body.items).toEqual([]);
    const payment = await db.payment.findFirstOrThrow({ where: { customer_id: who.customer.id } });
    expect(payment).toMatchObject({ state: "authorized", amount_cents: 3746, provider: "test" });
    expect(await db.test_charge.findMany({ where: { id: payment.provider_ref! } })).toMatchObject([
      { state: "authorized", amount_cents: 3746 },
    ]);
    await sendDueMail(deps);
    expect(await db.mail.findUniqueOrThrow({ where: { key: `order-confirmation:${orderId}` } })).toMatchObject({
      to_email: who.customer.email,
      last_error: null,
      sent_at: expect.any(Date),
    });
    expect(await market.audit()).toEqual([]);
  },
);

test("placing an order takes at most 40 statements", async () => {
  const products = await Promise.all(Array.from({ length: 6 }, () => createProduct(db, hub.id)));
  const who = await customerWith(products.map((product) => product.line(1)));
  const quote = await quoteOf(who);
  market.app.dropSession(null);
  const statements = await market.statements(async () => {
    const answer = await who.browser.post(
      "/checkout",
      { ...CHOICE, expectedTotal: quote.orderTotal },
      { "idempotency-key": newKey() },
    );
    expect(answer.status).toBe(201);
  });
  expect(statements.length, statements.map((text) => text.slice(0, 60)).join("\n")).toBeLessThanOrEqual(40);
});

test(
  "checkout and orders: a guest is refused, another customer's order and an unknown order are 404",
  { tags: ["spec:7.3-02", "fail:G3"] },
  async () => {
    const guest = market.shopper();
    await guest.post("/auth/guest?zipCode=46032");
    const refused = await guest.post("/checkout", { ...CHOICE, expectedTotal: 1 });
    expect([refused.status, refused.body[1].code]).toEqual([401, "login_required"]);
    const eggs = await createProduct(db, hub.id);
    const owner = await customerWith([eggs.line(1)]);
    const { orderId } = (await pay(owner)).body;
    const own = await owner.browser.get(`/orders/${orderId}`);
    expect([own.status, own.body.id]).toEqual([200, orderId]);
    const other = await customerWith([]);
    const forbidden = await other.browser.get(`/orders/${orderId}`);
    const unknown = await other.browser.get("/orders/999999999");
    expect([forbidden.status, forbidden.body]).toEqual([404, unknown.body]);
    expect((await guest.get(`/orders/${orderId}`)).status).toBe(401);
  },
);

test(
  "order ids: nine random digits reveal neither the number of orders nor the next id",
  { tags: ["fail:G3"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 99 });
    const who = await customerWith([]);
    const ids: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      await who.browser.put("/cart", [eggs.line(1)]);
      const placed = await pay(who);
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      ids.push(placed.body.orderId);
    }
    const sorted = ids.toSorted((a, b) => a - b);
    expect(new Set(ids).size).toBe(12);
    for (const id of ids) expect(String(id)).toMatch(/^[1-9]\d{8}$/);
    // Random ids are in ascending order once in 479,001,600 runs, and never this close to each other.
    expect(ids).not.toEqual(sorted);
    expect(ids).not.toEqual(sorted.toReversed());
    expect(sorted.at(-1)! - sorted[0]!).toBeGreaterThan(10_000_000);
  },
);

test("checkout: a market without a configured delivery fee charges 8.95", { tags: ["spec:9-22"] }, async () => {
  const plain = await createHub(db, { deliveryFeeCents: null, zips: ["46220"] });
  const eggs = await createProduct(db, plain.id);
  const who = await customerWith([eggs.line(1)], { hubId: plain.id });
  const choice = { ...CHOICE, deliveryAddress: { ...ADDRESS, zipCode: "46220" } };
  expect((await quoteOf(who, choice)).fees.delivery).toBe(8.95);
  const placed = await pay(who, choice);
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  expect(await db.order.findFirstOrThrow({ where: { customer_id: who.customer.id } })).toMatchObject({
    delivery_fee_cents: 895,
  });
});

test(
  "checkout: an empty cart is refused, and names the order that emptied it within the last hour",
  { tags: ["fail:A5", "fail:M1"] },
  async () => {
    const who = await customerWith([]);
    const refused = async () => {
      const { status, body } = await who.browser.post("/checkout", { ...CHOICE, expectedTotal: 0 });
      expect([status, body[0], body[1].code]).toEqual([409, "This cart was already checked out.", "cart_empty"]);
      return body[1].orderIds;
    };
    expect(await refused()).toBeUndefined();
    await who.browser.put("/cart", [(await createProduct(db, hub.id)).line(1)]);
    const { orderIds } = (await pay(who)).body;
    market.clock.advance(60 * 60_000);
    expect(await refused()).toEqual(orderIds);
    market.clock.advance(1);
    expect(await refused()).toBeUndefined();
    market.clock.set("2026-11-23T17:00:00Z");
  },
);

test("checkout: each order sets where the customer receives, and the address of the last delivery stays the default", async () => {
  const eggs = await createProduct(db, hub.id);
  const who = await customerWith([]);
  const pickup = { ...CHOICE, type: "pickup", pickupPointId: hub.pickup_points[0]!.id };
  const saved = [];
  for (const choice of [
    pickup,
    CHOICE,
    { ...CHOICE, deliveryAddress: { ...ADDRESS, address: "9 Elm Street" } },
    pickup,
  ]) {
    await who.browser.put("/cart", [eggs.line(1)]);
    expect((await pay(who, choice)).status).toBe(201);
    const rows = await db.address.findMany({ where: { customer_id: who.customer.id } });
    const { pickup_point_id } = await db.customer.findUniqueOrThrow({ where: { id: who.customer.id } });
    saved.push([pickup_point_id, ...rows.map((row) => [row.address, row.zip_code, row.is_default])]);
  }
  const point = hub.pickup_points[0]!.id;
  const elm = ["9 Elm Street", ADDRESS.zipCode, true];
  expect(saved).toEqual([[point], [null, [ADDRESS.address, ADDRESS.zipCode, true]], [null, elm], [point, elm]]);
  // It is delivered to when the checkout names none.
  await who.browser.put("/cart", [eggs.line(1)]);
  const placed = await pay(who, { ...CHOICE, deliveryAddress: undefined });
  expect((await who.browser.get(`/orders/${placed.body.orderId}`)).body.deliveryAddress).toMatchObject({
    address: "9 Elm Street",
  });
});

test(
  "checkout: the same idempotency key replays the first response; another body or cart is refused",
  { tags: ["fail:A5", "fail:B3", "fail:V2"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 5 });
    const who = await customerWith([eggs.line(1)]);
    const quote = await quoteOf(who);
    const body = { ...CHOICE, expectedTotal: quote.orderTotal };
    const key = { "idempotency-key": newKey() };
    const first = await who.browser.post("/checkout", body, key);
    const again = await who.browser.post("/checkout", body, key);
    expect(first.status).toBe(201);
    expect([again.status, again.body, again.headers["idempotent-replayed"]]).toEqual([201, first.body, "true"]);
    const other = await who.browser.post("/checkout", { ...body, tipPercentage: 20 }, key);
    expect([other.status, other.body]).toEqual([
      422,
      ["Idempotency key was used with another request.", { code: "key_reused" }],
    ]);
    const otherKey = await who.browser.post("/checkout", body, { "idempotency-key": newKey() });
    expect([otherKey.status, otherKey.body[1].code]).toEqual([409, "cart_empty"]);
    expect(await db.order.count({ where: { customer_id: who.customer.id } })).toBe(1);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "checkout: a sold-out line is listed in the error and becomes watched, and the rest can be bought",
  { tags: ["fail:A4"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 3 });
    const bread = await createProduct(db, hub.id);
    const who = await customerWith([eggs.line(2), bread.line(1)]);
    const quote = await quoteOf(who);
    await setInventory(db, eggs.variant.id, hub.id, 0);
    const answer = await who.browser.post("/checkout", { ...CHOICE, expectedTotal: quote.orderTotal });
    expect([answer.status, answer.body[1]]).toEqual([
      409,
      { code: "sold_out", items: [{ variantId: eggs.variant.id, wanted: 2, left: 0 }] },
    ]);
    const cart = (await who.browser.get("/cart")).body;
    expect(cart.items.map((item: { watching: boolean }) => item.watching)).toEqual([true, false]);
    expect(cart.banners[0].type).toBe("warning");
    expect((await pay(who)).status).toBe(201);
    expect(await market.audit()).toEqual([]);
  },
);

test("checkout: the same variant alone and in a bundle cannot exceed the stock", { tags: ["fail:A2"] }, async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 10 });
  const bundle = await db.bundle.create({
    data: {
      slug: "breakfast",
      title: "Breakfast",
      hubs: { create: { hub_id: hub.id } },
      items: { create: { variant_id: eggs.variant.id, quantity: 2 } },
    },
  });
  const who = await customerWith([eggs.line(3), { ...eggs.line(3), fromBundleId: bundle.id } as never]);
  const quote = await quoteOf(who);
  await setInventory(db, eggs.variant.id, hub.id, 5);
  const answer = await who.browser.post("/checkout", { ...CHOICE, expectedTotal: quote.orderTotal });
  expect([answer.status, answer.body[1].items]).toEqual([409, [{ variantId: eggs.variant.id, wanted: 6, left: 5 }]]);
  expect(await stockOf(eggs)).toBe(5);
});

test(
  "checkout: a price changed since the quote is returned in a new quote and not charged",
  { tags: ["fail:B15"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { priceCents: 700 });
    const who = await customerWith([eggs.line(1)]);
    const quote = await quoteOf(who);
    await db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { price_cents: 800 } });
    const answer = await who.browser.post("/checkout", { ...CHOICE, expectedTotal: quote.orderTotal });
    expect([answer.status, answer.body[0], answer.body[1].code]).toEqual([
      409,
      "The total has changed. Please review it.",
      "total_changed",
    ]);
    const fresh = Quote.parse(answer.body[1].quote);
    expect(fresh.subtotal).toBe(8);
    expect(await db.payment.count({ where: { customer_id: who.customer.id } })).toBe(0);
    const second = await who.browser.post("/checkout", { ...CHOICE, expectedTotal: fresh.orderTotal });
    expect(second.status).toBe(201);
  },
);

test("checkout: amounts in the request body are ignored", { tags: ["fail:B16", "fail:G5"] }, async () => {
  const eggs = await createProduct(db, hub.id, { priceCents: 700 });
  const who = await customerWith([eggs.line(1)]);
  const quote = await quoteOf(who);
  const lies = {
    price: 0.01,
    total: 0.01,
    discountAmount: 5,
    tip: 0,
    tax: 0,
    credit: 99,
    customerId: 1,
    hubId: 99,
    isGuest: false,
    role: "admin",
    orderTotal: 0,
  };
  const answer = await who.browser.post("/checkout", { ...CHOICE, ...lies, expectedTotal: quote.orderTotal });
  expect(answer.status).toBe(201);
  const order = await db.order.findFirstOrThrow({ where: { customer_id: who.customer.id } });
  expect(order.order_total_cents).toBe(Math.round(quote.orderTotal * 100));
  for (const tip of [-5, 7, "20", Number.MAX_VALUE, [20], null, 15]) {
    const refused = await who.browser.post("/checkout", { ...CHOICE, tipPercentage: tip, expectedTotal: 1 });
    expect([tip, refused.status]).toEqual([tip, 400]);
  }
});

test("checkout: a declined card, insufficient funds or an unavailable provider charges nothing and keeps the cart", async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 4 });
  const who = await customerWith([eggs.line(1)]);
  const cards = [
    ["4000000000000002", 402, "card_declined"],
    ["4000000000009995", 402, "insufficient_funds"],
    ["4000000000000119", 503, "payments_down"],
  ] as const;
  for (const [number, status, code] of cards) {
    const answer = await pay(who, { ...CHOICE, card: { ...GOOD_CARD, number } });
    expect([number, answer.status, answer.body[1].code]).toEqual([number, status, code]);
    expect(await stockOf(eggs)).toBe(4);
  }
  expect((await who.browser.get("/cart")).body.items).toHaveLength(1);
  expect(await market.audit()).toEqual([]);
  expect((await pay(who)).status).toBe(201);
});

test(
  "checkout: when the provider charges and then fails, the charge is looked up by the same key",
  { tags: ["fail:B5", "fail:B11"] },
  async () => {
    const real = deps.payments;
    const keys: string[] = [];
    const moody = await buildTestApp({
      url: market.url,
      env: { SESSION_SECRET: deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: deps.env.pepper },
      overrides: {
        payments: {
          ...real,
          authorize: async (request) => {
            keys.push(request.key);
            await real.authorize(request);
            throw new ProviderUnavailable("500 after the charge");
          },
          find: (charge) => {
            keys.push(charge.key);
            return real.find(charge);
          },
        },
      },
    });
    const eggs = await createProduct(db, hub.id, { inventory: 4 });
    const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const browser = moody.shopper();
    await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
    await browser.put("/cart", [eggs.line(1)]);
    const placed = await pay({ customer, browser });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    expect(new Set(keys).size).toBe(1);
    const charges = await db.test_charge.findMany({ where: { idempotency_key: keys[0]! } });
    expect(charges).toMatchObject([{ state: "authorized" }]);
    expect(await market.audit()).toEqual([]);
  },
);

test("checkout: an approved bank challenge places the order, a refused one releases everything", async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 4 });
  const card = { ...GOOD_CARD, number: "4000002500003155" };
  const who = await customerWith([eggs.line(1)]);
  const response = await pay(who, { ...CHOICE, card });
  expect(response.status).toBe(202);
  expect(await stockOf(eggs)).toBe(3);
  const { attemptId } = response.body.challenge;
  const stranger = await customerWith([]);
  expect((await stranger.browser.post(`/checkout/${attemptId}/complete`, { approve: true })).status).toBe(404);
  const placed = await who.browser.post(`/checkout/${attemptId}/complete`, { approve: true });
  expect(placed.status).toBe(201);
  const again = await who.browser.post(`/checkout/${attemptId}/complete`, { approve: true });
  expect([again.status, again.body]).toEqual([201, placed.body]);

  const other = await customerWith([eggs.line(1)]);
  const second = await pay(other, { ...CHOICE, card });
  const refused = await other.browser.post(`/checkout/${second.body.challenge.attemptId}/complete`, { approve: false });
  expect([refused.status, refused.body[1].code]).toEqual([402, "card_declined"]);
  expect(await stockOf(eggs)).toBe(3);
  expect(await market.audit()).toEqual([]);
});

test("checkout: the sweep voids a charge that could not be voided at once", { tags: ["fail:V4"] }, async () => {
  const real = deps.payments;
  let broken = true;
  const moody = await buildTestApp({
    url: market.url,
    env: { SESSION_SECRET: deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: deps.env.pepper },
    overrides: {
      payments: {
        ...real,
        void: (key) => (broken ? Promise.reject(new ProviderUnavailable("no answer")) : real.void(key)),
      },
    },
  });
  const eggs = await createProduct(db, hub.id, { inventory: 4 });
  const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = moody.shopper();
  await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
  await browser.put("/cart", [eggs.line(1)]);
  const who = { customer, browser };
  const response = await pay(who, { ...CHOICE, card: { ...GOOD_CARD, number: "4000002500003155" } });
  const attempt = { where: { idempotency_key: response.body.challenge.attemptId as string } };
  const { order_total_cents: total } = await db.checkout_attempt.findUniqueOrThrow({
    where: { id: response.body.challenge.attemptId },
  });
  expect((await browser.post("/checkout", { ...CHOICE, expectedTotal: total / 100 })).status).toBe(201);
  expect(await db.test_charge.findFirstOrThrow(attempt)).toMatchObject({ state: "requires_action" });
  broken = false;
  const ctx = { now: moody.clock.now(), actor: { type: "system" as const, job: "checkouts" }, deps: moody.deps };
  moody.clock.advance(30_000);
  expect(await resumeAbandoned(ctx)).toBe(1);
  expect(await db.test_charge.findFirstOrThrow(attempt)).toMatchObject({ state: "voided" });
  expect(await resumeAbandoned(ctx)).toBe(0);
  expect(await market.audit()).toEqual([]);
});

test(
  "checkout: the provider is unavailable while another tab's abandoned attempt is resumed: 503, and the next retry places one order",
  { tags: ["fail:B10"] },
  async () => {
    let isAway = false;
    const real = deps.payments;
    const away = () => Promise.reject(new ProviderUnavailable("no answer"));
    const moody = await buildTestApp({
      url: market.url,
      env: { SESSION_SECRET: deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: deps.env.pepper },
      overrides: {
        payments: {
          ...real,
          authorize: (request) => (isAway ? away() : real.authorize(request)),
          find: (charge) => (isAway ? away() : real.find(charge)),
        },
        failpoint: async (point) => {
          if (point === "checkout:asking" && !isAway) throw new Error("died");
        },
      },
    });
    const eggs = await createProduct(db, hub.id, { inventory: 4 });
    const { id, email } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const browser = moody.shopper();
    await browser.post("/auth/login", { username: email, password: PASSWORD });
    await browser.put("/cart", [eggs.line(1)]);
    const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
    const order = { ...CHOICE, expectedTotal: orderTotal as number };
    expect((await browser.post("/checkout", order)).status).toBe(500);
    isAway = true;
    moody.clock.advance(60_000);
    const refused = await browser.post("/checkout", order);
    expect([refused.status, refused.body[1].code]).toEqual([503, "payments_down"]);
    expect(refused.headers["retry-after"]).toBe("5");
    expect(await stockOf(eggs)).toBe(3);
    const other = market.shopper();
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    market.clock.advance(60_000);
    const placed = await other.post("/checkout", order);
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    expect(await db.order.findMany({ where: { customer_id: id } })).toMatchObject([{ id: placed.body.orderId }]);
    market.clock.set("2026-11-23T17:00:00Z");
    expect(await market.audit()).toEqual([]);
  },
);

test("checkout: starting over after leaving the bank's challenge releases the first hold", async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 1 });
  const who = await customerWith([eggs.line(1)]);
  const response = await pay(who, { ...CHOICE, card: { ...GOOD_CARD, number: "4000002500003155" } });
  expect(response.status).toBe(202);
  const quote = {
    ...CHOICE,
    expectedTotal:
      (await db.checkout_attempt.findFirstOrThrow({ where: { customer_id: who.customer.id } })).order_total_cents / 100,
  };
  const placed = await who.browser.post("/checkout", quote);
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const late = await who.browser.post(`/checkout/${response.body.challenge.attemptId}/complete`, { approve: true });
  expect(late.status).toBe(409);
  expect(
    await db.test_charge.findMany({ where: { idempotency_key: response.body.challenge.attemptId } }),
  ).toMatchObject([{ state: "voided" }]);
  expect(await market.audit()).toEqual([]);
});

test("checkout: an address outside the hub, a pickup without a point of the hub and a missing card are refused", async () => {
  const eggs = await createProduct(db, hub.id);
  const who = await customerWith([eggs.line(1)]);
  const [point] = hub.pickup_points;
  const { id: _, ...depot } = point!;
  const closed = await db.pickup_point.create({ data: { ...depot, name: "Closed depot", is_active: false } });
  const abroad = (await createHub(db, { zips: ["60601"] })).pickup_points[0]!;
  expect((await quoteOf(who)).pickupPoints.map(({ name }) => name)).toEqual([point!.name]);
  const refusals = [
    [{ ...CHOICE, deliveryAddress: { ...ADDRESS, zipCode: "90210" } }, "outside_hub"],
    [{ ...CHOICE, type: "pickup" }, "pickup_required"],
    [{ ...CHOICE, type: "pickup", pickupPointId: 99999 }, "pickup_required"],
    [{ ...CHOICE, type: "pickup", pickupPointId: closed.id }, "pickup_required"],
    [{ ...CHOICE, type: "pickup", pickupPointId: abroad.id }, "pickup_required"],
    [{ ...CHOICE, card: undefined }, "payment_required"],
    [{ ...CHOICE, card: undefined, paymentMethodId: 12345 }, "payment_required"],
    [{ ...CHOICE, discountCode: "NOPE" }, "bad_code"],
  ] as const;
  for (const [choice, code] of refusals) {
    const answer = await who.browser.post("/checkout", { ...choice, expectedTotal: 0 });
    expect([code, answer.status, answer.body[1].code]).toEqual([code, 422, code]);
  }
  const pickup = { ...CHOICE, type: "pickup", pickupPointId: hub.pickup_points[0]!.id };
  const placed = await pay(who, pickup);
  expect(placed.status).toBe(201);
  const order = Order.parse((await who.browser.get(`/orders/${placed.body.orderId}`)).body);
  expect(order).toMatchObject({
    type: "pickup",
    deliveryAddress: null,
    pickupAddress: { name: "Depot 1" },
    fees: { delivery: 0 },
  });
});

test("a second checkout for the same day and address joins the box, without a second delivery fee", async () => {
  const eggs = await createProduct(db, hub.id, { priceCents: 500 });
  const who = await customerWith([eggs.line(1)]);
  const box = await pay(who);
  await who.browser.put("/cart", [eggs.line(2)]);
  const quote = await quoteOf(who);
  expect(quote.fees.delivery).toBe(0);
  expect(quote.orders[0]!.joinsOrderId).toBe(box.body.orderId);
  expect((await pay(who)).status).toBe(201);
  const order = Order.parse((await who.browser.get(`/orders/${box.body.orderId}`)).body);
  expect(order.addOns).toMatchObject({ orderTotal: quote.orderTotal, items: [{ quantity: 2 }] });
  expect(order.orderTotal).toBe(Math.round((5 + 0.5 + 0.35 + 0.45 + 8.95) * 100) / 100);
  expect(await market.audit()).toEqual([]);
});

test("checkout: only a box of the same customer, day and place is joined; any other order has its own delivery fee", async () => {
  const two = await createHub(db, { pickupPoints: 2 });
  const eggs = await createProduct(db, two.id);
  const turkey = await createProduct(db, two.id, { preOrderDate: "2026-12-03" });
  const [first, second] = two.pickup_points.map(({ id }) => ({
    ...CHOICE,
    type: "pickup",
    deliveryAddress: undefined,
    pickupPointId: id,
  }));
  const nextDoor = { ...CHOICE, deliveryAddress: { ...ADDRESS, address: "14 Main Street" } };
  const who = await customerWith([eggs.line(1)], { hubId: two.id });
  const buyBox = async (choice: object) => {
    const { status, body } = await pay(who, choice);
    expect(status, JSON.stringify(body)).toBe(201);
    await who.browser.put("/cart", [eggs.line(1)]);
    return body.orderId as number;
  };
  const joined = async (of: Customer, choice: object) => {
    const { orders, fees } = await quoteOf(of, choice);
    return [orders[0]!.joinsOrderId, fees.delivery];
  };
  const home = await buyBox(CHOICE);
  expect(await joined(who, CHOICE)).toEqual([home, 0]);
  expect(await joined(who, nextDoor)).toEqual([null, 8.95]);
  expect(await joined(who, first!)).toEqual([null, 0]);
  expect(await joined(await customerWith([eggs.line(1)], { hubId: two.id }), CHOICE)).toEqual([null, 8.95]);
  const depot = await buyBox(first!);
  expect(await joined(who, first!)).toEqual([depot, 0]);
  expect(await joined(who, second!)).toEqual([null, 0]);
  await who.browser.put("/cart", [eggs.line(0), turkey.line(1)]);
  expect(await joined(who, CHOICE)).toEqual([null, 8.95]);
});

test("checkout: a pre-order whose day is not planned yet is refused by name, not left out", async () => {
  const eggs = await createProduct(db, hub.id);
  const turkey = await createProduct(db, hub.id, { preOrderDate: "2027-06-03" });
  const who = await customerWith([eggs.line(1), turkey.line(1)]);
  const choice = { ...CHOICE, savePaymentMethod: true };
  for (const { status, body } of [
    await who.browser.post("/checkout/quote", choice),
    await who.browser.post("/checkout", { ...choice, expectedTotal: 1 }),
  ])
    expect([status, body[1]]).toEqual([422, { code: "no_delivery", items: [turkey.variant.id] }]);
});

test("checkout: a line above the stock is bought as the cart shows it, and a line of another market stays in the cart", async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 5 });
  const abroad = await createHub(db, { zips: ["60602"] });
  const jam = await createProduct(db, abroad.id);
  const who = await customerWith([eggs.line(5)]);
  await who.browser.put(`/hubs/${abroad.id}/switch`);
  expect((await who.browser.put("/cart", [jam.line(1)])).status).toBe(200);
  await who.browser.put(`/hubs/${hub.id}/switch`);
  await setInventory(db, eggs.variant.id, hub.id, 3);
  const placed = await pay(who);
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  expect(await db.order_item.findMany({ where: { order_id: placed.body.orderId } })).toMatchObject([
    { variant_id: eggs.variant.id, quantity: 3 },
  ]);
  expect(
    (await who.browser.get("/cart")).body.items.map((item: any) => [item.product.variant.id, item.quantity]),
  ).toEqual([
    [eggs.variant.id, 2],
    [jam.variant.id, 1],
  ]);
  expect(await market.audit()).toEqual([]);
});

test.each([
  [-1, 422],
  [0, 201],
])("checkout: with an unsaved card, six days and %i ms before the cutoff: %i", async (ms, status) => {
  market.clock.set(new Date(new Date("2026-11-26T06:00:00Z").getTime() + ms));
  try {
    const who = await customerWith([(await createProduct(db, hub.id)).line(1)]);
    const answer = await pay(who);
    expect([answer.status, answer.body[1]?.code]).toEqual([status, status === 201 ? undefined : "saved_card_required"]);
  } finally {
    market.clock.set("2026-11-23T17:00:00Z");
  }
});

test("checkout: a pre-order becomes a separate order on its own day", async () => {
  const eggs = await createProduct(db, hub.id);
  const turkey = await createProduct(db, hub.id, { title: "Turkey", preOrderDate: "2026-12-20", priceCents: 9000 });
  const who = await customerWith([eggs.line(1), turkey.line(1)]);
  const refused = await pay(who);
  expect([refused.status, refused.body[1].code]).toEqual([422, "saved_card_required"]);
  const placed = await pay(who, { ...CHOICE, savePaymentMethod: true });
  expect(placed.status).toBe(201);
  expect(placed.body.orderIds).toHaveLength(2);
  const future = Order.parse((await who.browser.get(`/orders/${placed.body.orderIds[1]}`)).body);
  expect(future).toMatchObject({ status: "future", deliveryDate: "2026-12-24" });
  expect((await who.browser.get("/account/profile")).body.paymentInfo).toEqual({
    brand: "visa",
    last4: "4242",
    expMonth: 12,
    expYear: GOOD_CARD.expYear,
  });
  expect(await market.audit()).toEqual([]);
});

test("a saved card pays the next order", async () => {
  const eggs = await createProduct(db, hub.id);
  const who = await customerWith([eggs.line(1)]);
  expect((await pay(who, { ...CHOICE, savePaymentMethod: true })).status).toBe(201);
  await who.browser.put("/cart", [eggs.line(1)]);
  const { paymentMethods } = await quoteOf(who);
  expect(paymentMethods).toMatchObject([{ last4: "4242", isDefault: true }]);
  const placed = await pay(who, { ...CHOICE, card: undefined, paymentMethodId: paymentMethods[0]!.id });
  expect(placed.status).toBe(201);
  expect(
    await db.payment.findFirstOrThrow({ where: { customer_id: who.customer.id }, orderBy: { created_at: "desc" } }),
  ).toMatchObject({ state: "authorized" });
});

test("store credit is payment, not discount, and may pay all of it", async () => {
  const eggs = await createProduct(db, hub.id, { priceCents: 500 });
  const who = await customerWith([eggs.line(1)], { creditCents: 1000 });
  const quote = await quoteOf(who, { ...CHOICE, useCredit: true });
  expect([quote.credit, quote.amountDue]).toEqual([10, Math.round((quote.orderTotal - 10) * 100) / 100]);
  expect((await pay(who, { ...CHOICE, useCredit: true })).status).toBe(201);
  expect(await db.customer.findUniqueOrThrow({ where: { id: who.customer.id } })).toMatchObject({ credit_cents: 0 });
  const rich = await customerWith([eggs.line(1)], { creditCents: 100_000 });
  const placed = await pay(rich, { ...CHOICE, card: undefined, useCredit: true });
  expect(placed.status).toBe(201);
  expect(await db.payment.count({ where: { customer_id: rich.customer.id } })).toBe(0);
  expect(await market.audit()).toEqual([]);
});

test("a discount code applies once per customer and is allocated over the lines to the cent", async () => {
  const code = await db.discount_code.create({
    data: { code: "HARVEST", percent_ppm: 100_000, reason: "Harvest week" },
  });
  const eggs = await createProduct(db, hub.id, { priceCents: 333 });
  const bread = await createProduct(db, hub.id, { priceCents: 777 });
  const who = await customerWith([eggs.line(3), bread.line(1)]);
  await who.browser.put("/cart/discount", { code: "harvest" });
  const cart = (await who.browser.get("/cart")).body;
  expect([cart.subtotalBeforeDiscounts, cart.subtotal, cart.discounts[0]]).toEqual([
    17.76,
    15.98,
    { quantity: 4, code: "HARVEST", amount: 1.78, reason: "Harvest week", forCartItemId: null },
  ]);
  expect((await pay(who)).status).toBe(201);
  expect(await db.discount_code.findUniqueOrThrow({ where: { id: code.id } })).toMatchObject({ uses: 1 });
  await who.browser.put("/cart", [eggs.line(1)]);
  await who.browser.put("/cart/discount", { code: "HARVEST" });
  const again = (await who.browser.get("/cart")).body;
  expect(again.discounts).toEqual([]);
  expect(again.banners[0].title).toBe("HARVEST: You have already used this code.");
  expect(await market.audit()).toEqual([]);
});

test(
  "checkout: a page left open past the cutoff does not order for another day than it shows",
  { tags: ["fail:C17"] },
  async () => {
    const who = await customerWith([(await createProduct(db, hub.id)).line(1)]);
    const shown = await quoteOf(who);
    const order = { ...CHOICE, savePaymentMethod: true, expectedTotal: shown.orderTotal };
    try {
      market.clock.set("2026-11-25T06:00:00Z");
      const late = await who.browser.post("/checkout", { ...order, expectedDeliveryDate: shown.deliveryDate });
      expect([late.status, late.body[1].code]).toEqual([409, "past_cutoff"]);
      expect(await db.checkout_attempt.count({ where: { customer_id: who.customer.id } })).toBe(0);
      const { deliveryDate: expectedDeliveryDate } = await quoteOf(who);
      expect([shown.deliveryDate, expectedDeliveryDate]).toEqual(["2026-11-26", "2026-12-03"]);
      const bad = await who.browser.post("/checkout", { ...order, expectedDeliveryDate: "next week" });
      expect(bad.status).toBe(400);
      expect((await who.browser.post("/checkout", { ...order, expectedDeliveryDate })).status).toBe(201);
    } finally {
      market.clock.set("2026-11-23T17:00:00Z");
    }
  },
);

test(
  "checkout: one started before the cutoff may finish within ten minutes, not later",
  { tags: ["fail:C17"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 9 });
    const card = { ...GOOD_CARD, number: "4000002500003155" };
    const cutoff = new Date("2026-11-25T06:00:00Z").getTime();
    const [inTime, tooLate] = [await customerWith([eggs.line(1)]), await customerWith([eggs.line(1)])];
    try {
      market.clock.set(new Date(cutoff - 60_000));
      const first = await pay(inTime, { ...CHOICE, card });
      const second = await pay(tooLate, { ...CHOICE, card });
      expect([first.status, second.status]).toEqual([202, 202]);
      market.clock.set(new Date(cutoff + 8 * 60_000));
      const placed = await inTime.browser.post(`/checkout/${first.body.challenge.attemptId}/complete`, {
        approve: true,
      });
      expect(placed.status).toBe(201);
      expect((await inTime.browser.get(`/orders/${placed.body.orderId}`)).body.deliveryDate).toBe("2026-11-26");
      market.clock.set(new Date(cutoff + 11 * 60_000));
      const refused = await tooLate.browser.post(`/checkout/${second.body.challenge.attemptId}/complete`, {
        approve: true,
      });
      expect([refused.status, refused.body[1].code]).toEqual([409, "past_cutoff"]);
      expect(
        await db.test_charge.findMany({ where: { idempotency_key: second.body.challenge.attemptId } }),
      ).toMatchObject([{ state: "voided" }]);
      const next = await quoteOf(tooLate);
      expect(next.deliveryDate).toBe("2026-12-03");
    } finally {
      market.clock.set("2026-11-23T17:00:00Z");
    }
    expect(await market.audit()).toEqual([]);
  },
);
