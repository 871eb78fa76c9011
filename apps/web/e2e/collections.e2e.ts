import type { Locator } from "@playwright/test";

import { expect, test } from "./lib/fixtures.ts";
import { beGuest, nameOfItsOwn } from "./lib/shopper.ts";

test.describe("collections", () => {
  test(
    "the list of collections, a collection, its children, and the second row of the shop",
    { tag: ["@spec:2.1-05", "@spec:2.1-07", "@spec:2.3-04"] },
    async ({ page, market }) => {
      const ids = market.products.map(({ id }) => id);
      const [baked, bread, cakes] = [nameOfItsOwn("Baked"), nameOfItsOwn("Bread"), nameOfItsOwn("Cakes")];
      const { id: parentId } = await market.ask("collection", { title: baked, productIds: ids.slice(4, 6) });
      const breads = await market.ask("collection", { title: bread, parentId, productIds: ids.slice(4, 5) });
      const { slug } = await market.ask("collection", { title: cakes, parentId, productIds: ids.slice(5, 6) });
      await beGuest(page, market);
      const listed = page.getByRole("main").getByRole("article");
      await page.goto("/shop");
      const top = page.getByRole("navigation", { name: "Collections" });
      await expect(top.getByRole("link", { name: /^Trending/ })).toBeVisible();
      await page.goto("/collections");
      await expect(page.getByRole("heading", { level: 1, name: "Collections" })).toBeVisible();
      await expect(listed.filter({ hasText: baked })).toContainText("2 new items · 2 shelves");

      // A shelf of the index opens over the list; by its id it is the same.
      await page
        .getByRole("region", { name: "Every shelf" })
        .getByRole("link", { name: new RegExp(`^${bread}\\b`) })
        .click();
      const panel = page.getByRole("dialog");
      await expect(page).toHaveURL(new RegExp(`/collections/${breads.slug}$`));
      await expect(panel.getByRole("heading", { name: bread, exact: true })).toBeVisible();
      await expect(panel.getByText("Found 1", { exact: true })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page).toHaveURL(/\/collections$/);
      await page.goto(`/collections/${breads.id}`);
      await expect(panel.getByRole("link", { name: bread, exact: true })).toHaveAttribute("aria-current", "page");
      await panel.getByRole("link", { name: `All ${baked}`, exact: true }).click();
      await expect(panel.getByText("Found 2", { exact: true })).toBeVisible();
      await panel.getByRole("button", { name: "Close" }).click();
      await expect(page).toHaveURL(/\/shop$/);

      const row = page
        .getByRole("main")
        .locator("..")
        .getByRole("navigation", { name: `Within ${baked}`, exact: true });
      await page
        .getByRole("navigation", { name: "Collections" })
        .getByRole("link", { name: new RegExp(`^${baked}\\b`) })
        .click();
      await expect(panel.getByRole("heading", { name: baked, exact: true })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(row.getByRole("link")).toHaveText([`All ${baked}`, bread, cakes]);
      await row.getByRole("link", { name: cakes, exact: true }).click();
      await expect(panel.getByRole("heading", { name: cakes, exact: true })).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`/collections/${slug}$`));
    },
  );

  test("an old address of a vendor's products redirects to them", async ({ page, market }) => {
    await beGuest(page, market);
    const name = nameOfItsOwn("Old Address Acres");
    const { id } = await market.ask("vendor", { name, products: 1 });
    await page.goto(`/collections?vendor=${id}`);
    await expect(page).toHaveURL(new RegExp(`/collections/vendor/${id}$`));
    await expect(page.getByRole("dialog").getByRole("heading", { name, exact: true, level: 2 })).toBeVisible();
  });

  test("what a special collection and a badge mean", { tag: ["@spec:2.4-58"] }, async ({ page, market }) => {
    const ids = market.products.map(({ id }) => id);
    const special = [
      ["local-first", "Local First", "Regional Specialty"],
      ["general-store", "General Store", "The shelf behind the stalls"],
      ["chefs-selection", "Chef’s Selection", "Odd cuts, old varieties"],
    ] as const;
    for (const [slug, title] of special)
      await market.ask("collection", { slug, title, inMenu: true, productIds: ids.slice(0, 2) });
    await beGuest(page, market);
    for (const [slug, title, words] of special) {
      const about = page.getByRole("button", { name: `About ${title}`, exact: true });
      await page.goto(`/collections/${slug}`);
      await about.click();
      const info = page.getByRole("dialog").last();
      await expect(info.getByRole("heading", { name: title, exact: true })).toBeVisible();
      // The collection below is a dialog of the same name: only the words tell them apart.
      await expect(info.getByText(words)).toBeVisible();
      if (slug === "local-first") await expect(info.getByText("Beyond Local")).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(about).toBeFocused();
    }
    // On a product the badge says how near it comes from, and opens the same.
    await page.goto(`/product/${market.products[0]!.slug}`);
    await page.getByRole("button", { name: "Local First" }).click();
    await expect(page.getByRole("dialog").last().getByRole("heading", { name: "Local First" })).toBeVisible();
  });

  test(
    "a product's pictures: in turn in the panel, and large in the slider, by buttons and keys",
    { tag: ["@spec:2.4-39", "@spec:2.4-62"] },
    async ({ page, market }) => {
      const { id, slug, title } = await market.ask("product", { title: "Thrice Painted Plums", inventory: 9 });
      const alts = await market.ask("pictures", { productId: id, count: 3 });
      expect(new Set(alts).size).toBe(3);
      await beGuest(page, market);
      await page.goto(`/product/${slug}`);
      const panel = page.getByRole("dialog").first();
      const rail = panel.getByRole("group", { name: `Pictures of ${title}`, exact: true });
      // Each is loaded from its file when it comes into sight.
      const painted = (image: Locator) =>
        expect.poll(() => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0)).toBe(true);
      await painted(rail.getByRole("img", { name: alts[0]!, exact: true }));
      await expect(panel.getByText("1 of 3")).toBeVisible();
      await panel.getByRole("button", { name: "Next picture" }).click();
      await expect(panel.getByText("2 of 3")).toBeVisible();
      await expect(rail.getByRole("img", { name: alts[1]!, exact: true })).toBeInViewport();
      await painted(rail.getByRole("img", { name: alts[1]!, exact: true }));

      // The slider opens at the picture that was seen.
      await panel.getByRole("button", { name: "See larger" }).click();
      const slider = page.getByRole("dialog", { name: `Pictures of ${title}`, exact: true });
      const shown = (place: number) =>
        expect(slider.getByRole("img", { name: alts[place]!, exact: true })).toBeVisible();
      await shown(1);
      await expect(slider.getByText("2 of 3")).toBeVisible();
      await page.keyboard.press("ArrowRight");
      await shown(2);
      await painted(slider.getByRole("img"));
      await expect(slider.getByRole("button", { name: "Next picture" })).toHaveAttribute("aria-disabled", "true");
      await page.keyboard.press("ArrowRight");
      await shown(2);
      for (const place of [1, 0]) {
        await slider.getByRole("button", { name: "Previous picture" }).click();
        await shown(place);
      }
      await expect(slider.getByRole("img")).toHaveCount(1);
      await expect(slider.getByRole("button", { name: "Previous picture" })).toHaveAttribute("aria-disabled", "true");
    },
  );

  test("the photo slider enlarges by buttons and by keys", { tag: ["@spec:2.4-62"] }, async ({ page, market }) => {
    await beGuest(page, market);
    await page.goto(`/product/${market.products[0]!.slug}`);
    const larger = page.getByRole("button", { name: "See larger" });
    await larger.click();
    const slider = page.getByRole("dialog", { name: /^Pictures of / });
    const picture = slider.getByRole("img");
    await expect(picture).toBeVisible();
    // Its keys work where the focus is.
    await expect(slider.getByRole("group")).toBeFocused();
    const width = () => picture.evaluate((image) => image.getBoundingClientRect().width);
    const start = await width();
    await page.keyboard.press("+");
    await expect.poll(width).toBeCloseTo(start * 2, 0);
    await slider.getByRole("button", { name: "Zoom in" }).click();
    await expect.poll(width).toBeCloseTo(start * 3, 0);
    await expect(slider.getByRole("button", { name: "Zoom in" })).toHaveAttribute("aria-disabled", "true");
    await page.keyboard.press("0");
    await expect.poll(width).toBeCloseTo(start, 0);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(1);
    await expect(larger).toBeFocused();
  });
});
