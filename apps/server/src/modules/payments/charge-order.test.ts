import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  newCard,
  GOOD_CARD,
  PASSWORD,
  setCard,
  type TestHub,
  type TestProduct,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { refuseWrites } from "../../../test/refuse-writes.ts";
import type { PaymentProvider } from "../../gateways/payments/payments.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { runWeek } from "../../jobs/week.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import { grantCredit } from "../gift-cards/grant-credit.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { chargeNow } from "../orders/charge-now.ts";
import { orderMails } from "../orders/mails.ts";
import { recordPayments } from "../orders/record-payment.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { shortOrder } from "../orders/short-order.ts";
import { writeOffOrder } from "../orders/write-off-order.ts";
import { readSheets } from "../week/read-sheets.ts";
import { chargeDueOrders } from "./charge-order.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
// A second server on the same database.
const otherPoints = failpoints();
const other = await buildTestApp({ url: market.url, overrides: { failpoint: otherPoints.at } });
const CUTOFF = "2026-11-25T06:00:00Z";
const DECLINED = "4000000000000002";
const real: PaymentProvider = { ...deps.payments };

beforeEach(() => {
  market.clock.set(MONDAY);
  Object.assign(deps.payments, real);
  for (const at of [points, otherPoints]) {
    for (const point of Object.keys(at.plan)) delete at.plan[point];
    at.passed.length = 0;
  }
});

const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const tick = (at: string): Promise<void> => {
  market.clock.set(at);
  return runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
};
const retry = (at: string): Promise<void> => {
  market.clock.set(at);
  return chargeDueOrders({ now: market.clock.now(), actor: { type: "system", job: "charges" }, deps });
};

async function shopper(hub: TestHub, ...lines: ReturnType<TestProduct["line"]>[]) {
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await browser.put("/cart", lines);
  return { row, browser };
}
type Who = Awaited<ReturnType<typeof shopper>>;

async function buy({ browser }: Who, choice: object = CHOICE): Promise<number[]> {
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  const { status, body } = await browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.orderIds;
}

/** A hub with one product, and so many orders of one each. */
async function orders(count: number) {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50, priceCents: 700 });
  const placed: { id: number; customerId: number; key: string; who: Who }[] = [];
  for (let n = 0; n < count; n += 1) {
    const who = await shopper(hub, eggs.line(1));
    const [id] = (await buy(who)) as [number];
    const { payment } = await orderOf(id);
    placed.push({ id, customerId: who.row.id, key: payment!.charge_key, who });
  }
  return { hub, eggs, placed };
}
const orderOf = (id: number) => db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
const stateOf = async (id: number) => (await orderOf(id)).payment?.state ?? null;
const runOf = (hub: TestHub) =>
  db.delivery_run.findFirstOrThrow({ where: { delivery_id: hub.deliveries[0]!.id, step: "cutoff" } });
/** Captures in the books of an order's payment. */
const capturesOf = async (id: number) => {
  const { payment_id } = await orderOf(id);
  return payment_id === null ? 0 : db.ledger_transaction.count({ where: { kind: "capture", payment_id } });
};
/** What the test provider took from a customer, charge by charge. Cents. */
const takenFrom = async (customerId: number) => {
  const payments = await db.payment.findMany({ where: { customer_id: customerId } });
  const charges = await db.test_charge.findMany({
    where: { idempotency_key: { in: payments.map(({ charge_key }) => charge_key) }, state: "captured" },
  });
  return charges.map(({ captured_cents }) => captured_cents);
};

/** A card order whose hold is gone and whose default card is declined: set aside at the cutoff. */
async function setAside(
  part: { card?: string | null; hub?: Parameters<typeof createHub>[1]; creditCents?: number } = {},
) {
  const hub = await createHub(db, part.hub);
  const eggs = await createProduct(db, hub.id, { inventory: 50, priceCents: 700 });
  const who = await shopper(hub, eggs.line(2));
  const customer = { id: asCustomerId(who.row.id), email: who.row.email };
  if (part.creditCents)
    await grantCredit(operator(), customer, { amountCents: part.creditCents, reason: "", key: null, dryRun: false });
  const [id] = (await buy(who, { ...CHOICE, useCredit: part.creditCents !== undefined })) as [number];
  await db.test_charge.updateMany({
    where: { idempotency_key: (await orderOf(id)).payment!.charge_key },
    data: { state: "voided" },
  });
  if (part.card !== null) await setCard(db, who.row.id, part.card ?? DECLINED);
  await tick(CUTOFF);
  const order = await orderOf(id);
  expect(order).toMatchObject({ status: "pending", charge_failed_at: new Date(CUTOFF) });
  return { hub, eggs, who, id, dueCents: order.order_total_cents - order.credit_cents };
}

/** What one bad capture of many does. */
const BAD = {
  "is refused": () => Promise.reject(new Error("No such payment_intent")),
  "times out": () => Promise.reject(new ProviderUnavailable("no answer")),
  "has no customer at the provider": () => Promise.reject(new Error("No such customer")),
} as const;

const recordPayment = async (ctx: Context, id: number, reason = "", dryRun = false): Promise<number> =>
  (await recordPayments(ctx, [id], reason, dryRun))[0]!.cents;

describe.each(Object.keys(BAD) as (keyof typeof BAD)[])("cutoff: one capture of six %s", (how) => {
  test.each([0, 1, 2, 3, 4, 5])(
    "at position %i: the others are captured, it is set aside with its reason, and can be charged again",
    { tags: ["fail:M2", "fail:C5"] },
    async (position) => {
      const { hub, placed } = await orders(6);
      const bad = placed[position]!;
      const calls: string[] = [];
      deps.payments.capture = async (request) => {
        calls.push(request.key);
        return request.key === bad.key ? BAD[how]() : real.capture(request);
      };
      await tick(CUTOFF);
      for (const { id } of placed)
        expect([id, await stateOf(id)]).toEqual([id, id === bad.id ? "authorized" : "captured"]);
      const aside = await orderOf(bad.id);
      expect(aside).toMatchObject({
        status: "pending",
        charge_failed_at: new Date(CUTOFF),
        charge_tries: 1,
        charge_next_at: new Date("2026-11-25T06:01:00Z"),
      });
      expect(aside.charge_error).toMatch(/No such|did not answer/);
      // Another card would not help, so the shopper gets no email.
      expect(await db.mail.count({ where: { key: `payment-failed:${bad.id}` } })).toBe(0);
      expect(await runOf(hub)).toMatchObject({
        state: "done_with_errors",
        errors: [`order ${bad.id} was not charged: ${aside.charge_error}`],
      });
      expect(await market.audit()).toEqual([]);
      // Not before its time; then twice as late each time.
      await retry("2026-11-25T06:00:59Z");
      expect(calls.filter((key) => key === bad.key)).toHaveLength(1);
      await retry("2026-11-25T06:01:00Z");
      expect(await orderOf(bad.id)).toMatchObject({
        charge_tries: 2,
        charge_next_at: new Date("2026-11-25T06:03:00Z"),
      });
      Object.assign(deps.payments, real);
      expect(await chargeNow(operator(), bad.id, "", true)).toBe(aside.order_total_cents);
      expect(await chargeNow(operator(), bad.id)).toBe(aside.order_total_cents);
      expect(await chargeNow(operator(), bad.id)).toBe(0);
      expect(await chargeNow(operator(), bad.id, "", true)).toBe(0);
      expect(await orderOf(bad.id)).toMatchObject({
        charge_failed_at: null,
        charge_error: null,
        charge_next_at: null,
        payment: { state: "captured", captured_cents: aside.order_total_cents },
      });
      for (const { id } of placed) expect(await capturesOf(id)).toBe(1);
      expect(await market.audit()).toEqual([]);
    },
  );
});

test("cutoff: one capture hangs: the others are captured meanwhile", { tags: ["fail:M2"] }, async () => {
  const { placed } = await orders(10);
  const [bad, ...good] = placed as [(typeof placed)[number], ...typeof placed];
  const gate = Promise.withResolvers<"captured">();
  // The other captures may end before the hanging one is requested.
  gate.promise.catch(() => undefined);
  const others = Promise.withResolvers<void>();
  let captured = 0;
  deps.payments.capture = async (request) => {
    if (request.key === bad.key) return gate.promise;
    const result = await real.capture(request);
    if ((captured += 1) === good.length) others.resolve();
    return result;
  };
  const run = tick(CUTOFF);
  await others.promise;
  gate.reject(new ProviderUnavailable("timed out"));
  await run;
  expect(await orderOf(bad.id)).toMatchObject({ charge_error: "The payment provider did not answer." });
  for (const { id } of good) expect(await stateOf(id)).toBe("captured");
  expect(await market.audit()).toEqual([]);
});

test("cutoff: a capture that Postgres refuses to record sets the order aside with Postgres's reason, and is recorded later", async () => {
  const {
    placed: [bad],
  } = await orders(1);
  const repair = await refuseWrites(db, "payment", "new.state = 'captured'");
  await tick(CUTOFF);
  expect(await orderOf(bad!.id)).toMatchObject({ charge_error: "This row is broken." });
  await repair();
  await retry("2026-11-25T06:01:00Z");
  expect(await orderOf(bad!.id)).toMatchObject({ charge_error: null, payment: { state: "captured" } });
  expect(await capturesOf(bad!.id)).toBe(1);
});

test(
  "cutoff: the lease is extended while the run works, so that a second server does not capture too",
  { tags: ["fail:M2", "fail:C6"] },
  async () => {
    const { hub, placed } = await orders(16);
    const keys: string[] = [];
    deps.payments.capture = async (request) => {
      keys.push(request.key);
      // Eight at a time, together a minute and a half of a lease of two.
      market.clock.advance(12_000);
      other.clock.set(market.clock.now());
      await runWeek({ now: other.clock.now(), actor: { type: "system", job: "week" }, deps: other.deps });
      return real.capture(request);
    };
    await tick(CUTOFF);
    expect(keys.toSorted()).toEqual(placed.map(({ key }) => key).toSorted());
    expect(await runOf(hub)).toMatchObject({ state: "done", fencing_token: 1 });
    for (const { id } of placed) expect(await capturesOf(id)).toBe(1);
    expect(otherPoints.passed).not.toContain("cutoff:closed");
    expect(await market.audit()).toEqual([]);
  },
);

/** This server sleeps in the middle of a capture until its leases are over. */
async function overtaken(at: "before" | "after") {
  const { hub, placed } = await orders(1);
  const [{ id }] = placed as [(typeof placed)[number]];
  const gate = Promise.withResolvers<void>();
  const asleep = Promise.withResolvers<void>();
  if (at === "after") {
    points.plan["cutoff:captured"] = { until: gate.promise };
    void points.reached("cutoff:captured").then(asleep.resolve);
  } else
    deps.payments.capture = async () => {
      asleep.resolve();
      await gate.promise;
      return "gone";
    };
  const first = tick(CUTOFF);
  await asleep.promise;
  other.clock.set("2026-11-25T06:03:00Z");
  await runWeek({ now: other.clock.now(), actor: { type: "system", job: "week" }, deps: other.deps });
  expect(await stateOf(id)).toBe("captured");
  gate.resolve();
  await first;
  return { hub, id, customerId: placed[0]!.customerId };
}

test("cutoff: two servers that both captured one order book it once", { tags: ["fail:M2", "fail:C6"] }, async () => {
  const { id, customerId } = await overtaken("after");
  expect(await capturesOf(id)).toBe(1);
  expect(await takenFrom(customerId)).toEqual([(await orderOf(id)).order_total_cents]);
  expect(await market.audit()).toEqual([]);
});

test(
  "cutoff: a hold that is reported gone after another server captured it stays captured and is not charged again",
  { tags: ["fail:M2", "fail:C6"] },
  async () => {
    const { id, customerId } = await overtaken("before");
    const order = await orderOf(id);
    expect(order).toMatchObject({ charge_failed_at: null, payment: { state: "captured" } });
    Object.assign(deps.payments, real);
    await retry("2026-11-25T06:30:00Z");
    expect(await takenFrom(customerId)).toEqual([order.order_total_cents]);
    expect(await capturesOf(id)).toBe(1);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "set aside: a declined card is charged again a day later, four times at most, with one mail that says what to do",
  { tags: ["fail:M2"] },
  async () => {
    const { id, who, dueCents } = await setAside();
    expect(await orderOf(id)).toMatchObject({
      payment_id: null,
      charge_error: "Your card was declined.",
      charge_next_at: new Date("2026-11-26T06:00:00Z"),
    });
    for (const day of ["26", "27", "28"]) await retry(`2026-11-${day}T06:00:00Z`);
    expect(await orderOf(id)).toMatchObject({ charge_tries: 4, charge_next_at: null });
    await expect(chargeNow(operator(), id)).rejects.toMatchObject({ status: 402, details: { code: "not_charged" } });
    expect(await db.mail.count({ where: { key: `payment-failed:${id}` } })).toBe(1);
    // Another card: it is charged at once.
    await who.browser.post("/payment-methods", { card: GOOD_CARD });
    await retry("2026-11-28T06:01:00Z");
    expect(await orderOf(id)).toMatchObject({ charge_failed_at: null, payment: { captured_cents: dueCents } });
    expect(await takenFrom(who.row.id)).toEqual([dueCents]);
    expect(await market.audit()).toEqual([]);
  },
);

test("set aside: a charge without an answer is sent again after twice the pause, at most six hours, and sixty times in all", async () => {
  const { placed } = await orders(1);
  const [{ id }] = placed as [(typeof placed)[number]];
  deps.payments.capture = () => Promise.reject(new ProviderUnavailable("away"));
  await tick(CUTOFF);
  const now = new Date("2026-11-26T06:00:00Z");
  const pauses = [];
  for (const tries of [8, 9, 58, 59]) {
    await db.order.update({ where: { id }, data: { charge_tries: tries, charge_next_at: now } });
    await retry(now.toISOString());
    const { charge_tries, charge_next_at } = await orderOf(id);
    pauses.push([charge_tries, charge_next_at && (charge_next_at.getTime() - now.getTime()) / 60_000]);
  }
  expect(pauses).toEqual([
    [9, 256],
    [10, 360],
    [59, 360],
    [60, null],
  ]);
});

test(
  "set aside: a charge that the bank challenges and that could not be voided is looked for later, and voided",
  { tags: ["fail:V4"] },
  async () => {
    deps.payments.void = () => Promise.reject(new ProviderUnavailable("away"));
    const { who, id } = await setAside({ card: "4000002500003155" });
    expect(await orderOf(id)).toMatchObject({
      payment_id: null,
      charge_error: "The bank needs the shopper to confirm this payment.",
    });
    const { charge_key: key } = await db.payment.findFirstOrThrow({
      where: { customer_id: who.row.id, state: "failed" },
    });
    const chargeState = async () => (await db.test_charge.findFirstOrThrow({ where: { idempotency_key: key } })).state;
    expect(await chargeState()).toBe("requires_action");
    Object.assign(deps.payments, real);
    await resumeAbandoned({ now: market.clock.now(), actor: { type: "system", job: "checkouts" }, deps });
    expect(await chargeState()).toBe("voided");
    expect(await market.audit()).toEqual([]);
  },
);

test("set aside: an order whose money another provider holds than the market's is not charged, and its reason is shown", async () => {
  const { placed } = await orders(1);
  const { id, customerId } = placed[0]!;
  const { payment } = await orderOf(id);
  await db.payment.update({ where: { id: payment!.id }, data: { provider: "stripe" } });
  await tick(CUTOFF);
  expect(await orderOf(id)).toMatchObject({
    charge_error: 'It was to be paid with "stripe", and this market uses "test" now.',
  });
  expect(await capturesOf(id)).toBe(0);
  expect(await takenFrom(customerId)).toEqual([]);
});

test("set aside: without a card there is no retry until there is one", { tags: ["fail:M2"] }, async () => {
  const { id, who, dueCents } = await setAside({ card: null });
  expect(await orderOf(id)).toMatchObject({ charge_error: "There is no card in the account.", charge_next_at: null });
  await who.browser.post("/payment-methods", { card: GOOD_CARD });
  await retry("2026-11-25T06:05:00Z");
  expect(await takenFrom(who.row.id)).toEqual([dueCents]);
  expect(await market.audit()).toEqual([]);
});

describe("orders charge: killed in the middle, the next one goes on with the same charge", () => {
  test.each(["charge:created", "charge:authorized", "cutoff:captured"])(
    "at %s",
    { tags: ["fail:M2"] },
    async (point) => {
      const { id, who, dueCents } = await setAside();
      await setCard(db, who.row.id);
      market.clock.set("2026-11-25T07:00:00Z");
      otherPoints.plan[point] = { until: new Promise(() => undefined) };
      other.clock.set(market.clock.now());
      // It never comes back: as if its process were gone.
      void chargeNow({ ...operator(), deps: other.deps }, id);
      await otherPoints.reached(point);
      await expect(chargeNow(operator(), id)).rejects.toMatchObject({ details: { code: "still_charging" } });
      await expect(recordPayment(operator(), id)).rejects.toMatchObject({ details: { code: "still_charging" } });
      market.clock.set("2026-11-25T07:02:00Z");
      await Promise.all([chargeNow(operator(), id).catch(() => 0), retry("2026-11-25T07:02:00Z")]);
      expect(await orderOf(id)).toMatchObject({ charge_failed_at: null, payment: { captured_cents: dueCents } });
      expect(await takenFrom(who.row.id)).toEqual([dueCents]);
      expect(await capturesOf(id)).toBe(1);
      expect(
        await db.audit_entry.count({ where: { subject: `order:${id}`, action: "orders charge" } }),
      ).toBeGreaterThan(0);
      expect(await market.audit()).toEqual([]);
    },
  );
});

describe("a set-aside order that another worker is charging", () => {
  const everything = { to: "card", reason: "The box was lost.", key: null } as const;
  type Aside = Awaited<ReturnType<typeof setAside>>;
  test.each<[what: string, work: (aside: Aside) => Promise<unknown>]>([
    ["noted as paid", ({ id }) => recordPayment(operator(), id, "cash")],
    ["written off", ({ id }) => writeOffOrder(operator(), id, "moved away")],
    ["canceled", ({ id }) => cancelOrder(operator(), id, everything)],
    [
      "lowered by a shortage",
      ({ id, eggs }) => shortOrder(operator(), id, [{ variantId: eggs.variant.id, quantity: 1 }], everything),
    ],
  ])("is not %s", { tags: ["fail:M2"] }, async (_what, work) => {
    const aside = await setAside();
    await setCard(db, aside.who.row.id);
    market.clock.set("2026-11-25T07:00:00Z");
    other.clock.set(market.clock.now());
    const gate = Promise.withResolvers<void>();
    otherPoints.plan["charge:authorized"] = { until: gate.promise };
    const charged = chargeNow({ ...operator(), deps: other.deps }, aside.id);
    await otherPoints.reached("charge:authorized");
    await expect(work(aside)).rejects.toMatchObject({ status: 409, details: { code: "still_charging" } });
    gate.resolve();
    expect(await charged).toBe(aside.dueCents);
    expect(await takenFrom(aside.who.row.id)).toEqual([aside.dueCents]);
    expect(await orderOf(aside.id)).toMatchObject({
      status: "pending",
      written_off_at: null,
      order_total_cents: aside.dueCents,
    });
    expect(await market.audit()).toEqual([]);
  });
});

describe("a set-aside order", () => {
  test("is noted as paid at the door, once; its card is not charged any more", { tags: ["fail:M2"] }, async () => {
    const { id, who, dueCents } = await setAside();
    expect(await recordPayment(operator(), id, "", true)).toBe(dueCents);
    const both = await Promise.all([recordPayment(operator(), id, "cash"), recordPayment(operator(), id, "cash")]);
    expect(both.toSorted((a, b) => a - b)).toEqual([0, dueCents]);
    await setCard(db, who.row.id);
    await retry("2026-11-27T06:00:00Z");
    expect(await takenFrom(who.row.id)).toEqual([]);
    expect(await orderOf(id)).toMatchObject({
      charge_failed_at: null,
      payment: { provider: "offline", state: "captured", captured_cents: dueCents },
    });
    expect(await market.audit()).toEqual([]);
  });

  test("is written off with a reason, once; the market bears it, and paid after all takes it back", async () => {
    const { id, who, dueCents } = await setAside();
    const later = await createHub(db, { deliveryDay: "Saturday" });
    const [other] = (await buy(await shopper(later, (await createProduct(db, later.id)).line(1)))) as [number];
    expect(await writeOffOrder(operator(), id, "moved away", true)).toBe(dueCents);
    expect(await orderOf(id)).toMatchObject({ written_off_at: null });
    expect(await writeOffOrder(operator(), id, "moved away")).toBe(dueCents);
    expect(await writeOffOrder(operator(), id, "moved away")).toBe(0);
    expect(await stateOf(other)).toBe("authorized");
    await expect(chargeNow(operator(), id)).rejects.toMatchObject({ details: { code: "written_off" } });
    const sum = async (account: string) =>
      (await db.ledger_entry.aggregate({ where: { account }, _sum: { amount_cents: true } }))._sum.amount_cents ?? 0;
    const loss = await sum("write_offs");
    expect(loss).toBe(-dueCents);
    expect(await market.audit()).toEqual([]);
    expect(await recordPayment(operator(), id)).toBe(dueCents);
    expect(await sum("write_offs")).toBe(loss + dueCents);
    expect(await takenFrom(who.row.id)).toEqual([]);
    const entries = await db.audit_entry.findMany({ where: { subject: `order:${id}` }, orderBy: { id: "asc" } });
    expect(entries.map(({ action, reason }) => [action, reason])).toEqual([
      ["orders write-off", "moved away"],
      ["orders paid", ""],
    ]);
    expect(await market.audit()).toEqual([]);
  });

  test("that store credit paid in part is written off, and paid after all, for what the card did not pay", async () => {
    const { id, dueCents } = await setAside({ creditCents: 500 });
    expect((await orderOf(id)).order_total_cents - dueCents).toBe(500);
    expect(await writeOffOrder(operator(), id, "moved away")).toBe(dueCents);
    expect(await market.audit()).toEqual([]);
    expect(await recordPayment(operator(), id)).toBe(dueCents);
    expect(await market.audit()).toEqual([]);
  });

  test("whose capture went through unheard is not paid twice: cash is refused, the books have the card", async () => {
    const { placed } = await orders(1);
    const [{ id, customerId }] = placed as [(typeof placed)[number]];
    deps.payments.capture = async (request) => {
      await real.capture(request);
      throw new ProviderUnavailable("the answer was lost");
    };
    await tick(CUTOFF);
    expect(await stateOf(id)).toBe("authorized");
    deps.payments.find = () => Promise.reject(new ProviderUnavailable("still away"));
    await expect(recordPayment(operator(), id)).rejects.toMatchObject({ details: { code: "payments_down" } });
    Object.assign(deps.payments, real);
    await expect(recordPayment(operator(), id)).rejects.toMatchObject({ details: { code: "not_offline" } });
    expect(await orderOf(id)).toMatchObject({ charge_failed_at: null, payment: { state: "captured" } });
    expect(await takenFrom(customerId)).toEqual([(await orderOf(id)).order_total_cents]);
    expect(await market.audit()).toEqual([]);
  });

  /** An order whose card was charged at the cutoff, although the provider's answer was lost. */
  const capturedUnheard = async () => {
    const { eggs, placed } = await orders(1);
    const [{ id, customerId, key }] = placed as [(typeof placed)[number]];
    deps.payments.capture = async (request) => {
      await real.capture(request);
      throw new ProviderUnavailable("the answer was lost");
    };
    await tick(CUTOFF);
    Object.assign(deps.payments, real);
    expect(await stateOf(id)).toBe("authorized");
    return { id, customerId, key, variantId: eggs.variant.id, totalCents: (await orderOf(id)).order_total_cents };
  };

  test.each<[how: string, operate: (id: number, variantId: number) => Promise<{ backCents: number }>]>([
    ["canceled", (id) => cancelOrder(operator(), id, { to: "card", reason: "", key: null })],
    ["short", (id, variantId) => shortOrder(operator(), id, [{ variantId, quantity: 1 }], { to: "card", reason: "" })],
  ])("whose capture went through unheard is %s: what the card paid goes back to it", async (_how, operate) => {
    const { id, customerId, key, variantId, totalCents } = await capturedUnheard();
    expect(await operate(id, variantId)).toMatchObject({ backCents: totalCents });
    expect(await takenFrom(customerId)).toEqual([totalCents]);
    expect(await db.test_charge.findUniqueOrThrow({ where: { idempotency_key: key } })).toMatchObject({
      refunded_cents: totalCents,
    });
    expect(await market.audit()).toEqual([]);
  });

  test("whose capture went through unheard is not written off: the books have the card", async () => {
    const { id } = await capturedUnheard();
    await expect(writeOffOrder(operator(), id, "moved away")).rejects.toMatchObject({ details: { code: "paid" } });
    expect(await orderOf(id)).toMatchObject({ written_off_at: null, payment: { state: "captured" } });
    expect(await market.audit()).toEqual([]);
  });

  test("of which a part is missing is charged the rest; of which everything is missing, its hold is released", async () => {
    const { eggs, who, id } = await setAside();
    const short = (of: number, quantity: number, on = eggs) =>
      shortOrder(operator(), of, [{ variantId: on.variant.id, quantity }], { to: "card", reason: "" });
    expect(await short(id, 1)).toMatchObject({ backCents: 0, creditCents: 0 });
    const { order_total_cents: restCents, charge_failed_at } = await orderOf(id);
    expect(charge_failed_at).toEqual(new Date(CUTOFF));
    await setCard(db, who.row.id);
    expect(await chargeNow(operator(), id)).toBe(restCents);
    expect(await takenFrom(who.row.id)).toEqual([restCents]);

    market.clock.set(MONDAY);
    const { eggs: hens, placed } = await orders(1);
    const [{ id: empty, key }] = placed as [(typeof placed)[number]];
    deps.payments.capture = () => Promise.reject(new ProviderUnavailable("away"));
    await tick(CUTOFF);
    Object.assign(deps.payments, real);
    expect(await short(empty, 1, hens)).toMatchObject({ backCents: 0, creditCents: 0 });
    expect(await orderOf(empty)).toMatchObject({ order_total_cents: 0, charge_failed_at: null, charge_next_at: null });
    expect(await db.test_charge.findUniqueOrThrow({ where: { idempotency_key: key } })).toMatchObject({
      state: "voided",
    });
    expect(await market.audit()).toEqual([]);
  });

  test(
    "is paid at the door while its charge holds the money of a later order, too: that one is charged on its own day",
    { tags: ["fail:M2"] },
    async () => {
      const hub = await createHub(db);
      const eggs = await createProduct(db, hub.id);
      const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-01" });
      const who = await shopper(hub, eggs.line(1), turkey.line(1));
      const [box, later] = (await buy(who, { ...CHOICE, savePaymentMethod: true })) as [number, number];
      deps.payments.capture = () => Promise.reject(new ProviderUnavailable("away"));
      await tick(CUTOFF);
      Object.assign(deps.payments, real);
      expect(await recordPayment(operator(), box, "cash")).toBe((await orderOf(box)).order_total_cents);
      expect(await orderOf(later)).toMatchObject({ payment_id: null });
      expect(await market.audit()).toEqual([]);
      await tick("2026-12-02T06:00:00Z");
      expect(await takenFrom(who.row.id)).toEqual([(await orderOf(later)).order_total_cents]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "is paid at the door while its charge is also that of a later order, set aside for good: that one is charged separately",
    { tags: ["fail:M2"] },
    async () => {
      const hub = await createHub(db);
      const eggs = await createProduct(db, hub.id);
      const turkey = await createProduct(db, hub.id, { priceCents: 9000, preOrderDate: "2026-12-03" });
      const who = await shopper(hub, eggs.line(1), turkey.line(1));
      const [box, later] = (await buy(who, { ...CHOICE, savePaymentMethod: true })) as [number, number];
      const { payment } = await orderOf(box);
      await db.payment.update({ where: { id: payment!.id }, data: { provider: "stripe" } });
      await tick(CUTOFF);
      await tick("2026-12-02T06:00:00Z");
      for (const id of [box, later])
        expect(await orderOf(id)).toMatchObject({ payment_id: payment!.id, charge_next_at: null });
      await recordPayment(operator(), box, "cash");
      await retry("2026-12-02T06:05:00Z");
      expect(await takenFrom(who.row.id)).toEqual([(await orderOf(later)).order_total_cents]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("that was delivered unpaid is still charged at its next try", { tags: ["fail:M2"] }, async () => {
    const { who, id, dueCents } = await setAside();
    await tick("2026-11-28T12:00:00Z");
    expect(await orderOf(id)).toMatchObject({ status: "closed", charge_failed_at: new Date(CUTOFF) });
    await setCard(db, who.row.id, "4242424242424242");
    await retry("2026-11-30T12:00:00Z");
    expect(await orderOf(id)).toMatchObject({ charge_failed_at: null, payment: { state: "captured" } });
    expect(await takenFrom(who.row.id)).toEqual([dueCents]);
  });

  test.each<[string, object, (id: number) => Promise<unknown>]>([
    ["cancelled", { status: "cancelled" }, (id) => cancelOrder(operator(), id, { to: "card", reason: "", key: null })],
    ["written off", { status: "pending", payment_id: null }, (id) => writeOffOrder(operator(), id, "moved away")],
    ["paid at the door", { payment: { provider: "offline" } }, (id) => recordPayment(operator(), id)],
  ])("whose hold still stands is %s: the hold is released", async (_how, after, end) => {
    const { placed } = await orders(1);
    const [{ id, key }] = placed as [(typeof placed)[number]];
    deps.payments.capture = () => Promise.reject(new ProviderUnavailable("away"));
    await tick(CUTOFF);
    await end(id);
    expect(await db.test_charge.findFirstOrThrow({ where: { idempotency_key: key } })).toMatchObject({
      state: "voided",
    });
    expect(await orderOf(id)).toMatchObject({ ...after, charge_failed_at: null });
    expect(await market.audit()).toEqual([]);
  });

  test("is on the sheets as to collect until it is charged or paid", { tags: ["fail:M2"] }, async () => {
    const { hub, id, who, dueCents } = await setAside();
    const sheets = async () => (await readSheets(operator(), { hub: hub.slug, day: "2026-11-26" })).day;
    expect((await sheets()).boxes.map(({ orderId, dueCents: due }) => [orderId, due])).toEqual([[id, dueCents]]);
    const printed = (await sheets()).version;
    expect((await sheets()).version).toBe(printed);
    await setCard(db, who.row.id);
    await chargeNow(operator(), id);
    expect(await sheets()).toMatchObject({ version: printed + 1, boxes: [{ orderId: id, dueCents: 0 }] });
  });

  test("is not packed in a hub that says so, which its customer reads, and comes back when it is paid", async () => {
    const { hub, id, eggs, who } = await setAside();
    const content = orderMails["payment-failed"]!.content;
    const mail = async () => JSON.stringify(await content(deps, { orderId: id }, market.clock.now()));
    expect(await mail()).toContain("You can also pay at the door.");
    const shown = async () => (await who.browser.get(`/orders/${id}`)).body;
    expect(await shown()).toMatchObject({ packed: "all", paymentProblem: "card" });
    await db.hub.update({ where: { id: hub.id }, data: { pack_unpaid: false } });
    const boxes = async () =>
      (await readSheets(operator(), { hub: hub.slug, day: "2026-11-26" })).day.boxes.map(({ orderId, tote, lines }) => [
        orderId,
        tote,
        lines[0]!.variantId,
      ]);
    expect(await boxes()).toEqual([]);
    expect(await mail()).toContain("Your order is not packed until it is paid.");
    expect(await mail()).not.toContain("at the door");
    expect(await shown()).toMatchObject({ packed: "none", paymentProblem: "card" });
    await recordPayment(operator(), id);
    expect(await boxes()).toEqual([[id, 1, eggs.variant.id]]);
    expect(await shown()).toMatchObject({ packed: "all", paymentProblem: null });
    expect(await market.audit()).toEqual([]);
  });

  test("is missing: a closed order that is neither paid nor set aside is named by the audit", async () => {
    const { id } = await setAside();
    await db.order.update({ where: { id }, data: { charge_failed_at: null } });
    expect(await market.audit()).toEqual([
      { invariant: "V14", problem: `order ${id} is pending, its payment is missing, and it is not set aside` },
    ]);
    await db.order.update({ where: { id }, data: { charge_failed_at: new Date(CUTOFF) } });
  });
});

test("orders charge: an open order is refused until it closes", async () => {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id);
  const [id] = (await buy(await shopper(hub, eggs.line(1)))) as [number];
  await expect(chargeNow(operator(), id)).rejects.toMatchObject({ status: 409, details: { code: "still_open" } });
  expect(await stateOf(id)).toBe("authorized");
});

describe("referral credit", { tags: ["fail:K5", "fail:V7"] }, () => {
  // Each market serves another place, so that the friend is assigned to it.
  const zips = ["46035", "46037", "46038", "46040", "46041", "46042", "46043", "46044", "46047"];
  async function inviter() {
    const zipCode = zips.pop()!;
    const hub = await createHub(db, { zips: [zipCode] });
    const referrer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    return { zipCode, hub, referrer };
  }
  let friends = 0;
  async function friendOrder({
    creditCents = 0,
    invitedBy,
  }: { creditCents?: number; invitedBy?: Awaited<ReturnType<typeof inviter>> } = {}) {
    const { zipCode, hub, referrer } = invitedBy ?? (await inviter());
    const eggs = await createProduct(db, hub.id, { priceCents: 3000 });
    const browser = market.shopper();
    friends += 1;
    const email = `pal${friends}@example.com`;
    await browser.post("/auth/register", {
      email,
      password: "wheelbarrow",
      zipCode,
      firstName: "Pal",
      lastName: "Moss",
      referredByCustomerId: referrer.id,
    });
    await browser.put("/cart", [eggs.line(1)]);
    const row = await db.customer.findUniqueOrThrow({ where: { email } });
    const address = { address: `${friends} Elm Street`, city: "Fishers", state: "IN", zipCode };
    if (creditCents > 0) {
      const gift = { amountCents: creditCents, reason: "sorry", key: `credit ${row.id}`, dryRun: false };
      await grantCredit(operator(), { id: asCustomerId(row.id), email }, gift);
    }
    const choice = { ...CHOICE, card: newCard(), deliveryAddress: address, useCredit: creditCents > 0 };
    const [id] = (await buy({ row, browser }, choice)) as [number];
    const credit = async () => (await db.customer.findUniqueOrThrow({ where: { id: referrer.id } })).credit_cents;
    const bookings = () => db.ledger_transaction.count({ where: { kind: "referral", note: `friend ${row.id}` } });
    /** Dollars of discount on a next order. */
    const nextDiscount = async () => {
      await browser.put("/cart", [eggs.line(1)]);
      const { status, body } = await browser.post("/checkout/quote", { ...CHOICE, deliveryAddress: address });
      expect(status, JSON.stringify(body)).toBe(200);
      return body.discountAmount;
    };
    return { hub, id, row, credit, bookings, nextDiscount };
  }
  const whole = { to: "card", reason: "The box was lost.", key: null } as const;

  test("cutoff: a friend's order that is not charged earns nothing; charged later it earns once", async () => {
    const { id, row, credit } = await friendOrder({ creditCents: 500 });
    const { payment, order_total_cents } = await orderOf(id);
    await db.test_charge.updateMany({ where: { idempotency_key: payment!.charge_key }, data: { state: "voided" } });
    await tick(CUTOFF);
    expect([(await orderOf(id)).status, await credit()]).toEqual(["pending", 0]);
    await setCard(db, row.id);
    expect(await chargeNow(operator(), id, "", true)).toBe(order_total_cents - 500);
    await Promise.all([chargeNow(operator(), id).catch(() => 0), chargeNow(operator(), id).catch(() => 0)]);
    expect([await stateOf(id), await credit()]).toEqual(["captured", 2000]);
    expect(await market.audit()).toEqual([]);
  });

  test("cutoff: a friend's order that store credit covers earns once", async () => {
    const { id, credit } = await friendOrder({ creditCents: 20_000 });
    expect(await orderOf(id)).toMatchObject({ payment: null });
    await tick(CUTOFF);
    await tick("2026-11-25T06:05:00Z");
    expect(await credit()).toBe(2000);
    expect(await market.audit()).toEqual([]);
  });

  test("cutoff: two friends of one customer, both covered by store credit, earn twice in one run", async () => {
    const invitedBy = await inviter();
    const { credit } = await friendOrder({ creditCents: 20_000, invitedBy });
    await friendOrder({ creditCents: 20_000, invitedBy });
    await tick(CUTOFF);
    expect(await credit()).toBe(4000);
    const mails = await db.mail.findMany({
      where: { template: "referral-credit", to_email: invitedBy.referrer.email! },
    });
    expect(mails.map(({ data }) => data)).toEqual([{ amountCents: 2000 }, { amountCents: 2000 }]);
    const browser = market.shopper();
    await browser.post("/auth/login", { username: invitedBy.referrer.email, password: PASSWORD });
    const friend = { name: "Pal M.", state: "credited" };
    expect((await browser.get("/referrals")).body).toMatchObject({ credit: 40, friends: [friend, friend] });
    expect(await market.audit()).toEqual([]);
  });

  test("cutoff: a friend's order that is paid at the door instead earns once", async () => {
    const { id, credit } = await friendOrder();
    const { charge_key } = (await orderOf(id)).payment!;
    await db.test_charge.updateMany({ where: { idempotency_key: charge_key }, data: { state: "voided" } });
    await tick(CUTOFF);
    expect(await credit()).toBe(0);
    await Promise.all([recordPayment(operator(), id), recordPayment(operator(), id)]);
    expect(await credit()).toBe(2000);
    expect(await market.audit()).toEqual([]);
  });

  test("cutoff: an order refunded in full after it keeps its one credit, and the friend gets no second discount", async () => {
    const { id, credit, bookings, nextDiscount } = await friendOrder();
    await tick(CUTOFF);
    expect([await stateOf(id), await credit()]).toEqual(["captured", 2000]);
    const { order_total_cents } = await orderOf(id);
    await refundOrder(operator(), id, { ...whole, amountCents: order_total_cents });
    await tick("2026-11-25T06:05:00Z");
    expect([await credit(), await bookings(), await nextDiscount()]).toEqual([2000, 1, 0]);
    expect(await market.audit()).toEqual([]);
  });

  test("cutoff: an order canceled after it keeps its one credit; canceled before it earns none", async () => {
    const [after, before] = [await friendOrder(), await friendOrder()];
    await cancelOrder(operator(), before.id, whole);
    await tick(CUTOFF);
    await cancelOrder(operator(), after.id, whole);
    await tick("2026-11-25T06:05:00Z");
    expect([await after.credit(), await after.bookings()]).toEqual([2000, 1]);
    expect([await before.credit(), await before.bookings()]).toEqual([0, 0]);
    // What the first order never used up is there for the next one, what it did is not.
    expect([await after.nextDiscount(), await before.nextDiscount()]).toEqual([0, 20]);
    expect(await market.audit()).toEqual([]);
  });

  test("cutoff: an order set aside unpaid and canceled then earns nothing", async () => {
    const { id, credit, bookings } = await friendOrder();
    const { charge_key } = (await orderOf(id)).payment!;
    await db.test_charge.updateMany({ where: { idempotency_key: charge_key }, data: { state: "voided" } });
    await tick(CUTOFF);
    await cancelOrder(operator(), id, whole);
    await retry("2026-11-25T07:00:00Z");
    await tick("2026-11-25T07:05:00Z");
    expect([await credit(), await bookings()]).toEqual([0, 0]);
    expect(await market.audit()).toEqual([]);
  });

  test("cutoff: a run that dies after the credit is finished by another server, and credits once", async () => {
    const { hub, id, credit } = await friendOrder();
    otherPoints.plan["cutoff:credited"] = { until: new Promise(() => undefined) };
    other.clock.set(CUTOFF);
    void runWeek({ now: other.clock.now(), actor: { type: "system", job: "week" }, deps: other.deps });
    await otherPoints.reached("cutoff:credited");
    expect(await runOf(hub)).toMatchObject({ state: "running" });
    await tick("2026-11-25T06:03:00Z");
    expect(await runOf(hub)).toMatchObject({ state: "done", fencing_token: 2 });
    expect([await stateOf(id), await credit()]).toEqual(["captured", 2000]);
    expect(
      await db.ledger_transaction.count({
        where: { kind: "referral", note: `friend ${(await orderOf(id)).customer_id}` },
      }),
    ).toBe(1);
    expect(await market.audit()).toEqual([]);
  });
});
