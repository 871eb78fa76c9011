import { execute, sql, sqlTransaction } from "@marketday/db";
import { beforeAll, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHubNow, CHOICE, createProduct, newKey, PASSWORD } from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import type { Context } from "../identity/context.ts";
import { creditReferrers } from "../referrals/credit-referrers.ts";
import { lockReferral } from "../referrals/person-sql.ts";
import { findCardlessRefusal, findReferralRefusal } from "../referrals/refusal.ts";
import { resumeAbandonedPurchases } from "./buy.ts";
import { chargeDueOrders } from "./charge-order.ts";
import { resumeRefunds } from "./finish-refund.ts";
import { enqueueUncharged, loadCharge } from "./order-charge-sql.ts";
import { renewHolds } from "./renew-holds.ts";

/** Payments of weeks gone by: enough that a plan that reads all of them is slower than one that uses an index. */
const PAST = 50_000;
const SECRET = "whsec_of_the_plans_0123456789";
const fake = await testStripe({ webhookSecret: SECRET });
const market = await buildTestApp({
  now: new Date().toISOString(),
  env: {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_URL: fake.url,
  },
});
const { db, deps } = market;
const job = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
const { card: _card, ...WITHOUT_CARD } = CHOICE;

/** Tables that grow with every order ever placed. */
const GROWING = new Set([
  "payment",
  "checkout_attempt",
  "orders",
  "order_item",
  "refund",
  "webhook_event",
  "ledger_transaction",
]);

type Plan = { "Node Type": string; "Relation Name"?: string; Plans?: Plan[] };
const scansOf = (plan: Plan): string[] => [
  ...(plan["Node Type"] === "Seq Scan" && GROWING.has(plan["Relation Name"] ?? "")
    ? [`scans ${plan["Relation Name"]}`]
    : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

/** Statements of `work` whose plan reads a whole growing table, with the plan's reason. */
async function scansIn(work: () => Promise<unknown>, on = market): Promise<string[]> {
  const statements = [...new Set(await on.statements(work))].filter((text) =>
    /^\s*(?:select|insert|update|delete|with|\()/i.test(text),
  );
  expect(statements.length).toBeGreaterThan(0);
  const found: string[] = [];
  for (const text of statements) {
    // The simple protocol: no value is bound to the statement's parameters.
    const { rows } = await sqlTransaction(on.db, (tx) =>
      tx.client.query(`explain (generic_plan, format json) ${text}`),
    );
    const scans = scansOf((rows as [{ "QUERY PLAN": [{ Plan: Plan }] }])[0]["QUERY PLAN"][0].Plan);
    if (scans.length > 0) found.push(`${scans.join(", ")}: ${text.trim().slice(0, 400)}`);
  }
  return found;
}

beforeAll(async () => {
  const hub = await createHubNow(db);
  const deliveryId = hub.deliveries[0]!.id;
  const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  // Each customer has a hundred orders.
  await db.customer.createMany({ data: Array.from({ length: PAST / 100 }, () => ({ hub_id: hub.id })) });
  await execute(
    db,
    sql`with past as (
          select n, gen_random_uuid() as payment_id, gen_random_uuid() as attempt_id, ${customerId}::int + 1 + n / 100 as customer_id
          from generate_series(0, ${PAST}::int - 1) n),
        paid as (
          insert into payment (id, charge_key, customer_id, provider, provider_ref, state, amount_cents, captured_cents, card_fingerprint, authorized_at, created_at)
          select payment_id, attempt_id, customer_id, 'stripe', 'pi_past_' || n, 'captured', 1000, 1000, 'card ' || n,
            now() - n * interval '1 minute', now() - n * interval '1 minute' from past),
        tried as (
          insert into checkout_attempt (id, customer_id, hub_id, delivery_id, state, choice, plan, order_total_cents, amount_due_cents, payment_id,
            idempotency_key, lease_until, expires_at, created_at, finished_at)
          select attempt_id, customer_id, ${hub.id}::int, ${deliveryId}::int, 'placed', '{}', '{}', 1000, 1000, payment_id,
            ${`${customerId} past `} || n, now(), now(), now() - n * interval '1 minute', now() - n * interval '1 minute' from past),
        events as (
          insert into webhook_event (provider, event_id, type, received_at, processed_at)
          select 'stripe', 'evt_past_' || n, 'payment_intent.succeeded', now(), now() from past),
        refunds as (
          insert into refund (id, payment_id, kind, destination, amount_cents, reason, state, created_at, done_at)
          select gen_random_uuid(), payment_id, 'goodwill', 'card', 1, '', 'done', now() - n * interval '1 minute', now() from past)
        insert into orders (id, attempt_id, customer_id, hub_id, delivery_id, status, items_cents, tip_cents, tax_cents, tax_rate_ppm, card_fee_cents,
          delivery_fee_cents, discount_cents, order_total_cents, address, payment_id, created_at, cancelled_at)
        select 100000000 + n, attempt_id, customer_id, ${hub.id}::int, ${deliveryId}::int, case when n % 10 = 0 then 'cancelled' else 'closed' end,
          1000, 0, 0, 0, 0, 0, 0, 1000, jsonb_build_object('address', n || ' Elm Street', 'zipCode', lpad((n % 10000)::text, 5, '0')), payment_id, now() - n * interval '1 minute', case when n % 10 = 0 then now() end from past`,
  );
  await execute(db, sql`vacuum analyze`);
}, 120_000);

test("webhook: a charge among many past ones is found by its key's index", { tags: ["fail:M14"] }, async () => {
  const hub = await createHubNow(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  expect((await browser.post("/auth/login", { username: row.email, password: PASSWORD })).status).toBe(200);
  await browser.put("/cart", [eggs.line(1)]);
  const chosen = { ...WITHOUT_CARD, confirmationToken: tokenOf("4242424242424242") };
  const { orderTotal } = (await browser.post("/checkout/quote", chosen)).body;
  const placed = await browser.post(
    "/checkout",
    { ...chosen, expectedTotal: orderTotal },
    { "idempotency-key": newKey() },
  );
  expect(placed.status).toBe(201);
  const { payload, signature } = fake.signed(fake.events.at(-1)!);
  const scans = await scansIn(async () => {
    const answer = await market.app.inject({
      method: "POST",
      url: "/api/webhooks/stripe",
      headers: { "content-type": "application/json", "stripe-signature": signature },
      payload,
    });
    expect(answer.statusCode).toBe(200);
  });
  expect(scans).toEqual([]);
});

test.each([
  ["abandoned checkouts, charges to void and orphaned charges", () => resumeAbandoned(job())],
  ["holds to renew", () => renewHolds(job())],
  ["interrupted purchases", () => resumeAbandonedPurchases(job())],
  ["unfinished refunds", () => resumeRefunds(job())],
  ["orders to charge again", () => chargeDueOrders(job())],
])("sweep: %s are found without reading all past ones", { tags: ["fail:M14"] }, async (_what, work) => {
  expect(await scansIn(work)).toEqual([]);
});

test(
  "referral: cards and addresses of other customers, and a card's credit, are found without reading all past payments and orders",
  { tags: ["fail:M14"] },
  async () => {
    const hub = await createHubNow(db);
    const [referrer, friend] = [
      await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper }),
      await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper }),
    ];
    await db.referral.create({ data: { friend_id: friend.id, referrer_id: referrer.id } });
    const place = { address: "1 Oak Street", zipCode: "04711" };
    const scans = await scansIn(async () => {
      await sqlTransaction(db, async (tx) => {
        await lockReferral(tx, friend.id, place);
        expect(await findReferralRefusal(tx, friend.id, place)).toBeNull();
        const rule = { takesCards: true, pepper: deps.env.pepper };
        expect(await findCardlessRefusal(tx, friend.id, place, rule)).toBeNull();
        expect(await findCardlessRefusal(tx, friend.id, { ...place, address: "4711 Elm Street" }, rule)).toBe(
          "card_needed",
        );
        await creditReferrers(tx, { orderIds: [100_000_001] }, market.clock.now());
      });
    });
    expect(scans).toEqual([]);
  },
);

test(
  "cutoff: the orders to charge of a day with only authorized payments are found and read without comparing each with every payment",
  { tags: ["fail:M14"] },
  async () => {
    // The planner expects no captured payment, and takes a list of them for short enough to be read for every order.
    const firstDay = await buildTestApp({ now: new Date().toISOString() });
    const hub = await createHubNow(firstDay.db);
    const deliveryId = hub.deliveries[0]!.id;
    const row = await createCustomer(firstDay.db, { hubId: hub.id, pepper: firstDay.deps.env.pepper });
    await execute(
      firstDay.db,
      sql`with placed as (select n, gen_random_uuid() as payment_id from generate_series(1, 10000) n),
          paid as (
            insert into payment (id, charge_key, customer_id, provider, provider_ref, state, amount_cents, captured_cents, authorized_at, created_at)
            select payment_id, payment_id, ${row.id}::int, 'stripe', 'pi_' || n, 'authorized', 1000, 0, now(), now() from placed)
          insert into orders (id, customer_id, hub_id, delivery_id, status, items_cents, tip_cents, tax_cents, tax_rate_ppm, card_fee_cents,
            delivery_fee_cents, discount_cents, order_total_cents, payment_id, created_at)
          select 100000000 + n, ${row.id}::int, ${hub.id}::int, ${deliveryId}::int, 'pending', 1000, 0, 0, 0, 0, 0, 0, 1000, payment_id, now() from placed`,
    );
    await execute(firstDay.db, sql`vacuum analyze`);
    const scans = await scansIn(async () => {
      expect(await enqueueUncharged(firstDay.db, deliveryId, firstDay.clock.now())).toBe(10_000);
    }, firstDay);
    // All orders are of this day.
    expect(scans.filter((scan) => scan.includes("scans payment"))).toEqual([]);
    // Each of the 10,000 charges is then read by keys.
    const scansOfCharge = await scansIn(async () => {
      const due = await sqlTransaction(firstDay.db, (tx) => loadCharge(tx, 100_000_001, "stripe", null));
      expect(due).toMatchObject({ order_ids: [100_000_001], payment: { state: "authorized" } });
    }, firstDay);
    expect(scansOfCharge).toEqual([]);
  },
);
