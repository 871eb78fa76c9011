import type { Page } from "@playwright/test";

import { expect, test, type TestMarket } from "./lib/fixtures.ts";
import { beNewCustomer, placeByApi } from "./lib/orders.ts";
import { beGuest, nameOfItsOwn, putInCart } from "./lib/shopper.ts";

/** The titles and quantities of this browser's cart. */
const linesOf = async (page: Page, { address }: TestMarket) => {
  const answer = await page.request.get(`${address}/api/cart`);
  const { items } = (await answer.json()) as { items: { product: { title: string }; quantity: number }[] };
  return items.map(({ product: { title }, quantity }) => [title, quantity]);
};

/** The offers that this tab keeps. */
const keptOffers = (page: Page) => page.evaluate(() => sessionStorage.getItem("marketday:cart-left-over"));

/**
 * The market cannot be reached for changes of the cart until `end`, through reloads. In the page itself: a request that outlives its
 * page is in no browser's routes.
 */
async function losePuts(page: Page) {
  const FLAG = "test:loses-puts";
  await page.addInitScript((flag) => {
    const send = window.fetch;
    window.fetch = (input, init) =>
      localStorage.getItem(flag) && init?.method === "PUT"
        ? Promise.reject(new TypeError("Failed to fetch"))
        : send(input, init);
  }, FLAG);
  await page.evaluate((flag) => localStorage.setItem(flag, "1"), FLAG);
  await page.reload();
  return { end: () => page.evaluate((flag) => localStorage.removeItem(flag), FLAG) };
}

test("cart: what was added while nothing could be saved is there after a reload, and is saved later", async ({
  page,
  market,
}) => {
  const product = await market.ask("product", { title: nameOfItsOwn("Patient Parsley"), inventory: 9 });
  await beGuest(page, market);
  await page.goto(`/product/${product.slug}`);
  const { end } = await losePuts(page);
  const panel = page.getByRole("dialog");
  await panel.getByRole("button", { name: /^Add to Cart/ }).click();
  await panel.getByRole("button", { name: "Close" }).click();
  const side = page.getByRole("complementary", { name: "Shopping panel" });
  await expect(side.getByRole("link", { name: product.title, exact: true })).toBeVisible();
  await page.reload();
  await expect(side.getByRole("link", { name: product.title, exact: true })).toBeVisible();
  expect(await linesOf(page, market)).toEqual([]);
  await end();
  await expect.poll(() => linesOf(page, market)).toEqual([[product.title, 1]]);
});

/** A customer whose cart was ordered on another device while their tab had a tap that was not saved. The tab is opened again. */
async function leaveOver(page: Page, market: TestMarket) {
  const eggs = await market.ask("product", { title: nameOfItsOwn("Ordered Eggs"), inventory: 9 });
  const late = await market.ask("product", { title: nameOfItsOwn("Late Leeks"), inventory: 9 });
  await beNewCustomer(page, market);
  await putInCart(page, market, [eggs]);
  await page.goto(`/product/${late.slug}`);
  const { end } = await losePuts(page);
  const panel = page.getByRole("dialog");
  await panel.getByRole("button", { name: /^Add to Cart/ }).click();
  await panel.getByRole("button", { name: "Close" }).click();
  const side = page.getByRole("complementary", { name: "Shopping panel" });
  const line = side.getByRole("link", { name: late.title, exact: true });
  await expect(line).toBeVisible();
  // The page is gone while the order is placed.
  await page.goto("about:blank");
  await placeByApi(page, market, [eggs]);
  await page.goto("/shop");
  await expect(line).toBeVisible();
  await end();
  const offer = page
    .locator("div")
    .filter({ has: page.getByRole("button", { name: "Add", exact: true }) })
    .getByText(`Not saved: ${late.title}. Your last cart was ordered.`);
  return { late, line, offer };
}

test("cart: what was added before the cart was ordered elsewhere is offered after each reload until it is added", async ({
  page,
  market,
}) => {
  const { late, line, offer } = await leaveOver(page, market);
  await expect(offer).toBeVisible();
  await expect(line).toHaveCount(0);
  await page.reload();
  await expect(offer).toBeVisible();
  await expect(line).toHaveCount(0);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect.poll(() => linesOf(page, market)).toEqual([[late.title, 1]]);
  expect(await keptOffers(page)).toBeNull();
});

test("cart: an offer of what was left over that is closed is not made again", async ({ page, market }) => {
  const { offer } = await leaveOver(page, market);
  await expect(offer).toBeVisible();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect(offer).toBeHidden();
  expect(await keptOffers(page)).toBeNull();
  expect(await linesOf(page, market)).toEqual([]);
});

for (const [why, end] of [
  ["a product that is sold out", (market, { variantId }) => market.ask("stock", { variantId, inventory: 0 })],
  ["a delivery that has closed", (market) => market.ask("cutoffIn", { hubId: market.hub.id, seconds: -1 })],
] as [string, (market: TestMarket, late: { variantId: number }) => Promise<unknown>][])
  test(`cart: the offer of what was left over ends with ${why}`, async ({ page, shop }) => {
    const { late, line, offer } = await leaveOver(page, shop);
    await expect(offer).toBeVisible();
    await end(shop, late);
    await page.reload();
    await expect.poll(() => keptOffers(page)).toBeNull();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(offer).toBeHidden();
    await expect(line).toHaveCount(0);
  });
