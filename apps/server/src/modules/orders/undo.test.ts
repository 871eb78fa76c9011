import { sqlTransaction } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY, type TestMarket } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, PASSWORD, setCard } from "../../../test/factories.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { waitForLock } from "../../../test/locks.ts";
import { runWeek } from "../../jobs/week.ts";
import { forgetPerson } from "../account/delete-account.ts";
import { grantCredit } from "../gift-cards/grant-credit.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { payVendors, reversePayout } from "../ledger/pay-vendors.ts";
import { lockPayouts } from "../ledger/payout-sql.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { chargeDueOrders } from "../payments/charge-order.ts";
import { cancelOrder } from "./cancel-order.ts";
import { chargeNow } from "./charge-now.ts";
import { deliverOrders } from "./deliver-orders.ts";
import { recordPayments } from "./record-payment.ts";
import { refundOrder } from "./refund-order.ts";
import { shortOrder } from "./short-order.ts";
import { undoDeliveries } from "./undo-delivery.ts";
import { undoPayments } from "./undo-payment.ts";
import { writeOffOrder } from "./write-off-order.ts";

const CUTOFF = "2026-11-25T06:00:00Z";
const DAY_OVER = "2026-11-27T06:00:00Z";
const DECLINED = "4000000000000002";
const [cardMarket, door] = [await buildTestApp(), await buildTestApp({ env: { PAYMENTS: "offline" } })];

const operator = ({ clock, deps }: TestMarket): Context => ({
  now: clock.now(),
  actor: { type: "operator", name: "mara" },
  deps,
});
async function tick(market: TestMarket, at: string) {
  market.clock.set(at);
  await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps: market.deps });
}
const money = (amountCents: number) => ({ amountCents, to: "credit", reason: "bruised", key: null }) as const;

let people = 0;
/** A new customer; with a referrer, their friend. */
async function register(market: TestMarket, referrerId: number | null = null) {
  const email = `pat.lake.${(people += 1)}@example.com`;
  const browser = market.shopper();
  const { status, body } = await browser.post("/auth/register", {
    email,
    password: PASSWORD,
    zipCode: "46032",
    firstName: "Pat",
    lastName: "Lake",
    ...(referrerId !== null && { referredByCustomerId: referrerId }),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: body.id as number, email, browser };
}

/** A hub's day after its cutoff: a customer's box with `orders` orders, the first and its add-ons. */
async function closedBox(
  market: TestMarket,
  {
    orders = 1,
    creditCents = 0,
    referrerId = null,
    vendorId,
    beforeCutoff,
  }: {
    orders?: number;
    /** Store credit that the orders use. */
    creditCents?: number;
    referrerId?: number | null;
    /** Of the item; default: a new one. */
    vendorId?: number;
    beforeCutoff?: (customerId: number) => Promise<unknown>;
  } = {},
) {
  market.clock.set(MONDAY);
  const hub = await createHub(market.db);
  const ham = await createProduct(market.db, hub.id, {
    priceCents: 2500,
    inventory: 90,
    ...(vendorId !== undefined && { vendorId }),
  });
  const who = await register(market, referrerId);
  await market.db.customer.update({ where: { id: who.id }, data: { hub_id: hub.id } });
  if (creditCents > 0) {
    const customer = { id: asCustomerId(who.id), email: who.email };
    await grantCredit(operator(market), customer, {
      amountCents: creditCents,
      reason: "sorry",
      key: null,
      dryRun: false,
    });
  }
  const street = { address: `${people} Walnut Street`, city: "Carmel", state: "IN", zipCode: "46032" };
  const choice =
    market === door
      ? { type: "delivery", deliveryAddress: street, tipPercentage: 0, useCredit: true }
      : { ...CHOICE, deliveryAddress: street, savePaymentMethod: true };
  const ids: number[] = [];
  while (ids.length < orders) {
    market.clock.advance(10);
    expect((await who.browser.put("/cart", [ham.line(1)])).status).toBe(200);
    const { orderTotal } = (await who.browser.post("/checkout/quote", choice)).body;
    const { status, body } = await who.browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
    expect(status, JSON.stringify(body)).toBe(201);
    ids.push(body.orderId);
  }
  await beforeCutoff?.(who.id);
  await tick(market, CUTOFF);
  const vendor = await market.db.vendor.findUniqueOrThrow({ where: { id: ham.vendor_id } });
  return { hub, who, vendor, ids, id: ids[0]!, day: hub.deliveries[0]!.day.toISOString().slice(0, 10) };
}
/** An order whose card is declined at the cutoff. */
const declinedOrder = () =>
  closedBox(cardMarket, {
    async beforeCutoff(customerId) {
      await cardMarket.db.test_charge.updateMany({
        where: { idempotency_key: { in: await keysOf(customerId) } },
        data: { state: "voided" },
      });
      await setCard(cardMarket.db, customerId, DECLINED);
    },
  });
const keysOf = async (customerId: number) =>
  (await cardMarket.db.payment.findMany({ where: { customer_id: customerId } })).map(({ charge_key }) => charge_key);

const orderOf = ({ db }: TestMarket, id: number) =>
  db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
const creditOf = async (id: number) => (await door.db.customer.findUniqueOrThrow({ where: { id } })).credit_cents;
/** Entries of a customer's account by kind of booking, oldest first. Cents. */
const bookedFor = async ({ db }: TestMarket, customerId: number) =>
  (
    await db.ledger_entry.findMany({
      where: { customer_id: customerId, account: "shopper", transaction: { kind: { in: ["capture", "write_off"] } } },
      include: { transaction: true },
      orderBy: { id: "asc" },
    })
  ).map(({ amount_cents, transaction: { kind } }) => [kind, amount_cents]);
const pay = (market: TestMarket, ids: readonly number[], dryRun = false) =>
  recordPayments(operator(market), ids, "cash", dryRun);
const undoPaid = (market: TestMarket, ids: readonly number[], dryRun = false) =>
  undoPayments(operator(market), ids, "wrong tote", dryRun);
const undoDelivered = (market: TestMarket, ids: readonly number[], dryRun = false) =>
  undoDeliveries(operator(market), ids, "wrong tote", dryRun);
async function expectBalanced(market: TestMarket) {
  expect(await market.audit()).toEqual([]);
  expect(await sumOfLedger(market.db)).toBe(0);
}

test(
  "undo paid: a box is unpaid again with reversing entries, may be paid and undone again, and the second run finds nothing",
  { tags: ["fail:M17"] },
  async () => {
    const { id, ids, who } = await closedBox(door, { orders: 2 });
    const addOn = ids[1]!;
    expect(await undoPaid(door, [id])).toEqual([{ orderId: id, orderIds: [], cents: 0, payments: [], referrals: [] }]);
    const { cents } = (await pay(door, [id]))[0]!;
    for (let round = 1; round <= 2; round += 1) {
      const paid = await bookedFor(door, who.id);
      expect((await undoPaid(door, [addOn], true))[0]).toMatchObject({
        orderIds: ids.toSorted((a, b) => a - b),
        cents,
      });
      expect(await bookedFor(door, who.id)).toEqual(paid);
      expect((await orderOf(door, id)).payment!.state).toBe("captured");

      // Both numbers are of one box, here and below.
      expect(await undoPaid(door, [addOn, id])).toMatchObject([
        { orderIds: ids.toSorted((a, b) => a - b), cents },
        { orderIds: [], cents: 0 },
      ]);
      for (const each of ids)
        expect((await orderOf(door, each)).payment).toMatchObject({ state: "authorized", captured_cents: 0 });
      const undone = await bookedFor(door, who.id);
      expect(undone.slice(0, paid.length)).toEqual(paid);
      expect(undone.reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(0);
      await expectBalanced(door);

      expect((await undoPaid(door, [id]))[0]).toMatchObject({ orderIds: [], cents: 0 });
      expect(await bookedFor(door, who.id)).toEqual(undone);
      expect((await pay(door, ids)).map((recorded) => recorded.cents)).toEqual([cents, 0]);
      for (const each of ids) expect((await orderOf(door, each)).payment).toMatchObject({ state: "captured" });
      await expectBalanced(door);
    }
    const entries = await door.db.audit_entry.findMany({
      where: { action: "orders undo-paid", subject: `order:${id}` },
    });
    expect(entries).toMatchObject([
      { actor: "operator:mara", reason: "wrong tote" },
      { actor: "operator:mara", reason: "wrong tote" },
    ]);
  },
);

test("undo paid and undo deliver: two runs at once undo it once", async () => {
  const { id, who } = await closedBox(door);
  await pay(door, [id]);
  await deliverOrders(operator(door), [id]);
  const runs = async (undo: () => Promise<{ orderIds: number[] }[]>) =>
    (await Promise.all([undo(), undo(), undo()])).flatMap(([box]) => box!.orderIds);
  expect(await runs(() => undoPaid(door, [id]))).toEqual([id]);
  expect(await runs(() => undoDelivered(door, [id]))).toEqual([id]);
  expect(await bookedFor(door, who.id)).toHaveLength(2);
  for (const action of ["orders undo-paid", "orders undo-deliver"])
    expect([action, await door.db.audit_entry.count({ where: { action, subject: `order:${id}` } })]).toEqual([
      action,
      1,
    ]);
  expect(await orderOf(door, id)).toMatchObject({ status: "pending", closed_at: null });
  await expectBalanced(door);
});

test("undo paid and undo deliver: one order of several that cannot be undone stops all", async () => {
  const [first, second] = [await closedBox(door), await closedBox(door)];
  await pay(door, [first.id, second.id]);
  await deliverOrders(operator(door), [first.id, second.id]);
  await cancelOrder(operator(door), second.id, { to: "credit", reason: "away", key: null });
  for (const undo of [undoPaid, undoDelivered])
    await expect(undo(door, [first.id, second.id])).rejects.toMatchObject({
      refused: [{ orderId: second.id, message: "This order is cancelled." }],
      right: [first.id],
    });
  expect(await orderOf(door, first.id)).toMatchObject({ status: "closed", payment: { state: "captured" } });
  await expect(undoPaid(door, [100_000_001])).rejects.toMatchObject({ status: 404 });
  await expect(undoDelivered(door, [100_000_001])).rejects.toMatchObject({ status: 404 });
});

test("undo paid and undo deliver: refused once a vendor was paid for the order, until that payout is reversed", async () => {
  const { id, day, vendor } = await closedBox(door);
  await pay(door, [id]);
  await deliverOrders(operator(door), [id]);
  const undo = async () => [(await undoPaid(door, [id]))[0]!.orderIds, (await undoDelivered(door, [id]))[0]!.orderIds];
  const redo = async () => [await pay(door, [id]), await deliverOrders(operator(door), [id])];
  // One of the days before does not include the order.
  door.clock.advance(1_000);
  await payVendors(operator(door), { to: "2026-11-25", dryRun: false });
  expect(await undo()).toEqual([[id], [id]]);
  await redo();

  const { payout } = await payVendors(operator(door), { to: day, dryRun: false });
  const refused = {
    status: 409,
    message: `Payout ${payout} paid ${vendor.slug} for this order. This can no longer be undone.`,
    details: { code: "paid_out" },
  };
  await expect(undoPaid(door, [id])).rejects.toMatchObject(refused);
  await expect(undoDelivered(door, [id])).rejects.toMatchObject(refused);
  expect(await orderOf(door, id)).toMatchObject({ status: "closed", payment: { state: "captured" } });

  const part = { payout: payout!, vendor: vendor.slug, reason: "account closed", dryRun: false };
  await reversePayout(operator(door), part);
  expect(await undo()).toEqual([[id], [id]]);
  await expectBalanced(door);
});

test("undo paid: a payout that was booked for the day before its orders closed did not pay for them", async () => {
  // The vendor has something due for another order.
  const { vendor } = await closedBox(door);
  const { id } = await closedBox(door, {
    vendorId: vendor.id,
    beforeCutoff: async () => {
      const { paid } = await payVendors(operator(door), { to: "2026-12-31", dryRun: false });
      expect(paid.map((due) => due.id)).toContain(vendor.id);
    },
  });
  await pay(door, [id]);
  expect((await undoPaid(door, [id]))[0]!.orderIds).toEqual([id]);
});

test("undo paid: waits for a payout that is being booked, and is then refused", async () => {
  const { id, day } = await closedBox(door);
  await pay(door, [id]);
  const works = await sqlTransaction(door.db, async (tx) => {
    await lockPayouts(tx);
    const payout = payVendors(operator(door), { to: day, dryRun: false });
    await waitForLock(door.db, payout);
    const undo = undoPaid(door, [id]);
    const settled = Promise.allSettled([payout, undo]);
    await waitForLock(door.db, undo, 2);
    return { settled };
  });
  const [payout, undo] = await works.settled;
  expect(payout.status).toBe("fulfilled");
  expect(undo).toMatchObject({ status: "rejected", reason: { details: { code: "paid_out" } } });
  expect((await orderOf(door, id)).payment!.state).toBe("captured");
  await expectBalanced(door);
});

test("undo paid: an order whose card was declined is not charged again automatically, but by command, and may be paid again", async () => {
  const { id, who } = await declinedOrder();
  expect(await orderOf(cardMarket, id)).toMatchObject({ charge_tries: 1, payment_id: null });
  const { cents } = (await pay(cardMarket, [id]))[0]!;
  expect((await undoPaid(cardMarket, [id]))[0]).toMatchObject({ orderIds: [id], cents });
  expect(await orderOf(cardMarket, id)).toMatchObject({
    payment_id: null,
    charge_error: "It was marked as paid at the door, and that was undone.",
    charge_next_at: null,
  });
  await expectBalanced(cardMarket);
  await setCard(cardMarket.db, who.id);
  cardMarket.clock.set(DAY_OVER);
  await chargeDueOrders(operator(cardMarket));
  expect(await orderOf(cardMarket, id)).toMatchObject({ payment_id: null });
  await pay(cardMarket, [id]);
  await undoPaid(cardMarket, [id]);
  expect(await chargeNow(operator(cardMarket), id)).toBe(cents);
  expect(await bookedFor(cardMarket, who.id)).toEqual([cents, -cents, cents, -cents, cents].map((c) => ["capture", c]));
  await expectBalanced(cardMarket);
  await expect(undoPaid(cardMarket, [id])).rejects.toMatchObject({
    status: 409,
    message: "This order was paid by card. `orders refund` gives money back.",
    details: { code: "not_offline" },
  });
});

test.each([
  ["at the door", () => closedBox(door), door],
  ["by card", declinedOrder, cardMarket],
])("undo paid: an order to be paid %s that was written off is written off again", async (_, scene, market) => {
  const { id, who } = await scene();
  const loss = await writeOffOrder(operator(market), id, "moved away");
  expect(await writeOffOrder(operator(market), id, "moved away")).toBe(0);
  const [item] = await market.db.order_item.findMany({ where: { order_id: id } });
  const missing = [{ variantId: item!.variant_id, quantity: 1 }];
  for (const refused of [
    () => chargeNow(operator(market), id),
    () => shortOrder(operator(market), id, missing, { to: "credit", reason: "frost" }),
  ])
    await expect(refused()).rejects.toMatchObject({ status: 409, details: { code: "written_off" } });
  expect((await undoPaid(market, [id]))[0]!.orderIds).toEqual([]);
  for (let round = 1; round <= 2; round += 1) {
    await pay(market, [id]);
    expect((await orderOf(market, id)).written_off_at).toBeNull();
    await expectBalanced(market);
    expect((await undoPaid(market, [id]))[0]).toMatchObject({ orderIds: [id], cents: loss });
    const { written_off_at, payment_id } = await orderOf(market, id);
    expect([written_off_at, payment_id]).toEqual([market.clock.now(), null]);
    await expectBalanced(market);
  }
  const booked = await bookedFor(market, who.id);
  const sumOf = (kind: string) => booked.reduce((sum, [each, amount]) => sum + (each === kind ? Number(amount) : 0), 0);
  expect([sumOf("write_off"), sumOf("capture")]).toEqual([loss, 0]);
  const canceled = await cancelOrder(operator(market), id, { to: "card", reason: "flood", key: null });
  expect(canceled).toMatchObject({ orderIds: [id], backCents: 0, unchargedCents: 0 });
  await expectBalanced(market);
});

test("undo paid: refused when money was given back since, and for a deleted account; earlier goodwill does not stop it", async () => {
  const { id, who } = await closedBox(door);
  await pay(door, [id]);
  await refundOrder(operator(door), id, money(300));
  await expect(undoPaid(door, [id])).rejects.toMatchObject({
    status: 409,
    message: "Money of this payment was given back since. It can no longer be undone.",
    details: { code: "refunded" },
  });
  expect((await orderOf(door, id)).payment!.state).toBe("captured");

  const before = await closedBox(door, { creditCents: 500 });
  expect((await orderOf(door, before.id)).credit_cents).toBe(500);
  await refundOrder(operator(door), before.id, money(300));
  await pay(door, [before.id]);
  expect((await undoPaid(door, [before.id]))[0]!.orderIds).toEqual([before.id]);
  expect(await creditOf(before.who.id)).toBe(300);

  const gone = await closedBox(door);
  await pay(door, [gone.id]);
  await deliverOrders(operator(door), [gone.id]);
  // As after the restore of a backup from before the deletion.
  await sqlTransaction(door.db, (tx) =>
    forgetPerson(tx, { deps: door.deps, now: door.clock.now() }, asCustomerId(gone.who.id), gone.who.email),
  );
  expect((await orderOf(door, gone.id)).customer_id).toBe(gone.who.id);
  for (const undo of [undoPaid, undoDelivered])
    await expect(undo(door, [gone.id])).rejects.toMatchObject({ details: { code: "no_customer" } });
  expect(await orderOf(door, gone.id)).toMatchObject({ status: "closed", payment: { state: "captured" } });
  expect(await creditOf(who.id)).toBe(300);
  await expectBalanced(door);
});

test(
  "undo paid: the referrer's credit goes back and its unsent email is dropped, and both come again with the payment",
  { tags: ["fail:K5"] },
  async () => {
    const referrer = await register(door);
    const { id, who } = await closedBox(door, { referrerId: referrer.id });
    const mails = () => door.db.mail.count({ where: { key: `referral-credit:${who.id}` } });
    for (let round = 1; round <= 2; round += 1) {
      await pay(door, [id]);
      expect([await creditOf(referrer.id), await mails()]).toEqual([2000, 1]);
      await expectBalanced(door);
      const referrals = [{ referrerId: referrer.id, isKept: false }];
      expect((await undoPaid(door, [id], true))[0]).toMatchObject({ referrals });
      expect(await creditOf(referrer.id)).toBe(2000);
      expect((await undoPaid(door, [id]))[0]).toMatchObject({ referrals });
      expect([await creditOf(referrer.id), await mails()]).toEqual([0, 0]);
      await expectBalanced(door);
    }
    const { body } = await referrer.browser.get("/referrals");
    expect(body).toMatchObject({ credit: 0 });
    // Once the referrer has read of it, they read that it is undone, and again when it comes after all.
    await pay(door, [id]);
    await sendDueMail(door.deps);
    await undoPaid(door, [id]);
    const undone = { template: "referral-credit-undone", to_email: referrer.email };
    expect(await door.db.mail.count({ where: undone })).toBe(1);
    await pay(door, [id]);
    expect(await mails()).toBe(1);
    await expectBalanced(door);
  },
);

test(
  "undo paid: referral credit that was spent stays, and is not given again when the order is paid",
  { tags: ["fail:K5"] },
  async () => {
    const referrer = await register(door);
    const { id } = await closedBox(door, { referrerId: referrer.id });
    await pay(door, [id]);
    await door.db.ledger_transaction.create({
      data: {
        kind: "credit",
        created_at: door.clock.now(),
        entries: {
          create: [
            { account: "store_credit", customer_id: referrer.id, amount_cents: -1 },
            { account: "promotions", amount_cents: 1 },
          ],
        },
      },
    });
    await door.db.customer.update({ where: { id: referrer.id }, data: { credit_cents: 1999 } });
    expect((await undoPaid(door, [id]))[0]).toMatchObject({
      orderIds: [id],
      referrals: [{ referrerId: referrer.id, isKept: true }],
    });
    expect(await creditOf(referrer.id)).toBe(1999);
    await expectBalanced(door);
    await pay(door, [id]);
    expect(await creditOf(referrer.id)).toBe(1999);
    await expectBalanced(door);
  },
);

test("undo deliver: a delivered box is pending again and may be delivered again, and a second run finds nothing", async () => {
  const { id, ids } = await closedBox(door, { orders: 2 });
  const box = ids.toSorted((a, b) => a - b);
  const statuses = async () => Promise.all(ids.map(async (each) => (await orderOf(door, each)).status));
  expect(await undoDelivered(door, [id])).toEqual([{ orderId: id, orderIds: [] }]);
  for (let round = 1; round <= 2; round += 1) {
    // Both numbers are of one box.
    expect((await deliverOrders(operator(door), ids)).map(({ orderIds }) => orderIds)).toEqual([box, []]);
    expect((await undoDelivered(door, [ids[1]!], true))[0]!.orderIds).toEqual(box);
    expect(await statuses()).toEqual(["closed", "closed"]);
    expect((await undoDelivered(door, ids.toReversed())).map(({ orderIds }) => orderIds)).toEqual([box, []]);
    expect(await statuses()).toEqual(["pending", "pending"]);
    expect((await undoDelivered(door, [id]))[0]!.orderIds).toEqual([]);
    await expectBalanced(door);
  }
  const entries = await door.db.audit_entry.findMany({
    where: { action: "orders undo-deliver", subject: `order:${id}` },
  });
  expect(entries).toMatchObject([
    { actor: "operator:mara", reason: "wrong tote", data: { orderIds: box } },
    { actor: "operator:mara", reason: "wrong tote", data: { orderIds: box } },
  ]);
  expect(await door.db.audit_entry.count({ where: { action: "orders deliver", subject: `order:${id}` } })).toBe(2);
});

test("undo deliver: an order that closed at the end of its day is pending until it is marked as delivered, and nothing closes it before", async () => {
  const { id } = await closedBox(door);
  await tick(door, DAY_OVER);
  expect((await orderOf(door, id)).status).toBe("closed");
  expect((await undoDelivered(door, [id]))[0]!.orderIds).toEqual([id]);
  await tick(door, "2026-11-28T06:00:00Z");
  expect((await orderOf(door, id)).status).toBe("pending");
  await expectBalanced(door);
  expect((await deliverOrders(operator(door), [id]))[0]!.orderIds).toEqual([id]);
});
