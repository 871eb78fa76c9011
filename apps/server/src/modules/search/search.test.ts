import { Suggestion } from "@marketday/contracts/search";
import { ProductPage, Vendor } from "@marketday/contracts/vendors";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createProduct, createVendor } from "../../../test/factories.ts";
import { counted, guestOf, signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db } = market;
const hub = await createHub(db);
const elsewhere = await createHub(db, { zips: ["60601"] });
const dairy = await createVendor(db, { name: "Chestnut Hill Creamery" });
const orchard = await createVendor(db, { name: "Peña's Orchard" });
const make = async (
  title: string,
  more: {
    vendorId?: number;
    tags?: string[];
    description?: string;
    hubId?: number;
    isPublished?: boolean;
    offerIsPublished?: boolean;
  } = {},
) => {
  const { tags, description, hubId, ...options } = more;
  const product = await createProduct(db, hubId ?? hub.id, { vendorId: orchard.id, title, ...options });
  await db.product.update({
    where: { id: product.id },
    data: { tags: tags ?? [], description: description ?? "<p>Good.</p>" },
  });
  return product;
};
await make("Tomatoes", { tags: ["vegetables"] });
await make("Heirloom Tomatoes", { tags: ["vegetables"] });
await make("Tomato Jam");
await make("Salad Kit", { description: "<p>Lettuce and <b>tomatoes</b>.</p>" });
await make("Cream Cheese", { vendorId: dairy.id, tags: ["dairy"] });
await make("Aged Cheddar", { vendorId: dairy.id, tags: ["Cheese"] });
await make("Whole Milk", { vendorId: dairy.id });
await make("Jalapeño Peppers");
await make("Chef’s Mushroom Mix");
await make("Grass-fed Beef", { description: "<p class='rareword'>Fish &amp; chips</p>" });
await make("Strawberries");
await make("100% Rye \\ Flour_");
await make("Far Tomatoes", { hubId: elsewhere.id });
await make("Hidden Tomatoes", { isPublished: false });
await make("Unsold Tomatoes", { offerIsPublished: false });
const guest = await guestOf(market, hub.id);
const find = async (text: string, query = "") =>
  guest.get<ProductPage>(`/search/new/query/${encodeURIComponent(text)}${query}`);
const titles = async (text: string) => (await find(text)).body.products.map(({ title }) => title);

describe("GET /search/new/query/{q}", () => {
  test(
    "finds the hub's products by title, tag, vendor and description, best match first",
    { tags: ["spec:7.9-03"] },
    async () => {
      const answer = await find("tomatoes");
      expect(ProductPage.parse(answer.body)).toEqual(answer.body);
      expect(answer.body.products.map(({ title }) => title)).toEqual([
        "Tomatoes",
        "Tomato Jam",
        "Heirloom Tomatoes",
        "Salad Kit",
      ]);
      expect(answer.body).toMatchObject({ totalResults: 4, currentPage: 1, rowsPerPage: 18 });
      expect(answer.headers["x-total-results"]).toBe("4");
      expect(await titles("vegetables")).toEqual(["Tomatoes", "Heirloom Tomatoes"]);
      expect((await titles("chestnut hill")).toSorted()).toEqual(["Aged Cheddar", "Cream Cheese", "Whole Milk"]);
      expect(await titles("lettuce")).toEqual(["Salad Kit"]);
      expect(await titles("cheese")).toEqual(["Cream Cheese", "Aged Cheddar"]);
    },
  );

  test("matches stems, accents, capitals, apostrophes, hyphens and small words, and not the inside of a tag", async () => {
    const table: [string, string[]][] = [
      ["TOMATO jams", ["Tomato Jam"]],
      ["jalapeno", ["Jalapeño Peppers"]],
      ["Jalapen\u0303o pepper", ["Jalapeño Peppers"]],
      ["pena's milk", ["Whole Milk"]],
      ["chefs mushroom", ["Chef’s Mushroom Mix"]],
      ["chef's mushroom", ["Chef’s Mushroom Mix"]],
      ["grass fed", ["Grass-fed Beef"]],
      ["grass-fed", ["Grass-fed Beef"]],
      ["the cream of the cheese", ["Cream Cheese"]],
      ["rareword", []],
      ["amp", []],
      ["fish and chips", ["Grass-fed Beef"]],
    ];
    for (const [text, found] of table)
      expect([text, (await titles(text)).slice(0, Math.max(1, found.length))]).toEqual([text, found]);
  });

  test("matches the last word as a prefix and the others whole", async () => {
    expect(await titles("straw")).toEqual(["Strawberries"]);
    expect(await titles("heirloom tom")).toEqual(["Heirloom Tomatoes"]);
    expect(await titles("tom heirloom")).toEqual(["Heirloom Tomatoes"]);
    expect(await titles("crea che")).toEqual(
      ["Cream Cheese", "Aged Cheddar", "Whole Milk"].slice(0, (await titles("crea che")).length),
    );
  });

  test("tolerates a wrong, missing, additional or swapped letter, also in a prefix", async () => {
    for (const typo of [
      "tomatos",
      "tomatoe",
      "tomatose",
      "tmoatoes",
      "romatoes",
      "omatoes",
      "ttomatoes",
      "tomxtoes",
      "tomattoes",
    ])
      expect([typo, (await titles(typo)).includes("Heirloom Tomatoes")]).toEqual([typo, true]);
    for (const [typo, title] of [
      ["strawbery", "Strawberries"],
      ["strwab", "Strawberries"],
      ["srta", "Strawberries"],
      ["chese", "Cream Cheese"],
      ["chesse", "Cream Cheese"],
      ["mlik", "Whole Milk"],
      ["musroom", "Chef’s Mushroom Mix"],
      ["creme chees", "Cream Cheese"],
      ["hierloom tomatos", "Heirloom Tomatoes"],
    ] as const)
      expect([typo, (await titles(typo))[0]]).toEqual([typo, title]);
  });

  test("finds products with some of the words if none has all of them, and nothing for nonsense", async () => {
    expect(await titles("strawberries zzzzqqqq")).toEqual(["Strawberries"]);
    expect(await titles("zzzzqqqq")).toEqual([]);
    expect((await find("zzzzqqqq")).body).toEqual({ products: [], totalResults: 0, currentPage: 1, rowsPerPage: 18 });
  });

  test("returns 18 products per page", { tags: ["spec:9-28", "fail:I7"] }, async () => {
    const farm = await createVendor(db);
    for (let n = 0; n < 19; n += 1) await make(`Pumpkin ${n}`, { vendorId: farm.id });
    const first = await find("pumpkin");
    const second = await find("pumpkin", "?page=2");
    expect([
      first.body.products.length,
      second.body.products.length,
      second.body.totalResults,
      second.body.currentPage,
    ]).toEqual([18, 1, 19, 2]);
    expect(new Set([...first.body.products, ...second.body.products].map(({ id }) => id)).size).toBe(19);
    expect((await find("pumpkin", "?page=1000000")).body).toMatchObject({ products: [], totalResults: 19 });
    for (const page of ["0", "-1", "1.5", "1000000000", "x"])
      expect([page, (await find("pumpkin", `?page=${page}`)).status]).toEqual([page, 400]);
    expect((await find("pumpkin", "?perPage=100000")).body.rowsPerPage).toBe(100);
  });

  test("finds nothing without a session, each hub's own products, and marks a customer's favorites", async () => {
    expect((await market.shopper().get("/search/new/query/tomato")).body).toMatchObject({
      products: [],
      totalResults: 0,
    });
    const farGuest = await guestOf(market, elsewhere.id);
    expect(
      (await farGuest.get("/search/new/query/tomato")).body.products.map(({ title }: { title: string }) => title),
    ).toEqual(["Far Tomatoes"]);
    const fan = await signIn(market, { hubId: hub.id });
    const [milk] = (await fan.get("/search/new/query/milk")).body.products;
    expect(milk.isFavorite).toBe(false);
    await db.favorite_product.create({ data: { customer_id: fan.customer.id, product_id: milk.id } });
    await market.waitForNotifications();
    expect((await fan.get("/search/new/query/milk")).body.products[0].isFavorite).toBe(true);
    expect((await guest.get("/search/new/query/milk")).body.products[0].isFavorite).toBe(false);
  });
});

describe("search text", () => {
  const routes = [
    (q: string) => `/search/new/query/${q}`,
    (q: string) => `/search/new/auto-complete/${q}`,
    (q: string) => `/search/vendors/${q}`,
  ];

  test(
    "of fewer than three characters, or more than 100, is rejected with the spec's sentence",
    { tags: ["spec:5-33", "fail:I8"] },
    async () => {
      for (const route of routes) {
        for (const short of ["a", "ab", "%20ab%20", "%20%20%20%20", "%F0%9F%8D%85"]) {
          const answer = await guest.get(route(short));
          expect([short, answer.status, answer.body[0]]).toEqual([short, 400, "Please provide at least 3 characters."]);
        }
        expect((await guest.get(route("abc"))).status).toBe(200);
        expect((await guest.get(route("a".repeat(100)))).status).toBe(200);
        expect((await guest.get(route("a".repeat(101)))).status).toBe(400);
        expect((await guest.get(route("a".repeat(10_000)))).status).toBe(400);
      }
      expect((await guest.get("/vendors/search/a")).status).toBe(400);
      expect((await guest.get("/vendors/search/ab")).status).toBe(200);
      expect((await guest.get(`/vendors/search/${"a".repeat(101)}`)).status).toBe(400);
    },
  );

  test(
    "is matched by its letters only: signs, quotes, emoji and right-to-left text do no harm",
    { tags: ["fail:I8"] },
    async () => {
      const nasty = [
        "%%%",
        "___",
        "'''",
        "\\\\\\",
        "100%",
        "%_'\\",
        "a' or 1=1 --",
        "'; drop table product; --",
        "tom & !jam | (a <-> b):*",
        "🍅🍅🍅",
        "مرحبا بالعالم",
        "日本語の",
        "\u202Eabc",
        "a\u0000bc",
        "(((((",
        "<script>",
        "*:*",
        ":*AB",
        "a".repeat(99),
        "'a':1A 'b'",
        "%u0041",
        "..;/",
        "()[]{}",
        "“quotes”",
      ];
      for (const text of nasty)
        for (const route of [...routes, (q: string) => `/vendors/search/${q}`])
          expect([text, (await guest.get(route(encodeURIComponent(text)))).status]).toEqual([text, 200]);
      expect(await titles("100%")).toEqual(["100% Rye \\ Flour_"]);
      expect(await titles("%%%")).toEqual([]);
      expect(await titles("🍅🍅🍅")).toEqual([]);
      expect((await find("zzz' or 'q'='q")).body.totalResults).toBeLessThan(15);
      for (const empty of ["%E0%A4%A", encodeURIComponent("\u0001\u0002\u0003")])
        expect([empty, (await guest.get(`/search/new/query/${empty}`)).status]).toEqual([empty, 400]);
    },
  );

  test("of any kind returns a page or an error, never a crash", { tags: ["fail:I8"] }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: "binary", minLength: 3, maxLength: 100 }),
          fc.string({ minLength: 3, maxLength: 100 }),
        ),
        async (text) => {
          const answer = await guest.get(`/search/new/query/${encodeURIComponent(text.toWellFormed())}`);
          expect([200, 400]).toContain(answer.status);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("GET /search/new/auto-complete/{q}", () => {
  test(
    "returns at most eight products, vendors and collections of the hub by name",
    { tags: ["spec:7.9-01"] },
    async () => {
      const plums = await createVendor(db, { name: "Plumtree Farm" });
      for (let n = 0; n < 12; n += 1) await make(`Plum ${n}`, { vendorId: plums.id });
      const fruit = await db.collection.create({ data: { slug: "plums-and-more", title: "Plums & more" } });
      const empty = await db.collection.create({ data: { slug: "plums-empty", title: "Empty plums" } });
      const [plum] = (await find("plum")).body.products;
      await db.collection_product.create({ data: { collection_id: fruit.id, product_id: plum!.id } });
      const answer = await guest.get<Suggestion[]>("/search/new/auto-complete/plum");
      expect(Suggestion.array().parse(answer.body)).toEqual(answer.body);
      expect(answer.body).toHaveLength(8);
      // Products first, shorter names before longer ones.
      expect(answer.body.map(({ title }) => title)).toEqual([
        ...[0, 1, 2, 3, 4, 5].map((n) => `Plum ${n}`),
        "Plums & more",
        "Plumtree Farm",
      ]);
      expect(answer.body).toContainEqual({
        type: "vendor",
        id: plums.id,
        slug: plums.slug,
        title: "Plumtree Farm",
        image: null,
        vendor: null,
        price: null,
        size: "",
      });
      // Vendor, price and size distinguish products with the same name.
      for (const product of answer.body.filter(({ type }) => type === "product"))
        expect(product).toMatchObject({ vendor: expect.any(String), price: 6.5, size: "Each" });
      expect(answer.body.find(({ type }) => type === "product")?.vendor).toBe("Plumtree Farm");
      expect(answer.body).toContainEqual({
        type: "collection",
        id: fruit.id,
        slug: "plums-and-more",
        title: "Plums & more",
        image: null,
        vendor: null,
        price: null,
        size: "",
      });
      expect(answer.body.some(({ id, type }) => type === "collection" && id === empty.id)).toBe(false);
      expect((await guest.get<Suggestion[]>("/search/new/auto-complete/plmu")).body.length).toBeGreaterThan(0);
      expect((await guest.get<Suggestion[]>("/search/new/auto-complete/lettuce")).body).toEqual([]);
      expect((await market.shopper().get("/search/new/auto-complete/plum")).body).toEqual([]);
      expect((await (await guestOf(market, elsewhere.id)).get("/search/new/auto-complete/plum")).body).toEqual([]);
      // The session, the words, the matches: each planned once.
      const counts = await counted(market, () => guest.get("/search/new/auto-complete/plum"));
      expect(counts.statements).toHaveLength(3);
    },
  );
});

test("auto-complete: shows the sale price of the first variant that is sold, and no unpublished collection", async () => {
  const quinces = await createProduct(db, hub.id, {
    vendorId: orchard.id,
    title: "Quinces",
    variants: [
      { title: "Crate", priceCents: 3000 },
      { title: "Bag", priceCents: 900, salePriceCents: 700 },
    ],
  });
  await db.offer.updateMany({ where: { variant_id: quinces.variants[0]!.id }, data: { is_published: false } });
  await db.collection.create({
    data: {
      slug: "quinces-to-come",
      title: "Quinces to come",
      is_published: false,
      products: { create: { product_id: quinces.id } },
    },
  });
  const { body } = await guest.get<Suggestion[]>("/search/new/auto-complete/quinces");
  expect(body.map(({ title, price }) => [title, price])).toEqual([["Quinces", 7]]);
});

test("search: words that were searched before take no statement; a changed price, title or sale shows within a second", async () => {
  const kohlrabi = await make("Kohlrabi Greens");
  expect(await titles("kohlrabi")).toEqual(["Kohlrabi Greens"]);
  const statements = await market.statements(async () => {
    expect((await find(" KOHLRABI ")).body.totalResults).toBe(1);
  });
  expect(statements.filter((text) => !text.includes("from session"))).toEqual([]);

  await db.offer.updateMany({ where: { variant_id: kohlrabi.variant.id }, data: { price_cents: 1234 } });
  await vi.waitFor(async () =>
    expect((await find("kohlrabi")).body.products[0]!.variants[0]).toMatchObject({ price: 12.34 }),
  );
  await db.product.update({ where: { id: kohlrabi.id }, data: { title: "Turnip Greens" } });
  await vi.waitFor(async () => expect(await titles("kohlrabi")).toEqual([]));
  expect(await titles("turnip")).toEqual(["Turnip Greens"]);
  await db.offer.updateMany({ where: { variant_id: kohlrabi.variant.id }, data: { is_published: false } });
  await vi.waitFor(async () => expect(await titles("turnip")).toEqual([]));
});

test("search: a text that is new takes one statement, one more for products that are not cached and for a misspelled word", async () => {
  const salsify = await make("Salsify Roots 17");
  await make("Skirret Roots");
  const count = async (text: string, found: string[]) => {
    const statements = await market.statements(async () => expect(await titles(text)).toEqual(found));
    return statements.filter((statement) => !statement.includes("from session")).length;
  };
  expect(await count("salsify 17", [salsify.title])).toBe(2);
  expect(await count("17 salsify", [salsify.title])).toBe(1);
  // None has all the words.
  expect(await count("salsify 4711", [salsify.title])).toBe(1);
  expect(await count("salsify skirret", ["Skirret Roots", salsify.title])).toBe(2);
  expect(await count("skirret salsify", ["Skirret Roots", salsify.title])).toBe(1);
  expect(await count("skiret salsify", ["Skirret Roots", salsify.title])).toBe(2);
});

describe("vendor search", () => {
  test(
    "returns this hub's vendors from three characters, all hubs' from two, at most 25, with their state",
    { tags: ["spec:7.9-02", "spec:7.9-04", "spec:9-30", "spec:5-45"] },
    async () => {
      const far = await createVendor(db, { name: "Chesapeake Oysters" });
      await createProduct(db, elsewhere.id, { vendorId: far.id });
      const named = async (path: string) => (await guest.get<Vendor[]>(path)).body.map(({ name }) => name);
      expect(await named("/search/vendors/che")).toEqual(["Chestnut Hill Creamery"]);
      expect(await named("/vendors/search/ch")).toEqual(["Chesapeake Oysters", "Chestnut Hill Creamery"]);
      expect(await named("/search/vendors/pena")).toEqual(["Peña's Orchard"]);
      expect(await named("/search/vendors/chesnut")).toEqual(["Chestnut Hill Creamery"]);
      expect(await named("/search/vendors/eamer")).toEqual(["Chestnut Hill Creamery"]);
      expect(await named("/search/vendors/hill%20che")).toEqual(["Chestnut Hill Creamery"]);
      expect(await named("/search/vendors/xylophone")).toEqual([]);
      const { body } = await guest.get<Vendor[]>("/vendors/search/chesapeake");
      expect(Vendor.array().parse(body)).toEqual(body);
      expect(body[0]).toMatchObject({ state: "IN", products: 0 });
      const visitor = market.shopper();
      expect((await visitor.get("/search/vendors/che")).body).toEqual([]);
      expect((await visitor.get<Vendor[]>("/vendors/search/chesapeake")).body).toHaveLength(1);
      await createVendor(db, { name: "High Meadow" });
      for (let n = 0; n < 30; n += 1) await createVendor(db, { name: `Meadow ${n}` });
      const { body: most } = await guest.get<Vendor[]>("/vendors/search/meadow");
      // Those that begin with the text come first, also where not all are returned.
      expect([most.length, most.every(({ name }) => name.startsWith("Meadow "))]).toEqual([25, true]);
      await db.vendor.update({ where: { id: far.id }, data: { is_published: false } });
      await vi.waitFor(async () => expect(await named("/vendors/search/chesapeake")).toEqual([]));
    },
  );

  test("marks the vendors that the customer follows", async () => {
    const fan = await signIn(market, { hubId: hub.id });
    await fan.post(`/vendors/${dairy.id}/favorite`);
    expect((await fan.get("/search/vendors/chestnut")).body[0].isFollowed).toBe(true);
    expect((await guest.get("/search/vendors/chestnut")).body[0].isFollowed).toBe(false);
  });
});
