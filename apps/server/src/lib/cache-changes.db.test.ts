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

/** The keys of each scope whose entries are other ones after the write than after `read` before it. */
async function reloadedBy(
  write: () => Promise<unknown>,
  cached: readonly (readonly [Scope, readonly string[]])[],
  read: () => Promise<unknown>,
): Promise<string[][]> {
  const entries = () => cached.map(([scope, keys]) => keys.map((key) => market.deps.cache.peek(scope, key)));
  elapsed += VISIBLE_AFTER_MS;
  await read();
  const before = entries();
  expect(before.flat().filter((entry) => entry === undefined)).toEqual([]);
  await write();
  await market.waitForNotifications();
  elapsed += VISIBLE_AFTER_MS;
  return entries().map((scope, n) => cached[n]![1].filter((_key, place) => scope[place] !== before[n]![place]));
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
  /** The entries of each hub that the write made stale. */
  const staleAfter = (write: () => Promise<unknown>) =>
    reloadedBy(
      write,
      hubs.map(({ id }) => [id, keys]),
      readAll,
    );
  await market.waitForNotifications();

  const review = { customer_id: buyer.id, product_id: sold.id, rating_halves: 8, comment: "Good." };
  expect(await staleAfter(() => db.review.create({ data: review }))).toEqual([["collection:both:1:18", "feed"], []]);
  const opinion = { customer_id: buyer.id, vendor_id: vendor.id };
  expect(await staleAfter(() => db.endorsement.create({ data: { ...opinion, score: 5, relationship: 1 } }))).toEqual([
    [],
    [],
  ]);
  const order = await createOrder(db, { hub: hubs[1]!, customerId: buyer.id, product: other });
  const answer = { order_id: order.id, customer_id: buyer.id, type: "CSAT", question_id: "overall", response: "5" };
  expect(await staleAfter(() => db.survey_answer.create({ data: answer }))).toEqual([[], []]);
  // Of a product that both hubs sell, in one of them.
  const stocked = ["collection:both:1:18", "feed"];
  expect(await staleAfter(() => setInventory(db, inBoth.variant.id, hubs[1]!.id, 29))).toEqual([[], stocked]);
  const inventories = await Promise.all(
    guests.map(async (guest) => (await guest.get(`/products/${inBoth.id}`)).body.variants[0].inventory),
  );
  expect(inventories).toEqual([30, 29]);
  const shown = { product_id: sold.id, position: 0, picture_id: picture.id };
  const pictured = ["feed-cards", "collection:both:1:18", "feed", "collections"];
  expect(await staleAfter(() => db.product_picture.create({ data: shown }))).toEqual([pictured, []]);
  expect(await staleAfter(() => db.picture.update({ where: { id: picture.id }, data: { alt: "New" } }))).toEqual([
    pictured,
    [],
  ]);
  // Uploads are no change until something shows them.
  expect(await staleAfter(() => db.picture.create({ data: { id: "00160016001600ab", file: "ab.png" } }))).toEqual([
    [],
    [],
  ]);
  expect(
    await staleAfter(() => db.post.create({ data: { type: "staff-trending", hub_id: hubs[0]!.id, title: "News" } })),
  ).toEqual([["feed-cards", "feed"], []]);
  expect(
    await staleAfter(() => db.banner.create({ data: { type: "other", hub_id: hubs[1]!.id, title: "Hello" } })),
  ).toEqual([[], ["banners"]]);
  expect(await staleAfter(() => db.delivery.deleteMany({ where: { hub_id: hubs[0]!.id } }))).toEqual([[], []]);
  expect(
    await staleAfter(() =>
      db.offer.updateMany({ where: { variant_id: sold.variant.id }, data: { price_cents: 1_234 } }),
    ),
  ).toEqual([["feed-cards", "collection:both:1:18", "feed"], []]);
  const listed = ["members:both", "feed-cards", "collection:both:1:18", "feed", "collections"];
  expect(await staleAfter(() => db.product.update({ where: { id: other.id }, data: { title: "Renamed" } }))).toEqual([
    [],
    listed,
  ]);
  expect(await staleAfter(() => db.variant.update({ where: { id: sold.variant.id }, data: { unit: "pint" } }))).toEqual(
    [listed, []],
  );
  expect(await staleAfter(() => db.vendor.update({ where: { id: vendor.id }, data: { name: "Renamed" } }))).toEqual([
    listed,
    listed,
  ]);
  expect(await staleAfter(() => db.collection_product.deleteMany({ where: { product_id: sold.id } }))).toEqual([
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
  const staleAfter = (write: () => Promise<unknown>) =>
    reloadedBy(write, [...hubs.map(({ id }) => [id, keys] as const), [null, [ofNoHub]]], async () => {
      for (const [n, guest] of guests.entries())
        for (const address of ["/bundles", `/products/${elsewhere.id}`, "/feed", `/hubs/${hubs[n]!.id}/details`])
          await guest.get(address);
      await stranger.get(`/bundles/${bundle.id}`);
    });
  await market.waitForNotifications();

  const inFirst = [["bundles"], [], [ofNoHub]];
  const rename = (title: string) => db.bundle.update({ where: { id: bundle.id }, data: { title } });
  expect(await staleAfter(() => rename("Renamed"))).toEqual(inFirst);
  const item = { bundle_id: bundle.id, variant_id: elsewhere.variant.id };
  expect(await staleAfter(() => db.bundle_item.create({ data: item }))).toEqual(inFirst);
  expect(await staleAfter(() => db.bundle_item.updateMany({ where: item, data: { quantity: 2 } }))).toEqual(inFirst);
  expect(await staleAfter(() => db.bundle_item.deleteMany({ where: item }))).toEqual(inFirst);
  const offers = { bundle_id: bundle.id };
  // From the first hub to the second, in one statement.
  expect(await staleAfter(() => db.bundle_hub.updateMany({ where: offers, data: { hub_id: hubs[1]!.id } }))).toEqual([
    ["bundles"],
    ["bundles"],
    [ofNoHub],
  ]);
  expect(await staleAfter(() => db.bundle_hub.deleteMany({ where: offers }))).toEqual([[], ["bundles"], [ofNoHub]]);
  expect(await staleAfter(() => rename("Of no hub"))).toEqual([[], [], [ofNoHub]]);
  expect(await staleAfter(() => db.bundle.delete({ where: { id: packed.id } }))).toEqual([[], ["bundles"], [ofNoHub]]);

  const change = (data: Parameters<typeof db.hub.update>[0]["data"], of = third) =>
    staleAfter(() => db.hub.update({ where: { id: of.id }, data }));
  expect(await change({ delivery_fee_cents: 1, description: "By the river.", boundaries: [] })).toEqual([
    [],
    [],
    [ofNoHub],
  ]);
  expect(await change({ boundaries: ["POLYGON((0 0, 1 0, 1 1, 0 0))"] }, hubs[0])).toEqual([keys, [], [ofNoHub]]);
  const everything = [keys, keys, [ofNoHub]];
  expect(await change({ name: "Renamed" })).toEqual(everything);
  const names = async () => (await guests[0]!.get(`/products/${elsewhere.id}`)).body.availableMarkets;
  expect(await change({ is_published: false })).toEqual(everything);
  expect(await names()).toEqual([]);
  expect(await change({ is_published: true })).toEqual(everything);
  expect(JSON.stringify(await names())).toContain("Renamed");
});
