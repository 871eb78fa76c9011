import { expect, test } from "./lib/fixtures.ts";
import { appIsUp, beGuest, putInCart } from "./lib/shopper.ts";

test.describe("when the network fails", () => {
  for (const { what, refuse } of [
    { what: "its code", refuse: /\/assets\/share-modal-[^/]*\.js/ },
    { what: "its styles", refuse: /\/assets\/share-modal-[^/]*\.css/ },
  ])
    test(`an overlay that lost ${what} opens with Retry, and the page below stays`, async ({ page, market }) => {
      await beGuest(page, market);
      let requests = 0;
      await page.route(refuse, (route) => {
        requests += 1;
        return route.abort();
      });
      // Nothing but what is opened is fetched.
      await page.addInitScript(() => (window.requestIdleCallback = () => 0));
      await page.goto(`/product/${market.products[5]!.slug}`);
      const layers = page.getByRole("dialog");
      await layers.getByRole("button", { name: "Share" }).click();
      await expect(layers.last().getByText("This didn’t load.")).toBeVisible();
      expect(requests).toBeGreaterThan(0);

      // Still nothing there: it says so again.
      const before = requests;
      await page.route("**/version.json", (route) => route.abort());
      await layers.last().getByRole("button", { name: "Retry" }).click();
      await expect.poll(() => requests).toBeGreaterThan(before);
      await expect(layers.last().getByText("This didn’t load.")).toBeVisible();

      await page.evaluate(() => ((window as { marked?: boolean }).marked = true));
      await page.unroute(refuse);
      await layers.last().getByRole("button", { name: "Retry" }).click();
      await expect(
        layers.last().getByRole("heading", { name: `Share ${market.products[5]!.title}`, exact: true }),
      ).toBeVisible();
      await expect(layers.last().getByRole("button", { name: "Copy Link" })).toHaveCSS("display", "flex");
      expect(await page.evaluate(() => (window as { marked?: boolean }).marked)).toBe(true);

      await page.goBack();
      await expect(layers).toHaveCount(1);
      await expect(layers.getByRole("heading", { name: market.products[5]!.title, exact: true })).toBeVisible();
    });

  test("a product tab whose code is lost says so, and the other tab still shows", async ({ page, market }) => {
    await beGuest(page, market);
    await market.ask("rate", { productId: market.products[4]!.id, halves: [8] });
    await page.addInitScript(() => (window.requestIdleCallback = () => 0));
    await page.route(/\/assets\/questions-section-[^/]*\.js/, (route) => route.abort());
    await page.goto(`/product/${market.products[4]!.slug}`);
    const panel = page.getByRole("dialog");
    await panel.getByRole("tab", { name: "Q&A" }).click();
    await expect(panel.getByRole("tabpanel").getByText("This didn’t load.")).toBeVisible();
    await panel.getByRole("tab", { name: /^Reviews/ }).click();
    await expect(panel.getByRole("tabpanel").getByRole("listitem").first()).toBeVisible();
  });

  test("checkout: a guest whose form is lost keeps the page, and has the form after Retry", async ({
    page,
    market,
  }) => {
    await beGuest(page, market);
    await putInCart(page, market, [market.products[5]!]);
    const form = /\/assets\/register-form-[^/]*\.js/;
    await page.route(form, (route) => route.abort());
    await page.goto("/embed/checkout");
    await expect(page.getByText("This form didn’t load.")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: "Checkout", exact: true })).toBeVisible();
    await page.unroute(form);
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await expect(page.getByRole("textbox", { name: "Email", exact: true })).toBeVisible();
  });

  test("an overlay whose chunk needs a lost file opens after a reload of the page", async ({ page, market }) => {
    await beGuest(page, market);
    await page.addInitScript(() => (window.requestIdleCallback = () => 0));
    await page.goto("/vendors");
    await page.getByRole("main").getByRole("link", { name: "Hearth & Rye" }).first().waitFor();
    // One of the server's links would load the vendor's page without any code.
    await appIsUp(page);
    let refused = true;
    // Every chunk requested from now on: the panel, and shared ones. `/version.json` fails too: when it answers, a second failed
    // load reloads the page, which then has no code.
    await page.route(/\/assets\/.*\.js|\/version\.json/, (route) => (refused ? route.abort() : route.continue()));
    await page.getByRole("main").getByRole("link", { name: "Hearth & Rye" }).first().click();
    const layer = page.getByRole("dialog");
    await expect(layer.getByText("This didn’t load.")).toBeVisible();
    refused = false;
    await layer.getByRole("button", { name: "Retry" }).click();
    await expect(layer.getByRole("heading", { name: "Hearth & Rye" })).toBeVisible();
    await expect(layer.getByRole("heading", { name: "The Latest" })).toBeVisible();
    await layer.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/\/vendors$/);
  });

  test("a list that fails to refetch stays, says how old it is, and refetches", async ({ page, market }) => {
    await beGuest(page, market);
    await page.clock.install();
    await page.goto("/shop");
    await appIsUp(page);
    await expect(page.getByRole("heading", { name: "From the stalls" })).toBeVisible();
    await page.goto("/vendors");
    await appIsUp(page);
    const main = page.getByRole("main");
    await expect(main.getByRole("link", { name: "Hearth & Rye" }).first()).toBeVisible();
    await page.getByRole("contentinfo").getByRole("link").first().waitFor();

    await page.route("**/api/**", (route) =>
      route.request().method() === "GET"
        ? route.fulfill({ status: 503, json: ["Something went wrong."] })
        : route.continue(),
    );
    const stale = main.getByText(/^Showing what we had at \d{1,2}:\d\d/);
    await page.getByRole("radio", { name: "Popular" }).waitFor();
    // Away and back when it is old: the feed, kept for this tab, then the vendors.
    await page.clock.fastForward("06:00");
    await page
      .getByRole("link", { name: /Little Wagon|Marketday|Carmel/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/shop$/);
    await expect(stale).toBeVisible();
    await expect(main.getByRole("heading", { name: "From the stalls" })).toBeVisible();
    await page.goBack();
    // The shop's notice is still there until the vendors are.
    await expect(main.getByRole("heading", { name: "Browse Local Farms & Artisans" })).toBeVisible();
    await expect(stale).toBeVisible();
    await expect(main.getByRole("link", { name: "Hearth & Rye" }).first()).toBeVisible();
    await page.unroute("**/api/**");
    await main.getByRole("button", { name: "Retry" }).click();
    await expect(stale).toHaveCount(0);
    await expect(main.getByRole("link", { name: "Hearth & Rye" }).first()).toBeVisible();
  });
});
