import { Bundle } from "@marketday/contracts/bundles";
import { Cart } from "@marketday/contracts/cart";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createBundle, createHub, createProduct, setInventory } from "../../../test/factories.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db } = market;
const hub = await createHub(db);
const elsewhere = await createHub(db, { zips: ["60601"] });
const special = await createHub(db, { id: 126, zips: ["47401"] });
const everywhere = [hub.id, elsewhere.id, special.id];
const eggs = await createProduct(db, hub.id, { title: "Eggs", priceCents: 725, hubs: everywhere });
const bread = await createProduct(db, hub.id, {
  title: "Bread",
  priceCents: 950,
  salePriceCents: 899,
  hubs: everywhere,
});
const jam = await createProduct(db, hub.id, { title: "Jam", priceCents: 600, hubs: [elsewhere.id] });
const hidden = await createProduct(db, hub.id, { title: "Hidden", isPublished: false });
await db.product.update({ where: { id: bread.id }, data: { ingredients: "Flour, water, salt" } });
const breakfast = await createBundle(db, everywhere, {
  title: "Breakfast",
  discountPpm: 100_000,
  items: [{ product: eggs, quantity: 2 }, { product: bread }, { product: jam }, { product: hidden }],
});
const faraway = await createBundle(db, [elsewhere.id], { title: "Faraway", items: [{ product: jam }] });
const unpublished = await createBundle(db, [hub.id], {
  title: "Unpublished",
  isPublished: false,
  items: [{ product: eggs }],
});
const titles = (bundles: Bundle[]) => bundles.map(({ title }) => title);

describe("GET /bundles", () => {
  test(
    "bundles: the hub's bundles are listed with products, ingredients, total and saving",
    { tags: ["spec:7.8-01", "spec:3-22"] },
    async () => {
      const guest = await guestOf(market, hub.id);
      const answer = await guest.get("/bundles");
      expect(Bundle.array().parse(answer.body)).toEqual(answer.body);
      expect(titles(answer.body)).toEqual(["Breakfast"]);
      const [bundle] = answer.body;
      expect(bundle).toMatchObject({
        id: breakfast.id,
        slug: breakfast.slug,
        description: "<p>All at once.</p>",
        image: null,
        subscriptionInterval: null,
        subscriptionStatus: "unsubscribed",
        // 2 × 7.25 + 8.99 less 10 % of each line: 1.45 and 0.90.
        total: 21.14,
        totalAvailable: 21.14,
        saving: 2.35,
      });
      expect(
        bundle.products.map((product: Bundle["products"][number]) => [
          product.title,
          product.quantity,
          product.variantId,
          product.ingredients,
          product.available,
          product.variants.length,
        ]),
      ).toEqual([
        ["Eggs", 2, eggs.variant.id, null, true, 1],
        ["Bread", 1, bread.variant.id, "Flour, water, salt", true, 1],
        ["Jam", 1, jam.variant.id, null, false, 0],
      ]);
    },
  );

  test("bundles: none without a session and in the special hub, and a single one is 404 there", async () => {
    expect((await market.shopper().get("/bundles")).body).toEqual([]);
    const inSpecial = await signIn(market, { hubId: special.id });
    expect((await inSpecial.get("/bundles")).body).toEqual([]);
    expect((await inSpecial.get(`/bundles/${breakfast.id}`)).status).toBe(404);
    expect((await inSpecial.post(`/bundles/${breakfast.id}`, { subscription_interval: 1 })).status).toBe(404);
    expect(await db.bundle_subscription.count({ where: { customer_id: inSpecial.customer.id } })).toBe(0);
  });
});

describe("GET /bundles/{id}", () => {
  test("bundle: found by id and slug; a sold-out part keeps its price and is not available", async () => {
    const guest = await guestOf(market, hub.id);
    const byId = await guest.get(`/bundles/${breakfast.id}`);
    expect(Bundle.parse(byId.body)).toEqual(byId.body);
    expect((await guest.get(`/bundles/${breakfast.slug}`)).body).toEqual(byId.body);
    await setInventory(db, eggs.variant.id, elsewhere.id, 1);
    const other = (await (await guestOf(market, elsewhere.id)).get(`/bundles/${breakfast.id}`)).body;
    expect(other.total).toBe(26.54);
    // The button's price leaves out sold-out parts, with the same discount on each remaining line.
    // 8.99 less 0.90, and 6.00 less 0.60.
    expect(other.totalAvailable).toBe(13.49);
    expect(other.products.map((product: { available: boolean }) => product.available)).toEqual([false, true, true]);
    expect((await market.shopper().get(`/bundles/${breakfast.id}`)).body).toMatchObject({
      title: "Breakfast",
      total: 0,
      saving: 0,
    });
  });

  test("bundle: a part with exactly its quantity in stock is available, and parts and bundles are in their order", async () => {
    const [near, last] = [await createHub(db), await createProduct(db, hub.id, { title: "Last", priceCents: 500 })];
    for (const [{ variant }, inventory] of [
      [last, 2],
      [eggs, 1],
    ] as const)
      await db.offer.create({ data: { variant_id: variant.id, hub_id: near.id, price_cents: 500, inventory } });
    await createBundle(db, [near.id], {
      title: "Supper",
      discountPpm: 0,
      items: [{ product: last, quantity: 2 }, { product: eggs }],
    });
    await createBundle(db, [near.id], { title: "Brunch", items: [{ product: eggs }] });
    const { body } = await (await guestOf(market, near.id)).get("/bundles");
    expect(titles(body)).toEqual(["Brunch", "Supper"]);
    expect(body[1]).toMatchObject({
      total: 15,
      totalAvailable: 15,
      products: [
        { title: "Last", available: true },
        { title: "Eggs", available: true },
      ],
    });
  });

  test(
    "bundle: one of another hub, an unpublished and an unknown one are the same 404",
    { tags: ["fail:G1"] },
    async () => {
      const guest = await guestOf(market, hub.id);
      for (const id of [faraway.id, faraway.slug, unpublished.id, 999_999, "nothing", "99999999999", "%00"]) {
        const answer = await guest.get(`/bundles/${id}`);
        expect([id, answer.status, answer.body]).toEqual([id, 404, ["Not found.", { code: "not_found" }]]);
      }
    },
  );
});

describe("subscribing to a bundle", () => {
  test(
    "bundle subscription: belongs to one customer, changes its interval, is shown everywhere and ends",
    { tags: ["spec:7.8-02", "spec:7.8-03"] },
    async () => {
      const [fan, other] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
      const subscribed = await fan.post(`/bundles/${breakfast.id}`, { subscription_interval: 2 });
      expect(Bundle.parse(subscribed.body)).toEqual(subscribed.body);
      expect(subscribed.body).toMatchObject({
        id: breakfast.id,
        subscriptionInterval: 2,
        subscriptionStatus: "subscribed",
        total: 21.14,
      });
      expect(
        (await fan.post(`/bundles/${breakfast.slug}`, { subscription_interval: 4 })).body.subscriptionInterval,
      ).toBe(4);
      expect(await db.bundle_subscription.findMany({ where: { bundle_id: breakfast.id } })).toMatchObject([
        { customer_id: fan.customer.id, interval_weeks: 4 },
      ]);
      expect((await fan.get("/bundles")).body).toMatchObject([
        { subscriptionInterval: 4, subscriptionStatus: "subscribed" },
      ]);
      expect((await fan.get(`/bundles/${breakfast.id}`)).body).toMatchObject({
        subscriptionInterval: 4,
        subscriptionStatus: "subscribed",
      });
      expect((await fan.get("/bundles/subscribed")).body).toMatchObject([
        { id: breakfast.id, subscriptionInterval: 4 },
      ]);
      expect((await other.get("/bundles")).body).toMatchObject([
        { subscriptionInterval: null, subscriptionStatus: "unsubscribed" },
      ]);
      expect((await other.get("/bundles/subscribed")).body).toEqual([]);
      const before = await db.bundle_subscription.count();
      expect((await other.delete(`/bundles/${breakfast.id}`)).body.subscriptionStatus).toBe("unsubscribed");
      expect(await db.bundle_subscription.count()).toBe(before);
      // In other hubs it is still listed and can be ended, even in one without bundles.
      await fan.put(`/hubs/${special.id}/switch`);
      expect((await fan.get("/bundles/subscribed")).body).toMatchObject([{ id: breakfast.id }]);
      expect((await fan.delete(`/bundles/${breakfast.slug}`)).body).toMatchObject({
        subscriptionInterval: null,
        subscriptionStatus: "unsubscribed",
      });
      expect((await fan.delete(`/bundles/${breakfast.id}`)).status).toBe(200);
      expect((await fan.get("/bundles/subscribed")).body).toEqual([]);
    },
  );

  test("bundle subscription: a change of one leaves the cart's lines of other subscriptions", async () => {
    const fan = await signIn(market, { hubId: hub.id });
    const lines = async () =>
      (await fan.get("/cart")).body.items.map(({ product, fromBundleId }: Cart["items"][number]) => [
        product.id,
        fromBundleId,
      ]);
    const own = { productId: bread.id, variantId: bread.variant.id, qty: 1, subscription_interval: 1 };
    expect((await fan.post("/subscriptions", own)).status).toBe(200);
    expect(await lines()).toEqual([[bread.id, null]]);
    await fan.post(`/bundles/${breakfast.id}`, { subscription_interval: 1 });
    expect(await lines()).toEqual([
      [bread.id, null],
      [eggs.id, breakfast.id],
      [bread.id, breakfast.id],
    ]);
    await fan.delete(`/bundles/${breakfast.id}`);
    expect(await lines()).toEqual([[bread.id, null]]);
  });

  test("bundle subscription: whole weeks from 1 to 4 are accepted", { tags: ["spec:4-13"] }, async () => {
    const fan = await signIn(market, { hubId: hub.id });
    for (const body of [
      {},
      { subscription_interval: 0 },
      { subscription_interval: 5 },
      { subscription_interval: 1.5 },
      { subscription_interval: "2" },
      { subscription_interval: null },
      [],
    ])
      expect([body, (await fan.post(`/bundles/${breakfast.id}`, body)).status]).toEqual([body, 400]);
    expect(await db.bundle_subscription.count({ where: { customer_id: fan.customer.id } })).toBe(0);
    for (const interval of [1, 2, 3, 4])
      expect(
        (await fan.post(`/bundles/${breakfast.id}`, { subscription_interval: interval })).body.subscriptionInterval,
      ).toBe(interval);
  });

  test(
    "bundle subscription: needs an account and a bundle of this hub",
    { tags: ["spec:6-03", "fail:G1", "fail:G2"] },
    async () => {
      for (const someone of [await guestOf(market, hub.id), market.shopper()]) {
        const calls = [
          someone.get("/bundles/subscribed"),
          someone.post(`/bundles/${breakfast.id}`, { subscription_interval: 1 }),
          someone.delete(`/bundles/${breakfast.id}`),
        ];
        for (const call of calls) {
          const answer = await call;
          expect([answer.status, answer.body]).toEqual([
            401,
            ["Please login to continue.", { code: "login_required" }],
          ]);
        }
      }
      const fan = await signIn(market, { hubId: hub.id });
      for (const id of [faraway.id, unpublished.id, 999_999, "nothing"])
        expect([id, (await fan.post(`/bundles/${id}`, { subscription_interval: 1 })).status]).toEqual([id, 404]);
      for (const id of [unpublished.id, 999_999, "nothing"])
        expect([id, (await fan.delete(`/bundles/${id}`)).status]).toEqual([id, 404]);
      expect(await db.bundle_subscription.count({ where: { customer_id: fan.customer.id } })).toBe(0);
    },
  );

  test("bundle subscription: fifty concurrent requests make one row", { tags: ["fail:I16"] }, async () => {
    const fan = await signIn(market, { hubId: hub.id });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        fan.post(`/bundles/${breakfast.id}`, { subscription_interval: 1 + (n % 4) }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await db.bundle_subscription.count({ where: { customer_id: fan.customer.id } })).toBe(1);
  });
});

describe("a bundle in the cart", () => {
  test("cart: a bundle costs what its page shows, and its lines name it", { tags: ["spec:3-17"] }, async () => {
    const guest = await guestOf(market, hub.id);
    const bundle: Bundle = (await guest.get(`/bundles/${breakfast.id}`)).body;
    const lines = bundle.products
      .filter(({ available }) => available)
      .map(({ id, variantId, quantity }) => ({ productId: id, variantId, quantity, fromBundleId: bundle.id }));
    const cart = Cart.parse((await guest.put("/cart", lines)).body);
    expect(cart.items.map(({ fromBundleId, quantity }) => [fromBundleId, quantity])).toEqual([
      [bundle.id, 2],
      [bundle.id, 1],
    ]);
    expect([cart.subtotal, cart.subtotalBeforeDiscounts]).toEqual([21.14, 23.49]);
  });

  test("cart: a line of a bundle must be a variant of that bundle in this hub", async () => {
    const guest = await guestOf(market, hub.id);
    const cheese = await createProduct(db, hub.id);
    for (const line of [
      { ...cheese.line(1), fromBundleId: breakfast.id },
      { ...eggs.line(1), fromBundleId: faraway.id },
      { ...eggs.line(1), fromBundleId: unpublished.id },
      { ...eggs.line(1), fromBundleId: 999_999 },
    ]) {
      const answer = await guest.put("/cart", [eggs.line(1), line]);
      expect([line, answer.status, answer.body[1].code]).toEqual([line, 422, "not_sold"]);
    }
    expect((await guest.get("/cart")).body.items).toEqual([]);
  });
});
