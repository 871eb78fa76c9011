import { beforeEach, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, createProduct, newKey, CHOICE, PASSWORD } from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { refundOrder } from "../orders/refund-order.ts";
import { deleteProviderCustomers } from "./cards.ts";

const MONDAY = "2026-11-23T17:00:00Z";
const secret = "whsec_of_the_tests_alone_0123456789";
const fake = await testStripe({ webhookSecret: secret, now: () => market.clock.now() });
const market = await buildTestApp({
  env: {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_URL: fake.url,
  },
});
const { db, deps } = market;
const job = (): Context => ({ now: market.clock.now(), actor: { type: "system", job: "test" }, deps });

beforeEach(() => {
  fake.down = false;
  fake.clearTroubles();
});

/** A customer with a saved card and a delivered order. */
async function formerShopper() {
  market.clock.set(MONDAY);
  const hub = await createHub(db, { now: market.clock.now() });
  const eggs = await createProduct(db, hub.id, { priceCents: 700, inventory: 20 });
  const { id, email } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: email, password: PASSWORD });
  await browser.put("/cart", [eggs.line(1)]);
  const { card: _card, ...rest } = CHOICE;
  const choice = { ...rest, confirmationToken: tokenOf("4242424242424242"), savePaymentMethod: true };
  const { orderTotal } = (await browser.post("/checkout/quote", choice)).body;
  const placed = await browser.post(
    "/checkout",
    { ...choice, expectedTotal: orderTotal },
    { "idempotency-key": newKey() },
  );
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  market.clock.set("2026-11-28T17:00:00Z");
  // Closes the order and takes the money, then marks it delivered.
  await runWeek(job());
  await runWeek(job());
  const { orderId } = placed.body as { orderId: number };
  expect(await db.order.findUniqueOrThrow({ where: { id: orderId } })).toMatchObject({ status: "closed" });
  return { id, email, orderId, leave: () => browser.delete("/account", { password: PASSWORD }) };
}
const atStripe = (email: string | null) => [...fake.customers.values()].filter((one) => one.email === email);
const refOf = async (id: number) => (await db.customer.findUniqueOrThrow({ where: { id } })).stripe_customer_id;

test(
  "who deletes their account is deleted at Stripe; what they paid can still be given back",
  { tags: ["fail:L2"] },
  async () => {
    const who = await formerShopper();
    const other = await formerShopper();
    expect(atStripe(who.email)).toHaveLength(1);
    expect((await who.leave()).status).toBe(200);
    expect(atStripe(who.email)).toEqual([]);
    expect(await refOf(who.id)).toBeNull();
    const [payment] = await db.payment.findMany({ where: { customer_id: who.id } });
    const { amount_received: taken } = fake.intents.get(payment!.provider_ref!)!;
    expect(taken).toBeGreaterThan(0);
    const refund = { amountCents: 200, to: "card", reason: "", key: null } as const;
    expect(await refundOrder(job(), who.orderId, refund)).toMatchObject({ state: "done" });
    expect(fake.ledger().find(({ ref }) => ref === payment!.provider_ref)).toMatchObject({ backCents: 200 });
    // No other customer is deleted.
    await deleteProviderCustomers(job());
    expect(atStripe(other.email)).toHaveLength(1);
    expect(await refOf(other.id)).not.toBeNull();
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "with Stripe away the account is deleted all the same, and the rest is done later",
  { tags: ["fail:L2"] },
  async () => {
    const who = await formerShopper();
    fake.trouble("DELETE customers", "500 before", "500 before", "500 before", "500 before");
    expect((await who.leave()).status).toBe(200);
    expect(await db.customer.findUniqueOrThrow({ where: { id: who.id } })).toMatchObject({ email: null });
    expect(atStripe(who.email)).toHaveLength(1);
    await deleteProviderCustomers(job());
    expect(atStripe(who.email)).toHaveLength(1);
    expect(await refOf(who.id)).not.toBeNull();
    fake.clearTroubles();
    await Promise.all([deleteProviderCustomers(job()), deleteProviderCustomers(job())]);
    expect(atStripe(who.email)).toEqual([]);
    expect(await refOf(who.id)).toBeNull();
  },
);

test(
  "a lost reply, or a customer deleted at the provider by hand, counts as deleted",
  { tags: ["fail:L2"] },
  async () => {
    const [lost, byHand] = [await formerShopper(), await formerShopper()];
    fake.trouble("DELETE customers", "cut after");
    expect((await lost.leave()).status).toBe(200);
    fake.customers.delete((await refOf(byHand.id))!);
    expect((await byHand.leave()).status).toBe(200);
    await deleteProviderCustomers(job());
    expect([await refOf(lost.id), await refOf(byHand.id)]).toEqual([null, null]);
    expect([atStripe(lost.email), atStripe(byHand.email)]).toEqual([[], []]);
  },
);
