import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../test/app.ts";
import { testClock } from "../../test/clock.ts";
import {
  createBundle,
  createCustomer,
  createHub,
  createOrder,
  createProduct,
  createVendor,
  setInventory,
} from "../../test/factories.ts";
import type { Shopper } from "../../test/shopper.ts";
import type { Scope } from "./cache.ts";

/** ms. Time after a change in which the cache must show it (failures M16). */
const VISIBLE_AFTER_MS = 1_000;

/** The monotonic time of the server. It advances only here, so that no entry is reloaded because of its age. */
let elapsed = 0;
const market = await buildTestApp({ overrides: { clock: { ...testClock(MONDAY), elapsed: () => elapsed } } });
const { db } = market;

interface Cached {
  /** Keys by scope. */
  keys: readonly (readonly [Scope, readonly string[]])[];
  /** Loads their entries. */
  read: () => Promise<unknown>;
}

/** `expected`: the keys of each scope whose entries are other ones after the write than after `read` before it. */
async function expectStale(
  { keys: cached, read }: Cached,
  step: string,
  write: () => Promise<unknown>,
  expected: string[][],
): Promise<void> {
  const entries = () => cached.map(([scope, keys]) => keys.map((key) => market.deps.cache.peek(scope, key)));
  elapsed += VISIBLE_AFTER_MS;
  await read();
  const before = entries();
  expect({ step, missing: before.flat().filter((entry) => entry === undefined) }).toEqual({ step, missing: [] });
  await write();
  await market.waitForNotifications();
  elapsed += VISIBLE_AFTER_MS;
  const stale = entries().map((scope, n) => cached[n]![1].filter((_key, place) => scope[place] !== before[n]![place]));
  expect({ step, stale }).toEqual({ step, stale: expected });
}

test("cache: a review, an endorsement, a survey, stock, a picture, a post, a banner and a price leave what they do not change, in their hub and in others", async () => {
  const hubs = [await createHub(db), await createHub(db)];
  const vendor = await createVendor(db);
  const options = { vendorId: vendor.id, inventory: 30 };
  const sold = await createProduct(db, hubs[0]!.id, options);
  const other = await createProduct(db, hubs[1]!.id, options);
  const inBoth = await createProduct(db, hubs[0]!.id, { ...options, hubs: hubs.map(({ id }) => id) });
  const members = [sold, other, inBoth].map(({ id }, position) => ({ product_id: id, position }));
  await db.collection.create({ data: { slug: "both", title: "Both", products: { create: members } } });
  const buyer = await createCustomer(db, { hubId: hubs[0]!.id, pepper: market.deps.env.pepper });
  const picture = await db.picture.create({ data: { id: "00160016001600aa", alt: "Old", file: "aa.png" } });
  const guests: Shopper[] = [];
  for (const { id } of hubs) {
    const guest = market.shopper();
    await guest.post(`/auth/guest?hubId=${id}`);
    guests.push(guest);
  }
  const keys = ["members:both", "feed-cards", "collection:both:1:18", "feed", "collections", "banners"];
  const readAll = async () => {
    for (const guest of guests)
      for (const address of ["/collections", "/collections/both/products", "/feed", "/cart"]) await guest.get(address);
  };
  const cached = { keys: hubs.map(({ id }) => [id, keys] as const), read: readAll };
  await market.waitForNotifications();

  const review = { customer_id: buyer.id, product_id: sold.id, rating_halves: 8, comment: "Good." };
  await expectStale(cached, "review", () => db.review.create({ data: review }), [["collection:both:1:18", "feed"], []]);
  const opinion = { customer_id: buyer.id, vendor_id: vendor.id };
  await expectStale(
    cached,
    "endorsement",
    () => db.endorsement.create({ data: { ...opinion, score: 5, relationship: 1 } }),
    [[], []],
  );
  const order = await createOrder(db, { hub: hubs[1]!, customerId: buyer.id, product: other });
  const answer = { order_id: order.id, customer_id: buyer.id, type: "CSAT", question_id: "overall", response: "5" };
  await expectStale(cached, "survey", () => db.survey_answer.create({ data: answer }), [[], []]);
  // Of a product that both hubs sell, in one of them.
  const stocked = ["collection:both:1:18", "feed"];
  await expectStale(cached, "stock", () => setInventory(db, inBoth.variant.id, hubs[1]!.id, 29), [[], stocked]);
  const inventories = await Promise.all(
    guests.map(async (guest) => (await guest.get(`/products/${inBoth.id}`)).body.variants[0].inventory),
  );
  expect(inventories).toEqual([30, 29]);
  const shown = { product_id: sold.id, position: 0, picture_id: picture.id };
  const pictured = ["feed-cards", "collection:both:1:18", "feed", "collections"];
  await expectStale(cached, "picture of a product", () => db.product_picture.create({ data: shown }), [pictured, []]);
  await expectStale(
    cached,
    "text of a picture",
    () => db.picture.update({ where: { id: picture.id }, data: { alt: "New" } }),
    [pictured, []],
  );
  // Uploads are no change until something shows them.
  await expectStale(cached, "upload", () => db.picture.create({ data: { id: "00160016001600ab", file: "ab.png" } }), [
    [],
    [],
  ]);
  await expectStale(
    cached,
    "post",
    () => db.post.create({ data: { type: "staff-trending", hub_id: hubs[0]!.id, title: "News" } }),
    [["feed-cards", "feed"], []],
  );
  await expectStale(
    cached,
    "banner",
    () => db.banner.create({ data: { type: "other", hub_id: hubs[1]!.id, title: "Hello" } }),
    [[], ["banners"]],
  );
  await expectStale(cached, "delivery", () => db.delivery.deleteMany({ where: { hub_id: hubs[0]!.id } }), [[], []]);
  await expectStale(
    cached,
    "price",
    () => db.offer.updateMany({ where: { variant_id: sold.variant.id }, data: { price_cents: 1_234 } }),
    [["feed-cards", "collection:both:1:18", "feed"], []],
  );
  const listed = ["members:both", "feed-cards", "collection:both:1:18", "feed", "collections"];
  await expectStale(
    cached,
    "name of a product",
    () => db.product.update({ where: { id: other.id }, data: { title: "Renamed" } }),
    [[], listed],
  );
  await expectStale(
    cached,
    "unit",
    () => db.variant.update({ where: { id: sold.variant.id }, data: { unit: "pint" } }),
    [listed, []],
  );
  await expectStale(
    cached,
    "name of a vendor",
    () => db.vendor.update({ where: { id: vendor.id }, data: { name: "Renamed" } }),
    [listed, listed],
  );
  await expectStale(cached, "collection", () => db.collection_product.deleteMany({ where: { product_id: sold.id } }), [
    listed,
    [],
  ]);
});

test("cache: a bundle reloads the hubs that offer it before or after and what is of no hub; a hub reloads the others only by its name and publication", async () => {
  const hubs = [await createHub(db), await createHub(db)];
  const third = await createHub(db);
  const sold = await createProduct(db, hubs[0]!.id, { hubs: hubs.map(({ id }) => id) });
  const elsewhere = await createProduct(db, third.id);
  const items = [{ product: sold }];
  const bundle = await createBundle(db, [hubs[0]!.id], { items });
  const packed = await createBundle(db, [hubs[1]!.id], { items: [...items, { product: elsewhere }] });
  const guests: Shopper[] = [];
  for (const { id } of hubs) {
    const guest = market.shopper();
    await guest.post(`/auth/guest?hubId=${id}`);
    guests.push(guest);
  }
  const stranger = market.shopper();
  const keys = ["bundles", `product:${elsewhere.id}`, "feed", "boundaries"];
  const ofNoHub = `bundle:${bundle.id}`;
  const cached: Cached = {
    keys: [...hubs.map(({ id }) => [id, keys] as const), [null, [ofNoHub]]],
    read: async () => {
      for (const [n, guest] of guests.entries())
        for (const address of ["/bundles", `/products/${elsewhere.id}`, "/feed", `/hubs/${hubs[n]!.id}/details`])
          await guest.get(address);
      await stranger.get(`/bundles/${bundle.id}`);
    },
  };
  await market.waitForNotifications();

  const inFirst = [["bundles"], [], [ofNoHub]];
  const rename = (title: string) => db.bundle.update({ where: { id: bundle.id }, data: { title } });
  await expectStale(cached, "name of a bundle", () => rename("Renamed"), inFirst);
  const item = { bundle_id: bundle.id, variant_id: elsewhere.variant.id };
  await expectStale(cached, "item of a bundle", () => db.bundle_item.create({ data: item }), inFirst);
  await expectStale(
    cached,
    "quantity of an item",
    () => db.bundle_item.updateMany({ where: item, data: { quantity: 2 } }),
    inFirst,
  );
  await expectStale(cached, "no item", () => db.bundle_item.deleteMany({ where: item }), inFirst);
  const offers = { bundle_id: bundle.id };
  // From the first hub to the second, in one statement.
  await expectStale(
    cached,
    "other hub of a bundle",
    () => db.bundle_hub.updateMany({ where: offers, data: { hub_id: hubs[1]!.id } }),
    [["bundles"], ["bundles"], [ofNoHub]],
  );
  await expectStale(cached, "no hub of a bundle", () => db.bundle_hub.deleteMany({ where: offers }), [
    [],
    ["bundles"],
    [ofNoHub],
  ]);
  await expectStale(cached, "name of a bundle of no hub", () => rename("Of no hub"), [[], [], [ofNoHub]]);
  await expectStale(cached, "no bundle", () => db.bundle.delete({ where: { id: packed.id } }), [
    [],
    ["bundles"],
    [ofNoHub],
  ]);

  const change = (step: string, data: Parameters<typeof db.hub.update>[0]["data"], expected: string[][], of = third) =>
    expectStale(cached, step, () => db.hub.update({ where: { id: of.id }, data }), expected);
  await change(
    "fee and description of a hub",
    { delivery_fee_cents: 1, description: "By the river.", boundaries: [] },
    [[], [], [ofNoHub]],
  );
  await change("area of a hub", { boundaries: ["POLYGON((0 0, 1 0, 1 1, 0 0))"] }, [keys, [], [ofNoHub]], hubs[0]);
  const everything = [keys, keys, [ofNoHub]];
  await change("name of a hub", { name: "Renamed" }, everything);
  const names = async () => (await guests[0]!.get(`/products/${elsewhere.id}`)).body.availableMarkets;
  await change("unpublished hub", { is_published: false }, everything);
  expect(await names()).toEqual([]);
  await change("published hub", { is_published: true }, everything);
  expect(JSON.stringify(await names())).toContain("Renamed");
});
