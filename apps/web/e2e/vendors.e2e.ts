import { expectAccessible } from "./lib/axe.ts";
import { expect, test } from "./lib/fixtures.ts";
import { tabTo } from "./lib/keyboard.ts";
import { appIsUp, beCustomer, beGuest } from "./lib/shopper.ts";

const long = `<p>Three sisters on forty acres by the creek. ${"We grow greens, roots and herbs for the whole county. ".repeat(4)}</p>`;

test.describe("farms and artisans", () => {
  test(
    "vendors are listed by name, by popularity and backwards, by the address",
    { tag: ["@spec:2.1-09", "@spec:2.3-10"] },
    async ({ page, shop }) => {
      await beGuest(page, shop);
      await page.goto("/more");
      await page.getByRole("main").getByRole("button", { name: "Browse vendors" }).click();
      await expect(page).toHaveURL(/\/vendors$/);
      await expect(page.getByRole("heading", { level: 1, name: "Browse Local Farms & Artisans" })).toBeVisible();
      const names = () => page.getByRole("main").getByRole("article").getByRole("link").allInnerTexts();
      await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
      const byName = await names();
      expect(byName).toEqual(byName.toSorted((a, b) => a.localeCompare(b, "en")));
      expect(byName).toEqual(expect.arrayContaining(["Beck’s Bees", "Hearth & Rye", "Rooted Acre Farm"]));

      await page.getByRole("radio", { name: "Z-A" }).check();
      await expect(page).toHaveURL(/\/vendors\?sort=desc$/);
      await expect.poll(names).toEqual(byName.toReversed());
      await page.getByRole("radio", { name: "Popular" }).check();
      await expect(page).toHaveURL(/\/vendors\?sort=popular$/);
      await expect(page.getByRole("navigation", { name: "Letters" })).toHaveCount(0);
      await page.reload();
      await expect(page.getByRole("radio", { name: "Popular" })).toBeChecked();
      // Each choice is a step back.
      await page.goBack();
      await page.goBack();
      await expect(page).toHaveURL(/\/vendors$/);
      await expect(page.getByRole("radio", { name: "A-Z" })).toBeChecked();
      // A letter leads to its stalls.
      await page.getByRole("navigation", { name: "Letters" }).getByRole("link", { name: "R" }).click();
      await expect(page.getByRole("heading", { level: 2, name: "R", exact: true })).toBeFocused();
    },
  );

  test(
    "an address with an id opens that vendor over the list; a printed hash does as well",
    { tag: ["@spec:2.1-09"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      const { id, slug, hash, name } = await market.ask("vendor", { name: "Walnut Row", products: 1 });
      for (const [url, opened] of [
        [`/vendors?id=${id}&sort=desc`, new RegExp(`/vendors/${id}$`)],
        [`/vendors?id=${hash}&hashed=true&sort=desc`, new RegExp(`/vendors/${hash}\\?hashed=true$`)],
        [`/vendors?id=${slug}&sort=desc`, new RegExp(`/vendors/${slug}$`)],
      ] as const) {
        await page.goto(url);
        await expect(page.getByRole("dialog").getByRole("heading", { name, exact: true, level: 2 })).toBeVisible();
        await expect(page).toHaveURL(opened);
        await page.keyboard.press("Escape");
        await expect(page).toHaveURL(/\/vendors\?sort=desc$/);
        await expect(page.getByRole("dialog")).toHaveCount(0);
      }
    },
  );

  test("an unknown vendor is not found", async ({ page, market }) => {
    await beGuest(page, market);
    await page.goto("/vendors/no-such-farm");
    await expect(page.getByRole("heading", { name: "Page died of dysentery" })).toBeVisible();
  });

  test(
    "a failed list shows the market's message and can be retried",
    { tag: ["@spec:8-19"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/shop");
      let broken = true;
      await page.route("**/api/vendors?*", (route) =>
        broken
          ? route.fulfill({ status: 500, json: ["Something went wrong.", { code: "internal" }] })
          : route.continue(),
      );
      await page.goto("/vendors");
      await expect(page.getByText("Sorry, we could not find any vendors at this time")).toBeVisible();
      broken = false;
      await page.getByRole("button", { name: "Retry" }).click();
      await expect(page.getByRole("main").getByRole("article").first()).toBeVisible();
    },
  );
});

test.describe("a vendor", () => {
  test(
    "a vendor that fails to load keeps the list's data and shows an error with Retry",
    { tag: ["@spec:2.4-44", "@spec:8-19"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      const { name, slug } = await market.ask("vendor", { name: "Steadfast Stall", description: long, products: 2 });
      await page.goto("/vendors");
      await appIsUp(page);
      let broken = true;
      await page.route(`**/api/vendors/${slug}`, (route) =>
        broken
          ? route.fulfill({ status: 500, json: ["Something went wrong.", { code: "internal" }] })
          : route.continue(),
      );
      const link = page.getByRole("main").getByRole("link", { name, exact: true });
      const panel = page.getByRole("dialog");
      const failed = panel.getByText("Sorry, we could not find any vendors at this time");
      await link.click();
      await expect(failed).toBeVisible();
      await expect(panel.getByRole("heading", { name, exact: true })).toBeVisible();
      // Its whole shelf is listed.
      await panel.getByRole("link", { name: /^Shop all/ }).click();
      await expect(failed).toHaveCount(2);
      await expect(panel.last().getByRole("heading", { name, exact: true })).toBeVisible();
      broken = false;
      await panel.last().getByRole("button", { name: "Retry" }).click();
      await expect(failed).toHaveCount(0);
      await expect(panel.last().getByRole("heading", { name, exact: true })).toBeVisible();
    },
  );

  test(
    "a vendor opens from a tile over the shop, with all its details",
    {
      tag: ["@spec:2.1-10", "@spec:2.4-44", "@spec:9-08", "@spec:2.4-46", "@spec:2.4-48", "@spec:2.4-49", "@spec:3-03"],
    },
    async ({ page, market }) => {
      await beGuest(page, market);
      const { name } = await market.ask("vendor", { name: "Creekside Sisters", description: long, products: 20 });
      await page.goto("/vendors");
      await appIsUp(page);
      const link = page.getByRole("main").getByRole("link", { name, exact: true });
      await link.click();
      const panel = page.getByRole("dialog");
      await expect(panel.getByRole("heading", { level: 2, name, exact: true })).toBeFocused();
      await expect(page).toHaveTitle(new RegExp(`^${name}`));
      for (const [label, value] of [
        ["Products", "20"],
        ["Followers", "0"],
        ["Endorsement score", "0.0"],
      ])
        await expect(panel.locator("dl > div").filter({ hasText: label! }).locator("dd")).toHaveText(value!);
      // 140 characters on a desktop, the rest after View More.
      const words = panel.getByText(/^Three sisters on forty acres/);
      expect([...(await words.innerText())].length).toBeLessThanOrEqual(141);
      await panel.getByRole("button", { name: "View More" }).click();
      await expect(words).toHaveText(/(We grow greens, roots and herbs for the whole county\. ?){4}/);
      await panel.getByRole("button", { name: "View Less" }).click();
      await expect(words).toHaveText(/…$/);
      await expect(panel.getByRole("button", { name: `Share ${name}`, exact: true })).toBeVisible();
      await expect(panel.getByRole("heading", { name: "Popular products" })).toBeVisible();
      await expect(panel.getByText("No recent activity")).toBeVisible();
      // Its own name leads nowhere else here.
      await expect(panel.getByRole("article").first()).toContainText(name);
      await expect(panel.getByRole("article").first().getByRole("link", { name, exact: true })).toHaveCount(0);

      await panel.getByRole("link", { name: /^Shop all/ }).click();
      const shelf = page.getByRole("dialog").last();
      await expect(shelf.getByText("20 products")).toBeVisible();
      await expect(page).toHaveURL(/\/collections\/vendor\/[^/]+$/);
      // Back leaves one layer at a time, and the focus returns to where it came from.
      await page.goBack();
      await expect(panel.getByRole("link", { name: /^Shop all/ })).toBeFocused();
      await page.goBack();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(link).toBeFocused();
    },
  );

  test(
    "a vendor has its hero picture and avatar; one without them has initials",
    { tag: ["@spec:2.4-45"] },
    async ({ page, market }) => {
      const plain = await market.ask("vendor", { name: "Quiet Orchard", products: 1 });
      const seen = await market.ask("vendor", { name: "Painted Orchard", products: 1 });
      const files = await market.ask("vendorPictures", { id: seen.id });
      await beGuest(page, market);
      const panel = page.getByRole("dialog").first();
      await page.goto(`/vendors/${seen.slug}`);
      await expect(panel.getByRole("heading", { level: 2, name: seen.name, exact: true })).toBeVisible();
      for (const [file, least] of [
        [files.hero, 300],
        [files.avatar, 40],
      ] as const) {
        const image = panel.locator(`img[src*="${file}"]`).first();
        await expect(image).toBeVisible();
        await expect
          .poll(() => image.evaluate((one: HTMLImageElement) => one.complete && one.naturalWidth > 0))
          .toBe(true);
        expect((await image.boundingBox())!.width).toBeGreaterThanOrEqual(least);
      }
      await page.goto(`/vendors/${plain.slug}`);
      await expect(panel.getByRole("heading", { level: 2, name: plain.name, exact: true })).toBeVisible();
      await expect(panel.getByText("QO", { exact: true }).first()).toBeVisible();
    },
  );

  test("a vendor shows its posts with a border", { tag: ["@spec:2.4-49"] }, async ({ page, market }) => {
    await beGuest(page, market);
    await page.goto("/shop");
    await appIsUp(page);
    await page.getByRole("main").getByRole("link", { name: "Rooted Acre Farm", exact: true }).first().click();
    const panel = page.getByRole("dialog");
    const post = panel.getByRole("article").filter({ hasText: "We picked all night." });
    await expect(post).toBeVisible();
    expect(await post.evaluate((node) => getComputedStyle(node).borderTopWidth)).toBe("2px");
    await expect(panel.getByText("No recent activity")).toHaveCount(0);
  });

  test.describe("on a phone", () => {
    test.use({ viewport: { width: 390, height: 800 } });
    test(
      "a vendor's long description is cut at 80 characters, the rest after View More",
      { tag: ["@spec:9-08", "@spec:2.4-45"] },
      async ({ page, market }) => {
        await beGuest(page, market);
        const { slug } = await market.ask("vendor", { name: "Narrow Acre", description: long, products: 1 });
        await page.goto(`/vendors/${slug}`);
        const panel = page.getByRole("dialog").first();
        const words = panel.getByText(/^Three sisters on forty acres/);
        await expect(words).toHaveText(/…$/);
        const shown = [...(await words.innerText())].length;
        expect(shown).toBeLessThanOrEqual(81);
        expect(shown).toBeGreaterThan(60);
        await panel.getByRole("button", { name: "View More" }).click();
        await expect(words).not.toHaveText(/…$/);
      },
    );
  });

  test(
    "a vendor is followed by a customer at once; a guest sees that following needs an account",
    { tag: ["@spec:2.4-45", "@spec:8-11"] },
    async ({ page, market }) => {
      const { name, slug } = await market.ask("vendor", { name: "Elder Grove", products: 1 });
      await beGuest(page, market);
      await page.goto(`/vendors/${slug}`);
      const panel = page.getByRole("dialog").first();
      const heart = panel.getByRole("button", { name: `Follow ${name}`, exact: true });
      const followers = panel.locator("dl > div").filter({ hasText: "Follower" }).locator("dd");
      await heart.click();
      await expect(page.getByText("Favorites requires the creation of an account.")).toBeVisible();
      await expect(page.getByRole("button", { name: "Sign Up" })).toBeVisible();
      await page.getByRole("button", { name: "Close" }).last().click();
      await expect(heart).toHaveAttribute("aria-pressed", "false");
      await expect(heart).toBeFocused();

      // Nothing of the guest's is on its way any more.
      await page.goto("about:blank");
      await beCustomer(page, market, { ...market.customer, ...(await market.ask("customer", {})) });
      await page.goto(`/vendors/${slug}`);
      await heart.click();
      await expect(heart).toHaveAttribute("aria-pressed", "true");
      await expect(followers).toHaveText("1");
      await expect
        .poll(
          async () =>
            (await (await page.request.get(`/api/vendors/${slug}`)).json()) as {
              isFollowed: boolean;
              followers: number;
            },
        )
        .toMatchObject({ isFollowed: true, followers: 1 });
      await heart.click();
      await expect(followers).toHaveText("0");
      await expect
        .poll(
          async () =>
            ((await (await page.request.get(`/api/vendors/${slug}`)).json()) as { isFollowed: boolean }).isFollowed,
        )
        .toBe(false);
    },
  );

  test(
    "a vendor is endorsed by keyboard, with the questions of a visit only after a visit",
    { tag: ["@spec:2.4-47", "@spec:2.4-51", "@spec:4-24", "@spec:5-20", "@spec:5-21", "@spec:5-22"] },
    async ({ page, market }) => {
      const { name, slug } = await market.ask("vendor", { name: "Barley & Oak", products: 1 });
      await beCustomer(page, market, { ...market.customer, ...(await market.ask("customer", {})) });
      await page.goto(`/vendors/${slug}`);
      const opener = page.getByRole("button", { name: "Endorse", exact: true }).first();
      await opener.focus();
      await page.keyboard.press("Enter");
      const modal = page.getByRole("dialog").last();
      await expect(modal.getByRole("heading", { name: `Endorse ${name}`, exact: true })).toBeFocused();
      expect(
        await modal
          .getByRole("group")
          .first()
          .getByRole("radio")
          .evaluateAll((radios) => radios.map((radio) => radio.closest("label")?.innerText.replaceAll(/\s+/g, " "))),
      ).toEqual(["1 Strongly Disagree", "2 Disagree", "3 Neutral", "4 Agree", "5 Strongly Agree"]);
      // Sent without an answer: it says what is missing.
      await tabTo(page, modal.getByRole("button", { name: "Endorse" }));
      await page.keyboard.press("Enter");
      await expect(modal.getByRole("alert").filter({ hasText: "There is a problem" })).toBeFocused();
      await modal.getByRole("link", { name: "Choose how much you agree" }).press("Enter");
      await page.keyboard.press("ArrowRight");
      await expect(modal.getByRole("radio", { name: /^2/ })).toBeChecked();
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      await expect(modal.getByRole("radio", { name: "5 Strongly Agree" })).toBeChecked();
      await tabTo(page, modal.getByRole("radio", { name: /^Patron/ }));
      await page.keyboard.press("Space");
      await tabTo(page, modal.getByLabel("Comment (optional)"));
      await page.keyboard.insertText("x".repeat(260));
      await expect(modal.getByText("250/250")).toBeVisible();
      await expect(modal.getByText("How was your visit?")).toHaveCount(0);
      await tabTo(page, modal.getByRole("radio", { name: "Yes" }).first());
      await page.keyboard.press("Space");
      await expect(modal.getByRole("radio", { name: "1 Poor" })).toBeFocused();
      await modal.getByRole("radio", { name: "4 Very good" }).check();
      await modal.getByRole("radio", { name: "Yes" }).last().check();
      const sent = page.waitForRequest((request) => request.url().endsWith("/endorse"));
      await modal.getByRole("button", { name: "Endorse" }).click();
      expect((await sent).postDataJSON()).toEqual({
        score: 5,
        relationship: 1,
        comment: "x".repeat(250),
        hasVisited: true,
        visitRating: 4,
        wouldVisitAgain: true,
      });
      await expect(page.getByRole("dialog")).toHaveCount(1);
      await expect(page.locator("dl > div").filter({ hasText: "Endorsement score" }).locator("dd")).toHaveText("5.0");
      await expect(opener).toBeFocused();
    },
  );

  test(
    "a vendor's products come in pages with addresses",
    { tag: ["@spec:2.1-08", "@fail:I7"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      const { id, slug, name } = await market.ask("vendor", { name: "Long Row Gardens", products: 40 });
      await page.goto(`/collections?vendor=${id}&page=2`);
      await expect(page).toHaveURL(new RegExp(`/collections/vendor/${id}\\?page=2$`));
      const shelf = page.getByRole("dialog");
      await expect(shelf.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
      await expect(shelf.getByText("40 products")).toBeVisible();
      await expect(shelf.getByRole("article")).toHaveCount(18);
      await expect(shelf.getByRole("link", { name: "Page 2" })).toHaveAttribute("aria-current", "page");
      await shelf.getByRole("button", { name: "Show 4 more" }).click();
      await expect(shelf.getByRole("article")).toHaveCount(22);
      await expect(page).toHaveURL(/\?page=3$/);
      await expect(shelf.getByRole("article").nth(18).getByRole("heading").getByRole("link")).toBeFocused();
      await expect(shelf.getByRole("button", { name: /^Show/ })).toHaveCount(0);
      await shelf.getByRole("link", { name: "Page 1" }).click();
      await expect(page).toHaveURL(new RegExp(`/collections/vendor/${id}$`));
      await expect(shelf.getByRole("article")).toHaveCount(18);
      await expectAccessible(page);
      await page.goto(`/collections/vendor/${slug}?page=-1`);
      await expect(page.getByRole("dialog").getByRole("article")).toHaveCount(18);
      await page.goto(`/collections/vendor/${slug}?page=1000000000`);
      await expect(page).toHaveURL(/\?page=3$/);
      await expect(page.getByRole("dialog").getByRole("article")).toHaveCount(4);
    },
  );

  test.describe("on a phone", () => {
    test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, colorScheme: "dark" });

    test(
      "a vendor on a phone shows 80 characters, without accessibility violations",
      { tag: ["@spec:2.4-45"] },
      async ({ page, market }) => {
        await beGuest(page, market);
        const { slug, name } = await market.ask("vendor", { name: "Small Fields", description: long, products: 3 });
        await page.goto(`/vendors/${slug}`);
        const panel = page.getByRole("dialog");
        await expect(panel.getByRole("heading", { level: 2, name, exact: true })).toBeVisible();
        expect([...(await panel.getByText(/^Three sisters on forty acres/).innerText())].length).toBeLessThanOrEqual(
          81,
        );
        await expect(panel.getByRole("article").first()).toBeVisible();
        // From a product back to its farm.
        await panel.getByRole("article").first().getByRole("heading").getByRole("link").tap();
        const product = page.getByRole("dialog").last();
        await product.getByRole("link", { name, exact: true }).first().tap();
        await expect(page).toHaveURL(new RegExp(`/vendors/${slug}$`));
      },
    );
  });
});
