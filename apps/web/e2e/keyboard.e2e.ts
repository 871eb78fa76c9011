import { FEED_NEW_ITEMS_MAX } from "@marketday/domain/limits";

import { expect, test } from "./lib/fixtures.ts";
import { beGuest, isCartChange, newProduct, plusOf, putInCart, tileOf, wordOfItsOwn } from "./lib/shopper.ts";

/** Presses Tab until an element has the focus; how often. */
async function tabsTo(page: import("./lib/fixtures.ts").Page, element: import("@playwright/test").Locator) {
  for (let presses = 0; presses <= 40; presses += 1) {
    if (await element.evaluate((node) => node === document.activeElement)) return presses;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Not reached with 40 presses of Tab: ${String(element)}`);
}

test(
  "keyboard: Checkout is at most 40 Tabs from a full shop, on a desktop and on a phone",
  { tag: "@spec:1-06" },
  async ({ page, shop }) => {
    const filler = wordOfItsOwn();
    for (let count = 0; count < FEED_NEW_ITEMS_MAX; count += 1)
      await shop.ask("product", { title: `Shelf ${filler} ${count}`, inventory: 9 });
    const fillers = page.getByRole("main").getByRole("article").filter({ hasText: filler });
    await beGuest(page, shop);
    await putInCart(page, shop, shop.products.slice(0, 1));
    await page.goto("/shop");
    await expect(fillers).toHaveCount(FEED_NEW_ITEMS_MAX);
    const skip = page.getByRole("link", { name: "Skip to your cart" });
    const presses = await tabsTo(page, skip);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("tab", { name: /^Cart/ })).toBeFocused();
    await expect(page).toHaveURL(/\/shop$/);
    const checkout = page.getByRole("complementary").getByRole("button", { name: "Checkout" });
    expect(presses + (await tabsTo(page, checkout))).toBeLessThanOrEqual(40);

    // Another tab of the panel gives way to the cart.
    await page.getByRole("tab", { name: "More" }).click();
    await skip.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("tab", { name: /^Cart/, selected: true })).toBeFocused();

    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await expect(fillers).toHaveCount(FEED_NEW_ITEMS_MAX);
    let total = await tabsTo(page, skip);
    await page.keyboard.press("Enter");
    await expect(page.locator("#tab-cart")).toBeFocused();
    await page.keyboard.press("Enter");
    const cart = page.getByRole("dialog");
    await expect(cart.getByRole("button", { name: "Checkout" })).toBeVisible();
    total += await tabsTo(page, cart.getByRole("button", { name: "Checkout" }));
    expect(total).toBeLessThanOrEqual(40);
  },
);

test("keyboard: after adding, removing, undoing and closing the focus stays at the product", async ({ page, shop }) => {
  const product = await shop.ask("product", { title: "Pepper Jelly", inventory: 9 });
  await beGuest(page, shop);
  await page.goto(`/product/${product.slug}`);
  const panel = page.getByRole("dialog");
  await panel.getByRole("button", { name: /^Add to Cart/ }).press("Enter");
  await expect(panel.getByText(/^In your cart/)).toBeVisible();
  await expect(panel.getByRole("button", { name: "Add one Pepper Jelly" })).toBeFocused();
  await panel.getByRole("button", { name: "Remove Pepper Jelly" }).press("Enter");
  await expect(panel.getByRole("button", { name: /^Add to Cart/ })).toBeVisible();
  await expect(panel.locator(":focus")).toHaveCount(1);

  const { title } = await newProduct(shop, "Undone Onions");
  await page.clock.install();
  await page.goto("/shop");
  const article = tileOf(page, title);
  await plusOf(article).press("Enter");
  await article.getByRole("button", { name: /^Remove / }).press("Enter");
  await expect(article.getByRole("button", { name: /^Add / })).toBeFocused();

  // In the cart: the way back takes the focus, then what is back, then what is left.
  const saved = page.waitForResponse(isCartChange);
  await article.getByRole("button", { name: /^Add / }).press("Enter");
  await saved;
  const side = page.getByRole("complementary");
  // The way back is there for five seconds of the page's clock.
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await side.getByRole("button", { name: /^Remove / }).press("Enter");
  await expect(side.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(side.getByRole("link", { name: title, exact: true })).toBeFocused();
  await side.getByRole("button", { name: /^Remove / }).press("Enter");
  await expect(side.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.clock.runFor(4_900);
  await expect(side.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.clock.runFor(200);
  await expect(side.getByRole("button", { name: "Undo" })).toHaveCount(0);
  await expect(side.getByRole("tab", { name: "Cart" })).toBeFocused();
});
