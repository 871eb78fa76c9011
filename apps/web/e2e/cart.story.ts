import { expect, test } from "./lib/fixtures.ts";
import { beGuest, checkoutFrame, putInCart } from "./lib/shopper.ts";

test.describe("the cart", () => {
  test(
    "empty, filled, down to one and empty again",
    { tag: ["@spec:4-16", "@spec:2.4-18", "@spec:2.4-20", "@spec:2.4-21", "@spec:4-19"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/vendors");
      // The day is always in sight, above the shop.
      const chip = page.getByRole("banner").getByRole("button", { name: /^Your market: Carmel market/ });
      await expect(chip).toContainText("Order by");
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      await expect(side.getByText("Your cart is Empty")).toBeVisible();
      await expect(side.getByRole("button", { name: "Checkout" })).toHaveCount(0);
      await side.getByRole("link", { name: "Continue Shopping" }).click();
      await expect(page).toHaveURL(/\/shop$/);

      const product = await market.ask("product", { title: "Crimson Carrots", inventory: 9 });
      await putInCart(page, market, [{ ...product, quantity: 2 }]);
      await page.goto("/shop");
      const line = side.getByRole("group", { name: /^Quantity of Crimson Carrots/ });
      await expect(line.getByRole("status")).toHaveText("2");
      await expect(side.getByRole("button", { name: "Checkout" })).toBeEnabled();
      await line.getByRole("button", { name: /^Remove one Crimson Carrots/ }).click();
      await expect(line.getByRole("status")).toHaveText("1");
      await line.getByRole("button", { name: /^Remove Crimson Carrots/ }).click();
      await expect(line).toHaveCount(0);
      await expect
        .poll(async () => {
          const answer = await page.request.get(`${market.address}/api/cart`);
          return ((await answer.json()) as { items: unknown[] }).items;
        })
        .toEqual([]);
      await page.reload();
      await expect(side.getByText("Your cart is Empty")).toBeVisible();
    },
  );

  test(
    "a code in a link takes off for whoever comes by it, also for the first time; two tabs show one cart",
    { tag: ["@spec:2.2-04"] },
    async ({ page, context, market }) => {
      const code = `LINK${process.pid}${Date.now() % 100_000}`;
      await market.ask("discountCode", { code, percent: 10 });
      const fig = await market.ask("product", { title: "Offer Figs", priceCents: 1000, inventory: 20 });
      await page.goto(`/shop?offer=${code}`);
      const taken = page.waitForResponse((answer) => answer.url().endsWith("/api/cart/discount"));
      await page.getByRole("dialog").getByLabel("Zip code").fill("46032");
      await page.getByRole("button", { name: "Browse" }).click();
      expect((await taken).status()).toBe(200);
      await expect(page).toHaveURL(/\/shop$/);

      const other = await context.newPage();
      await other.goto(`/product/${fig.id}`);
      await other
        .getByRole("dialog")
        .getByRole("button", { name: /^Add to Cart/ })
        .click();
      // The first tab hears of it, with the code that it brought.
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      await expect(side.getByRole("link", { name: "Offer Figs" })).toBeVisible();
      await expect(side.getByText("10% off").first()).toBeVisible();
      const cart = (await (await page.request.get(`${market.address}/api/cart`)).json()) as { subtotal: number };
      expect(cart.subtotal).toBe(9);
      // Once used it is not put into the cart again.
      await page.request.put(`${market.address}/api/cart/discount`, {
        data: { code: null },
        headers: { origin: market.address },
      });
      await page.reload();
      await expect(side.getByRole("link", { name: "Offer Figs" })).toBeVisible();
      await expect(side.getByText("10% off")).toHaveCount(0);
    },
  );

  test("nobody yet is asked where to", { tag: ["@spec:2.4-22"] }, async ({ page }) => {
    await page.goto("/hubs");
    const side = page.getByRole("complementary", { name: "Shopping panel" });
    await side.getByRole("button", { name: "Set a delivery address" }).click();
    await expect(page.getByRole("dialog").getByLabel("Zip code")).toBeVisible();
  });

  test("a line that is refused goes back, in the market's words", { tag: ["@spec:8-09"] }, async ({ page, market }) => {
    const one = await market.ask("product", { title: "Refused Radish", inventory: 9 });
    const two = await market.ask("product", { title: "Refused Rhubarb", inventory: 9 });
    await beGuest(page, market);
    await putInCart(page, market, [
      { ...one, quantity: 1 },
      { ...two, quantity: 1 },
    ]);
    await page.goto("/shop");
    const side = page.getByRole("complementary", { name: "Shopping panel" });
    const quantityOf = (title: string) => side.getByRole("group", { name: new RegExp(`^Quantity of ${title}`) });
    const more = (title: string) => quantityOf(title).getByRole("button", { name: new RegExp(`^Add one ${title}`) });
    await expect(more("Refused Radish")).toBeVisible();
    const refuse = (route: import("@playwright/test").Route) =>
      route.request().method() === "PUT" ? route.fulfill({ status: 422, json: ["No."] }) : route.fallback();
    await page.route("**/api/cart", refuse);
    await more("Refused Radish").click();
    await expect(
      page.getByText("There was an error adding this item to your cart. Please try again later.").first(),
    ).toBeVisible();
    await expect(quantityOf("Refused Radish").getByRole("status")).toHaveText("1");

    // Two at once: the first answer is held back until both are wanted.
    await page.unroute("**/api/cart", refuse);
    const held = Promise.withResolvers<void>();
    await page.route("**/api/cart", async (route) => {
      if (route.request().method() !== "PUT") return route.fallback();
      await held.promise;
      return route.fulfill({ status: 422, json: ["No."] });
    });
    const asked = page.waitForRequest((request) => request.method() === "PUT");
    await more("Refused Radish").click();
    await asked;
    const askedAgain = page.waitForRequest((request) => request.method() === "PUT");
    await more("Refused Radish").click();
    await more("Refused Rhubarb").click();
    held.resolve();
    await askedAgain;
    await expect(
      page
        .getByText(
          "There was an error while adding items to your cart. If the issue persists, please contact Customer Service.",
        )
        .first(),
    ).toBeVisible();
    await expect(quantityOf("Refused Rhubarb").getByRole("status")).toHaveText("1");
  });

  test("a page painted before the last tap had arrived shows what arrived", async ({ page, market }) => {
    const product = await market.ask("product", { title: "Parting Parsnips", inventory: 9 });
    await beGuest(page, market);
    await putInCart(page, market, [{ ...product, quantity: 1 }]);
    await page.goto("/shop");
    const side = page.getByRole("complementary", { name: "Shopping panel" });
    const line = side.getByRole("group", { name: /^Quantity of Parting Parsnips/ });
    await expect(line.getByRole("status")).toHaveText("1");
    // The next page is painted first, then the change arrives, then the page does.
    const painted = Promise.withResolvers<void>();
    await page.route("**/api/cart", async (route) => {
      if (route.request().method() === "PUT") await painted.promise;
      return route.fallback();
    });
    const heard = Promise.withResolvers<void>();
    await page.exposeBinding("hearArrival", () => heard.resolve());
    await page.evaluate(() => {
      const set = Storage.prototype.setItem;
      Storage.prototype.setItem = function setItem(key, value) {
        set.call(this, key, value);
        if (key === "marketday:cart-arrived") (window as unknown as { hearArrival: () => void }).hearArrival();
      };
    });
    await page.route("**/vendors", async (route) => {
      if (!route.request().isNavigationRequest()) return route.fallback();
      const response = await route.fetch();
      painted.resolve();
      // And the page that asked has heard it.
      await heard.promise;
      return route.fulfill({ response });
    });
    await line.getByRole("button", { name: /^Add one Parting Parsnips/ }).click();
    await expect(line.getByRole("status")).toHaveText("2");
    await page.goto("/vendors");
    await expect(line.getByRole("status")).toHaveText("2");
  });

  test(
    "a login in the checkout that cannot be verified says so",
    { tag: ["@spec:8-06", "@spec:4-36"] },
    async ({ page, market }) => {
      const { email } = await market.ask("customer", { address: true });
      await beGuest(page, market);
      await putInCart(page, market, [market.products[6]!]);
      await page.goto("/shop");
      await page.getByRole("button", { name: "Checkout" }).click();
      const frame = checkoutFrame(page);
      await frame.getByRole("button", { name: "Login", exact: true }).click();
      await frame.getByLabel("Email").fill(email);
      await frame.getByLabel("Password", { exact: true }).fill(market.customer.password);
      await page.route("**/api/auth", (route) => route.fulfill({ status: 422, json: ["No."] }));
      await frame.getByRole("button", { name: "Login to My Account" }).click();
      await expect(
        page
          .getByText(
            "There was error after logging in. Please try again later. If the issue persists please contact customer service.",
          )
          .first(),
      ).toBeVisible();
      await expect(page.locator('iframe[title="Checkout"]')).toHaveCount(0);
      await expect(page).toHaveURL(/\/shop$/);
    },
  );
});
