import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct } from "../../../test/factories.ts";
import { tokenOf } from "../../../test/fake-stripe.ts";
import { signIn } from "../../../test/sign-in.ts";
import { testStripe } from "../../../test/test-stripe.ts";
import { offlinePayments, ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { findUnmatchedHolds } from "./find-unmatched-holds.ts";

const fake = await testStripe({ webhookSecret: "whsec_of_unmatched_holds_012345", now: () => market.clock.now() });
const market = await buildTestApp({
  env: {
    PAYMENTS: "stripe",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_of_unmatched_holds_012345",
    STRIPE_API_URL: fake.url,
  },
});
const { db, deps } = market;
const { card: _card, ...WITHOUT_CARD } = CHOICE;
const compare = (on: Parameters<typeof findUnmatchedHolds>[0] = deps) => findUnmatchedHolds(on);
const NOTHING = { unmatched: [], uncheckedCount: 0 };

/** An order whose card is authorized, its charge at the provider and its payment. */
async function ordered() {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [eggs.line(1)]);
  const chosen = { ...WITHOUT_CARD, confirmationToken: tokenOf("4242424242424242") };
  const { orderTotal } = (await who.post("/checkout/quote", chosen)).body;
  const placed = await who.post("/checkout", { ...chosen, expectedTotal: orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const payment = await db.payment.findFirstOrThrow({ where: { customer_id: who.customer.id } });
  const intent = fake.intents.get(payment.provider_ref!)!;
  return {
    payment,
    intent,
    named: { key: payment.charge_key, ref: intent.id, amountCents: payment.amount_cents },
    set: (data: Parameters<typeof db.payment.update>[0]["data"]) =>
      db.payment.update({ where: { id: payment.id }, data }),
  };
}

test(
  "comparison of holds: an authorized order is at both sides, and nothing is named",
  { tags: ["fail:V4"] },
  async () => {
    await ordered();
    expect(await compare()).toEqual(NOTHING);
  },
);

test("comparison of holds: what the provider holds and no payment knows is named, unless another market made it", async () => {
  const { intent, payment } = await ordered();
  const copy = (part: object) => {
    const id = `pi_${randomUUID()}`;
    fake.intents.set(id, { ...intent, id, metadata: { ...intent.metadata, marketday_key: randomUUID() }, ...part });
    return id;
  };
  const ref = copy({});
  const byHand = copy({ metadata: {} });
  copy({ customer: "cus_of_another_market" });
  copy({ customer: null, metadata: {} });
  const { unmatched } = await compare();
  expect(unmatched).toEqual([
    { kind: "unknown", key: null, ref: byHand, amountCents: payment.amount_cents },
    { kind: "unknown", key: expect.any(String), ref, amountCents: payment.amount_cents },
  ]);
  for (const id of [...fake.intents.keys()].filter((each) => each.includes("-"))) fake.intents.delete(id);
});

test(
  "comparison of holds: one whose payment has ended is named, unless it is looked up",
  { tags: ["fail:V4"] },
  async () => {
    const { named, set } = await ordered();
    await set({ state: "voided" });
    expect((await compare()).unmatched).toEqual([{ kind: "ended", ...named, state: "voided" }]);
    await set({ look_again_at: market.clock.now() });
    expect(await compare()).toEqual(NOTHING);
    await set({ state: "authorized", look_again_at: null });
  },
);

test("comparison of holds: one that the provider has no longer is named, until it is known to be lost", async () => {
  const { intent, named, set } = await ordered();
  fake.expire(intent.id);
  expect((await compare()).unmatched).toEqual([{ kind: "missing", ...named, state: "voided" }]);
  await set({ next_key: randomUUID() });
  expect(await compare()).toEqual(NOTHING);
  await set({ next_key: null, hold_lost_at: market.clock.now() });
  expect(await compare()).toEqual(NOTHING);
});

test("comparison of holds: a list that lags behind names nothing, the provider's record decides", async () => {
  const { intent, payment, set } = await ordered();
  const lagging = async (open: Awaited<ReturnType<typeof deps.payments.listOpen>>) =>
    compare({ db, payments: { ...deps.payments, listOpen: async () => open } });
  const before = await deps.payments.listOpen();
  expect(before.find(({ key }) => key === payment.charge_key)).toMatchObject({ ref: intent.id, isOfOurCustomer: true });
  // Authorized since the list was made.
  expect(await lagging(before.filter(({ key }) => key !== payment.charge_key))).toEqual(NOTHING);
  // Voided since, here and there.
  fake.expire(intent.id);
  await set({ state: "voided" });
  expect(await lagging(before)).toEqual(NOTHING);
});

test("comparison of holds: of many missing ones 200 are looked up, and the rest is counted", async () => {
  const { payment } = await ordered();
  const keys = Array.from({ length: 202 }, () => randomUUID());
  await db.payment.createMany({
    data: keys.map((key) => ({
      id: key,
      charge_key: key,
      customer_id: payment.customer_id,
      provider: "stripe",
      state: "authorized",
      amount_cents: 100,
      created_at: market.clock.now(),
    })),
  });
  const { unmatched, uncheckedCount } = await compare();
  expect(unmatched).toHaveLength(200);
  expect(uncheckedCount).toBe(2);
  await db.payment.deleteMany({ where: { id: { in: keys } } });
});

test(
  "comparison of holds: without cards nothing is compared; a provider that is away throws",
  { tags: ["fail:B10"] },
  async () => {
    expect(await compare({ db, payments: offlinePayments() })).toEqual(NOTHING);
    fake.down = true;
    await expect(compare()).rejects.toThrow(ProviderUnavailable);
    fake.down = false;
  },
);
