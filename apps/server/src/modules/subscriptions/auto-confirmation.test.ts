import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  ADDRESS,
  createAddress,
  createHub,
  createProduct,
  GOOD_CARD,
  newKey,
  setCard,
} from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { signIn } from "../../../test/sign-in.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { renderMail } from "../mail/layout.ts";

const SECRET = "whsec_of_the_tests_alone_0123456789";
/** The bank wants each payment of this card to be confirmed. */
const ASKING = { test: "4000002500003155", stripe: "4000002760003184" } as const;
const RUN = "2026-11-23T18:00:00Z";
const LATER = ["2026-11-24T00:00:00Z", "2026-11-24T06:00:00Z", "2026-11-24T12:00:00Z", "2026-11-25T05:59:00Z"];
const CUTOFF = "2026-11-25T06:00:00Z";

const points = failpoints();
const fake = await testStripe({ webhookSecret: SECRET, now: () => MARKETS.stripe.clock.now() });
const MARKETS = {
  test: await buildTestApp({ overrides: { failpoint: points.at } }),
  stripe: await buildTestApp({
    env: {
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: "sk_test_1",
      STRIPE_PUBLISHABLE_KEY: "pk_test_1",
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_API_URL: fake.url,
    },
    overrides: { failpoint: points.at },
  }),
};

describe.each(["test", "stripe"] as const)("an automatic order that the bank wants to be confirmed, %s", (provider) => {
  const market = MARKETS[provider];
  const { db, deps } = market;
  beforeEach(() => {
    market.clock.set(MONDAY);
    for (const point of Object.keys(points.plan)) delete points.plan[point];
  });
  const context = (at?: string): Context => {
    if (at) market.clock.set(at);
    return { now: market.clock.now(), actor: { type: "system", job: "auto-checkout" }, deps };
  };
  const auto = (at: string) => runAutoCheckouts(context(at));

  type Browser = Awaited<ReturnType<typeof signIn>>;
  /** Saves a card as the default one; with Stripe, the bank confirms it. */
  async function saveCard(who: Browser, number: string): Promise<void> {
    if (provider === "test") return setCard(db, who.customer.id, number);
    const saved = await who.post("/payment-methods", { confirmationToken: tokenOf(number) });
    if (saved.status !== 202) return expect(saved.status).toBe(200);
    const { setupId } = saved.body.challenge;
    fake.answerBank(setupId, true);
    expect((await who.post("/payment-methods/complete", { setupId })).status).toBe(200);
  }
  async function regular() {
    const hub = await createHub(db);
    await runWeek(context());
    const eggs = await createProduct(db, hub.id, { inventory: 4 });
    const who = await signIn(market, { hubId: hub.id });
    await createAddress(db, who.customer.id);
    await saveCard(who, ASKING[provider]);
    await who.put("/subscriptions/status", { enabled: true, status: 1 });
    await who.put("/cart", [eggs.line(2)]);
    return { hub, eggs, who };
  }
  const mailsTo = async (who: Browser) => {
    const mails = await db.mail.findMany({ where: { to_email: who.customer.email! }, orderBy: { id: "asc" } });
    return Promise.all(
      mails.map(async ({ template, data }) => {
        const content = await deps.mailTemplates[template]!.content(deps, data as never, market.clock.now());
        return { template, text: renderMail(content!, deps.env).text };
      }),
    );
  };
  const ordersOf = (who: Browser) => db.order.findMany({ where: { customer_id: who.customer.id } });
  const requestsOf = (who: Browser) => db.payment.count({ where: { customer_id: who.customer.id } });
  const bannerOf = async (who: Browser) =>
    (await who.get("/cart")).body.banners.find(({ id }: { id: string }) => id === "auto-checkout")?.body;
  const stockOf = async (id: number) => (await db.offer.findFirstOrThrow({ where: { variant_id: id } })).inventory;

  /** The shopper checks out with the saved card and confirms the payment at the bank. */
  async function confirm(who: Browser) {
    const { paymentMethods } = (await who.post("/checkout/quote", { type: "delivery", tipPercentage: 0 })).body;
    const choice = {
      type: "delivery",
      deliveryAddress: ADDRESS,
      tipPercentage: 0,
      paymentMethodId: paymentMethods[0].id as number,
    };
    const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
    const challenged = await who.post(
      "/checkout",
      { ...choice, expectedTotal: orderTotal },
      { "idempotency-key": newKey() },
    );
    expect(challenged.status, JSON.stringify(challenged.body)).toBe(202);
    const { attemptId } = challenged.body.challenge;
    return {
      async approve() {
        if (provider === "stripe") {
          const { payment } = await db.checkout_attempt.findUniqueOrThrow({
            where: { id: attemptId },
            include: { payment: true },
          });
          fake.answerBank(payment!.provider_ref!, true);
        }
        return who.post(`/checkout/${attemptId}/complete`, { approve: true });
      },
    };
  }

  test("mail and banner say so until when, and it is not requested again; confirmed at checkout, there is one order", async () => {
    const { eggs, who } = await regular();
    await auto(RUN);
    expect(await mailsTo(who)).toMatchObject([{ template: "auto-checkout-failed" }]);
    const { text } = (await mailsTo(who))[0]!;
    expect(text).toMatch(/your bank needs you to confirm this payment/);
    expect(text).toMatch(/confirm the payment with your bank by 1AM Wednesday/);
    expect(text).toContain("/cart");
    expect(text).not.toMatch(/declined|another card by|again every six hours/);
    expect(await bannerOf(who)).toBe(
      "Your bank needs to confirm this payment. Check out and confirm it by 1AM Wednesday.",
    );
    for (const at of LATER.slice(0, 3)) await auto(at);
    expect([await requestsOf(who), (await mailsTo(who)).length, await stockOf(eggs.variant.id)]).toEqual([1, 1, 4]);
    const { approve } = await confirm(who);
    // The run does not replace the checkout that waits for the bank.
    await auto("2026-11-24T12:01:00Z");
    const placed = await approve();
    expect(placed.status, JSON.stringify(placed.body)).toBe(201);
    expect(await bannerOf(who)).toBeUndefined();
    await who.put("/cart", [eggs.line(1)]);
    await auto("2026-11-24T18:01:00Z");
    await auto(CUTOFF);
    expect(await ordersOf(who)).toMatchObject([{ id: placed.body.orderId, source: "checkout" }]);
    expect(await requestsOf(who)).toBe(2);
    expect((await mailsTo(who)).map(({ template }) => template)).toEqual([
      "auto-checkout-failed",
      "order-confirmation",
    ]);
    expect(await market.audit()).toEqual([]);
  });

  test("not confirmed by the cutoff: no order, the stock is free, and one clear mail", async () => {
    const { eggs, who } = await regular();
    await auto(RUN);
    for (const at of LATER) await auto(at);
    await auto(CUTOFF);
    await auto("2026-11-25T06:01:00Z");
    expect([await ordersOf(who), await requestsOf(who), await stockOf(eggs.variant.id)]).toEqual([[], 1, 4]);
    const mails = await mailsTo(who);
    expect(mails.map(({ template }) => template)).toEqual(["auto-checkout-failed", "auto-checkout-unconfirmed"]);
    expect(mails[1]!.text).toMatch(/Nothing was ordered and you have not been charged/);
    expect(await market.audit()).toEqual([]);
  });

  test("another card becomes the default one: the next try orders with it", async () => {
    const { who } = await regular();
    await auto(RUN);
    await saveCard(who, GOOD_CARD.number);
    if (provider === "stripe") {
      const { id } = await db.payment_method.findFirstOrThrow({
        where: { customer_id: who.customer.id, last4: "4242" },
      });
      await who.put(`/payment-methods/${id}/default`);
    }
    await auto(LATER[0]!);
    expect(await ordersOf(who)).toMatchObject([{ source: "auto" }]);
    expect((await mailsTo(who)).map(({ template }) => template)).toEqual([
      "auto-checkout-failed",
      "order-confirmation",
    ]);
    expect(await market.audit()).toEqual([]);
  });

  test("a server that dies after the bank's answer does not request it again", async () => {
    const { who } = await regular();
    points.plan["auto:ordered"] = "throw";
    await auto(RUN).catch(() => undefined);
    delete points.plan["auto:ordered"];
    for (const at of ["2026-11-23T18:30:00Z", "2026-11-23T19:00:00Z", ...LATER]) await auto(at);
    expect([await requestsOf(who), await ordersOf(who)]).toEqual([1, []]);
    expect((await mailsTo(who)).map(({ template }) => template)).toEqual(["auto-checkout-failed"]);
    expect(await market.audit()).toEqual([]);
  });
});
