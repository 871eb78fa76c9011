import { FeedCard } from "@marketday/contracts/feed";
import { type Db } from "@marketday/db";
import { Day, Hour } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  createCustomer,
  createHub,
  createProduct,
  createVendor,
  PASSWORD,
  type ProductOptions,
} from "../../../test/factories.ts";

const market = await buildTestApp();
const { db, deps } = market;
const now = new Date(MONDAY);
const ago = (days: number) => new Date(now.getTime() - days * Day.ms);
const picture = await db.picture.create({
  data: { id: "00000000000000aa", alt: "A barn", thumbhash: "AA==", file: "00000000000000aa-barn.jpg" },
});

beforeEach(() => market.deps.cache.clear());

interface Story {
  publishedDays?: number;
  restockedDays?: number;
  saleDays?: number;
}

/** A product whose offers were published, restocked and put on sale so many days ago. */
async function product(
  hubId: number,
  { publishedDays = 100, restockedDays, saleDays }: Story = {},
  options: ProductOptions = {},
) {
  const made = await createProduct(db, hubId, { ...options, ...(saleDays !== undefined && { salePriceCents: 500 }) });
  await db.offer.updateMany({
    where: { variant: { product_id: made.id } },
    data: {
      published_at: ago(publishedDays),
      restocked_at: restockedDays === undefined ? null : ago(restockedDays),
      on_sale_since: saleDays === undefined ? null : ago(saleDays),
    },
  });
  return made;
}

/** A vendor who joined the hub long ago. */
async function oldVendor(hubId: number, name: string) {
  const vendor = await createVendor(db, { name });
  await product(hubId, {}, { vendorId: vendor.id, title: `${name}'s staple` });
  return vendor;
}

async function guestOf(hubId: number) {
  const someone = market.shopper();
  expect((await someone.post(`/auth/guest?hubId=${hubId}`)).status).toBe(200);
  return someone;
}

async function feedOf(hubId: number): Promise<FeedCard[]> {
  const { status, body } = await (await guestOf(hubId)).get("/feed");
  expect(status).toBe(200);
  const cards = z.array(FeedCard).parse(body);
  expect(body).toEqual(cards);
  return cards;
}

/** The session is read once a second, whichever request comes first. */
const statements = async (work: () => Promise<unknown>) =>
  (await market.statements(work)).filter((text) => !text.includes("from session s"));

const titles = (cards: FeedCard[]) => cards.map(({ type, title }) => [type, title]);
const post = (data: Parameters<Db["post"]["create"]>[0]["data"]) =>
  db.post.create({ data: { created_at: ago(1), ...data } });

test("feed: without a session it is empty", { tags: ["spec:7.1-01"] }, async () => {
  const { status, body } = await market.shopper().get("/feed");
  expect([status, body]).toEqual([200, []]);
});

test(
  "feed: posts and automatic cards are mixed, newest first",
  { tags: ["spec:7.1-01", "spec:3-10", "spec:3-11"] },
  async () => {
    const hub = await createHub(db);
    const vendor = await oldVendor(hub.id, "Hollow Farm");
    const onSale = await product(hub.id, { saleDays: 2 }, { vendorId: vendor.id, title: "Honey" });
    await product(hub.id, { restockedDays: 3 }, { vendorId: vendor.id, title: "Leeks" });
    await product(hub.id, { publishedDays: 4 }, { vendorId: vendor.id, title: "Kale" });
    const newcomer = await createVendor(db, { name: "Two Sisters" });
    await db.vendor.update({ where: { id: newcomer.id }, data: { hero_id: picture.id } });
    await product(hub.id, { publishedDays: 5 }, { vendorId: newcomer.id, title: "Rye" });
    await post({
      type: "vendor-post",
      vendor_id: vendor.id,
      title: "Frost",
      text: "The first frost made the kale sweet.",
      text_image_id: picture.id,
      created_at: ago(1),
    });
    await post({
      type: "staff-pick",
      hub_id: hub.id,
      product_id: onSale.id,
      text: "Try it on toast.",
      created_at: ago(6),
    });
    const cards = await feedOf(hub.id);
    expect(titles(cards)).toEqual([
      ["vendor-post", "Frost"],
      ["on-sale", "Honey"],
      ["returning-item", "Leeks"],
      ["new-item", "Kale"],
      ["new-item", "Rye"],
      ["new-vendor", "Two Sisters"],
      ["staff-pick", "Honey"],
    ]);
    const [frost, sale, , , , sisters, pick] = cards;
    const image = { url: `/img/${picture.id}`, alt: "A barn", thumbhash: "AA==" };
    expect(frost).toMatchObject({
      subtitle: "Sheridan, IN",
      text: "The first frost made the kale sweet.",
      textImage: image,
      product: null,
      vendor: { id: vendor.id },
      avatarLabel: "Hollow Farm",
      created: ago(1).toISOString(),
    });
    expect(sale).toMatchObject({
      id: `on-sale-${onSale.id}`,
      subtitle: "Hollow Farm",
      product: { id: onSale.id, variants: [{ price: 6.5, salePrice: 5 }] },
    });
    expect(sisters).toMatchObject({
      id: `new-vendor-${newcomer.id}`,
      product: null,
      textImage: image,
      vendor: { id: newcomer.id, name: "Two Sisters" },
    });
    expect(pick).toMatchObject({ product: { id: onSale.id }, text: "Try it on toast.", avatarLabel: "Hollow Farm" });
  },
);

test("feed: old news, news of other hubs and unavailable products are left out", async () => {
  const hub = await createHub(db);
  const elsewhere = await createHub(db);
  const vendor = await oldVendor(hub.id, "Steady");
  await product(hub.id, { publishedDays: 7 }, { vendorId: vendor.id, title: "Too old" });
  await product(hub.id, { restockedDays: 7.1 }, { vendorId: vendor.id, title: "Back too long" });
  await product(hub.id, { publishedDays: 1 }, { vendorId: vendor.id, title: "Sold out", inventory: 0 });
  // The restocked size is sold out again; the other one never was.
  const again = await product(
    hub.id,
    {},
    {
      vendorId: vendor.id,
      title: "Back and gone",
      variants: [{ title: "Bunch", inventory: 0 }, { title: "Crate" }],
    },
  );
  await db.offer.updateMany({
    where: { variant: { product_id: again.id, title: "Bunch" } },
    data: { restocked_at: ago(1) },
  });
  await product(hub.id, { publishedDays: -1 }, { vendorId: vendor.id, title: "Not yet" });
  await product(hub.id, { publishedDays: 1 }, { vendorId: vendor.id, title: "Not shown", offerIsPublished: false });
  await product(hub.id, { publishedDays: 1 }, { vendorId: vendor.id, title: "Hidden", isPublished: false });
  const paused = await createVendor(db, { name: "Paused Farm" });
  await product(hub.id, { publishedDays: 1 }, { vendorId: paused.id, title: "New from a hidden vendor" });
  await product(hub.id, { restockedDays: 1, saleDays: 1 }, { vendorId: paused.id, title: "From a hidden vendor" });
  await post({ type: "vendor-post", hub_id: hub.id, vendor_id: paused.id, title: "Post of a hidden vendor" });
  await db.vendor.update({ where: { id: paused.id }, data: { is_published: false } });
  const soon = await createVendor(db, { name: "Not listed yet" });
  await product(hub.id, { publishedDays: 1 }, { vendorId: soon.id, offerIsPublished: false });
  const there = await product(elsewhere.id, { publishedDays: 1 }, { title: "Elsewhere" });
  await post({ type: "staff-pick", product_id: there.id, title: "Not sold here" });
  await post({ type: "staff-trending", hub_id: elsewhere.id, title: "For the others" });
  await post({ type: "vendor-post", vendor_id: there.vendor_id, title: "From a vendor who is not here" });
  await post({ type: "staff-trending", hub_id: hub.id, title: "Expired", expires_at: now });
  await post({ type: "staff-trending", hub_id: hub.id, title: "Tomorrow", created_at: ago(-1) });
  // It was in stock before it was on sale, so it is new and did not return.
  const shown = await product(
    hub.id,
    { publishedDays: 6.9, restockedDays: 6.95 },
    { vendorId: vendor.id, title: "Just in time" },
  );
  const cards = await feedOf(hub.id);
  // Posts for all hubs from other tests of this file may be listed; of this hub only this one.
  expect(titles(cards).filter(([type]) => type !== "vendor-post")).toEqual([["new-item", "Just in time"]]);
  const shownTitles = cards.map(({ title }) => title);
  expect(shownTitles).not.toContain("From a vendor who is not here");
  expect(shownTitles).not.toContain("Post of a hidden vendor");
  expect(cards.at(-1)!.product!.id).toBe(shown.id);
});

test("feed: a vendor's post stays without its product if the hub does not sell it", async () => {
  const hub = await createHub(db);
  const vendor = await oldVendor(hub.id, "Mixed");
  const there = await product((await createHub(db)).id, {}, { vendorId: vendor.id });
  await post({ type: "vendor-post", hub_id: hub.id, vendor_id: vendor.id, product_id: there.id, title: "Our goats" });
  const card = (await feedOf(hub.id)).find(({ title }) => title === "Our goats");
  expect(card).toMatchObject({ product: null, vendor: { id: vendor.id } });
});

test("feed: the cards of a kind and of a vendor are limited, and a product has one card of a kind", async () => {
  const hub = await createHub(db);
  const vendors = await Promise.all(Array.from({ length: 12 }, (_, n) => oldVendor(hub.id, `Farm ${n}`)));
  for (const vendor of vendors) {
    for (const place of [1, 2, 3])
      await product(
        hub.id,
        { publishedDays: place, restockedDays: place / 2, saleDays: place },
        { vendorId: vendor.id, title: "Everything at once" },
      );
  }
  const pick = await product(hub.id, {}, { vendorId: vendors[0]!.id });
  for (const hours of [1, 2, 3])
    await post({
      type: "staff-pick",
      hub_id: hub.id,
      product_id: pick.id,
      title: `Pick ${hours}`,
      created_at: new Date(now.getTime() - hours * Hour.ms),
    });
  for (let n = 0; n < 70; n += 1)
    await post({ type: "vendor-post", hub_id: hub.id, vendor_id: vendors[1]!.id, title: `Post ${n}` });
  const cards = await feedOf(hub.id);
  expect(cards).toHaveLength(60);
  const kinds = Map.groupBy(cards, ({ type }) => type);
  for (const type of ["new-item", "returning-item", "on-sale"] as const) {
    const ofKind = kinds.get(type) ?? [];
    expect(ofKind.length).toBeGreaterThan(4);
    expect(ofKind.length).toBeLessThan(12);
    for (const cards of Map.groupBy(ofKind, ({ vendor }) => vendor!.id).values()) expect(cards.length).toBeLessThan(3);
  }
  expect(kinds.get("staff-pick")!.map(({ title }) => title)).toEqual(["Pick 1"]);
  const keys = cards.flatMap(({ type, product: sold }) => (sold ? [`${type} ${sold.id}`] : []));
  expect(new Set(keys).size).toBe(keys.length);
  expect(new Set(cards.map(({ id }) => id)).size).toBe(60);
  const created = cards.map((card) => card.created);
  expect(created).toEqual(created.toSorted().toReversed());
});

test("feed: of more posts and new vendors than it shows, the newest are shown", async () => {
  const hub = await createHub(db);
  for (let days = 6; days >= 1; days -= 1) {
    const vendor = await createVendor(db, { name: `Joined ${days} days ago` });
    await product(hub.id, { publishedDays: days }, { vendorId: vendor.id, inventory: 0 });
  }
  await db.post.createMany({
    data: Array.from({ length: 41 }, (_, n) => ({
      type: "staff-trending",
      hub_id: hub.id,
      title: `Post ${n}`,
      created_at: new Date(now.getTime() - n * 1000),
    })),
  });
  const titlesOf = (cards: FeedCard[], kind: string) =>
    cards.filter(({ type }) => type === kind).map(({ title }) => title);
  const cards = await feedOf(hub.id);
  expect(titlesOf(cards, "staff-trending")).toEqual(Array.from({ length: 40 }, (_, n) => `Post ${n}`));
  expect(titlesOf(cards, "new-vendor")).toEqual([1, 2, 3, 4, 5].map((days) => `Joined ${days} days ago`));
});

test("feed: takes two statements for any size, and none the second time", async () => {
  const statementsFor = async (cards: number) => {
    const hub = await createHub(db);
    const vendor = await oldVendor(hub.id, "Counted");
    for (let n = 0; n < cards; n += 1)
      await post({
        type: "staff-pick",
        hub_id: hub.id,
        product_id: (await product(hub.id, {}, { vendorId: vendor.id })).id,
      });
    await market.waitForNotifications();
    market.deps.cache.clear();
    const someone = await guestOf(hub.id);
    const cold = await statements(() => someone.get("/feed"));
    const warm = await statements(() => someone.get("/feed"));
    return [cold.length, warm.length];
  };
  const one = await statementsFor(1);
  market.deps.cache.clear();
  const many = await statementsFor(20);
  expect(one).toEqual([2, 0]);
  expect(many).toEqual([2, 0]);
});

test("feed: a customer's favorites are on their own cards only, without another statement once they are cached", async () => {
  const hub = await createHub(db);
  const vendor = await oldVendor(hub.id, "Loved");
  const loved = await product(hub.id, { publishedDays: 1 }, { vendorId: vendor.id, title: "Quince" });
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  await db.favorite_product.create({ data: { customer_id: row.id, product_id: loved.id } });
  const someone = market.shopper();
  await someone.post("/auth/login", { username: row.email, password: PASSWORD });
  await market.waitForNotifications();
  market.deps.cache.clear();
  const { body } = await someone.get("/feed");
  expect(z.array(FeedCard).parse(body)).toEqual(body);
  const favorite = (cards: FeedCard[]) => cards.find(({ id }) => id === `new-item-${loved.id}`)!.product!.isFavorite;
  expect(favorite(body)).toBe(true);
  expect(favorite(await feedOf(hub.id))).toBe(false);
  expect(await statements(() => someone.get("/feed"))).toEqual([]);
});

test("feed: a new post appears, and a product that sells out leaves", async () => {
  const hub = await createHub(db);
  const vendor = await oldVendor(hub.id, "Quick");
  const last = await product(hub.id, { publishedDays: 1 }, { vendorId: vendor.id, title: "Last one", inventory: 1 });
  const someone = await guestOf(hub.id);
  const seen = async () =>
    titles((await someone.get("/feed")).body as FeedCard[]).filter(
      ([, title]) => title === "Last one" || title === "News",
    );
  expect(await seen()).toEqual([["new-item", "Last one"]]);
  await post({ type: "staff-trending", hub_id: hub.id, title: "News", created_at: ago(0.5) });
  await expect.poll(seen).toEqual([
    ["staff-trending", "News"],
    ["new-item", "Last one"],
  ]);
  await db.offer.updateMany({ where: { variant_id: last.variant.id }, data: { inventory: 0 } });
  await expect.poll(seen).toEqual([["staff-trending", "News"]]);
});
