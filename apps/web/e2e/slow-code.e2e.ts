import { REQUEST_DEADLINE_MS } from "@marketday/domain/limits";

import { expect, type Page, test } from "./lib/fixtures.ts";
import { beNewCustomer } from "./lib/orders.ts";
import { appIsUp, beGuest, putInCart } from "./lib/shopper.ts";

/** Holds the requests for a file until it is released. */
async function hold(page: Page, file: RegExp) {
  const gate = Promise.withResolvers<void>();
  const held = { requests: 0, release: gate.resolve };
  await page.route(file, async (route) => {
    held.requests += 1;
    await gate.promise;
    await route.continue();
  });
  return held;
}

/** Nothing but what is opened is fetched. */
const preventPrefetch = (page: Page) => page.addInitScript(() => (window.requestIdleCallback = () => 0));

for (const motion of ["reduce", "no-preference"] as const)
  test(`a page whose code is on its way has a bar and a moved tab, for every reader (motion: ${motion})`, async ({
    page,
    market,
  }) => {
    await page.emulateMedia({ reducedMotion: motion });
    await page.setViewportSize({ width: 360, height: 780 });
    await beGuest(page, market);
    await preventPrefetch(page);
    await page.goto("/shop");
    const tab = page.getByRole("link", { name: "More", exact: true });
    await expect(tab).toBeVisible();
    const chunk = await hold(page, /\/assets\/more-page-[^/]*\.js/);
    await tab.click();
    const bar = page.getByRole("progressbar", { name: "Loading the page" });
    await expect(bar).toBeVisible();
    await expect(bar).toHaveCSS("height", "3px");
    expect(await bar.evaluate((element) => getComputedStyle(element, "::before").animationName !== "none")).toBe(
      motion === "no-preference",
    );
    await expect(tab).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("status").filter({ hasText: "Loading the page" })).toHaveCount(1);
    expect(chunk.requests).toBe(1);
    chunk.release();
    await expect(page.getByRole("heading", { level: 1, name: "More" })).toBeFocused();
    await expect(bar).toHaveCount(0);
  });

test("a page whose code is on its way is given up by Back", async ({ page, market }) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await beGuest(page, market);
  await preventPrefetch(page);
  await page.goto("/shop");
  await hold(page, /\/assets\/more-page-[^/]*\.js/);
  await page.getByRole("link", { name: "More", exact: true }).click();
  const bar = page.getByRole("progressbar", { name: "Loading the page" });
  await expect(bar).toBeVisible();
  await page.goBack();
  await expect(bar).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Shop", exact: true })).toHaveAttribute("aria-current", "page");
});

test("a tab whose session polling failed to load once still follows a logout in another tab", async ({
  page,
  market,
}) => {
  await beNewCustomer(page, market);
  let refused = 0;
  await page.route(/\/assets\/session-polling-[^/]*\.js/, (route) => {
    refused += 1;
    return refused === 1 ? route.abort() : route.continue();
  });
  const loaded = page.waitForResponse(/\/session-polling-[^/]*\.js/);
  await page.goto("/shop");
  await (await loaded).finished();
  expect(refused).toBe(2);

  const other = await page.context().newPage();
  await other.goto("/more");
  await other.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await other.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("dialog").getByRole("heading", { name: /online farmers market/ })).toBeVisible();
});

test("checkout: a frame that is late says that it takes long, with Retry and Back on one line", async ({
  page,
  market,
}) => {
  await beNewCustomer(page, market);
  await putInCart(page, market, [market.products[8]!]);
  await page.clock.install();
  await page.goto("/shop");
  const frame = await hold(page, /\/embed\/checkout$/);
  await page.getByRole("button", { name: "Checkout" }).click();
  await expect.poll(() => frame.requests).toBe(1);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Loading checkout…")).toBeVisible();
  await page.clock.fastForward(REQUEST_DEADLINE_MS);
  await expect(dialog.getByText("This is taking long.")).toBeVisible();
  const retry = await dialog.getByRole("button", { name: "Retry" }).boundingBox();
  const back = await dialog.getByRole("button", { name: "Back to the cart" }).boundingBox();
  expect(back!.y).toBe(retry!.y);
  frame.release();
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expect(page.frameLocator("iframe").getByRole("heading", { name: "Checkout" })).toBeVisible();
});

test("an overlay whose code is late says that it takes long, and Escape returns to its opener", async ({
  page,
  market,
}) => {
  await beGuest(page, market);
  await preventPrefetch(page);
  await page.clock.install();
  await page.goto("/vendors");
  const link = page.getByRole("main").getByRole("link", { name: "Hearth & Rye" }).first();
  await appIsUp(page);
  await hold(page, /\/assets\/vendor-panel-[^/]*\.js/);
  await link.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Loading content")).toBeAttached();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(link).toBeFocused();

  await link.click();
  await expect(dialog.getByText("Loading content")).toBeAttached();
  await page.clock.fastForward(REQUEST_DEADLINE_MS);
  await expect(dialog.getByText("This is taking long.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(link).toBeFocused();
});

test("an overlay whose prefetch failed opens with Retry and does not reload the page", async ({ page, market }) => {
  await beGuest(page, market);
  await preventPrefetch(page);
  await page.goto("/vendors");
  const link = page.getByRole("main").getByRole("link", { name: "Hearth & Rye" }).first();
  await appIsUp(page);
  let refused = 0;
  await page.route(/\/assets\/vendor-panel-[^/]*\.js/, (route) => {
    refused += 1;
    return route.abort();
  });
  await page.evaluate(() => ((window as { marked?: boolean }).marked = true));
  await link.hover();
  await expect.poll(() => refused).toBe(1);
  await link.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("This didn’t load.")).toBeVisible();
  expect(await page.evaluate(() => (window as { marked?: boolean }).marked)).toBe(true);
  await page.unroute(/\/assets\/vendor-panel-[^/]*\.js/);
  await dialog.getByRole("button", { name: "Retry" }).click();
  await expect(dialog.getByRole("heading", { name: "Hearth & Rye" })).toBeVisible();
});
