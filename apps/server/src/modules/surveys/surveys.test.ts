import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createBundle, createCustomer, createHub, createProduct, PASSWORD } from "../../../test/factories.ts";

const market = await buildTestApp();
const { db, deps } = market;
const hub = await createHub(db);
const eggs = await createProduct(db, hub.id, { inventory: 90 });

async function customer() {
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: row.email, password: PASSWORD });
  return { row, browser };
}
async function buy({ browser }: Awaited<ReturnType<typeof customer>>, product = eggs): Promise<number> {
  await browser.put("/cart", [product.line(1)]);
  const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
  return (await browser.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).body.orderId;
}

test(
  "survey: the first order offers MarketingSource and stores one answer, the next order offers CSAT",
  { tags: ["spec:7.3-04", "spec:7.3-05", "spec:5-45", "spec:3-28", "fail:I16"] },
  async () => {
    const who = await customer();
    const id = await buy(who);
    const offered = (await who.browser.get(`/orders/${id}/survey/`)).body;
    expect(offered).toEqual({
      type: "MarketingSource",
      questionId: "marketingsource",
      vendors: [{ id: eggs.vendor_id, name: expect.any(String) }],
    });
    const answer = (part: object) =>
      who.browser.post(`/orders/${id}/survey`, {
        type: "MarketingSource",
        questionId: offered.questionId,
        response: "From a Farmer/Vendor I Support",
        ...part,
      });
    expect((await answer({})).status).toBe(400);
    expect((await answer({ vendorId: 999_999 })).status).toBe(400);
    const many = await Promise.all(Array.from({ length: 10 }, () => answer({ vendorId: eggs.vendor_id })));
    expect(many.filter(({ status, body }) => status === 200 && body.success === true)).toHaveLength(1);
    expect(await db.survey_answer.findMany({ where: { order_id: id } })).toMatchObject([
      {
        customer_id: who.row.id,
        type: "MarketingSource",
        question_id: "marketingsource",
        response: "From a Farmer/Vendor I Support",
        vendor_id: eggs.vendor_id,
        comment: null,
      },
    ]);
    expect((await who.browser.get(`/orders/${id}/survey/`)).body).toEqual({ type: null, questionId: null });
    const second = await buy(who);
    expect((await who.browser.get(`/orders/${second}/survey/`)).body).toEqual({ type: "CSAT", questionId: "csat" });
    for (const response of [0, 6, 2.5, "5"])
      expect(
        (await who.browser.post(`/orders/${second}/survey`, { type: "CSAT", questionId: "csat", response })).status,
      ).toBe(400);
    const long = await who.browser.post(`/orders/${second}/survey`, {
      type: "CSAT",
      questionId: "csat",
      response: 5,
      comment: "x".repeat(251),
    });
    expect(long.status).toBe(400);
    expect(
      (
        await who.browser.post(`/orders/${second}/survey`, {
          type: "CSAT",
          questionId: "csat",
          response: 5,
          comment: "x".repeat(250),
        })
      ).status,
    ).toBe(200);
  },
);

test("survey: the source is shown once in a customer's life, in one of many tabs, and is answered there", async () => {
  const who = await customer();
  const id = await buy(who);
  const show = (orderId: number, type: string, browser = who.browser) =>
    browser.post(`/orders/${orderId}/survey/shown`, { type, questionId: type.toLowerCase() });
  const other = market.shopper();
  await other.post("/auth/login", { username: who.row.email, password: PASSWORD });
  // Another survey than the offered one is not shown, and shows nothing.
  expect((await show(id, "CSAT")).body).toEqual({ show: false });
  const tabs = await Promise.all(
    [who.browser, other, who.browser, other].map((tab) => show(id, "MarketingSource", tab)),
  );
  expect(tabs.filter(({ status, body }) => status === 200 && body.show)).toHaveLength(1);
  expect((await other.get(`/orders/${id}/survey/`)).body).toEqual({ type: null, questionId: null });
  const shownAt = new Date(deps.clock.now().getTime() - 60_000);
  await db.survey_answer.update({ where: { order_id: id }, data: { created_at: shownAt } });
  const answer = { type: "MarketingSource", questionId: "marketingsource", response: "News story" };
  const answers = await Promise.all([who.browser, other].map((tab) => tab.post(`/orders/${id}/survey`, answer)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  // It keeps its place in turn.
  expect(await db.survey_answer.findUniqueOrThrow({ where: { order_id: id } })).toMatchObject({
    response: "News story",
    created_at: shownAt,
  });

  // Of two orders of one moment, one is the first.
  const twice = await customer();
  const both = [await buy(twice), await buy(twice)];
  const at = new Date(deps.clock.now().getTime() - 1000);
  await db.order.updateMany({ where: { id: { in: both } }, data: { created_at: at } });
  const types = await Promise.all(both.map((one) => twice.browser.get(`/orders/${one}/survey/`)));
  expect(types.map(({ body }) => String(body.type)).toSorted()).toEqual(["CSAT", "MarketingSource"]);
  const sources = await Promise.all(both.map((one) => twice.browser.post(`/orders/${one}/survey`, answer)));
  expect(sources.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await db.survey_answer.count({ where: { customer_id: twice.row.id, type: "MarketingSource" } })).toBe(1);

  // Skipped with the first order, it is not offered again; nor to a customer of several orders.
  const skipping = await customer();
  const first = await buy(skipping);
  expect((await show(first, "MarketingSource", skipping.browser)).body).toEqual({ show: true });
  const second = await buy(skipping);
  const offered = async (orderId: number, { browser } = skipping) =>
    (await browser.get(`/orders/${orderId}/survey/`)).body.type;
  expect([await offered(first), await offered(second)]).toEqual([null, "CSAT"]);
  const regular = await customer();
  await buy(regular);
  await db.order.updateMany({
    where: { customer_id: regular.row.id },
    data: { created_at: new Date(deps.clock.now().getTime() - 1000) },
  });
  expect(await offered(await buy(regular), regular)).toBe("CSAT");
  expect((await show(first, "MarketingSource", (await customer()).browser)).status).toBe(404);
});

test("survey: an answer to a survey or question that was not offered is rejected and the offer stays open", async () => {
  const who = await customer();
  const id = await buy(who);
  const answer = (body: object) => who.browser.post(`/orders/${id}/survey`, body);
  for (const wrong of [
    { type: "NPS", questionId: "marketingsource", response: 5 },
    { type: "NPS", questionId: "nps", response: 5 },
    { type: "MarketingSource", questionId: "csat", response: "News story" },
  ]) {
    const refused = await answer(wrong);
    expect([refused.status, refused.body[1].code]).toEqual([409, "not_offered"]);
  }
  expect((await who.browser.get(`/orders/${id}/survey/`)).body.type).toBe("MarketingSource");
  expect(await db.survey_answer.count({ where: { order_id: id } })).toBe(0);
  const late = { type: "MarketingSource", questionId: "marketingsource", response: "News story" };
  expect((await answer(late)).status).toBe(200);
  expect((await answer(late)).body[1].code).toBe("answered");
});

test(
  "survey: `value` counts as the response, and a body with neither returns a readable error",
  { tags: ["spec:3-28"] },
  async () => {
    const who = await customer();
    const id = await buy(who);
    const question = { type: "MarketingSource", questionId: "marketingsource" };
    const empty = await who.browser.post(`/orders/${id}/survey`, question);
    expect([empty.status, empty.body[0]]).toEqual([400, "Choose one of the answers."]);
    expect((await who.browser.post(`/orders/${id}/survey`, { ...question, value: "News story" })).status).toBe(200);
    expect((await db.survey_answer.findUniqueOrThrow({ where: { order_id: id } })).response).toBe("News story");
  },
);

test("survey: subscribing before answering Subscribe does not withdraw the survey", async () => {
  const who = await customer();
  const id = await buy(who);
  const at = (days: number) => new Date(deps.clock.now().getTime() - days * 86_400_000);
  for (const [type, days] of [
    ["MarketingSource", 5],
    ["CSAT", 4],
    ["NPS", 3],
  ] as const) {
    const earlier = await buy(who);
    await db.survey_answer.create({
      data: {
        order_id: earlier,
        customer_id: who.row.id,
        type,
        question_id: type.toLowerCase(),
        response: "5",
        created_at: at(days),
      },
    });
  }
  const question = (await who.browser.get(`/orders/${id}/survey/`)).body;
  expect(question).toEqual({ type: "Subscribe", questionId: "subscribe" });
  await db.subscription.create({
    data: { customer_id: who.row.id, variant_id: eggs.variant.id, quantity: 1, interval_weeks: 1 },
  });
  const answer = { ...question, response: "Yes" };
  expect((await who.browser.post(`/orders/${id}/survey`, answer)).status).toBe(200);
});

test("survey: the first order that is not canceled offers the source with its own vendors, and keeps an answer's comment after it is shown", async () => {
  const who = await customer();
  // Of an older canceled order with another vendor, nothing is offered.
  const canceled = await buy(who, await createProduct(db, hub.id));
  await who.browser.post("/orders/edit-order", { order: { id: canceled, items: [] } });
  const created_at = new Date(deps.clock.now().getTime() - 1000);
  await db.order.update({ where: { id: canceled }, data: { created_at } });
  const id = await buy(who);
  const { body } = await who.browser.get(`/orders/${id}/survey/`);
  expect([body.type, body.vendors?.map((vendor: { id: number }) => vendor.id)]).toEqual([
    "MarketingSource",
    [eggs.vendor_id],
  ]);
  const shown = { type: "MarketingSource", questionId: "marketingsource" };
  expect((await who.browser.post(`/orders/${id}/survey/shown`, shown)).body).toEqual({ show: true });
  const answer = {
    ...shown,
    response: "From a Farmer/Vendor I Support",
    vendorId: eggs.vendor_id,
    comment: "At the fair.",
  };
  expect((await who.browser.post(`/orders/${id}/survey`, answer)).status).toBe(200);
  expect(await db.survey_answer.findUniqueOrThrow({ where: { order_id: id } })).toMatchObject({
    response: answer.response,
    vendor_id: eggs.vendor_id,
    comment: "At the fair.",
  });
});

test("survey: a subscriber of a bundle is not offered Subscribe", async () => {
  const who = await customer();
  for (const [place, type] of ["MarketingSource", "CSAT", "NPS"].entries())
    await db.survey_answer.create({
      data: {
        order_id: await buy(who),
        customer_id: who.row.id,
        type,
        question_id: type.toLowerCase(),
        response: "5",
        created_at: new Date(deps.clock.now().getTime() - (9 - place) * 86_400_000),
      },
    });
  const id = await buy(who);
  const offered = async () => (await who.browser.get(`/orders/${id}/survey/`)).body.type;
  expect(await offered()).toBe("Subscribe");
  const { id: bundleId } = await createBundle(db, [hub.id], { items: [{ product: eggs }] });
  await db.bundle_subscription.create({
    data: { customer_id: who.row.id, bundle_id: bundleId, interval_weeks: 1 },
  });
  expect(await offered()).toBe("CSAT");
});

test("survey: another customer's order and a canceled one return 404", { tags: ["fail:G1"] }, async () => {
  const who = await customer();
  const canceled = await buy(who);
  expect((await who.browser.post("/orders/edit-order", { order: { id: canceled, items: [] } })).status).toBe(200);
  expect((await who.browser.get(`/orders/${canceled}/survey/`)).status).toBe(404);
  const id = await buy(await customer());
  const stranger = await customer();
  expect((await stranger.browser.get(`/orders/${id}/survey/`)).status).toBe(404);
  expect(
    (await stranger.browser.post(`/orders/${id}/survey`, { type: "CSAT", questionId: "csat", response: 5 })).status,
  ).toBe(404);
});

test(
  "referrals: friends who registered with a customer's link are listed with their state",
  { tags: ["fail:K5"] },
  async () => {
    const referrer = await customer();
    const own = (await referrer.browser.get("/referrals")).body;
    expect(own).toMatchObject({ credit: 0, friends: [] });
    expect(own.link).toContain(`referredByCustomerId=${referrer.row.id}`);
    const friend = market.shopper();
    const registered = await friend.post("/auth/register", {
      email: "fay@example.com",
      password: "wheelbarrow",
      zipCode: "46032",
      firstName: "Fay",
      lastName: "Moss",
      referredByCustomerId: referrer.row.id,
    });
    expect((await referrer.browser.get("/referrals")).body.friends).toEqual([{ name: "Fay M.", state: "registered" }]);
    const big = await createProduct(db, hub.id, { priceCents: 3000 });
    await friend.put("/cart", [big.line(1)]);
    expect((await friend.get("/cart")).body).toMatchObject({
      subtotal: 10,
      subtotalBeforeDiscounts: 30,
      discounts: [{ amount: 20, reason: "A friend sent you" }],
    });
    const { orderTotal } = (await friend.post("/checkout/quote", CHOICE)).body;
    expect((await friend.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).status).toBe(201);
    expect((await referrer.browser.get("/referrals")).body.friends).toEqual([{ name: "Fay M.", state: "ordered" }]);
    await friend.put("/cart", [big.line(1)]);
    expect((await friend.get("/cart")).body.discounts).toEqual([]);
    expect(await db.referral.findUniqueOrThrow({ where: { friend_id: registered.body.id } })).toMatchObject({
      order_id: expect.any(Number),
    });
    expect(await market.audit()).toEqual([]);
  },
);
