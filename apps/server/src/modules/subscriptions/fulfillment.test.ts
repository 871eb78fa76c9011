import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { ADDRESS, createHub, createProduct, newCard, newKey, setCard, type TestHub } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek, sendReminders } from "../../jobs/week.ts";
import { renderMail } from "../mail/layout.ts";
import { forgetCard } from "../payments/cards.ts";

const points = failpoints();
const market = await buildTestApp({ now: MONDAY, overrides: { failpoint: points.at } });
const { db, deps } = market;
/** Auto-checkout and cutoff of the first delivery, and auto-checkout of the second. */
const [RUN, CUTOFF, NEXT_RUN] = ["2026-11-23T18:00:00Z", "2026-11-25T06:00:00Z", "2026-11-30T18:00:00Z"];
/** The second cycle is open, and the reminder of its automatic checkout is due. */
const NEXT_DAY_BEFORE = "2026-11-29T18:30:00Z";

const context = (at: string) => {
  market.clock.set(at);
  return { now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps };
};
const week = (at: string) => runWeek(context(at));
const auto = (at: string) => runAutoCheckouts(context(at));
const OTHER = { ...ADDRESS, address: "2 New Road", zipCode: "46033", instructions: "Side door" };

async function openHub(options: Parameters<typeof createHub>[1] = {}) {
  market.clock.set(MONDAY);
  const hub = await createHub(db, { processingPpm: 0, processingFixedCents: 0, taxRatePpm: 0, ...options });
  await week(MONDAY);
  return { hub, eggs: await createProduct(db, hub.id, { priceCents: 699, inventory: 100 }) };
}
type Market = Awaited<ReturnType<typeof openHub>>;

async function shopper({ hub }: Market, { card = true }: { card?: boolean } = {}) {
  const who = await signIn(market, { hubId: hub.id });
  if (card) await setCard(db, who.customer.id, newCard().number);
  return who;
}
type Who = Awaited<ReturnType<typeof shopper>>;

const automatic = async (who: Who, { eggs }: Market) => {
  await who.put("/subscriptions/status", { enabled: true, status: 1 });
  await who.put("/cart", [eggs.line(1)]);
};

/** Orders a dozen eggs, by hand. */
async function buy(who: Who, { eggs }: Market, choice: object) {
  await who.put("/cart", [eggs.line(1)]);
  const cardId = (await who.get("/payment-methods")).body[0]?.id;
  const payload = { tipPercentage: 0, paymentMethodId: cardId, ...choice };
  const { orderTotal } = (await who.post("/checkout/quote", payload)).body;
  const placed = await who.post("/checkout", { ...payload, expectedTotal: orderTotal });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  return placed.body.orderId as number;
}
const pickupAt = (hub: TestHub, place = 0) => ({ type: "pickup", pickupPointId: hub.pickup_points[place]!.id });
const home = (deliveryAddress: object) => ({ type: "delivery", deliveryAddress });

const fulfillmentOf = async (who: Who) => (await who.get("/account/profile")).body.fulfillment;
const firstBox = async (who: Who) => (await who.get("/subscriptions/next-boxes")).body[0];
const autoOrders = (who: Who) =>
  db.order.findMany({ where: { customer_id: who.customer.id, source: "auto", status: { not: "cancelled" } } });
const mailsTo = (who: Who) => db.mail.findMany({ where: { to_email: who.customer.email! }, orderBy: { id: "asc" } });
async function textsTo(who: Who, template: string): Promise<string[]> {
  const mails = (await mailsTo(who)).filter((mail) => mail.template === template);
  const contents = await Promise.all(
    mails.map(async (mail) => deps.mailTemplates[template]!.content(deps, mail.data as never, market.clock.now())),
  );
  return contents.map((content) => (content ? renderMail(content, deps.env).text : ""));
}
const bannerOf = async (who: Who) =>
  (await who.get("/cart")).body.banners.find(({ id }: { id: string }) => id === "auto-checkout");

test("an order to another address: its address and instructions are the customer's, and automatic orders go there", async () => {
  const there = await openHub();
  const who = await shopper(there);
  await who.put("/account/profile", { deliveryAddress: { ...ADDRESS, address: "1 Old Road" } });
  await buy(who, there, home(OTHER));
  expect((await who.get("/account/profile")).body).toMatchObject({
    deliveryAddress: OTHER,
    fulfillment: { type: "delivery", deliveryAddress: OTHER, pickupPoint: null, deliveryFee: 8.95, problem: null },
  });
  await week("2026-11-25T06:10:00Z");
  await automatic(who, there);
  await week(NEXT_DAY_BEFORE);
  await sendReminders(context(NEXT_DAY_BEFORE));
  expect(await firstBox(who)).toMatchObject({
    fulfillment: { type: "delivery", deliveryAddress: OTHER, deliveryFee: 8.95 },
    card: { brand: "visa", last4: expect.stringMatching(/^\d{4}$/) },
    deliveryFee: 8.95,
  });
  const [soon] = await textsTo(who, "auto-checkout-soon");
  expect(soon).toMatch(/Home delivery to:\s+2 New Road\s+Carmel, IN 46033\s+Side door/);
  expect(soon).toContain("Visa ending in");
  expect(soon).toMatch(/Home delivery[^\n]*\$8\.95/);
  await auto(NEXT_RUN);
  const [order] = await autoOrders(who);
  expect(order).toMatchObject({ type: "delivery", address: OTHER, delivery_fee_cents: 895 });
  expect((await textsTo(who, "order-confirmation")).at(-1)).toContain("2 New Road");
  expect(await market.audit()).toEqual([]);
});

test("an order with the line for next time switched off: the customer's place and card stay", async () => {
  const there = await openHub();
  const who = await shopper(there);
  await who.put("/account/profile", { deliveryAddress: { ...ADDRESS, address: "1 Old Road" } });
  const before = await fulfillmentOf(who);
  const cards = () => who.get("/payment-methods").then(({ body }) => body.map((card: object) => ({ ...card })));
  const [saved] = await cards();
  await buy(who, there, { ...home(OTHER), useNextTime: false });
  await buy(who, there, { ...pickupAt(there.hub), useNextTime: false });
  const card = { paymentMethodId: null, card: newCard(), savePaymentMethod: true };
  await buy(who, there, { ...home(OTHER), ...card, useNextTime: false });
  expect(await fulfillmentOf(who)).toEqual(before);
  expect((await cards()).filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([saved]);
  const newcomer = await shopper(there);
  await buy(newcomer, there, { ...home(OTHER), useNextTime: false });
  expect(await fulfillmentOf(newcomer)).toBeNull();
});

test("a card that is typed and saved at checkout is the one that automatic orders charge; a card for once is not", async () => {
  const there = await openHub();
  const who = await shopper(there);
  const [first] = (await who.get("/payment-methods")).body;
  await buy(who, there, { ...home(ADDRESS), paymentMethodId: null, card: newCard() });
  expect((await who.get("/payment-methods")).body).toMatchObject([{ id: first.id, isDefault: true }]);
  await buy(who, there, { ...home(ADDRESS), paymentMethodId: null, card: newCard(), savePaymentMethod: true });
  const [second] = (await who.get("/payment-methods")).body;
  expect(second).toMatchObject({ isDefault: true });
  expect(second.id).not.toBe(first.id);
  await buy(who, there, { ...home(ADDRESS), paymentMethodId: first.id });
  expect((await who.get("/payment-methods")).body[0]).toMatchObject({ id: first.id, isDefault: true });
  await buy(who, there, { ...home(ADDRESS), paymentMethodId: second.id });
  await week("2026-11-25T06:10:00Z");
  await automatic(who, there);
  expect((await firstBox(who)).card).toEqual({ brand: second.brand, last4: second.last4 });
  await auto(NEXT_RUN);
  const [order] = await autoOrders(who);
  expect(await db.payment.findUnique({ where: { id: order!.payment_id! } })).toMatchObject({
    payment_method_id: second.id,
  });
  expect(await market.audit()).toEqual([]);
});

test("a customer who picks up, with and without an address: the automatic order is a pickup without fee and tip, and the mail names it", async () => {
  for (const hasAddress of [true, false]) {
    const there = await openHub();
    const { hub } = there;
    const who = await shopper(there);
    if (hasAddress) await who.put("/account/profile", { deliveryAddress: ADDRESS });
    await who.put("/subscriptions/tip", { percentage: 10 });
    await buy(who, there, pickupAt(hub));
    await week("2026-11-25T06:10:00Z");
    await automatic(who, there);
    await week(NEXT_DAY_BEFORE);
    await sendReminders(context(NEXT_DAY_BEFORE));
    expect(await firstBox(who)).toMatchObject({
      fulfillment: { type: "pickup", pickupPoint: { name: "Depot 1" }, deliveryAddress: null, deliveryFee: 0 },
      fees: 0,
      tip: 0,
      orderTotal: 6.99,
    });
    const [soon] = await textsTo(who, "auto-checkout-soon");
    expect(soon).toMatch(/Pickup at Depot 1:\s+1 Station Road\s+Carmel, IN 46032\s+4 to 7 PM/);
    expect(soon).not.toMatch(/Home delivery|tip/);
    await auto(NEXT_RUN);
    const [order] = await autoOrders(who);
    expect(order).toMatchObject({
      type: "pickup",
      pickup_point_id: hub.pickup_points[0]!.id,
      address: null,
      delivery_fee_cents: 0,
      tip_cents: 0,
      order_total_cents: 699,
    });
    expect((await textsTo(who, "order-confirmation")).at(-1)).toContain("Depot 1");
    expect((await mailsTo(who)).map(({ template }) => template)).not.toContain("auto-checkout-failed");
  }
  expect(await market.audit()).toEqual([]);
});

test("a place that is gone: the automatic order waits, mail, banner and next boxes name the reason; another place is ordered at once", async () => {
  const there = await openHub({ pickupPoints: 2 });
  const { hub, eggs } = there;
  const elsewhere = await createHub(db, { pickupPoints: 1, zips: ["46077"] });
  const cases = [
    { problem: "pickup_gone", words: /Depot 1 is no longer a pickup point/ },
    { problem: "pickup_elsewhere", words: /Depot 1 is not a pickup point of/ },
    { problem: "not_served", words: /does not deliver to 90210/ },
    { problem: "no_address", words: /don’t know yet where it should go/ },
  ] as const;
  const shoppers: { who: Who; problem: string; words: RegExp }[] = [];
  for (const each of cases) {
    const who = await shopper(there);
    const customer = { where: { id: who.customer.id } };
    if (each.problem === "pickup_gone") await who.put("/account/profile", { pickupPointId: hub.pickup_points[0]!.id });
    if (each.problem === "pickup_elsewhere")
      await db.customer.update({ ...customer, data: { pickup_point_id: elsewhere.pickup_points[0]!.id } });
    if (each.problem === "not_served")
      await who.put("/account/profile", { deliveryAddress: { ...ADDRESS, zipCode: "90210" } });
    await automatic(who, there);
    shoppers.push({ who, ...each });
  }
  await db.pickup_point.update({ where: { id: hub.pickup_points[0]!.id }, data: { is_active: false } });
  for (const { who, problem, words } of shoppers) {
    const { fulfillment } = await firstBox(who);
    if (problem === "no_address") expect(fulfillment).toBeNull();
    else {
      expect(fulfillment.problem).toMatchObject({ code: problem, message: expect.stringMatching(words) });
      expect(await fulfillmentOf(who)).toEqual(fulfillment);
    }
  }
  await auto(RUN);
  for (const { who, problem, words } of shoppers) {
    expect(await autoOrders(who)).toEqual([]);
    const result = await db.auto_checkout_result.findFirstOrThrow({ where: { customer_id: who.customer.id } });
    expect([result.outcome, result.done_at]).toEqual([problem, null]);
    const texts = await textsTo(who, "auto-checkout-failed");
    expect(texts).toEqual([expect.stringMatching(words)]);
    expect(texts[0]).toContain("1AM Wednesday");
    if (problem.startsWith("pickup")) expect(texts[0]).not.toContain("address");
    // The banner names the market as "this market".
    expect((await bannerOf(who)).body).toMatch(
      problem === "no_address" ? words : /Depot 1|This market does not deliver to 90210/,
    );
  }
  for (const { who } of shoppers)
    expect((await who.put("/account/profile", { pickupPointId: hub.pickup_points[1]!.id })).status).toBe(200);
  expect((await bannerOf(shoppers[0]!.who)).body).toMatch(/We order it now/);
  await auto("2026-11-23T18:05:00Z");
  for (const { who } of shoppers) {
    expect(await autoOrders(who)).toMatchObject([{ type: "pickup", pickup_point_id: hub.pickup_points[1]!.id }]);
    expect(await bannerOf(who)).toBeUndefined();
  }
  expect(await db.offer.findFirst({ where: { variant_id: eggs.variant.id } })).toMatchObject({ inventory: 96 });
  expect(await market.audit()).toEqual([]);
});

test("a place chosen within six hours of the cutoff, after the last try: it is ordered before the cutoff", async () => {
  const there = await openHub();
  const who = await shopper(there);
  await automatic(who, there);
  await auto(RUN);
  for (const at of [
    "2026-11-24T00:01:00Z",
    "2026-11-24T06:02:00Z",
    "2026-11-24T12:03:00Z",
    "2026-11-24T18:04:00Z",
    "2026-11-25T00:05:00Z",
  ])
    await auto(at);
  const result = () => db.auto_checkout_result.findFirstOrThrow({ where: { customer_id: who.customer.id } });
  expect(await result()).toMatchObject({ outcome: "no_address", done_at: expect.any(Date) });
  market.clock.set("2026-11-25T03:00:00Z");
  await who.put("/account/profile", pickupAt(there.hub));
  await auto("2026-11-25T03:01:00Z");
  expect(await autoOrders(who)).toMatchObject([{ type: "pickup" }]);
  expect(await result()).toMatchObject({ outcome: "placed", done_at: expect.any(Date) });
  await auto(CUTOFF);
  expect((await textsTo(who, "auto-checkout-failed")).length).toBe(1);
  expect(await market.audit()).toEqual([]);
});

test("a reminder that named another place: the order goes where the screen shows, and a mail replaces the reminder", async () => {
  const there = await openHub();
  const who = await shopper(there);
  await who.put("/account/profile", { deliveryAddress: ADDRESS });
  await automatic(who, there);
  await sendReminders(context(MONDAY));
  expect(await textsTo(who, "auto-checkout-soon")).toEqual([expect.stringContaining("12 Main Street")]);
  expect(await textsTo(who, "auto-checkout-changed")).toEqual([]);
  market.clock.set("2026-11-23T17:30:00Z");
  // The same place again is no change.
  await who.put("/account/profile", { deliveryAddress: { ...ADDRESS, address2: "", instructions: "" } });
  expect(await textsTo(who, "auto-checkout-changed")).toEqual([]);
  await who.put("/account/profile", { pickupPointId: there.hub.pickup_points[0]!.id });
  expect((await firstBox(who)).fulfillment).toMatchObject({ type: "pickup" });
  expect(await textsTo(who, "auto-checkout-changed")).toEqual([
    expect.stringMatching(/replaces our earlier email[^]*Pickup at Depot 1/),
  ]);
  await auto(RUN);
  expect(await autoOrders(who)).toMatchObject([{ type: "pickup", delivery_fee_cents: 0 }]);
  expect(await market.audit()).toEqual([]);
});

test("a reminder that named another card: a mail replaces it when the default card changes, is removed here or at the provider, or the first one is saved", async () => {
  const there = await openHub();
  const who = await shopper(there, { card: false });
  await who.put("/account/profile", pickupAt(there.hub));
  await automatic(who, there);
  await sendReminders(context(MONDAY));
  const corrections = () => textsTo(who, "auto-checkout-changed");
  let seconds = 10;
  const save = async () => {
    market.clock.set(`2026-11-23T17:00:${(seconds += 1)}Z`);
    const { status, body } = await who.post("/payment-methods", { card: newCard() });
    expect(status, JSON.stringify(body)).toBe(200);
    return body as { id: number; last4: string; isDefault: boolean }[];
  };
  const [first] = await save();
  expect(await corrections()).toEqual([expect.stringContaining(`ending in ${first!.last4}`)]);
  const second = (await save()).find(({ isDefault }) => !isDefault)!;
  expect(await corrections()).toHaveLength(1);
  market.clock.set("2026-11-23T17:01:00Z");
  await who.put(`/payment-methods/${first!.id}/default`);
  expect(await corrections()).toHaveLength(1);
  await who.put(`/payment-methods/${second.id}/default`);
  expect(await corrections()).toEqual([
    expect.any(String),
    expect.stringMatching(new RegExp(`replaces our earlier email[^]*ending in ${second.last4}`)),
  ]);
  const third = (await save()).find(({ isDefault }) => !isDefault)!;
  await who.delete(`/payment-methods/${third.id}`);
  expect(await corrections()).toHaveLength(2);
  const last = await save();
  market.clock.set("2026-11-23T17:02:00Z");
  await who.delete(`/payment-methods/${second.id}`);
  expect(await corrections()).toHaveLength(3);
  const named = last.find(({ id }) => id !== second.id)!;
  expect((await corrections()).at(-1)).toContain(`ending in ${named.last4}`);
  const lose = async ({ id }: { id: number }) => {
    const { provider_ref: ref } = await db.payment_method.findUniqueOrThrow({ where: { id } });
    return forgetCard({ deps, now: market.clock.now() }, "test", ref);
  };
  market.clock.set("2026-11-23T17:03:00Z");
  const spare = (await save()).find(({ isDefault }) => !isDefault)!;
  market.clock.set("2026-11-23T17:04:00Z");
  const current = (await who.get("/payment-methods")).body.find(({ isDefault }: { isDefault: boolean }) => isDefault);
  expect([await lose(current), await lose(current)]).toEqual([true, false]);
  expect((await corrections()).slice(3)).toEqual([
    expect.stringMatching(new RegExp(`replaces our earlier email[^]*ending in ${spare.last4}`)),
  ]);
  market.clock.set("2026-11-23T17:05:00Z");
  await lose(spare);
  expect((await corrections()).slice(4)).toEqual([expect.not.stringContaining(`ending in ${spare.last4}`)]);
});

test("a place that is chosen while a try that had none is settled: it is ordered at once, without a mail", async () => {
  // Customers of other tests.
  await auto(RUN);
  const there = await openHub();
  const who = await shopper(there);
  await automatic(who, there);
  const chosen = Promise.withResolvers<void>();
  points.passed.length = 0;
  points.plan["auto:ordered"] = { until: chosen.promise };
  const reached = points.reached("auto:ordered");
  const running = auto(RUN);
  await reached;
  delete points.plan["auto:ordered"];
  expect((await who.put("/account/profile", pickupAt(there.hub))).status).toBe(200);
  chosen.resolve();
  await running;
  await auto("2026-11-23T18:01:00Z");
  expect(await autoOrders(who)).toMatchObject([{ type: "pickup" }]);
  expect(await textsTo(who, "auto-checkout-failed")).toEqual([]);
  expect(await market.audit()).toEqual([]);
});

test("a hub that is left while a try that had no place is settled: no mail about its place", async () => {
  const [there, second] = [await openHub(), await openHub()];
  const who = await shopper(there);
  await automatic(who, there);
  const left = Promise.withResolvers<void>();
  points.passed.length = 0;
  points.plan["auto:ordered"] = { until: left.promise };
  const reached = points.reached("auto:ordered");
  const running = auto(RUN);
  await reached;
  delete points.plan["auto:ordered"];
  expect((await who.put(`/hubs/${second.hub.id}/switch`, {})).status).toBe(200);
  left.resolve();
  await running;
  // The run of the second hub may write its own mail.
  const key = `auto-checkout-failed:${there.hub.deliveries[0]!.id}:${who.customer.id}:`;
  expect(await db.mail.findMany({ where: { key: { startsWith: key } } })).toEqual([]);
  expect(await autoOrders(who)).toEqual([]);
  expect(await market.audit()).toEqual([]);
});

test("My Details: an address alone means home delivery, a pickup point wins over it, and wrong ones are refused with a sentence", async () => {
  const there = await openHub();
  const { hub } = there;
  const elsewhere = await createHub(db, { pickupPoints: 1 });
  const who = await shopper(there, { card: false });
  const put = async (change: object) => {
    const { status, body } = await who.put("/account/profile", change);
    return status === 200 ? body.fulfillment?.type : [status, body[0], body[1].code];
  };
  expect(await put({ pickupPointId: null })).toEqual([422, "Address is required", "address_required"]);
  expect(await put({ pickupPointId: elsewhere.pickup_points[0]!.id })).toEqual([
    422,
    "Choose a pickup point.",
    "pickup_required",
  ]);
  const { id: _, ...place } = hub.pickup_points[0]!;
  const closed = await db.pickup_point.create({ data: { ...place, name: "Closed Barn", is_active: false } });
  for (const pickupPointId of [2 ** 31 - 1, closed.id])
    expect(await put({ pickupPointId })).toEqual([422, "Choose a pickup point.", "pickup_required"]);
  expect(await put({ firstName: "Rosa" })).toBeUndefined();
  expect(await put({ pickupPointId: hub.pickup_points[0]!.id })).toBe("pickup");
  expect(await put({ deliveryAddress: ADDRESS, pickupPointId: hub.pickup_points[0]!.id })).toBe("pickup");
  // The stored address again, as a form that sends all its fields does.
  expect(await put({ deliveryAddress: ADDRESS })).toBe("pickup");
  expect(await put({ pickupPointId: null })).toBe("delivery");
  expect(await put({ pickupPointId: hub.pickup_points[0]!.id })).toBe("pickup");
  expect(await put({ deliveryAddress: OTHER })).toBe("delivery");
});

test("a kill between the order and its end: a retry has the order and its place, or neither", async () => {
  const there = await openHub();
  const who = await shopper(there);
  await who.put("/account/profile", { deliveryAddress: ADDRESS });
  points.plan["checkout:before-commit"] = "throw";
  await who.put("/cart", [there.eggs.line(1)]);
  const cardId = (await who.get("/payment-methods")).body[0].id;
  const payload = { ...pickupAt(there.hub), tipPercentage: 0, paymentMethodId: cardId, expectedTotal: 6.99 };
  const key = { "idempotency-key": newKey() };
  expect((await who.post("/checkout", payload, key)).status).toBe(500);
  expect([await db.order.count({ where: { customer_id: who.customer.id } }), await fulfillmentOf(who)]).toEqual([
    0,
    expect.objectContaining({ type: "delivery" }),
  ]);
  delete points.plan["checkout:before-commit"];
  expect((await who.post("/checkout", payload, key)).status).toBe(201);
  expect(await fulfillmentOf(who)).toMatchObject({ type: "pickup" });
  expect(await market.audit()).toEqual([]);
});

test("a switch of hubs: the pickup point of the first is a problem in the second, and is used again on return", async () => {
  const there = await openHub();
  const second = await openHub();
  const who = await shopper(there);
  await buy(who, there, pickupAt(there.hub));
  expect((await who.put(`/hubs/${second.hub.id}/switch`, {})).status).toBe(200);
  expect(await fulfillmentOf(who)).toMatchObject({ type: "pickup", problem: { code: "pickup_elsewhere" } });
  expect((await who.put(`/hubs/${there.hub.id}/switch`, {})).status).toBe(200);
  expect(await fulfillmentOf(who)).toMatchObject({ type: "pickup", problem: null });
});
