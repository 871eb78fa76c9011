import { execute, sql } from "@marketday/db";
import { isLarge } from "@marketday/db/testing";
import { Hour, Minute } from "@marketday/domain/time";
import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../test/app.ts";
import {
  CHOICE,
  createAddress,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  PASSWORD,
  setCard,
} from "../../test/factories.ts";
import { failpoints } from "../../test/failpoint.ts";
import { disagreements, tokenOf } from "../../test/fake-stripe.ts";
import { sumOfLedger } from "../../test/ledger.ts";
import { signIn } from "../../test/sign-in.ts";
import { testStripe } from "../../test/test-stripe.ts";
import type { Identify } from "../gateways/identify/identify.ts";
import { type PaymentProvider, ProviderUnavailable } from "../gateways/payments/payments.ts";
import { ReceiverUnavailable } from "../lib/app-error.ts";
import { resumeAbandoned } from "../modules/checkout/resume-attempt.ts";
import type { Context } from "../modules/identity/context.ts";
import { findFailures } from "../modules/job-failures/failure-sql.ts";
import { enqueueMail } from "../modules/mail/mail-sql.ts";
import { sendDueMail } from "../modules/mail/send-mail.ts";
import { cancelOrder } from "../modules/orders/cancel-order.ts";
import { refundOrder } from "../modules/orders/refund-order.ts";
import { resumeAbandonedPurchases } from "../modules/payments/buy.ts";
import { deleteProviderCustomers } from "../modules/payments/cards.ts";
import { resumeRefunds } from "../modules/payments/finish-refund.ts";
import { renewHolds } from "../modules/payments/renew-holds.ts";
import { notifyDue } from "../modules/sign-in-events/notify-due.ts";
import { renewWagonPasses } from "../modules/wagon-pass/renew-wagon-pass.ts";
import { runAutoCheckouts } from "./auto-checkout.ts";
import { runWeek } from "./week.ts";

const points = failpoints();
const identify: Identify = { send: async () => "accepted" };
const market = await buildTestApp({ overrides: { failpoint: points.at, identify } });
const { db, deps } = market;
const real: PaymentProvider = { ...deps.payments };
const mailer = { ...deps.mailer };
const CUTOFF = "2026-11-25T06:00:00Z";
/** Auto-checkout of the same day. */
const AUTO = "2026-11-23T18:00:00Z";

beforeEach(async () => {
  market.clock.set(MONDAY);
  Object.assign(deps.payments, real);
  Object.assign(deps.mailer, mailer);
  identify.send = async () => "accepted";
  for (const point of Object.keys(points.plan)) delete points.plan[point];
  // Work that another test left due is not part of this one.
  await execute(db, sql`delete from job_failure`);
  await execute(db, sql`update payment set state = 'voided' where purpose is not null and state = 'authorized'`);
  await execute(db, sql`update mail set sent_at = now() where sent_at is null`);
  await execute(db, sql`update identify_event set sent_at = now() where sent_at is null`);
  await execute(db, sql`delete from pgboss.job`);
});

const job = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });
const operator = (): Context => ({ ...job(), actor: { type: "operator", name: "mara" } });

/** One of six items that a loop works on. */
interface Item {
  customerId: number;
  email: string;
  /** The key of its charge at the provider, where it has one. */
  key: string;
  isDone(): Promise<boolean>;
}
interface Loop {
  setUp(): Promise<Item[]>;
  /** Makes the loop call `fail` for the bad item, and `called` for each of the others. */
  break(bad: Item, fail: () => Promise<never>, called: () => void): void;
  run(): Promise<unknown>;
  /** The job as `market doctor` names it. */
  job: string;
  /** Items are tried one after the other, each until its deadline. */
  isQueue?: true;
}

const hubs: Awaited<ReturnType<typeof createHub>>[] = [];
/** Six shoppers who are signed in, with an address and a card. */
async function shoppers() {
  const hub = await createHub(db);
  hubs.push(hub);
  const eggs = await createProduct(db, hub.id, { inventory: 50, priceCents: 700 });
  const browsers = [];
  for (let n = 0; n < 6; n += 1) browsers.push(await signIn(market, { hubId: hub.id }));
  return { hub, eggs, browsers };
}
type Browser = Awaited<ReturnType<typeof signIn>>;
const itemOf = (browser: Browser, key: string, isDone: () => Promise<boolean>): Item => ({
  customerId: browser.customer.id,
  email: browser.customer.email!,
  key,
  isDone,
});

/** An order of each shopper. `until`: the failpoint where the server fails, so that the order is not placed. */
async function orders({ until, ...choice }: { until?: string; savePaymentMethod?: true } = {}) {
  const { eggs, browsers } = await shoppers();
  const placed: { browser: Browser; id: number | null; attemptId: string; paymentId: string; key: string }[] = [];
  for (const browser of browsers) {
    await browser.put("/cart", [eggs.line(1)]);
    const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
    if (until) points.plan[until] = "throw";
    const { status, body } = await browser.post("/checkout", { ...CHOICE, ...choice, expectedTotal: orderTotal });
    if (until) delete points.plan[until];
    expect(status, JSON.stringify(body)).toBe(until ? 500 : 201);
    const attempt = await db.checkout_attempt.findFirstOrThrow({
      where: { customer_id: browser.customer.id },
      include: { payment: true },
    });
    const { payment } = attempt;
    placed.push({
      browser,
      id: body.orderId ?? null,
      attemptId: attempt.id,
      paymentId: payment!.id,
      key: payment!.charge_key,
    });
  }
  return placed;
}
const paymentOf = (id: string) => db.payment.findUniqueOrThrow({ where: { id } });

/** Makes a method of the provider fail for the item that `isAbout` matches. */
const intercept =
  <M extends "authorize" | "find" | "void" | "refund">(
    method: M,
    isAbout: (request: { key: string; customerId: number }, item: Item) => boolean | Promise<boolean>,
  ): Loop["break"] =>
  (bad, fail, called) => {
    const work = real[method] as (request: { key: string; customerId: number }) => Promise<unknown>;
    deps.payments[method] = (async (request: { key: string; customerId: number }) => {
      if (await isAbout(request, bad)) return fail();
      const result = await work(request);
      called();
      return result;
    }) as never;
  };
const ofCustomer = ({ customerId }: { customerId: number }, item: Item) => customerId === item.customerId;
const ofKey = ({ key }: { key: string }, item: Item) => key === item.key;

const LOOPS: Record<string, Loop> = {
  "hold renewals": {
    job: "holds",
    async setUp() {
      const placed = await orders({ savePaymentMethod: true });
      await db.payment.updateMany({
        where: { id: { in: placed.map(({ paymentId }) => paymentId) } },
        data: { authorized_at: new Date("2026-11-15T00:00:00Z") },
      });
      return placed.map(({ browser, paymentId, key }) =>
        itemOf(browser, key, async () => (await paymentOf(paymentId)).charge_key !== key),
      );
    },
    break: intercept("authorize", ofCustomer),
    run: () => renewHolds(job()),
  },
  "pass renewals": {
    job: "wagon-passes",
    async setUp() {
      const { browsers } = await shoppers();
      for (const browser of browsers)
        expect((await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD })).status).toBe(200);
      market.clock.set("2026-12-23T06:00:00Z");
      return browsers.map((browser) =>
        itemOf(browser, "", async () => {
          const pass = await db.wagon_pass.findFirstOrThrow({ where: { customer_id: browser.customer.id } });
          expect([pass.status, pass.declined]).toEqual(["active", 0]);
          return pass.renews_on!.toISOString().startsWith("2027-01-23");
        }),
      );
    },
    break: intercept("authorize", ofCustomer),
    run: () => renewWagonPasses(job()),
  },
  "stale attempts": {
    job: "checkouts",
    async setUp() {
      const attempts = await orders({ until: "checkout:placing" });
      market.clock.advance(5 * Minute.ms);
      return attempts.map(({ browser, attemptId, key }) =>
        itemOf(
          browser,
          key,
          async () => (await db.checkout_attempt.findUniqueOrThrow({ where: { id: attemptId } })).state === "placed",
        ),
      );
    },
    break: intercept("find", ofKey),
    run: () => resumeAbandoned(job()),
  },
  "charges of canceled orders": {
    job: "voids",
    async setUp() {
      const placed = await orders();
      deps.payments.void = () => Promise.reject(new ProviderUnavailable("unavailable"));
      for (const { id } of placed) await cancelOrder(operator(), id!, { to: "card", reason: "", key: null });
      Object.assign(deps.payments, real);
      market.clock.advance(5 * Minute.ms);
      return placed.map(({ browser, paymentId, key }) =>
        itemOf(browser, key, async () => (await paymentOf(paymentId)).state === "voided"),
      );
    },
    break: intercept("void", ofKey),
    run: () => resumeAbandoned(job()),
  },
  "orphaned charges": {
    job: "orphaned-charges",
    async setUp() {
      const attempts = await orders({ until: "checkout:placing" });
      await db.checkout_attempt.updateMany({
        where: { id: { in: attempts.map(({ attemptId }) => attemptId) } },
        data: { state: "failed", failure: {}, finished_at: market.clock.now() },
      });
      await execute(
        db,
        sql`with released as (delete from stock_hold where attempt_id = any(${attempts.map(({ attemptId }) => attemptId)}::uuid[]) returning offer_id, quantity)
            update offer o set inventory = o.inventory + r.quantity from (select offer_id, sum(quantity)::int as quantity from released group by offer_id) r
            where o.id = r.offer_id`,
      );
      await db.payment.updateMany({
        where: { id: { in: attempts.map(({ paymentId }) => paymentId) } },
        data: { state: "failed", unseen_since: market.clock.now(), look_again_at: market.clock.now() },
      });
      return attempts.map(({ browser, key }) =>
        itemOf(
          browser,
          key,
          async () => (await db.test_charge.findUniqueOrThrow({ where: { idempotency_key: key } })).state === "voided",
        ),
      );
    },
    break: intercept("find", ofKey),
    run: () => resumeAbandoned(job()),
  },
  "interrupted purchases": {
    job: "purchases",
    async setUp() {
      const { browsers } = await shoppers();
      const items: Item[] = [];
      points.plan["purchase:authorized"] = "throw";
      for (const browser of browsers) {
        expect((await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD })).status).toBe(500);
        const payment = await db.payment.findFirstOrThrow({ where: { customer_id: browser.customer.id } });
        items.push(itemOf(browser, payment.charge_key, async () => (await paymentOf(payment.id)).state === "captured"));
      }
      delete points.plan["purchase:authorized"];
      market.clock.advance(Minute.ms);
      return items;
    },
    break: intercept("find", ofKey),
    run: () => resumeAbandonedPurchases(job()),
  },
  refunds: {
    job: "refunds",
    async setUp() {
      const placed = await orders();
      market.clock.set(CUTOFF);
      await runWeek(job());
      deps.payments.refund = () => Promise.reject(new ProviderUnavailable("unavailable"));
      for (const { id } of placed)
        await refundOrder(operator(), id!, { amountCents: 100, to: "card", reason: "", key: null });
      Object.assign(deps.payments, real);
      market.clock.advance(Minute.ms);
      return placed.map(({ browser, paymentId, key }) =>
        itemOf(
          browser,
          key,
          async () => (await db.refund.findFirstOrThrow({ where: { payment_id: paymentId } })).state === "done",
        ),
      );
    },
    break: intercept("refund", ofKey),
    run: () => resumeRefunds(job()),
  },
  "former customers at the provider": {
    job: "delete-provider-customers",
    async setUp() {
      const items: Item[] = [];
      for (let n = 0; n < 6; n += 1) {
        const row = await createCustomer(db, {
          hubId: hubs[0]?.id ?? (await createHub(db)).id,
          pepper: deps.env.pepper,
        });
        await db.customer.update({
          where: { id: row.id },
          data: {
            deleted_at: market.clock.now(),
            email: null,
            password_hash: null,
            stripe_customer_id: `cus_${row.id}`,
          },
        });
        items.push({
          customerId: row.id,
          email: row.email!,
          key: "",
          isDone: async () =>
            (await db.customer.findUniqueOrThrow({ where: { id: row.id } })).stripe_customer_id === null,
        });
      }
      deps.payments.deleteCustomer = async (id) =>
        void (await db.customer.update({ where: { id }, data: { stripe_customer_id: null } }));
      return items;
    },
    break(bad, fail, called) {
      const work = deps.payments.deleteCustomer;
      deps.payments.deleteCustomer = async (id) => {
        if (id === bad.customerId) return fail();
        await work(id);
        called();
      };
    },
    run: () => deleteProviderCustomers(job()),
  },
  "auto-checkouts": {
    job: "auto-checkout",
    async setUp() {
      const { eggs, browsers } = await shoppers();
      await runWeek(job());
      for (const browser of browsers) {
        await createAddress(db, browser.customer.id);
        await setCard(db, browser.customer.id);
        await browser.put("/subscriptions/status", { enabled: true, status: 1 });
        await browser.put("/cart", [eggs.line(1)]);
      }
      market.clock.set(AUTO);
      return browsers.map((browser) =>
        itemOf(
          browser,
          "",
          async () => (await db.order.count({ where: { customer_id: browser.customer.id, source: "auto" } })) === 1,
        ),
      );
    },
    break: intercept("authorize", ofCustomer),
    async run() {
      await runAutoCheckouts(job());
      await resumeAbandoned(job());
    },
  },
  mails: {
    job: "mail",
    isQueue: true,
    async setUp() {
      const { browsers } = await shoppers();
      const items: Item[] = [];
      for (const browser of browsers) {
        const key = `not-charged:${browser.customer.id}`;
        await enqueueMail(db, {
          key,
          template: "not-charged",
          customerId: browser.customer.id,
          data: {},
          now: market.clock.now(),
        });
        items.push(
          itemOf(browser, key, async () => (await db.mail.findUniqueOrThrow({ where: { key } })).sent_at !== null),
        );
      }
      return items;
    },
    break(bad, fail, called) {
      deps.mailer.send = async (mail) => {
        if (mail.to === bad.email) return fail();
        called();
      };
    },
    run: () => sendDueMail(deps),
  },
  "events of the identify webhook": {
    job: "identify",
    isQueue: true,
    async setUp() {
      const { browsers } = await shoppers();
      return browsers.map((browser) =>
        itemOf(
          browser,
          "",
          async () =>
            (await db.identify_event.findFirstOrThrow({ where: { customer_id: browser.customer.id } })).sent_at !==
            null,
        ),
      );
    },
    break(bad, fail, called) {
      identify.send = async ({ customer }) => {
        if (customer.id === bad.customerId) return fail();
        called();
        return "accepted";
      };
    },
    run: () => notifyDue(deps),
  },
};

const FAILURES = ["is refused", "hangs", "is of a customer deleted at the provider"] as const;
type Failure = (typeof FAILURES)[number];
const EVERY = [0, 1, 2, 3, 4, 5];
/** Positions of the failing item among six: the first one holds up the most. */
const POSITIONS: Record<Failure, readonly number[]> = {
  "is refused": isLarge ? EVERY : [0],
  hangs: isLarge ? EVERY : [0],
  "is of a customer deleted at the provider": isLarge ? EVERY : [4],
};

/** Failures of the provider for one of six items. */
const BAD: Record<Failure, (isQueue: boolean, othersDone: Promise<void>) => Promise<never>> = {
  "is refused": () => Promise.reject(new Error("No such payment_intent.")),
  // The first message of a queue is sent alone; one that hangs ends at its deadline.
  hangs: async (isQueue, othersDone) => {
    if (isQueue) throw new ReceiverUnavailable("Request timed out.");
    await othersDone;
    throw new ProviderUnavailable("Request timed out.");
  },
  "is of a customer deleted at the provider": () => Promise.reject(new Error("No such customer.")),
};

describe.each(Object.entries(LOOPS))("failing item: %s", (_name, loop) => {
  describe.each(FAILURES)("one of six %s", (failure) => {
    test.each(POSITIONS[failure])(
      "at position %i: the others are done, its reason is shown, and it is done when the provider works again",
      { tags: ["fail:M3"] },
      async (position) => {
        const items = await loop.setUp();
        const bad = items[position]!;
        const others = items.filter((item) => item !== bad);
        const well = { ...deps.payments };
        const othersDone = Promise.withResolvers<void>();
        let called = 0;
        loop.break(
          bad,
          () => BAD[failure](loop.isQueue ?? false, othersDone.promise),
          () => {
            if ((called += 1) === others.length) othersDone.resolve();
          },
        );
        // A queue whose first message is the bad one continues with the others at one of its next ticks, half a minute apart.
        for (let tick = 0; tick < (loop.isQueue ? 8 : 1); tick += 1) {
          await loop.run();
          if (loop.isQueue) await wait(30);
        }
        for (const item of others) expect(await item.isDone()).toBe(true);
        expect(await bad.isDone()).toBe(false);
        const failures = await findFailures(db, market.clock.now());
        expect(failures.map(({ job: name }) => name)).toEqual([loop.job]);
        expect(failures[0]!.reason).toMatch(/No such (payment_intent|customer)|timed out|did not answer|unavailable/);
        expect(failures[0]!.tries).toBeGreaterThan(0);

        Object.assign(deps.payments, well);
        Object.assign(deps.mailer, mailer);
        identify.send = async () => "accepted";
        for (let tick = 0; tick < 2; tick += 1) {
          market.clock.advance(6 * Minute.ms);
          await wait(300);
          await loop.run();
        }
        expect(await bad.isDone()).toBe(true);
        expect(await findFailures(db, market.clock.now())).toEqual([]);
        expect(await market.audit()).toEqual([]);
        expect(await sumOfLedger(db)).toBe(0);
      },
    );
  });
});

/** Shortens the queues' pauses by so many seconds. */
const wait = (seconds: number) =>
  execute(
    db,
    sql`update pgboss.job set start_after = start_after - make_interval(secs => ${seconds}) where state = 'retry'`,
  );

describe("failing item: pauses", () => {
  // Purchases that wait for their next try are not selected, passes and holds are.
  test.each([
    ["interrupted purchases", resumeAbandonedPurchases],
    ["pass renewals", renewWagonPasses],
    ["hold renewals", renewHolds],
  ] as const)(
    "%s: an item that keeps failing is tried less and less often, and at once by an operator",
    { tags: ["fail:M3"] },
    async (name, run) => {
      const loop = LOOPS[name]!;
      const items = await loop.setUp();
      let tries = 0;
      loop.break(
        items[0]!,
        () => {
          tries += 1;
          return Promise.reject(new Error("No such payment_intent."));
        },
        () => undefined,
      );
      // Every twenty seconds for ten minutes.
      for (let tick = 0; tick < 30; tick += 1) {
        await run(job());
        market.clock.advance(20_000);
      }
      expect(tries).toBeGreaterThan(5);
      expect(tries).toBeLessThan(12);
      const before = tries;
      await run(operator());
      expect(tries).toBe(before + 1);
    },
  );

  test("a failure is cleared when its item is finished otherwise", { tags: ["fail:M3"] }, async () => {
    const [bad] = await LOOPS["interrupted purchases"]!.setUp();
    deps.payments.find = () => Promise.reject(new Error("No such payment_intent."));
    await resumeAbandonedPurchases(job());
    expect(await findFailures(db, market.clock.now())).toHaveLength(6);
    await db.payment.updateMany({
      where: { state: "authorized", purpose: { not: "null" } },
      data: { state: "voided" },
    });
    market.clock.advance(Hour.ms);
    await resumeAbandonedPurchases(job());
    expect(await findFailures(db, market.clock.now())).toEqual([]);
    expect(bad).toBeDefined();
  });
});

describe("failing item: Stripe's webhooks", () => {
  const SECRET = "whsec_of_the_tests_alone_0123456789";
  test.each(Object.entries(BAD))(
    "one event of six %s: the others are processed, its reason is shown, and it is processed when it is sent again",
    { tags: ["fail:M3"] },
    async (_case, failWith) => {
      const fake = await testStripe({ webhookSecret: SECRET, now: () => stripe.clock.now() });
      const stripe = await buildTestApp({
        env: {
          PAYMENTS: "stripe",
          STRIPE_SECRET_KEY: "sk_test_1",
          STRIPE_PUBLISHABLE_KEY: "pk_test_1",
          STRIPE_WEBHOOK_SECRET: SECRET,
          STRIPE_API_URL: fake.url,
        },
      });
      const hub = await createHub(stripe.db);
      const eggs = await createProduct(stripe.db, hub.id, { inventory: 50 });
      const { card: _card, ...choice } = CHOICE;
      for (let n = 0; n < 6; n += 1) {
        const row = await createCustomer(stripe.db, { hubId: hub.id, pepper: stripe.deps.env.pepper });
        const browser = stripe.shopper();
        await browser.post("/auth/login", { username: row.email, password: PASSWORD });
        await browser.put("/cart", [eggs.line(1)]);
        const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
        const paid = { ...choice, confirmationToken: tokenOf("4242424242424242"), expectedTotal: orderTotal };
        expect((await browser.post("/checkout", paid)).status).toBe(201);
      }
      const events = fake.events.filter(({ type }) => type === "payment_intent.amount_capturable_updated");
      expect(events).toHaveLength(6);
      const post = async (event: (typeof events)[number]) => {
        const { payload, signature } = fake.signed(event);
        return (
          await stripe.app.inject({
            method: "POST",
            url: "/api/webhooks/stripe",
            headers: { "stripe-signature": signature, "content-type": "application/json" },
            payload,
          })
        ).statusCode;
      };
      const bad = events[2]!;
      const othersDone = Promise.withResolvers<void>();
      const { find } = stripe.deps.payments;
      stripe.deps.payments.find = (charge) =>
        charge.ref === (bad.data.object as { id: string }).id ? failWith(false, othersDone.promise) : find(charge);
      const hanging = post(bad);
      for (const event of events) if (event !== bad) expect(await post(event)).toBe(200);
      othersDone.resolve();
      expect(await hanging).toBeGreaterThanOrEqual(500);
      const failures = await findFailures(stripe.db, stripe.clock.now());
      expect(failures).toMatchObject([{ job: "webhook", subject: `${bad.type} ${bad.id}`, tries: 1 }]);
      expect(failures[0]!.reason).toMatch(/No such|timed out/);
      stripe.deps.payments.find = find;
      expect(await post(bad)).toBe(200);
      expect(await findFailures(stripe.db, stripe.clock.now())).toEqual([]);
      expect(await stripe.audit()).toEqual([]);
      expect(await sumOfLedger(stripe.db)).toBe(0);
      expect(disagreements(fake, await stripe.db.payment.findMany())).toEqual([]);
      await stripe.close();
      await fake.close();
    },
  );
});
