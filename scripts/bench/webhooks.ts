import { randomUUID } from "node:crypto";

import { createDb, type Db, execute, query, raw, sql } from "@marketday/db";
import { migrate } from "@marketday/db/migrate";
import { createDeps } from "@marketday/server/create-deps";
import { parseEnv } from "@marketday/server/env";
import { parseWebhook } from "@marketday/server/gateways/payments/stripe/webhook";
import { createLogger } from "@marketday/server/lib/logger";
import { takeWebhook } from "@marketday/server/modules/payments/take-webhook";
import { createHub } from "@marketday/server/testing/factories";
import { fakeStripe } from "@marketday/server/testing/fake-stripe";

import type { BenchMarket } from "./market.ts";
import type { Row } from "./table.ts";

/** Past payments of a small and of a large market. */
const FEW = 1000;
const MANY = 300_000;
const EVENTS = 2000;
const AT_ONCE = 8;
const SECRET = "whsec_of_the_bench_0123456789";

/** Inserts captured payments of placed attempts until there are `count`. */
async function fillPayments(db: Db, ids: { hubId: number; deliveryId: number; customerId: number }, count: number) {
  await execute(
    db,
    sql`with past as (
          select n, gen_random_uuid() as payment_id, gen_random_uuid() as attempt_id
          from generate_series((select count(*) + 1 from payment), ${count}::int) n),
        paid as (
          insert into payment (id, charge_key, customer_id, provider, provider_ref, state, amount_cents, captured_cents, authorized_at, created_at)
          select payment_id, attempt_id, ${ids.customerId}::int, 'stripe', 'pi_past_' || n, 'captured', 1000, 1000, now(), now() from past)
        insert into checkout_attempt (id, customer_id, hub_id, delivery_id, state, choice, plan, order_total_cents, amount_due_cents, payment_id,
          lease_until, expires_at, created_at, finished_at)
        select attempt_id, ${ids.customerId}::int, ${ids.hubId}::int, ${ids.deliveryId}::int, 'placed', '{}', '{}', 1000, 1000, payment_id,
          now(), now(), now(), now() from past`,
  );
  await execute(db, sql`analyze`);
}

/**
 * Signed events about past charges, each of which causes one request to the provider: events a second with few and with many payments in
 * the database (failures.md M14).
 */
export async function benchWebhooks(market: BenchMarket): Promise<Row[]> {
  const admin = createDb({ url: market.databaseUrl });
  await execute(admin, sql`create database ${raw("bench_webhooks")}`);
  await admin.close();
  const url = new URL(market.databaseUrl);
  url.pathname = "/bench_webhooks";
  await migrate({ url: url.href });
  const db = createDb({ url: url.href, statementTimeoutMs: 300_000 });
  const fake = await fakeStripe({ webhookSecret: SECRET });
  const env = parseEnv({
    ...process.env,
    ...market.env,
    DATABASE_URL: url.href,
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_URL: fake.url,
  });
  const deps = await createDeps(env, url.href, createLogger("error", false));
  const hub = await createHub(db, { now: new Date() });
  const customer = await db.customer.create({ data: { email: "past@example.com" } });
  const ids = { hubId: hub.id, deliveryId: hub.deliveries[0]!.id, customerId: customer.id };

  const rateOf = async (): Promise<number> => {
    const charges = await query<{ key: string; ref: string }>(
      db,
      sql`select charge_key::text as key, provider_ref as ref from payment order by id limit ${EVENTS}::int`,
    );
    for (const { key, ref } of charges)
      fake.intents.set(ref, {
        id: ref,
        object: "payment_intent",
        status: "succeeded",
        amount: 1000,
        amount_received: 1000,
        amount_capturable: 0,
        currency: "usd",
        customer: null,
        client_secret: `${ref}_secret`,
        metadata: { marketday_key: key },
        payment_method: null,
        setup_future_usage: null,
        last_payment_error: null,
        created: 0,
      });
    const started = performance.now();
    let next = 0;
    const worker = async () => {
      while (next < EVENTS) {
        const { key, ref } = charges[(next += 1) % charges.length]!;
        const { payload, signature } = fake.signed({
          id: `evt_${randomUUID()}`,
          object: "event",
          type: "payment_intent.amount_capturable_updated",
          data: {
            object: { id: ref, amount: 1000, amount_received: 0, currency: "usd", metadata: { marketday_key: key } },
          },
        });
        const now = deps.clock.now();
        const event = parseWebhook(Buffer.from(payload), signature, SECRET, now);
        await takeWebhook({ deps, now, actor: { type: "system", job: "bench" } }, event);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return (EVENTS * 1000) / (performance.now() - started);
  };

  try {
    await fillPayments(db, ids, FEW);
    await rateOf();
    const few = await rateOf();
    await fillPayments(db, ids, MANY);
    await rateOf();
    const many = await rateOf();
    const row = (what: string, value: string, wanted = "", good = true): Row => ({ what, value, wanted, good });
    return [
      row(`webhooks with ${FEW} payments`, `${few.toFixed(0)}/s`),
      row(`webhooks with ${MANY} payments`, `${many.toFixed(0)}/s`),
      row("  ratio", (many / few).toFixed(2), "≥ 0.7", many / few >= 0.7),
    ];
  } finally {
    deps.clock.stop();
    await deps.db.close();
    await db.close();
    await fake.close();
  }
}
