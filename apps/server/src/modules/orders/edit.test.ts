import { Order } from "@marketday/contracts/orders";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
  createOrder,
  createProduct,
  newKey,
  PASSWORD,
  type TestProduct,
} from "../../../test/factories.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import { sendDueMail } from "../mail/send-mail.ts";

const market = await buildTestApp();
const { db, deps } = market;
const hub = await createHub(db);

async function customerWith(lines: ReturnType<TestProduct["line"]>[], creditCents = 0) {
  const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper, creditCents });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
  if (lines.length > 0) await browser.put("/cart", lines);
  return { customer, browser };
}
type Who = Awaited<ReturnType<typeof customerWith>>;

async function buy({ browser }: Who, choice: object = CHOICE): Promise<number> {
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  const placed = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  return placed.body.orderId;
}

const items = (...lines: [TestProduct, number][]) =>
  lines.map(([product, quantity]) => ({ quantity, product: { variant: { id: product.variant.id } } }));
const edit = ({ browser }: Who, id: number, wanted: ReturnType<typeof items>, extra: object = {}) =>
  browser.post("/orders/edit-order", { order: { id, items: wanted, ...extra } });
const stockOf = async (product: TestProduct) =>
  (await db.offer.findFirstOrThrow({ where: { variant_id: product.variant.id, hub_id: hub.id } })).inventory;

test(
  "edit: lowering returns stock and reduces tip and tax in proportion",
  { tags: ["spec:7.3-03", "spec:4-28", "fail:A11"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: 10 });
    const bread = await createProduct(db, hub.id, { priceCents: 900 });
    const who = await customerWith([eggs.line(3), bread.line(1)]);
    const id = await buy(who);
    const answer = await edit(who, id, items([eggs, 1], [bread, 1]), {
      orderTotal: 0,
      tip: 0,
      status: "closed",
      customerId: 1,
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const order = Order.parse(answer.body);
    // 16.00 of items: tip 10 % 1.60, tax 7 % 1.12, card 3 % + 0.30 = 0.78, delivery 8.95
    expect(order).toMatchObject({ tip: 1.6, tax: 1.12, processingFee: 9.73, orderTotal: 28.45, status: "open" });
    expect(order.items.map(({ quantity }) => quantity)).toEqual([1, 1]);
    expect(await stockOf(eggs)).toBe(9);
    expect(await market.audit()).toEqual([]);
    await sendDueMail(deps);
    expect(
      await db.mail.count({ where: { template: "order-changed", sent_at: { not: null }, last_error: null } }),
    ).toBeGreaterThan(0);
  },
);

test("edit: the same edit sent five times at once returns the stock once", { tags: ["fail:A11"] }, async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 10 });
  const who = await customerWith([eggs.line(3)]);
  const id = await buy(who);
  const answers = await Promise.all(Array.from({ length: 5 }, () => edit(who, id, items([eggs, 1]))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(await stockOf(eggs)).toBe(9);
  expect(await market.audit()).toEqual([]);
});

test(
  "edit: raising, adding and unpublished items are refused and change nothing",
  { tags: ["spec:4-28", "spec:8-14", "fail:A12"] },
  async () => {
    const eggs = await createProduct(db, hub.id);
    const gone = await createProduct(db, hub.id);
    const other = await createProduct(db, hub.id);
    const who = await customerWith([eggs.line(2), gone.line(1)]);
    const id = await buy(who);
    await db.offer.updateMany({ where: { variant_id: gone.variant.id }, data: { is_published: false } });
    const before = (await who.browser.get(`/orders/${id}`)).body;
    const cases = [
      [items([eggs, 3], [gone, 1]), "To add an additional item, create a new order."],
      [items([eggs, 2], [gone, 1], [other, 1]), "To add an additional item, create a new order."],
      [
        items([eggs, 2], [gone, 2]),
        "This product is currently unpublished. To add an additional item, create a new order.",
      ],
    ] as const;
    for (const [wanted, message] of cases) {
      const answer = await edit(who, id, [...wanted]);
      expect([answer.status, answer.body[0]]).toEqual([422, message]);
    }
    expect((await who.browser.get(`/orders/${id}`)).body).toEqual(before);
    for (const bad of [-1, 1.5, "1", 1000])
      expect(
        (
          await who.browser.post("/orders/edit-order", {
            order: { id, items: [{ quantity: bad, product: { variant: { id: 1 } } }] },
          })
        ).status,
      ).toBe(400);
  },
);

test(
  "edit: lowering an order that was partly paid by store credit lowers the card's part, and returns credit only below it",
  { tags: ["fail:V5"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: 10 });
    const who = await customerWith([eggs.line(3)], 2000);
    const id = await buy(who, { ...CHOICE, useCredit: true });
    const after = async (units: number) => {
      const { body } = await edit(who, id, items([eggs, units]));
      const { credit_cents } = await db.customer.findUniqueOrThrow({ where: { id: who.customer.id } });
      return [body.orderTotal, body.amountDue, credit_cents];
    };
    // 14.00, tip 1.40, tax 0.98, card 0.72, delivery 8.95.
    expect(await after(2)).toEqual([26.05, 6.05, 0]);
    expect(await after(1)).toEqual([17.65, 0, 235]);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "edit: an emptied order is deleted, its charge voided once, and stock and promotions are returned",
  { tags: ["spec:4-29", "fail:A13", "fail:G1"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 5 });
    const code = await db.discount_code.create({ data: { code: "ONCE", amount_cents: 100 } });
    const who = await customerWith([eggs.line(2)], 1000);
    await who.browser.put("/cart/discount", { code: "ONCE" });
    const id = await buy(who, { ...CHOICE, useCredit: true });
    expect(await db.customer.findUniqueOrThrow({ where: { id: who.customer.id } })).toMatchObject({ credit_cents: 0 });
    const both = await Promise.all([edit(who, id, []), edit(who, id, [])]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect(both.find(({ status }) => status === 200)!.body).toEqual({ deleted: true });
    expect((await who.browser.get(`/orders/${id}`)).status).toBe(404);
    expect((await who.browser.get("/orders")).body).toEqual({ payload: [] });
    expect(await stockOf(eggs)).toBe(5);
    expect(await db.customer.findUniqueOrThrow({ where: { id: who.customer.id } })).toMatchObject({
      credit_cents: 1000,
    });
    expect(await db.discount_code.findUniqueOrThrow({ where: { id: code.id } })).toMatchObject({ uses: 0 });
    const payment = await db.payment.findFirstOrThrow({ where: { customer_id: who.customer.id } });
    expect(payment.state).toBe("voided");
    expect(await db.test_charge.findFirstOrThrow({ where: { id: payment.provider_ref! } })).toMatchObject({
      state: "voided",
    });
    expect(await market.audit()).toEqual([]);
  },
);

test("edit: a retry with the same idempotency key gets the first response, also of an order that is deleted by now", async () => {
  const eggs = await createProduct(db, hub.id);
  const who = await customerWith([eggs.line(2)]);
  const order = { id: await buy(who), items: [] };
  const send = (items: object[]) =>
    who.browser.post("/orders/edit-order", { order: { ...order, items } }, { "idempotency-key": key });
  const key = newKey();
  for (const replayed of [undefined, "true"]) {
    const { status, body, headers } = await send([]);
    expect([status, body, headers["idempotent-replayed"]]).toEqual([200, { deleted: true }, replayed]);
  }
  const other = await send(items([eggs, 1]));
  expect([other.status, other.body[1].code]).toEqual([422, "key_reused"]);
});

test("edit: a charge that also pays for a second order is not voided", async () => {
  const eggs = await createProduct(db, hub.id);
  const turkey = await createProduct(db, hub.id, { preOrderDate: "2026-12-20" });
  const who = await customerWith([eggs.line(1), turkey.line(1)]);
  const id = await buy(who, { ...CHOICE, savePaymentMethod: true });
  expect((await edit(who, id, [])).body).toEqual({ deleted: true });
  expect(await db.payment.findFirstOrThrow({ where: { customer_id: who.customer.id } })).toMatchObject({
    state: "authorized",
  });
  market.clock.advance(60_000);
  await resumeAbandoned({ now: market.clock.now(), actor: { type: "system", job: "checkouts" }, deps });
  expect(await db.payment.findFirstOrThrow({ where: { customer_id: who.customer.id } })).toMatchObject({
    state: "authorized",
  });
  market.clock.set("2026-11-23T17:00:00Z");
  expect(await market.audit()).toEqual([]);
});

test("edit: emptying a pre-order before its own cutoff deletes it", { tags: ["fail:M6"] }, async () => {
  const turkey = await createProduct(db, hub.id, { preOrderDate: "2026-12-20", inventory: 9 });
  const who = await customerWith([turkey.line(3)]);
  const id = await buy(who, { ...CHOICE, savePaymentMethod: true });
  const lowered = await edit(who, id, items([turkey, 2]));
  expect([lowered.status, lowered.body.status]).toEqual([200, "future"]);
  expect(await stockOf(turkey)).toBe(7);
  expect((await edit(who, id, [])).body).toEqual({ deleted: true });
  expect(await stockOf(turkey)).toBe(9);
  expect(await db.payment.findFirstOrThrow({ where: { customer_id: who.customer.id } })).toMatchObject({
    state: "voided",
  });
  expect(await market.audit()).toEqual([]);
});

test(
  "edit: allowed just before the cutoff, refused at it; another customer gets 404",
  { tags: ["fail:C17", "spec:2.4-56"] },
  async () => {
    const eggs = await createProduct(db, hub.id);
    const who = await customerWith([eggs.line(3)]);
    const id = await buy(who);
    const stranger = await customerWith([]);
    expect((await edit(stranger, id, items([eggs, 1]))).status).toBe(404);
    try {
      market.clock.set("2026-11-25T05:59:59.999Z");
      expect((await edit(who, id, items([eggs, 2]))).status).toBe(200);
      market.clock.set("2026-11-25T06:00:00.000Z");
      const late = await edit(who, id, items([eggs, 1]));
      expect([late.status, late.body]).toEqual([
        409,
        ["This order can no longer be changed.", { code: "past_cutoff" }],
      ]);
    } finally {
      market.clock.set("2026-11-23T17:00:00Z");
    }
    expect((await who.browser.get(`/orders/${id}`)).body.items[0].quantity).toBe(2);
  },
);

test(
  "edit: concurrent edits and purchases of the last units keep the stock consistent",
  { tags: ["fail:A11"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 12 });
    const editors = await Promise.all(Array.from({ length: 4 }, () => customerWith([eggs.line(3)])));
    const ids = await Promise.all(editors.map((who) => buy(who)));
    expect(await stockOf(eggs)).toBe(0);
    const buyers = await Promise.all(Array.from({ length: 8 }, () => customerWith([])));
    await db.cart_item.createMany({
      data: await Promise.all(
        buyers.map(async ({ customer, browser }) => {
          await browser.put("/cart", []);
          const { id } = await db.cart.findUniqueOrThrow({ where: { customer_id: customer.id } });
          return { cart_id: id, variant_id: eggs.variant.id, quantity: 1, seen_price_cents: 650 };
        }),
      ),
    });
    const total = (650 + 65 + 46 + 50 + 895) / 100;
    const results = await Promise.all([
      ...editors.map((who, place) => edit(who, ids[place]!, items([eggs, 1]))),
      ...buyers.map(({ browser }) => browser.post("/checkout", { ...CHOICE, expectedTotal: total })),
    ]);
    expect(results.slice(0, 4).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const bought = results.slice(4).filter(({ status }) => status === 201).length;
    for (const { status, body } of results.slice(4))
      if (status !== 201) expect([status, body[1].code]).toEqual([409, "sold_out"]);
    expect(await stockOf(eggs)).toBe(8 - bought);
    expect(await market.audit()).toEqual([]);
  },
);

test("orders: a cutoff's date is that of its market", async () => {
  // 1 AM on Wednesday on Guam is still Tuesday in UTC.
  const guam = await createHub(db, { timeZone: "Pacific/Guam", zips: ["96910"] });
  const eggs = await createProduct(db, guam.id);
  const { id: customerId } = await createCustomer(db, {
    hubId: guam.id,
    pepper: deps.env.pepper,
    email: "guam@example.com",
  });
  const order = await createOrder(db, { customerId, hub: guam, product: eggs });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: "guam@example.com", password: PASSWORD });
  const [{ cutoff_at: cutoff }] = guam.deliveries as [(typeof guam.deliveries)[number]];
  expect(cutoff.toISOString()).toBe("2026-11-24T15:00:00.000Z");
  const listed = async (date: string) =>
    (await browser.get(`/orders?cutoffDate=${date}`)).body.payload.map(({ id }: Order) => id);
  expect([await listed("2026-11-24"), await listed("2026-11-25")]).toEqual([[], [order.id]]);
});

test(
  "orders: the list contains the customer's own boxes, optionally of one cutoff date",
  { tags: ["spec:7.3-01"] },
  async () => {
    const eggs = await createProduct(db, hub.id);
    const turkey = await createProduct(db, hub.id, { preOrderDate: "2026-12-20" });
    const who = await customerWith([eggs.line(1), turkey.line(1)]);
    await buy(who, { ...CHOICE, savePaymentMethod: true });
    const list = (await who.browser.get("/orders")).body.payload.map((order: unknown) => Order.parse(order));
    expect(list.map(({ status, deliveryDate }: Order) => [status, deliveryDate])).toEqual([
      ["future", "2026-12-24"],
      ["open", "2026-11-26"],
    ]);
    const filtered = (await who.browser.get("/orders?cutoffDate=2026-11-25")).body.payload;
    expect(filtered.map((order: Order) => order.deliveryDate)).toEqual(["2026-11-26"]);
    expect((await who.browser.get("/orders?cutoffDate=soon")).status).toBe(400);
    const guest = market.shopper();
    await guest.post("/auth/guest?zipCode=46032");
    expect((await guest.get("/orders")).status).toBe(401);
    market.app.dropSession(null);
    const few = await market.statements(() => who.browser.get("/orders"));
    expect(few.length, few.join("\n")).toBeLessThanOrEqual(3);
  },
);
