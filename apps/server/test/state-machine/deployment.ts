import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { isUnavailable } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { addDays, dateInZone, weekdayOf } from "@marketday/domain/calendar-date";
import { addMs, Hour } from "@marketday/domain/time";
import { expect } from "vitest";

import type { Context } from "../../src/modules/identity/context.ts";
import { buildTestApp } from "../app.ts";
import { createCustomer, createHub, createProduct, PASSWORD } from "../factories.ts";
import { openHistory } from "../history.ts";
import { startProcess, type ServerProcess } from "../processes.ts";
import { send, type RawResponse } from "../race.ts";
import type { Randomness } from "../randomness.ts";
import { testStripe } from "../test-stripe.ts";

const SECRET = "whsec_of_the_sequences_0123456789";
const ZONE = "America/Indiana/Indianapolis";
/** Days until the delivery: no cutoff is due during the test, and no authorization is renewed. */
const DAYS_AHEAD = 3;

/** A market in two processes that share one Postgres and one fake Stripe. */
export async function startDeployment() {
  const fake = await testStripe({ webhookSecret: SECRET });
  const env = {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_URL: fake.url,
  };
  const market = await buildTestApp({ now: new Date().toISOString(), env });
  // No jobs in the servers: only the test's process advances its clock to the cutoff and runs them.
  const start = (failpoints: Record<string, "kill"> = {}) =>
    startProcess({ databaseUrl: market.url, dataDir: market.dataDir, env, failpoints, jobs: false });
  const servers = await Promise.all([start(), start()]);
  return { fake, market, servers, start };
}
export type Deployment = Awaited<ReturnType<typeof startDeployment>>;

/** A separate market day: a hub, products with low and high stock, and shoppers. */
export async function openDay({ market }: Deployment, random: Randomness, people: number) {
  const { db, deps } = market;
  const now = new Date();
  market.clock.set(now);
  const hub = await createHub(db, {
    now,
    timeZone: ZONE,
    deliveryDay: weekdayOf(addDays(dateInZone(now, ZONE), DAYS_AHEAD)),
    taxRatePpm: random.pick([0, 70_000, 72_500]),
  });
  const products: Awaited<ReturnType<typeof createProduct>>[] = [];
  for (let n = 0; n < 5; n += 1)
    products.push(
      await createProduct(db, hub.id, {
        priceCents: random.between(95, 2999),
        salePriceCents: random.chance(0.3) ? random.between(33, 94) : null,
        inventory: random.between(10, 60),
      }),
    );
  const plenty = await createProduct(db, hub.id, { priceCents: 733, inventory: size(2000, 5000) });
  const shoppers: Shopper[] = [];
  for (let n = 0; n < people; n += 1) {
    const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const browser = market.shopper();
    expect((await browser.post("/auth/login", { username: row.email, password: PASSWORD })).status).toBe(200);
    shoppers.push({ id: row.id, cookie: browser.cookieHeader() });
  }
  const code = await db.discount_code.create({
    data: { code: `DAY${hub.id}`, percent_ppm: 100_000, minimum_cents: 500, use_limit: random.between(3, people * 2) },
  });
  return {
    hub,
    products: [...products, plenty],
    plenty,
    shoppers,
    cutoff: hub.deliveries[0]!.cutoff_at,
    /** A discount code of 10 % with a limited number of uses. */
    code: code.code,
    /** Checkout requests and responses; at the end exactly the orders in it must exist. */
    history: openHistory(join(market.dataDir, `history-${hub.id}.jsonl`)),
  };
}
export type MarketDay = Awaited<ReturnType<typeof openDay>>;

export interface Shopper {
  id: number;
  cookie: string;
}

/** A running sequence: its shopper, its random generator, and the results so far. */
export interface Run {
  deployment: Deployment;
  day: MarketDay;
  shopper: Shopper;
  random: Randomness;
  steps: string[];
}

/** A random server. */
export const anyServer = ({ deployment, random }: Run): ServerProcess => random.pick(deployment.servers);

const RETRY_MS = 100;

/**
 * Calls a server as this shopper. Retries with the same key when the database was too busy (503 `unavailable`: nothing was
 * changed).
 */
export async function call(
  { shopper, day }: Run,
  server: ServerProcess,
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: unknown,
  key?: string,
): Promise<RawResponse> {
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  for (;;) {
    const response = await send({
      port: server.port,
      method,
      path: `/api${path}`,
      body,
      cookie: shopper.cookie,
      headers,
    }).catch((error: unknown) => {
      if (key !== undefined) day.history.note(shopper.id, key, null);
      throw error;
    });
    if (key !== undefined) day.history.note(shopper.id, key, response);
    if (response.status !== 503 || response.body[1].code !== "unavailable") return response;
    await pause(RETRY_MS);
  }
}

/** Retries work that the database was too busy to start. */
export async function retryUnavailable<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await pause(RETRY_MS);
    }
  }
}

/** A response as a step: its status and error code. */
export const resultOf = ({ status, body }: RawResponse): string =>
  status < 300 ? `${status}` : `${status} ${body[1]?.code}`;

/** Records the result of an action and asserts that it is allowed. */
export function expectResult(run: Run, action: string, result: string, allowed: readonly string[]): void {
  run.steps.push(`${action}: ${result}`);
  expect(allowed, `${action} returned ${result}`).toContain(result);
}

/**
 * Posts an event of the fake Stripe to a server with a valid signature. Sends it again after a 503, as Stripe does: the server
 * got no response of Stripe in time.
 */
export async function postEvent(run: Run, server: ServerProcess, event: object): Promise<void> {
  for (;;) {
    const { payload, signature } = run.deployment.fake.signed(event);
    const response = await send({
      port: server.port,
      method: "POST",
      path: "/api/webhooks/stripe",
      body: JSON.parse(payload) as unknown,
      headers: { "stripe-signature": signature },
    });
    if (response.status !== 503) return expectResult(run, "webhook", resultOf(response), ["200"]);
    await pause(RETRY_MS);
  }
}

/** Context of the operators' use cases and jobs, which run in the test's process. */
export const operator = ({ market }: Deployment): Context => ({
  now: market.clock.now(),
  actor: { type: "system", job: "sequences" },
  deps: market.deps,
});

/** Time after the cutoff when all checkouts of before have ended. */
export const afterCutoff = (day: MarketDay): Date => addMs(day.cutoff, Hour.ms);
