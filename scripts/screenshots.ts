import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { loadEnv } from "@marketday/server/env";
import type { Browser } from "@playwright/test";

import { startBrowser } from "./lib/browser.ts";
import { openDatabase } from "./lib/database.ts";
import { type DemoShopper, ensureDemo } from "./lib/demo.ts";
import { Lifetime } from "./lib/lifetime.ts";
import { callApi, openOrderOf, reach, screensOf, type Shown } from "./lib/screens/index.ts";
import { buildWeb } from "./lib/web-build.ts";

/** `pnpm screenshots [screen …]`: screenshots of all or the given screens at four widths, light and dark, in `var/screenshots`. */
const sizes = [
  { width: 360, height: 780, touch: true },
  { width: 768, height: 1024, touch: true },
  { width: 1280, height: 860, touch: false },
  { width: 1600, height: 1000, touch: false },
] as const;
const schemes = ["light", "dark"] as const;

/** Data for the screens, read through the API: the first hub, a product in stock, an open order of the first demo shopper. */
async function findScreenData(
  browser: Browser,
  address: string,
  shopper: DemoShopper | undefined,
  specialHubId: number,
): Promise<Shown> {
  const context = await browser.newContext();
  try {
    const hubs = await callApi<{ id: number }[]>(context, address, "GET", "/hubs");
    // The special hub has no bundles.
    const hub = hubs.find(({ id }) => id !== specialHubId);
    if (!hub) throw new Error("There is no hub: start once with DEMO=auto.");
    await callApi(context, address, "POST", `/auth/guest?hubId=${hub.id}`);
    const customer = shopper ?? null;
    if (customer)
      await callApi(context, address, "POST", "/auth/login", { username: customer.email, password: customer.password });
    const [collection] = await callApi<{ id: number; slug: string }[]>(context, address, "GET", "/collections");
    if (!collection) throw new Error("The market has no collection.");
    type Product = { id: number; slug: string; variants: { id: number; inventory: number }[] };
    const { payload } = await callApi<{ payload: Product[] }>(
      context,
      address,
      "GET",
      `/collections/${collection.id}/products`,
    );
    const product = payload.find(({ variants }) => variants.some(({ inventory }) => inventory > 0));
    const variant = product?.variants.find(({ inventory }) => inventory > 0);
    if (!product || !variant) throw new Error("The market has no product in stock.");
    const [bundle] = await callApi<{ slug: string }[]>(context, address, "GET", "/bundles");
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

/** Runs in the page: resolves when every visible image has loaded or failed. */
const WAIT_FOR_IMAGES = `Promise.all([...document.images].map((image) => {
  const { top, bottom, width } = image.getBoundingClientRect();
  if (image.complete || width === 0 || bottom < 0 || top > innerHeight) return null;
  return new Promise((done) => {
    image.addEventListener("load", done);
    image.addEventListener("error", done);
  });
})).then(() => null)`;

const requested = new Set(process.argv.slice(2));
const isRequested = ({ name }: { name: string }) => requested.size === 0 || requested.has(name);

const life = new Lifetime();
try {
  const env = loadEnv();
  const database = await life.hold(openDatabase(env, { log: console.log }), ({ close }) => close());
  const shoppers = await ensureDemo(env, database.url, new Date());
  await buildWeb(console.log);
  const { startServer } = await import("@marketday/server/main");
  const quietEnv = {
    ...env,
    port: 0,
    host: "127.0.0.1",
    publicUrl: null,
    rateLimits: false,
    logLevel: "error" as const,
  };
  const { address } = await life.hold(startServer(quietEnv, { databaseUrl: database.url }), ({ close }) => close());
  const browser = await life.hold(startBrowser(), (started) => started.close());
  const market = await findScreenData(browser, address, shoppers?.[0], env.specialHubId);
  const screens = screensOf(market);
  for (const name of requested)
    if (!screens.some((screen) => screen.name === name))
      throw new Error(`There is no screen ${name}. Screens: ${screens.map((screen) => screen.name).join(", ")}.`);
  const folder = join(env.dataDir, "screenshots");
  if (requested.size === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { width, height, touch } of sizes) {
    for (const scheme of schemes) {
      for (const screen of screens.filter(isRequested)) {
        const context = await browser.newContext({
          viewport: { width, height },
          hasTouch: touch,
          colorScheme: scheme,
          reducedMotion: "reduce",
        });
        const page = await context.newPage();
        await reach(context, page, screen, market);
        // Parts below the first ones are loaded and rendered too.
        await page.waitForLoadState("networkidle");
        // Not waitForFunction: it needs eval, which our content security policy forbids.
        await page.evaluate(WAIT_FOR_IMAGES);
        await page.screenshot({ path: join(folder, `${screen.name}-${width}-${scheme}.png`) });
        await context.close();
      }
    }
    console.log(`${width} px done`);
  }
  console.log(`Screenshots are in ${folder}.`);
  await life.end(0);
} catch (error) {
  console.error(error);
  await life.end(1);
}
