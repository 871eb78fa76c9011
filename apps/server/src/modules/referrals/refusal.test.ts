import { randomUUID } from "node:crypto";

import { Quote } from "@marketday/contracts/checkout";
import type { ReferralMatch } from "@marketday/domain/referral";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { cardNumber, createHub, createProduct, PASSWORD } from "../../../test/factories.ts";
import { runWeek } from "../../jobs/week.ts";

const MONDAY = "2026-11-23T17:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";

const market = await buildTestApp();
const { db, deps } = market;
market.clock.set(MONDAY);
const hub = await createHub(db, { taxRatePpm: 0, processingPpm: 0, processingFixedCents: 0 });
const ham = await createProduct(db, hub.id, { priceCents: 5000, inventory: 900 });

/** The identifying data of a person. */
interface Identity {
  email: string;
  phone: string;
  street: string;
  card: string;
}

let people = 0;
function newIdentity(): Identity {
  people += 1;
  return {
    email: `robin.baker.${people}@example.com`,
    phone: `(317) 555-${String(1000 + people)}`,
    street: `${people} North Elm Street, Apt 4`,
    card: cardNumber(people),
  };
}

const cardOf = (number: string) => ({ number, expMonth: 12, expYear: 2030, cvc: "123" });
const homeOf = ({ street }: Identity) => ({ address: street, city: "Carmel", state: "IN", zipCode: "46032" });

/** Registers a customer with a ham in the cart through the API. */
async function register(identity: Identity, referrer: number | null = null) {
  const browser = market.shopper();
  const { status, body } = await browser.post("/auth/register", {
    email: identity.email,
    password: PASSWORD,
    zipCode: "46032",
    firstName: "Robin",
    lastName: "Baker",
    ...(referrer !== null && { referredByCustomerId: referrer }),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect((await browser.put("/account/profile", { phone: identity.phone })).status).toBe(200);
  expect((await browser.put("/cart", [ham.line(1)])).status).toBe(200);
  return { id: body.id as number, browser, identity };
}
type Customer = Awaited<ReturnType<typeof register>>;
type Type = "delivery" | "pickup";

const choiceOf = (identity: Identity, type: Type) => ({
  ...(type === "delivery"
    ? { type, deliveryAddress: homeOf(identity) }
    : { type, pickupPointId: hub.pickup_points[0]!.id }),
  card: cardOf(identity.card),
});
async function quoteOf({ browser }: Customer, choice: object) {
  const { status, body } = await browser.post("/checkout/quote", choice);
  expect(status, JSON.stringify(body)).toBe(200);
  return Quote.parse(body);
}
async function buy(who: Customer, choice: object): Promise<void> {
  const { orderTotal } = await quoteOf(who, choice);
  const { status, body } = await who.browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
}
const referralOf = (friend: Customer) => db.referral.findUniqueOrThrow({ where: { friend_id: friend.id } });
const liveChargesOf = async ({ id }: Customer) =>
  db.payment.findMany({
    where: { customer_id: id, state: { in: ["created", "challenge", "authorized", "captured"] } },
  });

/** Credits that the cutoff at the end of this file is expected to give, in cents. */
const credits = new Map<number, number>();

interface Case {
  match: ReferralMatch;
  /** Actions of the first person besides an ordinary first order. */
  first?: (who: Customer) => Promise<unknown>;
  /** The identifying data that both share. */
  shared: (of: Identity) => Partial<Identity>;
  /** Actions of the friend before the checkout. */
  before?: (friend: Customer) => Promise<unknown>;
  /** The match is known only after the authorization: the first attempt is rejected with the new total. */
  isKnownLate?: boolean;
}
const saveCard = ({ browser, identity }: Customer) =>
  browser.post("/payment-methods", { card: cardOf(identity.card) }).then(({ status }) => expect(status).toBe(200));
const saveAddress = ({ browser, identity }: Customer) =>
  browser
    .put("/account/profile", { deliveryAddress: homeOf(identity) })
    .then(({ status, body }) => expect(status, JSON.stringify(body)).toBe(200));
const CASES: [string, Case][] = [
  [
    "email with a tag and different dots",
    {
      match: "email",
      shared: ({ email }) => ({ email: email.replaceAll(".", "").replace("@examplecom", "+again@example.com") }),
    },
  ],
  [
    "card that the first person entered for an order",
    { match: "card", shared: ({ card }) => ({ card }), isKnownLate: true },
  ],
  [
    "card that the first person has saved",
    {
      match: "card",
      first: async (who) => {
        await saveCard(who);
        who.identity = { ...who.identity, card: cardNumber(9_000_000 + people) };
      },
      shared: ({ card }) => ({ card }),
      isKnownLate: true,
    },
  ],
  ["card that the friend has saved", { match: "card", shared: ({ card }) => ({ card }), before: saveCard }],
  [
    "address in different notation",
    {
      match: "address",
      shared: ({ street }) => ({ street: street.replace("North Elm Street, Apt", "n. ELM st  #") }),
      before: saveAddress,
    },
  ],
  [
    "phone in different notation",
    { match: "phone", shared: ({ phone }) => ({ phone: `+1 ${phone.replace(/\D/g, "")}` }) },
  ],
];

describe("referral: a friend who is the same person", { tags: ["fail:M4", "fail:K4"] }, () => {
  test.for(
    CASES.flatMap(([name, about]) =>
      (["the referrer", "another friend"] as const).flatMap((role) =>
        (["delivery", "pickup"] as const).map((type) => ({ name, about, role, type })),
      ),
    ),
  )(
    "matched by the $name of $role ($type) gets no discount, and the referrer no credit",
    async ({ about, role, type }) => {
      const referrer = await register(newIdentity());
      await buy(referrer, choiceOf(referrer.identity, "delivery"));
      credits.set(referrer.id, 0);
      let first = referrer;
      if (role === "another friend") {
        first = await register(newIdentity(), referrer.id);
        credits.set(referrer.id, 2000);
      }
      const firstIdentity = first.identity;
      await about.first?.(first);
      if (role === "another friend") await buy(first, choiceOf(first.identity, "delivery"));

      const friend = await register({ ...newIdentity(), ...about.shared(firstIdentity) }, referrer.id);
      if (type === "pickup" || about.match === "card") await about.before?.(friend);
      const choice = choiceOf(friend.identity, type);
      let quote = await quoteOf(friend, choice);
      if (about.isKnownLate) {
        expect(quote).toMatchObject({ discountAmount: 20, referralNote: null });
        const late = await friend.browser.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
        expect([late.status, late.body[1].code]).toEqual([409, "total_changed"]);
        expect(await liveChargesOf(friend)).toEqual([]);
        expect(await db.order.count({ where: { customer_id: friend.id } })).toBe(0);
        quote = Quote.parse(late.body[1].quote);
      }
      expect(quote.discountAmount).toBe(0);
      expect(quote.orderTotal).toBe(type === "delivery" ? 58.95 : 50);
      expect(quote.referralNote).toMatch(
        new RegExp(`your .*${about.match}.* is already used by the person who invited you`),
      );
      const placed = await friend.browser.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      expect(await liveChargesOf(friend)).toMatchObject([{ amount_cents: Math.round(quote.orderTotal * 100) }]);
      expect(await referralOf(friend)).toMatchObject({ refused: about.match, order_id: null });
    },
  );
});

test.for<Type>(["delivery", "pickup"])(
  "referral: an honest friend (%s) gets the discount and the referrer the credit",
  { tags: ["fail:M4", "spec:9-23"] },
  async (type) => {
    const referrer = await register(newIdentity());
    await buy(referrer, choiceOf(referrer.identity, "delivery"));
    credits.set(referrer.id, 2000);
    const friend = await register(newIdentity(), referrer.id);
    expect((await friend.browser.get("/cart")).body.discounts).toMatchObject([{ amount: 20 }]);
    expect(await quoteOf(friend, choiceOf(friend.identity, type))).toMatchObject({
      discountAmount: 20,
      referralNote: null,
    });
    await buy(friend, choiceOf(friend.identity, type));
    expect(await referralOf(friend)).toMatchObject({ refused: null, order_id: expect.any(Number) });
    expect(await db.payment.findFirstOrThrow({ where: { customer_id: friend.id } })).toMatchObject({
      card_fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      payment_method_id: null,
    });
  },
);

test("referral: an address that comes with a pickup does not count, neither in the quote nor in the order", async () => {
  const referrer = await register(newIdentity());
  await buy(referrer, choiceOf(referrer.identity, "delivery"));
  credits.set(referrer.id, 2000);
  const friend = await register(newIdentity(), referrer.id);
  const choice = { ...choiceOf(friend.identity, "pickup"), deliveryAddress: homeOf(referrer.identity) };
  expect(await quoteOf(friend, choice)).toMatchObject({ discountAmount: 20, referralNote: null });
  await buy(friend, choice);
  expect(await referralOf(friend)).toMatchObject({ refused: null, order_id: expect.any(Number) });
});

test(
  "referral: a friend who shares a phone with another friend who never ordered gets the discount; the other then does not",
  { tags: ["fail:M4"] },
  async () => {
    const referrer = await register(newIdentity());
    await buy(referrer, choiceOf(referrer.identity, "delivery"));
    credits.set(referrer.id, 2000);
    const [first, second] = [await register(newIdentity(), referrer.id), newIdentity()];
    const friend = await register({ ...second, phone: first.identity.phone }, referrer.id);
    expect((await quoteOf(friend, choiceOf(friend.identity, "pickup"))).discountAmount).toBe(20);
    await buy(friend, choiceOf(friend.identity, "pickup"));
    expect((await quoteOf(first, choiceOf(first.identity, "pickup"))).discountAmount).toBe(0);
  },
);

test("referral: concurrent first orders of a friend use the discount once", { tags: ["fail:K5"] }, async () => {
  const referrer = await register(newIdentity());
  credits.set(referrer.id, 2000);
  const friend = await register(newIdentity(), referrer.id);
  const choice = choiceOf(friend.identity, "delivery");
  const { orderTotal } = await quoteOf(friend, choice);
  const tabs = await Promise.all(
    [1, 2, 3].map(() => friend.browser.post("/checkout", { ...choice, expectedTotal: orderTotal })),
  );
  expect(tabs.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  await friend.browser.put("/cart", [ham.line(1)]);
  expect(await quoteOf(friend, choice)).toMatchObject({ discountAmount: 0, referralNote: null });
  await buy(friend, choice);
  const orders = await db.order.findMany({ where: { customer_id: friend.id }, orderBy: { created_at: "asc" } });
  expect(orders.map(({ discount_cents }) => discount_cents)).toEqual([2000, 0]);
});

test(
  "referral: a first order emptied before the cutoff restores the discount and gives no credit",
  { tags: ["fail:K5"] },
  async () => {
    const [cancels, returns] = await Promise.all(
      [0, 2000].map(async (credit) => {
        const referrer = await register(newIdentity());
        credits.set(referrer.id, credit);
        const friend = await register(newIdentity(), referrer.id);
        await buy(friend, choiceOf(friend.identity, "delivery"));
        const { id } = await db.order.findFirstOrThrow({ where: { customer_id: friend.id } });
        const emptied = await friend.browser.post("/orders/edit-order", { order: { id, items: [] } });
        expect([emptied.status, emptied.body]).toEqual([200, { deleted: true }]);
        expect(await referralOf(friend)).toMatchObject({ order_id: null, refused: null });
        return friend;
      }),
    );
    expect(await liveChargesOf(cancels!)).toEqual([]);
    // A later order of the friend can use it, once.
    const choice = choiceOf(returns!.identity, "delivery");
    await returns!.browser.put("/cart", [ham.line(1)]);
    expect((await quoteOf(returns!, choice)).discountAmount).toBe(20);
    await buy(returns!, choice);
    expect(await referralOf(returns!)).toMatchObject({ order_id: expect.any(Number) });
  },
);

test("referral: an unsaved card that paid for a gift card counts as the buyer's", { tags: ["fail:M4"] }, async () => {
  const referrer = await register(newIdentity());
  const gift = { recipientEmail: "pat@example.com", message: "", amount: 25, deliverOn: "2026-11-24" };
  const bought = await referrer.browser.post("/gift-cards", { ...gift, card: cardOf(referrer.identity.card) });
  expect(bought.status, JSON.stringify(bought.body)).toBeLessThan(300);
  credits.set(referrer.id, 0);
  const friend = await register({ ...newIdentity(), card: referrer.identity.card }, referrer.id);
  const choice = choiceOf(friend.identity, "pickup");
  const { orderTotal } = await quoteOf(friend, choice);
  const late = await friend.browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
  expect([late.status, late.body[1]]).toMatchObject([409, { code: "total_changed", quote: { discountAmount: 0 } }]);
  await buy(friend, choice);
});

test(
  "referral: friends of one referrer who pay concurrently with one card get one discount",
  { tags: ["fail:M4", "fail:K5"] },
  async () => {
    const referrer = await register(newIdentity());
    credits.set(referrer.id, 2000);
    const card = cardNumber(7_000_000);
    const friends = await Promise.all(
      Array.from({ length: 4 }, () => register({ ...newIdentity(), card }, referrer.id)),
    );
    const answers = await Promise.all(
      friends.map(async (friend) => {
        const choice = choiceOf(friend.identity, "delivery");
        const { orderTotal } = await quoteOf(friend, choice);
        expect(orderTotal).toBe(38.95);
        return friend.browser.post("/checkout", { ...choice, expectedTotal: orderTotal });
      }),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
    for (const { body } of answers.filter(({ status }) => status === 409))
      expect(body[1]).toMatchObject({ code: "total_changed", quote: { orderTotal: 58.95 } });
    const rows = await db.referral.findMany({ where: { referrer_id: referrer.id } });
    expect(rows.filter(({ order_id }) => order_id !== null)).toHaveLength(1);
    expect(rows.filter(({ refused }) => refused === "card")).toHaveLength(3);
  },
);

test(
  "referral: at the cutoff referrers get credits for honest friends only, and doctor reports pairs that match later",
  { tags: ["fail:M4", "fail:K5", "fail:V7", "spec:9-23"] },
  async () => {
    market.clock.set(CUTOFF);
    await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
    const rows = await db.customer.findMany({ where: { id: { in: [...credits.keys()] } } });
    expect(new Map(rows.map(({ id, credit_cents }) => [id, credit_cents]))).toEqual(credits);
    expect(await market.audit()).toEqual([]);

    // The card of a friend with a deleted account still counts as used for the discount.
    const deleted = await db.referral.findFirstOrThrow({
      where: { credited_at: { not: null }, order: { type: "pickup" } },
      include: { friend: true, order: { include: { payment: true } } },
    });
    const browser = market.shopper();
    await browser.post("/auth/login", { username: deleted.friend.email, password: PASSWORD });
    const unused = await db.payment.create({
      data: {
        id: randomUUID(),
        customer_id: deleted.friend_id,
        provider: "test",
        state: "failed",
        amount_cents: 1000,
        card_fingerprint: "another card",
        purpose: { kind: "wagon-pass", plan: "monthly", passId: null },
        created_at: new Date(MONDAY),
      },
    });
    await db.order.updateMany({ where: { customer_id: deleted.friend_id }, data: { status: "closed" } });
    expect((await browser.delete("/account", { password: PASSWORD })).status).toBe(200);
    expect(await db.payment.findUniqueOrThrow({ where: { id: unused.id } })).toMatchObject({ card_fingerprint: null });
    const same = await register(newIdentity(), deleted.referrer_id);
    await db.payment_method.create({
      data: {
        customer_id: same.id,
        provider: "test",
        provider_ref: randomUUID(),
        brand: "visa",
        last4: "4242",
        exp_month: 12,
        exp_year: 2030,
        fingerprint: deleted.order!.payment!.card_fingerprint!,
      },
    });
    expect(await quoteOf(same, choiceOf(same.identity, "pickup"))).toMatchObject({
      discountAmount: 0,
      referralNote: expect.stringContaining("your card"),
    });

    const { referrer_id, friend_id } = await db.referral.findFirstOrThrow({
      where: { credited_at: { not: null }, order: { type: "delivery" }, referrer: { orders: { some: {} } } },
      orderBy: { friend_id: "asc" },
    });
    const problemOf = (match: string) => ({
      invariant: "V7",
      problem: `referral of ${friend_id} was credited, but the referrer ${referrer_id} has the same ${match}`,
    });
    // An address, a saved card or a card of a payment shared only after the credit is not reported.
    const afterCredit = new Date("2026-12-24T12:00:00Z");
    const moved = await db.address.create({
      data: {
        customer_id: referrer_id,
        ...(await db.address.findFirstOrThrow({
          where: { customer_id: friend_id },
          select: { address: true, address2: true, city: true, state: true, zip_code: true },
        })),
        created_at: afterCredit,
      },
    });
    const { card_fingerprint } = await db.payment.findFirstOrThrow({ where: { customer_id: friend_id } });
    const saved = await db.payment_method.create({
      data: {
        customer_id: referrer_id,
        provider: "test",
        provider_ref: randomUUID(),
        brand: "visa",
        last4: "4242",
        exp_month: 12,
        exp_year: 2030,
        fingerprint: card_fingerprint!,
        created_at: afterCredit,
      },
    });
    const later = await db.payment.create({
      data: {
        id: randomUUID(),
        customer_id: referrer_id,
        provider: "test",
        state: "failed",
        amount_cents: 1000,
        card_fingerprint,
        purpose: { kind: "wagon-pass", plan: "monthly", passId: null },
        created_at: afterCredit,
      },
    });
    expect(await market.audit()).toEqual([]);
    await db.payment.update({ where: { id: later.id }, data: { created_at: new Date(MONDAY) } });
    expect(await market.audit()).toEqual([problemOf("card")]);
    await db.payment.delete({ where: { id: later.id } });
    await db.address.update({ where: { id: moved.id }, data: { created_at: new Date(MONDAY) } });
    expect(await market.audit()).toEqual([problemOf("address")]);
    await db.payment_method.update({ where: { id: saved.id }, data: { created_at: new Date(MONDAY) } });
    expect(await market.audit()).toEqual([problemOf("card")]);
    await db.payment_method.delete({ where: { id: saved.id } });
    expect(await market.audit()).toEqual([problemOf("address")]);
    await db.payment.updateMany({ where: { customer_id: referrer_id }, data: { card_fingerprint } });
    expect(await market.audit()).toEqual([problemOf("card")]);
  },
);
