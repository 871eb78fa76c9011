import { Review } from "@marketday/contracts/reviews";
import { showStars } from "@marketday/domain/review";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db, clock } = market;
const hub = await createHub(db);

describe("reviews", () => {
  test(
    "a customer has one per product, a newer one replaces it, and raters are listed by first name and initial, newest first",
    { tags: ["spec:7.6-02", "spec:3-25", "fail:G4"] },
    async () => {
      const eggs = await createProduct(db, hub.id);
      const anna = await signIn(market, { hubId: hub.id, firstName: "Anna" });
      const ben = await signIn(market, { hubId: hub.id, firstName: "Ben" });
      await createOrder(db, { customerId: ben.customer.id, hub, product: eggs });
      await createOrder(db, { customerId: anna.customer.id, hub, product: eggs, status: "cancelled" });
      const first = await anna.post(`/products/${eggs.id}/reviews`, { comment: "  Good ", rating: 4.5 });
      expect(first.status).toBe(200);
      expect(first.body).toEqual([
        {
          id: expect.any(Number),
          created: clock.now().toISOString(),
          rater: "Anna B.",
          rating: 4.5,
          comment: "Good",
          verified: false,
        },
      ]);
      clock.advance(1000);
      await ben.post(`/products/${eggs.slug}/reviews`, { comment: "Fresh" });
      clock.advance(1000);
      const third = await anna.post(`/products/${eggs.id}/reviews`, { comment: "Better now", rating: 0 });
      expect(Review.array().parse(third.body)).toEqual(third.body);
      const expected = [
        ["Anna B.", 0, "Better now", false],
        ["Ben B.", 5, "Fresh", true],
      ];
      expect(
        third.body.map((review: Review) => [review.rater, review.rating, review.comment, review.verified]),
      ).toEqual(expected);
      const visitor = market.shopper();
      const read = await visitor.get(`/products/${eggs.slug}/reviews`);
      expect(read.body).toEqual(third.body);
      expect([
        read.headers["x-total-results"],
        read.headers["x-current-page"],
        read.headers["x-rows-per-page"],
      ]).toEqual(["2", "1", "20"]);
      expect(await db.review.count({ where: { product_id: eggs.id } })).toBe(2);
      await db.customer.update({
        where: { id: ben.customer.id },
        data: { email: null, password_hash: null, deleted_at: clock.now() },
      });
      expect((await visitor.get(`/products/${eggs.id}/reviews?page=2&perPage=1`)).body).toMatchObject([
        { rater: "Former customer", comment: "Fresh" },
      ]);
    },
  );

  test("count in the product's average at its next read", { tags: ["spec:5-25"] }, async () => {
    const eggs = await createProduct(db, hub.id);
    const someone = await signIn(market, { hubId: hub.id });
    await someone.post(`/products/${eggs.id}/reviews`, { comment: "Fine", rating: 3.5 });
    const { body } = await (await guestOf(market, hub.id)).get(`/products/${eggs.id}`);
    expect([body.ratingCount, body.avgRating, showStars(body.ratingCount, body.avgRating)]).toEqual([1, 3.5, true]);
  });

  test(
    "are accepted at the exact limits and rejected beyond them, and a rejected one leaves the stored one unchanged",
    { tags: ["spec:5-17", "spec:9-05", "spec:9-09", "fail:I15"] },
    async () => {
      const eggs = await createProduct(db, hub.id);
      const someone = await signIn(market, { hubId: hub.id });
      const post = async (body: unknown) => (await someone.post(`/products/${eggs.id}/reviews`, body)).status;
      for (let halves = 0; halves <= 10; halves += 1)
        expect(await post({ comment: "a".repeat(250), rating: halves / 2 })).toBe(200);
      expect(await post({ comment: "First", rating: 4 })).toBe(200);
      const bad: unknown[] = [
        { rating: 5 },
        { comment: "", rating: 5 },
        { comment: "   ", rating: 5 },
        { comment: "a".repeat(251), rating: 5 },
        { comment: 5, rating: 5 },
        { comment: null },
        { comment: "x", rating: 5.5 },
        { comment: "x", rating: 5.3 },
        { comment: "x", rating: 5.1 },
        { comment: "x", rating: 0.3 },
        { comment: "x", rating: 4.3 },
        { comment: "x", rating: -0.5 },
        { comment: "x", rating: "5" },
        { comment: "x", rating: null },
        { comment: "x", rating: [5] },
        { comment: "\u0000\u200B\u202E", rating: 5 },
        [],
        "x",
        null,
      ];
      for (const body of bad) expect([body, await post(body)]).toEqual([body, 400]);
      expect(await post({ comment: "Five" })).toBe(200);
      expect((await someone.get(`/products/${eggs.id}/reviews`)).body).toMatchObject([{ rating: 5, comment: "Five" }]);
      expect(await post({ comment: "é".repeat(250), rating: 4 })).toBe(200);
      expect((await someone.get(`/products/${eggs.id}/reviews`)).body).toMatchObject([
        { rating: 4, comment: "é".repeat(250) },
      ]);
    },
  );

  test(
    "with markup and quotes are returned unchanged, and invisible characters are removed",
    { tags: ["fail:H2"] },
    async () => {
      const eggs = await createProduct(db, hub.id);
      const someone = await signIn(market, { hubId: hub.id });
      const comment = `<script>alert(1)</script> & "quotes" 'and' \\`;
      const posted = await someone.post(`/products/${eggs.id}/reviews`, { comment: `${comment} \u202E\u0000` });
      expect(posted.body[0].comment).toBe(comment);
    },
  );

  test(
    "require an account (401) and a published product (404), and unknown keys of the body are ignored",
    { tags: ["spec:6-03", "fail:G1", "fail:G2", "fail:G5"] },
    async () => {
      const eggs = await createProduct(db, hub.id);
      const hidden = await createProduct(db, hub.id, { isPublished: false });
      for (const someone of [await guestOf(market, hub.id), market.shopper()]) {
        const answer = await someone.post(`/products/${eggs.id}/reviews`, { comment: "Good", rating: 5 });
        expect([answer.status, answer.body]).toEqual([401, ["Please login to continue.", { code: "login_required" }]]);
      }
      const someone = await signIn(market, { hubId: hub.id });
      for (const id of [999_999, hidden.id, "nothing", "%00"]) {
        expect([id, (await someone.post(`/products/${id}/reviews`, { comment: "Good" })).status]).toEqual([id, 404]);
        expect([id, (await someone.get(`/products/${id}/reviews`)).status]).toEqual([id, 404]);
      }
      const other = await signIn(market, { hubId: hub.id });
      await someone.post(`/products/${eggs.id}/reviews`, {
        comment: "Mine",
        customerId: other.customer.id,
        customer_id: other.customer.id,
        verified: true,
        rater: "Other",
        id: 1,
        created: "2020-01-01",
      });
      const rows = await db.review.findMany({ where: { product_id: eggs.id } });
      expect(rows).toMatchObject([{ customer_id: someone.customer.id, comment: "Mine", created_at: clock.now() }]);
      expect((await someone.get(`/products/${eggs.id}/reviews`)).body).toMatchObject([
        { verified: false, rater: "Robin B." },
      ]);
    },
  );

  test(
    "fifty concurrent ones of a customer are stored as one, and the eleventh within an hour returns 429",
    { tags: ["fail:I16"] },
    async () => {
      const eggs = await createProduct(db, hub.id);
      const someone = await signIn(market, { hubId: hub.id });
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          someone.post(`/products/${eggs.id}/reviews`, { comment: `No. ${n}`, rating: 4 }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await db.review.count({ where: { product_id: eggs.id } })).toBe(1);

      const strict = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on" } });
      const limited = await signIn(strict, { hubId: hub.id });
      const statuses: number[] = [];
      for (let n = 0; n < 11; n += 1)
        statuses.push((await limited.post(`/products/${eggs.id}/reviews`, { comment: `No. ${n}` })).status);
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
      const refused = await limited.post(`/products/${eggs.id}/reviews`, { comment: "once more" });
      expect(refused.body).toEqual(["Too many tries. Please wait a minute.", { code: "rate_limited" }]);
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
      const neighbor = await signIn(strict, { hubId: hub.id });
      expect((await neighbor.post(`/products/${eggs.id}/reviews`, { comment: "Good" })).status).toBe(200);
    },
  );

  test("two customers who post the same text concurrently get one each", async () => {
    const eggs = await createProduct(db, hub.id);
    const shoppers = [
      await signIn(market, { hubId: hub.id, firstName: "Anna" }),
      await signIn(market, { hubId: hub.id, firstName: "Ben" }),
    ];
    const same = { comment: "Fresh every time", rating: 4.5 };
    const answers = await Promise.all(shoppers.map((shopper) => shopper.post(`/products/${eggs.id}/reviews`, same)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const guest = await guestOf(market, hub.id);
    const { body } = await guest.get(`/products/${eggs.id}/reviews`);
    const reviews = (body as Review[]).map(({ rater, rating, comment }) => ({ rater, rating, comment }));
    expect(reviews.toSorted((a, b) => a.rater.localeCompare(b.rater))).toEqual([
      { rater: "Anna B.", ...same },
      { rater: "Ben B.", ...same },
    ]);
    expect((await guest.get(`/products/${eggs.id}`)).body).toMatchObject({ ratingCount: 2, avgRating: 4.5 });
  });

  test("of one moment are listed latest first; an item removed from its order verifies none; those of an unpublished vendor's product return 404", async () => {
    const eggs = await createProduct(db, hub.id);
    const [anna, ben] = [
      await signIn(market, { hubId: hub.id, firstName: "Anna" }),
      await signIn(market, { hubId: hub.id, firstName: "Ben" }),
    ];
    const { id } = await createOrder(db, { customerId: anna.customer.id, hub, product: eggs });
    await db.order_item.updateMany({ where: { order_id: id }, data: { quantity: 0 } });
    await createOrder(db, { customerId: ben.customer.id, hub, product: eggs });
    await anna.post(`/products/${eggs.id}/reviews`, { comment: "Good" });
    const { body } = await ben.post(`/products/${eggs.id}/reviews`, { comment: "Fine" });
    expect(body.map(({ rater, verified }: Review) => [rater, verified])).toEqual([
      ["Ben B.", true],
      ["Anna B.", false],
    ]);
    await db.vendor.update({ where: { id: eggs.vendor_id }, data: { is_published: false } });
    expect((await ben.get(`/products/${eggs.id}/reviews`)).status).toBe(404);
    expect((await ben.post(`/products/${eggs.id}/reviews`, { comment: "Again" })).status).toBe(404);
    expect(await db.review.count({ where: { product_id: eggs.id, comment: "Again" } })).toBe(0);
  });

  test("return 400 for a page before the first and an empty page after the last", async () => {
    const eggs = await createProduct(db, hub.id);
    const someone = await guestOf(market, hub.id);
    for (const page of ["-1", "0", "x", "1000000000"])
      expect((await someone.get(`/products/${eggs.id}/reviews?page=${page}`)).status).toBe(400);
    expect((await someone.get(`/products/${eggs.id}/reviews?page=99`)).body).toEqual([]);
  });
});
