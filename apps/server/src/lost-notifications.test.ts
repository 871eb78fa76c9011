import { execute, sql } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../test/app.ts";
import { testClock } from "../test/clock.ts";
import { createHub, createProduct } from "../test/factories.ts";
import { behindProxy } from "../test/proxy.ts";
import { guestOf, signIn } from "../test/sign-in.ts";

/** Monotonic time of the server, ms. It advances only below, so that no entry is reloaded because of its age. */
let elapsed = 0;

const plain = await buildTestApp();
const { proxy, url: listenUrl } = await behindProxy(plain.url);
const market = await buildTestApp({
  url: plain.url,
  listenUrl,
  overrides: { clock: { ...testClock(MONDAY), elapsed: () => elapsed } },
});

test(
  "cached price: changed while the connection for notifications is lost, the new one is shown",
  { tags: ["fail:M16"] },
  async () => {
    const hub = await createHub(market.db);
    const product = await createProduct(market.db, hub.id);
    const browser = await guestOf(market, hub.id);
    const shownPrice = async () =>
      (await browser.get<{ variants: { price: number }[] }>(`/products/${product.id}`)).body.variants[0]!.price;
    const setPrice = (cents: number) =>
      execute(
        plain.db,
        sql`update offer set price_cents = ${cents}::int where variant_id = ${product.variant.id}::int`,
      );
    await setPrice(500);
    await market.waitForNotifications();
    expect(await shownPrice()).toBe(5);
    const isCached = () => market.deps.cache.peek(hub.id, `product:${product.id}`) !== undefined;
    expect(isCached()).toBe(true);

    proxy.cut();
    await expect.poll(isCached).toBe(false);
    await setPrice(600);
    expect(await shownPrice()).toBe(6);

    // Received again: changes from before are known, and later ones are notified.
    proxy.mode = "pass";
    await setPrice(700);
    await expect.poll(shownPrice).toBe(7);
    await setPrice(800);
    await market.waitForNotifications();
    elapsed += 250;
    expect(await shownPrice()).toBe(8);
  },
);

test(
  "cached rating: a review is counted at once, before its notification arrives",
  { tags: ["spec:4-23"] },
  async () => {
    const hub = await createHub(market.db);
    const product = await createProduct(market.db, hub.id);
    const browser = await signIn(market, { hubId: hub.id });
    const ratings = async () =>
      (await browser.get<{ ratingCount: number }>(`/products/${product.id}`)).body.ratingCount;
    await market.waitForNotifications();
    expect(await ratings()).toBe(0);
    elapsed += 250;
    proxy.mode = "blackhole";
    const review = { comment: "Good.", rating: 3.5 };
    expect((await browser.post(`/products/${product.id}/reviews`, review)).status).toBe(200);
    expect(await ratings()).toBe(1);
    // What the proxy dropped is lost: the connection is opened again.
    proxy.cut();
    proxy.mode = "pass";
  },
);
