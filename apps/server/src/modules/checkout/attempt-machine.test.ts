import { setTimeout as pause } from "node:timers/promises";

import { query, sql } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { addMs, Day, Minute, Second } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY, type TestMarket } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, newKey } from "../../../test/factories.ts";
import { disagreements, tokenOf } from "../../../test/fake-stripe.ts";
import { type Randomness, randomness } from "../../../test/randomness.ts";
import type { Answer, Shopper } from "../../../test/shopper.ts";
import { signIn } from "../../../test/sign-in.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { renewHolds } from "../payments/renew-holds.ts";
import { resumeAbandoned } from "./resume-attempt.ts";

/** `SEED` selects another series. A failure reports the seed and the steps of its sequence. */
const SEED = Number(process.env["SEED"] ?? 20_261_126);
const SEQUENCES = size(12, 300, 60);
const SECRET = "whsec_of_the_attempt_machine_0123";
const CARDS = ["4242424242424242", "4000002500003155", "4000002500003155", "4000000000000002"] as const;
const UNITS = 50;
/** Four days before the cutoff of the pre-order, and the cutoff. */
const RENEWAL = "2026-11-28T06:00:01Z";
const CUTOFF = "2026-12-02T06:00:00Z";
/** How much faster requests wait for each other, and the circuit breaker closes. */
const SPEED = 20;

const fake = await testStripe({ webhookSecret: SECRET, now: () => market.clock.now() });
const env = {
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_API_URL: fake.url,
};
const market = await buildTestApp({ env });
const { db } = market;

/** A server that is killed when it has passed `left` failpoints. */
async function server() {
  const kill = { left: Infinity, at: "" };
  const secrets = { SESSION_SECRET: market.deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: market.deps.env.pepper };
  const own = await buildTestApp({
    url: market.url,
    env: { ...env, ...secrets },
    overrides: {
      clock: { ...market.clock, elapsed: () => performance.now() * SPEED },
      failpoint: async (point) => {
        kill.left -= 1;
        if (kill.left !== 0) return;
        kill.at = point;
        throw new Error(`killed at ${point}`);
      },
    },
  });
  return { own, kill };
}
const servers = [await server(), await server()];

const job = ({ own }: { own: TestMarket }): Context => ({
  now: market.clock.now(),
  actor: { type: "system", job: "test" },
  deps: own.deps,
});
const operator = () => job({ own: market });
function at(own: TestMarket, browser: Shopper): Shopper {
  const same = own.shopper();
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return same;
}
const { card: _card, ...WITHOUT_CARD } = CHOICE;
const AttemptRow = z.object({ id: z.string(), state: z.string(), failure: z.string().nullable() });

async function sequence(seed: number): Promise<void> {
  const random = randomness(seed);
  const choices = () => randomness(random.between(0, 2 ** 31));
  const steps: string[] = [];
  market.clock.set(MONDAY);
  const hub = await createHub(db, { now: market.clock.now() });
  const turkey = await createProduct(db, hub.id, { priceCents: 9000, inventory: UNITS, preOrderDate: "2026-12-03" });
  const browser = await signIn(market, { hubId: hub.id });
  const customerId = browser.customer.id;
  await browser.put("/cart", [turkey.line(1)]);
  const { orderTotal } = (await browser.post("/checkout/quote", WITHOUT_CARD)).body as { orderTotal: number };
  const firstEvent = fake.events.length;
  const delivered = new Set<number>();
  /** Attempts that a shopper has seen at the bank; order ids that an answer named. */
  const challenged = new Set<string>();
  const placed = new Set<number>();
  /** The attempt whose challenge the bank approved while it could still be finished. */
  let approved: string | null = null;

  const intents = async () => {
    const { stripe_customer_id } = await db.customer.findUniqueOrThrow({ where: { id: customerId } });
    return [...fake.intents.values()].filter(({ customer }) => customer !== null && customer === stripe_customer_id);
  };
  const attempts = () =>
    query(
      db,
      sql`select id::text as id, state, failure->>'code' as failure from checkout_attempt where customer_id = ${customerId}::int`,
      AttemptRow,
    );
  const orders = () => db.order.findMany({ where: { customer_id: customerId }, include: { payment: true } });

  function note(what: string, { status, body }: Answer): void {
    const details = (status >= 400 ? body[1] : body) as Record<string, any>;
    steps.push(`${what}: ${status} ${details["code"] ?? (details["challenge"] ? "challenge" : "")}`);
    if (status === 202) challenged.add(details["challenge"].attemptId);
    for (const id of status === 201 ? details["orderIds"] : []) placed.add(id);
  }
  /** Runs work of a job, which a kill or an absent provider may end. */
  const attempted = async (what: string, work: () => Promise<unknown>) => {
    const result = await work().then(
      () => "done",
      (error: Error) => error.message.slice(0, 40),
    );
    steps.push(`${what}: ${result}`);
  };

  async function pay(random: Randomness): Promise<void> {
    const card = random.pick(CARDS);
    const isOutdated = random.chance(0.25);
    const body = {
      ...WITHOUT_CARD,
      confirmationToken: tokenOf(card),
      savePaymentMethod: true,
      expectedTotal: isOutdated ? 1 : orderTotal,
    };
    const key = newKey();
    const what = `pay ${card.slice(-4)}${isOutdated ? " outdated" : ""}`;
    for (let tries = random.between(1, 2); tries > 0; tries -= 1) {
      const answer = await at(random.pick(servers).own, browser).post("/checkout", body, { "idempotency-key": key });
      note(what, answer);
      if (answer.status < 500 && answer.body[1]?.code !== "still_running") return;
    }
  }
  async function complete(random: Randomness): Promise<void> {
    if (challenged.size === 0) return;
    const id = random.pick([...challenged]);
    note("complete", await at(random.pick(servers).own, browser).post(`/checkout/${id}/complete`, {}));
  }
  async function answerBank(random: Randomness): Promise<void> {
    const open = (await intents()).filter(({ status }) => status === "requires_action");
    if (open.length === 0) return;
    const intent = random.pick(open);
    const isApproved = random.chance(0.8);
    fake.answerBank(intent.id, isApproved);
    steps.push(`the bank ${isApproved ? "approves" : "refuses"}`);
    const key = intent.metadata["marketday_key"]!;
    if (isApproved && challenged.has(key)) approved = key;
  }
  async function sendEvent(random: Randomness): Promise<void> {
    const own = new Set((await intents()).map(({ id }) => id));
    const events = fake.events
      .map((event, place) => ({ event, place }))
      .slice(firstEvent)
      .filter(({ event, place }) => own.has((event.data.object as { id: string }).id) && !delivered.has(place));
    if (events.length === 0) return;
    const { event, place } = random.pick(events);
    const signed = fake.signed(event);
    const answer = await random.pick(servers).own.app.inject({
      method: "POST",
      url: "/api/webhooks/stripe",
      headers: { "content-type": "application/json", "stripe-signature": signed.signature },
      payload: signed.payload,
    });
    // One that failed is sent again, others sometimes too.
    if (answer.statusCode === 200 && random.chance(0.8)) delivered.add(place);
    steps.push(`${event.type}: ${answer.statusCode} ${answer.statusCode === 200 ? answer.json().outcome : ""}`);
  }
  const sweep = (random: Randomness) => attempted("sweep", () => resumeAbandoned(job(random.pick(servers))));
  const renew = (random: Randomness) => attempted("renew", () => renewHolds(job(random.pick(servers))));
  function wait(random: Randomness, ...ms: number[]): void {
    const passed = random.pick(ms);
    market.clock.advance(passed);
    steps.push(`${passed / Second.ms} s pass`);
  }
  function changeOutage(random: Randomness): void {
    const isDown = random.chance(0.5);
    fake.down = isDown;
    if (!isDown) fake.processDelayed();
    steps.push(isDown ? "Stripe is away" : "Stripe is back");
  }
  function planKill(random: Randomness): void {
    const one = random.pick(servers);
    one.kill.left = random.between(1, 14);
    steps.push(`a kill after ${one.kill.left} points`);
  }
  async function expireHold(random: Randomness): Promise<void> {
    const held = (await intents()).filter(({ status }) => status === "requires_capture");
    if (held.length === 0 || !random.chance(0.3)) return;
    fake.expire(random.pick(held).id);
    steps.push("the bank releases the hold");
  }

  /** Takes some of these steps, some of them two at a time. Each has its own choices, whatever runs at the same time. */
  async function take(count: number, work: readonly ((random: Randomness) => Promise<void> | void)[]): Promise<void> {
    for (let left = count; left > 0; left -= 1) {
      if (random.chance(0.35)) {
        const both = [random.pick(work), random.pick(work)].map((each) => ({ each, choices: choices() }));
        steps.push("at once");
        await Promise.all(both.map(async ({ each, choices: own }) => each(own)));
      } else await random.pick(work)(choices());
      // A killed server is started again; its lease expires.
      for (const { kill } of servers)
        if (kill.left <= 0) {
          steps.push(`killed at ${kill.at}`);
          kill.left = Infinity;
          market.clock.advance(Minute.ms);
        }
    }
  }
  /** Everything is there again, and the jobs have run until nothing is due. */
  async function settle(): Promise<void> {
    for (const { kill } of servers) kill.left = Infinity;
    fake.down = false;
    fake.processDelayed();
    for (const { own } of servers) {
      const isClosed = () =>
        own.deps.payments.listOpen().then(
          () => true,
          () => false,
        );
      while (!(await isClosed())) await pause(50);
    }
    for (let round = 0; round < 8; round += 1) {
      market.clock.advance(11 * Minute.ms);
      for (const each of servers) await resumeAbandoned(job(each));
      await sendEvent(choices());
    }
    steps.push("settled");
  }

  async function expectAgreement(): Promise<void> {
    expect(await market.audit()).toEqual([]);
    expect(disagreements(fake, await db.payment.findMany({ where: { provider: "stripe" } }))).toEqual([]);
  }
  /** One order and one hold of its total, or none and no hold. */
  async function expectOneOrNone(): Promise<boolean> {
    const found = await orders();
    const held = (await intents()).filter(({ amount_capturable }) => amount_capturable > 0);
    expect(found.length).toBeLessThanOrEqual(1);
    expect(held.map(({ amount_capturable }) => amount_capturable)).toEqual(
      found.map(({ order_total_cents }) => order_total_cents),
    );
    expect((await intents()).filter(({ amount_received }) => amount_received > 0)).toEqual([]);
    for (const id of placed) expect(found.map((order) => order.id)).toContain(id);
    expect(await db.stock_hold.count({ where: { attempt: { customer_id: customerId } } })).toBe(0);
    const { inventory } = await db.offer.findFirstOrThrow({ where: { variant_id: turkey.variant.id } });
    expect(inventory).toBe(UNITS - found.length);
    expect(await db.cart_item.count({ where: { cart: { customer_id: customerId } } })).toBe(1 - found.length);
    const tried = await attempts();
    expect(tried.filter(({ state }) => state !== "placed" && state !== "failed")).toEqual([]);
    // What the bank approved is only given up for another checkout that was reserved in its place.
    const isReplaced = tried.some(({ id, failure }) => id === approved && failure === "superseded");
    if (approved !== null) expect(found.length === 1 || (isReplaced && tried.length > 1)).toBe(true);
    await expectAgreement();
    return found.length === 1;
  }

  try {
    await take(random.between(6, 14), [
      pay,
      pay,
      complete,
      complete,
      answerBank,
      answerBank,
      sendEvent,
      sweep,
      (own) => wait(own, 30 * Second.ms, 11 * Minute.ms),
      changeOutage,
      planKill,
    ]);
    await settle();
    if (!(await expectOneOrNone())) return;

    const [order] = await orders();
    market.clock.set(RENEWAL);
    await take(random.between(5, 12), [
      renew,
      renew,
      renew,
      sendEvent,
      sendEvent,
      sweep,
      (own) => wait(own, 10 * Minute.ms, 10 * Minute.ms, Day.ms / 2),
      changeOutage,
      planKill,
      expireHold,
    ]);
    const isCanceled = random.chance(0.2);
    if (isCanceled) {
      await cancelOrder(operator(), order!.id, { to: "card", reason: "", key: null }).catch((error: Error) =>
        steps.push(error.message),
      );
      steps.push("canceled");
    }
    await settle();
    await renewHolds(operator());
    await settle();
    const held = (await intents()).filter(({ amount_capturable }) => amount_capturable > 0);
    expect(held.length).toBeLessThanOrEqual(isCanceled ? 0 : 1);
    market.clock.set(addMs(new Date(CUTOFF), Second.ms));
    await runWeek(operator());
    await settle();
    const taken = (await intents()).map(({ amount_received }) => amount_received).filter((amount) => amount > 0);
    expect(taken).toEqual(isCanceled ? [] : [order!.order_total_cents]);
    expect((await intents()).filter(({ amount_capturable }) => amount_capturable > 0)).toEqual([]);
    await expectAgreement();
  } catch (error) {
    throw new Error(`seed ${seed}: ${steps.join(", ")}`, { cause: error });
  } finally {
    fake.down = false;
    for (const { kill } of servers) kill.left = Infinity;
  }
}

describe(`${SEQUENCES} sequences around one checkout: two tabs, the bank, webhooks, kills, outages and renewed holds`, () => {
  test.each(Array.from({ length: SEQUENCES }, (_, n) => SEED + n))(
    "one order and one charge, or none and no hold (seed %i)",
    { tags: ["fail:M1", "fail:B1", "fail:B4", "fail:B10", "fail:B13"] },
    async (seed) => {
      await sequence(seed);
      expect(await market.audit()).toEqual([]);
    },
  );
});
