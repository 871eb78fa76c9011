import { query, sql } from "@marketday/db";
import { isLarge, isSoak } from "@marketday/db/testing";
import { Day, Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { MONDAY } from "../../../test/app.ts";
import { createHub, createProduct, GOOD_CARD, newKey } from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { killAt, type Work } from "../../../test/kill-at.ts";
import { ASKING } from "../../../test/refusing-stripe.ts";
import { saveCardOf } from "../../../test/save-card.ts";
import { signIn } from "../../../test/sign-in.ts";
import { stripeOrders } from "../../../test/stripe-orders.ts";
import { timetable } from "../../jobs/index.ts";
import { findFailures } from "../job-failures/failure-sql.ts";

const CUTOFF = "2026-11-25T06:00:00Z";
const RENEWAL = "2026-12-23T17:00:00Z";

const { market, fake, db, deps, post, chargedOrder, deliver, expectAgreement } = await stripeOrders();
type Browser = Awaited<ReturnType<typeof signIn>>;

/** Something that ends in an outcome, up to the instant at which a server begins to work on it. */
interface Begun {
  who: Browser;
  work: Work;
  /** The same again: an event that the provider repeats, a second press. Its answer: nothing is wrong. */
  repeat?: () => Promise<unknown>;
  /** What happens later, such as a provider that takes cards again. */
  later?: () => Promise<unknown>;
  /** More of the end state. */
  read?: () => Promise<unknown>;
}

const runJob = (name: string) =>
  timetable
    .find((job) => job.name === name)!
    .run({
      now: market.clock.now(),
      actor: { type: "system", job: name },
      deps,
    });
/** The jobs that move money or send mail, in the order of the timetable. */
const JOBS = ["checkouts", "purchases", "holds", "refunds", "moved-money", "wagon-passes", "week", "charges", "mail"];
/** What a server does after its start and every minute, when the leases of another one that died have expired. */
async function runJobs(rounds = 2) {
  for (let round = 0; round < rounds; round += 1) {
    market.clock.advance(5 * Minute.ms);
    for (const name of JOBS) await runJob(name);
  }
}

const customerOf = async ({ customer: { id } }: Browser) =>
  (await db.customer.findUniqueOrThrow({ where: { id } })).stripe_customer_id!;
const refuse = async (who: Browser, error: object, status: number) =>
  fake.troubleOf(await customerOf(who), "POST payment_intents", { status, error: { message: "No.", ...error } });

/** A shopper with a cart of $7.40, or of 40 cents. */
async function shopper(priceCents: 700 | 40 = 700, preOrderDate: string | null = null) {
  market.clock.set(MONDAY);
  const hub = await createHub(db, { taxRatePpm: 0, processingPpm: 0, processingFixedCents: 0 });
  const eggs = await createProduct(db, hub.id, { priceCents, preOrderDate });
  const herb = await createProduct(db, hub.id, { priceCents: 40, preOrderDate });
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [...(priceCents === 40 ? [] : [eggs.line(1)]), herb.line(1)]);
  const choice = { type: "pickup", pickupPointId: hub.pickup_points[0]!.id, tipPercentage: 0 };
  return { herb, who, choice };
}

/** An order that is paid by a saved card. */
async function ordered(number: string, preOrderDate: string | null = null) {
  const { who, choice, herb } = await shopper(700, preOrderDate);
  const paid = { ...choice, paymentMethodId: await saveCardOf({ db, fake }, who, number) };
  const { orderTotal } = (await who.post("/checkout/quote", paid)).body;
  const placed = await who.post("/checkout", { ...paid, expectedTotal: orderTotal });
  if (placed.status === 202) {
    const { attemptId } = placed.body.challenge;
    const { payment } = await db.checkout_attempt.findUniqueOrThrow({
      where: { id: attemptId },
      include: { payment: true },
    });
    fake.answerBank(payment!.provider_ref!, true);
    expect((await who.post(`/checkout/${attemptId}/complete`, {})).status).toBe(201);
  } else expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const order = await db.order.findFirstOrThrow({
    where: { customer_id: who.customer.id },
    include: { payment: true },
  });
  return { who, herb, order, ref: order.payment!.provider_ref! };
}

/** The edit after which only the herbs of 40 cents are left. */
const toHerbs = ({ order, herb }: Pick<Awaited<ReturnType<typeof ordered>>, "order" | "herb">) => ({
  order: { id: order.id, items: [{ quantity: 1, product: { variant: { id: herb.variant.id } } }] },
});

/** The first event since `from` as the provider sends it, and again. */
function sent(from: number): Pick<Begun, "work" | "repeat"> {
  const event = fake.events[from]!;
  const { payload, signature } = fake.signed(event);
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  return {
    work: { request: { method: "POST", url: "/api/webhooks/stripe", headers, payload } },
    repeat: async () => expect((await post(market, event)).statusCode).toBe(200),
  };
}

/** A request of the shopper, and the same again. */
function pressed(
  who: Browser,
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body?: object,
): Pick<Begun, "work" | "repeat"> {
  const url = `/api${path}`;
  const headers = {
    host: "localhost:80",
    cookie: who.cookieHeader(),
    "sec-fetch-site": "same-origin",
    "idempotency-key": newKey(),
    ...(body && { "content-type": "application/json" }),
  };
  const request = { method, url, headers, ...(body && { payload: JSON.stringify(body) }) };
  return {
    work: { request },
    repeat: async () => {
      const { statusCode, body: answer } = await market.app.inject(request);
      expect(statusCode, answer).toBeLessThan(300);
    },
  };
}

type Charged = Awaited<ReturnType<typeof chargedOrder>>;
/** The charge of a purchase that the customer of an order makes. */
async function bought({ who }: Charged, path: string, body: object): Promise<string> {
  const { status } = await who.post(path, { ...body, confirmationToken: tokenOf(GOOD_CARD.number) });
  expect(status).toBeLessThan(300);
  const { provider_ref: ref } = await db.payment.findFirstOrThrow({
    where: { customer_id: who.customer.id, state: "captured" },
    orderBy: { created_at: "desc" },
  });
  return ref!;
}
const GIFT = { amount: 50, recipientEmail: "friend@example.com", message: "", deliverOn: "2026-12-01" };

/** A dispute or a refund of the provider's dashboard, of the charge of `chargeOf`. */
async function moved(
  move: (ref: string) => unknown,
  chargeOf: (order: Charged) => Promise<string> = ({ ref }) => Promise.resolve(ref),
  addOnUnits = 0,
): Promise<Begun> {
  const order = await chargedOrder(1, addOnUnits);
  market.clock.advance(Minute.ms);
  const ref = await chargeOf(order);
  const from = fake.events.length;
  move(ref);
  return { who: order.who, ...sent(from), later: () => order.who.delete("/wagon-pass") };
}
const dispute = (ref: string) => fake.dispute(ref, { amount: 600 });

/** A closed order whose hold has lapsed. */
async function closing(number: string) {
  const { who, ref } = await ordered(number);
  fake.expire(ref);
  market.clock.set(CUTOFF);
  return { who, work: { job: "week" } };
}

/** A pass that is due. */
async function duePass(number: string) {
  const { who } = await shopper();
  const pass = { plan: "monthly", paymentMethodId: await saveCardOf({ db, fake }, who, GOOD_CARD.number) };
  expect((await who.post("/wagon-pass", pass)).status).toBe(200);
  if (number !== GOOD_CARD.number)
    await who.put(`/payment-methods/${await saveCardOf({ db, fake }, who, number)}/default`);
  market.clock.set(RENEWAL);
  return { who, work: { job: "wagon-passes" } };
}
const retries = async (...days: number[]) => {
  for (const day of days) {
    market.clock.set(new Date(Date.parse(RENEWAL) + day * (Day.ms + 20 * Minute.ms)));
    await runJob("wagon-passes");
  }
};

interface Outcome {
  name: string;
  /** Where the server is killed, the most dangerous point first; only at that one except in `pnpm soak`. */
  points: readonly string[];
  /** Whether it is in small runs. */
  isSmall?: true;
  begin: () => Promise<Begun>;
}
const WEBHOOK = (point: string) => [point, "webhook:claimed", "webhook:handled"];
const CHARGE = ["charge:refused", "charge:set-aside", "charge:authorized", "charge:created", "charge:loaded"];
const RENEW = ["renewal:refused", "renewal:declined", "purchase:written"];
const OUTCOMES: readonly Outcome[] = [
  {
    name: "an order of 40 cents, too small for the provider",
    points: ["checkout:before-commit", "checkout:held", "checkout:placing", "checkout:placed", "checkout:settled"],
    begin: async () => {
      const { who, choice } = await shopper(40);
      return { who, ...pressed(who, "POST", "/checkout", { ...choice, expectedTotal: 0 }) };
    },
  },
  {
    name: "an edit makes an order too small for the provider",
    points: ["edit:locked"],
    begin: async () => {
      const { who, ...order } = await ordered(GOOD_CARD.number);
      return { who, ...pressed(who, "POST", "/orders/edit-order", toHerbs(order)) };
    },
  },
  {
    name: "an order that an edit made too small for the provider closes",
    points: ["charge:loaded", "cutoff:captured"],
    begin: async () => {
      const { who, ...order } = await ordered(GOOD_CARD.number);
      expect((await who.post("/orders/edit-order", toHerbs(order))).status).toBe(200);
      market.clock.set(CUTOFF);
      return { who, work: { job: "week" } };
    },
  },
  {
    name: "the charge of a closed order needs confirmation at the bank",
    isSmall: true,
    points: CHARGE,
    begin: () => closing(ASKING),
  },
  {
    name: "the charge of a closed order is refused for the market's reasons, and taken later",
    points: CHARGE,
    begin: async () => {
      const begun = await closing(GOOD_CARD.number);
      await refuse(begun.who, { type: "invalid_request_error", code: "account_invalid" }, 400);
      return begun;
    },
  },
  {
    name: "a renewed hold needs confirmation at the bank",
    points: ["hold:authorized", "hold:refused", "hold:due"],
    begin: async () => {
      const { who } = await ordered(ASKING, "2026-12-03");
      market.clock.set("2026-11-28T06:00:01Z");
      return { who, work: { job: "holds" } };
    },
  },
  {
    name: "the bank is silent at the renewal of a hold, and holds the money later",
    points: ["hold:dropped", "hold:authorized", "hold:due"],
    begin: async () => {
      const { who } = await ordered(GOOD_CARD.number, "2026-12-03");
      market.clock.set("2026-11-28T06:00:01Z");
      await refuse(who, { type: "card_error", code: "card_declined", decline_code: "issuer_not_available" }, 402);
      return { who, work: { job: "holds" } };
    },
  },
  {
    name: "an order is disputed",
    isSmall: true,
    points: WEBHOOK("dispute:recorded"),
    begin: () => moved(dispute),
  },
  {
    name: "a box with an add-on is disputed",
    points: WEBHOOK("dispute:recorded"),
    begin: () => moved(dispute, undefined, 1),
  },
  {
    name: "a gift card is disputed",
    points: WEBHOOK("dispute:recorded"),
    begin: () => moved(dispute, (order) => bought(order, "/gift-cards", GIFT)),
  },
  {
    name: "a wagon pass is disputed",
    points: WEBHOOK("dispute:recorded"),
    begin: () => moved(dispute, (order) => bought(order, "/wagon-pass", { plan: "monthly" })),
  },
  {
    name: "an order is refunded at the provider",
    points: WEBHOOK("refund:recorded"),
    begin: () => moved((ref) => fake.refundInDashboard(ref, 600)),
  },
  {
    name: "a gift card is sent again to another address",
    isSmall: true,
    points: ["gift-card:resend-committed", "gift-card:resent"],
    begin: async () => {
      const { who } = await shopper();
      const recipientEmail = `first-${newKey()}@example.com`;
      const gift = { ...GIFT, recipientEmail, deliverOn: "2026-11-23" };
      const answer = await who.post("/gift-cards", { ...gift, confirmationToken: tokenOf(GOOD_CARD.number) });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      await runJob("mail");
      const second = `second-${newKey()}@example.com`;
      const mails = (to_email: string) => db.mail.count({ where: { to_email, NOT: { sent_at: null } } });
      return {
        who,
        ...pressed(who, "POST", `/gift-cards/${answer.body.id}/resend`, { recipientEmail: second, version: 1 }),
        read: async () => [await mails(recipientEmail), await mails(second)],
      };
    },
  },
  {
    name: "the renewal of a pass needs confirmation at the bank, and the pass ends",
    isSmall: true,
    points: RENEW,
    begin: async () => ({ ...(await duePass(ASKING)), later: () => retries(1, 3, 6) }),
  },
  {
    name: "the renewal of a pass is declined for the last time",
    points: RENEW,
    begin: async () => {
      const begun = await duePass(GOOD_CARD.number);
      for (const day of [0, 1, 3]) {
        await refuse(begun.who, { type: "card_error", code: "card_declined" }, 402);
        await retries(day);
      }
      await refuse(begun.who, { type: "card_error", code: "card_declined" }, 402);
      market.clock.set(new Date(Date.parse(RENEWAL) + 7 * Day.ms));
      return begun;
    },
  },
  {
    name: "the bank is silent at the renewal of a pass, and pays later",
    points: ["purchase:written"],
    begin: async () => {
      const begun = await duePass(GOOD_CARD.number);
      const silent = { type: "card_error", code: "card_declined", decline_code: "issuer_not_available" };
      await refuse(begun.who, silent, 402);
      return { ...begun, later: () => retries(1) };
    },
  },
  {
    name: "a pass is ended by its customer",
    points: ["pass:ended"],
    begin: async () => {
      const { who } = await duePass(GOOD_CARD.number);
      market.clock.set(MONDAY);
      return { who, ...pressed(who, "DELETE", "/wagon-pass") };
    },
  },
];

/** Everything that is left of a customer's money, orders, passes, gift cards and mails. */
async function stateOf({ customer: { id } }: Browser) {
  const [row] = await query<{ state: object }>(
    db,
    sql`with
        orders as (select * from orders where customer_id = ${id}::int),
        paid as (select * from payment where customer_id = ${id}::int),
        all_of(name, one) as (
          select 'order', jsonb_build_array(status, order_total_cents, credit_cents, waived_cents, charge_error, charge_next_at is null) from orders
          union all select 'payment', jsonb_build_array(state, captured_cents, refunded_cents, hold_lost_at is null, unconfirmed_at is null)
            from paid where state in ('challenge', 'authorized', 'captured')
          union all select 'refund', jsonb_build_array(kind, destination, state, failure, amount_cents) from refund
            where payment_id in (select id from paid) or order_id in (select id from orders)
          union all select 'dispute', jsonb_build_array(status, amount_cents) from dispute where payment_id in (select id from paid)
          union all select 'booking', jsonb_build_array(t.kind, e.account, e.amount_cents) from ledger_transaction t join ledger_entry e on e.transaction_id = t.id
            where t.payment_id in (select id from paid) or t.order_id in (select id from orders)
          union all select 'credit', jsonb_build_array(credit_cents) from customer where id = ${id}::int
          union all select 'pass', jsonb_build_array(status, plan, renews_on, ends_on, declined) from wagon_pass where customer_id = ${id}::int
          union all select 'gift card', jsonb_build_array(code_version, sent_at is null, redeemed_at is null) from gift_card where buyer_id = ${id}::int
          union all select 'mail', jsonb_build_array(template, sent_at is null) from mail m join customer c on c.email = m.to_email where c.id = ${id}::int)
      select jsonb_agg(jsonb_build_array(name, one) order by name, one) as state from all_of`,
  );
  const { stripe_customer_id: customer } = await db.customer.findUniqueOrThrow({ where: { id } });
  const held = new Set(["requires_capture", "requires_action", "succeeded"]);
  const charges = [...fake.intents.values()]
    .filter((intent) => intent.customer === customer && held.has(intent.status))
    .map(({ status, amount, amount_received: received }) => `${status} ${amount} ${received}`);
  return { ...row, charges };
}

/** Begins, works until the kill or the end, and lets everything be repeated: the end state. */
async function play({ begin }: Outcome, point: string | null) {
  fake.clearTroubles();
  const from = fake.events.length;
  const { who, work, repeat, later, read } = await begin();
  if (point !== null) await killAt(market, point, work);
  else if ("job" in work) await runJob(work.job);
  else expect((await market.app.inject(work.request)).statusCode).toBeLessThan(300);
  market.clock.advance(Minute.ms);
  await repeat?.();
  await runJobs();
  await later?.();
  // All its events, late, twice and in the wrong order, to two servers.
  market.clock.advance(Day.ms);
  await deliver(from, (events) => events.toReversed());
  await runJobs(1);
  // That no cards were taken is shown until a charge succeeds ten minutes later.
  const failures = (await findFailures(db, market.clock.now())).filter(({ job }) => job !== "payments");
  expect(failures).toEqual([]);
  await expectAgreement();
  return { ...(await stateOf(who)), more: await read?.() };
}

test.for(OUTCOMES.filter(({ isSmall }) => isLarge || isSmall).map((outcome) => [outcome.name, outcome] as const))(
  "killed: %s: it ends as without the kill, with one mail and one booking",
  { tags: ["fail:B6", "fail:B17"] },
  async ([, outcome]) => {
    const whole = await play(outcome, null);
    for (const point of isSoak ? outcome.points : outcome.points.slice(0, 1))
      expect([point, await play(outcome, point)]).toEqual([point, whole]);
  },
);
