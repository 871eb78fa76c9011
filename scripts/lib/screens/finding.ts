import type { Page } from "@playwright/test";

import { inTurn, press, pressFirst, type Screen, see, type Shown } from "./screen.ts";

/** Types a term with suggestions into the header's field of a desktop or the sheet of a phone. */
const searchFor =
  (term: string) =>
  async (page: Page): Promise<void> => {
    const button = page.getByRole("button", { name: "Search", exact: true });
    if (await button.isVisible()) await button.click();
    await page.getByRole("combobox").last().fill(term);
    // The first option links to all results and is shown before the suggestions.
    await page.getByRole("option").nth(1).waitFor();
  };
/** Waits for the title of the panel. */
const seeTitle = (page: Page) => page.getByRole("dialog").getByRole("heading", { level: 2 }).waitFor();
const openTab = (name: string) => (page: Page) => page.getByRole("dialog").getByRole("tab", { name }).click();

/** Waits for the sixth tile: a shop with fewer shows little of the screen. */
const seeFullShop = (page: Page) =>
  page.getByRole("region", { name: "Picked for this week" }).getByRole("article").nth(5).waitFor();

/** Search, products, collections, vendors and hubs. */
export const findingScreens = ({ product, collection, bundle, hubId }: Shown): Screen[] => [
  { name: "shop", as: "guest", path: "/shop", cart: true, run: seeFullShop },
  {
    name: "collection",
    as: "guest",
    path: `/collections/${collection}`,
    run: (page) => page.getByRole("dialog").getByRole("article").first().waitFor(),
  },
  { name: "product", as: "guest", path: `/product/${product}` },
  {
    name: "market",
    as: "guest",
    path: "/shop",
    run: inTurn(press(/^Your market/), (page) => page.getByRole("button", { name: "Done" }).waitFor()),
  },
  { name: "markets", as: "none", path: "/hubs", run: see(/ market$/) },
  {
    name: "market-details",
    as: "guest",
    path: `/hubs/${hubId}`,
    run: async (page) => {
      // Content below the fold is rendered when it is near the viewport.
      const heading = page.getByRole("heading", { name: "Where it delivers" });
      await heading.scrollIntoViewIfNeeded();
      await page.getByRole("button", { name: "Zoom in" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "shop-here",
    as: "guest",
    path: "/hubs",
    run: inTurn(
      (page) =>
        page
          .getByRole("article")
          .filter({ hasNotText: "Your market" })
          .first()
          .getByRole("button", { name: /^Shop Here/ })
          .click(),
      see(/^Register to shop/),
    ),
  },
  { name: "collections", as: "guest", path: "/collections" },
  {
    name: "badge",
    as: "guest",
    path: `/product/${product}`,
    run: inTurn(press(/^(Local First|Regional Specialty|Beyond Local)$/), see("Local First")),
  },
  {
    name: "photos",
    as: "guest",
    path: `/product/${product}`,
    run: inTurn(press("See larger"), (page) => page.getByRole("button", { name: "Zoom in" }).waitFor()),
  },
  { name: "vendors", as: "guest", path: "/vendors" },
  { name: "vendor", as: "guest", path: "/vendors", run: inTurn(pressFirst, see("The Latest")) },
  {
    name: "vendor-shelf",
    as: "guest",
    path: "/vendors",
    run: inTurn(
      pressFirst,
      (page) => page.getByRole("link", { name: /^Shop all/ }).click(),
      async (page) => {
        const shelf = page.getByRole("dialog").nth(1);
        await shelf.getByRole("heading", { level: 2 }).waitFor();
        await shelf.getByRole("article").first().waitFor();
      },
    ),
  },
  {
    name: "endorse",
    as: "customer",
    path: "/vendors",
    run: inTurn(pressFirst, press("Endorse"), see(/^Endorse /)),
  },
  { name: "bundles", as: "guest", path: "/bundles" },
  ...(bundle === null ? [] : [{ name: "bundle", as: "customer" as const, path: `/bundles/${bundle}`, run: seeTitle }]),
  { name: "search", as: "guest", path: "/shop", run: searchFor("tom") },
  { name: "search-results", as: "guest", path: "/search?q=tomatoes", run: see(/^Found /) },
  { name: "search-vendors", as: "guest", path: "/search?q=farm&in=vendors", run: see(/^Found /) },
  { name: "search-nothing", as: "guest", path: "/search?q=unicorns", run: see(/^Found 0 /) },
  { name: "quick-shop", as: "customer", path: "/favorites", run: see("Quick Shop") },
  { name: "quick-shop-guest", as: "guest", path: "/favorites", run: see("Quick Shop") },
  {
    name: "need-account",
    as: "guest",
    path: `/product/${product}`,
    run: inTurn(
      (page) =>
        page
          .getByRole("dialog")
          .getByRole("button", { name: /^Favorite / })
          .first()
          .click(),
      (page) => page.getByRole("button", { name: "Sign Up" }).waitFor(),
    ),
  },
  { name: "share", as: "guest", path: `/product/${product}`, run: inTurn(press("Share"), see(/^Share /)) },
  {
    name: "questions",
    as: "customer",
    path: `/product/${product}`,
    run: inTurn(openTab("Q&A"), press("Ask a question")),
  },
  {
    name: "reviews",
    as: "customer",
    path: `/product/${product}`,
    run: inTurn(
      (page) =>
        page
          .getByRole("dialog")
          .getByRole("tab", { name: /^Reviews/ })
          .click(),
      press("Write a review"),
    ),
  },
];
