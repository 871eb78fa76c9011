import type { Locator, Route } from "@playwright/test";

import { expect, type Page, type TestMarket, test } from "./lib/fixtures.ts";
import { appIsUp, beCustomer, beGuest, nameOfItsOwn } from "./lib/shopper.ts";

/** Older than any list on screen may be before it is read again. */
const OLD = "01:01:00";
/** Old, and not yet evicted, while unobserved. */
const OLD_UNSEEN = "06:00";

const fail = (route: Route) => route.fulfill({ status: 503, json: ["Something went wrong.", { code: "internal" }] });
const hadAt = /^Showing what we had at \d{1,2}:\d\d/;

/** What was there stays, with when it is from and Retry; what Retry brings is not old. */
async function expectKept(place: Page | Locator, row: Locator, mend: () => Promise<unknown>) {
  await expect(place.getByText(hadAt)).toBeVisible();
  await expect(row).toBeVisible();
  await mend();
  await place.getByText(hadAt).locator("..").getByRole("button", { name: "Retry" }).click();
  await expect(place.getByText(hadAt)).toHaveCount(0);
  await expect(row).toBeVisible();
}

async function soup(market: TestMarket) {
  const title = nameOfItsOwn("Kept bundle");
  const [first, second] = market.products;
  await market.ask("bundle", {
    title,
    slug: title.toLowerCase().replaceAll(" ", "-"),
    discountPpm: 100_000,
    items: [{ variantId: first!.variantId }, { variantId: second!.variantId }],
  });
}

test("a page's list that fails to refetch stays, with Retry", async ({ page, shop }) => {
  await soup(shop);
  const { email } = await shop.ask("customer", {});
  await beCustomer(page, shop, { email, password: shop.customer.password });
  const origin = { origin: shop.address };
  await page.request.post(`${shop.address}/api/products/${shop.products[0]!.id}/favorite`, { headers: origin });
  await page.clock.install();
  const main = page.getByRole("main");
  const chips = page.getByRole("navigation", { name: "Collections" });
  for (const [address, calls] of [
    ["/shop", /\/api\/feed$/],
    ["/collections", /\/api\/collections$/],
    ["/vendors", /\/api\/vendors\?/],
    ["/bundles", /\/api\/bundles$/],
    ["/hubs", /\/api\/hubs$/],
    ["/favorites", /\/api\/favorites\/products/],
  ] as const)
    await test.step(address, async () => {
      // The server-rendered rows come first; the list itself has to be here before its calls fail.
      await page.goto(address, { waitUntil: "networkidle" });
      const row = main.getByRole("article").or(main.getByRole("listitem")).first();
      await expect(row).toBeVisible();
      await page.route(calls, fail);
      await page.clock.fastForward(OLD);
      await page.getByRole("contentinfo").getByRole("link", { name: "FAQ" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Frequently asked questions" })).toBeVisible();
      await page.goBack();
      await expect(main.getByText(hadAt)).toBeVisible();
      // The top nav is one of the lists: it stays as well.
      await expect(chips.getByRole("link", { name: /^Produce/ })).toBeVisible();
      await expectKept(main, row, () => page.unroute(calls));
    });
});

test("a vendor's lists, reviews and questions that fail to refetch stay, with Retry", async ({ page, shop }) => {
  await beGuest(page, shop);
  await page.clock.install();
  const product = shop.products[0]!;
  await shop.ask("rate", { productId: product.id, halves: [8, 9] });
  const { slug } = await shop.ask("vendor", { name: nameOfItsOwn("Kept Stall"), products: 2 });
  const panel = page.getByRole("dialog");

  await page.goto("/vendors");
  await appIsUp(page);
  await page.getByRole("main").locator(`a[href="/vendors/${slug}"]`).click();
  const tile = panel.getByRole("article").first();
  await expect(tile).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  const rail = /\/api\/vendors\/[^/]+\/products/;
  await page.route(rail, fail);
  await page.clock.fastForward(OLD_UNSEEN);
  await page.getByRole("main").locator(`a[href="/vendors/${slug}"]`).click();
  await expectKept(panel, tile, () => page.unroute(rail));

  await page.goto(`/product/${product.slug}`);
  const tab = (name: RegExp) => panel.getByRole("tab", { name, exact: true });
  await tab(/^Reviews/).click();
  const review = panel.getByRole("tabpanel").getByRole("listitem").first();
  await expect(review).toBeVisible();
  await tab(/^Q&A/).click();
  await expect(panel.getByRole("tabpanel").getByRole("button", { name: /^Ask/ })).toBeVisible();
  await expect(review).toHaveCount(0);
  const reviews = /\/api\/products\/[^/]+\/reviews/;
  await page.route(reviews, fail);
  await page.clock.fastForward(OLD_UNSEEN);
  await tab(/^Reviews/).click();
  await expectKept(panel.getByRole("tabpanel"), review, () => page.unroute(reviews));
});

test("the shop stays when the session fails to refetch", async ({ page, shop }) => {
  const { email } = await shop.ask("customer", {});
  const [thread] = await shop.ask("threads", { email, messages: [[{ sender: "U", message: "The peas are in." }]] });
  await beCustomer(page, shop, { email, password: shop.customer.password });
  await page.goto("/inbox");
  await page.route(/\/api\/auth$/, fail);
  // Reading a message changes how many are unread: the session is refetched, and once more a second later.
  let refused = 0;
  page.on("response", (answer) => {
    if (answer.url().endsWith("/api/auth") && answer.status() === 503) refused += 1;
  });
  await page.getByRole("main").locator(`a[href^="/inbox/${thread}"]`).click();
  await expect(page.getByRole("dialog").getByText("The peas are in.")).toBeVisible();
  await expect.poll(() => refused).toBe(2);
  await page.keyboard.press("Escape");
  await page.getByRole("banner").getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "From the stalls" })).toBeVisible();
  await expect(page.getByText("We couldn't reach the market.")).toHaveCount(0);
});
