import { expectAccessible } from "./lib/axe.ts";
import { expect, test } from "./lib/fixtures.ts";
import { beGuest, wordOfItsOwn } from "./lib/shopper.ts";

test.describe("search", () => {
  test(
    "search from the header: suggestions after three letters, by arrow keys, with the predicted part bold",
    { tag: ["@spec:2.3-05", "@spec:4-32", "@spec:5-33", "@spec:9-18"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.clock.install();
      const requests: string[] = [];
      page.on("request", (request) => {
        if (request.url().includes("/api/search/")) requests.push(new URL(request.url()).pathname);
      });
      await page.goto("/shop");
      const field = page.getByRole("combobox", { name: "Search the market" });
      await field.click();
      await expect(page.getByRole("radio", { name: "Items" })).toBeChecked();
      await field.pressSequentially("to");
      await expect(page.getByText("Please provide at least 3 characters.")).toBeVisible();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/\/shop$/);
      expect(requests).toEqual([]);

      // Typed without a pause: one request, not one for each letter.
      await page.clock.pauseAt(new Date(Date.now() + 60_000));
      await field.pressSequentially("mat");
      await page.clock.runFor(299);
      expect(requests).toEqual([]);
      await page.clock.runFor(1);
      await page.clock.resume();
      const option = page.getByRole("option", { name: /Golden Tomatoes/ });
      await expect(option).toBeVisible();
      expect(requests).toEqual(["/api/search/new/auto-complete/tomat"]);
      await expect(option.locator("b").last()).toHaveText("oes");

      await page.keyboard.press("ArrowDown");
      const first = page.getByRole("option").first();
      await expect(first).toHaveAttribute("aria-selected", "true");
      await expect(field).toHaveAttribute("aria-activedescendant", (await first.getAttribute("id")) ?? "");
      await expect(field).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("option")).toHaveCount(0);
      await expect(field).toHaveValue("tomat");
      await field.fill("golden");
      // The list of before stays until the new one is there.
      await expect.poll(() => requests.at(-1)).toMatch(/\/golden$/);
      await expect(page.getByRole("listbox")).not.toHaveAttribute("data-waiting");
      await page.keyboard.press("ArrowDown");
      await page.getByRole("option", { name: /Golden Tomatoes/ }).click();
      await expect(page.getByRole("dialog").getByRole("heading", { name: "Golden Tomatoes" })).toBeVisible();
      await page.goBack();
      await expect(field).toBeFocused();
    },
  );

  test("search: what is typed after Enter, before the results arrive, stays in the field", async ({ page, market }) => {
    await beGuest(page, market);
    let release = () => {};
    const held = new Promise<void>((done) => (release = done));
    await page.route(/\/assets\/search-page-[^/]*\.js/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/shop");
    const field = page.getByRole("combobox", { name: "Search the market" });
    await field.fill("golden");
    await field.press("Enter");
    await field.pressSequentially(" tom");
    release();
    await expect(page.getByRole("heading", { name: /^Found \d+ result/ })).toBeVisible();
    await expect(field).toHaveValue("golden tom");
    // Back to the shop empties it.
    await page.goBack();
    await expect(field).toHaveValue("");
  });

  test("search: suggestions that arrive late leave nothing highlighted, and Enter searches for what was typed", async ({
    page,
    market,
  }) => {
    const [early, late] = [wordOfItsOwn(), wordOfItsOwn()];
    for (const word of [early, late]) await market.ask("vendor", { name: word, products: 3 });
    await beGuest(page, market);
    await page.goto("/shop");
    const field = page.getByRole("combobox", { name: "Search the market" });
    await field.fill(early);
    const suggestions = page.getByRole("option").filter({ hasNotText: /^All results/ });
    await expect(suggestions.filter({ hasText: new RegExp(early, "i") }).first()).toBeVisible();
    const released = Promise.withResolvers<void>();
    await page.route(`**/auto-complete/${late}*`, async (route) => {
      await released.promise;
      await route.continue();
    });
    const sent = page.waitForRequest(`**/auto-complete/${late}*`);
    await field.fill(late);
    await sent;
    // The list of before is still there and can be walked.
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(page.locator('[role="option"][aria-selected="true"]')).toHaveCount(1);
    released.resolve();
    await expect(suggestions.filter({ hasText: new RegExp(late, "i") }).first()).toBeVisible();
    await expect(page.locator('[role="option"][aria-selected="true"]')).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(new RegExp(`/search\\?q=${late}$`));
  });

  test(
    "search results: their number, 18 a page, added to the cart from the list",
    { tag: ["@spec:2.1-24"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      const word = wordOfItsOwn();
      await market.ask("vendor", { name: word, products: 20 });
      await page.goto(`/search?q=${word}`);
      await expect(page.getByRole("heading", { level: 1, name: "Found 20 results" })).toBeVisible();
      const tiles = page.getByRole("main").getByRole("article");
      await expect(tiles).toHaveCount(18);
      await expectAccessible(page);
      await tiles.first().getByRole("button", { name: /^Add / }).click();
      await expect(page.getByRole("complementary").getByRole("tab", { name: "Cart · 1" })).toBeVisible();

      await page.getByRole("button", { name: "Show 2 more" }).click();
      await expect(tiles).toHaveCount(20);
      await expect(page).toHaveURL(new RegExp(`q=${word}&page=2$`));
      await expect(tiles.nth(18).getByRole("heading").getByRole("link")).toBeFocused();
      await page.reload();
      await expect(tiles).toHaveCount(2);
      await page.getByRole("link", { name: "Page 1" }).click();
      await expect(tiles).toHaveCount(18);
      await page.goBack();
      await expect(tiles).toHaveCount(2);
    },
  );

  test(
    "search: vendors, no results, and a failing server",
    { tag: ["@spec:2.3-05", "@spec:8-19"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/search?q=rooted");
      await page.getByRole("main").getByRole("radio", { name: "Vendors" }).check();
      await expect(page).toHaveURL(/\/search\?q=rooted&in=vendors$/);
      await expect(page.getByRole("heading", { level: 1, name: "Found 1 results" })).toBeVisible();
      await expect(page.getByRole("main").getByRole("link", { name: "Rooted Acre Farm" })).toBeVisible();

      await page.goto(`/search?q=${encodeURIComponent("%_' 🍅 خيار")}`);
      await expect(page.getByRole("heading", { level: 1, name: "Found 0 results" })).toBeVisible();
      await expect(page.getByRole("list", { name: "Collections to browse" }).getByRole("link")).not.toHaveCount(0);
      await page.goto("/search?q=to");
      await expect(page.getByText("Please provide at least 3 characters.")).toBeVisible();

      await page.route("**/api/search/vendors/**", (route) => route.fulfill({ status: 404, json: ["Not found."] }));
      await page.goto("/search?q=hearth&in=vendors");
      await expect(page.getByRole("main").getByRole("alert")).toContainText(
        "Sorry, we could not find any vendors at this time",
      );
      await page.unroute("**/api/search/vendors/**");
      await page.getByRole("button", { name: "Retry" }).click();
      await expect(page.getByRole("main").getByRole("link", { name: "Hearth & Rye" })).toBeVisible();
    },
  );

  test("search results that fail to refetch stay, with Retry", async ({ page, market }) => {
    await beGuest(page, market);
    await page.clock.install();
    const main = page.getByRole("main");
    for (const { address, found, notice } of [
      {
        address: "/search?q=rooted&in=vendors",
        found: "Rooted Acre Farm",
        notice: /^Showing what we had at \d{1,2}:\d\d/,
      },
      { address: "/search?q=golden", found: "Golden Tomatoes", notice: "Something went wrong." },
    ]) {
      await page.goto(address);
      const link = main.getByRole("link", { name: found, exact: true }).first();
      await expect(link).toBeVisible();
      await page.route("**/api/search/**", (route) =>
        route.fulfill({ status: 503, json: ["Something went wrong.", { code: "internal" }] }),
      );
      // Away and back when it is old.
      await page.clock.fastForward("02:00");
      await page.getByRole("banner").getByRole("link").first().click();
      await expect(main.getByRole("heading", { name: "From the stalls" })).toBeVisible();
      await page.goBack();
      await expect(main.getByText(notice)).toBeVisible();
      await expect(link).toBeVisible();
      await page.unroute("**/api/search/**");
      await main.getByRole("button", { name: "Retry" }).click();
      await expect(main.getByText(notice)).toHaveCount(0);
      await expect(link).toBeVisible();
    }
  });

  test("a link with q opens the search", { tag: ["@spec:2.1-02", "@spec:2.2-02"] }, async ({ page, market }) => {
    await beGuest(page, market);
    for (const path of ["/?q=honey&trk=flyer", "/more?q=honey"]) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/search\?q=honey$/);
      await expect(page.getByRole("heading", { level: 1, name: /^Found \d+ results$/ })).toBeVisible();
    }
  });

  test.describe("on a phone", () => {
    test.use({ viewport: { width: 360, height: 740 }, hasTouch: true });
    test("the search is a sheet that Back skips", { tag: ["@spec:2.3-05"] }, async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/shop");
      await page.getByRole("button", { name: "Search" }).tap();
      const sheet = page.getByRole("dialog");
      await expect(sheet.getByRole("combobox")).toBeFocused();
      await page.keyboard.type("tomatoes");
      await expect(sheet.getByRole("option").first()).toBeVisible();
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/\/search\?q=tomatoes$/);
      await expect(sheet).toHaveCount(0);
      await page.goBack();
      await expect(page).toHaveURL(/\/shop$/);
      await expect(sheet).toHaveCount(0);
      await page.getByRole("button", { name: "Search" }).tap();
      await expect(sheet.getByRole("option", { name: "tomatoes" })).toBeVisible();
    });
  });
});
