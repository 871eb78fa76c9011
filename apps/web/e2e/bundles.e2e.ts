import { expectAccessible } from "./lib/axe.ts";
import { expect, type TestMarket, test } from "./lib/fixtures.ts";
import { appIsUp, beCustomer, beGuest } from "./lib/shopper.ts";

interface CartOf {
  items: { quantity: number; fromBundleId: number | null; product: { title: string } }[];
}

/** A separate bundle of three items, of which the last can be short. */
async function soup(market: TestMarket, slug: string, about: { shortOf?: number } = {}) {
  const made = [];
  for (const [title, priceCents, inventory] of [
    ["Roots", 400, 50],
    ["Stock Bones", 600, 50],
    ["Barley", 500, about.shortOf ?? 50],
  ] as const)
    made.push(await market.ask("product", { title: `${title} of ${slug}`, priceCents, inventory }));
  const [roots, bones, barley] = made;
  return market.ask("bundle", {
    title: `Soup ${slug}`,
    slug,
    discountPpm: 100_000,
    items: [
      { variantId: roots!.variantId, quantity: 2, ingredients: "Carrots, parsnips" },
      { variantId: bones!.variantId },
      { variantId: barley!.variantId, quantity: 2 },
    ],
  });
}

test.describe("bundles", () => {
  test(
    "bundles are listed with items, total and saving, and added line by line",
    { tag: ["@spec:2.1-14", "@spec:2.1-15", "@spec:2.3-09", "@spec:3-22", "@spec:4-15"] },
    async ({ page, market }) => {
      const { id, title, slug } = await soup(market, "night");
      await beGuest(page, market);
      await page.goto("/shop");
      await page.getByRole("navigation", { name: "Collections" }).getByRole("link", { name: "Bundles" }).click();
      await expect(page.getByRole("heading", { level: 1, name: "Bundles" })).toBeVisible();
      const card = page.getByRole("article").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
      // 2 × 4 + 6 + 2 × 5 = 24, a tenth off.
      await expect(card).toContainText("$21.60");
      await expect(card).toContainText("Save $2.40");
      await expect(card.getByRole("list", { name: `In ${title}`, exact: true }).getByRole("listitem")).toHaveCount(3);

      await card.getByRole("link", { name: title, exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/bundles/${slug}$`));
      const panel = page.getByRole("dialog");
      const lines = panel.getByRole("list", { name: "In this bundle" }).getByRole("listitem");
      await expect(lines).toHaveCount(3);
      await expect(lines.first()).toContainText(/2.*Roots of night/);
      await expect(lines.first()).toContainText("Ingredients: Carrots, parsnips");
      // Guests cannot subscribe (spec §6).
      await expect(panel.getByRole("button", { name: /^Subscribe/ })).toHaveCount(0);

      await panel.getByRole("button", { name: "Add bundle to cart · $21.60" }).click();
      await expect(panel.getByText("1 in your cart")).toBeVisible();
      const cart = async () =>
        ((await (await page.request.get("/api/cart")).json()) as CartOf).items.map(
          ({ quantity, fromBundleId, product }) => [product.title, quantity, fromBundleId],
        );
      await expect.poll(cart).toEqual([
        ["Roots of night", 2, id],
        ["Stock Bones of night", 1, id],
        ["Barley of night", 2, id],
      ]);
      await panel.getByRole("button", { name: "Add another · $21.60" }).click();
      await expect.poll(async () => (await cart()).map(([, quantity]) => quantity)).toEqual([4, 2, 4]);
      // Alone it is another line: what is in the bundle is not counted.
      await lines.first().getByRole("link", { name: "Roots of night" }).click();
      const alone = page.getByRole("dialog").last();
      await alone.getByRole("button", { name: /^Add to Cart/ }).click();
      await expect.poll(async () => (await cart()).at(-1)).toEqual(["Roots of night", 1, null]);
      await page.goBack();
      await expect(panel).toHaveCount(1);
      await panel.getByRole("button", { name: "Close" }).click();
      await expect(page).toHaveURL(/\/bundles$/);
      await expect(card.getByRole("link", { name: title, exact: true })).toBeFocused();
      // By its id, cold.
      await page.goto(`/bundles/${id}`);
      await expect(page.getByRole("dialog").getByRole("heading", { level: 2, name: title, exact: true })).toBeVisible();
    },
  );

  test(
    "a bundle with a sold-out item says so, leaves it out and costs less",
    { tag: ["@spec:3-22"] },
    async ({ page, market }) => {
      const { slug } = await soup(market, "short", { shortOf: 1 });
      await beGuest(page, market);
      await page.goto(`/bundles/${slug}`);
      const panel = page.getByRole("dialog");
      const missing = panel.getByRole("listitem").filter({ hasText: "Barley of short" });
      await expect(missing).toContainText("Sold out this week");
      await expect(panel.getByText("1 item is sold out this week and left out.")).toBeVisible();
      await panel.getByRole("button", { name: "Add bundle to cart · $12.60" }).click();
      await expect(panel.getByText("1 in your cart")).toBeVisible();
      await expect
        .poll(async () =>
          ((await (await page.request.get("/api/cart")).json()) as CartOf).items.map(({ product }) => product.title),
        )
        .toEqual(["Roots of short", "Stock Bones of short"]);
    },
  );

  test(
    "a customer subscribes to a bundle every few weeks, and unsubscribes",
    { tag: ["@spec:3-22"] },
    async ({ page, market }) => {
      const { slug } = await soup(market, "weekly");
      await beCustomer(page, market, { ...market.customer, ...(await market.ask("customer", {})) });
      await page.goto(`/bundles/${slug}`);
      const panel = page.getByRole("dialog");
      await panel.getByLabel("How often").selectOption({ label: "Every 2 weeks" });
      await panel.getByRole("button", { name: "Subscribe" }).click();
      const toggle = panel.getByRole("button", { name: "Subscribed" });
      await expect(toggle).toHaveAttribute("aria-pressed", "true");
      const now = async () => {
        const { subscriptionStatus, subscriptionInterval } = (await (
          await page.request.get(`/api/bundles/${slug}`)
        ).json()) as { subscriptionStatus: string; subscriptionInterval: number | null };
        return [subscriptionStatus, subscriptionInterval];
      };
      await expect.poll(now).toEqual(["subscribed", 2]);
      await panel.getByLabel("How often").selectOption({ label: "Every 4 weeks" });
      await expect.poll(now).toEqual(["subscribed", 4]);
      await expectAccessible(page);
      await page.reload();
      await expect(panel.getByLabel("How often")).toHaveValue("4");
      const refuse = (method: string) =>
        page.route("**/api/bundles/*", (route) =>
          route.request().method() === method
            ? route.fulfill({ status: 500, json: ["Something went wrong.", { code: "internal" }] })
            : route.continue(),
        );
      await refuse("DELETE");
      await toggle.click();
      await expect(panel.getByText("Error unsubscribing from bundle")).toBeVisible();
      await expect(toggle).toHaveAttribute("aria-pressed", "true");
      expect(await now()).toEqual(["subscribed", 4]);
      await page.unroute("**/api/bundles/*");
      await toggle.click();
      await expect(panel.getByRole("button", { name: "Subscribe", exact: true })).toHaveAttribute(
        "aria-pressed",
        "false",
      );
      await expect.poll(now).toEqual(["unsubscribed", null]);

      await refuse("POST");
      await panel.getByRole("button", { name: "Subscribe", exact: true }).click();
      await expect(panel.getByText("Error subscribing to bundle")).toBeVisible();
    },
  );

  test("bundles that failed to load are fetched again", { tag: ["@spec:4-15"] }, async ({ page, market }) => {
    const { title } = await soup(market, "again");
    await beGuest(page, market);
    await page.goto("/shop");
    await appIsUp(page);
    let broken = true;
    await page.route("**/api/bundles", (route) =>
      broken ? route.fulfill({ status: 500, json: ["Something went wrong.", { code: "internal" }] }) : route.continue(),
    );
    await page.getByRole("navigation", { name: "Collections" }).getByRole("link", { name: "Bundles" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "Something went wrong." })).toBeVisible();
    broken = false;
    await page.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
  });

  test(
    "a bundle that fails to load keeps the list's data and shows an error with Retry",
    { tag: ["@spec:2.1-15", "@spec:4-15"] },
    async ({ page, market }) => {
      const { title, slug } = await soup(market, "kept");
      await beGuest(page, market);
      await page.goto("/bundles");
      await appIsUp(page);
      let broken = true;
      await page.route(`**/api/bundles/${slug}`, (route) =>
        broken
          ? route.fulfill({ status: 500, json: ["Something went wrong.", { code: "internal" }] })
          : route.continue(),
      );
      await page.getByRole("main").getByRole("link", { name: title, exact: true }).click();
      const panel = page.getByRole("dialog");
      const failed = panel.getByRole("alert").filter({ hasText: "Something went wrong." });
      await expect(failed).toBeVisible();
      await expect(panel.getByRole("heading", { name: title, exact: true })).toBeVisible();
      await expect(panel.getByText("Barley of kept")).toBeVisible();
      broken = false;
      await panel.getByRole("button", { name: "Retry" }).click();
      await expect(failed).toHaveCount(0);
      await expect(panel.getByRole("heading", { name: title, exact: true })).toBeVisible();
    },
  );

  test("a market without bundles says so, and an unknown bundle is not found", async ({ page, market }) => {
    await beGuest(page, { ...market, hub: market.farHub });
    await page.goto("/bundles");
    await expect(page.getByText("No bundles this week")).toBeVisible();
    await page.goto("/bundles/no-such-bundle");
    await expect(page.getByRole("heading", { name: "Page died of dysentery" })).toBeVisible();
  });

  test("the special hub hides bundles", { tag: ["@spec:2.3-09"] }, async ({ page, market }) => {
    await beGuest(page, market);
    // The page's settings say that this hub is the special one.
    await page.route(/\/(shop|more|bundles)$/, async (route) => {
      const answer = await route.fetch();
      const html = (await answer.text()).replace(/"specialHubId":\d+/, `"specialHubId":${market.hub.id}`);
      await route.fulfill({ response: answer, body: html });
    });
    await page.goto("/shop");
    const chips = page.getByRole("navigation", { name: "Collections" });
    await expect(chips.getByRole("link", { name: /^Produce/ })).toBeVisible();
    await expect(chips.getByRole("link", { name: "Bundles" })).toHaveCount(0);
    await page.goto("/more");
    await expect(page.getByRole("main").getByRole("button", { name: "Browse vendors" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("button", { name: "Bundles" })).toHaveCount(0);
    await page.goto("/bundles");
    await expect(page.getByRole("heading", { name: "Page died of dysentery" })).toBeVisible();
  });

  test.describe("on a tablet", () => {
    test.use({ viewport: { width: 768, height: 1024 } });

    test("a bundle's picture stays in its column", { tag: ["@spec:2.1-15"] }, async ({ page, market }) => {
      const [first, second] = market.products;
      const items = [{ variantId: first!.variantId }, { variantId: second!.variantId }];
      const { slug, title } = await market.ask("bundle", {
        title: "Soup in its frame",
        slug: "framed",
        discountPpm: 100_000,
        items,
      });
      await beGuest(page, market);
      await page.goto(`/bundles/${slug}`);
      const panel = page.getByRole("dialog");
      const name = panel.getByRole("heading", { level: 2, name: title, exact: true });
      await expect(name).toBeVisible();
      const [words, picture] = [await name.boundingBox(), await panel.locator("img").first().boundingBox()];
      expect(picture!.width).toBeGreaterThan(200);
      expect(picture!.x + picture!.width).toBeLessThanOrEqual(words!.x);
    });
  });

  test.describe("on a phone", () => {
    test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, colorScheme: "dark" });

    test("bundles have no accessibility violations", { tag: ["@spec:2.3-09"] }, async ({ page, market }) => {
      const { title } = await soup(market, "pocket");
      await beGuest(page, market);
      await page.goto("/more");
      await page.getByRole("main").getByRole("button", { name: "Bundles" }).tap();
      await page.getByRole("link", { name: title, exact: true }).tap();
      const panel = page.getByRole("dialog");
      await expect(panel.getByRole("heading", { level: 2, name: title, exact: true })).toBeVisible();
      await panel.getByRole("button", { name: /^Add bundle to cart/ }).tap();
      await panel.getByRole("button", { name: "1 in your cart" }).tap();
      await expect(page.getByRole("dialog").last().getByRole("link", { name: "Roots of pocket" })).toBeVisible();
    });
  });
});
