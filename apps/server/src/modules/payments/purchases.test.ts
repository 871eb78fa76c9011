import { execute, sql } from "@marketday/db";
import { size } from "@marketday/db/testing";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  cardRef,
  CHOICE,
  createCustomer,
  createHub,
  createProduct,
  GOOD_CARD,
  newKey,
  PASSWORD,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { offlinePayments, ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { planDeliveries } from "../../jobs/week.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import type { Context } from "../identity/context.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { renewWagonPasses } from "../wagon-pass/renew-wagon-pass.ts";
import { resumeAbandonedPurchases } from "./buy.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const hub = await createHub(db);

async function customer() {
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  const login = () => browser.post("/auth/login", { username: row.email, password: PASSWORD });
  await login();
  return { row, browser, login };
}
const job = (name: string): Context => ({ now: market.clock.now(), actor: { type: "system", job: name }, deps });
const DECLINED = { ...GOOD_CARD, number: "4000000000000002" };
const card = {
  amount: 50,
  recipientEmail: "friend@example.com",
  message: "Eat well",
  deliverOn: "2026-11-23",
  card: GOOD_CARD,
};
const chargesOf = (customerId: number) =>
  db.payment.findMany({ where: { customer_id: customerId }, orderBy: { created_at: "asc" } });

async function codeOf(id: number): Promise<string> {
  const mail = await db.mail.findUniqueOrThrow({ where: { key: `gift-card:${id}` } });
  return (mail.data as { code: string }).code;
}

describe("payment methods", () => {
  test(
    "are kept, chosen and taken off; the newest of the rest becomes the default",
    { tags: ["fail:G1"] },
    async () => {
      const { browser } = await customer();
      expect((await browser.get("/payment-methods")).body).toEqual([]);
      await browser.post("/payment-methods", { card: GOOD_CARD });
      const two = (
        await browser.post("/payment-methods", {
          card: { ...GOOD_CARD, number: "5555555555554444", expYear: GOOD_CARD.expYear + 1 },
        })
      ).body;
      expect(two).toMatchObject([
        { brand: "visa", last4: "4242", isDefault: true },
        { brand: "mastercard", last4: "4444", expYear: GOOD_CARD.expYear + 1, isDefault: false },
      ]);
      expect(Object.keys(two[0]).toSorted()).toEqual(["brand", "expMonth", "expYear", "id", "isDefault", "last4"]);
      const chosen = (await browser.put(`/payment-methods/${two[1].id}/default`)).body;
      expect(chosen[0]).toMatchObject({ last4: "4444", isDefault: true });
      const stranger = await customer();
      expect((await stranger.browser.put(`/payment-methods/${two[1].id}/default`)).status).toBe(404);
      expect((await stranger.browser.delete(`/payment-methods/${two[1].id}`)).status).toBe(404);
      const left = (await browser.delete(`/payment-methods/${two[1].id}`)).body;
      expect(left).toMatchObject([{ last4: "4242", isDefault: true }]);
      expect((await browser.post("/payment-methods", { card: DECLINED })).status).toBe(402);
    },
  );
});

describe("gift cards", () => {
  test(
    "are paid, mailed on their day with the only copy of the code, and redeemed once",
    { tags: ["spec:1-04", "fail:V5"] },
    async () => {
      const buyer = await customer();
      const bought = await buyer.browser.post("/gift-cards", { ...card, deliverOn: "2026-12-24" });
      expect([bought.status, bought.body.deliverOn]).toEqual([201, "2026-12-24"]);
      // The receipt of the buyer.
      expect(await sendDueMail(deps)).toBe(1);
      const code = await codeOf(bought.body.id);
      expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
      market.clock.set("2026-12-24T12:00:00Z");
      expect(await sendDueMail(deps)).toBe(1);
      market.clock.set("2026-11-23T17:00:00Z");
      const mail = await db.mail.findUniqueOrThrow({ where: { key: `gift-card:${bought.body.id}` } });
      expect([mail.to_email, mail.data]).toEqual(["friend@example.com", {}]);
      const finder = await customer();
      const redeemed = await finder.browser.post("/gift-cards/redeem", { code: ` ${code.toLowerCase()} ` });
      expect([redeemed.status, redeemed.body.credit]).toEqual([200, 50]);
      const spent = await finder.browser.post("/gift-cards/redeem", { code });
      const wrong = await finder.browser.post("/gift-cards/redeem", { code: "AAAA-BBBB-CCCC-DDDD" });
      expect([spent.status, spent.body]).toEqual([422, wrong.body]);
      expect(await chargesOf(buyer.row.id)).toMatchObject([
        { state: "captured", amount_cents: 5000, captured_cents: 5000 },
      ]);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("today is the market's date, not Greenwich's: in the evening a card can still go out at once", async () => {
    const { browser } = await customer();
    try {
      // Eight in the evening of the 23rd in Indiana.
      market.clock.set("2026-11-24T01:00:00Z");
      const bought = await browser.post("/gift-cards", { ...card, deliverOn: "2026-11-23" });
      expect([bought.status, bought.body.deliverOn]).toEqual([201, "2026-11-23"]);
      const mail = await db.mail.findUniqueOrThrow({ where: { key: `gift-card:${bought.body.id}` } });
      expect(mail.next_at === null || mail.next_at <= market.clock.now()).toBe(true);
      expect((await browser.post("/gift-cards", { ...card, deliverOn: "2026-11-22" })).status).toBe(400);
    } finally {
      market.clock.set("2026-11-23T17:00:00Z");
    }
  });

  test("twenty tabs redeem a code once", { tags: ["fail:K2"] }, async () => {
    for (let round = 0; round < size(2, 20); round += 1) {
      const { browser, row } = await customer();
      const { id } = (await browser.post("/gift-cards", card)).body;
      const code = await codeOf(id);
      const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post("/gift-cards/redeem", { code })));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await db.customer.findUniqueOrThrow({ where: { id: row.id } })).toMatchObject({ credit_cents: 5000 });
    }
    expect(await market.audit()).toEqual([]);
  });

  test("a refused card, a silent provider or bad input buys nothing", { tags: ["spec:6-04"] }, async () => {
    const { browser, row } = await customer();
    const bad: [object, number][] = [
      [{ card: DECLINED }, 402],
      [{ card: { ...GOOD_CARD, number: "4000000000000119" } }, 503],

      [{ card: null }, 422],
      [{ amount: 9.99 }, 400],
      [{ amount: 500.01 }, 400],
      [{ amount: 20.001 }, 400],
      [{ deliverOn: "2026-11-22" }, 400],
      [{ recipientEmail: '"a" <b@example.com>' }, 400],
    ];
    for (const [part, status] of bad)
      expect([part, (await browser.post("/gift-cards", { ...card, ...part })).status]).toEqual([part, status]);
    expect(await db.gift_card.count({ where: { buyer_id: row.id } })).toBe(0);
    for (const { state } of await chargesOf(row.id)) expect(["failed", "voided"]).toContain(state);
    const guest = market.shopper();
    await guest.post("/auth/guest?zipCode=46032");
    expect((await guest.post("/gift-cards", card)).status).toBe(401);
    expect((await guest.post("/gift-cards/redeem", { code: "x" })).status).toBe(401);
  });

  test("gift card: one's own saved card pays; another customer's, another provider's and a removed one do not, and a typed card is not saved", async () => {
    const [buyer, stranger] = [await customer(), await customer()];
    expect((await buyer.browser.post("/gift-cards", card)).status).toBe(201);
    expect((await buyer.browser.get("/payment-methods")).body).toEqual([]);
    const { card: typed, ...order } = card;
    const saved = async ({ browser }: typeof buyer): Promise<number> =>
      (await browser.post("/payment-methods", { card: typed })).body[0].id;
    const [own, other] = [await saved(buyer), await saved(stranger)];
    const buyWith = async (paymentMethodId: number) => {
      const { status, body } = await buyer.browser.post("/gift-cards", { ...order, paymentMethodId });
      return status === 201 ? status : [status, body[1].code];
    };
    expect([await buyWith(own), await buyWith(other)]).toEqual([201, [422, "payment_required"]]);
    const removed = { provider: "test", deleted_at: market.clock.now(), is_default: false };
    for (const data of [{ provider: "stripe" }, removed]) {
      await db.payment_method.update({ where: { id: own }, data });
      expect(await buyWith(own)).toEqual([422, "payment_required"]);
      expect((await buyer.browser.get("/payment-methods")).body).toEqual([]);
    }
    expect((await chargesOf(buyer.row.id)).map((payment) => payment.payment_method_id)).toEqual([null, own]);
    expect(await market.audit()).toEqual([]);
  });

  test("gift card and wagon pass: a market that takes no cards sells neither", async () => {
    const { browser, row } = await customer();
    const { payments } = deps;
    Object.assign(deps, { payments: offlinePayments() });
    try {
      for (const { status, body } of [
        await browser.post("/gift-cards", card),
        await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD }),
      ])
        expect([status, body[1]?.code]).toEqual([422, "no_cards"]);
    } finally {
      Object.assign(deps, { payments });
    }
    expect(await chargesOf(row.id)).toEqual([]);
  });

  test("gift card: the bank releases the money before it is captured: nothing is bought, and the next try is", async () => {
    const { browser, row } = await customer();
    const { capture } = deps.payments;
    deps.payments.capture = async ({ key }) => {
      await db.test_charge.updateMany({ where: { idempotency_key: key }, data: { state: "voided" } });
      return "gone";
    };
    try {
      const { status, body } = await browser.post("/gift-cards", card);
      expect([status, body[1].code]).toEqual([503, "payments_down"]);
    } finally {
      deps.payments.capture = capture;
    }
    expect(await db.gift_card.count({ where: { buyer_id: row.id } })).toBe(0);
    expect(await chargesOf(row.id)).toMatchObject([{ state: "voided", captured_cents: 0 }]);
    expect((await browser.post("/gift-cards", card)).status).toBe(201);
    expect(await market.audit()).toEqual([]);
  });

  test("purchase sweep: a purchase is finished 20 seconds after it began, and a challenge stays open for ten minutes", async () => {
    const [dead, challenged] = [await customer(), await customer()];
    points.plan["purchase:authorized"] = "throw";
    expect((await dead.browser.post("/gift-cards", card)).status).toBe(500);
    delete points.plan["purchase:authorized"];
    const order = { ...card, card: { ...GOOD_CARD, number: "4000002500003155" } };
    expect((await challenged.browser.post("/gift-cards", order)).status).toBe(202);
    const began = market.clock.now().getTime();
    try {
      for (const [seconds, ...states] of [
        [19, "authorized", "challenge"],
        [20, "captured", "challenge"],
        [599, "captured", "challenge"],
        [600, "captured", "voided"],
      ] as const) {
        market.clock.set(new Date(began + seconds * 1000));
        await resumeAbandonedPurchases(job("purchases"));
        const [[first], [second]] = await Promise.all([chargesOf(dead.row.id), chargesOf(challenged.row.id)]);
        expect([seconds, first!.state, second!.state]).toEqual([seconds, ...states]);
      }
    } finally {
      market.clock.set("2026-11-23T17:00:00Z");
    }
  });

  test.each(["purchase:written", "purchase:authorized", "purchase:captured", "purchase:granted"])(
    "a step that fails (%s) ends in one card and one charge, or in neither",
    { tags: ["fail:B9"] },
    async (point) => {
      const { browser, row } = await customer();
      const key = { "idempotency-key": newKey() };
      points.plan[point] = "throw";
      expect((await browser.post("/gift-cards", card, key)).status).toBe(500);
      delete points.plan[point];
      const again = await browser.post("/gift-cards", card, key);
      expect(again.status, JSON.stringify(again.body)).toBe(201);
      expect(await db.gift_card.count({ where: { buyer_id: row.id } })).toBe(1);
      expect((await chargesOf(row.id)).filter(({ state }) => state === "captured")).toHaveLength(1);
      points.plan[point] = "throw";
      const lost = await customer();
      await lost.browser.post("/gift-cards", card);
      delete points.plan[point];
      market.clock.advance(30_000);
      await resumeAbandonedPurchases(job("purchases"));
      market.clock.set("2026-11-23T17:00:00Z");
      const [charge] = await chargesOf(lost.row.id);
      expect(await db.gift_card.count({ where: { buyer_id: lost.row.id } })).toBe(charge!.state === "captured" ? 1 : 0);
      expect(["captured", "voided"]).toContain(charge!.state);
      expect(await market.audit()).toEqual([]);
    },
  );
});

test(
  "a shopper whose response was lost finds it bought, once, and nothing is left open",
  { tags: ["fail:V12", "fail:B1"] },
  async () => {
    const { browser, row } = await customer();
    const key = { "idempotency-key": newKey() };
    const never = Promise.withResolvers<void>();
    points.passed.length = 0;
    points.plan["purchase:authorized"] = { until: never.promise };
    const reached = points.reached("purchase:authorized");
    const unheard = browser.post("/gift-cards", card, key);
    await reached;
    delete points.plan["purchase:authorized"];
    try {
      market.clock.advance(6 * 60_000);
      await resumeAbandonedPurchases(job("purchases"));
      await resumeAbandoned(job("checkouts"));
      expect(await market.audit()).toEqual([]);
      expect((await browser.post("/gift-cards", card, key)).status).toBe(201);
    } finally {
      never.resolve();
      await unheard;
      market.clock.set("2026-11-23T17:00:00Z");
    }
    expect(await db.gift_card.count({ where: { buyer_id: row.id } })).toBe(1);
    expect((await chargesOf(row.id)).filter(({ state }) => state === "captured")).toHaveLength(1);
  },
);

describe("the wagon pass", () => {
  test(
    "costs 13.95 a month or 139.95 a year, saves the delivery fee, and runs out when cancelled",
    { tags: ["spec:1-03"] },
    async () => {
      const { browser, row } = await customer();
      expect((await browser.get("/wagon-pass")).body).toEqual({
        status: null,
        plan: null,
        renewsOn: null,
        endsOn: null,
        isOverdue: false,
      });
      const bought = await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
      expect(bought.body).toEqual({
        status: "active",
        plan: "monthly",
        renewsOn: "2026-12-23",
        endsOn: null,
        isOverdue: false,
      });
      expect(await chargesOf(row.id)).toMatchObject([{ amount_cents: 1395, state: "captured" }]);
      expect((await browser.get("/account/profile")).body).toMatchObject({
        isWagonPassActive: true,
        paymentInfo: { last4: "4242" },
      });
      expect((await browser.post("/wagon-pass", { plan: "yearly", card: GOOD_CARD })).status).toBe(409);
      const yearly = await customer();
      await yearly.browser.post("/wagon-pass", { plan: "yearly", card: GOOD_CARD });
      expect(await chargesOf(yearly.row.id)).toMatchObject([{ amount_cents: 13_995 }]);
      expect((await browser.delete("/wagon-pass")).body).toEqual({
        status: "cancelled",
        plan: "monthly",
        renewsOn: null,
        endsOn: "2026-12-23",
        isOverdue: false,
      });
      // Another customer's pass is not canceled with it.
      expect((await yearly.browser.get("/wagon-pass")).body).toMatchObject({
        status: "active",
        renewsOn: "2027-11-23",
      });
      expect(await market.audit()).toEqual([]);
    },
  );

  test(
    "a cancelled pass is free delivery to its last day, for the profile and the checkout alike",
    { tags: ["fail:K10"] },
    async () => {
      const { browser, login } = await customer();
      const eggs = await createProduct(db, hub.id, { inventory: 50 });
      await browser.put("/cart", [eggs.line(1)]);
      const free = async () => {
        const { isWagonPassActive } = (await browser.get("/account/profile")).body;
        const { fees } = (await browser.post("/checkout/quote", CHOICE)).body;
        return [isWagonPassActive, fees.delivery];
      };
      expect(await free()).toEqual([false, 8.95]);
      await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
      await browser.delete("/wagon-pass");
      try {
        // The last evening of December 23rd in Indiana, and the first minute after it.
        market.clock.set("2026-12-24T04:59:00Z");
        await planDeliveries(job("deliveries"));
        await login();
        expect(await free()).toEqual([true, 0]);
        market.clock.set("2026-12-24T05:01:00Z");
        expect(await free()).toEqual([false, 8.95]);
      } finally {
        market.clock.set("2026-11-23T17:00:00Z");
      }
    },
  );

  test(
    "a pass bought while a cancelled one is paid for goes on from its last day: no day is paid twice",
    { tags: ["fail:K10"] },
    async () => {
      const { browser, row, login } = await customer();
      await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
      await browser.delete("/wagon-pass");
      const again = await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
      expect(again.body).toEqual({
        status: "active",
        plan: "monthly",
        renewsOn: "2027-01-23",
        endsOn: null,
        isOverdue: false,
      });
      expect(await chargesOf(row.id)).toMatchObject([{ amount_cents: 1395 }, { amount_cents: 1395 }]);
      expect((await browser.delete("/wagon-pass")).body).toMatchObject({ status: "cancelled", endsOn: "2027-01-23" });
      try {
        market.clock.set("2027-01-24T17:00:00Z");
        await login();
        // Run out: the next one begins today.
        const { body } = await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
        expect(body).toMatchObject({ status: "active", renewsOn: "2027-02-24" });
      } finally {
        market.clock.set("2026-11-23T17:00:00Z");
      }
      expect(await market.audit()).toEqual([]);
    },
  );

  test("while the bank asks about a pass, a second one is refused in words that say so", async () => {
    const { browser } = await customer();
    const challenged = await browser.post("/wagon-pass", {
      plan: "monthly",
      card: { ...GOOD_CARD, number: "4000002500003155" },
    });
    expect(challenged.status).toBe(202);
    const other = await browser.post("/wagon-pass", { plan: "yearly", card: GOOD_CARD });
    expect([other.status, other.body[0], other.body[1].code]).toEqual([
      409,
      "A payment for your wagon pass is under way. Please finish it, or try again in ten minutes.",
      "being_bought",
    ]);
    const { paymentId } = challenged.body.challenge;
    // Another tab's request finishes it at this moment.
    await db.payment.update({ where: { id: paymentId }, data: { state: "authorized" } });
    const twice = await browser.post(`/purchases/${paymentId}/complete`, {});
    expect([twice.status, twice.body[1].code]).toEqual([409, "still_running"]);
    await db.payment.update({ where: { id: paymentId }, data: { state: "challenge" } });
    // Approved unless the shopper says otherwise.
    expect((await browser.post(`/purchases/${paymentId}/complete`, {})).status).toBe(200);
    const third = await browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
    expect([third.status, third.body[0]]).toEqual([409, "Your wagon pass is active already."]);
  });

  test("ten clicks buy one pass", { tags: ["fail:K10"] }, async () => {
    const { browser, row } = await customer();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await chargesOf(row.id)).filter(({ state }) => state === "captured")).toHaveLength(1);
    expect(await db.wagon_pass.count({ where: { customer_id: row.id } })).toBe(1);
  });

  const passOf = async (customerId: number) => {
    const pass = await db.wagon_pass.findFirstOrThrow({ where: { customer_id: customerId } });
    return [
      pass.status,
      pass.renews_on?.toISOString().slice(0, 10) ?? null,
      pass.ends_on?.toISOString().slice(0, 10) ?? null,
    ];
  };
  const capturedOf = async (customerId: number) =>
    (await chargesOf(customerId)).filter(({ state }) => state === "captured").length;
  const tellsOf = (email: string) =>
    db.mail
      .findMany({
        where: {
          template: { in: ["wagon-pass-declined", "wagon-pass-unconfirmed", "wagon-pass-lapsed"] },
          to_email: email,
        },
        orderBy: { id: "asc" },
      })
      .then((mails) => mails.map(({ template }) => template));
  const renewAt = (at: string) => {
    market.clock.set(at);
    return renewWagonPasses(job("wagon-passes"));
  };
  /** A customer with a monthly pass, renewed on December 23, whose card is now this one. */
  async function holder(card?: string) {
    const who = await customer();
    await who.browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
    if (card)
      await db.payment_method.updateMany({
        where: { customer_id: who.row.id },
        data: { provider_ref: cardRef(card, who.row.id) },
      });
    return who;
  }

  test("wagon pass: begins and renews by the market's date, once on two servers; an unavailable provider is called again", async () => {
    // Still November 23 in Indiana, already November 24 in UTC.
    market.clock.set("2026-11-24T03:00:00Z");
    const { row } = await holder();
    expect(await passOf(row.id)).toEqual(["active", "2026-12-23", null]);
    const real = deps.payments.authorize;
    try {
      // December 22 in Indiana, December 23 in UTC.
      await renewAt("2026-12-23T04:59:59Z");
      expect([await capturedOf(row.id), await passOf(row.id)]).toEqual([1, ["active", "2026-12-23", null]]);
      deps.payments.authorize = () => Promise.reject(new ProviderUnavailable("away"));
      await renewAt("2026-12-23T05:00:00Z");
      const { id } = await db.wagon_pass.findFirstOrThrow({ where: { customer_id: row.id } });
      const failures = () => db.job_failure.findMany({ where: { job: "wagon-passes", subject: `pass ${id}` } });
      expect(await failures()).toMatchObject([{ tries: 1 }]);
      expect(await passOf(row.id)).toEqual(["active", "2026-12-23", null]);
      deps.payments.authorize = real;
      await Promise.all([renewWagonPasses(job("wagon-passes")), renewWagonPasses(job("wagon-passes"))]);
      await renewWagonPasses(job("wagon-passes"));
      expect([await capturedOf(row.id), await passOf(row.id)]).toEqual([2, ["active", "2027-01-23", null]]);
      expect(await tellsOf(row.email!)).toEqual([]);
      expect(await failures()).toEqual([]);
    } finally {
      deps.payments.authorize = real;
      market.clock.set("2026-11-23T17:00:00Z");
    }
    expect(await market.audit()).toEqual([]);
  });

  test("wagon pass: a declined renewal is retried 1, 3 and 6 days later with one email, and then the pass ends", async () => {
    market.clock.set("2026-11-23T17:00:00Z");
    const poor = await holder(DECLINED.number);
    const mended = await holder(DECLINED.number);
    try {
      const declined = async () => (await chargesOf(poor.row.id)).filter(({ state }) => state !== "captured").length;
      const seen: unknown[] = [];
      for (const at of [
        "2026-12-23T06:00:00Z",
        "2026-12-23T18:00:00Z",
        "2026-12-24T06:00:00Z",
        "2026-12-25T06:00:00Z",
        "2026-12-26T06:00:00Z",
      ]) {
        await Promise.all([renewAt(at), renewAt(at)]);
        seen.push([await declined(), (await passOf(poor.row.id))[0]]);
      }
      expect(seen).toEqual([
        [1, "active"],
        [1, "active"],
        [2, "active"],
        [2, "active"],
        [3, "active"],
      ]);
      expect(await tellsOf(poor.row.email!)).toEqual(["wagon-pass-declined"]);
      await poor.login();
      expect((await poor.browser.get("/account/profile")).body.isWagonPassActive).toBe(true);
      // Another card before the last try: one period is paid, and its days do not move.
      await db.payment_method.updateMany({
        where: { customer_id: mended.row.id },
        data: { provider_ref: cardRef(GOOD_CARD.number, mended.row.id) },
      });
      await renewAt("2026-12-29T06:00:00Z");
      expect([await declined(), await passOf(poor.row.id)]).toEqual([4, ["lapsed", null, "2026-12-23"]]);
      expect(await tellsOf(poor.row.email!)).toEqual(["wagon-pass-declined", "wagon-pass-lapsed"]);
      expect([await capturedOf(mended.row.id), await passOf(mended.row.id)]).toEqual([
        2,
        ["active", "2027-01-23", null],
      ]);
      expect(await tellsOf(mended.row.email!)).toEqual(["wagon-pass-declined"]);
      await renewAt("2027-01-10T06:00:00Z");
      expect(await declined()).toBe(4);
    } finally {
      market.clock.set("2026-11-23T17:00:00Z");
    }
    expect(await market.audit()).toEqual([]);
  });

  test.each<[string, string, (customerId: number) => Promise<unknown>]>([
    [
      "that the bank challenges",
      "wagon-pass-unconfirmed",
      (customerId) =>
        db.payment_method.updateMany({
          where: { customer_id: customerId },
          data: { provider_ref: cardRef("4000002500003155", customerId) },
        }),
    ],
    [
      "whose card was removed",
      "wagon-pass-declined",
      (customerId) =>
        db.payment_method.updateMany({
          where: { customer_id: customerId },
          data: { deleted_at: market.clock.now(), is_default: false },
        }),
    ],
  ])(
    "wagon pass: a renewal %s counts as declined, with an email (%s), and takes nothing",
    async (_, template, change) => {
      market.clock.set("2026-11-23T17:00:00Z");
      const { row } = await holder();
      await change(row.id);
      try {
        await renewAt("2026-12-23T06:00:00Z");
        expect(await db.wagon_pass.findFirstOrThrow({ where: { customer_id: row.id } })).toMatchObject({
          status: "active",
          declined: 1,
          retry_at: new Date("2026-12-24T06:00:00Z"),
        });
        expect([await capturedOf(row.id), await tellsOf(row.email!)]).toEqual([1, [template]]);
      } finally {
        market.clock.set("2026-11-23T17:00:00Z");
      }
      expect(await market.audit()).toEqual([]);
    },
  );

  test("wagon pass: bought on the last day of January it renews on the last of February and of March, on the default card", async () => {
    market.clock.set("2027-01-31T17:00:00Z");
    try {
      const { row, browser } = await holder();
      const [first] = (await browser.get("/payment-methods")).body;
      // A newer card, which is not the default.
      await browser.post("/payment-methods", { card: { ...GOOD_CARD, number: "5555555555554444" } });
      expect(await passOf(row.id)).toEqual(["active", "2027-02-28", null]);
      await renewAt("2027-02-28T17:00:00Z");
      expect(await passOf(row.id)).toEqual(["active", "2027-03-31", null]);
      expect((await chargesOf(row.id)).map((payment) => payment.payment_method_id)).toEqual([null, first.id]);
    } finally {
      market.clock.set("2026-11-23T17:00:00Z");
    }
  });

  test("wagon pass: while the market takes no cards it waits, and afterwards one period is charged, not each that passed", async () => {
    market.clock.set("2026-11-23T17:00:00Z");
    const { row } = await holder();
    const { payments } = deps;
    try {
      Object.assign(deps, { payments: { ...payments, name: "offline", takesCards: false } });
      await renewAt("2026-12-23T06:00:00Z");
      await renewAt("2027-02-10T06:00:00Z");
      expect([await capturedOf(row.id), await passOf(row.id), await tellsOf(row.email!)]).toEqual([
        1,
        ["active", "2026-12-23", null],
        [],
      ]);
      Object.assign(deps, { payments });
      await renewAt("2027-02-10T06:05:00Z");
      await renewAt("2027-02-10T06:10:00Z");
      expect([await capturedOf(row.id), await passOf(row.id)]).toEqual([2, ["active", "2027-02-23", null]]);
    } finally {
      Object.assign(deps, { payments });
      market.clock.set("2026-11-23T17:00:00Z");
    }
    expect(await market.audit()).toEqual([]);
  });

  test("wagon pass: a run that dies while it writes a declined renewal leaves both the next try and its mail, or neither", async () => {
    market.clock.set("2026-11-23T17:00:00Z");
    const { row } = await holder(DECLINED.number);
    try {
      await execute(
        db,
        sql`create function no_pass_mail() returns trigger language plpgsql as $$ begin raise exception 'no mail'; end $$`,
      );
      await execute(
        db,
        sql`create trigger no_pass_mail before insert on mail for each row when (new.template like 'wagon-pass%') execute function no_pass_mail()`,
      );
      await renewAt("2026-12-23T06:00:00Z");
      expect((await db.wagon_pass.findFirstOrThrow({ where: { customer_id: row.id } })).declined).toBe(0);
      await execute(db, sql`drop trigger no_pass_mail on mail`);
      await renewAt("2026-12-23T06:05:00Z");
      expect((await db.wagon_pass.findFirstOrThrow({ where: { customer_id: row.id } })).declined).toBe(1);
      expect(await tellsOf(row.email!)).toEqual(["wagon-pass-declined"]);
    } finally {
      await execute(db, sql`drop trigger if exists no_pass_mail on mail`);
      await execute(db, sql`drop function if exists no_pass_mail()`);
      market.clock.set("2026-11-23T17:00:00Z");
    }
  });

  test("one that cannot be renewed does not keep those after it waiting", async () => {
    const broken = await customer();
    await broken.browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
    const next = await customer();
    await next.browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
    const real = deps.payments.authorize;
    try {
      market.clock.set("2026-12-23T06:00:00Z");
      deps.payments.authorize = (request) =>
        request.customerId === broken.row.id ? Promise.reject(new Error("a defect of ours")) : real(request);
      await renewWagonPasses(job("wagon-passes"));
    } finally {
      deps.payments.authorize = real;
      market.clock.set("2026-11-23T17:00:00Z");
    }
    expect(await chargesOf(next.row.id)).toHaveLength(2);
    expect(await db.wagon_pass.findFirstOrThrow({ where: { customer_id: broken.row.id } })).toMatchObject({
      status: "active",
    });
  });

  test("cancelled while its renewal is being paid: it runs out at the end of what was paid for", async () => {
    const who = await customer();
    await who.browser.post("/wagon-pass", { plan: "monthly", card: GOOD_CARD });
    const cancelled = Promise.withResolvers<void>();
    points.passed.length = 0;
    points.plan["purchase:captured"] = { until: cancelled.promise };
    try {
      market.clock.set("2026-12-23T06:00:00Z");
      const reached = points.reached("purchase:captured");
      const renewing = renewWagonPasses(job("wagon-passes"));
      await reached;
      expect((await who.browser.delete("/wagon-pass")).body).toMatchObject({ endsOn: "2026-12-23" });
      delete points.plan["purchase:captured"];
      cancelled.resolve();
      await renewing;
      expect((await chargesOf(who.row.id)).filter(({ state }) => state === "captured")).toHaveLength(2);
      expect((await who.browser.get("/wagon-pass")).body).toMatchObject({ status: "cancelled", endsOn: "2027-01-23" });
      expect((await who.browser.get("/account/profile")).body).toMatchObject({ isWagonPassActive: true });
    } finally {
      delete points.plan["purchase:captured"];
      cancelled.resolve();
      market.clock.set("2026-11-23T17:00:00Z");
    }
    expect(await market.audit()).toEqual([]);
  });
});
