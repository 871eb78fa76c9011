import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { isUnavailable } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { addDays, dateInZone, weekdayOf } from "@marketday/domain/calendar-date";
import { addMs, Hour } from "@marketday/domain/time";
import { expect } from "vitest";

import type { Context } from "../../src/lib/context.ts";
import { buildTestApp } from "../app.ts";
import { createCustomer, createHub, createProduct, PASSWORD } from "../factories.ts";
import { fakeStripe } from "../fake-stripe.ts";
import { openHistory } from "../history.ts";
import { startProcess, type ServerProcess } from "../processes.ts";
import { send, type RawAnswer } from "../race.ts";
import type { Randomness } from "../randomness.ts";

const SECRET = "whsec_of_the_sequences_0123456789";
const ZONE = "America/Indiana/Indianapolis";
/** Of a delivery day from now: far enough that no cutoff comes while the test runs, near enough that no hold is renewed. */
const DAYS_AHEAD = 3;

/** A market on Stripe in two processes, which share one Postgres and one Stripe of ours. */
export async function openStall() {
  const fake = await fakeStripe({ webhookSecret: SECRET });
  const env = {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_URL: fake.url,
  };
  const market = await buildTestApp({ now: new Date().toISOString(), env });
  // The timetable is the operator's process alone: its clock goes ahead to the cutoff, theirs does not.
  const start = (failpoints: Record<string, "kill"> = {}) =>
    startProcess({ databaseUrl: market.url, dataDir: market.dataDir, env, failpoints, jobs: false });
  const servers = await Promise.all([start(), start()]);
  return { fake, market, servers, start };
}
export type Stall = Awaited<ReturnType<typeof openStall>>;

/** A market day of its own: a hub, its products, few and many, and the people who shop there. */
export async function openDay({ market }: Stall, random: Randomness, people: number) {
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
    /** A tenth off for a few of them, once each. */
    code: code.code,
    /** What shoppers asked and heard; at the end the orders it tells of, and no others, must be there. */
    history: openHistory(join(market.dataDir, `history-${hub.id}.jsonl`)),
  };
}
export type MarketDay = Awaited<ReturnType<typeof openDay>>;

export interface Shopper {
  id: number;
  cookie: string;
}

/** One sequence while it runs: whose it is, what it draws, and what came of each act so far. */
export interface Run {
  stall: Stall;
  day: MarketDay;
  who: Shopper;
  random: Randomness;
  steps: string[];
}

/** Any of the servers. */
export const some = ({ stall, random }: Run): ServerProcess => random.pick(stall.servers);

const ASK_AGAIN_MS = 100;

/**
 * Calls a server as this shopper. Where the database was too busy (503 `unavailable`: nothing happened) the shopper presses
 * again with the same key.
 */
export async function call(
  { who, day }: Run,
  server: ServerProcess,
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: unknown,
  key?: string,
): Promise<RawAnswer> {
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  for (;;) {
    const answer = await send({
      port: server.port,
      method,
      path: `/api${path}`,
      body,
      cookie: who.cookie,
      headers,
    }).catch((error: unknown) => {
      if (key !== undefined) day.history.note(who.id, key, null);
      throw error;
    });
    if (key !== undefined) day.history.note(who.id, key, answer);
    if (answer.status !== 503 || answer.body[1].code !== "unavailable") return answer;
    await pause(ASK_AGAIN_MS);
  }
}

/** Does a verb's work again where the database was too busy to begin it. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await pause(ASK_AGAIN_MS);
    }
  }
}

/** An answer as the sequence's history has it: its status, and the code of a refusal. */
export const wordOf = ({ status, body }: RawAnswer): string =>
  status < 300 ? `${status}` : `${status} ${body[1]?.code}`;

/** Notes what came of an act and refuses what may not come of it. */
export function allow(run: Run, act: string, got: string, allowed: readonly string[]): void {
  run.steps.push(`${act}: ${got}`);
  expect(allowed, `${act} said ${got}`).toContain(got);
}

/**
 * Posts an event of the fake's to a server, signed as the real one signs it. Like the real one it sends the event again
 * when it is asked to: the server had to look at Stripe, and had no answer in time.
 */
export async function hook(run: Run, server: ServerProcess, event: object): Promise<void> {
  for (;;) {
    const { payload, signature } = run.stall.fake.signed(event);
    const answer = await send({
      port: server.port,
      method: "POST",
      path: "/api/webhooks/stripe",
      body: JSON.parse(payload) as unknown,
      headers: { "stripe-signature": signature },
    });
    if (answer.status !== 503) return allow(run, "webhook", wordOf(answer), ["200"]);
    await pause(ASK_AGAIN_MS);
  }
}

/** What the operators' commands and the clock run with, in a process of their own. */
export const operator = ({ market }: Stall): Context => ({
  now: market.clock.now(),
  actor: { type: "system", job: "sequences" },
  deps: market.deps,
});

/** The clock of that process alone: checkouts begun before the cutoff have had their ten minutes. */
export const afterCutoff = (day: MarketDay): Date => addMs(day.cutoff, Hour.ms);
