import { execute, query, sql } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY, type TestMarket } from "../../../test/app.ts";
import {
  cardNumber,
  CHOICE,
  createHub,
  createProduct,
  GOOD_CARD,
  newKey,
  type TestProduct,
} from "../../../test/factories.ts";
import type { Answer, Shopper } from "../../../test/shopper.ts";
import { signIn } from "../../../test/sign-in.ts";
import { refusedAs } from "../../gateways/payments/refusals.ts";
import { newGiftCode } from "../gift-cards/gift-code.ts";

const env = { RATE_LIMITS: "on", TRUST_PROXY: "127.0.0.1" };
let dies: string | null = null;
/** Runs once, at the failpoint `checkout:held`. */
let whileHeld: (() => Promise<unknown>) | null = null;
const market = await buildTestApp({
  env,
  overrides: {
    failpoint: async (point) => {
      if (point === dies) throw new Error(`failpoint ${point}`);
      const work = point === "checkout:held" ? whileHeld : null;
      if (!work) return;
      whileHeld = null;
      await work();
    },
  },
});
const { db, deps } = market;
const second = await buildTestApp({
  url: market.url,
  env: { ...env, SESSION_SECRET: deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: deps.env.pepper },
});
const hub = await createHub(db);
const eggs = await createProduct(db, hub.id, { inventory: 1000 });

const DECLINED = { ...GOOD_CARD, number: "4000000000000002" };
const CHALLENGED = { ...GOOD_CARD, number: "4000002500003155" };
const SILENT = { ...GOOD_CARD, number: "4000000000000119" };
const GIFT = { amount: 25, recipientEmail: "kim@example.com", deliverOn: "2026-11-24" };

let addresses = 0;
/** A network that no other test uses. */
const newAddress = () => ({ "x-forwarded-for": `198.51.${Math.floor((addresses += 1) / 250)}.${addresses % 250}` });

type Headers = Record<string, string>;
interface Who extends Shopper {
  customer: { id: number; email: string | null };
  from: Headers;
}

async function shopper(from: Headers = newAddress()): Promise<Who> {
  const browser = await signIn(market, { hubId: hub.id });
  return { ...browser, from };
}

async function pay(who: Who, card: object, key: string = newKey()): Promise<Answer> {
  if ((await db.cart_item.count({ where: { cart: { customer_id: who.customer.id } } })) === 0)
    await who.put("/cart", [eggs.line(1)]);
  const { orderTotal } = (await who.post("/checkout/quote", { ...CHOICE, card })).body;
  return who.post("/checkout", { ...CHOICE, card, expectedTotal: orderTotal }, { ...who.from, "idempotency-key": key });
}
const saveA = (who: Who, card: object) => who.post("/payment-methods", { card }, who.from);
const buyGift = (who: Who, card: object) => who.post("/gift-cards", { ...GIFT, card }, who.from);
const buyPass = (who: Who, card: object) => who.post("/wagon-pass", { plan: "monthly", card }, who.from);

const tried = ({ status, body }: Answer) => [status, status < 400 ? null : body[1].code];
/** Attempts that count against someone now. */
const counts = async () =>
  query(
    db,
    sql`select sum(points)::int as points from rate_limit where key like 'payment%' and points > 0`,
    z.object({ points: z.number().nullable() }),
  ).then(([row]) => row!.points ?? 0);
const forget = () => db.rate_limit.deleteMany({ where: { key: { startsWith: "payment" } } });

function expectRefused({ status, body, headers }: Answer, from = "") {
  expect([status, body[1]?.code]).toEqual([429, "payment_limit"]);
  expect(body[0]).toMatch(
    new RegExp(`^Too many payments${from} were declined or not finished\\. Please try again in about \\d+ minutes\\.$`),
  );
  expect(Number(headers["retry-after"])).toBeGreaterThan(3000);
}

test(
  "payment attempts: after ten declined ones of a customer in an hour, over checkout, cards, gift cards and passes, each is 429 and a mail says so",
  { tags: ["fail:I16"] },
  async () => {
    const who = await shopper();
    for (const declined of [
      ...[1, 2, 3, 4].map(() => () => pay(who, DECLINED)),
      ...[1, 2].map(() => () => saveA(who, DECLINED)),
      ...[1, 2].map(() => () => buyGift(who, DECLINED)),
      ...[1, 2].map(() => () => buyPass(who, DECLINED)),
    ])
      expect(tried(await declined())).toEqual([402, "card_declined"]);
    const before = await db.payment.count();
    for (const refused of [pay, saveA, buyGift, buyPass]) expectRefused(await refused(who, GOOD_CARD));
    expect(await db.payment.count()).toBe(before);
    expect(await db.stock_hold.count()).toBe(0);
    const elsewhere = at(second, who);
    expectRefused(await elsewhere.post("/payment-methods", { card: GOOD_CARD }, who.from));
    expect(
      await db.mail.findMany({ where: { to_email: who.customer.email!, template: "payment-limit" } }),
    ).toMatchObject([{ data: { by: "customer" } }]);
    // Browsing and the cart go on, and so do others.
    expect((await who.put("/cart", [eggs.line(2)])).status).toBe(200);
    expect((await pay(await shopper(), GOOD_CARD)).status).toBe(201);
    expect(await market.audit()).toEqual([]);
  },
);

/** The same browser at another server. */
function at(own: TestMarket, browser: Shopper): Shopper {
  const same = own.shopper();
  for (const [name, value] of browser.cookies) same.cookies.set(name, value);
  return same;
}

test("payment attempts: many at once on two servers reach the provider ten times", { tags: ["fail:I6"] }, async () => {
  const who = await shopper();
  const browsers = [who, at(second, who)];
  const answers = await Promise.all(
    Array.from({ length: size(40, 200) }, (_, place) =>
      browsers[place % 2]!.post("/payment-methods", { card: DECLINED }, who.from),
    ),
  );
  const by = (status: number) => answers.filter((answer) => answer.status === status);
  expect(by(402)).toHaveLength(10);
  for (const answer of by(429)) expectRefused(answer);
  expect(by(402).length + by(429).length).toBe(answers.length);
});

test("payment attempts: what succeeds does not count, also after the bank's question and through the other server", async () => {
  await forget();
  const who = await shopper();
  for (let round = 0; round < 6; round += 1) {
    expect((await saveA(who, GOOD_CARD)).status).toBe(200);
    expect((await buyGift(who, GOOD_CARD)).status).toBe(201);
    const challenged = await pay(who, CHALLENGED);
    expect(challenged.status).toBe(202);
    expect(await counts()).toBe(2);
    const done = await at(second, who).post(`/checkout/${challenged.body.challenge.attemptId}/complete`, {
      approve: true,
    });
    expect(done.status, JSON.stringify(done.body)).toBe(201);
  }
  const gift = await buyGift(who, CHALLENGED);
  expect(gift.status).toBe(202);
  expect(await counts()).toBe(2);
  expect((await who.post(`/purchases/${gift.body.challenge.paymentId}/complete`, { approve: true })).status).toBe(200);
  expect(await counts()).toBe(0);
  expect(
    await db.payment.count({ where: { customer_id: who.customer.id, NOT: { counted_as: { isEmpty: true } } } }),
  ).toBe(0);
  // The answer to a question that was answered before takes nothing back again.
  const challenged = await pay(who, CHALLENGED);
  const complete = () => who.post(`/checkout/${challenged.body.challenge.attemptId}/complete`, { approve: true });
  expect([(await complete()).status, (await complete()).status]).toEqual([201, 201]);
  expect(await counts()).toBe(0);
  expect((await saveA(who, DECLINED)).status).toBe(402);
  expect(await counts()).toBe(2);
});

test("payment attempts: questions of the bank that are left unanswered count", async () => {
  const who = await shopper();
  for (let round = 0; round < 10; round += 1) expect((await pay(who, CHALLENGED)).status).toBe(202);
  expectRefused(await pay(who, GOOD_CARD));
  expect(await market.audit()).toEqual([]);
});

test("payment attempts: a provider that does not answer counts for nothing, nor does a pass that is refused for an active one", async () => {
  await forget();
  const who = await shopper();
  for (const attempt of [saveA, pay, buyGift, buyPass]) {
    expect((await attempt(who, SILENT)).status).toBe(503);
    expect(await counts()).toBe(0);
  }
  expect((await buyPass(who, GOOD_CARD)).status).toBe(200);
  expect(tried(await buyPass(who, GOOD_CARD))).toEqual([409, "active"]);
  expect(await counts()).toBe(0);
});

test("payment attempts: a bank that is out counts for nothing, and a success after the count was cleared leaves it at zero", async () => {
  await forget();
  const who = await shopper();
  const { authorize } = deps.payments;
  deps.payments.authorize = async () => ({ state: "declined", ref: null, ...refusedAs("bank_unavailable") });
  try {
    for (const attempt of [buyGift, buyPass])
      expect(tried(await attempt(who, GOOD_CARD))).toEqual([402, "bank_unavailable"]);
  } finally {
    deps.payments.authorize = authorize;
  }
  expect(await counts()).toBe(0);
  const challenged = await buyGift(who, CHALLENGED);
  expect(challenged.status).toBe(202);
  expect(await counts()).toBeGreaterThan(0);
  await db.rate_limit.updateMany({ where: { key: { startsWith: "payment" } }, data: { points: 0 } });
  expect((await who.post(`/purchases/${challenged.body.challenge.paymentId}/complete`, {})).status).toBe(200);
  expect(await counts()).toBe(0);
  expect(await db.rate_limit.count({ where: { key: { startsWith: "payment" }, points: { lt: 0 } } })).toBe(0);
});

test("payment attempts: the limit that is reached while a checkout holds its stock refuses it: no money is requested, the stock is free", async () => {
  const who = await shopper();
  whileHeld = async () => {
    for (let round = 0; round < 10; round += 1) expect((await saveA(who, DECLINED)).status).toBe(402);
  };
  expectRefused(await pay(who, GOOD_CARD));
  const [attempt] = await db.checkout_attempt.findMany({ where: { customer_id: who.customer.id } });
  expect(attempt).toMatchObject({ state: "failed", failure: { code: "payment_limit" } });
  // The provider was not called, so nothing is looked up there.
  expect(await db.payment.findUniqueOrThrow({ where: { id: attempt!.payment_id! } })).toMatchObject({
    state: "voided",
    look_again_at: null,
  });
  expect(await db.stock_hold.count({ where: { attempt_id: attempt!.id } })).toBe(0);
  expect(await db.test_charge.count({ where: { idempotency_key: attempt!.id } })).toBe(0);
});

test("payment attempts: the challenge of saving a card, completed three times, takes one attempt back", async () => {
  await forget();
  const who = await shopper();
  for (let round = 0; round < 2; round += 1) expect((await saveA(who, DECLINED)).status).toBe(402);
  expect(await counts()).toBe(4);
  const { confirmCard } = deps.payments;
  const saved = { brand: "visa", last4: "3155", expMonth: 12, expYear: 2030, fingerprint: "setup" };
  deps.payments.confirmCard = async (_, ref) => ({ ref, ...saved });
  try {
    for (let round = 0; round < 3; round += 1)
      expect((await who.post("/payment-methods/complete", { setupId: "setup" }, who.from)).status).toBe(200);
  } finally {
    deps.payments.confirmCard = confirmCard;
  }
  expect(await counts()).toBe(2);
});

test.each<
  [refusal: string, code: string, prepare: (who: Who, last: TestProduct) => Promise<(() => Promise<unknown>) | null>]
>([
  [
    "the referral's card was used before",
    "total_changed",
    async (who) => {
      const referrer = await shopper();
      expect((await saveA(referrer, GOOD_CARD)).status).toBe(200);
      await db.referral.create({ data: { friend_id: who.customer.id, referrer_id: referrer.customer.id } });
      return null;
    },
  ],
  [
    "the last unit was sold while it paid",
    "sold_out",
    async (_who, last) => {
      const quick = await shopper();
      return async () => {
        await execute(
          db,
          sql`with released as (delete from stock_hold h using offer o where o.id = h.offer_id and o.variant_id = ${last.variant.id}::int
                returning h.offer_id, h.quantity)
              update offer o set inventory = o.inventory + r.quantity from released r where o.id = r.offer_id`,
        );
        await quick.put("/cart", [last.line(1)]);
        expect((await pay(quick, GOOD_CARD)).status).toBe(201);
      };
    },
  ],
  ["the day closed while it paid", "past_cutoff", async () => async () => market.clock.set("2026-11-26T06:00:00Z")],
])(
  "payment attempts: an authorized one whose order is refused because %s does not count",
  async (_why, code, prepare) => {
    await forget();
    const last = await createProduct(db, hub.id, { inventory: 1, priceCents: 3000 });
    const who = await shopper();
    await who.put("/cart", [last.line(1)]);
    whileHeld = await prepare(who, last);
    const answer = await pay(who, {
      ...GOOD_CARD,
      number: code === "total_changed" ? GOOD_CARD.number : cardNumber(77),
    });
    market.clock.set(MONDAY);
    expect(tried(answer)).toEqual([409, code]);
    expect(await db.payment.findFirstOrThrow({ where: { customer_id: who.customer.id } })).toMatchObject({
      state: "voided",
      counted_as: [],
    });
    expect(await counts()).toBe(0);
    expect(await market.audit()).toEqual([]);
  },
);

test("payment attempts: the same key of an attempt under way is not refused when the limit is reached meanwhile", async () => {
  const who = await shopper();
  const key = newKey();
  dies = "checkout:paid";
  expect((await pay(who, GOOD_CARD, key)).status).toBe(500);
  dies = null;
  for (let round = 0; round < 9; round += 1) expect((await saveA(who, DECLINED)).status).toBe(402);
  expectRefused(await saveA(who, GOOD_CARD));
  const [attempt] = await db.checkout_attempt.findMany({ where: { customer_id: who.customer.id } });
  const again = await who.post(
    "/checkout",
    { ...CHOICE, card: GOOD_CARD, expectedTotal: attempt!.order_total_cents / 100 },
    { ...who.from, "idempotency-key": key },
  );
  expect(again.status, JSON.stringify(again.body)).toBe(201);
  expect(await db.order.count({ where: { customer_id: who.customer.id } })).toBe(1);
  // It succeeded, so one more may be tried.
  expect((await saveA(who, DECLINED)).status).toBe(402);
  expectRefused(await saveA(who, GOOD_CARD));
  expect(await market.audit()).toEqual([]);
});

test("payment attempts: after thirty declined ones of one address every customer there is refused, others are not", async () => {
  const from = newAddress();
  for (const who of [await shopper(from), await shopper(from), await shopper(from)])
    for (let round = 0; round < 10; round += 1) expect((await saveA(who, DECLINED)).status).toBe(402);
  const neighbor = await shopper(from);
  expectRefused(await saveA(neighbor, GOOD_CARD), " from your internet connection");
  expectRefused(await pay(neighbor, GOOD_CARD), " from your internet connection");
  expect(
    await db.mail.findMany({ where: { to_email: neighbor.customer.email!, template: "payment-limit" } }),
  ).toMatchObject([{ data: { by: "address" } }]);
  expect((await saveA({ ...neighbor, from: newAddress() }, GOOD_CARD)).status).toBe(200);
});

test(
  "codes: after twenty wrong ones in an hour, of discounts and gift cards together, not even the right one is looked at",
  { tags: ["fail:K3", "fail:K1"] },
  async () => {
    await db.discount_code.create({ data: { code: "WELCOME10", amount_cents: 500 } });
    const who = await shopper();
    await who.put("/cart", [eggs.line(1)]);
    const quote = (discountCode: string | null) => who.post("/checkout/quote", { ...CHOICE, discountCode });
    const discount = (code: string | null) => who.put("/cart/discount", { code });
    // Right codes do not count.
    for (let round = 0; round < 25; round += 1) expect((await quote("WELCOME10")).status).toBe(200);
    const placeOrder = () => who.post("/checkout", { ...CHOICE, discountCode: "NOPE", expectedTotal: 1 });
    for (let round = 0; round < 5; round += 1) {
      expect(tried(await quote("NOPE"))).toEqual([422, "bad_code"]);
      expect(tried(await discount("NOPE"))).toEqual([422, "bad_code"]);
      expect(tried(await placeOrder())).toEqual([422, "bad_code"]);
      expect(tried(await who.post("/gift-cards/redeem", { code: newGiftCode() }))).toEqual([422, "bad_code"]);
    }
    for (const answer of [
      await quote("WELCOME10"),
      await discount("WELCOME10"),
      await at(second, who).put("/cart/discount", { code: "WELCOME10" }),
    ]) {
      expect(tried(answer)).toEqual([429, "code_limit"]);
      expect(answer.body[0]).toMatch(/^Too many wrong codes\. Please try again in about \d+ minutes\.$/);
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    }
    // Without a code everything goes on.
    expect((await discount(null)).status).toBe(200);
    expect((await quote(null)).status).toBe(200);
    expect((await pay(who, GOOD_CARD)).status).toBe(201);
  },
);

test("codes: many wrong ones at once are answered twenty times; a guest's count by their address", async () => {
  const from = newAddress();
  const guest = async () => {
    const browser = market.shopper();
    expect((await browser.post(`/auth/guest?hubId=${hub.id}`, undefined, from)).status).toBe(200);
    return browser;
  };
  const browsers = [await guest(), await guest(), await guest()];
  const answers = await Promise.all(
    Array.from({ length: size(60, 300) }, (_, place) =>
      browsers[place % 3]!.put("/cart/discount", { code: `GUESS${place}` }, from),
    ),
  );
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(20);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(answers.length - 20);
  const other = { ...(await guest()), from: newAddress() };
  expect((await other.put("/cart/discount", { code: "GUESS" }, other.from)).status).toBe(422);
});

test("gift cards: a day more than 366 days ahead is refused", async () => {
  const who = await shopper();
  const buy = (deliverOn: string) => who.post("/gift-cards", { ...GIFT, deliverOn, card: GOOD_CARD }, who.from);
  expect((await buy("2027-11-24")).status).toBe(201);
  for (const day of ["2027-11-25", "9999-12-31"]) {
    const { status, body } = await buy(day);
    expect([status, body[0], body[1].field]).toEqual([400, "Choose a day within the next year.", "deliverOn"]);
  }
});
