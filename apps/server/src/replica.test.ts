import { isDeepStrictEqual } from "node:util";

import { execute, notify, queryOne, sql } from "@marketday/db";
import { migrate } from "@marketday/db/migrate";
import { startStreaming } from "@marketday/db/testing";
import { afterAll, expect, test } from "vitest";

import { buildTestApp } from "../test/app.ts";
import { createBundle, createHub, createProduct, createVendor } from "../test/factories.ts";
import { behindProxy } from "../test/proxy.ts";
import type { Shopper } from "../test/shopper.ts";
import { guestOf } from "../test/sign-in.ts";

const pair = await startStreaming(async (url) => void (await migrate({ url })));
const { proxy, url: listenUrl } = await behindProxy(pair.primaryUrl);
const market = await buildTestApp({
  url: pair.primaryUrl,
  listenUrl,
  env: { DATABASE_URL: pair.primaryUrl, REPLICA_DATABASE_URL: pair.replicaUrl },
});
const { db, deps } = market;
/** The same market without a replica. */
const plain = await buildTestApp({
  url: pair.primaryUrl,
  env: { SESSION_SECRET: deps.env.sessionSecrets.join(","), PASSWORD_PEPPER: deps.env.pepper },
});
afterAll(async () => {
  await market.close();
  await plain.close();
  await pair.stop();
});

const hub = await createHub(db);
const vendor = await createVendor(db);
const product = await createProduct(db, hub.id, { vendorId: vendor.id, inventory: 40 });
const bundle = await createBundle(db, [hub.id], { items: [{ product }] });

const readerIsReplica = async () =>
  (await queryOne<{ is: boolean }>(deps.readDb, sql`select pg_is_in_recovery() as is`))?.is;

const pages = [
  "/feed",
  "/banners/",
  "/bundles",
  `/bundles/${bundle.id}`,
  "/collections",
  "/vendors",
  `/vendors/${vendor.id}`,
  `/vendors/${vendor.id}/products`,
  `/vendors/${vendor.id}/posts`,
  `/products/${product.id}`,
  `/products/${product.id}/suggestions`,
  `/search/new/query/${encodeURIComponent(product.title)}`,
  `/search/new/auto-complete/${encodeURIComponent(product.title.slice(0, 4))}`,
  "/faq",
  "/blog-posts",
  "/cart",
];

const setPrice = async (cents: number) => {
  await execute(db, sql`update offer set price_cents = ${cents}::int where variant_id = ${product.variant.id}::int`);
  await Promise.all([market.waitForNotifications(), plain.waitForNotifications()]);
};

/** Every page shows what it shows without a replica; for 250 ms after a load both may show what was loaded. */
async function expectSame(browser: Shopper): Promise<void> {
  const other = plain.shopper();
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  for (const page of pages) {
    expect((await browser.get(page)).status, page).toBe(200);
    const read = async () => ({ ours: (await browser.get(page)).body, theirs: (await other.get(page)).body });
    await expect
      .poll(
        async () => {
          const { ours, theirs } = await read();
          return isDeepStrictEqual(ours, theirs);
        },
        { message: page },
      )
      .toBe(true);
  }
}

const shownPrice = async (browser: Shopper) =>
  (await browser.get<{ variants: { price: number }[] }>(`/products/${product.id}`)).body.variants[0]!.price;

test("replica that lags: it still answers after changes of orders, days and staff, and no longer after one of a price", async () => {
  await market.waitForNotifications();
  await expect.poll(readerIsReplica).toBe(true);
  await pair.setReplaying(false);
  const change = JSON.stringify({ hubId: hub.id, deliveryId: hub.deliveries[0]!.id });
  await notify(db, "orders", change);
  await notify(db, "day", change);
  await notify(db, "staff", "1");
  await market.waitForNotifications();
  expect(await readerIsReplica()).toBe(true);
  await setPrice(666);
  expect(await readerIsReplica()).toBe(false);
  await pair.setReplaying(true);
});

test("pages: with a replica that replays, lags or is down they show what the primary has", async () => {
  const browser = await guestOf(market, hub.id);
  await browser.put("/cart", [{ productId: product.id, variantId: product.variant.id, quantity: 2 }]);
  await market.waitForNotifications();
  await expect.poll(readerIsReplica).toBe(true);
  await expectSame(browser);

  await pair.setReplaying(false);
  await setPrice(777);
  await expect.poll(() => shownPrice(browser)).toBe(7.77);
  await expectSame(browser);
  await pair.setReplaying(true);
  await expect.poll(readerIsReplica).toBe(true);
  await setPrice(888);
  await expect.poll(() => shownPrice(browser)).toBe(8.88);
  await expectSame(browser);

  // Without notifications it is unknown whether the replica has replayed enough.
  proxy.cut();
  await expect.poll(readerIsReplica).toBe(false);
  await expectSame(browser);
  proxy.mode = "pass";
  await expect.poll(readerIsReplica).toBe(true);

  await pair.stopReplica();
  await setPrice(999);
  await expect.poll(() => shownPrice(browser)).toBe(9.99);
  deps.cache.clear();
  await expectSame(browser);
});
