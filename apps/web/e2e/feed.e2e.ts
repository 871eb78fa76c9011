import type { Locator } from "@playwright/test";

import { expectAccessible } from "./lib/axe.ts";
import { expect, test } from "./lib/fixtures.ts";
import { beCustomer, beGuest, plusOf } from "./lib/shopper.ts";

test(
  "feed: each hub's is stored under a separate key in the tab's session storage",
  { tag: ["@spec:9-32"] },
  async ({ page, market }) => {
    const { hub, titles } = await market.ask("feed");
    const kept = (id: number) => page.evaluate((name) => sessionStorage.getItem(name) ?? "", `marketday:feed:${id}`);
    await beGuest(page, { address: market.address, hub });
    await page.goto("/shop");
    await expect.poll(() => kept(hub.id)).toContain(titles["new-item"]);
    expect(await kept(market.hub.id)).toBe("");
    await beGuest(page, market);
    await page.goto("/shop");
    await expect.poll(() => kept(market.hub.id)).not.toBe("");
    expect(await kept(market.hub.id)).not.toContain(titles["new-item"]);
    expect(await kept(hub.id)).toContain(titles["new-item"]);
  },
);

test.describe("the feed", () => {
  test(
    "each of the nine feed cards has its label; staff cards have a ribbon, vendors' posts a border, new posts appear",
    { tag: ["@spec:1-01", "@spec:2.4-63", "@spec:3-09", "@spec:3-10", "@spec:3-11", "@spec:3-12", "@spec:6-09"] },
    async ({ page, market }) => {
      const { hub, vendor, titles } = await market.ask("feed");
      await beGuest(page, { address: market.address, hub });
      await page.goto("/shop");
      const main = page.getByRole("main");
      const stalls = main.getByRole("region", { name: "From the stalls" });
      const cardOf = (words: string) => stalls.getByRole("article").filter({ hasText: words });

      for (const [type, ribbon] of [
        ["staff-trending", "Trending"],
        ["staff-pick", "Staff pick"],
        ["staff-flash-sale", "Flash sale"],
        ["staff-insane-weekly-deal", "Deal of the week"],
      ] as const) {
        const card = cardOf(`Words of a ${type}`);
        await expect(card.getByText(ribbon, { exact: true })).toBeVisible();
        await expect(card.getByRole("link", { name: titles[type], exact: true })).toBeVisible();
        await expect(card).toHaveCSS("border-top-width", "1px");
      }
      const post = cardOf("Words of a vendor-post");
      await expect(post).toHaveCSS("border-top-width", "2px");
      await expect(post.getByRole("heading", { name: vendor.name, exact: true })).toBeVisible();
      await expect(post.getByText(/just now|minutes? ago/)).toBeVisible();

      // Generated parts: a rail each where there are enough items, a card for the new vendor.
      for (const [rail, type] of [
        ["Deals of the week", "on-sale"],
        ["New this week", "new-item"],
        ["Back in season", "returning-item"],
      ] as const) {
        const region = main.getByRole("region", { name: rail, exact: true });
        await expect(region.getByRole("link", { name: new RegExp(`^${titles[type]} `) }).first()).toBeVisible();
      }
      await expect(cardOf("New stall").getByRole("heading", { name: titles["new-vendor"], exact: true })).toBeVisible();

      // Staff's picks are tiles too, with the same ribbon; a tile can be bought.
      const picked = main.getByRole("region", { name: "Picked for this week" });
      const tile = picked.getByRole("article").filter({ hasText: titles["staff-flash-sale"] });
      await expect(tile.getByText("Flash sale", { exact: true })).toBeVisible();
      await plusOf(tile).click();
      await expect(page.getByRole("complementary").getByRole("tab", { name: "Cart · 1" })).toBeVisible();
      await expectAccessible(page);

      // A vendor is a way into its stall, and nothing else: there is no place for it to sign in.
      await post.getByRole("heading", { name: vendor.name, exact: true }).getByRole("link").click();
      await expect(page.getByRole("dialog").getByRole("heading", { name: "The Latest" })).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`/vendors/${vendor.slug}$`));
      await expect(page.getByText(/vendor (login|sign in)/i)).toHaveCount(0);
    },
  );

  test(
    "banners: warnings first, three of four; one dismissed in the shop is dismissed in the cart",
    { tag: ["@spec:7.8-06", "@spec:3-16"] },
    async ({ page, market }) => {
      const hub = await market.ask("hub", { name: "Windy market", pickupPoints: 1 });
      for (const [type, title] of [
        ["other", "A band plays at noon"],
        ["information", "New stalls this week"],
        ["warning", "Snow on Thursday"],
        ["information", "Bring your jars"],
      ] as const)
        await market.ask("banner", { hubId: hub.id, type, title, action: "/vendors" });
      await beGuest(page, { address: market.address, hub });
      await page.goto("/shop");
      const banners = page.getByRole("region", { name: "From the market" });
      await expect(banners.locator("strong")).toHaveText([
        "Snow on Thursday",
        "New stalls this week",
        "Bring your jars",
      ]);
      // Beside them the cart does not say it again.
      const side = page.getByRole("complementary");
      await expect(side.getByText("Your cart is Empty")).toBeVisible();
      await expect(side.getByText("Snow on Thursday")).toHaveCount(0);
      await expect(banners.getByRole("button", { name: "Dismiss: Snow on Thursday" })).toHaveCount(0);
      await expectAccessible(page);

      await banners.getByRole("button", { name: "Dismiss: New stalls this week" }).click();
      await expect(banners.locator("strong")).toHaveText([
        "Snow on Thursday",
        "Bring your jars",
        "A band plays at noon",
      ]);
      await page.reload();
      await expect(banners.locator("strong")).toHaveText([
        "Snow on Thursday",
        "Bring your jars",
        "A band plays at noon",
      ]);
      await banners.getByRole("link", { name: "Find out more" }).first().click();
      await expect(page).toHaveURL(/\/vendors$/);
      await expect(side.locator("strong").filter({ hasText: /Snow|jars|band|stalls/ })).toHaveText([
        "Snow on Thursday",
        "Bring your jars",
        "A band plays at noon",
      ]);
    },
  );

  test("after a hub switch the feed of the old hub is gone", { tag: ["@spec:4-09"] }, async ({ page, market }) => {
    const { hub, titles } = await market.ask("feed");
    const { email } = await market.ask("customer", {});
    await beCustomer(page, market, { email, password: market.customer.password });
    await page.goto("/shop");
    await expect(page.getByText("We picked all night.")).toBeVisible();
    await page.goto(`/hubs/${hub.id}`);
    await page
      .getByRole("button", { name: /^Shop Here/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/(shop)?$/);
    await expect(page.getByRole("main").getByText(titles["staff-pick"]).first()).toBeVisible();
    await expect(page.getByText("We picked all night.")).toHaveCount(0);
  });

  test.describe("on a phone", () => {
    test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

    test("a warning is above the feed; two other banners are read after the first row, whose prices are in the first view", async ({
      page,
      market,
    }) => {
      await page.setViewportSize({ width: 360, height: 780 });
      const { hub } = await market.ask("feed");
      for (const title of ["Bring back your bottles", "Two stalls are away"])
        await market.ask("banner", { hubId: hub.id, type: "information", title, body: "Until the end of the month." });
      await market.ask("banner", { hubId: hub.id, type: "warning", title: "Snow on Thursday", body: "We come late." });
      await beGuest(page, { address: market.address, hub });
      await page.goto("/shop");
      const main = page.getByRole("main");
      const items = main.getByRole("region", { name: "Picked for this week" }).getByRole("list").locator("> li");
      const banners = main.getByRole("region", { name: "From the market" });
      await expect(items.nth(2)).toContainText("Bring back your bottles");
      await expect(items.nth(2)).toContainText("Two stalls are away");
      await expect(banners).toHaveCount(1);
      await expect(banners.getByText("Snow on Thursday")).toHaveCount(0);
      const warnings = main.getByRole("region", { name: "Warnings" });
      await expect(warnings).toHaveText(/^Snow on Thursday We come late\.\s*$/);
      const belowWarning = (await items.first().boundingBox())!.y;
      const warning = (await warnings.boundingBox())!;
      expect(warning.y + warning.height).toBeLessThan(belowWarning);
      const bar = (await page.getByRole("navigation", { name: "Main" }).boundingBox())!;
      for (const place of [0, 1]) {
        const belowPrice = (await items.nth(place).getByText("Each", { exact: true }).boundingBox())!;
        expect(belowPrice.y).toBeLessThanOrEqual(bar.y);
      }
      // Wider, they are above the tiles.
      await page.setViewportSize({ width: 768, height: 1024 });
      await expect(main.getByRole("list").getByRole("region", { name: "From the market" })).toHaveCount(0);
      await expect(banners).toContainText("Bring back your bottles");
      await expect(banners).toContainText("Two stalls are away");
      await page.setViewportSize({ width: 360, height: 780 });
      // Put away, they leave no gap.
      for (const title of ["Bring back your bottles", "Two stalls are away"])
        await banners.getByRole("button", { name: `Dismiss: ${title}`, exact: true }).click();
      await expect(items.nth(2)).toBeHidden();
    });

    test("cards outside the viewport are not rendered and cause no layout shift", async ({ page, market }) => {
      const { hub } = await market.ask("feed");
      await beGuest(page, { address: market.address, hub });
      await page.goto("/shop");
      const main = page.getByRole("main");
      const cards = main.getByRole("region", { name: "From the stalls" }).getByRole("article");
      await expect(page.locator("[data-offscreen] > article").first()).toBeAttached();
      const isDrawn = (card: Locator) =>
        card
          .locator("> *")
          .first()
          .evaluate((part) => part.checkVisibility({ contentVisibilityAuto: true }));
      await expect.poll(() => isDrawn(cards.last())).toBe(false);

      // Every card and tile is where it would be if all were drawn.
      const places = () =>
        page.evaluate(() =>
          [...document.querySelectorAll("main article")].map((one) => Math.round(one.getBoundingClientRect().top)),
        );
      const resting = await places();
      await page.evaluate(() => {
        const awake = new CSSStyleSheet();
        awake.replaceSync("* { content-visibility: visible !important }");
        document.adoptedStyleSheets = [awake];
      });
      expect(await isDrawn(cards.last())).toBe(true);
      expect(await places()).toEqual(resting);
      await page.evaluate(() => (document.adoptedStyleSheets = []));

      // A rail that was moved is where it was left.
      const rail = main.getByRole("region", { name: "New this week" }).getByRole("list");
      const moved = () => rail.evaluate((list) => list.scrollLeft);
      await rail.scrollIntoViewIfNeeded();
      await expect.poll(() => isDrawn(rail.getByRole("article").first())).toBe(true);
      await rail.evaluate((list) => list.scrollTo({ left: 200, behavior: "instant" }));
      await expect.poll(moved).toBeGreaterThan(100);
      await cards.last().scrollIntoViewIfNeeded();
      await expect.poll(() => isDrawn(cards.last())).toBe(true);
      await expect.poll(() => isDrawn(rail.getByRole("article").first())).toBe(false);
      await rail.scrollIntoViewIfNeeded();
      await expect.poll(() => isDrawn(rail.getByRole("article").first())).toBe(true);
      await expect.poll(moved).toBeGreaterThan(100);
    });
  });
});
