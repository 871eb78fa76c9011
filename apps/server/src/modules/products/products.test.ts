import { brotliDecompressSync, gunzipSync } from "node:zlib";

import { Product } from "@marketday/contracts/products";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createCustomer, createHub, createProduct, createVendor, PASSWORD } from "../../../test/factories.ts";
import { unitPrice } from "./serialize.ts";

const market = await buildTestApp();
const { db, deps } = market;
const secondServer = await buildTestApp({ url: market.url });
const hub = await createHub(db, { name: "Here" });
const farHub = await createHub(db, { name: "There", zips: ["80202"] });
const farm = await createVendor(db, { name: "Hollow Farm" });
const eggs = await createProduct(db, hub.id, {
  vendorId: farm.id,
  title: "Pasture Eggs",
  variants: [
    { title: "Half dozen", priceCents: 425, inventory: 3 },
    { title: "Dozen", priceCents: 795, salePriceCents: 649, inventory: 9 },
  ],
});
const cheese = await createProduct(db, farHub.id, { vendorId: farm.id, title: "Blue Cheese" });

async function guest(at = market) {
  const someone = at.shopper();
  expect((await someone.post(`/auth/guest?hubId=${hub.id}`)).status).toBe(200);
  return someone;
}

async function customer() {
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const someone = market.shopper();
  expect((await someone.post("/auth/login", { username: row.email, password: PASSWORD })).status).toBe(200);
  return { row, someone };
}

/** Each test reads the current rows. */
beforeEach(() => {
  market.deps.cache.clear();
  secondServer.deps.cache.clear();
});

test(
  "product: a guest reads it by id and by slug, and it matches the contract",
  { tags: ["spec:7.6-01", "spec:3-06", "spec:3-04"] },
  async () => {
    const someone = await guest();
    const { status, body, headers } = await someone.get(`/products/${eggs.id}`);
    expect(status).toBe(200);
    expect(Product.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      id: eggs.id,
      slug: eggs.slug,
      title: "Pasture Eggs",
      description: "<p>Good.</p>",
      tags: ["local"],
      images: [],
      ratingCount: 0,
      avgRating: 0,
      ribbonText: null,
      isPreOrder: false,
      isFavorite: false,
      previousOrderCount: 0,
      availableMarkets: [],
      vendor: { id: farm.id, name: "Hollow Farm", city: "Sheridan", state: "IN", avatar: null },
      variants: [
        {
          title: "Half dozen",
          inventory: 3,
          price: 4.25,
          salePrice: null,
          isSubscribed: false,
          preOrderDate: null,
          size: "Half dozen",
          unitPrice: null,
        },
        { title: "Dozen", inventory: 9, price: 7.95, salePrice: 6.49 },
      ],
    });
    expect((await someone.get(`/products/${eggs.slug}`)).text).toBe((await someone.get(`/products/${eggs.id}`)).text);
    expect([headers["cache-control"], headers["vary"]]).toEqual(["private, no-cache", expect.stringMatching(/cookie/)]);
  },
);

test("product: a matching etag returns 304, and brotli is used where it is accepted", async () => {
  const someone = await guest();
  const first = await someone.get(`/products/${eggs.id}`);
  const etag = String(first.headers["etag"]);
  for (const value of [etag, `"x", ${etag}`, etag.slice(2), "*"]) {
    const again = await someone.get(`/products/${eggs.id}`, { "if-none-match": value });
    expect([value, again.status, again.text, again.headers["etag"]]).toEqual([value, 304, "", etag]);
  }
  expect((await someone.get(`/products/${eggs.id}`, { "if-none-match": 'W/"other"' })).status).toBe(200);
  await db.product.update({
    where: { id: eggs.id },
    data: { description: `<p>${"Brown and blue. ".repeat(100)}</p>` },
  });
  market.deps.cache.clear();
  const plain = await someone.get(`/products/${eggs.id}`);
  const read = async (accept: string) => {
    const { headers, rawPayload } = await market.app.inject({
      url: `/api/products/${eggs.id}`,
      headers: { cookie: someone.cookieHeader(), "accept-encoding": accept },
    });
    const encoding = headers["content-encoding"];
    const bytes =
      encoding === "br" ? brotliDecompressSync(rawPayload) : encoding === "gzip" ? gunzipSync(rawPayload) : rawPayload;
    return [encoding, headers["etag"], bytes.toString() === plain.text];
  };
  const tag = plain.headers["etag"];
  expect(await read("gzip, deflate, br, zstd")).toEqual(["br", tag, true]);
  expect(await read("br;q=0, identity")).toEqual([undefined, tag, true]);
  expect(await read("gzip")).toEqual(["gzip", tag, true]);
  expect(await read("identity")).toEqual([undefined, tag, true]);
});

test(
  "product: one that the hub does not sell has no variants and lists the markets that sell it",
  { tags: ["spec:7.6-01"] },
  async () => {
    const someone = await guest();
    const { body } = await someone.get(`/products/${cheese.id}`);
    expect(Product.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      title: "Blue Cheese",
      variants: [],
      availableMarkets: [{ id: farHub.id, name: "There" }],
    });
  },
);

test("product: without a session it has no variants and lists the markets that sell it", async () => {
  const { status, body } = await market.shopper().get(`/products/${eggs.id}`);
  expect([status, body.variants, body.availableMarkets]).toEqual([200, [], [{ id: hub.id, name: "Here" }]]);
});

test("product: unpublished offers are not sold, and unpublished hubs are not listed as markets", async () => {
  const jam = await createProduct(db, hub.id, { title: "Plum Jam", hubs: [hub.id, farHub.id] });
  await db.offer.updateMany({ where: { variant_id: jam.variant.id, hub_id: hub.id }, data: { is_published: false } });
  market.deps.cache.clear();
  const someone = await guest();
  expect((await someone.get(`/products/${jam.id}`)).body).toMatchObject({
    variants: [],
    availableMarkets: [{ name: "There" }],
  });
  await db.hub.update({ where: { id: farHub.id }, data: { is_published: false } });
  market.deps.cache.clear();
  expect((await someone.get(`/products/${jam.id}`)).body).toMatchObject({ variants: [], availableMarkets: [] });
  await db.hub.update({ where: { id: farHub.id }, data: { is_published: true } });
});

test("product: an unknown one, an unpublished one and one of an unpublished vendor return the same 404", async () => {
  const hidden = await createProduct(db, hub.id, { isPublished: false });
  const gone = await createVendor(db);
  const orphan = await createProduct(db, hub.id, { vendorId: gone.id });
  await db.vendor.update({ where: { id: gone.id }, data: { is_published: false } });
  market.deps.cache.clear();
  const someone = await guest();
  for (const id of ["999999", "no-such-thing", "0", "99999999999", hidden.id, hidden.slug, orphan.id]) {
    const { status, body } = await someone.get(`/products/${id}`);
    expect([id, status, body]).toEqual([id, 404, ["Not found.", { code: "not_found" }]]);
  }
  expect((await someone.get(`/products/${"x".repeat(201)}`)).status).toBe(400);
  expect((await someone.get(`/products/${eggs.id}?messageId=${"9".repeat(41)}`)).status).toBe(400);
});

test("product: ratings are stars with two decimals, and an empty title is shown as missing", async () => {
  const odd = await createProduct(db, hub.id, { title: " " });
  for (const rating_halves of [9, 10, 4]) {
    const { id } = await createCustomer(db, { pepper: deps.env.pepper });
    await db.review.create({ data: { customer_id: id, product_id: odd.id, rating_halves, comment: "Fine." } });
  }
  const { body } = await (await guest()).get(`/products/${odd.id}`);
  expect([body.ratingCount, body.avgRating, body.title]).toEqual([3, 3.83, "Title Missing"]);
});

test.each([
  [{ price_cents: 650, sale_price_cents: null, measure: "oz", measure_amount: 12 }, "$0.54 / oz"],
  [{ price_cents: 650, sale_price_cents: 600, measure: "oz", measure_amount: 12 }, "$0.50 / oz"],
  [{ price_cents: 650, sale_price_cents: null, measure: null, measure_amount: null }, null],
  [{ price_cents: 650, sale_price_cents: null, measure: "oz", measure_amount: 0 }, null],
  [{ price_cents: 300, sale_price_cents: null, measure: "g", measure_amount: 1000 }, null],
])("the unit price of %j is %s", { tags: ["spec:3-04"] }, (row, price) => {
  expect(unitPrice(row)).toBe(price);
});

test("product: two of one name and one title have different sizes, with the unit price where there is one", async () => {
  const jars = await Promise.all(
    [8, 12].map((ounces) => createProduct(db, hub.id, { title: "Strawberry Jam", priceCents: ounces * 100 })),
  );
  await db.variant.update({ where: { id: jars[0]!.variant.id }, data: { unit: "8 oz" } });
  await db.variant.update({ where: { id: jars[1]!.variant.id }, data: { measure: "oz", measure_amount: 12 } });
  market.deps.cache.clear();
  const someone = await guest();
  const found = await Promise.all(jars.map(async ({ id }) => (await someone.get(`/products/${id}`)).body.variants[0]));
  expect(found).toMatchObject([
    { title: "Each", size: "8 oz", unitPrice: null },
    { title: "Each", size: "12 oz", unitPrice: "$1.00 / oz" },
  ]);
});

test("product: its variants are in their order, whatever the order in which they were created", async () => {
  const bread = await createProduct(db, hub.id, { variants: [{ title: "Half" }, { title: "Loaf" }] });
  await db.variant.update({ where: { id: bread.variant.id }, data: { position: 2 } });
  market.deps.cache.clear();
  const { variants } = (await (await guest()).get(`/products/${bread.id}`)).body;
  expect(variants.map(({ title }: { title: string }) => title)).toEqual(["Loaf", "Half"]);
});

test("product: a pre-order has its delivery date", async () => {
  const turkey = await createProduct(db, hub.id, { title: "Turkey", preOrderDate: "2026-12-20" });
  const { body } = await (await guest()).get(`/products/${turkey.id}`);
  expect([body.isPreOrder, body.variants[0].preOrderDate]).toEqual([true, "2026-12-20"]);
});

test(
  "product: favorite, order counts and subscription are shown to their customer only",
  { tags: ["spec:3-06"] },
  async () => {
    const { row, someone } = await customer();
    expect((await someone.get(`/products/${eggs.id}`)).body).toMatchObject({
      isFavorite: false,
      previousOrderCount: 0,
      previousVendorOrderCount: 0,
    });
    const bread = await createProduct(db, hub.id, { vendorId: farm.id, title: "Rye" });
    for (const lines of [[eggs.line(1), bread.line(1)], [bread.line(1)]]) {
      expect((await someone.put("/cart", lines)).status).toBe(200);
      const { body: quote } = await someone.post("/checkout/quote", CHOICE);
      expect((await someone.post("/checkout", { ...CHOICE, expectedTotal: quote.orderTotal })).status).toBe(201);
    }
    await db.favorite_product.create({ data: { customer_id: row.id, product_id: eggs.id } });
    await db.subscription.create({
      data: { customer_id: row.id, variant_id: eggs.variants[1]!.id, quantity: 1, interval_weeks: 2 },
    });
    const { body } = await someone.get(`/products/${eggs.id}`);
    expect(Product.parse(body)).toEqual(body);
    expect(body).toMatchObject({ isFavorite: true, previousOrderCount: 1, previousVendorOrderCount: 2 });
    expect(body.variants.map(({ isSubscribed }: { isSubscribed: boolean }) => isSubscribed)).toEqual([false, true]);
    expect((await someone.get(`/products/${bread.id}`)).body).toMatchObject({
      isFavorite: false,
      previousOrderCount: 2,
      previousVendorOrderCount: 2,
    });
    for (const stranger of [await guest(), (await customer()).someone]) {
      const { body: foreign } = await stranger.get(`/products/${eggs.id}`);
      expect([
        foreign.isFavorite,
        foreign.previousOrderCount,
        foreign.previousVendorOrderCount,
        foreign.variants[1].isSubscribed,
      ]).toEqual([false, 0, 0, false]);
    }
    expect(await market.audit()).toEqual([]);
  },
);

test("product: a cancelled order does not count as ordered", async () => {
  const { row, someone } = await customer();
  await someone.put("/cart", [eggs.line(1)]);
  const { body: quote } = await someone.post("/checkout/quote", CHOICE);
  const { body: placed } = await someone.post("/checkout", { ...CHOICE, expectedTotal: quote.orderTotal });
  expect((await someone.get(`/products/${eggs.id}`)).body.previousOrderCount).toBe(1);
  await db.order.update({ where: { id: placed.orderId, customer_id: row.id }, data: { status: "cancelled" } });
  // The test's own write reaches the server by the database's notification.
  await expect
    .poll(async () => (await someone.get(`/products/${eggs.id}`)).body)
    .toMatchObject({ previousOrderCount: 0, previousVendorOrderCount: 0 });
});

test("product: an item removed from its order does not count as ordered", async () => {
  const { someone } = await customer();
  const rye = await createProduct(db, hub.id, { vendorId: farm.id, title: "Rye" });
  await someone.put("/cart", [eggs.line(1), rye.line(1)]);
  const { body: quote } = await someone.post("/checkout/quote", CHOICE);
  const { body: placed } = await someone.post("/checkout", { ...CHOICE, expectedTotal: quote.orderTotal });
  const items = [{ quantity: 1, product: { variant: { id: rye.variant.id } } }];
  expect((await someone.post("/orders/edit-order", { order: { id: placed.orderId, items } })).status).toBe(200);
  expect((await someone.get(`/products/${eggs.id}`)).body.previousOrderCount).toBe(0);
  expect((await someone.get(`/products/${rye.id}`)).body.previousOrderCount).toBe(1);
});

test("product: messageId marks only the shopper's own thread as read", { tags: ["spec:7.6-01"] }, async () => {
  const { row, someone } = await customer();
  const { row: stranger } = await customer();
  const own = await db.thread.create({ data: { customer_id: row.id, vendor_id: farm.id } });
  const foreign = await db.thread.create({ data: { customer_id: stranger.id, vendor_id: farm.id } });
  for (const messageId of [foreign.id, "abc", "0", "1.5", 999_999, "99999999999", ""])
    expect((await someone.get(`/products/${eggs.id}?messageId=${messageId}`)).status).toBe(200);
  const readAt = async (id: number) => (await db.thread.findUniqueOrThrow({ where: { id } })).read_at;
  expect([await readAt(own.id), await readAt(foreign.id)]).toEqual([null, null]);
  expect((await (await guest()).get(`/products/${eggs.id}?messageId=${own.id}`)).status).toBe(200);
  expect(await readAt(own.id)).toBeNull();
  expect((await someone.get(`/products/${eggs.id}?messageId=${own.id}`)).status).toBe(200);
  expect([await readAt(own.id), await readAt(foreign.id)]).toEqual([market.clock.now(), null]);
});

test("product: with a warm cache neither a guest nor a customer takes a statement, until the customer's favorites change", async () => {
  const [someone, { someone: buyer }] = [await guest(), await customer()];
  await market.waitForNotifications();
  market.deps.cache.clear();
  await someone.get(`/products/${eggs.id}`);
  await buyer.get(`/products/${eggs.id}`);
  // The session is read once a second, independent of the product.
  const statements = async (of: typeof someone) =>
    (await market.statements(() => of.get(`/products/${eggs.id}`))).filter((text) => !text.includes("from session s"));
  expect(await statements(someone)).toEqual([]);
  expect(await statements(buyer)).toEqual([]);
  expect((await buyer.post(`/products/${eggs.id}/favorite`)).status).toBe(200);
  expect(await statements(buyer)).toHaveLength(1);
  expect(await statements(buyer)).toEqual([]);
});

test("product: a change of price, stock or title is visible on every server", async () => {
  const pear = await createProduct(db, hub.id, { title: "Pear", priceCents: 300, inventory: 5 });
  const shoppers = [await guest(market), await guest(secondServer)];
  const read = () =>
    Promise.all(
      shoppers.map(async (someone) => {
        const { title, variants } = (await someone.get(`/products/${pear.id}`)).body;
        return [title, variants[0]?.price, variants[0]?.inventory];
      }),
    );
  expect(await read()).toEqual([
    ["Pear", 3, 5],
    ["Pear", 3, 5],
  ]);
  await db.offer.updateMany({ where: { variant_id: pear.variant.id }, data: { price_cents: 350 } });
  await expect.poll(read).toEqual([
    ["Pear", 3.5, 5],
    ["Pear", 3.5, 5],
  ]);
  await (await guest(secondServer)).put("/cart", [pear.line(1)]);
  await db.product.update({ where: { id: pear.id }, data: { title: "Ripe Pear" } });
  await expect.poll(read).toEqual([
    ["Ripe Pear", 3.5, 5],
    ["Ripe Pear", 3.5, 5],
  ]);
  await db.product.update({ where: { id: pear.id }, data: { is_published: false } });
  await expect
    .poll(
      async () => Promise.all(shoppers.map(async (someone) => (await someone.get(`/products/${pear.id}`)).status)),
      { timeout: 20_000 },
    )
    .toEqual([404, 404]);
});

test("product: reading it changes nothing", async () => {
  const count = async () =>
    Promise.all([
      db.offer.findMany({ orderBy: { id: "asc" } }),
      db.product.findMany({ orderBy: { id: "asc" } }),
      db.cart.count(),
    ]);
  const someone = await guest();
  const before = await count();
  await someone.get(`/products/${eggs.id}`);
  await someone.get(`/products/${cheese.slug}`);
  expect(await count()).toEqual(before);
});
