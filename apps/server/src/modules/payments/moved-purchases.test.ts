import { beforeEach, describe, expect, test } from "vitest";

import { tokenOf } from "../../../test/fake-stripe.ts";
import { refuseWrites } from "../../../test/refuse-writes.ts";
import { stripeOrders } from "../../../test/stripe-orders.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { renewWagonPasses } from "../wagon-pass/renew-wagon-pass.ts";
import { findDisputes } from "./dispute-store.ts";
import { resumeRefunds } from "./finish-refund.ts";

const {
  market,
  second,
  fake,
  db,
  operator,
  input,
  post,
  chargedOrder,
  happens,
  lossOf,
  creditOf,
  refundedOf,
  waitingOf,
  expectAgreement,
} = await stripeOrders();
beforeEach(() => fake.clearTroubles());

type Charged = Awaited<ReturnType<typeof chargedOrder>>;

/** The latest captured purchase of the customer of an order. */
async function paymentOf({ who }: Charged, kind: "gift-card" | "wagon-pass") {
  const payments = await db.payment.findMany({
    where: { customer_id: who.customer.id, state: "captured" },
    orderBy: { created_at: "asc" },
  });
  const found = payments.findLast(({ purpose }) => ((purpose as { kind?: string } | null)?.kind ?? null) === kind)!;
  return { ...found, ref: found.provider_ref!, paymentId: found.id };
}
type Moved = Awaited<ReturnType<typeof paymentOf>>;
/** The payment of an order. */
async function chargeOf(orderId: number): Promise<Moved> {
  const { payment } = await db.order.findUniqueOrThrow({ where: { id: orderId }, include: { payment: true } });
  return { ...payment!, ref: payment!.provider_ref!, paymentId: payment!.id };
}
/** The add-on of a box. */
const addOnOf = ({ id }: Charged) => db.order.findFirstOrThrow({ where: { add_on_to_id: id } });
/** What the helpers of orders say about another payment of the customer. */
const about = (order: Charged, payment: Moved): Charged => ({ ...order, paymentId: payment.id, ref: payment.ref });

async function buyPass(order: Charged, plan: "monthly" | "yearly" = "yearly") {
  const bought = await order.who.post("/wagon-pass", { plan, confirmationToken: tokenOf("4242424242424242") });
  expect(bought.status, JSON.stringify(bought.body)).toBe(200);
  return paymentOf(order, "wagon-pass");
}
async function buyGiftCard(order: Charged) {
  const bought = await order.who.post("/gift-cards", {
    amount: 50,
    recipientEmail: "friend@example.com",
    deliverOn: "2026-12-01",
    confirmationToken: tokenOf("4242424242424242"),
  });
  expect(bought.status, JSON.stringify(bought.body)).toBe(201);
  return paymentOf(order, "gift-card");
}
const passOf = async ({ who }: Charged) => (await who.get("/wagon-pass")).body;
const disputesOf = async ({ id }: Moved) =>
  (await findDisputes(db, { closed: true })).filter(({ payment_id: of }) => of === id);
/** What leaves the provider, as the ledger and the payment say it. Cents. */
const moved = async (order: Charged, payment: Moved) => [
  await lossOf(about(order, payment)),
  await refundedOf(about(order, payment)),
];

describe("a chargeback of a wagon pass", { tags: ["fail:B17"] }, () => {
  test.each(["won", "lost"] as const)(
    "dispute: %s, it is booked once without an order, and the pass stays until its customer ends it",
    async (end) => {
      const order = await chargedOrder();
      const pass = await buyPass(order);
      let dispute = "";
      await happens(() => (dispute = fake.dispute(pass.ref)));
      expect(await disputesOf(pass)).toMatchObject([
        { order_ids: [], purchase: "wagon-pass", amount_cents: 13_995, status: "needs_response", closed_at: null },
      ]);
      expect(await moved(order, pass)).toEqual([13_995, 13_995]);
      expect(await passOf(order)).toMatchObject({ status: "active" });
      await expectAgreement();
      await happens(
        () => fake.moveDispute(dispute, end),
        (events) => events.toReversed(),
      );
      expect(await disputesOf(pass)).toMatchObject([{ status: end, closed_at: expect.any(Date) }]);
      expect(await moved(order, pass)).toEqual(end === "lost" ? [13_995, 13_995] : [0, 0]);
      expect(await waitingOf(about(order, pass))).toEqual([]);
      expect((await order.who.delete("/wagon-pass")).status).toBe(200);
      expect(await passOf(order)).toMatchObject({ status: "cancelled" });
      // The order of the same customer is another charge.
      expect(await lossOf(order)).toBe(0);
      expect(await creditOf(order)).toBe(0);
      await expectAgreement();
    },
  );

  test("dispute: of a renewal it is booked for that charge alone, and the next renewal is charged", async () => {
    const order = await chargedOrder();
    const saved = await order.who.post("/payment-methods", { confirmationToken: tokenOf("4242424242424242") });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    const first = await buyPass(order, "monthly");
    const renewals = ["2026-12-25T17:00:00Z", "2027-01-25T17:00:00Z"];
    market.clock.set(renewals[0]!);
    await renewWagonPasses(operator());
    const renewal = await paymentOf(order, "wagon-pass");
    expect(renewal.id).not.toBe(first.id);
    await happens(() => fake.dispute(renewal.ref, { amount: 1000 }));
    expect([await moved(order, first), await moved(order, renewal)]).toEqual([
      [0, 0],
      [1000, 1000],
    ]);
    market.clock.set(renewals[1]!);
    await renewWagonPasses(operator());
    expect((await paymentOf(order, "wagon-pass")).id).not.toBe(renewal.id);
    expect(await db.payment.count({ where: { id: { in: [first.id, renewal.id] }, state: "captured" } })).toBe(2);
    await expectAgreement();
  });

  test("dashboard refund: of a pass it is booked once, and a dispute after it is a second loss", async () => {
    const order = await chargedOrder();
    const pass = await buyPass(order);
    await happens(() => fake.refundInDashboard(pass.ref, 5000));
    expect(await moved(order, pass)).toEqual([5000, 5000]);
    let dispute = "";
    await happens(() => (dispute = fake.dispute(pass.ref, { amount: 8995 })));
    expect(await moved(order, pass)).toEqual([13_995, 13_995]);
    await happens(() => fake.moveDispute(dispute, "won"));
    expect(await moved(order, pass)).toEqual([5000, 5000]);
    await expectAgreement();
  });
});

describe("a chargeback of an add-on", { tags: ["fail:B17"] }, () => {
  test("dispute: it names the add-on's order; the box's charge can be refunded, and a cancellation gives back only what the bank has not", async () => {
    const order = await chargedOrder(1, 1);
    const addOn = await addOnOf(order);
    const payment = await chargeOf(addOn.id);
    expect(payment.id).not.toBe(order.paymentId);
    await happens(() => fake.dispute(payment.ref));
    expect(await disputesOf(payment)).toMatchObject([{ order_ids: [addOn.id], purchase: null }]);
    await expect(refundOrder(operator(), addOn.id, { ...input, amountCents: 500 })).rejects.toMatchObject({
      details: { code: "charge_disputed" },
    });
    await refundOrder(operator(), order.id, { ...input, amountCents: 500 });
    expect([await lossOf(order), await moved(order, payment)]).toEqual([
      500,
      [addOn.order_total_cents, addOn.order_total_cents],
    ]);
    const done = await cancelOrder(operator(), order.id, input);
    expect(done).toMatchObject({ creditCents: 0, bankCents: addOn.order_total_cents, backCents: order.total - 500 });
    expect(await creditOf(order)).toBe(0);
    await expectAgreement();
  });

  test("dispute: won after its add-on was canceled, the add-on's amount alone waits for an operator", async () => {
    const order = await chargedOrder(1, 1);
    const addOn = await addOnOf(order);
    const payment = await chargeOf(addOn.id);
    let dispute = "";
    await happens(() => (dispute = fake.dispute(payment.ref)));
    await cancelOrder(operator(), addOn.id, input);
    await happens(() => fake.moveDispute(dispute, "won"));
    expect(await waitingOf(about(order, payment))).toMatchObject([
      { order_id: addOn.id, amount_cents: addOn.order_total_cents, failure: "charge_disputed" },
    ]);
    expect(await waitingOf(order)).toEqual([]);
    expect(await market.audit()).toEqual([]);
  });
});

/** The writes at which the server is killed. What happened is recorded as a whole or not at all, and the event is sent again. */
const LAST_WRITES = [
  ["before its booking", "ledger_transaction", "true"],
  ["before its audit entry", "audit_entry", "new.action in ('dispute', 'refund')"],
  ["before the event is finished", "webhook_event", "new.processed_at is not null"],
] as const;

describe("a kill while money that moved outside is recorded", { tags: ["fail:B6", "fail:B17"] }, () => {
  test.each(LAST_WRITES)("%s: the event that is sent again records it once", async (_when, table, condition) => {
    const order = await chargedOrder(1, 1);
    const kinds: [name: string, payment: Moved][] = [
      ["box", await chargeOf(order.id)],
      ["add-on", await chargeOf((await addOnOf(order)).id)],
      ["gift card", await buyGiftCard(order)],
      ["pass", await buyPass(order)],
    ];
    for (const [name, payment] of kinds)
      for (const [amount, happen] of [
        [300, () => fake.refundInDashboard(payment.ref, 300)],
        [400, () => fake.dispute(payment.ref, { amount: 400 })],
      ] as const) {
        const from = fake.events.length;
        happen();
        const allow = await refuseWrites(db, table, condition);
        const before = await moved(order, payment);
        try {
          for (const event of fake.events.slice(from)) expect((await post(market, event)).statusCode).toBe(500);
          const recorded = table === "webhook_event" ? amount : 0;
          expect([name, await moved(order, payment)]).toEqual([name, before.map((cents) => cents + recorded)]);
        } finally {
          await allow();
        }
        for (const event of fake.events.slice(from))
          expect(
            (await Promise.all([post(second, event), post(market, event)])).map((each) => each.statusCode),
          ).toEqual([200, 200]);
      }
    for (const [name, payment] of kinds) expect([name, await moved(order, payment)]).toEqual([name, [700, 700]]);
    await resumeRefunds(operator());
    await expectAgreement();
  });
});
