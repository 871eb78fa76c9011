import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  CHOICE,
  createAddress,
  createHub,
  createProduct,
  GOOD_CARD,
  setCard,
  type TestProduct,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";
import { finishChallenge, resumeAbandoned } from "../checkout/resume-attempt.ts";
import { grantCredit } from "../gift-cards/grant-credit.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { cancelOrder } from "./cancel-order.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const CHALLENGED = { ...CHOICE, card: { ...GOOD_CARD, number: "4000002500003155" } };
const GRACE_OVER = "2026-11-25T06:10:01Z";
const context = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
beforeEach(() => {
  market.clock.set(MONDAY);
  for (const point of Object.keys(points.plan)) delete points.plan[point];
  points.passed.length = 0;
});

/** A shopper with an open box of eggs, and jam in the cart priced as its add-on. */
async function shopper(choice: object = CHOICE) {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: 10 });
  const jam = await createProduct(db, hub.id, { priceCents: 500, inventory: 10 });
  const who = await signIn(market, { hubId: hub.id });
  const pay = async (body: object) => {
    const { orderTotal } = (await who.post("/checkout/quote", body)).body;
    return who.post("/checkout", { ...body, expectedTotal: orderTotal });
  };
  const buy = async (product: TestProduct) => {
    await who.put("/cart", [product.line(1)]);
    const placed = await pay({ ...choice, card: GOOD_CARD });
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    market.clock.advance(1000);
    return placed.body.orderId as number;
  };
  const box = await buy(eggs);
  const empty = (id: number) => who.post("/orders/edit-order", { order: { id, items: [] } });
  const stock = async () =>
    Promise.all(
      [eggs, jam].map(
        async ({ variant }) => (await db.offer.findFirstOrThrow({ where: { variant_id: variant.id } })).inventory,
      ),
    );
  return { hub, eggs, jam, who, pay, buy, box, empty, stock };
}
type Shopper = Awaited<ReturnType<typeof shopper>>;

// One jam: 5.00, tip 0.50, tax 0.35, card 0.45.
const ADDED = 6.3;
const ALONE = 15.25;

const GONE: [string, (of: Shopper) => Promise<unknown>][] = [
  ["emptied by the shopper", ({ box, empty }) => empty(box)],
  ["canceled by the market", ({ box }) => cancelOrder(context(), box, { to: "card", reason: "", key: null })],
];

/** Ways to pay for the cart while `meanwhile` changes the box; each returns the response of the last call. */
const WAYS: [string, (of: Shopper, meanwhile: () => Promise<unknown>) => Promise<{ status: number; body: any }>][] = [
  ...["checkout:asking", "checkout:paid"].map((point): (typeof WAYS)[number] => [
    `stopped at ${point}`,
    async ({ pay }, meanwhile) => {
      const gate = Promise.withResolvers<void>();
      points.passed.length = 0;
      points.plan[point] = { until: gate.promise };
      const reached = points.reached(point);
      const paying = pay(CHOICE);
      await reached;
      await meanwhile();
      delete points.plan[point];
      gate.resolve();
      return paying;
    },
  ]),
  [
    "the shopper completes the bank's challenge",
    async ({ pay, who }, meanwhile) => {
      const response = await pay(CHALLENGED);
      expect(response.status).toBe(202);
      await meanwhile();
      return who.post(`/checkout/${response.body.challenge.attemptId}/complete`, { approve: true });
    },
  ],
  [
    "the webhook completes the bank's challenge first",
    async ({ pay, who }, meanwhile) => {
      const response = await pay(CHALLENGED);
      const { attemptId } = response.body.challenge;
      await meanwhile();
      await db.test_charge.updateMany({ where: { idempotency_key: attemptId }, data: { state: "authorized" } });
      const charge = await market.deps.payments.find({ key: attemptId, customerId: 0 });
      await finishChallenge(context(), attemptId, charge!);
      return who.post(`/checkout/${attemptId}/complete`, { approve: true });
    },
  ],
];

describe("checkout: the box of an add-on is gone when the add-on is placed", () => {
  for (const [how, goes] of GONE)
    test.each(WAYS)(
      `checkout: the box is ${how} while the add-on is paid (%s): 409 with the new quote, nothing charged`,
      { tags: ["fail:M5"] },
      async (_, way) => {
        const of = await shopper();
        const { who, jam, pay, stock } = of;
        await who.put("/cart", [jam.line(1)]);
        expect((await who.post("/checkout/quote", CHOICE)).body.orderTotal).toBe(ADDED);
        const answer = await way(of, () => goes(of));
        expect([answer.status, answer.body[0], answer.body[1].code]).toEqual([
          409,
          "The total has changed. Please review it.",
          "total_changed",
        ]);
        expect(answer.body[1].quote).toMatchObject({
          orderTotal: ALONE,
          fees: { delivery: 8.95 },
          orders: [{ joinsOrderId: null }],
        });
        expect(await stock()).toEqual([10, 10]);
        expect(
          await db.payment.findMany({ where: { customer_id: who.customer.id, state: { not: "voided" } } }),
        ).toEqual([]);
        expect(await market.audit()).toEqual([]);
        // The cart is kept, and can be ordered at the new price.
        const placed = await pay(CHOICE);
        expect((await who.get(`/orders/${placed.body.orderId}`)).body).toMatchObject({
          orderTotal: ALONE,
          fees: { delivery: 8.95 },
        });
        expect(await market.audit()).toEqual([]);
      },
    );

  test("checkout: the new quote of an add-on whose box is gone has the same code, credit, tip and address", async () => {
    const of = await shopper();
    const { who, hub, jam, box, empty } = of;
    await db.discount_code.create({ data: { code: `KEPT${hub.id}`, amount_cents: 100 } });
    await grantCredit(
      context(),
      { id: asCustomerId(who.customer.id), email: who.customer.email },
      { amountCents: 250, reason: "sorry", key: null, dryRun: false },
    );
    await who.put("/cart", [jam.line(1)]);
    const choice = { ...CHOICE, tipPercentage: 20, discountCode: `KEPT${hub.id}`, useCredit: true };
    const answer = await WAYS[0]![1]({ ...of, pay: () => of.pay(choice) }, () => empty(box));
    expect([answer.status, answer.body[1].code]).toEqual([409, "total_changed"]);
    const { quote } = answer.body[1];
    expect(quote).toMatchObject({ discountAmount: 1, credit: 2.5, tip: 1, fees: { delivery: 8.95 } });
    expect(quote).toEqual((await who.post("/checkout/quote", choice)).body);
    expect((await who.post("/checkout", { ...choice, expectedTotal: quote.orderTotal })).status).toBe(201);
    expect(await market.audit()).toEqual([]);
  });

  test.each(WAYS)(
    "checkout: the box is replaced by another add-on while this one is paid (%s): it joins that add-on",
    { tags: ["fail:M5"] },
    async (_, way) => {
      const of = await shopper();
      const { who, jam, buy, box, empty } = of;
      const second = await buy(jam);
      await who.put("/cart", [jam.line(1)]);
      const answer = await way(of, () => empty(box));
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      expect((await who.get(`/orders/${answer.body.orderId}`)).body).toMatchObject({
        id: second,
        fees: { delivery: 8.95 },
        addOns: { orderTotal: ADDED },
      });
      expect(await market.audit()).toEqual([]);
    },
  );

  test.each(WAYS)(
    "checkout: a pickup box is emptied while its add-on is paid (%s): it is placed alone, no fee is due",
    { tags: ["fail:M5"] },
    async (_, way) => {
      const pickup = (of: { hub: { pickup_points: { id: number }[] } }) => ({
        type: "pickup",
        deliveryAddress: undefined,
        pickupPointId: of.hub.pickup_points[0]!.id,
      });
      const of = await shopper();
      const { who, jam, eggs, box, empty, hub, stock } = of;
      await empty(box);
      const pay = async (choice: object) => {
        const body = { ...choice, ...pickup({ hub }) };
        const { orderTotal } = (await who.post("/checkout/quote", body)).body;
        return who.post("/checkout", { ...body, expectedTotal: orderTotal });
      };
      await who.put("/cart", [eggs.line(1)]);
      const first = await pay(CHOICE);
      await who.put("/cart", [jam.line(1)]);
      const answer = await way({ ...of, pay }, () => empty(first.body.orderId));
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      expect((await who.get("/orders")).body.payload).toMatchObject([{ id: answer.body.orderId, orderTotal: ADDED }]);
      expect(await stock()).toEqual([10, 9]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test.each(WAYS.slice(0, 3))(
    "checkout: the day is cut off while the add-on is paid (%s): refused, the box is charged alone",
    { tags: ["fail:M5"] },
    async (_, way) => {
      const of = await shopper();
      const { who, jam, box } = of;
      await who.put("/cart", [jam.line(1)]);
      const answer = await way(of, async () => {
        market.clock.set(GRACE_OVER);
        await runWeek(context());
      });
      expect([answer.status, answer.body[1].code]).toEqual([409, "past_cutoff"]);
      await resumeAbandoned(context());
      expect((await who.get(`/orders/${box}`)).body).toMatchObject({ status: "pending", addOns: null });
      const payments = await db.payment.findMany({ where: { customer_id: who.customer.id } });
      expect(payments.map(({ state }) => state).toSorted()).toEqual(["captured", "voided"]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "auto-checkout: the box is emptied while its add-on is paid: the order is placed with the delivery fee",
    { tags: ["fail:M5"] },
    async () => {
      const of = await shopper();
      const { who, jam, box, empty } = of;
      await runWeek(context());
      await createAddress(db, who.customer.id).catch(() => undefined);
      await setCard(db, who.customer.id);
      await who.put("/subscriptions/status", { enabled: true, status: 1 });
      await who.put("/cart", [jam.line(1)]);
      const gate = Promise.withResolvers<void>();
      points.passed.length = 0;
      points.plan["checkout:asking"] = { until: gate.promise };
      const reached = points.reached("checkout:asking");
      market.clock.set("2026-11-23T18:00:00Z");
      const run = runAutoCheckouts(context());
      await reached;
      expect((await empty(box)).body).toEqual({ deleted: true });
      delete points.plan["checkout:asking"];
      gate.resolve();
      await run;
      const orders = (await who.get("/orders")).body.payload;
      expect(orders).toMatchObject([{ fees: { delivery: 8.95 }, items: [{ quantity: 1 }] }]);
      expect(orders).toHaveLength(1);
      expect(await market.audit()).toEqual([]);
      // The automatic order is canceled like any other.
      expect((await empty(orders[0].id)).body).toEqual({ deleted: true });
      expect(await market.audit()).toEqual([]);
    },
  );
});
