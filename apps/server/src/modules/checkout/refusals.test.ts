import { CHALLENGE_MS } from "@marketday/domain/limits";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, setInventory } from "../../../test/factories.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db } = market;

beforeEach(() => market.clock.set(MONDAY));

type Browser = Pick<ReturnType<typeof market.shopper>, "post">;
const totalOf = async ({ post }: Browser, choice: object = CHOICE): Promise<number> =>
  (await post("/checkout/quote", choice)).body.orderTotal;
const buy = async (browser: Browser, choice: object = CHOICE): Promise<number[]> => {
  const { status, body } = await browser.post("/checkout", {
    ...choice,
    expectedTotal: await totalOf(browser, choice),
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.orderIds;
};

test("checkout: when a line sold out, it is watched in the cart; the other lines stay, also where another market has fewer of them", async () => {
  const hub = await createHub(db);
  const other = await createHub(db);
  const [eggs, jam] = [await createProduct(db, hub.id), await createProduct(db, hub.id)];
  const { id: _, ...offer } = await db.offer.findFirstOrThrow({ where: { variant_id: jam.variant.id } });
  await db.offer.create({ data: { ...offer, hub_id: other.id, inventory: 1 } });
  await db.stock_adjustment.create({
    data: {
      offer_id: (await db.offer.findFirstOrThrow({ where: { hub_id: other.id } })).id,
      amount: 1,
      reason: "test",
    },
  });
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [eggs.line(2), jam.line(3)]);
  const expectedTotal = await totalOf(who);
  await setInventory(db, eggs.variant.id, hub.id, 0);
  const { status, body } = await who.post("/checkout", { ...CHOICE, expectedTotal });
  expect([status, body[1]]).toEqual([
    409,
    { code: "sold_out", items: [{ variantId: eggs.variant.id, wanted: 2, left: 0 }] },
  ]);
  const lines = await db.cart_item.findMany({
    where: { cart: { customer_id: who.customer.id } },
    orderBy: { id: "asc" },
  });
  expect(lines).toMatchObject([
    { variant_id: eggs.variant.id, quantity: 2, watching: true },
    { variant_id: jam.variant.id, quantity: 3, watching: false },
  ]);
  expect(await market.audit()).toEqual([]);
});

test("checkout: of an empty cart names the orders that emptied it within the last hour, not earlier ones", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [eggs.line(1)]);
  const orderIds = await buy(who);
  const again = async () => (await who.post("/checkout", { ...CHOICE, expectedTotal: 1 })).body[1];
  market.clock.advance(CHALLENGE_MS);
  expect(await again()).toMatchObject({ code: "cart_empty", orderIds });
  market.clock.advance(1);
  expect(await again()).toEqual({ code: "cart_empty" });
});

test("checkout: a saved card that was removed is not offered and pays for nothing; the default card is offered first", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const who = await signIn(market, { hubId: hub.id });
  for (const number of ["4242424242424242", "5555555555554444"]) {
    await who.put("/cart", [eggs.line(1)]);
    const card = { ...CHOICE.card, number };
    const [id] = await buy(who, { ...CHOICE, card, savePaymentMethod: true, useNextTime: false });
    // A card that is to pay for an order is not removed.
    expect((await who.post("/orders/edit-order", { order: { id, items: [] } })).body).toEqual({ deleted: true });
  }
  await who.put("/cart", [eggs.line(1)]);
  const offered = async () => (await who.post("/checkout/quote", CHOICE)).body.paymentMethods as { id: number }[];
  const [first, second] = await offered();
  expect([first, second]).toMatchObject([{ isDefault: true }, { isDefault: false }]);
  expect((await who.put(`/payment-methods/${second!.id}/default`)).status).toBe(200);
  expect((await offered()).map(({ id }) => id)).toEqual([second!.id, first!.id]);
  expect((await who.delete(`/payment-methods/${first!.id}`)).status).toBe(200);
  expect((await offered()).map(({ id }) => id)).toEqual([second!.id]);
  const choice = { ...CHOICE, card: undefined, paymentMethodId: first!.id };
  const refused = await who.post("/checkout", { ...choice, expectedTotal: await totalOf(who, choice) });
  expect([refused.status, refused.body[1].code]).toEqual([422, "payment_required"]);
});

test("quote: a guest's has the cart's code, unless the choice takes it off", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 900 });
  await db.discount_code.create({ data: { code: "PASSERBY", amount_cents: 100 } });
  const someone = await guestOf(market, hub.id);
  await someone.put("/cart", [eggs.line(1)]);
  await someone.put("/cart/discount", { code: "PASSERBY" });
  const { card: _, ...choice } = CHOICE;
  const discountOf = async (more: object) =>
    (await someone.post("/checkout/quote", { ...choice, ...more })).body.discountAmount;
  expect(await discountOf({})).toBe(1);
  expect(await discountOf({ discountCode: null })).toBe(0);
});
