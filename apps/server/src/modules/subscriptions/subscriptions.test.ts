import { Subscription } from "@marketday/contracts/subscriptions";
import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createBundle, createHub, createOrder, createProduct, createVendor } from "../../../test/factories.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";

const market = await buildTestApp();
const { db, deps } = market;
const [D1, D2, D3] = ["2026-11-26", "2026-12-03", "2026-12-10"] as const;
beforeEach(() => market.clock.set(MONDAY));

const hubWithWeek = async () => {
  const hub = await createHub(db);
  await tick();
  return hub;
};
const tick = (at?: string) => {
  if (at) market.clock.set(at);
  return runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
};
type Who = Awaited<ReturnType<typeof signIn>>;
type Product = Awaited<ReturnType<typeof createProduct>>;
const subscribeTo = (who: Who, product: Product, qty = 1, weeks = 1) =>
  who.post("/subscriptions", {
    productId: product.id,
    variantId: product.variant.id,
    qty,
    subscription_interval: weeks,
  });
const cartOf = async (who: Who) =>
  (await who.get("/cart")).body.items.map((item: any) => [
    item.product.variant.id,
    item.quantity,
    item.subscription_interval,
  ]);
const listed = async (who: Who) => (await who.get("/subscriptions")).body as Subscription[];

test(
  "subscriptions: subscribing, changing and ending return the whole list and update the cart",
  { tags: ["spec:7.5-01", "spec:7.5-02", "spec:7.5-03", "spec:3-24", "spec:4-13", "spec:4-14", "spec:4-17"] },
  async () => {
    const hub = await hubWithWeek();
    const [eggs, milk] = [await createProduct(db, hub.id), await createProduct(db, hub.id, { priceCents: 425 })];
    const who = await signIn(market, { hubId: hub.id });
    expect((await who.get("/subscriptions")).body).toEqual([]);
    await subscribeTo(who, eggs, 2, 1);
    const { status, body } = await subscribeTo(who, milk, 1, 4);
    expect(status).toBe(200);
    for (const entry of body) Subscription.parse(entry);
    expect(body).toMatchObject([
      { product: { id: eggs.id, variant: { id: eggs.variant.id, price: 6.5 } }, quantity: 2, subscription_interval: 1 },
      { product: { id: milk.id, variant: { price: 4.25 } }, quantity: 1, subscription_interval: 4, nextDate: D1 },
    ]);
    expect(await cartOf(who)).toEqual([
      [eggs.variant.id, 2, 1],
      [milk.variant.id, 1, 4],
    ]);
    const product = (await who.get(`/products/${eggs.id}`)).body;
    expect(product.variants[0].isSubscribed).toBe(true);
    expect((await subscribeTo(who, eggs, 1, 3)).body[0]).toMatchObject({ quantity: 1, subscription_interval: 3 });
    expect((await cartOf(who))[0]).toEqual([eggs.variant.id, 1, 3]);
    const ended = await who.delete("/subscriptions", { productId: eggs.id, variantId: eggs.variant.id });
    expect(ended.body).toHaveLength(1);
    const byQuery = await who.delete(`/subscriptions?productId=${milk.id}&variantId=${milk.variant.id}`);
    expect([byQuery.status, byQuery.body, await cartOf(who)]).toEqual([200, [], []]);
  },
);

test(
  "subscriptions: pre-orders, items of other hubs and invalid intervals are rejected",
  { tags: ["spec:4-14", "spec:4-13", "spec:9-09"] },
  async () => {
    const hub = await hubWithWeek();
    const elsewhere = await createHub(db);
    const who = await signIn(market, { hubId: hub.id });
    const turkey = await createProduct(db, hub.id, { preOrderDate: "2026-12-20" });
    const far = await createProduct(db, elsewhere.id);
    const eggs = await createProduct(db, hub.id);
    const preOrder = await subscribeTo(who, turkey);
    expect([preOrder.status, preOrder.body[1].code]).toEqual([422, "pre_order"]);
    const notSold = await subscribeTo(who, far);
    expect([notSold.status, notSold.body[1].code]).toEqual([422, "not_sold"]);
    const farm = await createVendor(db);
    await db.vendor.update({ where: { id: farm.id }, data: { is_published: false } });
    for (const [what, product] of Object.entries({
      "a hidden offer": await createProduct(db, hub.id, { offerIsPublished: false }),
      "a hidden product": await createProduct(db, hub.id, { isPublished: false }),
      "a hidden vendor": await createProduct(db, hub.id, { vendorId: farm.id }),
      "another product's variant": { ...eggs, id: turkey.id },
    }))
      expect([what, (await subscribeTo(who, product)).body[1]?.code]).toEqual([what, "not_sold"]);
    for (const weeks of [0, 5, 1.5]) expect((await subscribeTo(who, eggs, 1, weeks)).status).toBe(400);
    expect((await subscribeTo(who, eggs, 0)).status).toBe(400);
    expect((await who.delete("/subscriptions", {})).status).toBe(400);
    expect(await db.subscription.count({ where: { customer_id: who.customer.id } })).toBe(0);
    for (const weeks of [1, 2, 3, 4])
      expect((await subscribeTo(who, eggs, 1, weeks)).body).toMatchObject([{ subscription_interval: weeks }]);
  },
);

test("subscriptions: every call requires an account", { tags: ["spec:6-02"] }, async () => {
  const hub = await hubWithWeek();
  const eggs = await createProduct(db, hub.id);
  for (const someone of [await guestOf(market, hub.id), market.shopper()])
    for (const answer of [
      await someone.get("/subscriptions"),
      await someone.get("/subscriptions/status"),
      await someone.get("/subscriptions/tip"),
      await someone.get("/subscriptions/recommendations"),
      await someone.get("/subscriptions/next-boxes"),
      await someone.put("/subscriptions/status", { enabled: true, status: 1 }),
      await someone.put("/subscriptions/tip", { percentage: 5 }),
      await someone.post("/subscriptions/skip", { deliveryDate: D1 }),
      await someone.post("/subscriptions/pause", { variantId: eggs.variant.id, until: null }),
      await someone.delete("/subscriptions", { variantId: eggs.variant.id }),
      await someone.post("/subscriptions", {
        productId: eggs.id,
        variantId: eggs.variant.id,
        qty: 1,
        subscription_interval: 1,
      }),
    ])
      expect([answer.status, answer.body[1].code]).toEqual([401, "login_required"]);
});

test(
  "subscriptions: automatic checkout is off, full cart or subscribed items, and the status has the next run",
  { tags: ["spec:7.5-04", "spec:4-10", "spec:4-11", "spec:4-12"] },
  async () => {
    const hub = await hubWithWeek();
    const who = await signIn(market, { hubId: hub.id });
    expect((await who.get("/subscriptions/status")).body).toEqual({
      enabled: false,
      status: 0,
      runsAt: "2026-11-23T18:00:00.000Z",
    });
    for (const status of [1, 2, 0] as const) {
      const answer = await who.put("/subscriptions/status", { enabled: status !== 0, status });
      expect(answer.body).toMatchObject({ enabled: status !== 0, status });
      expect((await who.get("/subscriptions/status")).body.status).toBe(status);
    }
    for (const bad of [
      { enabled: true, status: 0 },
      { enabled: false, status: 1 },
      { enabled: true, status: 3 },
    ])
      expect((await who.put("/subscriptions/status", bad)).status).toBe(400);
    market.clock.set("2026-11-23T18:00:00Z");
    expect((await who.get("/subscriptions/status")).body.runsAt).toBe("2026-11-30T18:00:00.000Z");
  },
);

test(
  "subscriptions: the default tip is stored, and an invalid one is rejected",
  { tags: ["spec:7.5-05"] },
  async () => {
    const hub = await hubWithWeek();
    const who = await signIn(market, { hubId: hub.id });
    expect((await who.get("/subscriptions/tip")).body).toEqual({ percentage: 0 });
    expect((await who.put("/subscriptions/tip", { percentage: 10 })).body).toEqual({ percentage: 10 });
    expect((await who.put("/subscriptions/tip", { percentage: 7 })).status).toBe(400);
    expect((await who.get("/subscriptions/tip")).body).toEqual({ percentage: 10 });
  },
);

test(
  "subscriptions: recommendations are ordered products without a subscription, most orders first",
  { tags: ["spec:7.5-06"] },
  async () => {
    const hub = await hubWithWeek();
    const who = await signIn(market, { hubId: hub.id });
    const products: Product[] = [];
    for (let place = 0; place < 7; place += 1) products.push(await createProduct(db, hub.id));
    const hidden = await createProduct(db, hub.id, { offerIsPublished: false });
    const order = (product: Product) => createOrder(db, { customerId: who.customer.id, hub, product });
    for (const product of [...products, hidden]) await order(product);
    await order(products[3]!);
    await subscribeTo(who, products[0]!);
    const first = await who.get("/subscriptions/recommendations");
    expect(first.body).toHaveLength(5);
    expect(first.body[0].id).toBe(products[3]!.id);
    expect(first.headers["x-total-results"]).toBe("6");
    const second = (await who.get("/subscriptions/recommendations?page=2")).body;
    const all = [...first.body, ...second].map(({ id }: { id: number }) => id);
    expect(all.toSorted((a, b) => a - b)).toEqual(products.slice(1).map(({ id }) => id));
    // These orders have no stock and ledger entries, so they are deleted before the audits of the next tests.
    await db.order.deleteMany({ where: { hub_id: hub.id } });
  },
);

describe("subscriptions: schedule", () => {
  test("a skipped delivery has no due lines and counts as ordered, and skipping can be undone", async () => {
    const hub = await hubWithWeek();
    const [eggs, milk] = [await createProduct(db, hub.id), await createProduct(db, hub.id)];
    const who = await signIn(market, { hubId: hub.id });
    await subscribeTo(who, eggs, 1, 1);
    await subscribeTo(who, milk, 1, 2);
    await who.put("/cart", [(await createProduct(db, hub.id)).line(1)]);
    const neighbor = await signIn(market, { hubId: hub.id });
    await subscribeTo(neighbor, eggs);
    await neighbor.post("/subscriptions/skip", { deliveryDate: D1 });
    const skipped = await who.post("/subscriptions/skip", { deliveryDate: D1 });
    expect(skipped.body.map((entry: Subscription) => entry.nextDate)).toEqual([D2, D3]);
    expect(await cartOf(who)).toHaveLength(1);
    const back = await who.post("/subscriptions/skip", { deliveryDate: D1, skip: false });
    expect(back.body.map((entry: Subscription) => entry.nextDate)).toEqual([D1, D1]);
    expect(await db.subscription_skip.count({ where: { customer_id: neighbor.customer.id } })).toBe(1);
    expect(await cartOf(who)).toHaveLength(3);
    expect((await who.post("/subscriptions/skip", { deliveryDate: "2026-11-27" })).body[1].code).toBe("no_delivery");
    // A later one that is skipped leaves the next one as it is.
    const later = await who.post("/subscriptions/skip", { deliveryDate: D2 });
    expect(later.body.map((entry: Subscription) => entry.nextDate)).toEqual([D1, D1]);
    expect(await cartOf(who)).toHaveLength(3);
    await tick("2026-11-25T06:00:00Z");
    expect(await cartOf(who)).toHaveLength(1);
  });

  test("a paused subscription is not due until its date", async () => {
    const hub = await hubWithWeek();
    const eggs = await createProduct(db, hub.id);
    const who = await signIn(market, { hubId: hub.id });
    await subscribeTo(who, eggs);
    const variantId = eggs.variant.id;
    const paused = await who.post("/subscriptions/pause", { variantId, until: "2026-12-04" });
    expect(paused.body[0]).toMatchObject({ pausedUntil: "2026-12-04", nextDate: D3 });
    expect(await cartOf(who)).toEqual([]);
    const resumed = await who.post("/subscriptions/pause", { variantId, until: null });
    expect(resumed.body[0]).toMatchObject({ pausedUntil: null, nextDate: D1 });
    expect(await cartOf(who)).toEqual([[variantId, 1, 1]]);
    const other = await signIn(market, { hubId: hub.id });
    expect((await other.post("/subscriptions/pause", { variantId, until: null })).status).toBe(404);
  });

  test(
    "due lines are added once per cycle, an order moves the next date, and removed lines stay out that week",
    { tags: ["spec:4-13"] },
    async () => {
      const hub = await hubWithWeek();
      const [eggs, milk] = [await createProduct(db, hub.id), await createProduct(db, hub.id)];
      const bundle = await db.bundle.create({
        data: {
          slug: `box-${hub.id}`,
          title: "Box",
          hubs: { create: { hub_id: hub.id } },
          items: { create: [{ variant_id: (await createProduct(db, hub.id)).variant.id, quantity: 2 }] },
        },
        include: { items: true },
      });
      const who = await signIn(market, { hubId: hub.id });
      await who.post(`/bundles/${bundle.id}`, { subscription_interval: 2 });
      expect(await cartOf(who)).toEqual([[bundle.items[0]!.variant_id, 2, 2]]);
      await who.delete(`/bundles/${bundle.id}`);
      expect(await cartOf(who)).toEqual([]);
      await db.bundle_subscription.create({
        data: { customer_id: who.customer.id, bundle_id: bundle.id, interval_weeks: 2 },
      });
      await subscribeTo(who, eggs, 1, 1);
      await subscribeTo(who, milk, 1, 1);
      const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
      expect((await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).status).toBe(201);
      expect((await listed(who)).map(({ nextDate }) => nextDate)).toEqual([D2, D2]);
      expect(await cartOf(who)).toEqual([]);
      await tick("2026-11-25T06:00:00Z");
      const line = [bundle.items[0]!.variant_id, 2, 2];
      expect(await cartOf(who)).toEqual([[eggs.variant.id, 1, 1], [milk.variant.id, 1, 1], line]);
      expect((await listed(who)).map(({ nextDate }) => nextDate)).toEqual([D2, D2]);
      await who.put("/cart", [milk.line(0)]);
      expect((await listed(who)).map(({ nextDate }) => nextDate)).toEqual([D2, D3]);
      await tick("2026-11-25T06:01:00Z");
      expect(await cartOf(who)).toEqual([[eggs.variant.id, 1, 1], line]);
      const [item] = await db.cart_item.findMany({ where: { variant_id: bundle.items[0]!.variant_id } });
      expect(item).toMatchObject({ bundle_id: bundle.id, subscription_interval: 2 });
      expect(await market.audit()).toEqual([]);
    },
  );
});

test("subscriptions: due lines are added to a cart while there is room, the cart shows that it is full, and a subscription that does not fit is rejected", async () => {
  const hub = await hubWithWeek();
  const many = await createProduct(db, hub.id, {
    variants: Array.from({ length: 204 }, (_, n) => ({ title: `Size ${n}`, priceCents: 100 })),
  });
  const who = await signIn(market, { hubId: hub.id });
  const rows = () => db.cart_item.findMany({ where: { cart: { customer_id: who.customer.id } } });
  const subscribe = (place: number) =>
    who.post("/subscriptions", {
      productId: many.id,
      variantId: many.variants[place]!.id,
      qty: 1,
      subscription_interval: 1,
    });
  const line = (place: number, quantity = 1) => ({
    productId: many.id,
    variantId: many.variants[place]!.id,
    quantity,
  });
  for (const place of [200, 201, 202]) expect((await subscribe(place)).status).toBe(200);
  expect(
    (
      await who.put(
        "/cart",
        Array.from({ length: 197 }, (_, place) => line(place)),
      )
    ).status,
  ).toBe(200);
  // The cart is full.
  const refused = await subscribe(203);
  expect([refused.status, refused.body]).toEqual([
    422,
    ["Your cart is full. Remove something first.", { code: "cart_full" }],
  ]);
  expect((await listed(who)).length).toBe(3);
  // The cycle opens with room for two lines: two of three are added.
  await db.cart_item.deleteMany({
    where: { subscription_interval: { not: null }, cart: { customer_id: who.customer.id } },
  });
  expect((await who.put("/cart", [line(197)])).status).toBe(200);
  await tick("2026-11-25T06:00:00Z");
  expect(await rows()).toHaveLength(200);
  expect((await rows()).filter((row) => row.subscription_interval !== null)).toHaveLength(2);
  const { banners } = (await who.get("/cart")).body;
  expect(banners).toContainEqual(expect.objectContaining({ id: "cart-full", title: "Your cart is full." }));
  // With room again, the next opening adds all three.
  expect((await who.put("/cart", [line(0, 0), line(1, 0)])).status).toBe(200);
  await tick("2026-12-02T06:00:00Z");
  expect((await rows()).filter((row) => row.subscription_interval !== null)).toHaveLength(3);
  expect((await who.get("/cart")).body.banners).not.toContainEqual(expect.objectContaining({ id: "cart-full" }));
});

test("subscriptions: in a full cart, the line of an item that the market hid makes room for one that is due", async () => {
  const hub = await hubWithWeek();
  const many = await createProduct(db, hub.id, {
    variants: Array.from({ length: 199 }, (_, n) => ({ title: `Size ${n}`, priceCents: 100 })),
  });
  const [eggs, milk] = [await createProduct(db, hub.id), await createProduct(db, hub.id)];
  const who = await signIn(market, { hubId: hub.id });
  for (const product of [eggs, milk]) expect((await subscribeTo(who, product)).status).toBe(200);
  await who.post("/subscriptions/pause", { variantId: milk.variant.id, until: D2 });
  const own = many.variants.map(({ id: variantId }) => ({ productId: many.id, variantId, quantity: 1 }));
  expect((await who.put("/cart", own)).status).toBe(200);
  const subscribed = async () =>
    (await db.cart_item.findMany({ where: { cart: { customer_id: who.customer.id } } }))
      .filter((row, _, rows) => rows.length === 200 && row.subscription_interval !== null)
      .map(({ variant_id }) => variant_id);
  expect(await subscribed()).toEqual([eggs.variant.id]);
  await db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { is_published: false } });
  await tick("2026-11-25T06:00:00Z");
  expect(await subscribed()).toEqual([milk.variant.id]);
});

test("subscriptions: one that the market does not sell, after a switch or withdrawn, has no next date, and has it again when it does", async () => {
  const [hub, lakeside] = [await hubWithWeek(), await createHub(db)];
  const eggs = await createProduct(db, hub.id, { hubs: [hub.id, lakeside.id] });
  const milk = await createProduct(db, hub.id);
  const who = await signIn(market, { hubId: hub.id });
  await subscribeTo(who, eggs);
  await subscribeTo(who, milk);
  const dates = async () => (await listed(who)).map(({ nextDate }) => nextDate);
  expect(await dates()).toEqual([D1, D1]);
  await who.put(`/hubs/${lakeside.id}/switch`);
  expect(await dates()).toEqual([D1, null]);
  expect((await who.get("/subscriptions/next-boxes")).body[1].lines).toHaveLength(1);
  await who.put(`/hubs/${hub.id}/switch`);
  expect(await dates()).toEqual([D1, D1]);
  await db.product.update({ where: { id: eggs.id }, data: { is_published: false } });
  expect(await dates()).toEqual([null, D1]);
});

test("subscriptions: one whose item has become a pre-order has no next date", async () => {
  const hub = await hubWithWeek();
  const eggs = await createProduct(db, hub.id);
  const who = await signIn(market, { hubId: hub.id });
  await subscribeTo(who, eggs);
  expect(await listed(who)).toMatchObject([{ nextDate: D1 }]);
  await db.variant.update({ where: { id: eggs.variant.id }, data: { pre_order_date: new Date("2026-12-23") } });
  expect(await listed(who)).toMatchObject([{ nextDate: null }]);
});

test("subscriptions: an order moves the next date of its shopper's subscription, not of another's", async () => {
  const hub = await hubWithWeek();
  const eggs = await createProduct(db, hub.id);
  const [who, neighbor] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
  for (const each of [who, neighbor]) await subscribeTo(each, eggs);
  const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
  expect((await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).status).toBe(201);
  expect(await listed(who)).toMatchObject([{ nextDate: D2 }]);
  expect(await listed(neighbor)).toMatchObject([{ nextDate: D1 }]);
});

test("subscriptions: a new one counts as ordered for the day of an open or future order with the item, not of other orders", async () => {
  const hub = await hubWithWeek();
  const [who, neighbor] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
  const results: [string, string | null | undefined][] = [];
  for (const [what, buyer, status, quantity] of [
    ["open", who, "open", 1],
    ["future", who, "future", 1],
    ["canceled", who, "cancelled", 1],
    ["taken off", who, "open", 0],
    ["of a neighbor", neighbor, "open", 1],
  ] as const) {
    const product = await createProduct(db, hub.id);
    const order = await createOrder(db, { customerId: buyer.customer.id, hub, product });
    await db.order.update({ where: { id: order.id }, data: { status } });
    await db.order_item.updateMany({ where: { order_id: order.id }, data: { quantity } });
    const list = (await subscribeTo(who, product)).body as Subscription[];
    results.push([what, list.find((entry) => entry.product.id === product.id)?.nextDate]);
  }
  expect(results).toEqual([
    ["open", D2],
    ["future", D2],
    ["canceled", D1],
    ["taken off", D1],
    ["of a neighbor", D1],
  ]);
  expect(await cartOf(who)).toHaveLength(3);
  // These orders have no stock and ledger entries, so they are deleted before the audits of other tests.
  await db.order.deleteMany({ where: { hub_id: hub.id } });
});

test("subscriptions: a cycle opens without the items and bundles that the market hid, and with the price of a sale as seen", async () => {
  const hub = await hubWithWeek();
  const elsewhere = await createHub(db);
  const who = await signIn(market, { hubId: hub.id });
  const product = () => createProduct(db, hub.id);
  const eggs = await createProduct(db, hub.id, { priceCents: 650, salePriceCents: 500 });
  const [offer, hidden, vendor] = [await product(), await product(), await product()];
  for (const each of [eggs, offer, hidden, vendor]) expect((await subscribeTo(who, each)).status).toBe(200);
  const bundles = [];
  for (let n = 0; n < 2; n += 1) {
    const bundle = await createBundle(db, [hub.id], { items: [{ product: await product() }] });
    expect((await who.post(`/bundles/${bundle.id}`, { subscription_interval: 1 })).status).toBe(200);
    bundles.push(bundle);
  }
  const rows = () =>
    db.cart_item.findMany({
      where: { cart: { customer_id: who.customer.id } },
      select: { variant_id: true, seen_price_cents: true },
    });
  expect(await rows()).toHaveLength(6);
  await db.offer.updateMany({ where: { variant_id: offer.variant.id }, data: { is_published: false } });
  await db.product.update({ where: { id: hidden.id }, data: { is_published: false } });
  await db.vendor.update({ where: { id: vendor.vendor_id }, data: { is_published: false } });
  await db.bundle.update({ where: { id: bundles[0]!.id }, data: { is_published: false } });
  await db.bundle_hub.updateMany({ where: { bundle_id: bundles[1]!.id }, data: { hub_id: elsewhere.id } });
  await tick("2026-11-25T06:00:00Z");
  expect(await rows()).toEqual([{ variant_id: eggs.variant.id, seen_price_cents: 500 }]);
});
