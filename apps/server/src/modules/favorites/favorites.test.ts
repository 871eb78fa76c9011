import { Product } from "@marketday/contracts/products";
import { Vendor } from "@marketday/contracts/vendors";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createOrder, createProduct, createVendor, setInventory } from "../../../test/factories.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db, clock } = market;
const hub = await createHub(db);
const elsewhere = await createHub(db, { zips: ["60601"] });
const needsAccount = ["Favorites requires the creation of an account.", { code: "login_required" }];
const ids = (rows: { id: number }[]) => rows.map(({ id }) => id);

describe("favorite products", () => {
  test("favorite: is added once, by id or slug, and can be removed", { tags: ["spec:7.6-04"] }, async () => {
    const eggs = await createProduct(db, hub.id);
    const [fan, other] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
    await other.post(`/products/${eggs.id}/favorite`);
    expect((await fan.post(`/products/${eggs.id}/favorite`)).body).toEqual({ isFavorite: true });
    expect((await fan.post(`/products/${eggs.slug}/favorite`)).body).toEqual({ isFavorite: true });
    expect((await fan.get(`/products/${eggs.id}`)).body.isFavorite).toBe(true);
    expect(await db.favorite_product.count({ where: { product_id: eggs.id } })).toBe(2);
    expect((await fan.delete(`/products/${eggs.slug}/favorite`)).body).toEqual({ isFavorite: false });
    expect((await fan.delete(`/products/${eggs.id}/favorite`)).body).toEqual({ isFavorite: false });
    expect((await fan.get(`/products/${eggs.id}`)).body.isFavorite).toBe(false);
    expect(await db.favorite_product.findMany({ where: { product_id: eggs.id } })).toMatchObject([
      { customer_id: other.customer.id },
    ]);
  });

  test(
    "favorite: needs an account and a published product",
    { tags: ["spec:5-24", "spec:6-03", "spec:8-11", "fail:G1", "fail:G2"] },
    async () => {
      const eggs = await createProduct(db, hub.id);
      const hidden = await createProduct(db, hub.id, { isPublished: false });
      for (const someone of [await guestOf(market, hub.id), market.shopper()])
        for (const method of ["post", "delete"] as const) {
          const answer = await someone[method](`/products/${eggs.id}/favorite`);
          expect([answer.status, answer.body]).toEqual([401, needsAccount]);
        }
      const fan = await signIn(market, { hubId: hub.id });
      for (const id of [999_999, "nothing", hidden.id, "99999999999", "%00"]) {
        const answer = await fan.post(`/products/${id}/favorite`);
        expect([id, answer.status, answer.body]).toEqual([id, 404, ["Not found.", { code: "not_found" }]]);
      }
      expect(await db.favorite_product.count({ where: { product_id: { in: [eggs.id, hidden.id] } } })).toBe(0);
    },
  );

  test("favorite: a hidden vendor's product is no longer listed, and is not added", async () => {
    const eggs = await createProduct(db, hub.id);
    const fan = await signIn(market, { hubId: hub.id });
    await fan.post(`/products/${eggs.id}/favorite`);
    await createOrder(db, { customerId: fan.customer.id, hub, product: eggs });
    expect(ids((await fan.get("/favorites/products")).body)).toEqual([eggs.id]);
    await db.vendor.update({ where: { id: eggs.vendor_id }, data: { is_published: false } });
    for (const list of ["products", "most-ordered"]) {
      const { body, headers } = await fan.get(`/favorites/${list}`);
      expect([list, body, headers["x-total-results"]]).toEqual([list, [], "0"]);
    }
    const other = await signIn(market, { hubId: hub.id });
    expect((await other.post(`/products/${eggs.id}/favorite`)).status).toBe(404);
    expect(await db.favorite_product.count({ where: { customer_id: other.customer.id } })).toBe(0);
  });

  test("favorite: fifty concurrent requests add one", { tags: ["fail:I16"] }, async () => {
    const eggs = await createProduct(db, hub.id);
    const fan = await signIn(market, { hubId: hub.id });
    const answers = await Promise.all(Array.from({ length: 50 }, () => fan.post(`/products/${eggs.id}/favorite`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await db.favorite_product.count({ where: { product_id: eggs.id } })).toBe(1);
  });
});

describe("GET /favorites/products", () => {
  test(
    "favorites: the customer's own are listed, those the hub sells first, then the newest; 20 a page",
    { tags: ["spec:7.6-05", "spec:9-27", "spec:9-28"] },
    async () => {
      const fan = await signIn(market, { hubId: hub.id });
      const other = await signIn(market, { hubId: hub.id });
      const far = await createProduct(db, elsewhere.id, { title: "Far" });
      const gone = await createProduct(db, hub.id);
      const mine = [];
      for (let n = 0; n < 21; n += 1) mine.push(await createProduct(db, hub.id));
      for (const product of [...mine, gone, far]) {
        clock.advance(1000);
        await fan.post(`/products/${product.id}/favorite`);
      }
      await other.post(`/products/${mine[0]!.id}/favorite`);
      await db.product.update({ where: { id: gone.id }, data: { is_published: false } });
      const newestFirst = [...ids(mine).toReversed(), far.id];
      const first = await fan.get("/favorites/products");
      expect(Product.array().parse(first.body)).toEqual(first.body);
      expect(ids(first.body)).toEqual(newestFirst.slice(0, 20));
      expect([
        first.headers["x-total-results"],
        first.headers["x-rows-per-page"],
        first.headers["cache-control"],
      ]).toEqual(["22", "20", "no-store"]);
      expect(first.body.every((product: Product) => product.isFavorite && product.variants.length > 0)).toBe(true);
      const second = await fan.get("/favorites/products?page=2");
      expect(ids(second.body)).toEqual(newestFirst.slice(20));
      expect(second.body[1]).toMatchObject({
        title: "Far",
        variants: [],
        availableMarkets: [{ id: elsewhere.id, name: elsewhere.name }],
      });
      expect(ids((await fan.get("/favorites/products?perPage=40")).body)).toEqual(newestFirst);
      expect((await fan.get("/favorites/products", { "x-rows-per-page": "40" })).body).toHaveLength(22);
      expect(ids((await other.get("/favorites/products")).body)).toEqual([mine[0]!.id]);
      expect((await fan.get("/favorites/products?page=0")).status).toBe(400);
    },
  );
});

describe("followed vendors", () => {
  test("followed vendors: of this hub, or of every hub, the newest first", { tags: ["spec:7.7-06"] }, async () => {
    const fan = await signIn(market, { hubId: hub.id });
    const [here, there, closed] = [await createVendor(db), await createVendor(db), await createVendor(db)];
    await createProduct(db, hub.id, { vendorId: here.id });
    await createProduct(db, elsewhere.id, { vendorId: there.id });
    await createProduct(db, hub.id, { vendorId: closed.id });
    const hiddenHere = await createVendor(db);
    await createProduct(db, hub.id, { vendorId: hiddenHere.id, isPublished: false });
    for (const vendor of [hiddenHere, here, there, closed]) {
      clock.advance(1000);
      await fan.post(`/vendors/${vendor.id}/favorite`);
    }
    await db.vendor.update({ where: { id: closed.id }, data: { is_published: false } });
    const mine = await fan.get("/favorites/vendors");
    expect(Vendor.array().parse(mine.body)).toEqual(mine.body);
    expect(mine.body).toMatchObject([{ id: here.id, isFollowed: true, followers: 1, products: 1 }]);
    expect(mine.headers["x-total-results"]).toBe("1");
    const all = await fan.get("/favorites/all-vendors");
    expect(ids(all.body)).toEqual([there.id, here.id, hiddenHere.id]);
    expect(ids((await fan.get("/favorites/all-vendors?page=2&perPage=1")).body)).toEqual([here.id]);
    expect((await (await signIn(market, { hubId: hub.id })).get("/favorites/all-vendors")).body).toEqual([]);
  });
});

describe("GET /favorites/most-ordered", () => {
  test("most ordered: the products this customer ordered most, five a page", { tags: ["spec:7.11-05"] }, async () => {
    const fan = await signIn(market, { hubId: hub.id });
    const other = await signIn(market, { hubId: hub.id });
    const order = async (
      product: Awaited<ReturnType<typeof createProduct>>,
      times: number,
      status: "closed" | "cancelled" = "closed",
    ) => {
      for (let n = 0; n < times; n += 1) await createOrder(db, { customerId: fan.customer.id, hub, product, status });
    };
    const lots = [];
    for (let n = 0; n < 6; n += 1) lots.push(await createProduct(db, hub.id));
    for (const [n, product] of lots.entries()) await order(product, n + 1);
    const far = await createProduct(db, elsewhere.id);
    await order(far, 9);
    const never = await createProduct(db, hub.id);
    await order(never, 3, "cancelled");
    await createOrder(db, { customerId: other.customer.id, hub, product: never });
    const hidden = await createProduct(db, hub.id);
    await order(hidden, 8);
    await db.product.update({ where: { id: hidden.id }, data: { is_published: false } });
    const takenOff = await createOrder(db, { customerId: fan.customer.id, hub, product: lots[0]! });
    await db.order_item.updateMany({ where: { order_id: takenOff.id }, data: { quantity: 0 } });
    // Two lines of one order are one order of it.
    const { id: _, ...line } = await db.order_item.findFirstOrThrow({
      where: { variant_id: lots[0]!.variant.id, quantity: 1 },
    });
    await db.order_item.create({ data: line });
    const first = await fan.get("/favorites/most-ordered");
    expect(Product.array().parse(first.body)).toEqual(first.body);
    expect(ids(first.body)).toEqual(ids(lots).toReversed().slice(0, 5));
    expect(first.body[0].previousOrderCount).toBe(6);
    expect([first.headers["x-total-results"], first.headers["x-rows-per-page"]]).toEqual(["7", "5"]);
    expect(ids((await fan.get("/favorites/most-ordered?page=2")).body)).toEqual([lots[0]!.id, far.id]);
    expect(ids((await other.get("/favorites/most-ordered")).body)).toEqual([never.id]);
  });
});

describe("GET /favorites/usuals", () => {
  test("usuals: what the customer ordered most, then what the hub sold most, four that can be bought; guests get the hub's", async () => {
    const here = await createHub(db);
    const fan = await signIn(market, { hubId: here.id });
    const neighbor = await signIn(market, { hubId: here.id });
    const order = async (customerId: number, product: Awaited<ReturnType<typeof createProduct>>, times: number) => {
      for (let n = 0; n < times; n += 1) await createOrder(db, { customerId, hub: here, product, status: "closed" });
    };
    const [often, once] = [await createProduct(db, here.id), await createProduct(db, here.id)];
    const soldOut = await createProduct(db, here.id, { inventory: 0 });
    const far = await createProduct(db, elsewhere.id);
    await order(fan.customer.id, once, 1);
    await order(fan.customer.id, often, 2);
    await order(fan.customer.id, soldOut, 3);
    await order(fan.customer.id, far, 4);
    const popular = [];
    for (let n = 0; n < 4; n += 1) popular.push(await createProduct(db, here.id));
    for (const [n, product] of popular.entries()) await order(neighbor.customer.id, product, 9 - n);

    const answer = await fan.get("/favorites/usuals");
    expect(Product.array().parse(answer.body)).toEqual(answer.body);
    expect(ids(answer.body)).toEqual(ids([often, once, ...popular.slice(0, 2)]));
    expect(answer.body[0].previousOrderCount).toBe(2);
    expect(ids((await (await guestOf(market, here.id)).get("/favorites/usuals")).body)).toEqual(ids(popular));
  });

  test("usuals: late in the cycle, when what is ordered most is sold out, the next ones, also in another size; the hub's are cached", async () => {
    const late = await createHub(db);
    const fan = await signIn(market, { hubId: late.id });
    const soldOut = [];
    for (let n = 0; n < 21; n += 1) soldOut.push(await createProduct(db, late.id, { inventory: 0 }));
    const inStock = await createProduct(db, late.id);
    const otherSize = await createProduct(db, late.id, {
      variants: [
        { title: "Pint", inventory: 0 },
        { title: "Quart", inventory: 3 },
      ],
    });
    // One order each: the customer's are sorted by the latest, the hub's by the product.
    for (const product of [otherSize, inStock, ...soldOut])
      await createOrder(db, { customerId: fan.customer.id, hub: late, product, status: "closed" });

    const guest = await guestOf(market, late.id);
    expect(ids((await guest.get("/favorites/usuals")).body)).toEqual(ids([inStock, otherSize]));
    expect(ids((await fan.get("/favorites/usuals")).body)).toEqual(ids([inStock, otherSize]));
    const again = await market.statements(() => guest.get("/favorites/usuals"));
    expect(again.filter((statement) => /\bproduct\b/.test(statement))).toEqual([]);

    await setInventory(db, inStock.variant.id, late.id, 0);
    await setInventory(db, soldOut[4]!.variant.id, late.id, 2);
    expect(ids((await guest.get("/favorites/usuals")).body)).toEqual(ids([soldOut[4]!, otherSize]));
  });

  test("usuals: nothing without a session, and in a hub that sold nothing", async () => {
    const quiet = await createHub(db);
    await createProduct(db, quiet.id);
    expect((await market.shopper().get("/favorites/usuals")).body).toEqual([]);
    expect((await (await guestOf(market, quiet.id)).get("/favorites/usuals")).body).toEqual([]);
  });
});

test(
  "favorites: every list needs an account, with and without a guest session",
  { tags: ["spec:6-07", "fail:G2"] },
  async () => {
    for (const someone of [await guestOf(market, hub.id), market.shopper()])
      for (const path of ["products", "vendors", "all-vendors", "most-ordered"]) {
        const answer = await someone.get(`/favorites/${path}`);
        expect([path, answer.status, answer.body]).toEqual([path, 401, needsAccount]);
      }
  },
);
