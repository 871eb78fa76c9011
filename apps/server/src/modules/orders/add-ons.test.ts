import { Order } from "@marketday/contracts/orders";
import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, newCard, type TestProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { renderMail } from "../mail/layout.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { cancelOrder } from "./cancel-order.ts";
import { shortOrder } from "./short-order.ts";

const CUTOFF = "2026-11-25T06:00:00Z";
const market = await buildTestApp();
const { db, deps } = market;
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
beforeEach(() => market.clock.set(MONDAY));

/** A box of three eggs with an add-on of two jams: two orders, two charges, one delivery. */
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
    market.clock.advance(1000);
    return placed.body.orderId as number;
  };
  const box = await buy(eggs, 3);
  const added = await buy(jam, 2);
  const edit = (id: number, quantity: number, product = eggs) =>
    who.post("/orders/edit-order", {
      order: { id, items: quantity === 0 ? [] : [{ quantity, product: { variant: { id: product.variant.id } } }] },
    });
  const see = async () => Order.parse((await who.get(`/orders/${box}`)).body);
  const boxes = async () => (await who.get("/orders")).body.payload.map(({ id }: Order) => id) as number[];
  const stock = async () =>
    Promise.all(
      [eggs, jam].map(
        async ({ variant }) => (await db.offer.findFirstOrThrow({ where: { variant_id: variant.id } })).inventory,
      ),
    );
  /** The charges of the box and of its add-on. */
  const charges = () =>
    Promise.all(
      [box, added].map(
        async (id) => (await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } })).payment!,
      ),
    );
  return { hub, eggs, jam, who, buy, box, added, edit, see, boxes, stock, charges };
}

// Three eggs: 21.00, tip 2.10, tax 1.47, card 0.93, delivery 8.95. Two jams: 10.00, 1.00, 0.70, 0.60 and no second delivery.
const BOX = 3445;
const ADDED = 1230;

describe("a box that carries add-ons", () => {
  test(
    "has every field of an order, and lists its add-ons apart from its own total",
    { tags: ["spec:3-19"] },
    async () => {
      const { see, charges, box, who } = await boxWithAddOns();
      expect(await see()).toMatchObject({ id: box, orderTotal: 34.45, addOns: { orderTotal: 12.3 } });
      const order = (await who.get(`/orders/${box}`)).body;
      const fields =
        `id created items deliveryAddress pickupAddress deliveryNotes addOns status type tax discountAmount tip
      processingFee orderTotal deliveryDate`.split(/\s+/);
      expect(Object.keys(order)).toEqual(expect.arrayContaining(fields));
      expect(order).toMatchObject({
        status: "open",
        type: "delivery",
        pickupAddress: null,
        deliveryDate: "2026-11-26",
      });
      expect(order.deliveryAddress).toMatchObject({ city: "Carmel", state: "IN", zipCode: "46032" });
      expect(Object.keys(order.addOns).toSorted()).toEqual(["items", "orderTotal"]);
      expect((await charges()).map(({ state, amount_cents }) => [state, amount_cents])).toEqual([
        ["authorized", BOX],
        ["authorized", ADDED],
      ]);
      expect((await who.get("/orders")).body.payload).toHaveLength(1);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("lowered: the add-on stays, and each charge captures its own order's new total", async () => {
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

  test(
    "emptied: the oldest add-on becomes the first order, and the first charge keeps only the delivery fee",
    { tags: ["fail:A13", "fail:M6"] },
    async () => {
      const { edit, see, stock, charges, box, added, boxes } = await boxWithAddOns();
      const answer = await edit(box, 0);
      expect(answer.body).toMatchObject({ id: added, orderTotal: 21.25, fees: { delivery: 8.95 }, addOns: null });
      // Both numbers find the box.
      expect(await see()).toMatchObject({
        id: added,
        deliveryAddress: { city: "Carmel" },
        items: [{ quantity: 2, orderId: added }],
        addOnOrders: [],
        orderTotal: 21.25,
        amountDue: 21.25,
      });
      expect(await boxes()).toEqual([added]);
      expect(await stock()).toEqual([10, 8]);
      expect((await charges()).map(({ state, amount_cents }) => [state, amount_cents])).toEqual([
        ["authorized", BOX],
        ["authorized", ADDED],
      ]);
      expect(await market.audit()).toEqual([]);
      market.clock.set(CUTOFF);
      await runWeek(operator());
      expect(await charges()).toMatchObject([
        { state: "captured", captured_cents: 895 },
        { state: "captured", captured_cents: ADDED },
      ]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("an add-on is lowered by its own id, and the response is its box", { tags: ["fail:M6"] }, async () => {
    const { edit, added, box, jam, stock } = await boxWithAddOns();
    const answer = await edit(added, 1, jam);
    // One jam: 5.00, tip 0.50, tax 0.35, card 0.45
    expect(answer.body).toMatchObject({
      id: box,
      orderTotal: 34.45,
      addOns: { orderTotal: 6.3, items: [{ quantity: 1, orderId: added }] },
      addOnOrders: [{ id: added, orderTotal: 6.3 }],
    });
    expect(await stock()).toEqual([7, 9]);
    const raised = await edit(added, 2, jam);
    expect([raised.status, raised.body[1].code]).toEqual([422, "raised"]);
    market.clock.set(CUTOFF);
    const late = await edit(added, 0, jam);
    expect([late.status, late.body[1].code]).toEqual([409, "past_cutoff"]);
    expect(await market.audit()).toEqual([]);
  });

  test("an emptied add-on is deleted and its charge voided; its number finds the box", async () => {
    const { edit, added, box, jam, stock, charges, who } = await boxWithAddOns();
    expect((await edit(added, 0, jam)).body).toMatchObject({ id: box, orderTotal: 34.45, addOns: null });
    expect((await who.get(`/orders/${added}`)).body.id).toBe(box);
    expect((await charges()).map(({ state }) => state)).toEqual(["authorized", "voided"]);
    expect(await stock()).toEqual([7, 10]);
    expect(await market.audit()).toEqual([]);
  });

  test(
    "emptying both orders, in either sequence, deletes the box and voids both charges",
    { tags: ["fail:A13", "fail:M6"] },
    async () => {
      for (const boxFirst of [true, false]) {
        const { edit, added, box, jam, eggs, stock, charges, boxes, who } = await boxWithAddOns();
        const turns = [[box, eggs] as const, [added, jam] as const];
        const [one, two] = boxFirst ? turns : turns.toReversed();
        expect((await edit(one![0], 0, one![1])).status).toBe(200);
        expect((await edit(two![0], 0, two![1])).body).toEqual({ deleted: true });
        expect(await boxes()).toEqual([]);
        expect([(await who.get(`/orders/${box}`)).status, (await who.get(`/orders/${added}`)).status]).toEqual([
          404, 404,
        ]);
        expect(await stock()).toEqual([10, 10]);
        expect((await charges()).map(({ state }) => state)).toEqual(["voided", "voided"]);
        expect(await market.audit()).toEqual([]);
      }
    },
  );

  test("a promoted add-on is emptied too: the next add-on becomes the first order, and the delivery fee is still collected", async () => {
    const { edit, added, box, jam, boxes, buy, who } = await boxWithAddOns();
    const third = await buy(jam, 1);
    await edit(box, 0);
    expect((await who.get(`/orders/${third}`)).body).toMatchObject({ id: added, addOns: { orderTotal: 6.3 } });
    expect((await edit(added, 0, jam)).body).toMatchObject({ id: third, orderTotal: 15.25, fees: { delivery: 8.95 } });
    expect(await boxes()).toEqual([third]);
    // A fourth order joins the current box without a second delivery fee.
    const fourth = await buy(jam, 1);
    expect((await who.get(`/orders/${fourth}`)).body).toMatchObject({ id: third, addOns: { orderTotal: 6.3 } });
    expect(await market.audit()).toEqual([]);
    market.clock.set(CUTOFF);
    await runWeek(operator());
    const taken = await db.payment.findMany({
      where: { orders: { some: { id: { in: [box, added, third, fourth] } } } },
      orderBy: { created_at: "asc" },
    });
    expect(taken.map(({ captured_cents }) => captured_cents).toSorted((a, b) => a - b)).toEqual([0, 630, 630, 895]);
    expect(await market.audit()).toEqual([]);
  });

  test("the discount code of an emptied first order moves to the promoted add-on, subject to the code's minimum", async () => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { priceCents: 700 });
    const jam = await createProduct(db, hub.id, { priceCents: 500 });
    const code = await db.discount_code.create({
      data: { code: `MOVE${hub.id}`, percent_ppm: 200_000, minimum_cents: 800 },
    });
    for (const [units, moves] of [
      [2, true],
      [1, false],
    ] as const) {
      const who = await signIn(market, { hubId: hub.id });
      const buy = async (product: TestProduct, quantity: number, discountCode: string | null) => {
        await who.put("/cart", [product.line(quantity)]);
        const choice = { ...CHOICE, discountCode };
        const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
        return (await who.post("/checkout", { ...choice, expectedTotal: orderTotal })).body.orderId as number;
      };
      const box = await buy(eggs, 3, code.code);
      const added = await buy(jam, units, null);
      const { body } = await who.post("/orders/edit-order", { order: { id: box, items: [] } });
      // Two jams: 10.00 less 2.00, tip 1.00, tax 0.56, card 0.60, delivery 8.95. One is below the minimum: 5.00, 0.50, 0.35, 0.45.
      expect(body).toMatchObject(
        moves
          ? { id: added, discountAmount: 2, tax: 0.56, orderTotal: 19.11 }
          : { id: added, discountAmount: 0, orderTotal: 15.25 },
      );
      expect(await db.discount_use.findMany({ where: { order_id: { in: [box, added] } } })).toMatchObject(
        moves ? [{ order_id: added }] : [],
      );
      expect(await market.audit()).toEqual([]);
    }
    expect(await db.discount_code.findUniqueOrThrow({ where: { id: code.id } })).toMatchObject({ uses: 1 });
  });

  /** A shopper who buys jam and eggs, for promotions of an emptied first order. */
  async function promotedBuyer(creditCents = 0) {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { priceCents: 1000 });
    const jam = await createProduct(db, hub.id, { priceCents: 500 });
    const turkey = await createProduct(db, hub.id, { priceCents: 1000, preOrderDate: "2026-12-20" });
    const who = await signIn(market, { hubId: hub.id, creditCents });
    const card = newCard();
    const buy = async (products: TestProduct[], more: object = {}) => {
      market.clock.advance(1000);
      await who.put(
        "/cart",
        products.map((product) => product.line(2)),
      );
      const choice = { ...CHOICE, card, savePaymentMethod: true, ...more };
      const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
      const placed = await who.post("/checkout", { ...choice, expectedTotal: orderTotal });
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      return placed.body.orderIds as number[];
    };
    const empty = async (id: number) => (await who.post("/orders/edit-order", { order: { id, items: [] } })).body;
    const newCode = (name: string) =>
      db.discount_code.create({ data: { code: `${name}${hub.id}`, percent_ppm: 200_000 } });
    /** The orders that use a code, and its counter. */
    const usesOf = async ({ id }: { id: number }) => [
      (await db.discount_use.findMany({ where: { discount_code_id: id } })).map(({ order_id }) => order_id),
      (await db.discount_code.findUniqueOrThrow({ where: { id } })).uses,
    ];
    return { eggs, jam, turkey, who, buy, empty, newCode, usesOf };
  }

  test("the discount code of an emptied first order goes back to the shopper when the promoted add-on has its own", async () => {
    const { eggs, jam, buy, empty, newCode, usesOf } = await promotedBuyer();
    const [first, second] = [await newCode("FIRST"), await newCode("SECOND")];
    const [box] = (await buy([eggs], { discountCode: first.code })) as [number];
    const [added] = (await buy([jam], { discountCode: second.code })) as [number];
    expect(await empty(box)).toMatchObject({ id: added, discountAmount: 2 });
    expect([await usesOf(first), await usesOf(second)]).toEqual([
      [[], 0],
      [[added], 1],
    ]);
    expect(await market.audit()).toEqual([]);
  });

  test("the discounts of an emptied first order stay with the pre-order that shares them", async () => {
    const { eggs, jam, turkey, who, buy, empty, newCode, usesOf } = await promotedBuyer();
    const code = await newCode("SHARED");
    const referrer = await signIn(market, { hubId: null });
    await db.referral.create({ data: { friend_id: who.customer.id, referrer_id: referrer.customer.id } });
    const [box, later] = (await buy([eggs, turkey], { discountCode: code.code })) as [number, number];
    const [added] = (await buy([jam], { discountCode: null })) as [number];
    expect(await empty(box)).toMatchObject({ id: added, discountAmount: 0 });
    expect(await usesOf(code)).toEqual([[later], 1]);
    expect(await db.referral.findFirstOrThrow({ where: { friend_id: who.customer.id } })).toMatchObject({
      order_id: later,
    });
    expect(await market.audit()).toEqual([]);
  });

  test("the referral of an emptied first order moves to the promoted add-on, up to the price of its items", async () => {
    const { eggs, jam, who, buy, empty } = await promotedBuyer();
    const referrer = await signIn(market, { hubId: null });
    await db.referral.create({ data: { friend_id: who.customer.id, referrer_id: referrer.customer.id } });
    const [box] = (await buy([eggs])) as [number];
    const [added] = (await buy([jam])) as [number];
    const referral = () => db.referral.findFirstOrThrow({ where: { friend_id: who.customer.id } });
    expect(await referral()).toMatchObject({ order_id: box });
    // Two jams: 10.00 less 10.00, tip 1.00, no tax, card 0.60, delivery 8.95.
    expect(await empty(box)).toMatchObject({ id: added, discountAmount: 10, tax: 0, orderTotal: 10.55 });
    expect(await referral()).toMatchObject({ order_id: added });
    expect(await empty(added)).toEqual({ deleted: true });
    expect(await referral()).toMatchObject({ order_id: null });
    expect(await market.audit()).toEqual([]);
  });

  test("the store credit of an emptied first order pays for its delivery fee, and the rest is returned", async () => {
    const { eggs, jam, who, buy, empty } = await promotedBuyer(1000);
    const [box] = (await buy([eggs], { useCredit: true })) as [number];
    const [added] = (await buy([jam])) as [number];
    // Two jams: 12.30, and the fee of 8.95.
    expect(await empty(box)).toMatchObject({ id: added, orderTotal: 21.25, amountDue: 12.3 });
    const { credit_cents } = await db.customer.findUniqueOrThrow({ where: { id: who.customer.id } });
    expect(credit_cents).toBe(105);
    expect(await market.audit()).toEqual([]);
  });

  test.each([
    ["gets the box's delivery note, before its own", "Gate 4", "Back door", "Gate 4\nBack door"],
    ["gets the box's delivery note once when both are the same", "Gate 4", "Gate 4", "Gate 4"],
    ["keeps its own delivery note when the box has none", "", "Back door", "Back door"],
  ])("a promoted add-on %s", async (_what, ofBox, ofAddOn, kept) => {
    const { eggs, jam, buy, empty } = await promotedBuyer();
    const [box] = (await buy([eggs], { deliveryNotes: ofBox })) as [number];
    await buy([jam], { deliveryNotes: ofAddOn });
    expect(await empty(box)).toMatchObject({ deliveryNotes: kept });
  });

  test("the market cancels one of two add-ons: its items leave the box", async () => {
    const { added, buy, jam, see } = await boxWithAddOns();
    const other = await buy(jam, 1);
    await cancelOrder(operator(), added, { to: "card", reason: "", key: null });
    expect(await see()).toMatchObject({ addOns: { orderTotal: 6.3, items: [{ quantity: 1, orderId: other }] } });
    expect((await see()).addOns!.items).toHaveLength(1);
    expect(await market.audit()).toEqual([]);
  });

  test("canceled before the cutoff: both orders are canceled and neither is charged", async () => {
    const { box, added, stock, charges } = await boxWithAddOns();
    const done = await cancelOrder(operator(), box, { to: "card", reason: "", key: null });
    expect(done).toMatchObject({ orderIds: [box, added], backCents: 0, creditCents: 0, uncollectedCents: 0 });
    expect(done.unchargedCents).toBeGreaterThan(0);
    expect(await stock()).toEqual([10, 10]);
    expect((await charges()).map(({ state }) => state)).toEqual(["voided", "voided"]);
    expect(await market.audit()).toEqual([]);
  });

  test("canceled after it was lowered and charged: everything is refunded, to the cent, and it stays listed", async () => {
    const { edit, box, charges, who } = await boxWithAddOns();
    await edit(box, 2);
    market.clock.set(CUTOFF);
    await runWeek(operator());
    const taken = (await charges()).map(({ captured_cents }) => captured_cents);
    const done = await cancelOrder(operator(), box, { to: "card", reason: "", key: null });
    expect(done.backCents).toBe(taken[0]! + taken[1]!);
    expect((await charges()).map(({ refunded_cents }) => refunded_cents)).toEqual(taken);
    expect((await who.get("/orders")).body.payload).toMatchObject([{ id: box, status: "cancelled" }]);
    expect(await market.audit()).toEqual([]);
  });

  test("emails name the box's number, and after an edit list everything still in the box", async () => {
    const { edit, added, box, eggs, jam, buy, who } = await boxWithAddOns();
    const third = await buy(jam, 1);
    await sendDueMail(deps);
    const texts = async () => {
      const mails = await db.mail.findMany({ where: { to_email: who.customer.email! }, orderBy: { id: "asc" } });
      return Promise.all(
        mails.map(async ({ template, data }) => {
          const content = await deps.mailTemplates[template]!.content(deps, data as never, market.clock.now());
          return content && renderMail(content, deps.env);
        }),
      );
    };
    const [first, second] = await texts();
    expect(first!.subject).toBe(`Your order ${box} for Thursday, November 26`);
    expect(first!.text).toContain("Your card is authorized for $34.45, not charged yet.");
    expect(first!.text).not.toContain("store credit");
    expect(second!.subject).toBe(`Added to your order ${box} for Thursday, November 26`);
    expect(second!.text).toContain(`What you added on Monday, November 23 comes in the same box as order ${box}`);
    expect(second!.text).toContain("Total of what you added: $12.30");
    expect(second!.text).toContain(`/order-complete/${box}`);
    expect(second!.text).not.toContain(String(added));

    await edit(box, 2);
    const lowered = (await texts()).at(-1)!;
    // Two eggs: 14.00, tip 1.40, tax 0.98, card 0.72, delivery 8.95; and 12.30 and 6.30 of add-ons.
    expect(lowered.subject).toBe(`Your order ${box} has changed`);
    expect(lowered.text).toContain(`2 × ${eggs.title}`);
    expect(lowered.text).toContain("Added on Monday, November 23:");
    expect(lowered.text).toContain(`2 × ${jam.title}`);
    expect(lowered.text).toContain("Home delivery: $8.95");
    expect(lowered.text).toContain("\nTotal: $44.65");

    await edit(box, 0);
    const promoted = (await texts()).at(-1)!;
    expect(promoted.subject).toBe(`Your order ${added} has changed`);
    expect(promoted.text).not.toContain(eggs.title);
    expect(promoted.text).toContain("Home delivery: $8.95");
    expect(promoted.text).toContain("\nTotal: $27.55");
    // Earlier emails link to the box too.
    expect((await texts())[0]!.text).toContain(`/order-complete/${added}`);

    await edit(added, 0, jam);
    await edit(third, 0, jam);
    expect((await texts()).at(-1)!.subject).toBe(`Your order ${third} was deleted`);
  });

  test("the market cancels a box: one email with the refund of all its orders", async () => {
    const { box, added, who } = await boxWithAddOns();
    market.clock.set(CUTOFF);
    await runWeek(operator());
    await cancelOrder(operator(), box, { to: "card", reason: "", key: null });
    const mails = await db.mail.findMany({ where: { to_email: who.customer.email!, template: "order-called-off" } });
    expect(mails).toMatchObject([{ data: { orderId: box, backCents: BOX + ADDED } }]);
    expect(await cancelOrder(operator(), added, { to: "card", reason: "", key: null })).toMatchObject({ orderIds: [] });
    expect(await market.audit()).toEqual([]);
  });

  test("nothing of a box arrived and its delivery fee is on an emptied order: the fee is refunded too", async () => {
    const { edit, added, box, jam, charges, see } = await boxWithAddOns();
    await edit(box, 0);
    market.clock.set(CUTOFF);
    await runWeek(operator());
    const missing = [{ variantId: jam.variant.id, quantity: 2 }];
    const back = await shortOrder(operator(), added, missing, { to: "card", reason: "" });
    expect(back.backCents).toBe(ADDED + 895);
    expect((await charges()).map(({ refunded_cents }) => refunded_cents)).toEqual([895, ADDED]);
    expect(await see()).toMatchObject({ id: added, items: [], orderTotal: 0, fees: { delivery: 0 } });
    expect(await market.audit()).toEqual([]);
  });

  test("nothing of a box arrived and its delivery fee is on an order that was written off: that fee is not refunded", async () => {
    const { edit, added, box, jam, charges } = await boxWithAddOns();
    await edit(box, 0);
    market.clock.set(CUTOFF);
    await runWeek(operator());
    await db.order.update({ where: { id: box }, data: { written_off_at: market.clock.now() } });
    const back = await shortOrder(operator(), added, [{ variantId: jam.variant.id, quantity: 2 }], {
      to: "card",
      reason: "",
    });
    expect(back.backCents).toBe(ADDED);
    expect((await charges()).map(({ refunded_cents }) => refunded_cents)).toEqual([0, ADDED]);
    await db.order.update({ where: { id: box }, data: { written_off_at: null } });
    expect(await market.audit()).toEqual([]);
  });

  test("the delivery fee on an emptied order is collected at the door with the rest of the box", async () => {
    const offline = await buildTestApp({ env: { PAYMENTS: "offline" } });
    const hub = await createHub(offline.db);
    const eggs = await createProduct(offline.db, hub.id, { priceCents: 700 });
    const who = await signIn(offline, { hubId: hub.id });
    const { card: _card, ...choice } = CHOICE;
    const ids: number[] = [];
    for (const quantity of [3, 1]) {
      await who.put("/cart", [eggs.line(quantity)]);
      const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
      ids.push((await who.post("/checkout", { ...choice, expectedTotal: orderTotal })).body.orderId as number);
      offline.clock.advance(1000);
    }
    const { orderTotal } = (await who.post("/orders/edit-order", { order: { id: ids[0], items: [] } })).body;
    offline.clock.set(CUTOFF);
    await runWeek({ now: offline.clock.now(), actor: { type: "system", job: "test" }, deps: offline.deps });
    expect(await offline.db.snapshot_box.findMany()).toMatchObject([
      { order_id: ids[1], due_cents: Math.round(orderTotal * 100) },
    ]);
    expect(await offline.audit()).toEqual([]);
  });
});

test("checkout: a pickup at another point than the open box's is a separate box, one at the same point joins it", async () => {
  const hub = await createHub(db, { pickupPoints: 2 });
  const eggs = await createProduct(db, hub.id, { inventory: 10 });
  const who = await signIn(market, { hubId: hub.id });
  const [first, second] = hub.pickup_points.map(({ id }) => id);
  const { deliveryAddress: _address, ...anyPlace } = CHOICE;
  const pickUp = async (pickupPointId: number | undefined) => {
    await who.put("/cart", [eggs.line(1)]);
    const choice = { ...anyPlace, type: "pickup", pickupPointId };
    const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
    const placed = await who.post("/checkout", { ...choice, expectedTotal: orderTotal });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    market.clock.advance(1000);
    return placed.body.orderId as number;
  };
  const ids = [await pickUp(first), await pickUp(second), await pickUp(first), await pickUp(second)];
  const orders = await db.order.findMany({ where: { id: { in: ids } }, orderBy: { created_at: "asc" } });
  expect(orders.map(({ pickup_point_id, add_on_to_id }) => [pickup_point_id, add_on_to_id])).toEqual([
    [first, null],
    [second, null],
    [first, ids[0]],
    [second, ids[1]],
  ]);
  expect(await market.audit()).toEqual([]);
});
