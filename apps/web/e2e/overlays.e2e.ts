import type { Locator } from "@playwright/test";

import { expect, type Page, type TestMarket, test } from "./lib/fixtures.ts";
import { beCustomer, beGuest, nameOfItsOwn } from "./lib/shopper.ts";

/** A layer and the way to it: a page, what is pressed there, and the heading it has. */
interface Way {
  page: string;
  opener: (page: Page) => Locator;
  heading: string | RegExp;
  /** How many layers there are once it is open. */
  layers?: number;
}

const overlayStackOf = (page: Page) => page.getByRole("dialog");
const top = (page: Page) => overlayStackOf(page).last();
const hasFocusInside = (page: Page) =>
  top(page).evaluate((dialog) => dialog.contains(document.activeElement) || dialog === document.activeElement);

async function expectOpen(page: Page, { heading, layers = 1 }: Way) {
  await expect(overlayStackOf(page)).toHaveCount(layers);
  await expect(top(page).getByRole("heading", { name: heading, exact: true }).first()).toBeVisible();
  await expect.poll(() => hasFocusInside(page)).toBe(true);
}

/** Focus in, Back and Esc one layer each, focus back, kept by a reload: what every layer owes. */
async function expectLayer(page: Page, way: Way) {
  const { opener, layers = 1 } = way;
  // The layer before on this page was closed.
  if (new URL(page.url()).pathname !== way.page) await page.goto(way.page);
  const one = opener(page);
  const below = layers - 1;
  await one.click();
  await expectOpen(page, way);
  const address = page.url();
  await page.goBack();
  await expect(overlayStackOf(page)).toHaveCount(below);
  await expect(one).toBeFocused();

  await one.press("Enter");
  await expectOpen(page, way);
  await page.keyboard.press("Escape");
  await expect(overlayStackOf(page)).toHaveCount(below);
  await expect(one).toBeFocused();

  await page.goForward();
  await expectOpen(page, way);
  await page.reload();
  await expectOpen(page, way);
  expect(page.url()).toBe(address);
  await page.goBack();
  await expect(overlayStackOf(page)).toHaveCount(below);
  return address;
}

async function sceneOf(market: TestMarket) {
  const name = nameOfItsOwn("Layered Stall");
  const { slug } = await market.ask("vendor", { name, products: 2 });
  const [first, second] = market.products;
  const bundle = nameOfItsOwn("Layered bundle");
  await market.ask("bundle", {
    title: bundle,
    slug: bundle.toLowerCase().replaceAll(" ", "-"),
    discountPpm: 100_000,
    items: [{ variantId: first!.variantId }, { variantId: second!.variantId }],
  });
  return { vendor: { name, slug }, product: first!, bundle };
}

test("an overlay with an address opens over the shop by its address, and over the page by a link", async ({
  page,
  market,
}) => {
  const { vendor, product, bundle } = await sceneOf(market);
  await beGuest(page, market);
  const ways: Way[] = [
    {
      page: `/collections/${market.collection.slug}`,
      opener: () => top(page).getByRole("link", { name: product.title, exact: true }).first(),
      heading: product.title,
      layers: 2,
    },
    {
      page: "/shop",
      opener: () => page.getByRole("navigation", { name: "Collections" }).getByRole("link", { name: /^Produce/ }),
      heading: market.collection.title,
    },
    {
      page: "/vendors",
      opener: () => page.getByRole("main").getByRole("link", { name: vendor.name, exact: true }),
      heading: vendor.name,
    },
    {
      page: `/vendors/${vendor.slug}`,
      opener: () => page.getByRole("link", { name: /^Shop all/ }),
      heading: vendor.name,
      layers: 2,
    },
    {
      page: "/bundles",
      opener: () => page.getByRole("main").getByRole("link", { name: bundle, exact: true }),
      heading: bundle,
    },
  ];
  for (const way of ways) {
    const address = await test.step(`${way.page} → ${way.heading}`, () => expectLayer(page, way));
    // In a tab that knows nothing: over the shop, and Back leads out of the market.
    const cold = await page.context().newPage();
    await cold.goto(address);
    await expectOpen(cold, { ...way, layers: 1 });
    await cold.keyboard.press("Escape");
    await expect(overlayStackOf(cold)).toHaveCount(0);
    await expect(cold).toHaveURL(/\/shop$/);
    await cold.close();
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });

  test("an overlay without an address opens over the page and stays there", async ({ page, market }) => {
    const { product, vendor } = await sceneOf(market);
    await beGuest(page, market);
    await page.addInitScript(() => Object.defineProperty(navigator, "share", { value: undefined }));
    const inPanel = (name: string | RegExp) => () =>
      overlayStackOf(page).first().getByRole("button", { name, exact: true }).first();
    const onProduct = { page: `/product/${product.slug}`, layers: 2 };
    const ways: Way[] = [
      { page: "/shop", opener: () => page.getByRole("button", { name: /^Your market/ }), heading: market.hub.name },
      { page: "/shop", opener: () => page.getByRole("button", { name: "Search", exact: true }), heading: "Search" },
      {
        page: "/shop",
        opener: () => page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: /^Cart/ }),
        heading: "Your cart",
      },
      {
        page: "/hubs",
        opener: () => page.getByRole("button", { name: `Shop Here at ${market.farHub.name}`, exact: true }),
        heading: /^Register to shop/,
      },
      { ...onProduct, opener: inPanel(`Share ${product.title}`), heading: `Share ${product.title}` },
      { ...onProduct, opener: inPanel("Local First"), heading: "Local First" },
      { ...onProduct, opener: inPanel("See larger"), heading: /^Pictures of / },
      { ...onProduct, opener: inPanel(/^Favorite /), heading: "Favorites requires the creation of an account." },
    ];
    for (const way of ways) await test.step(`${way.page} → ${way.heading}`, () => expectLayer(page, way));

    await page.goto("about:blank");
    await beCustomer(page, market, { ...market.customer, ...(await market.ask("customer", {})) });
    await expectLayer(page, {
      page: `/vendors/${vendor.slug}`,
      opener: inPanel("Endorse"),
      heading: `Endorse ${vendor.name}`,
      layers: 2,
    });
  });
});
