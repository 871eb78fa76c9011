import { Cart } from "@marketday/contracts/cart";
import { execute, query, sql, sqlTransaction } from "@marketday/db";
import { expect, test, vi } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  createBundle,
  createCustomer,
  createHub,
  createProduct,
  PASSWORD,
  setInventory,
} from "../../../test/factories.ts";

const market = await buildTestApp();
const { db, deps } = market;
const hub = await createHub(db);

async function guest() {
  const someone = market.shopper();
  expect((await someone.post("/auth/guest?zipCode=46032")).status).toBe(200);
  return someone;
}

test(
  "cart: a guest adds, changes and removes lines",
  { tags: ["spec:7.4-01", "spec:7.4-02", "spec:4-18", "spec:3-14", "spec:3-15"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { title: "Pasture Eggs", priceCents: 725, inventory: 8 });
    const bread = await createProduct(db, hub.id, { title: "Country Sourdough", priceCents: 950, salePriceCents: 900 });
    const someone = await guest();
    const first = await someone.put("/cart", [eggs.line(2), bread.line(1)]);
    expect(first.status).toBe(200);
    const cart = Cart.parse(first.body);
    expect(cart.items.map(({ product, quantity, price }) => [product.title, quantity, price])).toEqual([
      ["Pasture Eggs", 2, 7.25],
      ["Country Sourdough", 1, 9],
    ]);
    const vendor = await db.vendor.findUniqueOrThrow({ where: { id: bread.vendor_id } });
    expect(cart.items[1]).toEqual({
      id: expect.any(Number),
      quantity: 1,
      price: 9,
      subscription_interval: null,
      watching: false,
      isPublished: true,
      fromBundleId: null,
      vendor: { id: vendor.id, slug: vendor.slug, name: vendor.name, city: "Sheridan", state: "IN", avatar: null },
      product: {
        id: bread.id,
        slug: bread.slug,
        title: "Country Sourdough",
        images: [],
        variant: {
          id: bread.variant.id,
          title: "Each",
          size: "Each",
          inventory: 10,
          price: 9.5,
          salePrice: 9,
          preOrderDate: null,
        },
      },
      discount: null,
    });
    expect(cart.items.map(({ discount }) => discount)).toEqual([null, null]);
    expect(cart.subtotal).toBe(23.5);
    expect(cart.deliveryDate).toBe("2026-11-26");
    expect(cart.cutoff).toBe("2026-11-25T06:00:00.000Z");
    const second = await someone.put("/cart", [eggs.line(0)]);
    expect(Cart.parse(second.body).items.map(({ product }) => product.title)).toEqual(["Country Sourdough"]);
    expect((await someone.get("/cart")).body).toEqual(second.body);
  },
);

test("cart: without a session it is empty, and a write is refused", async () => {
  const visitor = market.shopper();
  expect((await visitor.get("/cart")).body.items).toEqual([]);
  const eggs = await createProduct(db, hub.id);
  const answer = await visitor.put("/cart", [eggs.line(1)]);
  expect([answer.status, answer.body[1].code]).toEqual([401, "login_required"]);
});

test(
  "cart: the same variant twice is summed, capped at the stock and reported in a banner",
  { tags: ["fail:A2"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { title: "Duck Eggs", inventory: 5 });
    const someone = await guest();
    const { body } = await someone.put("/cart", [eggs.line(4), eggs.line(4)]);
    expect(body.items).toHaveLength(1);
    expect(body.items[0].quantity).toBe(5);
    expect(body.banners[0]).toMatchObject({ type: "warning", title: "Only 5 left of Duck Eggs, Each." });
  },
);

test("cart: a bundle saves money only while all of it is in the cart", async () => {
  const eggs = await createProduct(db, hub.id, { priceCents: 700 });
  const bread = await createProduct(db, hub.id, { priceCents: 900 });
  const bundle = await createBundle(db, [hub.id], { items: [{ product: eggs, quantity: 2 }, { product: bread }] });
  const someone = await guest();
  const put = async (eggsWanted: number, breadWanted: number) =>
    (
      await someone.put("/cart", [
        { ...eggs.line(eggsWanted), fromBundleId: bundle.id },
        { ...bread.line(breadWanted), fromBundleId: bundle.id },
      ])
    ).body;
  const whole = await put(2, 1);
  expect(whole).toMatchObject({ subtotal: 20.7, subtotalBeforeDiscounts: 23 });
  expect(whole.items.map(({ discount }: { discount: object }) => discount)).toEqual([
    { amount: 1.4, reason: bundle.title },
    { amount: 0.9, reason: bundle.title },
  ]);
  expect(await put(2, 0)).toMatchObject({ subtotal: 14, subtotalBeforeDiscounts: 14 });
  expect(await put(1, 1)).toMatchObject({ subtotal: 16 });
  expect(await put(3, 1)).toMatchObject({ subtotal: 27.7, subtotalBeforeDiscounts: 30 });
});

test("cart: a bundle that is no longer published saves nothing; one without a part that a hidden vendor sold saves on the rest", async () => {
  const [eggs, bread] = [await createProduct(db, hub.id, { priceCents: 700 }), await createProduct(db, hub.id)];
  const bundle = await createBundle(db, [hub.id], { items: [{ product: eggs }, { product: bread }] });
  const someone = await guest();
  expect((await someone.put("/cart", [{ ...eggs.line(1), fromBundleId: bundle.id }])).body.subtotal).toBe(7);
  await db.vendor.update({ where: { id: bread.vendor_id }, data: { is_published: false } });
  expect((await someone.get("/cart")).body.subtotal).toBe(6.3);
  await db.bundle.update({ where: { id: bundle.id }, data: { is_published: false } });
  expect((await someone.get("/cart")).body).toMatchObject({ subtotal: 7, discounts: [], items: [{ discount: null }] });
});

test("cart: an item is not added as part of a bundle that another market sells, that is hidden, or that lacks it", async () => {
  const other = await createHub(db, { zips: ["60603"] });
  const [eggs, bread] = [await createProduct(db, hub.id), await createProduct(db, hub.id)];
  const items = [{ product: eggs }];
  const abroad = await createBundle(db, [other.id], { items });
  const hidden = await createBundle(db, [hub.id], { items, isPublished: false });
  const bundle = await createBundle(db, [hub.id], { items });
  const someone = await guest();
  for (const [product, { id: fromBundleId }] of [
    [eggs, abroad],
    [eggs, hidden],
    [bread, bundle],
  ] as const) {
    const { status, body } = await someone.put("/cart", [{ ...product.line(1), fromBundleId }]);
    expect([status, body[1]]).toEqual([422, { code: "not_sold", items: [product.variant.id] }]);
  }
  expect((await someone.get("/cart")).body.items).toEqual([]);
  expect((await someone.put("/cart", [{ ...eggs.line(1), fromBundleId: bundle.id }])).status).toBe(200);
});

test("cart: the products of a hidden vendor cannot be added", async () => {
  const eggs = await createProduct(db, hub.id);
  const someone = await guest();
  await someone.put("/cart", [eggs.line(1)]);
  await db.vendor.update({ where: { id: eggs.vendor_id }, data: { is_published: false } });
  await market.waitForNotifications();
  const answer = await someone.put("/cart", [eggs.line(1)]);
  expect([answer.status, answer.body[1]]).toMatchObject([422, { code: "not_sold", items: [eggs.variant.id] }]);
  // A line from before can be removed.
  expect((await someone.put("/cart", [eggs.line(0)])).body.items).toEqual([]);
});

test("cart: a line that is sold out when it is added is watched, in the quantity that was wanted", async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 0 });
  const { body } = await (await guest()).put("/cart", [eggs.line(3)]);
  expect(body).toMatchObject({ subtotal: 0, items: [{ watching: true, quantity: 3 }] });
  expect(await db.cart_item.findMany({ where: { cart_id: body.id } })).toMatchObject([{ watching: true, quantity: 3 }]);
});

test("cart: one bad line refuses the whole request and changes nothing", async () => {
  const eggs = await createProduct(db, hub.id);
  const elsewhere = await createProduct(db, (await createHub(db, { zips: ["90210"] })).id);
  const hidden = await createProduct(db, hub.id, { offerIsPublished: false });
  const someone = await guest();
  await someone.put("/cart", [eggs.line(1)]);
  const mixed = { ...(await createProduct(db, hub.id)).line(1), productId: eggs.id };
  const unknown = { ...eggs.line(1), variantId: 2_000_000 };
  for (const bad of [elsewhere.line(1), hidden.line(1), unknown, mixed]) {
    const answer = await someone.put("/cart", [eggs.line(3), bad]);
    expect([answer.status, answer.body[1].code]).toEqual([422, "not_sold"]);
  }
  expect((await someone.get("/cart")).body.items.map((item: { quantity: number }) => item.quantity)).toEqual([1]);
});

test(
  "cart: quantities are whole numbers from 0, which removes, to 999 and the stock; everything else is refused",
  { tags: ["fail:A8"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 2000 });
    const someone = await guest();
    for (const quantity of [1e6, -1, 1.5, "2", null, 2 ** 31, 1000, true, [1], {}]) {
      const answer = await someone.put("/cart", [{ productId: eggs.id, variantId: eggs.variant.id, quantity }]);
      expect([quantity, answer.status]).toEqual([quantity, 400]);
    }
    const notANumber = await someone.put(
      "/cart",
      `[{"productId":${eggs.id},"variantId":${eggs.variant.id},"quantity":NaN}]`,
    );
    expect(notANumber.status).toBe(400);
    const twice = await someone.put(
      "/cart",
      `[{"productId":${eggs.id},"variantId":${eggs.variant.id},"quantity":1,"quantity":2000}]`,
    );
    expect(twice.status).toBe(400);
    expect((await someone.get("/cart")).body.items).toEqual([]);
    const most = await someone.put("/cart", [eggs.line(999)]);
    expect(most.body.items[0].quantity).toBe(999);
    const sum = await someone.put("/cart", [eggs.line(600), eggs.line(600)]);
    expect(sum.body.items[0].quantity).toBe(999);
    expect((await someone.put("/cart", [eggs.line(0)])).body.items).toEqual([]);
    const few = await createProduct(db, hub.id, { title: "Few Figs", inventory: 3 });
    const capped = await someone.put("/cart", [few.line(4)]);
    expect(capped.body.items).toEqual([expect.objectContaining({ quantity: 3, watching: false })]);
    expect(capped.body.banners.map(({ title }: { title: string }) => title)).toEqual([
      expect.stringMatching(/Few Figs/),
    ]);
  },
);

test("cart: prices, totals and owners in the body change nothing", { tags: ["fail:B16", "fail:G5"] }, async () => {
  const eggs = await createProduct(db, hub.id, { priceCents: 725 });
  const someone = await guest();
  const line = {
    ...eggs.line(1),
    price: 0.01,
    salePrice: 0.01,
    total: 0,
    customerId: 1,
    hubId: 99,
    cartId: 1,
    credit: 100,
    isGuest: false,
  };
  const { body } = await someone.put("/cart", [line]);
  expect(body.items[0].price).toBe(7.25);
  expect(body.subtotal).toBe(7.25);
});

test("cart: a sold-out line is watched and returns with the stock; a changed price is shown", async () => {
  const eggs = await createProduct(db, hub.id, { title: "Quail Eggs", priceCents: 500, inventory: 3 });
  const someone = await guest();
  await someone.put("/cart", [eggs.line(2)]);
  await setInventory(db, eggs.variant.id, hub.id, 0);
  const soldOut = (await someone.get("/cart")).body;
  expect(soldOut.items[0]).toMatchObject({ watching: true, quantity: 2 });
  expect(soldOut.subtotal).toBe(0);
  expect(soldOut.banners[0].title).toBe("Quail Eggs, Each is sold out.");
  await setInventory(db, eggs.variant.id, hub.id, 9);
  await db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { price_cents: 550 } });
  await market.waitForNotifications();
  const back = (await someone.get("/cart")).body;
  expect(back.items[0]).toMatchObject({ watching: false, quantity: 2, price: 5.5 });
  expect(back.banners[0]).toMatchObject({ type: "information", title: "Quail Eggs, Each is now $5.50." });
});

test("cart: lines of another hub are kept without being counted, and return with the hub", async () => {
  const other = await createHub(db, { zips: ["60601"] });
  const eggs = await createProduct(db, hub.id, { priceCents: 300 });
  const someone = await guest();
  await someone.put("/cart", [eggs.line(2)]);
  await someone.put(`/hubs/${other.id}/switch`);
  const away = (await someone.get("/cart")).body;
  expect(away.items[0]).toMatchObject({ isPublished: false, quantity: 2 });
  expect(away.subtotal).toBe(0);
  await someone.put(`/hubs/${hub.id}/switch`);
  expect((await someone.get("/cart")).body).toMatchObject({ subtotal: 6, items: [{ isPublished: true }] });
});

test("cart: logging in merges the guest's cart, and the larger quantity wins", { tags: ["fail:F1"] }, async () => {
  const eggs = await createProduct(db, hub.id, { inventory: 20 });
  const bread = await createProduct(db, hub.id);
  const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const before = market.shopper();
  await before.post("/auth/login", { username: customer.email, password: PASSWORD });
  await before.put("/cart", [eggs.line(3)]);
  const someone = await guest();
  await someone.put("/cart", [eggs.line(2), bread.line(1)]);
  await someone.post("/auth/login", { username: customer.email, password: PASSWORD });
  const { body } = await someone.get("/cart");
  expect(body.items.map((item: { quantity: number }) => item.quantity)).toEqual([3, 1]);
});

test(
  "cart: logging in keeps the guest's discount code, unless the customer's cart has one",
  { tags: ["fail:F1"] },
  async () => {
    await db.discount_code.createMany({
      data: ["GUESTS", "CUSTOMERS"].map((code) => ({ code, amount_cents: 100 })),
    });
    const eggs = await createProduct(db, hub.id);
    for (const [own, kept] of [
      [null, "GUESTS"],
      ["CUSTOMERS", "CUSTOMERS"],
    ]) {
      const { email } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
      const login = { username: email, password: PASSWORD };
      const before = market.shopper();
      await before.post("/auth/login", login);
      await before.put("/cart/discount", { code: own });
      const someone = await guest();
      await someone.put("/cart", [eggs.line(1)]);
      await someone.put("/cart/discount", { code: "GUESTS" });
      await someone.post("/auth/login", login);
      expect((await someone.get("/cart")).body.discounts).toMatchObject([{ code: kept }]);
    }
  },
);

test("cart: 200 lines fit; a new line beyond is refused with a sentence and changes nothing, by PUT and at login", async () => {
  const full = await createHub(db);
  const many = await createProduct(db, full.id, {
    variants: Array.from({ length: 203 }, (_, place) => ({ title: `Size ${place}` })),
  });
  const line = (place: number, quantity: number) => ({
    productId: many.id,
    variantId: many.variants[place]!.id,
    quantity,
  });
  const customer = await createCustomer(db, { hubId: full.id, pepper: deps.env.pepper });
  const browser = market.shopper();
  await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
  const all = Array.from({ length: 200 }, (_, place) => line(place, 1));
  expect((await browser.put("/cart", all.slice(0, 150))).status).toBe(200);
  expect((await browser.put("/cart", all.slice(100))).status).toBe(200);
  const quantities = async () =>
    (
      await db.cart_item.findMany({ where: { cart: { customer_id: customer.id } }, orderBy: { variant_id: "asc" } })
    ).map(({ quantity }) => quantity);
  expect(await quantities()).toEqual(Array.from({ length: 200 }, () => 1));
  for (const lines of [[line(200, 1)], [line(0, 5), line(200, 1)], [line(0, 0), line(200, 1), line(201, 1)]]) {
    const { status, body } = await browser.put("/cart", lines);
    expect([status, body]).toEqual([422, ["Your cart is full. Remove something first.", { code: "cart_full" }]]);
  }
  expect(await quantities()).toEqual(Array.from({ length: 200 }, () => 1));
  // Existing lines can be changed, removed and replaced.
  expect((await browser.put("/cart", [line(1, 3), line(0, 0), line(200, 2)])).status).toBe(200);
  expect(await quantities()).toEqual([3, ...Array.from({ length: 198 }, () => 1), 2]);

  // At login the guest's new lines are added while there is room, oldest first; existing ones are merged.
  expect((await browser.put("/cart", [line(1, 0)])).status).toBe(200);
  const someone = market.shopper();
  expect((await someone.post(`/auth/guest?hubId=${full.id}`)).status).toBe(200);
  await someone.put("/cart", [line(2, 7), line(201, 1)]);
  await someone.put("/cart", [line(202, 1)]);
  await someone.post("/auth/login", { username: customer.email, password: PASSWORD });
  const merged = await db.cart_item.findMany({ where: { cart: { customer_id: customer.id } } });
  expect(merged).toHaveLength(200);
  const quantityOf = (place: number) =>
    merged.find(({ variant_id }) => variant_id === many.variants[place]!.id)?.quantity;
  expect([2, 201, 202].map(quantityOf)).toEqual([7, 1, undefined]);

  // A cart from before the limit can still be emptied, line by line.
  const { id: cartId } = await db.cart.findFirstOrThrow({ where: { customer_id: customer.id } });
  await db.cart_item.create({
    data: { cart_id: cartId, variant_id: many.variants[202]!.id, quantity: 1, seen_price_cents: 650 },
  });
  expect((await browser.put("/cart", [line(5, 0), line(6, 4)])).status).toBe(200);
  expect(await db.cart_item.count({ where: { cart_id: cartId } })).toBe(200);
});

test("cart: four tabs that add at once to a cart with room for one line add one line", async () => {
  const small = await createHub(db);
  const many = await createProduct(db, small.id, {
    variants: Array.from({ length: 204 }, (_, place) => ({ title: `Size ${place}` })),
  });
  const line = (place: number) => ({ productId: many.id, variantId: many.variants[place]!.id, quantity: 1 });
  const browser = market.shopper();
  expect((await browser.post(`/auth/guest?hubId=${small.id}`)).status).toBe(200);
  const first = await browser.put(
    "/cart",
    Array.from({ length: 199 }, (_, place) => line(place)),
  );
  // All four statements begin before any of them may write.
  const adding = await sqlTransaction(db, async (tx) => {
    await execute(tx, sql`select id from cart where id = ${first.body.id as number}::int for update`);
    const puts = Array.from({ length: 4 }, (_, tab) => browser.put("/cart", [line(200 + tab)]));
    const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await vi.waitUntil(async () => (await query(db, waiting)).length === puts.length, {
      timeout: 10_000,
      interval: 20,
    });
    return puts;
  });
  const answers = await Promise.all(adding);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422]);
  const { items, revision } = (await browser.get("/cart")).body;
  expect(items).toHaveLength(200);
  expect(revision).toBeGreaterThan(first.body.revision);

  // New carts too: the tabs of a guest without a cart create one.
  const other = market.shopper();
  expect((await other.post(`/auth/guest?hubId=${small.id}`)).status).toBe(200);
  await Promise.all(Array.from({ length: 4 }, (_, tab) => other.put("/cart", [line(tab)])));
  expect((await other.get("/cart")).body.items).toHaveLength(4);
});

test("cart: new lines are in the order in which they were added, also by one request", async () => {
  const shop = await createHub(db, { zips: ["46099"] });
  const goods = await Promise.all(Array.from({ length: 12 }, () => createProduct(db, shop.id)));
  const wanted = goods.toSorted((a, b) => (a.id % 5) - (b.id % 5) || b.id - a.id);
  const someone = market.shopper();
  expect((await someone.post(`/auth/guest?hubId=${shop.id}`)).status).toBe(200);
  await someone.put("/cart", [wanted[0]!.line(1)]);
  const { items } = (
    await someone.put(
      "/cart",
      wanted.slice(1).map((product) => product.line(2)),
    )
  ).body;
  expect(items.map((item: Cart["items"][number]) => item.product.id)).toEqual(wanted.map(({ id }) => id));
});

test("cart: a read takes one statement, and so does a write", async () => {
  const eggs = await createProduct(db, hub.id);
  const bread = await createProduct(db, hub.id);
  const someone = await guest();
  await market.waitForNotifications();
  // The hub's facts about its lines are cached then.
  await someone.put("/cart", [eggs.line(1), bread.line(1)]);
  // Each with the statement of the session.
  market.app.dropSession(null);
  const reading = await market.statements(() => someone.get("/cart"));
  expect(reading.length, reading.join("\n\n")).toBe(2);
  market.app.dropSession(null);
  const writing = await market.statements(() => someone.put("/cart", [eggs.line(2), bread.line(3)]));
  expect(writing.length, writing.join("\n\n")).toBe(2);
});

test(
  "cart: every write raises its revision, a read does not; signing in names another cart",
  { tags: ["fail:M8"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { inventory: 9 });
    const someone = await guest();
    expect((await someone.get("/cart")).body).toMatchObject({ id: null, revision: 0 });
    const revisions: number[] = [];
    const note = ({ body }: { body: { revision: number } }) => void revisions.push(body.revision);
    note(await someone.put("/cart", [eggs.line(2)]));
    note(await someone.put("/cart", [eggs.line(3)]));
    note(await someone.put("/cart/discount", { code: null }));
    note(await someone.put("/cart", [eggs.line(0)]));
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other));
    expect(new Set(revisions).size).toBe(4);
    const { body: read } = await someone.get("/cart");
    expect(read.revision).toBe(revisions.at(-1));
    const { email } = await createCustomer(db, { pepper: deps.env.pepper, hubId: hub.id });
    expect((await someone.post("/auth/login", { username: email, password: PASSWORD })).status).toBe(200);
    note(await someone.put("/cart", [eggs.line(1)]));
    expect((await someone.get("/cart")).body.id).not.toBe(read.id);
  },
);
