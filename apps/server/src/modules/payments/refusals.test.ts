import { beforeEach, describe, expect, test } from "vitest";

import { MONDAY } from "../../../test/app.ts";
import { createHub, createProduct, GOOD_CARD, newKey } from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { ASKING, refusingStripe } from "../../../test/refusing-stripe.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";
import { findFailures } from "../job-failures/failure-sql.ts";
import { explainPacked } from "../orders/explain-packed.ts";
import { sampleOrder } from "../orders/find-order-for-mail.ts";
import { chargeDueOrders } from "./charge-order.ts";
import { renewHolds } from "./renew-holds.ts";

const CUTOFF = "2026-11-25T06:00:00Z";
const WORDS = "We can't take cards right now. You have not been charged.";

const { market, fake, db, context, saveCard, mailsTo, templatesTo, intentsOf } = await refusingStripe();
beforeEach(() => {
  market.clock.set(MONDAY);
  fake.clearTroubles();
});

type Browser = Awaited<ReturnType<typeof signIn>>;

async function shopper(preOrderDate: string | null = null) {
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { priceCents: 700, preOrderDate });
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [eggs.line(1)]);
  return { hub, eggs, who };
}
const choiceOf = (hub: { pickup_points: { id: number }[] }, part: object) => ({
  type: "pickup",
  pickupPointId: hub.pickup_points[0]!.id,
  tipPercentage: 0,
  ...part,
});
async function pay(who: Browser, choice: object) {
  const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
  return who.post("/checkout", { ...choice, expectedTotal: orderTotal }, { "idempotency-key": newKey() });
}
/** Nothing is wrong after the sweeps, which run every minute. */
async function expectAgreement() {
  await resumeAbandoned(context());
  expect(await market.audit()).toEqual([]);
}
/** Reasons that `market doctor` shows. */
const refusalsShown = async () =>
  (await findFailures(db, market.clock.now()))
    .filter(({ job }) => job === "payments")
    .map(({ reason, tries }) => [reason, tries]);

describe("checkout: refused", () => {
  test.for<[name: string, status: number, error: object, code: string, words: string | RegExp]>([
    ["account", 400, { type: "invalid_request_error", code: "account_invalid" }, "payments_down", WORDS],
    ["country", 400, { type: "invalid_request_error", code: "country_unsupported" }, "payments_down", WORDS],
    ["currency", 400, { type: "invalid_request_error", param: "currency" }, "payments_down", WORDS],
    ["key", 401, { type: "authentication_error", code: "api_key_expired" }, "payments_down", WORDS],
    ["permission", 403, { type: "invalid_request_error", code: "permission" }, "payments_down", WORDS],
    ["key of another request", 400, { type: "idempotency_error" }, "payments_down", WORDS],
    ["limit", 400, { type: "invalid_request_error", code: "charge_exceeds_source_limit" }, "payments_down", WORDS],
    ["method", 400, { type: "invalid_request_error", code: "payment_method_unactivated" }, "payments_down", WORDS],
    ["amount", 400, { type: "invalid_request_error", code: "amount_too_large" }, "payments_down", WORDS],
    [
      "lost",
      402,
      { type: "card_error", code: "card_declined", decline_code: "lost_card" },
      "card_unusable",
      /declined/,
    ],
    ["expired", 402, { type: "card_error", code: "expired_card" }, "card_expired", /expired/],
    ["cvc", 402, { type: "card_error", code: "incorrect_cvc" }, "card_incorrect", /security code/],
    ["test card", 402, { type: "card_error", decline_code: "testmode_decline" }, "card_unsupported", /can't be used/],
    ["bank", 402, { type: "card_error", code: "processing_error" }, "bank_unavailable", /bank couldn't be reached/],
    ["limit of the card", 402, { type: "card_error", decline_code: "card_velocity_exceeded" }, "card_limit", /limit/],
  ])(
    "%s: nothing is charged or ordered, the stock is free, and the words name the cause",
    async ([, status, error, code, words]) => {
      const { hub, eggs, who } = await shopper();
      const choice = choiceOf(hub, { confirmationToken: tokenOf(GOOD_CARD.number) });
      fake.trouble("POST payment_intents", { status, error: { message: "Stripe's own words.", ...error } });
      const { status: answered, body } = await pay(who, choice);
      expect([answered, body[1].code]).toEqual([code === "payments_down" ? 503 : 402, code]);
      expect(body[0]).toMatch(words);
      expect(body[0]).not.toContain("Stripe");
      if (code === "payments_down" || code === "bank_unavailable") expect(body[0]).not.toMatch(/card was|declined/i);
      expect(await db.order.count({ where: { customer_id: who.customer.id } })).toBe(0);
      expect(await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).toMatchObject({
        inventory: 10,
      });
      const shown = await refusalsShown();
      expect(shown).toHaveLength(code === "payments_down" ? 1 : 0);
      // The next payment goes through, and nothing is left to show.
      const again = await pay(who, choiceOf(hub, { confirmationToken: tokenOf(GOOD_CARD.number) }));
      expect(again.status, JSON.stringify(again.body)).toBe(201);
      expect(await refusalsShown()).toEqual([]);
      market.clock.set(MONDAY);
      expect(await market.audit()).toEqual([]);
    },
  );

  test("saved cards and gift cards: a reason of the market's is not the card's, and counts as no decline", async () => {
    const { who } = await shopper();
    const error = { type: "invalid_request_error", code: "account_invalid", message: "No." };
    fake.trouble("POST setup_intents", { status: 400, error });
    const saved = await who.post("/payment-methods", { confirmationToken: tokenOf(GOOD_CARD.number) });
    expect([saved.status, saved.body[0]]).toEqual([503, WORDS]);
    fake.trouble("POST payment_intents", { status: 400, error });
    const bought = await who.post("/gift-cards", {
      amount: 20,
      recipientEmail: "friend@example.com",
      message: "",
      deliverOn: "2026-11-23",
      confirmationToken: tokenOf(GOOD_CARD.number),
    });
    expect([bought.status, bought.body[0]]).toEqual([503, WORDS]);
    expect(await refusalsShown()).toEqual([["The payment provider refused: account_invalid: No..", 2]]);
  });
});

describe("the charge of a closed order: refused", () => {
  /** A closed order whose hold lapsed, and whose new charge is refused with `error`. */
  async function closed(error: object | null, number: string = GOOD_CARD.number, status = 402) {
    const { hub, who } = await shopper();
    const methodId = await saveCard(who, number);
    const challenged = await pay(who, choiceOf(hub, { paymentMethodId: methodId }));
    if (challenged.status === 202) {
      fake.answerBank((await intentsOf(who)).at(-1)!.id, true);
      await who.post(`/checkout/${challenged.body.challenge.attemptId}/complete`, {});
    }
    const { id } = await db.order.findFirstOrThrow({ where: { customer_id: who.customer.id } });
    fake.expire((await intentsOf(who)).at(-1)!.id);
    if (error) fake.trouble("POST payment_intents", { status, error: { message: "No.", ...error } });
    await runWeek(context(CUTOFF));
    return { who, id };
  }
  const orderOf = (id: number) => db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });

  test("the bank wants it confirmed: a mail says so, and it is not requested again until there is another card", async () => {
    const { who, id } = await closed(null, ASKING);
    expect(await orderOf(id)).toMatchObject({
      charge_error: "The bank needs the shopper to confirm this payment.",
      charge_next_at: null,
    });
    const { text } = (await mailsTo(who)).find(({ template }) => template === "payment-unconfirmed")!;
    expect(text).toMatch(/only when you confirm it/);
    expect(text).not.toMatch(/declined/);
    const problem = async () => (await who.get(`/orders/${id}`)).body.paymentProblem;
    expect(await problem()).toBe("bank");
    const requests = (await intentsOf(who)).length;
    await chargeDueOrders(context("2026-11-28T06:00:00Z"));
    expect(await intentsOf(who)).toHaveLength(requests);
    // The same card again is no other card.
    const [{ id: asking }] = (await who.get("/payment-methods")).body;
    await who.put(`/payment-methods/${asking}/default`);
    expect(await saveCard(who, ASKING)).toBe(asking);
    await chargeDueOrders(context("2026-11-28T06:00:30Z"));
    expect(await intentsOf(who)).toHaveLength(requests);
    const other = await saveCard(who, GOOD_CARD.number);
    await chargeDueOrders(context("2026-11-28T06:01:00Z"));
    expect((await orderOf(id)).payment).toMatchObject({ state: "captured", payment_method_id: other });
    expect(await problem()).toBeNull();
    expect(await intentsOf(who)).toHaveLength(requests + 1);
    expect((await who.get("/payment-methods")).body[0]).toMatchObject({ id: other, isDefault: true });
    expect(await templatesTo(who)).toEqual(["order-confirmation", "payment-unconfirmed", "order-charged"]);
    await expectAgreement();
  });

  test("another saved card becomes the default: it is charged, and a mail says so, and that the order is being packed", async () => {
    const { hub, who } = await shopper();
    const other = await saveCard(who, GOOD_CARD.number);
    const asking = await saveCard(who, ASKING);
    await who.put(`/payment-methods/${asking}/default`);
    const challenged = await pay(who, choiceOf(hub, { paymentMethodId: asking }));
    fake.answerBank((await intentsOf(who)).at(-1)!.id, true);
    await who.post(`/checkout/${challenged.body.challenge.attemptId}/complete`, {});
    fake.expire((await intentsOf(who)).at(-1)!.id);
    await runWeek(context(CUTOFF));
    await who.put(`/payment-methods/${other}/default`);
    await chargeDueOrders(context("2026-11-25T06:01:00Z"));
    expect(await templatesTo(who)).toEqual(["order-confirmation", "payment-unconfirmed", "order-charged"]);
    const { text } = (await mailsTo(who)).find(({ template }) => template === "order-charged")!;
    expect(text).toContain("There is nothing left to pay.");
    expect(text).toContain("Being packed. Pick it up at Depot 1 on Thursday.");
    await expectAgreement();
  });

  test("the mail of a paid order: on the day itself says where the box is only if the hub packs unpaid orders", () => {
    const eve = { ...sampleOrder, status: "pending", now: new Date("2026-11-25T15:00:00Z") };
    const onTheDay = { ...eve, now: new Date("2026-11-26T15:00:00Z") };
    expect([explainPacked(eve), explainPacked(onTheDay)]).toEqual([
      ["Being packed. It comes on Thursday."],
      ["On its way to you today."],
    ]);
    const [unpacked, unpackedOnTheDay] = [eve, onTheDay].map((order) =>
      explainPacked({ ...order, packs_unpaid: false }),
    );
    expect([unpacked, unpackedOnTheDay]).toEqual([["Being packed. It comes on Thursday."], []]);
  });

  test("a card that is added while no card was refused does not become the default", async () => {
    const { who, id } = await closed({ type: "invalid_request_error", code: "account_invalid" }, GOOD_CARD.number, 400);
    const other = await saveCard(who, ASKING);
    expect((await who.get("/payment-methods")).body.find((card: { id: number }) => card.id === other)).toMatchObject({
      isDefault: false,
    });
    await chargeDueOrders(context("2026-11-25T06:01:00Z"));
    expect((await orderOf(id)).payment).toMatchObject({ state: "captured" });
  });

  test("the market's reason: no mail, the operator reads it, and it is charged when the reason is gone", async () => {
    const { who, id } = await closed(
      { type: "invalid_request_error", code: "charge_exceeds_source_limit" },
      GOOD_CARD.number,
      400,
    );
    expect((await orderOf(id)).charge_error).toBe(
      "The payment provider takes no cards for this market (charge_exceeds_source_limit: No.).",
    );
    expect(await templatesTo(who)).toEqual(["order-confirmation"]);
    expect((await who.get(`/orders/${id}`)).body).toMatchObject({ paymentProblem: null, packed: "all" });
    await chargeDueOrders(context("2026-11-25T06:01:00Z"));
    expect((await orderOf(id)).payment).toMatchObject({ state: "captured" });
    await expectAgreement();
  });

  test("an expired card is not charged again automatically; a declined one a day later", async () => {
    const expired = await closed({ type: "card_error", code: "expired_card" });
    expect(await orderOf(expired.id)).toMatchObject({ charge_next_at: null });
    expect(await templatesTo(expired.who)).toContain("payment-failed");
    expect((await expired.who.get(`/orders/${expired.id}`)).body.paymentProblem).toBe("card");
    market.clock.set(MONDAY);
    const poor = await closed({ type: "card_error", code: "card_declined", decline_code: "insufficient_funds" });
    expect(await orderOf(poor.id)).toMatchObject({ charge_next_at: new Date("2026-11-26T06:00:00Z") });
  });
});

describe("a hold that is renewed: refused", () => {
  async function early(number: string) {
    const { hub, who } = await shopper("2026-12-03");
    const methodId = await saveCard(who, number);
    const challenged = await pay(who, choiceOf(hub, { paymentMethodId: methodId }));
    if (challenged.status === 202) {
      fake.answerBank((await intentsOf(who)).at(-1)!.id, true);
      await who.post(`/checkout/${challenged.body.challenge.attemptId}/complete`, {});
    }
    return who;
  }

  test("the bank wants it confirmed: mail and banner say so, and the bank is requested once", async () => {
    const who = await early(ASKING);
    for (const at of ["2026-11-28T06:00:01Z", "2026-11-29T06:20:00Z", "2026-11-30T06:20:00Z"])
      await renewHolds(context(at));
    expect((await intentsOf(who)).map(({ status }) => status)).toEqual(["requires_capture", "canceled"]);
    expect(await templatesTo(who)).toEqual(["order-confirmation", "hold-unconfirmed"]);
    const banners = (await who.get("/cart")).body.banners as { id: string; title: string }[];
    expect(banners.find(({ id }) => id.startsWith("hold-lost"))?.title).toMatch(/^Your bank needs to confirm/);
    // The card that the shopper adds then is charged when the order closes.
    const other = await saveCard(who, GOOD_CARD.number);
    expect((await who.get("/payment-methods")).body[0]).toMatchObject({ id: other, isDefault: true });
    await expectAgreement();
  });

  test("the market's reason: nothing is lost, no mail, and it is renewed later", async () => {
    const who = await early(GOOD_CARD.number);
    const error = { type: "invalid_request_error", code: "account_invalid", message: "No." };
    fake.trouble("POST payment_intents", { status: 400, error });
    await renewHolds(context("2026-11-28T06:00:01Z"));
    expect((await intentsOf(who)).map(({ status }) => status)).toEqual(["requires_capture"]);
    await renewHolds(context("2026-11-28T06:30:00Z"));
    expect((await intentsOf(who)).map(({ status }) => status)).toEqual(["canceled", "requires_capture"]);
    expect(await templatesTo(who)).toEqual(["order-confirmation"]);
    await expectAgreement();
  });
});
