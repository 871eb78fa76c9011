import { execute, sql } from "@marketday/db";
import { cents, formatUsd } from "@marketday/domain/money";
import { describe, expect, test } from "vitest";

import { CHOICE, createHub, createProduct } from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { signIn } from "../../../test/sign-in.ts";
import { stripeOrders } from "../../../test/stripe-orders.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { runWeek } from "../../jobs/week.ts";
import { deleteAccount } from "../account/delete-account.ts";
import { grantCredit } from "../gift-cards/grant-credit.ts";
import { asCustomerId } from "../identity/context.ts";
import { payVendors } from "../ledger/pay-vendors.ts";
import { findDues } from "../ledger/payout-store.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { closeDay } from "../orders/close-day.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { shortOrder } from "../orders/short-order.ts";
import { shortVariant } from "../orders/short-variant.ts";
import { findDisputes } from "./dispute-store.ts";
import { findUnrecorded, syncMovedMoney } from "./fetch-moved-money.ts";

const {
  market,
  second,
  fake,
  db,
  deps,
  operator,
  input,
  post,
  chargedOrder,
  deliver,
  happens,
  lossOf,
  creditOf,
  refundedOf,
  disputeOf,
  waitingOf,
  expectAgreement,
  mailsTo,
} = await stripeOrders();

describe("a chargeback", { tags: ["fail:B17"] }, () => {
  test("dispute: it is recorded once with amount and day, nothing of it is given back again, and no mail says so", async () => {
    const order = await chargedOrder();
    await happens(() => fake.dispute(order.ref));
    expect(await disputeOf(order)).toMatchObject([
      {
        amount_cents: order.total,
        status: "needs_response",
        reason: "fraudulent",
        closed_at: null,
        order_ids: [order.id],
      },
    ]);
    expect((await disputeOf(order))[0]!.due_by).toEqual(new Date(market.clock.now().getTime() + 9 * 86_400_000));
    expect([await lossOf(order), await refundedOf(order)]).toEqual([order.total, order.total]);
    const entries = () => db.audit_entry.findMany({ where: { action: "dispute", subject: `order:${order.id}` } });
    expect(await entries()).toMatchObject([
      { reason: expect.stringContaining(formatUsd(cents(order.total))), data: { amountCents: order.total } },
    ]);
    await expectAgreement();

    for (const to of ["card", "credit"] as const)
      await expect(refundOrder(operator(), order.id, { ...input, to, amountCents: 500 })).rejects.toMatchObject({
        details: { code: "charge_disputed" },
      });
    const calls = fake.calls.filter((call) => call === "POST refunds").length;
    const done = await cancelOrder(operator(), order.id, input);
    expect(done).toMatchObject({ backCents: 0, creditCents: 0, bankCents: order.total, refunds: [] });
    expect(fake.calls.filter((call) => call === "POST refunds")).toHaveLength(calls);
    expect(await creditOf(order)).toBe(0);
    const mails = await mailsTo(order);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("Your bank has taken back");
    expect(mails[0]).not.toMatch(/back to the card|refunded .* to the card|store credit|not be charged/i);
    await expectAgreement();
  });

  test.each([
    ["in order", (events: object[]) => events],
    ["in reverse", (events: object[]) => events.toReversed()],
  ])("dispute: won or lost with its events %s, from two servers and twice, is booked once", async (_how, sorted) => {
    for (const end of ["won", "lost"] as const) {
      const order = await chargedOrder();
      await happens(() => {
        const dispute = fake.dispute(order.ref);
        fake.moveDispute(dispute, "under_review");
        fake.moveDispute(dispute, end);
      }, sorted);
      expect(await disputeOf(order)).toMatchObject([{ status: end, closed_at: expect.any(Date) }]);
      const taken = end === "lost" ? order.total : 0;
      expect([end, await lossOf(order), await refundedOf(order)]).toEqual([end, taken, taken]);
      expect(await waitingOf(order)).toEqual([]);
      await expectAgreement();
    }
  });

  test("dispute: taken, returned, taken again and returned again, each is booked once, and what is booked is the last", async () => {
    const order = await chargedOrder();
    let dispute = "";
    await happens(() => (dispute = fake.dispute(order.ref)));
    for (const [status, taken] of [
      ["won", 0],
      ["lost", order.total],
      ["won", 0],
    ] as const) {
      market.clock.advance(60_000);
      await happens(() => fake.moveDispute(dispute, status));
      expect([status, await lossOf(order), await refundedOf(order)]).toEqual([status, taken, taken]);
    }
    await expectAgreement();
  });

  test("dispute: events of a provider that does not have it any more, out of order, end in the latest state", async () => {
    const order = await chargedOrder();
    const from = fake.events.length;
    const dispute = fake.dispute(order.ref);
    market.clock.advance(60_000);
    fake.moveDispute(dispute, "won");
    fake.disputes.delete(dispute);
    await deliver(from, (events) => events.toReversed());
    expect(await disputeOf(order)).toMatchObject([{ status: "won" }]);
    expect([await lossOf(order), await refundedOf(order)]).toEqual([0, 0]);
    await expectAgreement();
  });

  test("dispute: an event whose server was killed before it was finished is recorded once by the next one", async () => {
    const order = await chargedOrder();
    await happens(() => fake.dispute(order.ref));
    await execute(
      db,
      sql`update webhook_event set processed_at = null, outcome = null where type like 'charge.dispute.%'`,
    );
    for (const event of fake.events.filter(({ type }) => type.startsWith("charge.dispute."))) await post(second, event);
    expect([await lossOf(order), await refundedOf(order)]).toEqual([order.total, order.total]);
    await expectAgreement();
  });

  test("dispute: lost after a cancellation, nothing is due; won after it, the amount waits for an operator once", async () => {
    for (const end of ["lost", "won"] as const) {
      const order = await chargedOrder();
      let dispute = "";
      await happens(() => (dispute = fake.dispute(order.ref)));
      await cancelOrder(operator(), order.id, input);
      await happens(() => fake.moveDispute(dispute, end));
      const due = end === "won" ? [{ amount_cents: order.total, order_id: order.id, failure: "charge_disputed" }] : [];
      expect(await waitingOf(order)).toMatchObject(due);
      expect(await creditOf(order)).toBe(0);
      expect(await market.audit()).toEqual([]);
    }
  });

  test("dispute: won while a refund of the same charge waits because it failed: the amount waits once", async () => {
    const order = await chargedOrder();
    fake.refuseRefunds("expired_card");
    await cancelOrder(operator(), order.id, input);
    let dispute = "";
    await happens(() => (dispute = fake.dispute(order.ref, { amount: 1000 })));
    await happens(() => fake.moveDispute(dispute, "won"));
    expect(await waitingOf(order)).toMatchObject([{ failure: "expired_card", amount_cents: order.total }]);
    await expectAgreement();
  });

  test("dispute: a part of a charge, a second dispute of it, and a shortage: at most what was paid goes back", async () => {
    const order = await chargedOrder();
    await happens(() => fake.dispute(order.ref, { amount: 1000 }));
    await expect(refundOrder(operator(), order.id, { ...input, amountCents: order.total - 999 })).rejects.toMatchObject(
      { details: { code: "charge_disputed", most: order.total - 1000 } },
    );
    await happens(() => fake.dispute(order.ref, { amount: 500 }));
    expect([await lossOf(order), await refundedOf(order)]).toEqual([1500, 1500]);
    const missing = [{ variantId: order.ham.variant.id, quantity: 1 }];
    const done = await shortOrder(operator(), order.id, missing, { to: "credit", reason: "fox" });
    expect(done).toMatchObject({ bankCents: 1500, creditCents: order.total - 1500 });
    expect(await creditOf(order)).toBe(order.total - 1500);
    expect(await market.audit()).toEqual([]);
  });

  test("dispute: an inquiry and a warning of fraud are listed, take no money, and can be refunded", async () => {
    const order = await chargedOrder();
    let inquiry = "";
    await happens(() => (inquiry = fake.dispute(order.ref, { status: "warning_needs_response" })));
    const warning = {
      id: `issfr_${order.id}`,
      object: "radar.early_fraud_warning",
      actionable: true,
      fraud_type: "misc",
    };
    const event = {
      id: `evt_issfr_${order.id}`,
      object: "event",
      type: "radar.early_fraud_warning.created",
      created: Math.floor(market.clock.now().getTime() / 1000),
      data: { object: { ...warning, charge: `ch_${order.ref}`, created: 1 } },
    };
    expect((await post(market, event)).json()).toMatchObject({ outcome: "dispute fraud_warning" });
    expect((await disputeOf(order)).map(({ status, amount_cents: cents }) => [status, cents])).toEqual([
      ["warning_needs_response", order.total],
      ["fraud_warning", order.total],
    ]);
    expect([await lossOf(order), await refundedOf(order)]).toEqual([0, 0]);
    expect(await refundOrder(operator(), order.id, { ...input, amountCents: 500 })).toMatchObject({ state: "done" });
    await happens(() => fake.moveDispute(inquiry, "warning_closed"));
    expect((await findDisputes(db, { closed: false, orderId: order.id })).map(({ status }) => status)).toEqual([
      "fraud_warning",
    ]);
    await expectAgreement();
  });

  test("dispute: vendors keep their shares, before and after a payout", async () => {
    const order = await chargedOrder();
    const due = async () => (await findDues(db, "2026-12-31", order.vendorId)).map(({ due_cents: cents }) => cents);
    const before = await due();
    let dispute = "";
    await happens(() => (dispute = fake.dispute(order.ref)));
    expect(await due()).toEqual(before);
    await payVendors(operator(), { to: "2026-12-31", dryRun: false });
    await happens(() => fake.moveDispute(dispute, "lost"));
    expect(await due()).toEqual([]);
    await expectAgreement();
  });

  test("dispute: after the money was refunded it is booked as a second loss, and of a deleted account as well", async () => {
    const order = await chargedOrder();
    await cancelOrder(operator(), order.id, input);
    await sendDueMail(deps);
    await deleteAccount(operator(), asCustomerId(order.who.customer.id), "a test");
    await happens(() => fake.dispute(order.ref));
    expect([await lossOf(order), await refundedOf(order)]).toEqual([order.total, 2 * order.total]);
    expect(await waitingOf(order)).toEqual([]);
    await expectAgreement();
  });

  test("dispute: of a gift card it is recorded and booked without an order", async () => {
    const order = await chargedOrder();
    const bought = await order.who.post("/gift-cards", {
      amount: 50,
      recipientEmail: "friend@example.com",
      deliverOn: "2026-12-01",
      message: "",
      confirmationToken: tokenOf("4242424242424242"),
    });
    expect(bought.status, JSON.stringify(bought.body)).toBeLessThan(300);
    const payment = await db.payment.findFirstOrThrow({
      where: { customer_id: order.who.customer.id, NOT: { purpose: { equals: null as never } }, state: "captured" },
    });
    await happens(() => fake.dispute(payment.provider_ref!));
    const rows = (await findDisputes(db)).filter(({ payment_id: of }) => of === payment.id);
    expect(rows).toMatchObject([{ order_ids: [], purchase: "gift-card", amount_cents: 5000 }]);
    await expectAgreement();
  });

  test("dispute: of a charge that is not this market's is acknowledged and changes nothing", async () => {
    const before = await db.dispute.count();
    for (const charge of ["ch_other", null]) {
      const event = {
        id: `evt_other_${charge}`,
        object: "event",
        type: "charge.dispute.created",
        created: 1,
        data: {
          object: { object: "dispute", id: `dp_${charge}`, charge, payment_intent: null, amount: 700, status: "lost" },
        },
      };
      const answer = await post(market, event);
      expect([answer.statusCode, answer.json()]).toEqual([200, { received: true, outcome: "not ours" }]);
    }
    expect(await db.dispute.count()).toBe(before);
  });
});

test("dispute and dashboard refund: recorded from their events when the provider's lists cannot be read", async () => {
  const order = await chargedOrder();
  for (const subject of ["GET disputes", "GET refunds"]) fake.trouble(subject, ...Array(12).fill("500 before"));
  try {
    await happens(() => fake.refundInDashboard(order.ref, 300));
    await happens(() => fake.dispute(order.ref, { amount: 400 }));
    expect([await lossOf(order), await refundedOf(order)]).toEqual([700, 700]);
    await expect(findUnrecorded(deps, market.clock.now())).rejects.toThrow(ProviderUnavailable);
    expect(await syncMovedMoney(operator())).toBe(0);
  } finally {
    fake.clearTroubles();
  }
  await expectAgreement();
});

describe("a refund in the provider's dashboard", { tags: ["fail:B17"] }, () => {
  test.each([
    ["all of it", 1],
    ["a part", 0.4],
  ])("dashboard refund: %s is booked once, and a cancellation gives back only the rest", async (_how, share) => {
    const order = await chargedOrder();
    const outside = Math.round(order.total * share);
    await happens(
      () => fake.refundInDashboard(order.ref, outside),
      (events) => events.toReversed(),
    );
    expect([await lossOf(order), await refundedOf(order)]).toEqual([outside, outside]);
    await expectAgreement();
    const done = await cancelOrder(operator(), order.id, input);
    expect(done).toMatchObject({ backCents: order.total - outside, earlierCents: outside, creditCents: 0 });
    expect([await creditOf(order), await refundedOf(order)]).toEqual([0, order.total]);
    const [mail] = await mailsTo(order);
    expect(mail).toContain("was already returned to you");
    expect(mail).not.toContain("You will not be charged");
    await expectAgreement();
  });

  test("dashboard refund: of a charge for two orders, one partly paid by store credit, each order has what its card part was", async () => {
    market.clock.set("2026-11-23T17:00:00Z");
    const hub = await createHub(db, { now: market.clock.now() });
    const ham = await createProduct(db, hub.id, { priceCents: 2500, inventory: 20 });
    const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-03" });
    const who = await signIn(market, { hubId: hub.id });
    const customer = { id: asCustomerId(who.customer.id), email: who.customer.email };
    await grantCredit(operator(), customer, { amountCents: 1000, reason: "", key: null, dryRun: false });
    await who.put("/cart", [ham.line(1), turkey.line(1)]);
    const { card: _card, ...choice } = { ...CHOICE, useCredit: true, savePaymentMethod: true };
    const chosen = { ...choice, confirmationToken: tokenOf("4242424242424242") };
    const { orderTotal } = (await who.post("/checkout/quote", chosen)).body;
    const { body, status } = await who.post("/checkout", { ...chosen, expectedTotal: orderTotal });
    expect(status, JSON.stringify(body)).toBe(201);
    // Both orders come on the second day.
    const move = { orders: { kind: "move", to: "2026-12-03" }, reason: "storm", dryRun: false } as const;
    await closeDay(operator(), hub.slug, "2026-11-26", move);
    market.clock.set("2026-12-02T06:00:01Z");
    await runWeek(operator());
    const orders = await db.order.findMany({
      where: { id: { in: body.orderIds } },
      include: { payment: true },
      orderBy: { id: "asc" },
    });
    const [{ payment }] = orders as [(typeof orders)[number]];
    expect(orders.map(({ payment_id: id }) => id)).toEqual([payment!.id, payment!.id]);
    expect(orders.map(({ credit_cents: used }) => used).toSorted((a, b) => a - b)).toEqual([0, 1000]);
    await happens(() => fake.refundInDashboard(payment!.provider_ref!, payment!.captured_cents));
    const parts = await db.refund.findMany({ where: { payment_id: payment!.id }, orderBy: { order_id: "asc" } });
    expect(parts.map(({ order_id: id, amount_cents: amount }) => [id, amount])).toEqual(
      orders.map((order) => [order.id, order.order_total_cents - order.credit_cents]),
    );
    await expectAgreement();
  });

  test("dashboard refund: one whose webhook never came is found before an operator gives the money back again", async () => {
    const order = await chargedOrder();
    fake.refundInDashboard(order.ref, order.total);
    const done = await cancelOrder(operator(), order.id, input);
    expect(done).toMatchObject({ backCents: 0, earlierCents: order.total });
    expect([await creditOf(order), await refundedOf(order)]).toEqual([0, order.total]);
    await expectAgreement();
  });

  test("dashboard refund: one that is pending counts, and is undone once when it fails or is canceled", async () => {
    for (const end of ["failed", "canceled"] as const) {
      const order = await chargedOrder();
      let refund = "";
      await happens(() => (refund = fake.refundInDashboard(order.ref, 900, "pending")));
      expect(await refundedOf(order)).toBe(900);
      await happens(() => fake.failRefund(refund, "unknown", end));
      expect([await lossOf(order), await refundedOf(order), await creditOf(order)]).toEqual([0, 0, 0]);
      expect(await waitingOf(order)).toMatchObject([{ amount_cents: 900 }]);
      expect(await market.audit()).toEqual([]);
    }
  });

  test("doctor and the hourly job: disputes and refunds whose webhooks never came are found by asking, and recorded once", async () => {
    const [a, b] = [await chargedOrder(), await chargedOrder()];
    const dispute = fake.dispute(a.ref);
    const refund = fake.refundInDashboard(b.ref, 300);
    const found = await findUnrecorded(deps, market.clock.now());
    expect([found.disputes.map(({ ref }) => ref), found.refunds.map(({ ref }) => ref)]).toEqual([[dispute], [refund]]);
    expect([await lossOf(a), await lossOf(b)]).toEqual([0, 0]);
    await Promise.all([syncMovedMoney(operator()), syncMovedMoney({ ...operator(), deps: second.deps })]);
    expect([await lossOf(a), await lossOf(b)]).toEqual([a.total, 300]);
    await expectAgreement();
  });

  test("doctor: a dispute of half a year ago and a refund of a month ago whose webhooks never came are still found", async () => {
    const order = await chargedOrder();
    const dispute = fake.dispute(order.ref, { amount: 400 });
    market.clock.advance(39 * 86_400_000);
    expect((await findUnrecorded(deps, market.clock.now())).disputes.map(({ ref }) => ref)).toEqual([dispute]);
    market.clock.advance(170 * 86_400_000);
    expect((await findUnrecorded(deps, market.clock.now())).disputes.map(({ ref }) => ref)).toEqual([dispute]);
    // Its amount was raised since it was recorded.
    await syncMovedMoney(operator());
    fake.disputes.get(dispute)!.amount = 700;
    expect((await findUnrecorded(deps, market.clock.now())).disputes.map(({ ref }) => ref)).toEqual([dispute]);
    await syncMovedMoney(operator());
    expect(await lossOf(order)).toBe(700);

    const refunded = await chargedOrder();
    const refund = fake.refundInDashboard(refunded.ref, 300);
    market.clock.advance(39 * 86_400_000);
    expect((await findUnrecorded(deps, market.clock.now())).refunds.map(({ ref }) => ref)).toEqual([refund]);
    await syncMovedMoney(operator());
    // A refund that fails later is found as well.
    fake.failRefund(refund);
    expect((await findUnrecorded(deps, market.clock.now())).refunds.map(({ ref }) => ref)).toEqual([refund]);
    await syncMovedMoney(operator());
    expect(await refundedOf(refunded)).toBe(0);
    expect(await findUnrecorded(deps, market.clock.now())).toEqual({ disputes: [], refunds: [] });
  });
});

test("hourly job: one dispute that cannot be recorded does not stop the others, and a warning whose end was lost ends", async () => {
  const [bad, good] = [await chargedOrder(), await chargedOrder()];
  const ref = `issfr_lost_${good.id}`;
  const warning = { id: ref, object: "radar.early_fraud_warning", actionable: true, fraud_type: "misc", created: 1 };
  const event = { id: `evt_${ref}`, object: "event", type: "radar.early_fraud_warning.created", created: 1 };
  await post(market, {
    ...event,
    data: { object: { ...warning, charge: `ch_${good.ref}`, payment_intent: good.ref } },
  });
  expect(await disputeOf(good)).toMatchObject([{ status: "fraud_warning", closed_at: null }]);
  const broken = fake.dispute(bad.ref);
  fake.disputes.get(broken)!.amount = 3_000_000_000;
  fake.dispute(good.ref, { amount: 400 });
  const moved = deps.payments.movedMoney!;
  const { findDispute } = moved;
  moved.findDispute = async (of) =>
    of === ref
      ? {
          ref,
          chargeRef: good.ref,
          amountCents: null,
          status: "fraud_warning_closed",
          reason: "misc",
          dueBy: null,
          createdAt: market.clock.now(),
        }
      : findDispute(of);
  try {
    await syncMovedMoney(operator());
    const open = await findDisputes(db, { closed: false, orderId: good.id });
    expect([await lossOf(good), await lossOf(bad), open.map(({ status }) => status)]).toEqual([
      400,
      0,
      ["needs_response"],
    ]);
    const failures = await db.job_failure.findMany({ where: { job: "moved-money" } });
    expect(failures.map(({ subject }) => subject)).toEqual([`dispute ${broken}`]);
    fake.disputes.get(broken)!.amount = bad.total;
    market.clock.advance(3_600_000);
    await syncMovedMoney(operator());
    expect([await lossOf(bad), await db.job_failure.count({ where: { job: "moved-money" } })]).toEqual([bad.total, 0]);
    await expectAgreement();
  } finally {
    moved.findDispute = findDispute;
  }
});

test("closed day and shortage of a day: what the dashboard gave back is not given again when its webhook never came", async () => {
  for (const isClosed of [true, false]) {
    const order = await chargedOrder(2);
    const { delivery_id: deliveryId } = await db.order.findUniqueOrThrow({ where: { id: order.id } });
    const { day, hub } = await db.delivery.findUniqueOrThrow({ where: { id: deliveryId }, include: { hub: true } });
    const date = day.toISOString().slice(0, 10);
    const vendor = await db.vendor.findUniqueOrThrow({ where: { id: order.vendorId } });
    fake.refundInDashboard(order.ref, order.total);
    const count = { hub: hub.slug, day: date, vendor: vendor.slug, item: String(order.ham.variant.id), came: 1, of: 2 };
    const done = isClosed
      ? await closeDay(operator(), hub.slug, date, {
          orders: { kind: "cancel", to: "credit" },
          reason: "snow",
          dryRun: false,
        })
      : await shortVariant(operator(), count, { to: "credit", reason: "fox" });
    expect([done.backCents, done.creditCents, await creditOf(order)]).toEqual([0, 0, 0]);
    await expectAgreement();
  }
});
