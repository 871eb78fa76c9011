import { query, sql } from "@marketday/db";
import { expect } from "vitest";

import { runWeek } from "../src/jobs/week.ts";
import { type Context } from "../src/modules/identity/context.ts";
import { renderMail } from "../src/modules/mail/layout.ts";
import { sendDueMail } from "../src/modules/mail/send-mail.ts";
import { findDisputes } from "../src/modules/payments/dispute-store.ts";
import { findUnrecorded } from "../src/modules/payments/fetch-moved-money.ts";
import { findUnresolvedRefunds } from "../src/modules/payments/unresolved-store.ts";
import { buildTestApp } from "./app.ts";
import { CHOICE, createHub, createProduct } from "./factories.ts";
import { disagreements, tokenOf } from "./fake-stripe.ts";
import { signIn } from "./sign-in.ts";
import { testStripe } from "./test-stripe.ts";

const SECRET = "whsec_of_the_tests_alone_0123456789";
const MONDAY = "2026-11-23T17:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";

/** Two servers of one market with a fake of Stripe, and what tests about its refunds and disputes do. */
export async function stripeOrders() {
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

  return {
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
    withSlowRefunds,
    expectAgreement,
    mailsTo,
  };
}

export type ChargedOrder = Awaited<ReturnType<Awaited<ReturnType<typeof stripeOrders>>["chargedOrder"]>>;
