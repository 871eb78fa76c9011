import { Collection, listCollectionProducts } from "@marketday/contracts/collections";
import { Day } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createProduct, createVendor, PASSWORD } from "../../../test/factories.ts";

const market = await buildTestApp();
const { db, deps } = market;
const here = await createHub(db, { name: "Here" });
const otherHub = await createHub(db, { name: "Other" });
const vendor = await createVendor(db);
const ago = (days: number) => new Date(new Date(MONDAY).getTime() - days * Day.ms);
const Page = listCollectionProducts.schema.response[200];

beforeEach(() => market.deps.cache.clear());

let made = 0;
async function collection(
  title: string,
  options: { parentId?: number; position?: number; inMenu?: boolean; isPublished?: boolean } = {},
) {
  made += 1;
  return db.collection.create({
    data: {
      slug: `collection-${made}-${title.toLowerCase()}`,
      title,
      parent_id: options.parentId ?? null,
      position: options.position ?? made,
      show_in_collections: !options.inMenu,
      show_in_main_menu: options.inMenu ?? false,
      is_published: options.isPublished ?? true,
    },
  });
}

/** A product in these collections, added so many days ago. */
async function member(
  collectionIds: number[],
  options: { hub?: number; title?: string; days?: number; position?: number } = {},
) {
  const product = await createProduct(db, options.hub ?? here.id, {
    vendorId: vendor.id,
    ...(options.title !== undefined && { title: options.title }),
  });
  await db.collection_product.createMany({
    data: collectionIds.map((collection_id) => ({
      collection_id,
      product_id: product.id,
      position: options.position ?? 0,
      added_at: ago(options.days ?? 100),
    })),
  });
  return product;
}

async function guest(hubId = here.id) {
  const someone = market.shopper();
  expect((await someone.post(`/auth/guest?hubId=${hubId}`)).status).toBe(200);
  return someone;
}

/** The session is read once a second, whichever request comes first. */
const statements = async (work: () => Promise<unknown>) =>
  (await market.statements(work)).filter((text) => !text.includes("from session s"));

const dairy = await collection("Dairy", { inMenu: true });
const cheese = await collection("Cheese", { parentId: dairy.id });
const milk = await collection("Milk", { parentId: dairy.id });
const greens = await collection("Greens");
const empty = await collection("Empty");
const secret = await collection("Secret", { isPublished: false });
const brie = await member([cheese.id], { title: "Brie", days: 2, position: 2 });
await member([cheese.id, dairy.id], { title: "Gouda", days: 8, position: 1 });
await member([milk.id], { title: "Oat drink", hub: otherHub.id, days: 1 });
await member([greens.id], { title: "Kale", days: 6.9 });
await member([greens.id], { title: "Chard", days: 7 });
await member([secret.id], { title: "Truffle" });
const hidden = await member([empty.id]);
await db.product.update({ where: { id: hidden.id }, data: { is_published: false } });

test(
  "collections: those with products in the hub are listed, children with their parent",
  { tags: ["spec:7.8-04"] },
  async () => {
    const { status, body } = await (await guest()).get("/collections");
    expect(status).toBe(200);
    expect(z.array(Collection).parse(body)).toEqual(body);
    expect(body).toEqual([
      {
        id: dairy.id,
        slug: dairy.slug,
        title: "Dairy",
        image: null,
        showInCollections: false,
        showInMainMenu: true,
        newItemsCount: 1,
        children: [expect.objectContaining({ id: cheese.id, title: "Cheese", newItemsCount: 1 })],
      },
      {
        id: greens.id,
        slug: greens.slug,
        title: "Greens",
        image: null,
        showInCollections: true,
        showInMainMenu: false,
        newItemsCount: 1,
        children: [],
      },
    ]);
    const { body: elsewhere } = await (await guest(otherHub.id)).get("/collections");
    expect(elsewhere.map(({ title, children }: Collection) => [title, children.map((child) => child.title)])).toEqual([
      ["Dairy", ["Milk"]],
    ]);
  },
);

test("collections: without a session none are listed, and a collection is empty", async () => {
  const visitor = market.shopper();
  expect((await visitor.get("/collections")).body).toEqual([]);
  const { status, body, headers } = await visitor.get(`/collections/${greens.id}/products`);
  expect([status, body, headers["x-total-results"]]).toEqual([200, { payload: [], totalRows: 0 }, "0"]);
});

test(
  "collection: has its own products and those of its children, each once, in order",
  { tags: ["spec:7.8-05"] },
  async () => {
    const someone = await guest();
    for (const key of [dairy.id, dairy.slug]) {
      const { status, body } = await someone.get(`/collections/${key}/products`);
      expect(status).toBe(200);
      expect(Page.parse(body)).toEqual(body);
      expect([body.totalRows, body.payload.map(({ title }: { title: string }) => title)]).toEqual([
        2,
        ["Gouda", "Brie"],
      ]);
    }
    expect((await someone.get(`/collections/${empty.id}/products`)).body).toEqual({ payload: [], totalRows: 0 });
  },
);

test(
  "collection: pages of 18 are described in headers; a page in the query wins over headers",
  { tags: ["spec:7.8-05"] },
  async () => {
    const many = await collection("Many");
    for (let n = 0; n < 40; n += 1) await member([many.id], { title: `Item ${n}`, position: n });
    const someone = await guest();
    const page = async (query: string, headers: Record<string, string> = {}) => {
      const {
        status,
        body,
        headers: paging,
      } = await someone.get(`/collections/${many.slug}/products${query}`, headers);
      expect(status).toBe(200);
      const names = body.payload.map(({ title }: { title: string }) => title);
      return [
        paging["x-current-page"],
        paging["x-rows-per-page"],
        paging["x-total-results"],
        body.totalRows,
        names.length,
        names[0] ?? null,
      ];
    };
    expect(await page("")).toEqual(["1", "18", "40", 40, 18, "Item 0"]);
    expect(await page("?page=3")).toEqual(["3", "18", "40", 40, 4, "Item 36"]);
    expect(await page("?page=4")).toEqual(["4", "18", "40", 40, 0, null]);
    expect(await page("?page=1000000")).toEqual(["1000000", "18", "40", 40, 0, null]);
    expect(await page("", { "x-current-page": "2", "x-rows-per-page": "5" })).toEqual([
      "2",
      "5",
      "40",
      40,
      5,
      "Item 5",
    ]);
    expect(await page("?page=1&perPage=7", { "x-current-page": "2", "x-rows-per-page": "5" })).toEqual([
      "1",
      "7",
      "40",
      40,
      7,
      "Item 0",
    ]);
    expect(await page("?perPage=500")).toEqual(["1", "100", "40", 40, 40, "Item 0"]);
    const etag = String((await someone.get(`/collections/${many.slug}/products`)).headers["etag"]);
    const again = await someone.get(`/collections/${many.slug}/products`, { "if-none-match": etag });
    expect([again.status, again.headers["x-total-results"]]).toEqual([304, "40"]);
  },
);

test.each([
  ["an unknown id", () => "999999", 404],
  ["an unknown slug", () => "no-such", 404],
  ["an unpublished one", () => secret.slug, 404],
  ["an id beyond any", () => "99999999999", 404],
])("collection: %s is 404", async (_name, key, status) => {
  const { status: got, body } = await (await guest()).get(`/collections/${key()}/products`);
  expect([got, body]).toEqual([status, ["Not found.", { code: "not_found" }]]);
});

test.each(["page=0", "page=-1", "page=1.5", "page=x", "page=1000001", "perPage=0", "perPage=x"])(
  "collection: %s is refused",
  async (query) => {
    const { status, body } = await (await guest()).get(`/collections/${greens.id}/products?${query}`);
    expect([status, body[1].code]).toEqual([400, "invalid"]);
  },
);

test("collection: 18 products take as many statements as one, and a second read takes none", async () => {
  const [few, many] = [await collection("Few"), await collection("Lots")];
  await member([few.id]);
  for (let n = 0; n < 18; n += 1) await member([many.id]);
  const someone = await guest();
  await market.waitForNotifications();
  market.deps.cache.clear();
  const cold = [];
  for (const { id } of [few, many])
    cold.push((await statements(() => someone.get(`/collections/${id}/products`))).length);
  expect(cold).toEqual([2, 2]);
  for (const { id } of [few, many])
    expect(await statements(() => someone.get(`/collections/${id}/products`))).toEqual([]);
});

test("collection: a customer's favorites and subscriptions are added without another statement once they are cached", async () => {
  const row = await createCustomer(db, { hubId: here.id, pepper: deps.env.pepper });
  await db.favorite_product.create({ data: { customer_id: row.id, product_id: brie.id } });
  const someone = market.shopper();
  await someone.post("/auth/login", { username: row.email, password: PASSWORD });
  const favorites = (body: z.infer<typeof Page>) => body.payload.map(({ title, isFavorite }) => [title, isFavorite]);
  await market.waitForNotifications();
  market.deps.cache.clear();
  const { body } = await someone.get(`/collections/${cheese.id}/products`);
  expect(Page.parse(body)).toEqual(body);
  expect(favorites(body)).toEqual([
    ["Gouda", false],
    ["Brie", true],
  ]);
  expect(favorites((await (await guest()).get(`/collections/${cheese.id}/products`)).body)).toEqual([
    ["Gouda", false],
    ["Brie", false],
  ]);
  expect(await statements(() => someone.get(`/collections/${cheese.id}/products`))).toEqual([]);
});

test("collection: products that join or leave are seen at once", async () => {
  const season = await collection("Season");
  const someone = await guest();
  const seen = async () => {
    const { body } = await someone.get(`/collections/${season.id}/products`);
    const { body: list } = await someone.get("/collections");
    return [body.totalRows, list.some(({ id }: Collection) => id === season.id)];
  };
  expect(await seen()).toEqual([0, false]);
  const squash = await member([season.id], { title: "Squash" });
  await expect.poll(seen).toEqual([1, true]);
  await db.offer.updateMany({ where: { variant_id: squash.variant.id }, data: { is_published: false } });
  await expect.poll(seen).toEqual([0, false]);
});

test("collection: it has no products of an unpublished child, is listed by its position, and a product of two parts has its first place", async () => {
  const bakery = await collection("Bakery", { position: 99 });
  const aisle = await collection("Aisle", { position: 100 });
  await member([aisle.id]);
  const bread = await collection("Bread", { parentId: bakery.id });
  const draft = await collection("Draft", { parentId: bakery.id, isPublished: false });
  const rye = await member([bread.id], { title: "Rye", position: 5 });
  await db.collection_product.create({ data: { collection_id: bakery.id, product_id: rye.id, position: 0 } });
  await member([bread.id], { title: "Spelt", position: 1 });
  await member([draft.id], { title: "Secret loaf", position: 0 });
  market.deps.cache.clear();
  const someone = await guest();
  const { body } = await someone.get(`/collections/${bakery.id}/products`);
  expect(body.payload.map(({ title }: { title: string }) => title)).toEqual(["Rye", "Spelt"]);
  const { body: all } = await someone.get("/collections");
  const own = [bakery.id, aisle.id];
  expect(all.map(({ id }: Collection) => id).filter((id: number) => own.includes(id))).toEqual(own);
});
