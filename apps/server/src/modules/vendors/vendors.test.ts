import { FeedCard } from "@marketday/contracts/feed";
import { ProductPage, Vendor } from "@marketday/contracts/vendors";
import { addMs, Day } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createOrder, createProduct, createVendor } from "../../../test/factories.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db } = market;
const hub = await createHub(db);
const elsewhere = await createHub(db, { zips: ["60601"] });
const names = (vendors: { name: string }[]) => vendors.map(({ name }) => name);

const zoe = await createVendor(db, { name: "Zoe's Greens" });
const abe = await createVendor(db, { name: "Abe's Apiary" });
const mia = await createVendor(db, { name: "mia's Mill" });
const away = await createVendor(db, { name: "Faraway Farm" });
const hidden = await db.vendor.create({
  data: {
    slug: "hidden-farm",
    hash: "00000000000000aa",
    name: "Hidden Farm",
    city: "X",
    state: "IN",
    is_published: false,
  },
});
await createProduct(db, hub.id, { vendorId: zoe.id, title: "Greens" });
await createProduct(db, hub.id, { vendorId: zoe.id, title: "Kale" });
const honey = await createProduct(db, hub.id, { vendorId: abe.id, title: "Honey" });
const flour = await createProduct(db, hub.id, { vendorId: mia.id, title: "Flour" });
await createProduct(db, hub.id, { vendorId: zoe.id, title: "Not out yet", isPublished: false });
await createProduct(db, hub.id, { vendorId: zoe.id, title: "Not sold", offerIsPublished: false });
await createProduct(db, elsewhere.id, { vendorId: away.id, title: "Far pears" });
await createProduct(db, hub.id, { vendorId: hidden.id, title: "Hidden jam" });

describe("GET /vendors", () => {
  test(
    "lists the vendors of the hub by name, reversed, or by orders of 90 days and then followers",
    { tags: ["spec:7.7-02", "spec:3-03"] },
    async () => {
      const buyer = await signIn(market, { hubId: hub.id });
      const fan = await signIn(market, { hubId: hub.id });
      const windowStart = addMs(market.clock.now(), -90 * Day.ms);
      await createOrder(db, { customerId: buyer.customer.id, hub, product: flour, createdAt: windowStart });
      // These do not count: cancelled, too long ago, another hub.
      await createOrder(db, { customerId: buyer.customer.id, hub, product: honey, status: "cancelled" });
      await createOrder(db, {
        customerId: buyer.customer.id,
        hub,
        product: honey,
        createdAt: addMs(windowStart, -1),
      });
      await createOrder(db, { customerId: buyer.customer.id, hub: elsewhere, product: honey });
      // Nor what was removed from its order.
      for (let n = 0; n < 2; n += 1) {
        const { id } = await createOrder(db, { customerId: buyer.customer.id, hub, product: honey });
        await db.order_item.updateMany({ where: { order_id: id }, data: { quantity: 0 } });
      }
      await fan.post(`/vendors/${zoe.id}/favorite`);
      const guest = await guestOf(market, hub.id);
      const all = await guest.get("/vendors");
      expect(Vendor.array().parse(all.body)).toEqual(all.body);
      expect(names(all.body)).toEqual(["Abe's Apiary", "mia's Mill", "Zoe's Greens"]);
      expect(names((await guest.get("/vendors?sort=desc")).body)).toEqual([
        "Zoe's Greens",
        "mia's Mill",
        "Abe's Apiary",
      ]);
      expect(names((await guest.get("/vendors?sort=popular")).body)).toEqual([
        "mia's Mill",
        "Zoe's Greens",
        "Abe's Apiary",
      ]);
      expect(all.body[2]).toMatchObject({
        id: zoe.id,
        slug: zoe.slug,
        products: 2,
        followers: 1,
        isFollowed: false,
        endorsementScore: 0,
        city: "Sheridan",
        state: "IN",
      });
      expect((await guest.get("/vendors?sort=best")).status).toBe(400);
    },
  );

  test(
    "returns all vendors unless a page is requested, and the page in the headers",
    { tags: ["spec:7.0-02", "fail:I7"] },
    async () => {
      const guest = await guestOf(market, hub.id);
      const whole = await guest.get("/vendors");
      expect([whole.headers["x-total-results"], whole.headers["x-current-page"], whole.body.length]).toEqual([
        "3",
        "1",
        3,
      ]);
      const second = await guest.get("/vendors?page=2&perPage=2");
      expect([
        names(second.body),
        second.headers["x-current-page"],
        second.headers["x-rows-per-page"],
        second.headers["x-total-results"],
      ]).toEqual([["Zoe's Greens"], "2", "2", "3"]);
      expect(names((await guest.get("/vendors", { "x-rows-per-page": "1", "x-current-page": "2" })).body)).toEqual([
        "mia's Mill",
      ]);
      expect(names((await guest.get("/vendors", { "x-rows-per-page": "2" })).body)).toHaveLength(2);
      expect(names((await guest.get("/vendors", { "x-current-page": "2" })).body)).toEqual([]);
      expect((await guest.get("/vendors?page=1000000")).body).toEqual([]);
      for (const query of ["page=-1", "page=0", "page=1.5", "page=x", "page=1000000000", "page=1&page=2"])
        expect([query, (await guest.get(`/vendors?${query}`)).status]).toEqual([query, 400]);
    },
  );

  test("is empty without a session", async () => {
    expect((await market.shopper().get("/vendors")).body).toEqual([]);
  });

  test("marks only the vendors that the shopper follows, in one additional statement", async () => {
    const fan = await signIn(market, { hubId: hub.id });
    const other = await signIn(market, { hubId: hub.id });
    await fan.post(`/vendors/${mia.slug}/favorite`);
    const followed = (vendors: Vendor[]) => names(vendors.filter((vendor) => vendor.isFollowed));
    expect(followed((await fan.get("/vendors")).body)).toEqual(["mia's Mill"]);
    expect(followed((await other.get("/vendors")).body)).toEqual([]);
    expect(followed((await (await guestOf(market, hub.id)).get("/vendors")).body)).toEqual([]);
    await market.waitForNotifications();
    market.deps.cache.clear();
    await fan.get("/vendors");
    const again = await market.statements(() => fan.get("/vendors"));
    // The session is read once a second.
    expect(again.filter((text) => !text.includes("from session s"))).toHaveLength(1);
  });
});

describe("GET /vendors/{id}", () => {
  test("finds a vendor by id, by slug and by the hash of a printed link", { tags: ["spec:7.7-01"] }, async () => {
    const guest = await guestOf(market, hub.id);
    const byId = await guest.get(`/vendors/${zoe.id}`);
    expect(byId.status).toBe(200);
    expect(byId.body).toMatchObject({ name: "Zoe's Greens", description: "<p>Family farm.</p>", products: 2 });
    expect((await guest.get(`/vendors/${zoe.slug}`)).body).toEqual(byId.body);
    expect((await guest.get(`/vendors/${zoe.hash}?hashed=true`)).body).toEqual(byId.body);
    expect((await guest.get(`/vendors/${zoe.hash.toUpperCase()}?hashed=true`)).body).toEqual(byId.body);
  });

  test("a vendor of another hub has no products, with and without a session", async () => {
    expect((await (await guestOf(market, hub.id)).get(`/vendors/${away.id}`)).body).toMatchObject({
      name: "Faraway Farm",
      products: 0,
    });
    expect((await market.shopper().get(`/vendors/${zoe.id}`)).body).toMatchObject({ products: 0 });
  });

  test("an unknown, unpublished or malformed id returns the same 404", { tags: ["fail:G1"] }, async () => {
    const guest = await guestOf(market, hub.id);
    const paths = [
      999_999,
      hidden.id,
      hidden.slug,
      "unknown",
      "99999999999999999999",
      zoe.hash,
      `${zoe.id}?hashed=true`,
      "zzzz?hashed=true",
      "%00",
      "a'%20or%201=1",
    ];
    for (const path of paths) {
      const answer = await guest.get(`/vendors/${path}`);
      expect([path, answer.status, answer.body]).toEqual([path, 404, ["Not found.", { code: "not_found" }]]);
    }
  });
});

describe("GET /vendors/{id}/products", () => {
  test(
    "pages the products that the hub lists, most bought first",
    { tags: ["spec:7.7-03", "spec:3-29", "spec:9-26", "spec:9-27"] },
    async () => {
      const farm = await createVendor(db);
      const lots = await Promise.all(
        Array.from({ length: 31 }, (_, n) => createProduct(db, hub.id, { vendorId: farm.id, title: `Thing ${n}` })),
      );
      const market2 = await buildTestApp({ url: market.url });
      const buyer = await signIn(market, { hubId: hub.id });
      await createOrder(db, { customerId: buyer.customer.id, hub, product: lots[4]! });
      const guest = await guestOf(market2, hub.id);
      const first = await guest.get(`/vendors/${farm.id}/products`);
      expect(ProductPage.parse(first.body)).toEqual(first.body);
      expect([
        first.body.products.length,
        first.body.totalResults,
        first.body.currentPage,
        first.body.rowsPerPage,
      ]).toEqual([18, 31, 1, 18]);
      const newest = await db.product.findMany({
        where: { vendor_id: farm.id, id: { not: lots[4]!.id } },
        orderBy: [{ created_at: "desc" }, { id: "desc" }],
      });
      expect(first.body.products.map(({ id }: { id: number }) => id)).toEqual(
        [lots[4]!, ...newest].slice(0, 18).map(({ id }) => id),
      );
      expect(first.headers["x-total-results"]).toBe("31");
      const thirty = await guest.get(`/vendors/${farm.slug}/products?perPage=30`);
      expect(thirty.body.products).toHaveLength(30);
      const rest = await guest.get(`/vendors/${farm.id}/products?perPage=30&page=2`);
      expect(rest.body).toMatchObject({ totalResults: 31, currentPage: 2, rowsPerPage: 30 });
      expect(rest.body.products).toHaveLength(1);
      expect(new Set([...thirty.body.products, ...rest.body.products].map(({ id }: { id: number }) => id)).size).toBe(
        31,
      );
      expect((await guest.get(`/vendors/${farm.id}/products?page=9`)).body).toMatchObject({
        products: [],
        totalResults: 31,
      });
      expect((await guest.get(`/vendors/${farm.id}/products?perPage=1000000`)).body.rowsPerPage).toBe(100);
    },
  );

  test("omits products that are unpublished or of another hub, returns none without a session, and 404 for an unknown vendor", async () => {
    const guest = await guestOf(market, hub.id);
    const titles = (await guest.get(`/vendors/${zoe.id}/products`)).body.products.map(
      ({ title }: { title: string }) => title,
    );
    expect(titles.toSorted()).toEqual(["Greens", "Kale"]);
    expect((await market.shopper().get(`/vendors/${zoe.id}/products`)).body).toMatchObject({
      products: [],
      totalResults: 0,
    });
    expect((await guest.get(`/vendors/${away.id}/products`)).body).toMatchObject({ products: [], totalResults: 0 });
    expect((await guest.get("/vendors/999999/products")).status).toBe(404);
    expect((await guest.get(`/vendors/${hidden.id}/products`)).status).toBe(404);
  });

  test("marks a customer's favorites", async () => {
    const fan = await signIn(market, { hubId: hub.id });
    await db.favorite_product.create({ data: { customer_id: fan.customer.id, product_id: honey.id } });
    expect((await fan.get(`/vendors/${abe.id}/products`)).body.products).toMatchObject([{ isFavorite: true }]);
  });
});

describe("GET /vendors/{id}/posts", () => {
  test(
    "returns The Latest of the vendor as feed cards, newest first, ten per page",
    { tags: ["spec:7.7-04", "spec:3-29"] },
    async () => {
      const farm = await createVendor(db, { name: "Posting Farm" });
      const beans = await createProduct(db, hub.id, { vendorId: farm.id, title: "Beans" });
      const farPeas = await createProduct(db, elsewhere.id, { vendorId: farm.id, title: "Peas" });
      const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
      const post = (type: string, hour: number, more: object = {}) =>
        db.post.create({ data: { type, vendor_id: farm.id, title: `At ${hour}`, created_at: at(hour), ...more } });
      for (let hour = 0; hour < 10; hour += 1) await post("vendor-post", hour);
      await post("vendor-post", 10, { product_id: beans.id });
      await post("vendor-post", 11, { product_id: farPeas.id });
      await post("staff-pick", 12, { vendor_id: null, product_id: beans.id });
      await post("staff-pick", 13, { vendor_id: null, product_id: farPeas.id });
      await post("vendor-post", 14, { hub_id: elsewhere.id });
      await post("vendor-post", 15, { expires_at: at(16) });
      await db.post.create({
        data: {
          type: "vendor-post",
          vendor_id: farm.id,
          title: "To come",
          created_at: new Date("2026-12-01T00:00:00Z"),
        },
      });
      // Of one moment, and exactly at their begin and end.
      const now = market.clock.now();
      const another = await createVendor(db);
      for (const [title, created_at, expires_at] of [
        ["Ends now", at(0), now],
        ["One", at(1), null],
        ["Two", at(1), null],
        ["Begins now", now, null],
      ] as const)
        await db.post.create({ data: { type: "vendor-post", vendor_id: another.id, title, created_at, expires_at } });
      const guest = await guestOf(market, hub.id);
      expect((await guest.get(`/vendors/${another.id}/posts`)).body.map((card: FeedCard) => card.title)).toEqual([
        "Begins now",
        "Two",
        "One",
      ]);
      const first = await guest.get(`/vendors/${farm.id}/posts`);
      expect(FeedCard.array().parse(first.body)).toEqual(first.body);
      expect(first.body.map((card: FeedCard) => [card.type, card.title, card.product?.title ?? null])).toEqual([
        ["staff-pick", "At 12", "Beans"],
        ["vendor-post", "At 11", null],
        ["vendor-post", "At 10", "Beans"],
        ...Array.from({ length: 7 }, (_, n) => ["vendor-post", `At ${9 - n}`, null]),
      ]);
      expect(first.body[1].vendor.name).toBe("Posting Farm");
      expect([first.headers["x-total-results"], first.headers["x-rows-per-page"]]).toEqual(["13", "10"]);
      const second = await guest.get(`/vendors/${farm.slug}/posts?page=2`);
      expect(second.body.map((card: FeedCard) => card.title)).toEqual(["At 2", "At 1", "At 0"]);
      expect((await market.shopper().get(`/vendors/${farm.id}/posts`)).body).toEqual([]);
      expect((await guest.get("/vendors/999999/posts")).status).toBe(404);
      expect((await market.shopper().get("/vendors/999999/posts")).status).toBe(404);
    },
  );
});

describe("following", () => {
  test("is per customer, counts once, and can be undone", { tags: ["spec:7.7-05"] }, async () => {
    const farm = await createVendor(db);
    const [fan, other] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
    await other.post(`/vendors/${farm.id}/favorite`);
    expect((await fan.post(`/vendors/${farm.id}/favorite`)).body).toEqual({ isFollowed: true, followers: 2 });
    expect((await fan.post(`/vendors/${farm.slug}/favorite`)).body).toEqual({ isFollowed: true, followers: 2 });
    expect((await fan.get(`/vendors/${farm.id}`)).body).toMatchObject({ isFollowed: true, followers: 2 });
    expect(await db.follow.count({ where: { customer_id: fan.customer.id } })).toBe(1);
    expect((await fan.delete(`/vendors/${farm.id}/favorite`)).body).toEqual({ isFollowed: false, followers: 1 });
    expect((await fan.delete(`/vendors/${farm.id}/favorite`)).body).toEqual({ isFollowed: false, followers: 1 });
    expect((await fan.get(`/vendors/${farm.id}`)).body).toMatchObject({ isFollowed: false, followers: 1 });
    expect((await other.get(`/vendors/${farm.id}`)).body).toMatchObject({ isFollowed: true, followers: 1 });
    expect((await fan.post("/vendors/999999/favorite")).status).toBe(404);
    expect((await fan.post(`/vendors/${hidden.id}/favorite`)).status).toBe(404);
  });

  test(
    "requires an account: guests and requests without a session get 401 and change nothing",
    { tags: ["spec:5-24", "spec:8-11", "fail:G2"] },
    async () => {
      const before = await db.follow.count();
      for (const someone of [await guestOf(market, hub.id), market.shopper()])
        for (const method of ["post", "delete"] as const) {
          const answer = await someone[method](`/vendors/${zoe.id}/favorite`);
          expect([answer.status, answer.body]).toEqual([
            401,
            ["Favorites requires the creation of an account.", { code: "login_required" }],
          ]);
        }
      expect(await db.follow.count()).toBe(before);
    },
  );

  test("fifty concurrent requests of a customer count once", { tags: ["fail:I16"] }, async () => {
    const farm = await createVendor(db);
    const fan = await signIn(market, { hubId: hub.id });
    const answers = await Promise.all(Array.from({ length: 50 }, () => fan.post(`/vendors/${farm.id}/favorite`)));
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body])))).toEqual(
      new Set([JSON.stringify([200, { isFollowed: true, followers: 1 }])]),
    );
    expect(await db.follow.count({ where: { vendor_id: farm.id } })).toBe(1);
  });
});

describe("endorsing", () => {
  const good = { score: 5, relationship: 1 };

  test(
    "a customer has one per vendor, a newer one replaces it, and the response is the vendor",
    { tags: ["spec:7.7-07", "spec:3-27", "spec:5-22"] },
    async () => {
      const farm = await createVendor(db);
      const [anna, ben] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
      const first = await anna.post(`/vendors/${farm.id}/endorse`, {
        ...good,
        comment: "  Lovely people ",
        hasVisited: true,
        visitRating: 4,
        wouldVisitAgain: true,
      });
      expect(Vendor.parse(first.body)).toMatchObject({ id: farm.id, endorsementScore: 5 });
      expect(
        (await ben.post(`/vendors/${farm.slug}/endorse`, { score: 2, relationship: 4 })).body.endorsementScore,
      ).toBe(3.5);
      expect(
        (await anna.post(`/vendors/${farm.id}/endorse`, { score: 4, relationship: 3 })).body.endorsementScore,
      ).toBe(3);
      const rows = await db.endorsement.findMany({ where: { vendor_id: farm.id }, orderBy: { customer_id: "asc" } });
      expect(rows).toMatchObject([
        {
          customer_id: anna.customer.id,
          score: 4,
          relationship: 3,
          comment: null,
          has_visited: null,
          visit_rating: null,
          would_visit_again: null,
        },
        { customer_id: ben.customer.id, score: 2, relationship: 4 },
      ]);
    },
  );

  test(
    "is rejected beyond the exact limits, and nothing is stored",
    { tags: ["spec:5-19", "spec:5-20", "spec:5-21", "spec:9-10", "fail:I15"] },
    async () => {
      const farm = await createVendor(db);
      const someone = await signIn(market, { hubId: hub.id });
      const bad: object[] = [
        {},
        { score: 5 },
        { relationship: 1 },
        { ...good, score: 0 },
        { ...good, score: 6 },
        { ...good, score: 4.5 },
        { ...good, score: "5" },
        { ...good, score: null },
        { ...good, relationship: 0 },
        { ...good, relationship: 5 },
        { ...good, comment: "a".repeat(251) },
        { ...good, comment: `${"a".repeat(250)}\nb` },
        { ...good, comment: 7 },
        { ...good, hasVisited: true, visitRating: 0 },
        { ...good, hasVisited: true, visitRating: 6 },
        { ...good, visitRating: 3 },
        { ...good, hasVisited: false, visitRating: 3 },
        { ...good, hasVisited: false, wouldVisitAgain: true },
        { ...good, wouldVisitAgain: false },
        { ...good, hasVisited: "yes" },
      ];
      for (const body of bad)
        expect([body, (await someone.post(`/vendors/${farm.id}/endorse`, body)).status]).toEqual([body, 400]);
      expect(await db.endorsement.count({ where: { vendor_id: farm.id } })).toBe(0);
      for (const score of [1, 2, 3, 4, 5])
        for (const relationship of [1, 2, 3, 4])
          expect(
            (await someone.post(`/vendors/${farm.id}/endorse`, { score, relationship, comment: "a".repeat(250) }))
              .status,
          ).toBe(200);
      expect(await db.endorsement.count({ where: { vendor_id: farm.id } })).toBe(1);
    },
  );

  test("requires an account and a published vendor", { tags: ["fail:G2"] }, async () => {
    for (const someone of [await guestOf(market, hub.id), market.shopper()]) {
      const answer = await someone.post(`/vendors/${zoe.id}/endorse`, good);
      expect([answer.status, answer.body]).toEqual([401, ["Please login to continue.", { code: "login_required" }]]);
    }
    const someone = await signIn(market, { hubId: hub.id });
    expect((await someone.post("/vendors/999999/endorse", good)).status).toBe(404);
  });

  test(
    "fifty concurrent ones of a customer are stored as one, and the eleventh within an hour returns 429",
    { tags: ["fail:I16"] },
    async () => {
      const farm = await createVendor(db);
      const someone = await signIn(market, { hubId: hub.id });
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          someone.post(`/vendors/${farm.id}/endorse`, { score: 1 + (n % 5), relationship: 1 }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await db.endorsement.count({ where: { vendor_id: farm.id } })).toBe(1);

      const strict = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on" } });
      const limited = await signIn(strict, { hubId: hub.id });
      const statuses: number[] = [];
      for (let n = 0; n < 12; n += 1) statuses.push((await limited.post(`/vendors/${farm.id}/endorse`, good)).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
    },
  );
});
