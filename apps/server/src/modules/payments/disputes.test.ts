import { execute, query, sql } from "@marketday/db";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct } from "../../../test/factories.ts";
import { disagreements, tokenOf } from "../../../test/fake-stripe.ts";
import { signIn } from "../../../test/sign-in.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { runWeek } from "../../jobs/week.ts";
import { deleteAccount } from "../account/delete-account.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { payVendors } from "../ledger/pay-vendors.ts";
import { findDues } from "../ledger/payout-store.ts";
import { renderMail } from "../mail/layout.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { shortOrder } from "../orders/short-order.ts";
import { findDisputes } from "./dispute-store.ts";
import { findUnrecorded, syncMovedMoney } from "./fetch-moved-money.ts";
import { resumeRefunds } from "./finish-refund.ts";
import { resendRefund } from "./resolve-refund.ts";
import { findUnresolvedRefunds } from "./unresolved-store.ts";

const SECRET = "whsec_of_the_tests_alone_0123456789";
const MONDAY = "2026-11-23T17:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";

const fake = await testStripe({ webhookSecret: SECRET, now: () => market.clock.now() });
const env = {
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_API_URL: fake.url,
};
const market = await buildTestApp({ env });
const second = await buildTestApp({ env, url: market.url });
const { db, deps } = market;

const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const input = { to: "card" as "card" | "credit", reason: "a test", key: null };
const { card: _card, ...WITHOUT_CARD } = CHOICE;

/** A captured order of units for $25.00 by pickup, with its charge at Stripe. */
async function chargedOrder(units = 1, addOnUnits = 0) {
  market.clock.set(MONDAY);
  const hub = await createHub(db, { now: market.clock.now() });
  const ham = await createProduct(db, hub.id, { priceCents: 2500, inventory: 20 });
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [ham.line(units)]);
  const choice = { ...WITHOUT_CARD, tipPercentage: 0, confirmationToken: tokenOf("4242424242424242") };
  const place = async () => {
    const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
    const done = await who.post("/checkout", { ...choice, expectedTotal: orderTotal });
    expect(done.status, JSON.stringify(done.body)).toBe(201);
    return done;
  };
  const placed = await place();
  if (addOnUnits > 0) {
    await who.put("/cart", [ham.line(addOnUnits)]);
    choice.confirmationToken = tokenOf("4242424242424242");
    await place();
  }
  market.clock.set(CUTOFF);
  await runWeek(operator());
  const id = placed.body.orderId as number;
  const order = await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
  expect(order.payment!.state).toBe("captured");
  await sendDueMail(deps);
  return {
    id,
    who,
    ham,
    ref: order.payment!.provider_ref!,
    paymentId: order.payment!.id,
    total: order.order_total_cents,
    vendorId: ham.vendor_id,
  };
}
type Charged = Awaited<ReturnType<typeof chargedOrder>>;

const post = (to: typeof market, event: object) => {
  const signed = fake.signed(event);
  return to.app.inject({
    method: "POST",
    url: "/api/webhooks/stripe",
    headers: { "content-type": "application/json", "stripe-signature": signed.signature },
    payload: signed.payload,
  });
};
/** Delivers the events since `from`, each of them to both servers at once and once more. */
async function deliver(from: number, order: (events: object[]) => object[] = (events) => events) {
  for (const event of order(fake.events.slice(from))) {
    const answers = await Promise.all([post(market, event), post(second, event)]);
    answers.push(await post(market, event));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  }
}
/** Does something at Stripe, and delivers its events. */
async function happens(work: () => unknown, order?: (events: object[]) => object[]) {
  const from = fake.events.length;
  work();
  await deliver(from, order);
}

/** What left the provider for the payment by the ledger, beyond refunds that the sale was lowered by. Cents. */
async function lossOf({ paymentId }: Charged): Promise<number> {
  const [row] = await query<{ cents: number }>(
    db,
    sql`select coalesce(-sum(e.amount_cents), 0)::int as cents from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
        where t.payment_id = ${paymentId}::uuid and e.account = 'refunds'`,
  );
  return row!.cents;
}
const creditOf = async ({ who }: Charged) =>
  (await db.customer.findUniqueOrThrow({ where: { id: who.customer.id } })).credit_cents;
const refundedOf = async ({ paymentId }: Charged) =>
  (await db.payment.findUniqueOrThrow({ where: { id: paymentId } })).refunded_cents;
const disputeOf = async ({ id }: Charged) => findDisputes(db, { closed: true, orderId: id });
const waitingOf = async ({ paymentId }: Charged) =>
  (await findUnresolvedRefunds(db)).filter(({ payment_id: of }) => of === paymentId);

/** During `work` each refund at the provider takes 30 seconds, and mails that are due meanwhile are sent. */
async function withSlowRefunds<T>(work: () => Promise<T>): Promise<T> {
  const { refund } = deps.payments;
  deps.payments.refund = async (request) => {
    market.clock.advance(30_000);
    await sendDueMail(deps);
    return refund(request);
  };
  try {
    return await work();
  } finally {
    deps.payments.refund = refund;
  }
}

/** Nothing is wrong here, and the two ledgers say the same. */
async function expectAgreement() {
  expect(await market.audit()).toEqual([]);
  expect(disagreements(fake, await db.payment.findMany({ where: { provider: "stripe" } }))).toEqual([]);
  expect(await findUnrecorded(deps, market.clock.now())).toEqual({ disputes: [], refunds: [] });
}

/** The mails to a shopper about refunds and cancellations, sent now, as text. */
async function mailsTo({ who }: Charged): Promise<string[]> {
  await sendDueMail(deps);
  const rows = await db.mail.findMany({ where: { to_email: who.customer.email! }, orderBy: { id: "asc" } });
  const about = rows.filter(({ template }) => /refund|called-off|short/.test(template));
  expect(about.every(({ sent_at: sentAt }) => sentAt !== null)).toBe(true);
  return Promise.all(
    about.map(async ({ template, data }) => {
      const content = await deps.mailTemplates[template]!.content(deps, data as never, market.clock.now());
      return renderMail(content!, deps.env, null).text;
    }),
  );
}

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
});

describe("a refund that the provider refuses", { tags: ["fail:B18"] }, () => {
  test("refused refund: a balance that is too low: it waits, is requested again as a new request, and goes back once", async () => {
    const order = await chargedOrder();
    fake.refuseRefunds("balance_insufficient");
    const given = await refundOrder(operator(), order.id, { ...input, amountCents: 600 });
    expect(given).toMatchObject({ state: "waiting", failure: "balance_insufficient" });
    const [mail] = await mailsTo(order);
    expect(mail).toContain("We will refund $6.00");
    expect(await db.refund.findMany({ where: { order_id: order.id } })).toMatchObject([
      { state: "created", failure: "balance_insufficient" },
    ]);
    fake.refuseRefunds("balance_insufficient");
    market.clock.advance(60_000);
    await resumeRefunds(operator());
    const subject = `refund ${given.refundId}`;
    expect(await db.job_failure.findMany({ where: { subject } })).toMatchObject([
      { reason: expect.stringContaining("balance at the payment provider is too low") },
    ]);
    market.clock.advance(60_000);
    await Promise.all([resumeRefunds(operator()), resumeRefunds({ ...operator(), deps: second.deps })]);
    expect(await db.refund.findMany({ where: { order_id: order.id } })).toMatchObject([
      { state: "done", failure: null },
    ]);
    expect(await db.job_failure.count({ where: { subject } })).toBe(0);
    expect([await creditOf(order), await refundedOf(order)]).toEqual([0, 600]);
    await expectAgreement();
  });

  test("refund: one that the provider has not sent to the bank yet is pending, and no mail says that it failed", async () => {
    const order = await chargedOrder();
    fake.pendRefunds = true;
    try {
      const given = await refundOrder(operator(), order.id, { ...input, amountCents: 600 });
      expect(given).toMatchObject({ state: "pending", failure: null });
    } finally {
      fake.pendRefunds = false;
    }
    await sendDueMail(deps);
    await happens(() => fake.failRefund([...fake.refunds.keys()].at(-1)!, "expired_or_canceled_card"));
    expect(await waitingOf(order)).toMatchObject([{ failure: "expired_card", amount_cents: 600 }]);
    expect(await mailsTo(order)).toHaveLength(2);
    await expectAgreement();
  });

  test("refunds of a box with two charges: one mail, however long they take, with what became of both", async () => {
    const order = await chargedOrder(1, 1);
    fake.refuseRefunds("expired_card");
    const done = await withSlowRefunds(() => cancelOrder(operator(), order.id, input));
    expect(done.refunds.map(({ state }) => state)).toEqual(["failed", "done"]);
    const mails = await mailsTo(order);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("has expired or was closed");
    expect(mails[0]).toContain("We refunded");
    expect(await market.audit()).toEqual([]);
  });

  test("refunds of a box with two charges: after a kill their mail waits for the sweep, which ends both", async () => {
    const order = await chargedOrder(1, 1);
    const failpoint = (point: string) =>
      point === "cancel:written" ? Promise.reject(new Error("killed")) : Promise.resolve();
    const killed = { ...operator(), deps: { ...deps, failpoint } };
    await expect(cancelOrder(killed, order.id, input)).rejects.toThrow("killed");
    market.clock.advance(60_000);
    expect(await sendDueMail(deps)).toBe(0);
    fake.refuseRefunds("expired_card");
    await withSlowRefunds(() => resumeRefunds(operator()));
    const mails = await mailsTo(order);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain("has expired or was closed");
    expect(mails[0]).toContain("We refunded");
  });

  test.each([
    ["charge_disputed", "charge_disputed", "your bank is reviewing"],
    ["expired_card", "expired_card", "has expired or was closed"],
    ["some_new_code", "refused", "didn't accept it"],
  ])(
    "refused refund: %s is its own outcome, gives no store credit, and one mail says so",
    async (code, failure, words) => {
      const order = await chargedOrder();
      fake.refuseRefunds(code);
      const done = await cancelOrder(operator(), order.id, input);
      expect(done).toMatchObject({ creditCents: 0, refunds: [{ amountCents: order.total, state: "failed", failure }] });
      expect([await creditOf(order), await refundedOf(order)]).toEqual([0, 0]);
      expect(await waitingOf(order)).toMatchObject([{ failure, amount_cents: order.total }]);
      const mails = await mailsTo(order);
      expect(mails).toHaveLength(1);
      expect(mails[0]).toContain(words);
      expect(mails[0]).not.toMatch(/goes back|We refunded|store credit/);
      await expectAgreement();
    },
  );

  test("refused refund: disputed before the dispute's webhook: the dispute settles it when it comes", async () => {
    const order = await chargedOrder();
    fake.refuseRefunds("charge_disputed");
    await cancelOrder(operator(), order.id, input);
    expect(await waitingOf(order)).toHaveLength(1);
    await happens(() => fake.dispute(order.ref));
    expect(await waitingOf(order)).toEqual([]);
    expect([await creditOf(order), await refundedOf(order)]).toEqual([0, order.total]);
    await expectAgreement();
  });

  /** A captured order of two, one of which was short: its refund failed. */
  async function failedShortage() {
    const order = await chargedOrder(2);
    fake.refuseRefunds("expired_card");
    const missing = [{ variantId: order.ham.variant.id, quantity: 1 }];
    const { backCents } = await shortOrder(operator(), order.id, missing, { to: "card", reason: "fox" });
    const [failed] = await waitingOf(order);
    expect(failed).toMatchObject({ amount_cents: backCents, failure: "expired_card" });
    return { ...order, failed: failed!, lostCents: backCents };
  }

  test("refused refund: given in the dashboard, it waits no more, is not given again, and a cancellation returns all of the rest", async () => {
    for (const partCents of [0, 300]) {
      const order = await failedShortage();
      if (partCents > 0) {
        await happens(() => fake.refundInDashboard(order.ref, partCents));
        expect(await waitingOf(order)).toMatchObject([{ amount_cents: order.lostCents - partCents, kind: "short" }]);
      }
      let outside = "";
      await happens(() => (outside = fake.refundInDashboard(order.ref, order.lostCents - partCents)));
      expect(await waitingOf(order)).toEqual([]);
      for (const to of ["card", "credit"] as const)
        await expect(
          resendRefund(operator(), order.failed.id, { to, reason: "again", dryRun: false }),
        ).rejects.toThrow();
      expect(await refundedOf(order)).toBe(order.lostCents);
      await expectAgreement();

      if (partCents > 0) {
        await happens(() => fake.failRefund(outside));
        expect(await waitingOf(order)).toMatchObject([{ amount_cents: order.lostCents - partCents, kind: "short" }]);
        continue;
      }
      const done = await cancelOrder(operator(), order.id, input);
      expect(done).toMatchObject({ backCents: order.total - order.lostCents, earlierCents: 0 });
      await expectAgreement();
    }
  });

  test("refused refund: given in the dashboard before it failed, it is not given again, and beside goodwill it is", async () => {
    const order = await chargedOrder(2);
    fake.pendRefunds = true;
    const missing = [{ variantId: order.ham.variant.id, quantity: 1 }];
    const { backCents } = await shortOrder(operator(), order.id, missing, { to: "card", reason: "fox" });
    fake.pendRefunds = false;
    const pending = [...fake.refunds.keys()].at(-1)!;
    await happens(() => fake.refundInDashboard(order.ref, backCents));
    await happens(() => fake.failRefund(pending, "expired_or_canceled_card"));
    const [failed] = await waitingOf(order);
    await expect(
      resendRefund(operator(), failed!.id, { to: "card", reason: "again", dryRun: false }),
    ).rejects.toMatchObject({ details: { code: "returned" } });

    const other = await failedShortage();
    await refundOrder(operator(), other.id, { ...input, amountCents: 400 });
    await resendRefund(operator(), other.failed.id, { to: "card", reason: "again", dryRun: false });
    expect([await refundedOf(other), await waitingOf(other)]).toEqual([other.lostCents + 400, []]);
    await expectAgreement();
  });

  test("refused refund: already refunded in the dashboard while it was requested: what went back there is not due", async () => {
    const order = await chargedOrder();
    const { refund } = deps.payments;
    deps.payments.refund = (request) => {
      fake.refundInDashboard(order.ref, order.total - 400);
      fake.refuseRefunds("charge_already_refunded");
      return refund(request);
    };
    try {
      const done = await cancelOrder(operator(), order.id, input);
      expect(done.refunds).toMatchObject([{ state: "failed", failure: "charge_already_refunded" }]);
    } finally {
      deps.payments.refund = refund;
    }
    expect(await waitingOf(order)).toMatchObject([{ amount_cents: 400 }]);
    expect([await creditOf(order), await refundedOf(order)]).toEqual([0, order.total - 400]);
    await expectAgreement();
  });
});
