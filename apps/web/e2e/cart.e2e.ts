import { expect, openBrowser, type Page, test } from "./lib/fixtures.ts";
import { askApi, beNewCustomer, placeByApi } from "./lib/orders.ts";
import {
  CART,
  beCustomer,
  beGuest,
  checkoutFrame,
  nameOfItsOwn,
  newProduct,
  plusOf,
  putInCart,
  tileOf,
} from "./lib/shopper.ts";

/** The shop as it is rendered without the cart, as the copy kept for offline use is: the app reads the cart itself. */
const withoutCart = (page: Page) =>
  page.route("**/shop", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(
      /(<script[^>]*id="own"[^>]*>)(.*?)(<\/script>)/s,
      (_, open: string, json: string, close: string) => {
        const own = JSON.parse(json) as Record<string, unknown>;
        delete own["cart"];
        return open + JSON.stringify(own).replaceAll("<", "\\u003c") + close;
      },
    );
    await route.fulfill({ response: answer, body });
  });

test.describe("the cart", () => {
  test(
    "cart: loading is shown until the first response; a change refused before it leaves the server's cart",
    { tag: ["@spec:4-17"] },
    async ({ page, shop }) => {
      await beGuest(page, shop);
      const kept = await shop.ask("product", { title: "Kept Cabbage", inventory: 9 });
      const added = await newProduct(shop, "Refused Rhubarb");
      await putInCart(page, shop, [{ ...kept, quantity: 2 }]);
      await withoutCart(page);
      const answered = Promise.withResolvers<void>();
      await page.route(CART, async (route) => {
        if (route.request().method() === "PUT")
          return route.fulfill({ status: 400, json: ["No.", { code: "invalid" }] });
        await answered.promise;
        return route.continue();
      });
      await page.goto("/shop");
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      await expect(side.locator("[data-skeleton]")).toBeVisible();
      await expect(side.getByText("Your cart is Empty")).toHaveCount(0);
      const refused = page.waitForResponse((answer) => answer.request().method() === "PUT");
      await plusOf(tileOf(page, added.title)).click();
      await refused;
      answered.resolve();
      await expect(side.getByRole("group", { name: /^Quantity of Kept Cabbage/ }).getByRole("status")).toHaveText("2");
      await expect(side.locator("[data-skeleton]")).toHaveCount(0);
      await expect(side.getByRole("link", { name: "Kept Cabbage" })).toBeVisible();
      await expect(side.getByText("Your cart is Empty")).toHaveCount(0);
    },
  );

  test(
    "cart: empty, filled, lowered to one and empty again",
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
      // The cart's own head says when it comes.
      await expect(side.getByText(/^Arrives (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$/)).toBeVisible();
      await expect(side.getByText(/(left|Closes|closes) .*/).first()).toBeVisible();
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

  test("an empty cart offers what the customer orders most, and goes on with it once it was used, without a focus too", async ({
    page,
    shop,
  }) => {
    const beans = await shop.ask("product", { title: "Usual Umber Beans", inventory: 9 });
    await beNewCustomer(page, shop);
    for (const _ of ["first", "second"]) await placeByApi(page, shop, [beans]);
    await page.goto("/shop");
    const side = page.getByRole("complementary", { name: "Shopping panel" });
    const usuals = side.getByRole("region", { name: "Your usuals", exact: true });
    const row = usuals.getByRole("listitem").first();
    await expect(row).toContainText("Usual Umber Beans");
    await expect(row).toContainText("You ordered this twice");
    await plusOf(row).press("Enter");
    const checkout = side.getByRole("button", { name: "Checkout" });
    await expect(checkout).toBeVisible();
    await expect(row.getByRole("button", { name: /^Add one/ })).toBeFocused();
    await checkout.focus();
    await expect(row).toBeVisible();
    // Empty again, it is new: what another part of the page adds makes it leave.
    await side
      .getByRole("group", { name: /^Quantity of Usual Umber Beans/ })
      .first()
      .getByRole("button", { name: /^Remove Usual Umber Beans/ })
      .click();
    await expect(side.getByText("Your cart is Empty")).toBeVisible();
    await plusOf(page.getByRole("main").getByRole("article").first()).click();
    await expect(checkout).toBeVisible();
    await expect(usuals).toHaveCount(0);
  });

  test(
    "a code in a link applies for customers and new visitors; two tabs show one cart",
    { tag: ["@spec:2.2-04"] },
    async ({ page, context, market }) => {
      const code = `LINK${process.pid}${Date.now() % 100_000}`;
      await market.ask("discountCode", { code, percent: 10 });
      const fig = await market.ask("product", { title: "Offer Figs", priceCents: 1000, inventory: 20 });
      await page.goto(`/shop?offer=${code}`);
      const answered = () => page.waitForResponse((answer) => answer.url().endsWith("/api/cart/discount"));
      // Refused once, it is tried again with the next visit.
      await page.route("**/api/cart/discount", (route) => route.fulfill({ status: 422, json: ["Not today."] }));
      const refused = answered();
      await page.getByRole("dialog").getByLabel("Zip code").fill("46032");
      await page.getByRole("button", { name: "Browse" }).click();
      await (await refused).finished();
      await page.unroute("**/api/cart/discount");
      const taken = answered();
      await page.reload();
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

  test("the estimated total of a cart is the total that checkout shows for home delivery without a tip; Checkout is reached in a low window", async ({
    page,
    market,
  }) => {
    const plum = await market.ask("product", { title: nameOfItsOwn("Summed Plums"), priceCents: 733, inventory: 9 });
    await beNewCustomer(page, market);
    await putInCart(page, market, [{ ...plum, quantity: 2 }]);
    const choice = { type: "delivery", tipPercentage: 0 };
    const { orderTotal } = await askApi<{ orderTotal: number }>(page, market, "POST", "/checkout/quote", choice);
    await page.goto("/shop");
    const side = page.getByRole("complementary", { name: "Shopping panel" });
    await expect(side.locator("dl dt")).toHaveText([
      "Subtotal",
      "Home delivery, once a box",
      "Processing fee",
      "Tax",
      "Estimated total",
    ]);
    await expect(side.locator("dl dd").last()).toHaveText(`$${orderTotal.toFixed(2)}`);

    // In a low window the panel stays beside the page, and its button is reached by scrolling.
    await page.setViewportSize({ width: 1280, height: 400 });
    const checkout = side.getByRole("button", { name: "Checkout" });
    await checkout.scrollIntoViewIfNeeded();
    await expect(checkout).toBeInViewport({ ratio: 1 });
  });

  test(
    "a cart with nothing to buy: Checkout is disabled and says why",
    { tag: "@spec:2.4-20" },
    async ({ page, market }) => {
      const leek = await market.ask("product", { title: "Sold Leeks", priceCents: 300, inventory: 9 });
      await beGuest(page, market);
      await putInCart(page, market, [leek]);
      await market.ask("stock", { variantId: leek.variantId, inventory: 0 });
      await page.goto("/shop");
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      await expect(side.getByRole("region", { name: "Watching" })).toBeVisible();
      const checkout = side.getByRole("button", { name: "Checkout" });
      await expect(checkout).toHaveAttribute("aria-disabled", "true");
      await expect(checkout).toHaveAccessibleDescription(
        "Everything in your cart is sold out or not sold in your market. Add something to check out.",
      );
      await checkout.click({ force: true });
      await expect(page.getByRole("dialog")).toHaveCount(0);
      // Sums are read from top to bottom: what the lines come to, then what a box costs on top.
      await expect(side.locator("dl dt")).toHaveText(["Subtotal", "Home delivery, once a box"]);
      await market.ask("stock", { variantId: leek.variantId, inventory: 9 });
      await page.reload();
      await expect(checkout).toBeEnabled();
    },
  );

  test(
    "cart: active, watched and pre-order lines are separate; every discount has a line; at most three banners",
    { tag: ["@spec:2.4-19", "@spec:2.4-23", "@spec:2.4-24"] },
    async ({ page, market }) => {
      const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const fig = await market.ask("product", { title: "Whole Figs", priceCents: 1000, inventory: 20 });
      const ham = await market.ask("product", {
        title: "Ordered Ham",
        priceCents: 4000,
        inventory: 20,
        preOrderDate: soon(30),
      });
      const leek = await market.ask("product", { title: "Waited Leeks", priceCents: 300, inventory: 9 });
      const roots = await market.ask("product", { title: "Bundled Roots", priceCents: 500, inventory: 20 });
      const items = [{ variantId: roots.variantId, quantity: 2 }];
      const bundle = await market.ask("bundle", { title: "Root Box", slug: "root-box", discountPpm: 100_000, items });
      const code = `FULL${process.pid}${Date.now() % 100_000}`;
      await market.ask("discountCode", { code, percent: 10 });
      await beGuest(page, market);
      await putInCart(page, market, [{ ...fig, quantity: 2 }, ham, leek]);
      const put = async (path: string, data: unknown) => {
        const answer = await page.request.put(`${market.address}/api${path}`, {
          data,
          headers: { origin: market.address },
        });
        expect(answer.ok()).toBe(true);
      };
      await put("/cart", [{ productId: roots.id, variantId: roots.variantId, quantity: 2, fromBundleId: bundle.id }]);
      await put("/cart/discount", { code });
      await market.ask("stock", { variantId: leek.variantId, inventory: 0 });
      await market.ask("price", { variantId: fig.variantId, priceCents: 1100 });
      await market.ask("price", { variantId: ham.variantId, priceCents: 4100 });
      await market.ask("price", { variantId: roots.variantId, priceCents: 600 });

      await page.goto("/vendors");
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      const titles = (group: string) =>
        side.getByRole("region", { name: group, exact: true }).getByRole("link", { name: /Figs|Ham|Leeks|Roots/ });
      await expect(titles("Items")).toHaveText(["Whole Figs", "Bundled Roots"]);
      await expect(titles("Preorders")).toHaveText(["Ordered Ham"]);
      await expect(titles("Watching")).toHaveText(["Waited Leeks"]);
      // What is watched has no quantity to step and no price to pay.
      await expect(side.getByRole("region", { name: "Watching" }).getByRole("group")).toHaveCount(0);
      const bundled = side
        .getByRole("region", { name: "Items" })
        .getByRole("listitem")
        .filter({ hasText: "Bundled Roots" });
      await expect(bundled.getByText("Root Box")).toBeVisible();
      await expect(bundled.getByText("$10.80")).toBeVisible();
      await expect(bundled.locator("s, del")).toHaveText(/\$12\.00/);

      // 2 × 11 + 41 + 2 × 6 = 75; the bundle takes 1.20 off, the code a tenth of what is left.
      const sums = side.locator("dl > div");
      await expect(sums.filter({ hasText: "Root Box" })).toHaveText(/1\.20/);
      await expect(sums.filter({ hasText: "10% off" })).toHaveText(/7\.38/);
      const subtotal = sums.filter({ hasText: "Subtotal" });
      await expect(subtotal).toContainText("$66.42");
      await expect(subtotal.locator("s, del")).toHaveText(/\$75\.00/);

      // Four things to say, warnings first: the last one waits until there is room.
      const { banners } = (await (await page.request.get(`${market.address}/api/cart`)).json()) as {
        banners: { title: string; type: string }[];
      };
      expect(banners.map(({ type }) => type)).toEqual(["warning", "information", "information", "information"]);
      const shown = (title: string) => side.getByText(title);
      for (const { title } of banners.slice(0, 3)) await expect(shown(title)).toBeVisible();
      await expect(shown(banners[3]!.title)).toHaveCount(0);
      expect(banners[0]!.title).toMatch(/^Waited Leeks.* is sold out\.$/);

      // It comes back automatically when more arrives, and then counts.
      await market.ask("stock", { variantId: leek.variantId, inventory: 5 });
      await page.reload();
      await expect(titles("Items")).toHaveText(["Whole Figs", "Waited Leeks", "Bundled Roots"]);
      await expect(side.getByRole("region", { name: "Watching" })).toHaveCount(0);
      await expect(subtotal.locator("s, del")).toHaveText(/\$78\.00/);
    },
  );

  test("two devices of one account show the same cart after a tab gets the focus", async ({
    page,
    browser,
    market,
  }) => {
    const plum = await market.ask("product", { title: "Shared Plums", inventory: 9 });
    const { email } = await market.ask("customer", { address: true });
    const who = { email, password: market.customer.password };
    const away = await openBrowser(browser, market, { viewport: { width: 1280, height: 860 } });
    const laptop = await away.newPage();
    await beCustomer(page, market, who);
    await beCustomer(laptop, market, who);
    await laptop.goto("/vendors");
    const onLaptop = laptop.getByRole("complementary", { name: "Shopping panel" });
    await expect(onLaptop.getByText("Your cart is Empty")).toBeVisible();

    await page.goto(`/product/${plum.id}`);
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Add to Cart/ })
      .click();
    const onPhone = page.getByRole("complementary", { name: "Shopping panel" });
    await expect(onPhone.getByRole("link", { name: "Shared Plums" })).toBeVisible();
    await expect
      .poll(async () => {
        const answer = await laptop.request.get(`${market.address}/api/cart`);
        return ((await answer.json()) as { items: unknown[] }).items.length;
      })
      .toBe(1);
    // The laptop's window comes to the front again.
    const show = (one: typeof page) =>
      one.evaluate(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await show(laptop);
    const line = onLaptop.getByRole("group", { name: /^Quantity of Shared Plums/ });
    await expect(line.getByRole("status")).toHaveText("1");
    await line.getByRole("button", { name: /^Add one Shared Plums/ }).click();
    await expect
      .poll(async () => {
        const answer = await page.request.get(`${market.address}/api/cart`);
        return ((await answer.json()) as { items: { quantity: number }[] }).items[0]?.quantity;
      })
      .toBe(2);
    await show(page);
    await expect(onPhone.getByRole("group", { name: /^Quantity of Shared Plums/ }).getByRole("status")).toHaveText("2");
    await away.close();
  });

  test("a tab that gets the focus right after it was loaded shows the other device's cart", async ({
    page,
    market,
  }) => {
    const fig = await market.ask("product", { title: "Early Figs", inventory: 9 });
    const { email } = await market.ask("customer", { address: true });
    await beCustomer(page, market, { email, password: market.customer.password });
    // What follows the page's life is loaded a moment after the page.
    const arrived = Promise.withResolvers<void>();
    await page.route("**/assets/session-polling*.js", async (route) => {
      await arrived.promise;
      await route.continue();
    });
    await page.goto("/vendors");
    const panel = page.getByRole("complementary", { name: "Shopping panel" });
    await expect(panel.getByText("Your cart is Empty")).toBeVisible();
    await putInCart(page, market, [{ ...fig, quantity: 2 }]);
    await page.evaluate(() => void document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    arrived.resolve();
    await expect(panel.getByRole("group", { name: /^Quantity of Early Figs/ }).getByRole("status")).toHaveText("2");
  });

  test("the cart of a visitor without a hub asks for one first", { tag: ["@spec:2.4-22"] }, async ({ page }) => {
    await page.goto("/hubs");
    const side = page.getByRole("complementary", { name: "Shopping panel" });
    await side.getByRole("button", { name: "Set a delivery address" }).click();
    await expect(page.getByRole("dialog").getByLabel("Zip code")).toBeVisible();
  });

  test(
    "a refused line returns to its old quantity with the server's message",
    { tag: ["@spec:8-09"] },
    async ({ page, market }) => {
      const one = await market.ask("product", { title: "Refused Radish", inventory: 9 });
      const two = await market.ask("product", { title: "Refused Rhubarb", inventory: 9 });
      await beGuest(page, market);
      await putInCart(page, market, [
        { ...one, quantity: 1 },
        { ...two, quantity: 1 },
      ]);
      await page.goto("/shop");
      const side = page.getByRole("complementary", { name: "Shopping panel" });
      const quantityOf = (title: string) => side.getByRole("group", { name: new RegExp(`^Quantity of ${title}\\b`) });
      const more = (title: string) =>
        quantityOf(title).getByRole("button", { name: new RegExp(`^Add one ${title}\\b`) });
      await expect(more("Refused Radish")).toBeVisible();
      const refuse = (route: import("@playwright/test").Route) =>
        route.request().method() === "PUT" ? route.fulfill({ status: 422, json: ["No."] }) : route.fallback();
      await page.route(CART, refuse);
      await more("Refused Radish").click();
      await expect(
        page.getByText("There was an error adding this item to your cart. Please try again later.").first(),
      ).toBeVisible();
      await expect(quantityOf("Refused Radish").getByRole("status")).toHaveText("1");

      // Two at once: the first answer is held back until both are wanted.
      await page.unroute(CART, refuse);
      const held = Promise.withResolvers<void>();
      await page.route(CART, async (route) => {
        if (route.request().method() !== "PUT") return route.fallback();
        await held.promise;
        return route.fulfill({ status: 422, json: ["No."] });
      });
      const sent = page.waitForRequest((request) => request.method() === "PUT");
      await more("Refused Radish").click();
      await sent;
      const sentAgain = page.waitForRequest((request) => request.method() === "PUT");
      await more("Refused Radish").click();
      await more("Refused Rhubarb").click();
      held.resolve();
      await sentAgain;
      await expect(
        page
          .getByText(
            "There was an error while adding items to your cart. If the issue persists, please contact Customer Service.",
          )
          .first(),
      ).toBeVisible();
      await expect(quantityOf("Refused Rhubarb").getByRole("status")).toHaveText("1");
    },
  );

  test("a page rendered before the last tap was saved shows the saved cart", async ({ page, market }) => {
    const product = await market.ask("product", { title: "Parting Parsnips", inventory: 9 });
    await beGuest(page, market);
    await putInCart(page, market, [{ ...product, quantity: 1 }]);
    await page.goto("/shop");
    const side = page.getByRole("complementary", { name: "Shopping panel" });
    const line = side.getByRole("group", { name: /^Quantity of Parting Parsnips/ });
    await expect(line.getByRole("status")).toHaveText("1");
    // The next page is rendered first, then the change arrives, then the page does.
    const rendered = Promise.withResolvers<void>();
    await page.route(CART, async (route) => {
      if (route.request().method() === "PUT") await rendered.promise;
      return route.fallback();
    });
    const arrived = Promise.withResolvers<void>();
    await page.exposeBinding("hearArrival", () => arrived.resolve());
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
      rendered.resolve();
      // And the page received the answer.
      await arrived.promise;
      return route.fulfill({ response });
    });
    await line.getByRole("button", { name: /^Add one Parting Parsnips/ }).click();
    await expect(line.getByRole("status")).toHaveText("2");
    await page.goto("/vendors");
    await expect(line.getByRole("status")).toHaveText("2");
  });

  test(
    "a login in the checkout that fails to be verified says so",
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
