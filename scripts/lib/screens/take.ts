import type { Browser, BrowserContextOptions, Page } from "@playwright/test";

import type { DemoShopper } from "../demo.ts";
import { callApi, openOrderOf, reach, type Screen, type Shown } from "./index.ts";

/** Data for the screens of the shop, read through the API: the first hub, a product in stock, an open order of the first demo shopper. */
export async function findScreenData(
  browser: Browser,
  address: string,
  shopper: DemoShopper | undefined,
  specialHubId: number,
): Promise<Omit<Shown, "staff">> {
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

/** ms. Ends what hangs; a busy machine takes long. */
const TIMEOUT_MS = 300_000;
/** ms without a request that begins or is answered. */
const QUIET_MS = 15_000;

/**
 * Waits until everything is loaded. A page with a frame sometimes becomes idle for Playwright only with its next request, the poll
 * for a new version minutes later: a time without any request is enough.
 */
async function waitForLoad(page: Page): Promise<void> {
  const quiet = Promise.withResolvers<void>();
  const timer = setTimeout(quiet.resolve, QUIET_MS);
  const restart = () => void timer.refresh();
  page.on("request", restart);
  page.on("response", restart);
  try {
    await Promise.race([page.waitForLoadState("networkidle"), quiet.promise]);
  } finally {
    page.off("request", restart);
    page.off("response", restart);
    clearTimeout(timer);
  }
}

/** A picture of a screen as a shopper sees it when everything on it has loaded. PNG. */
export async function takeScreenshot(
  browser: Browser,
  screen: Screen,
  market: Shown,
  options: BrowserContextOptions,
): Promise<Buffer> {
  const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
  context.setDefaultTimeout(TIMEOUT_MS);
  try {
    const page = await context.newPage();
    await reach(context, page, screen, market);
    // Parts below the first ones are loaded and rendered too.
    await waitForLoad(page);
    // Not waitForFunction: it needs eval, which our content security policy forbids.
    await page.evaluate(WAIT_FOR_IMAGES);
    return await page.screenshot();
  } finally {
    await context.close();
  }
}
