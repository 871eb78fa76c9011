import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { loadEnv } from "@marketday/server/env";
import type { Browser } from "@playwright/test";

import { startBrowser } from "./lib/browser.ts";
import { openDatabase } from "./lib/database.ts";
import { type DemoShopper, ensureDemo } from "./lib/demo.ts";
import { Lifetime } from "./lib/lifetime.ts";
import { ask, openOrderOf, reach, screensOf, type Shown } from "./lib/screens/index.ts";
import { buildWeb } from "./lib/web-build.ts";

/** `pnpm look [screen …]`: a picture of every screen, or of those named, at four widths, light and dark, into `var/looks`. */
const sizes = [
  { width: 360, height: 780, touch: true },
  { width: 768, height: 1024, touch: true },
  { width: 1280, height: 860, touch: false },
  { width: 1600, height: 1000, touch: false },
] as const;
const schemes = ["light", "dark"] as const;

/** What the screens show, found through the API: the first market, a product it has, an open order of the first demo shopper. */
async function explore(
  browser: Browser,
  address: string,
  shopper: DemoShopper | undefined,
  specialHubId: number,
): Promise<Shown> {
  const context = await browser.newContext();
  try {
    const hubs = await ask<{ id: number }[]>(context, address, "GET", "/hubs");
    // The special one has no bundles to look at.
    const hub = hubs.find(({ id }) => id !== specialHubId);
    if (!hub) throw new Error("There is no market to look at: start once with DEMO=auto.");
    await ask(context, address, "POST", `/auth/guest?hubId=${hub.id}`);
    const customer = shopper ?? null;
    if (customer)
      await ask(context, address, "POST", "/auth/login", { username: customer.email, password: customer.password });
    const [collection] = await ask<{ id: number; slug: string }[]>(context, address, "GET", "/collections");
    if (!collection) throw new Error("The market has no collection to look at.");
    type Product = { id: number; slug: string; variants: { id: number; inventory: number }[] };
    const { payload } = await ask<{ payload: Product[] }>(
      context,
      address,
      "GET",
      `/collections/${collection.id}/products`,
    );
    const product = payload.find(({ variants }) => variants.some(({ inventory }) => inventory > 0));
    const variant = product?.variants.find(({ inventory }) => inventory > 0);
    if (!product || !variant) throw new Error("The market has no product to look at.");
    const [bundle] = await ask<{ slug: string }[]>(context, address, "GET", "/bundles");
    const line = { productId: product.id, variantId: variant.id };
    return {
      address,
      hubId: hub.id,
      collection: collection.slug,
      bundle: bundle?.slug ?? null,
      product: product.slug,
      line,
      customer,
      orderId: customer && (await openOrderOf(context, address, line)),
    };
  } finally {
    await context.close();
  }
}

/** Runs in the page: settles when every picture in sight has come, or will not. */
const PICTURES_ARE_THERE = `Promise.all([...document.images].map((image) => {
  const { top, bottom, width } = image.getBoundingClientRect();
  if (image.complete || width === 0 || bottom < 0 || top > innerHeight) return null;
  return new Promise((done) => {
    image.addEventListener("load", done);
    image.addEventListener("error", done);
  });
})).then(() => null)`;

const wanted = new Set(process.argv.slice(2));
const isWanted = ({ name }: { name: string }) => wanted.size === 0 || wanted.has(name);

const life = new Lifetime();
try {
  const env = loadEnv();
  const database = await life.hold(openDatabase(env, { log: console.log }), ({ close }) => close());
  const shoppers = await ensureDemo(env, database.url, new Date());
  await buildWeb(console.log);
  const { startServer } = await import("@marketday/server/main");
  const quiet = { ...env, port: 0, host: "127.0.0.1", publicUrl: null, rateLimits: false, logLevel: "error" as const };
  const { address } = await life.hold(startServer(quiet, { databaseUrl: database.url }), ({ close }) => close());
  const browser = await life.hold(startBrowser(), (started) => started.close());
  const market = await explore(browser, address, shoppers?.[0], env.specialHubId);
  const screens = screensOf(market);
  for (const name of wanted)
    if (!screens.some((screen) => screen.name === name))
      throw new Error(`No screen is called ${name}; there are ${screens.map((screen) => screen.name).join(", ")}.`);
  const folder = join(env.dataDir, "looks");
  if (wanted.size === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { width, height, touch } of sizes) {
    for (const scheme of schemes) {
      for (const screen of screens.filter(isWanted)) {
        const context = await browser.newContext({
          viewport: { width, height },
          hasTouch: touch,
          colorScheme: scheme,
          reducedMotion: "reduce",
        });
        const page = await context.newPage();
        await reach(context, page, screen, market);
        // Not waitForFunction: its second look needs eval, which our own policy forbids.
        await page.evaluate(PICTURES_ARE_THERE);
        await page.screenshot({ path: join(folder, `${screen.name}-${width}-${scheme}.png`) });
        await context.close();
      }
    }
    console.log(`${width} px done`);
  }
  console.log(`Pictures are in ${folder}.`);
  await life.end(0);
} catch (error) {
  console.error(error);
  await life.end(1);
}
