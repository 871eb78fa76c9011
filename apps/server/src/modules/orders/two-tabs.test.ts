import type { Cart } from "@marketday/contracts/cart";
import { query, sql } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY, type TestMarket } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct, type TestProduct } from "../../../test/factories.ts";
import { disagreements, tokenOf } from "../../../test/fake-stripe.ts";
import { type Actor, gate, interleave, schedules } from "../../../test/interleave.ts";
import { randomness } from "../../../test/randomness.ts";
import type { Answer, Shopper } from "../../../test/shopper.ts";
import { signIn } from "../../../test/sign-in.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";

const SECRET = "whsec_of_two_tabs_0123456789";
const GOOD = "4242424242424242";
const CHALLENGE_CARD = "4000002500003155";

const fake = await testStripe({ webhookSecret: SECRET, now: () => market.clock.now() });
const env = {
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_API_URL: fake.url,
};
const market = await buildTestApp({ env });
const { db, deps } = market;
const hub = await createHub(db);
const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: 100_000 });

/** A separate server for each actor, so that each stops at its own gates. */
async function server() {
  const gates = gate();
  const secrets = { SESSION_SECRET: deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: deps.env.pepper };
  const own = await buildTestApp({
    url: market.url,
    env: { ...env, ...secrets },
    overrides: { failpoint: gates.at, clock: market.clock },
  });
  return { gates, own };
}
const [tab, otherTab, background] = [await server(), await server(), await server()];

/** A browser with the same cookies at another server. */
function at(own: TestMarket, browser: Shopper): Shopper {
  const same = own.shopper();
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return same;
}

const { card: _card, ...WITHOUT_CARD } = CHOICE;

/** A shopper whose checkout waits for the bank's challenge. */
async function challenged(product = eggs) {
  const browser = await signIn(market, { hubId: hub.id });
  await browser.put("/cart", [product.line(1)]);
  const { orderTotal } = (await browser.post("/checkout/quote", WITHOUT_CARD)).body;
  const order = (card: string, part: object = {}) => ({
    ...WITHOUT_CARD,
    confirmationToken: tokenOf(card),
    expectedTotal: orderTotal as number,
    ...part,
  });
  const response = await browser.post("/checkout", order(CHALLENGE_CARD));
  expect(response.status, JSON.stringify(response.body)).toBe(202);
  return { browser, customerId: browser.customer.id, attemptId: response.body.challenge.attemptId as string, order };
}
type Challenged = Awaited<ReturnType<typeof challenged>>;

async function intentsOf(customerId: number) {
  const { stripe_customer_id } = await db.customer.findUniqueOrThrow({ where: { id: customerId } });
  return [...fake.intents.values()].filter(({ customer }) => customer === stripe_customer_id);
}

/** Tab 1 returns from the bank. */
const complete = (who: Challenged): Actor & { gate: typeof tab.gates } => ({
  name: "complete",
  gates: ["complete:claimed", "checkout:placing", "checkout:failed"],
  gate: tab.gates,
  run: () => at(tab.own, who.browser).post(`/checkout/${who.attemptId}/complete`, {}),
});
/** Tab 2 pays the same cart with another card. */
const payAgain = (who: Challenged): Actor & { gate: typeof tab.gates } => ({
  name: "pay",
  gates: ["checkout:superseding", "checkout:holding", "checkout:held", "checkout:placing"],
  gate: otherTab.gates,
  run: () => at(otherTab.own, who.browser).post("/checkout", who.order(GOOD)),
});
/** Tab 2 pays the same cart for another total than it now has, which is refused. */
const payOutdated = (who: Challenged): Actor & { gate: typeof tab.gates } => ({
  name: "outdated",
  gates: ["checkout:locked", "checkout:superseding", "checkout:priced"],
  gate: otherTab.gates,
  run: () => at(otherTab.own, who.browser).post("/checkout", who.order(GOOD, { expectedTotal: 1 })),
});
/** Stripe's webhook reports the result of the challenge. */
const webhook = (event: object): Actor & { gate: typeof tab.gates } => ({
  name: "webhook",
  gates: ["challenge:claimed", "checkout:placing", "checkout:failed"],
  gate: background.gates,
  run: async () => {
    const signed = fake.signed(event);
    const answer = await background.own.app.inject({
      method: "POST",
      url: "/api/webhooks/stripe",
      headers: { "content-type": "application/json", "stripe-signature": signed.signature },
      payload: signed.payload,
    });
    expect(answer.statusCode).toBe(200);
  },
});
/** The sweep finds the challenge expired. */
const sweep = (): Actor & { gate: typeof tab.gates } => ({
  name: "sweep",
  gates: ["checkout:failed", "checkout:placing"],
  gate: background.gates,
  run: () =>
    resumeAbandoned({
      now: market.clock.now(),
      actor: { type: "system", job: "checkouts" },
      deps: background.own.deps,
    }),
});

type Bank = "approves" | "refuses" | "is silent";

/** Asserts one order and one charge, and that every response names the order or an allowed failure. */
async function expectOneOrder(who: Challenged, bank: Bank, results: Record<string, unknown>) {
  const orders = await db.order.findMany({ where: { customer_id: who.customerId }, include: { payment: true } });
  expect(orders.map(({ status, payment }) => [status, payment?.state])).toEqual([["open", "authorized"]]);
  const [order] = orders;
  const intents = await intentsOf(who.customerId);
  expect(intents.filter(({ amount_capturable }) => amount_capturable > 0).map(({ amount }) => amount)).toEqual([
    order!.order_total_cents,
  ]);
  for (const { status } of intents)
    expect(["requires_capture", "canceled", "requires_payment_method"]).toContain(status);
  const failures: string[] = [];
  for (const name of ["complete", "pay", "outdated"]) {
    const answer = results[name] as Answer | undefined;
    if (answer === undefined) continue;
    const [, details] = answer.status === 201 ? [null, answer.body] : answer.body;
    if (details.orderId === order!.id) continue;
    failures.push(`${name} ${answer.status} ${details.code}`);
  }
  // Only a refused or expired challenge may end a tab without the order's number.
  const allowed =
    bank === "approves" ? [] : bank === "refuses" ? ["complete 402 card_declined"] : ["complete 402 challenge_expired"];
  allowed.push("outdated 409 total_changed");
  expect(failures.filter((failure) => !allowed.includes(failure))).toEqual([]);
  expect(await db.cart_item.count({ where: { cart: { customer_id: who.customerId } } })).toBe(0);
  expect(
    await query(
      db,
      sql`select id::text as id from checkout_attempt where customer_id = ${who.customerId}::int and state not in ('placed', 'failed')`,
      z.object({ id: z.string() }),
    ),
  ).toEqual([]);
}

async function expectAgreement() {
  expect(await market.audit()).toEqual([]);
  expect(
    await query(
      db,
      sql`select coalesce(sum(amount_cents), 0)::int as cents from ledger_entry`,
      z.object({ cents: z.number() }),
    ),
  ).toEqual([{ cents: 0 }]);
  expect(disagreements(fake, await db.payment.findMany({ where: { provider: "stripe" } }))).toEqual([]);
}

interface Round {
  bank: Bank;
  actors: readonly ("complete" | "pay" | "outdated" | "webhook" | "sweep")[];
  schedule: readonly string[];
}

async function expectOneOrderAfter({ bank, actors, schedule }: Round) {
  market.clock.set(MONDAY);
  const who = await challenged();
  const [intent] = await intentsOf(who.customerId);
  const seen = fake.events.length;
  if (bank !== "is silent") fake.answerBank(intent!.id, bank === "approves");
  const event = fake.events.at(seen);
  if (actors.includes("sweep")) market.clock.advance(61 * 60_000);
  const all = actors.map((name) => {
    if (name === "webhook") return webhook(event!);
    if (name === "outdated") return payOutdated(who);
    return name === "complete" ? complete(who) : name === "pay" ? payAgain(who) : sweep();
  });
  try {
    await expectOneOrder(who, bank, await interleave(db, all, schedule));
    await expectAgreement();
  } catch (error) {
    throw new Error(`bank ${bank}, ${schedule.join(" ")}`, { cause: error });
  }
}

const STEPS = { complete: 3, pay: 5, outdated: 4, webhook: 3, sweep: 3 };
const SEED = Number(process.env["SEED"] ?? 20_261_122);

/** All interleavings of these actors, or a seeded random sample of them. */
function roundsOf(bank: Bank, actors: Round["actors"], small: number): Round[] {
  const all = schedules(Object.fromEntries(actors.map((name) => [name, STEPS[name]])));
  return randomness(SEED)
    .shuffle(all)
    .slice(0, size(small, all.length))
    .map((schedule) => ({ bank, actors, schedule }));
}

describe("two tabs and the webhook around one challenged checkout place one order", { tags: ["fail:M1"] }, () => {
  test.for([
    ["the bank approves; tab 1 completes while tab 2 pays again", "approves", ["complete", "pay"], 14],
    ["the bank approves; the webhook comes while tab 2 pays again", "approves", ["webhook", "pay"], 10],
    ["the bank approves; both tabs and the webhook", "approves", ["complete", "pay", "webhook"], 14],
    ["the bank refuses; both tabs and the webhook", "refuses", ["complete", "pay", "webhook"], 8],
    ["the bank is silent; the sweep gives up while tab 2 pays again", "is silent", ["sweep", "pay"], 6],
    ["the bank approves after an hour; the sweep, both tabs", "approves", ["sweep", "complete", "pay"], 8],
    ["the bank approves; tab 1 completes while tab 2 is refused", "approves", ["complete", "outdated"], 12],
    ["the bank approves; the webhook comes while tab 2 is refused", "approves", ["webhook", "outdated"], 8],
    ["the bank approves; tab 2 is refused, tab 1 and the webhook", "approves", ["complete", "outdated", "webhook"], 10],
  ] as const)("%s", { timeout: 3_600_000 }, async ([, bank, actors, small]) => {
    for (const round of roundsOf(bank, actors, small)) await expectOneOrderAfter(round);
  });

  test("a tab whose claim is superseded while it pays again gets the other tab's order", async () => {
    // The interleaving that placed two orders: read as challenged, claimed by the other tab, then superseded.
    await expectOneOrderAfter({
      bank: "approves",
      actors: ["complete", "pay"],
      schedule: ["pay", "complete", "pay", "pay", "pay", "complete", "complete"],
    });
  });

  test(
    "tab 1 returns while the webhook finishes the order: it waits and returns that order",
    { tags: ["fail:B4"] },
    async () => {
      await expectOneOrderAfter({
        bank: "approves",
        actors: ["complete", "webhook"],
        schedule: ["webhook", "complete", "webhook"],
      });
    },
  );
});

/** What tab 2 sends, after the cart changed, and how it is refused. */
type RefusedRow = [
  code: string,
  body: (who: Challenged) => object,
  prepare: (who: Challenged, product: TestProduct) => Promise<unknown>,
];
const unprepared = async () => undefined;
const REFUSED: RefusedRow[] = [
  ["total_changed", (who) => who.order(GOOD, { expectedTotal: 1 }), unprepared],
  ["past_cutoff", (who) => who.order(GOOD, { expectedDeliveryDate: "2026-11-19" }), unprepared],
  ["pickup_required", (who) => ({ ...who.order(GOOD), type: "pickup" }), unprepared],
  ["bad_code", (who) => who.order(GOOD, { discountCode: "NO-SUCH-CODE" }), unprepared],
  [
    "payment_required",
    ({ order }) => {
      const { confirmationToken: _token, ...rest } = order(GOOD);
      return { ...rest, paymentMethodId: 1 };
    },
    unprepared,
  ],
  [
    "cart_empty",
    (who) => who.order(GOOD),
    (who, product) => who.browser.put("/cart", [{ ...product.line(1), quantity: 0 }]),
  ],
  [
    "sold_out",
    (who) => who.order(GOOD),
    ({ customerId }) =>
      db.cart_item.updateMany({ where: { cart: { customer_id: customerId } }, data: { quantity: 3 } }),
  ],
];

test.for(REFUSED)(
  "checkout: a second tab that is refused with %s leaves the checkout at the bank as it was: approved, it is one order",
  { tags: ["fail:M1"] },
  async ([code, body, prepare]) => {
    market.clock.set(MONDAY);
    // The challenged checkout holds all but one of the units.
    const product = await createProduct(db, hub.id, { priceCents: 700, inventory: 2 });
    const who = await challenged(product);
    const where = { attempt_id: who.attemptId };
    const held = await db.stock_hold.findMany({ where });
    expect(held).toMatchObject([{ quantity: 1 }]);
    await prepare(who, product);
    const refused = await at(otherTab.own, who.browser).post("/checkout", body(who));
    expect([refused.status >= 400, refused.body[1]?.code], JSON.stringify(refused.body)).toEqual([true, code]);
    expect(await db.stock_hold.findMany({ where })).toEqual(held);
    if (code === "sold_out")
      // Capped to what there is for this cart: one in stock, and the one that its own checkout holds.
      expect(await db.cart_item.findMany({ where: { cart: { customer_id: who.customerId } } })).toMatchObject([
        { quantity: 2, watching: false },
      ]);
    const [intent] = await intentsOf(who.customerId);
    fake.answerBank(intent!.id, true);
    const answer = await at(tab.own, who.browser).post(`/checkout/${who.attemptId}/complete`, {});
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect((await intentsOf(who.customerId)).map(({ status }) => status)).toEqual(["requires_capture"]);
    expect(await db.order.count({ where: { customer_id: who.customerId } })).toBe(1);
    await expectAgreement();
  },
);

test("checkout: the last units are held at the bank, so the cart lacks them; started over, it is placed at the total that was shown", async () => {
  market.clock.set(MONDAY);
  const last = await createProduct(db, hub.id, { priceCents: 900, inventory: 1 });
  const who = await challenged(last);
  await who.browser.put("/cart", [eggs.line(1)]);
  const { items } = (await who.browser.get("/cart")).body as Cart;
  const shown = items.filter(({ watching, quantity }) => !watching && quantity > 0);
  expect(shown.map(({ product }) => product.id)).toEqual([eggs.id]);
  const expectedItems = shown.map(({ product, quantity }) => ({ variantId: product.variant.id, quantity }));
  const quote = (await who.browser.post("/checkout/quote", WITHOUT_CARD)).body;
  const place = (expectedTotal: number) =>
    who.browser.post("/checkout", who.order(GOOD, { expectedTotal, expectedItems }));
  const changed = await place(quote.orderTotal);
  expect([changed.status, changed.body[1].code]).toEqual([409, "total_changed"]);
  const placed = await place(changed.body[1].quote.orderTotal);
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  await expectOneOrder(who, "refuses", { pay: placed });
});

test(
  "checkout: Stripe is away when the shopper returns from the bank; completed again, or paid again, the approved checkout is one order",
  { tags: ["fail:B10", "fail:B11"] },
  async () => {
    for (const again of ["complete", "pay", "sweep"] as const) {
      market.clock.set(MONDAY);
      const who = await challenged();
      const [intent] = await intentsOf(who.customerId);
      fake.answerBank(intent!.id, true);
      fake.down = true;
      const away = await at(tab.own, who.browser).post(`/checkout/${who.attemptId}/complete`, {});
      expect([away.status, away.body[0], away.body[1].code]).toEqual([
        503,
        "Payments are temporarily unavailable. Please try again in a moment.",
        "payments_down",
      ]);
      const still = await at(tab.own, who.browser).post(`/checkout/${who.attemptId}/complete`, {});
      expect([still.status, still.body[1].code]).toEqual([503, "payments_down"]);
      fake.down = false;
      if (again === "sweep") {
        await sweep().run();
        expect(await db.order.count({ where: { customer_id: who.customerId } })).toBe(1);
      }
      const results = { [again]: await (again === "pay" ? payAgain(who) : complete(who)).run() };
      await expectOneOrder(who, "approves", results);
      expect((await intentsOf(who.customerId)).map(({ status }) => status)).toEqual(["requires_capture"]);
      await expectAgreement();
    }
  },
);

test(
  "checkout: Stripe is away when the shopper returns from the bank, which was not answered: the challenge goes on",
  { tags: ["fail:B10"] },
  async () => {
    market.clock.set(MONDAY);
    const who = await challenged();
    fake.down = true;
    const url = `/checkout/${who.attemptId}/complete`;
    expect((await who.browser.post(url, {})).status).toBe(503);
    fake.down = false;
    await sweep().run();
    expect((await who.browser.post(url, {})).body.challenge).toMatchObject({ attemptId: who.attemptId });
    const [intent] = await intentsOf(who.customerId);
    fake.answerBank(intent!.id, true);
    await expectOneOrder(who, "approves", { complete: await who.browser.post(url, {}) });
    await expectAgreement();
  },
);

test("audit: an open order whose payment was voided or is missing violates V13", async () => {
  market.clock.set(MONDAY);
  const who = await challenged();
  const placed = await who.browser.post("/checkout", who.order(GOOD));
  expect(placed.status).toBe(201);
  const where = { id: placed.body.orderId as number };
  const { payment_id: paymentId } = await db.order.findUniqueOrThrow({ where });
  const violations = async () => (await market.audit()).filter(({ invariant }) => invariant === "V13");
  expect(await violations()).toEqual([]);
  await db.payment.update({ where: { id: paymentId! }, data: { state: "voided" } });
  expect(await violations()).toMatchObject([
    { problem: expect.stringContaining(`its payment ${paymentId} is voided`) },
  ]);
  // Dropped by the bank: the cutoff charges the saved card.
  await db.order.update({ where, data: { payment_id: null } });
  expect(await violations()).toEqual([]);
  await db.payment.update({ where: { id: paymentId! }, data: { state: "authorized" } });
  expect(await violations()).toMatchObject([{ problem: expect.stringContaining("no payment") }]);
  await db.order.update({ where, data: { payment_id: paymentId } });
  expect(await market.audit()).toEqual([]);
});
