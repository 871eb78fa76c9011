import { expectAccessible } from "./lib/axe.ts";
import { expect, test } from "./lib/fixtures.ts";
import { beNewCustomer, placeByApi } from "./lib/orders.ts";
import { appIsUp, beCustomer, beGuest, nameOfItsOwn, plusOf } from "./lib/shopper.ts";

test.describe("a product", () => {
  test(
    "a product has its description, tags, badge, origin, sizes with prices, and a bar to buy it",
    {
      tag: [
        "@spec:2.4-32",
        "@spec:2.4-33",
        "@spec:2.4-34",
        "@spec:2.4-38",
        "@spec:2.4-39",
        "@spec:2.4-42",
        "@spec:3-05",
        "@spec:3-07",
        "@spec:6-04",
        "@fail:A2",
      ],
    },
    async ({ page, market }) => {
      const product = await market.ask("product", { title: "Damson Plums", inventory: 3, priceCents: 650 });
      await market.ask("describe", {
        id: product.id,
        description: "<p>Small, <em>sour</em>, blue.</p><ul><li>For jam</li></ul>",
        new_description: "<p>Back for two weeks &amp; no more.</p>",
        tags: ["stone fruit", "local"],
        badge: 4,
        ribbon_type: "staff-insane-weekly-deal",
        ribbon_text: "Half price",
        discount_notes: "Until Thursday.",
        origin_county: "Boone",
        origin_state: "Indiana",
        processor: "Plum Hill",
        sizes: [{ title: "Crate", priceCents: 3000, salePriceCents: 2500, inventory: 40 }],
      });
      await market.ask("rate", { productId: product.id, halves: [9, 8, 10] });
      await beGuest(page, market);
      await page.goto(`/product/${product.slug}`);
      const panel = page.getByRole("dialog");
      await expect(panel.getByRole("heading", { name: "Damson Plums" })).toBeVisible();
      await expect(panel.getByText("sour")).toBeVisible();
      await expect(panel.getByRole("listitem").filter({ hasText: "For jam" })).toBeVisible();
      await expect(panel.getByText("Back for two weeks & no more.")).toBeVisible();
      await expect(panel.getByText("stone fruit, local")).toBeAttached();
      await expect(panel.getByText("Fresh for 4 days")).toBeVisible();
      await expect(panel.getByText("Until Thursday.")).toBeVisible();
      await expect(panel.getByText("Boone County, Indiana")).toBeVisible();
      await expect(panel.getByText("Plum Hill")).toBeVisible();
      await expect(panel.getByRole("img", { name: "4.5 out of 5 stars" }).first()).toBeVisible();

      const sizes = panel.getByRole("group", { name: "Size" });
      await expect(sizes.getByRole("radio")).toHaveCount(2);
      await expect(sizes).toContainText("$6.50");
      await expect(sizes).toContainText("Last 3");
      await expect(sizes).toContainText("$25.00, was $30.00");
      // As many as there are, and no more.
      await expect(sizes.getByRole("radio").first()).toBeChecked();
      const more = panel.getByRole("button", { name: "Add one Damson Plums, Each" });
      await more.click();
      await more.click();
      await expect(panel.getByRole("button", { name: "Add to Cart · $19.50" })).toBeVisible();
      await expect(more).toHaveAttribute("aria-disabled", "true");
      await more.click({ force: true });
      await expect(page.getByText("Only 3 left").first()).toBeVisible();
      await expect(panel.getByRole("button", { name: "Add to Cart · $19.50" })).toBeVisible();

      await sizes.getByRole("radio", { name: /Crate/ }).check();
      await panel.getByRole("button", { name: "Add one Damson Plums, Crate" }).click();
      await panel.getByRole("button", { name: "Add to Cart · $50.00" }).click();
      await expect(panel.getByText("In your cart · $50.00")).toBeVisible();
      const side = page.getByRole("complementary", { name: "Shopping panel", includeHidden: true });
      await expect(side.getByText("Damson Plums")).toBeAttached();
      // A guest may buy; subscribing is for customers.
      await expect(panel.getByRole("button", { name: /^Subscribe/ })).toHaveCount(0);
      await expectAccessible(page);

      // The vendor is a layer above it.
      await panel.getByRole("link", { name: /^Vendor \d+$/ }).click();
      await expect(page.getByRole("dialog")).toHaveCount(2);
      await page.goBack();
      await expect(panel.getByRole("heading", { name: "Damson Plums" })).toBeVisible();
    },
  );

  test(
    "a sold-out product is watched; a pre-order says when it arrives and has no badge",
    { tag: ["@spec:2.4-33", "@spec:2.4-35", "@spec:2.4-42"] },
    async ({ page, market }) => {
      const gone = await market.ask("product", { title: "Last Medlars", inventory: 0 });
      const later = await market.ask("product", {
        title: "Spring Peas",
        preOrderDate: `${new Date().getFullYear() + 1}-05-06`,
      });
      await market.ask("describe", { id: later.id, badge: 5 });
      await beGuest(page, market);
      const panel = page.getByRole("dialog");

      await page.goto(`/product/${gone.slug}`);
      const bar = panel.getByRole("button", { name: "Watch Product" });
      await expect(panel.getByText("Sold out").first()).toBeVisible();
      await expect(panel.getByRole("button", { name: /^Add to Cart/ })).toHaveCount(0);
      await bar.click();
      await expect(panel.getByRole("button", { name: "Watching" })).toBeVisible();
      await panel.getByRole("button", { name: "Close" }).click();
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      await expect(side.getByRole("heading", { name: "Watching" })).toBeVisible();
      await expect(side.getByRole("link", { name: "Last Medlars" })).toBeVisible();

      await page.goto(`/product/${later.slug}`);
      await expect(panel.getByText(/^Arrives .*May 6/).first()).toBeVisible();
      await expect(panel.getByText("Fresh for 5 days")).toHaveCount(0);
      await panel.getByRole("button", { name: /^Add to Cart/ }).click();
      await panel.getByRole("button", { name: "Close" }).click();
      await expect(side.getByRole("heading", { name: "Preorders" })).toBeVisible();
    },
  );

  test("a sold-out product shows what is similar and sold here; one that is in stock does not", async ({
    page,
    market,
  }) => {
    const tags = [nameOfItsOwn("cider")];
    const gone = await market.ask("product", { title: nameOfItsOwn("Pale Cider"), inventory: 0 });
    const similar = await market.ask("product", { title: nameOfItsOwn("Dry Cider"), inventory: 9 });
    for (const { id } of [gone, similar]) await market.ask("describe", { id, tags });
    await beGuest(page, market);
    await page.goto(`/product/${gone.slug}`);
    const panel = page.getByRole("dialog");
    await expect(panel.getByRole("button", { name: "Watch Product" })).toBeVisible();
    const list = panel.getByRole("region", { name: "Similar, and sold here" });
    await expect(list.getByRole("link", { name: similar.title, exact: true })).toBeVisible();
    await list.getByRole("link", { name: similar.title, exact: true }).click();
    const other = panel.last();
    await expect(other.getByRole("heading", { name: similar.title, exact: true })).toBeVisible();
    await expect(other.getByRole("button", { name: /^Add to Cart/ })).toBeVisible();
    await expect(other.getByRole("region", { name: "Similar, and sold here" })).toHaveCount(0);
  });

  test("a product that was ordered before says so", { tag: ["@spec:2.4-37"] }, async ({ page, market }) => {
    const product = await market.ask("product", { title: "Known Nettles", inventory: 9 });
    await beNewCustomer(page, market);
    await page.goto(`/product/${product.slug}`);
    const panel = page.getByRole("dialog");
    await expect(panel.getByRole("heading", { name: "Known Nettles" })).toBeVisible();
    await expect(panel.getByText(/^You ordered/)).toHaveCount(0);
    await placeByApi(page, market, [product]);
    await page.reload();
    await expect(panel.getByText("You ordered this once")).toBeVisible();
  });

  test(
    "a product shows the list's data at once, then the rest; a failure shows an error with Retry",
    { tag: ["@spec:4-20", "@spec:8-13"] },
    async ({ page, market }) => {
      const product = await market.ask("product", { title: "Held Hazelnuts", inventory: 9, priceCents: 725 });
      const { slug } = await market.ask("collection", { title: nameOfItsOwn("Held"), productIds: [product.id] });
      await beGuest(page, market);
      await page.goto(`/collections/${slug}`);
      let open = () => {};
      const opened = new Promise<void>((done) => (open = done));
      let broken = true;
      await page.route(`**/api/products/${product.slug}*`, async (route) => {
        await opened;
        return broken ? route.fulfill({ status: 500, json: ["Something went wrong."] }) : route.continue();
      });
      await page.getByRole("dialog").getByRole("link", { name: "Held Hazelnuts" }).click();
      const panel = page.getByRole("dialog").last();
      // The server has not answered yet.
      await expect(panel.getByRole("heading", { name: "Held Hazelnuts" })).toBeVisible();
      await expect(panel.getByRole("button", { name: "Add to Cart · $7.25" })).toBeVisible();
      await expect(panel.getByRole("tab", { name: "Q&A" })).toHaveCount(0);
      open();
      await expect(panel.getByText("There was an error loading this product. Please try again later.")).toBeVisible();
      await expect(panel.getByRole("heading", { name: "Held Hazelnuts" })).toBeVisible();
      broken = false;
      await panel.getByRole("button", { name: "Retry" }).click();
      await expect(panel.getByRole("tab", { name: "Q&A" })).toBeVisible();
    },
  );

  test(
    "a deleted or unknown product is the 404 page; another hub's is not",
    { tag: ["@spec:2.4-43", "@spec:4-20", "@spec:8-13"] },
    async ({ page, market }) => {
      const product = await market.ask("product", { title: "Vanishing Violets", inventory: 9 });
      const hidden = await market.ask("product", { title: "Hidden Haws", isPublished: false });
      const far = await market.ask("product", { title: "Far Figs", far: true });
      const { slug } = await market.ask("collection", { title: nameOfItsOwn("Vanishing"), productIds: [product.id] });
      await beGuest(page, market);
      await page.goto(`/collections/${slug}`);
      const link = page.getByRole("dialog").getByRole("link", { name: "Vanishing Violets" });
      await link.waitFor();
      await page.route(`**/api/products/${product.slug}*`, (route) =>
        route.fulfill({ status: 404, json: ["Not found."] }),
      );
      await link.click();
      await expect(page.getByRole("heading", { level: 1, name: "Page died of dysentery" })).toBeVisible();
      await expect(page).toHaveURL(/\/404$/);

      for (const key of [hidden.id, hidden.slug, 999_999_999]) {
        const answer = await page.goto(`/products/${key}`);
        expect(answer?.status()).toBe(404);
        await expect(page.getByRole("heading", { level: 1, name: "Page died of dysentery" })).toBeVisible();
      }
      const answer = await page.goto(`/products/${far.id}`);
      expect(answer?.status()).toBe(200);
      const panel = page.getByRole("dialog");
      await expect(panel.getByRole("heading", { name: "Far Figs" })).toBeVisible();
      await panel.getByRole("link", { name: market.farHub.name, exact: true }).click();
      await expect(page.getByRole("heading", { level: 1, name: market.farHub.name, exact: true })).toBeVisible();
      await page.goBack();
      await expect(panel.getByRole("heading", { name: "Far Figs" })).toBeVisible();
    },
  );

  test(
    "a product is listed as a tile and as a row, each with price and an add button",
    { tag: ["@spec:2.4-60", "@spec:3-08"] },
    async ({ page, market }) => {
      const product = await market.ask("product", {
        title: "Twofold Turnips",
        inventory: 2,
        priceCents: 450,
        salePriceCents: 395,
      });
      const { slug } = await market.ask("collection", { title: nameOfItsOwn("Twofold"), productIds: [product.id] });
      const { email } = await market.ask("customer", {});
      await beCustomer(page, market, { email, password: market.customer.password });
      await page.goto(`/collections/${slug}`);
      const panel = page.getByRole("dialog");
      const tile = panel.getByRole("article").filter({ hasText: "Twofold Turnips" });
      await expect(tile).toContainText("$3.95, was $4.50");
      await expect(tile).toContainText("Last 2");
      const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
      await plusOf(tile).click();
      await saved;
      await expect(tile.getByRole("button", { name: "Remove Twofold Turnips" })).toBeVisible();
      const hearted = page.waitForResponse((answer) => answer.url().endsWith("/favorite"));
      await tile.getByRole("button", { name: "Favorite Twofold Turnips" }).click();
      await hearted;

      await page.goto("/favorites");
      const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "Twofold Turnips" });
      await expect(row).toContainText("$3.95, was $4.50");
      await row.getByRole("button", { name: "Add one Twofold Turnips" }).click();
      await expect(row.getByRole("status").or(row.locator("output"))).toHaveText("2");
      await expect(row.getByRole("button", { name: "Add one Twofold Turnips" })).toHaveAttribute(
        "aria-disabled",
        "true",
      );
      await row.getByRole("button", { name: "Remove one Twofold Turnips" }).click();
      await row.getByRole("button", { name: "Remove Twofold Turnips" }).click();
      await expect(row.getByRole("button", { name: "Add Twofold Turnips", exact: true })).toBeVisible();
    },
  );
});

test(
  "a collection's page: placeholders while it loads, then its products, or an empty text",
  { tag: ["@spec:4-33", "@spec:3-23"] },
  async ({ page, market }) => {
    const product = await market.ask("product", { title: "Slow Sloes", inventory: 9 });
    const productIds = [product.id];
    const [slow, slowest] = [nameOfItsOwn("Slow shelf"), nameOfItsOwn("Slowest")];
    const { id: parentId, slug } = await market.ask("collection", { title: slow, productIds });
    const child = await market.ask("collection", { title: slowest, parentId, productIds });
    await beGuest(page, market);
    let open = () => {};
    const opened = new Promise<void>((done) => (open = done));
    await page.route(`**/api/collections/${slug}/products*`, async (route) => {
      await opened;
      return route.continue();
    });
    await page.goto("/collections");
    await appIsUp(page);
    await page.getByRole("main").getByRole("link", { name: slow, exact: true }).first().click();
    const panel = page.getByRole("dialog");
    await expect(panel.getByRole("heading", { name: slow, exact: true })).toBeVisible();
    await expect(panel.locator("[data-skeleton]")).toBeVisible();
    await expect(panel.getByRole("article")).toHaveCount(0);
    open();
    await expect(panel.getByRole("article").filter({ hasText: "Slow Sloes" })).toBeVisible();
    await expect(panel.locator("[data-skeleton]")).toHaveCount(0);
    await expect(panel.getByRole("link", { name: `All ${slow}`, exact: true })).toHaveAttribute("aria-current", "page");

    await page.route(`**/api/collections/${child.slug}/products*`, (route) =>
      route.fulfill({ json: { payload: [], totalRows: 0 } }),
    );
    await panel.getByRole("link", { name: slowest, exact: true }).click();
    await expect(panel.getByText(`Nothing in ${slowest} this week`)).toBeVisible();
    await panel.getByRole("button", { name: "Continue Shopping" }).click();
    await expect(panel).toHaveCount(0);
  },
);
