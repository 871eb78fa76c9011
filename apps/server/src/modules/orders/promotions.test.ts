import { size } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  newCard,
  PASSWORD,
  type TestProduct,
} from "../../../test/factories.ts";
import { cancelOrder } from "./cancel-order.ts";

const market = await buildTestApp();
const { db, deps } = market;
const hub = await createHub(db);

async function shopper(...lines: ReturnType<TestProduct["line"]>[]) {
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await browser.put("/cart", lines);
  return { row, browser };
}

test(
  "code: a single-use code in many concurrent checkouts discounts exactly one order",
  { tags: ["fail:K1", "fail:V6"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 200, priceCents: 2000 });
    const code = await db.discount_code.create({ data: { code: "ONCE", amount_cents: 500, use_limit: 1 } });
    const manyShoppers = await Promise.all(Array.from({ length: size(20, 50) }, () => shopper(eggs.line(1))));
    const choice = { ...CHOICE, discountCode: "once" };
    const quotes = await Promise.all(manyShoppers.map(({ browser }) => browser.post("/checkout/quote", choice)));
    const answers = await Promise.all(
      manyShoppers.map(({ browser }, place) =>
        browser.post("/checkout", { ...choice, expectedTotal: quotes[place]!.body.orderTotal }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect(status).toBe(409);
      expect(["code_gone", "total_changed"]).toContain(body[1].code);
      if (body[1].code === "code_gone") expect(body[0]).toBe("This code is no longer available.");
    }
    expect(await db.discount_code.findUniqueOrThrow({ where: { id: code.id } })).toMatchObject({ uses: 1 });
    const held = await db.test_charge.findMany({ where: { state: { in: ["authorized", "captured"] } } });
    expect(held).toHaveLength(1);
    expect(await market.audit()).toEqual([]);
  },
);

test("code: used up for the customer who used it, valid for another customer", async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 9, priceCents: 2000 });
  const { id } = await db.discount_code.create({ data: { code: "EACH", amount_cents: 500, once_per_customer: true } });
  const choice = { ...CHOICE, discountCode: "each" };
  const [first, second] = [await shopper(eggs.line(1)), await shopper(eggs.line(1))];
  for (const { browser } of [first, second]) {
    const quote = (await browser.post("/checkout/quote", choice)).body;
    expect(quote.discountAmount).toBe(5);
    expect((await browser.post("/checkout", { ...choice, expectedTotal: quote.orderTotal })).status).toBe(201);
  }
  // By their index a customer has no second one.
  expect(await db.discount_use.count({ where: { discount_code_id: id, once: true } })).toBe(2);
  await first.browser.put("/cart", [eggs.line(1)]);
  expect((await first.browser.post("/checkout/quote", choice)).body.discountAmount).toBe(0);
});

test("code: the cart's code is priced unless the checkout sends another code or none", async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 9, priceCents: 2000 });
  await db.discount_code.create({ data: { code: "FIVE", amount_cents: 500 } });
  await db.discount_code.create({ data: { code: "SEVEN", amount_cents: 700 } });
  const { browser } = await shopper(eggs.line(1));
  expect((await browser.put("/cart/discount", { code: "FIVE" })).status).toBe(200);
  const off = async (about: object) => (await browser.post("/checkout/quote", { ...CHOICE, ...about })).body;
  for (const [about, amount] of [
    [{}, 5],
    [{ discountCode: "seven" }, 7],
    [{ discountCode: null }, 0],
  ] as const)
    expect((await off(about)).discountAmount).toBe(amount);
  expect((await browser.put("/cart/discount", { code: null })).body.discounts).toEqual([]);
  expect((await off({})).discountAmount).toBe(0);
  expect((await browser.put("/cart/discount", { code: "FIVE" })).status).toBe(200);
  const { orderTotal } = await off({ discountCode: null });
  const placed = await browser.post("/checkout", { ...CHOICE, discountCode: null, expectedTotal: orderTotal });
  expect(placed.status).toBe(201);
  expect(await db.discount_code.findUniqueOrThrow({ where: { code: "FIVE" } })).toMatchObject({ uses: 0 });
  expect(await market.audit()).toEqual([]);
});

test("code: one that takes nothing off is not used up, nor is a referral that a code leaves nothing to discount", async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 9, priceCents: 2000 });
  const [below, whole] = await Promise.all([
    db.discount_code.create({ data: { code: "BIGCARTS", amount_cents: 500, minimum_cents: 5000, use_limit: 1 } }),
    db.discount_code.create({ data: { code: "WHOLE", percent_ppm: 1_000_000 } }),
  ]);
  const [referrer, friend] = [await shopper(), await shopper(eggs.line(1))];
  await db.referral.create({ data: { friend_id: friend.row.id, referrer_id: referrer.row.id } });
  const other = await shopper(eggs.line(1));
  for (const [{ browser }, code, off] of [
    [other, below, 0],
    [friend, whole, 20],
  ] as const) {
    const choice = { ...CHOICE, discountCode: code.code };
    const { orderTotal, discountAmount } = (await browser.post("/checkout/quote", choice)).body;
    expect(discountAmount).toBe(off);
    expect((await browser.post("/checkout", { ...choice, expectedTotal: orderTotal })).status).toBe(201);
  }
  const used = await db.discount_code.findMany({ where: { id: { in: [below.id, whole.id] } }, orderBy: { id: "asc" } });
  expect(used.map(({ code, uses }) => [code, uses])).toEqual(
    [below, whole].toSorted((a, b) => a.id - b.id).map(({ code }) => [code, code === "WHOLE" ? 1 : 0]),
  );
  expect(await db.referral.findUniqueOrThrow({ where: { friend_id: friend.row.id } })).toMatchObject({
    order_id: null,
    refused: null,
  });
  // The referral is for the first order.
  await friend.browser.put("/cart", [eggs.line(1)]);
  expect((await friend.browser.post("/checkout/quote", CHOICE)).body).toMatchObject({
    discountAmount: 0,
    referralNote: null,
  });
  expect(await market.audit()).toEqual([]);
});

test(
  "tip: 0, 5, 10 and 20 percent of the items are accepted and booked for the driver",
  { tags: ["spec:9-25"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 9, priceCents: 2000 });
    const { browser, row } = await shopper(eggs.line(1));
    for (const [tipPercentage, tip] of [
      [0, 0],
      [5, 1],
      [10, 2],
      [20, 4],
    ])
      expect((await browser.post("/checkout/quote", { ...CHOICE, tipPercentage })).body.tip).toBe(tip);
    const { orderTotal } = (await browser.post("/checkout/quote", { ...CHOICE, tipPercentage: 20 })).body;
    const placed = await browser.post("/checkout", { ...CHOICE, tipPercentage: 20, expectedTotal: orderTotal });
    expect(placed.status).toBe(201);
    expect(await db.order.findFirstOrThrow({ where: { customer_id: row.id } })).toMatchObject({ tip_cents: 400 });
    expect(
      await db.ledger_entry.aggregate({
        where: { account: "tips", transaction: { order_id: placed.body.orderId } },
        _sum: { amount_cents: true },
      }),
    ).toEqual({ _sum: { amount_cents: 400 } });
  },
);

test.for<[what: string, tip: unknown]>([
  ["below zero", -5],
  ["seven per cent", 7],
  ["text", "20"],
  ["a list", [20]],
  ["half of one", 0.5],
  ["a million", 1e6],
])("a tip that is %s is refused", { tags: ["fail:I12"] }, async ([, tipPercentage]) => {
  const eggs = await createProduct(db, hub.id);
  const { browser, row } = await shopper(eggs.line(1));
  expect((await browser.post("/checkout/quote", { ...CHOICE, tipPercentage })).status).toBe(400);
  expect((await browser.post("/checkout", { ...CHOICE, tipPercentage, expectedTotal: 1 })).status).toBe(400);
  expect(await db.order.count({ where: { customer_id: row.id } })).toBe(0);
});

test(
  "cart: two devices change different lines at once: no line is lost, and the last write of a line wins",
  { tags: ["fail:A7"] },
  async () => {
    const products = await Promise.all(Array.from({ length: 6 }, () => createProduct(db, hub.id, { inventory: 99 })));
    const { browser, row } = await shopper();
    for (let round = 1; round <= size(10, 200); round += 1) {
      // Never more than there is.
      const quantity = 1 + (round % 90);
      const answers = await Promise.all(products.map((product) => browser.put("/cart", [product.line(quantity)])));
      expect(answers.map(({ status }) => status)).toEqual(products.map(() => 200));
      const { body } = await browser.get("/cart");
      expect(body.items.map((item: { quantity: number }) => item.quantity)).toEqual(products.map(() => quantity));
      const both = await Promise.all([7, 9].map((other) => browser.put("/cart", [products[0]!.line(other)])));
      const last = (await browser.get("/cart")).body.items.find(
        ({ product }: { product: { id: number } }) => product.id === products[0]!.id,
      );
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      expect([7, 9]).toContain(last.quantity);
    }
    expect(await db.cart.findUniqueOrThrow({ where: { customer_id: row.id } })).toMatchObject({
      version: expect.any(Number),
    });
  },
);

test("an order canceled by the market frees its code and its referral for reuse", { tags: ["fail:M6"] }, async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 50, priceCents: 5000 });
  const code = await db.discount_code.create({ data: { code: "AGAIN", amount_cents: 500, use_limit: 1 } });
  const referrer = await shopper();
  const { row, browser } = await shopper(eggs.line(1));
  await db.referral.create({ data: { friend_id: row.id, referrer_id: referrer.row.id } });
  const choice = { ...CHOICE, card: newCard(), discountCode: "AGAIN" };
  const buy = async () => {
    const quote = (await browser.post("/checkout/quote", choice)).body;
    const placed = await browser.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    return { id: placed.body.orderId as number, discount: quote.discountAmount };
  };
  const uses = async () => (await db.discount_code.findUniqueOrThrow({ where: { id: code.id } })).uses;
  const referral = async () => (await db.referral.findUniqueOrThrow({ where: { friend_id: row.id } })).order_id;
  const first = await buy();
  expect([first.discount, await uses(), await referral()]).toEqual([25, 1, first.id]);
  const ctx = { now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps };
  await cancelOrder(ctx, first.id, { to: "card", reason: "", key: null });
  expect([await uses(), await referral(), await db.discount_use.count({ where: { order_id: first.id } })]).toEqual([
    0,
    null,
    0,
  ]);
  await browser.put("/cart", [eggs.line(1)]);
  const second = await buy();
  expect([second.discount, await uses(), await referral()]).toEqual([25, 1, second.id]);
  expect(await market.audit()).toEqual([]);
});

test(
  "a canceled box whose pre-order keeps a share of the discount: the code and the referral stay used",
  { tags: ["fail:M6"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 50, priceCents: 5000 });
    const turkey = await createProduct(db, hub.id, { preOrderDate: "2026-12-20", priceCents: 5000 });
    const code = await db.discount_code.create({ data: { code: "SHARED", amount_cents: 500, use_limit: 1 } });
    const referrer = await shopper();
    const { row, browser } = await shopper(eggs.line(1), turkey.line(1));
    await db.referral.create({ data: { friend_id: row.id, referrer_id: referrer.row.id } });
    const choice = { ...CHOICE, card: newCard(), discountCode: "SHARED", savePaymentMethod: true };
    const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
    const [box, later] = (await browser.post("/checkout", { ...choice, expectedTotal: orderTotal })).body
      .orderIds as number[];
    const used = async () => [
      (await db.discount_code.findUniqueOrThrow({ where: { id: code.id } })).uses,
      (await db.referral.findUniqueOrThrow({ where: { friend_id: row.id } })).order_id,
    ];
    expect(await used()).toEqual([1, box]);
    expect((await browser.post("/orders/edit-order", { order: { id: box, items: [] } })).body).toEqual({
      deleted: true,
    });
    expect(await used()).toEqual([1, later]);
    expect((await browser.post("/orders/edit-order", { order: { id: later, items: [] } })).body).toEqual({
      deleted: true,
    });
    expect(await used()).toEqual([0, null]);
    expect(await market.audit()).toEqual([]);
  },
);
