import { Order } from "@marketday/contracts/orders";
import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, type TestProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../../lib/context.ts";
import { cancelOrder } from "./cancel-order.ts";

const CUTOFF = "2026-11-25T06:00:00Z";
const market = await buildTestApp();
const { db, deps } = market;
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
beforeEach(() => market.clock.set(MONDAY));

/** A box of three eggs, and two jams that were added to it later: two orders, two charges, one delivery. */
async function boxWithAddOns() {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: 10 });
  const jam = await createProduct(db, hub.id, { priceCents: 500, inventory: 10 });
  const who = await signIn(market, { hubId: hub.id });
  const buy = async (product: TestProduct, quantity: number) => {
    await who.put("/cart", [product.line(quantity)]);
    const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
    const placed = await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    return placed.body.orderId as number;
  };
  const box = await buy(eggs, 3);
  const added = await buy(jam, 2);
  const edit = (id: number, quantity: number) =>
    who.post("/orders/edit-order", {
      order: { id, items: quantity === 0 ? [] : [{ quantity, product: { variant: { id: eggs.variant.id } } }] },
    });
  const see = async () => Order.parse((await who.get(`/orders/${box}`)).body);
  const stock = async () =>
    Promise.all(
      [eggs, jam].map(
        async ({ variant }) => (await db.offer.findFirstOrThrow({ where: { variant_id: variant.id } })).inventory,
      ),
    );
  /** The two charges: the box's and that of what was added. */
  const charges = () =>
    Promise.all(
      [box, added].map(
        async (id) => (await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } })).payment!,
      ),
    );
  return { who, box, added, edit, see, stock, charges };
}

// Three eggs: 21.00, tip 2.10, tax 1.47, card 0.93, delivery 8.95. Two jams: 10.00, 1.00, 0.70, 0.60 and no second delivery.
const BOX = 3445;
const ADDED = 1230;

describe("a box that carries add-ons", () => {
  test("has every field of an order, and what was added beside its own total", { tags: ["spec:3-19"] }, async () => {
    const { see, charges, box, who } = await boxWithAddOns();
    expect(await see()).toMatchObject({ id: box, orderTotal: 34.45, addOns: { orderTotal: 12.3 } });
    const order = (await who.get(`/orders/${box}`)).body;
    const fields =
      `id created items deliveryAddress pickupAddress deliveryNotes addOns status type tax discountAmount tip
      processingFee orderTotal deliveryDate`.split(/\s+/);
    expect(Object.keys(order)).toEqual(expect.arrayContaining(fields));
    expect(order).toMatchObject({ status: "open", type: "delivery", pickupAddress: null, deliveryDate: "2026-11-26" });
    expect(order.deliveryAddress).toMatchObject({ city: "Carmel", state: "IN", zipCode: "46032" });
    expect(Object.keys(order.addOns).toSorted()).toEqual(["items", "orderTotal"]);
    expect((await charges()).map(({ state, amount_cents }) => [state, amount_cents])).toEqual([
      ["authorized", BOX],
      ["authorized", ADDED],
    ]);
    expect((await who.get("/orders")).body.payload).toHaveLength(1);
    expect(await market.audit()).toEqual([]);
  });

  test("is lowered: what was added stays, and each charge takes what its part then is", async () => {
    const { edit, see, stock, charges, box } = await boxWithAddOns();
    expect((await edit(box, 1)).status).toBe(200);
    // 7.00, tip 0.70, tax 0.49, card 0.51, delivery 8.95
    expect(await see()).toMatchObject({ orderTotal: 17.65, addOns: { orderTotal: 12.3, items: [{ quantity: 2 }] } });
    expect(await stock()).toEqual([9, 8]);
    market.clock.set(CUTOFF);
    await runWeek(operator());
    expect(await charges()).toMatchObject([
      { state: "captured", captured_cents: 1765 },
      { state: "captured", captured_cents: ADDED },
    ]);
    expect(await market.audit()).toEqual([]);
  });

  test("is emptied: it stays for what rides in it, and pays for the way alone", { tags: ["fail:A13"] }, async () => {
    const { edit, see, stock, charges, box } = await boxWithAddOns();
    expect((await edit(box, 0)).body).toMatchObject({ id: box, items: [] });
    expect(await see()).toMatchObject({ orderTotal: 8.95, tip: 0, tax: 0, addOns: { orderTotal: 12.3 } });
    expect(await stock()).toEqual([10, 8]);
    market.clock.set(CUTOFF);
    await runWeek(operator());
    expect(await charges()).toMatchObject([
      { state: "captured", captured_cents: 895 },
      { state: "captured", captured_cents: ADDED },
    ]);
    expect(await market.audit()).toEqual([]);
  });

  test("what was added is no order of its own to edit", async () => {
    const { edit, added, see } = await boxWithAddOns();
    expect((await edit(added, 0)).status).toBe(404);
    expect(await see()).toMatchObject({ orderTotal: 34.45, addOns: { orderTotal: 12.3 } });
  });

  test("is called off before the cutoff: both go, neither is charged", async () => {
    const { box, added, stock, charges } = await boxWithAddOns();
    const done = await cancelOrder(operator(), box, { to: "card", reason: "", key: null });
    expect(done).toEqual({ orderIds: [box, added], backCents: 0, creditCents: 0 });
    expect(await stock()).toEqual([10, 10]);
    expect((await charges()).map(({ state }) => state)).toEqual(["voided", "voided"]);
    expect(await market.audit()).toEqual([]);
  });

  test("is called off after it was lowered and charged: all of it goes back, to the cent", async () => {
    const { edit, box, charges } = await boxWithAddOns();
    await edit(box, 2);
    market.clock.set(CUTOFF);
    await runWeek(operator());
    const taken = (await charges()).map(({ captured_cents }) => captured_cents);
    const done = await cancelOrder(operator(), box, { to: "card", reason: "", key: null });
    expect(done.backCents).toBe(taken[0]! + taken[1]!);
    expect((await charges()).map(({ refunded_cents }) => refunded_cents)).toEqual(taken);
    expect(await market.audit()).toEqual([]);
  });
});
