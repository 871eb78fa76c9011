import { expect, test } from "./lib/fixtures.ts";
import { addressIn, appIsUp, beCustomer, beGuest, checkoutFrame, expiry, putInCart } from "./lib/shopper.ts";

test.describe("overlays", () => {
  test(
    "Back closes one overlay at a time and restores the focus",
    { tag: ["@spec:2.1-06"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/shop");
      await appIsUp(page);
      await page.getByRole("link", { name: /^Produce/ }).click();
      const panel = page.getByRole("dialog");
      await expect(panel.getByRole("heading", { name: market.collection.title, exact: true })).toBeVisible();
      const title = market.products[2]!.title;
      await panel.getByRole("link", { name: title, exact: true }).click();
      await expect(page).toHaveURL(new RegExp(`/product/${market.products[2]!.slug}$`));
      await expect(page.getByRole("dialog").last().getByRole("heading", { name: title, exact: true })).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(/\/collections\/produce$/);
      await expect(panel.getByRole("link", { name: title, exact: true })).toBeFocused();
      await page.goBack();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page).toHaveURL(/\/shop$/);
      await page.goForward();
      await expect(panel.getByRole("heading", { name: market.collection.title, exact: true })).toBeVisible();
    },
  );

  test("two quick taps on a product on a slow phone open one panel", async ({ page, context, market }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await beGuest(page, market);
    await page.goto("/shop");
    const link = page.getByRole("main").locator("article").getByRole("link").first();
    await link.scrollIntoViewIfNeeded();
    const box = (await link.boundingBox())!;
    const before = await page.evaluate(() => history.length);
    const slow = await context.newCDPSession(page);
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 6 });
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2, { delay: 20 });
    await slow.send("Emulation.setCPUThrottlingRate", { rate: 1 });
    await expect(page.getByRole("dialog")).toHaveCount(1);
    expect(await page.evaluate(() => history.length)).toBe(before + 1);
    await page.goBack();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("a double click on a product opens its panel, and a click beside the panel closes it", async ({
    page,
    market,
  }) => {
    await beGuest(page, market);
    await page.goto("/shop");
    const link = page.getByRole("main").locator("article").getByRole("link").first();
    await link.scrollIntoViewIfNeeded();
    const box = (await link.boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const panel = page.getByRole("dialog");
    await page.mouse.click(x, y);
    await expect(panel.getByRole("heading", { level: 2 }).first()).toBeVisible();
    const isScrim = await page.evaluate(([left, top]) => document.elementFromPoint(left!, top!)?.tagName, [x, y]);
    expect(isScrim).toBe("DIALOG");
    // The second press of the double click.
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    await expect(panel).toHaveCount(1);
    await expect(panel.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await page.mouse.click(5, 5);
    await expect(panel).toHaveCount(0);
  });

  test(
    "an overlay opened by its address is over the shop; a reload keeps it",
    { tag: ["@spec:2.1-04", "@spec:2.1-11"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      const { slug, title } = market.products[5]!;
      for (const path of [
        `/product/${slug}`,
        `/products/${slug}`,
        `/products/${market.products[5]!.id}`,
        `/products?id=${market.products[5]!.id}`,
      ]) {
        await page.goto(path);
        await expect(page.getByRole("dialog").getByRole("heading", { name: title, exact: true })).toBeVisible();
      }
      await page.reload();
      await expect(page.getByRole("dialog").getByRole("heading", { name: title, exact: true })).toBeVisible();
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
      await expect(page).toHaveURL(/\/shop$/);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    },
  );

  test(
    "/, /login and /products redirect to the shop",
    { tag: ["@spec:2.1-01", "@spec:2.1-03"] },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.goto("/");
      await expect(page).toHaveURL(/\/shop$/);
      await page.goto("/products");
      await expect(page).toHaveURL(/\/shop$/);
      await page.goto("/login");
      await expect(page).toHaveURL(/\/shop$/);
      await expect(page.getByRole("dialog").getByRole("heading", { name: "Login" })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page).toHaveURL(/\/shop$/);
    },
  );

  test("an unknown address returns 404 with the page", { tag: ["@spec:2.1-32"] }, async ({ page, market }) => {
    await beGuest(page, market);
    for (const path of ["/no-such-page", "/404", "/product/no-such-product"]) {
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(404);
      await expect(page.getByRole("heading", { level: 1, name: "Page died of dysentery" })).toBeVisible();
    }
  });

  test(
    "hubId in the address creates the guest without Welcome",
    { tag: ["@spec:2.2-05"] },
    async ({ page, market }) => {
      await page.goto(`/?hubId=${market.farHub.id}`);
      await expect(page.getByRole("button", { name: /Lakeside market/ })).toBeVisible();
      await expect(page.getByRole("dialog")).toHaveCount(0);
    },
  );

  test(
    "hubId and id in the address create the guest there and open the product",
    { tag: ["@spec:2.2-05"] },
    async ({ page, market }) => {
      const { id, title } = market.products[4]!;
      await page.goto(`/?hubId=${market.hub.id}&id=${id}`);
      await expect(page.getByRole("dialog").getByRole("heading", { name: title, exact: true })).toBeVisible();
      await expect(page.getByRole("dialog")).toHaveCount(1);
      const answer = await page.request.get(`${market.address}/api/auth`);
      expect(await answer.json()).toMatchObject({ hubId: market.hub.id, isGuest: true });
    },
  );

  test(
    "the old name of hubId and coordinates in the address create the guest too",
    { tag: ["@spec:2.2-05"] },
    async ({ page, context, market }) => {
      for (const [query, name] of [
        [`wagonId=${market.farHub.id}`, /Lakeside market/],
        ["lat=39.97&lng=-86.13", new RegExp(market.hub.name)],
      ] as const) {
        await context.clearCookies();
        await page.goto(`/vendors?${query}`);
        await expect(page.getByRole("button", { name, exact: true })).toBeVisible();
        await expect(page.getByRole("dialog")).toHaveCount(0);
        await expect(page).toHaveURL(/\/vendors$/);
      }
    },
  );

  test(
    "an unknown market or a place without one shows a message and the welcome overlay",
    { tag: ["@spec:2.2-05", "@spec:8-03"] },
    async ({ page, context }) => {
      for (const query of ["hubId=999999", "lat=64.84&lng=-147.72"]) {
        await context.clearCookies();
        await page.goto(`/?${query}`);
        await expect(page.getByText("Sorry, we do not currently support your location.").first()).toBeVisible();
        await expect(page.getByRole("dialog").getByLabel("Zip code")).toBeVisible();
      }
    },
  );

  test("a customer stays in their own market", { tag: ["@spec:2.2-05"] }, async ({ page, market }) => {
    const { email } = await market.ask("customer", {});
    await beCustomer(page, market, { email, password: market.customer.password });
    await page.goto(`/?hubId=${market.farHub.id}`, { waitUntil: "networkidle" });
    await expect(page).toHaveURL(/\/shop$/);
    await expect(page.getByRole("button", { name: new RegExp(market.hub.name) })).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const answer = await page.request.get(`${market.address}/api/auth`);
    expect(await answer.json()).toMatchObject({ hubId: market.hub.id, isGuest: false });
  });
});

test.describe("the checkout by its own address", () => {
  test("the checkout works without the app around it", async ({ page, market }) => {
    const { email } = await market.ask("customer", { address: true });
    await beCustomer(page, market, { email, password: market.customer.password });
    await putInCart(page, market, [market.products[8]!]);
    await page.goto("/embed/checkout");
    await expect(page.getByRole("heading", { level: 1, name: "Checkout" })).toBeVisible();
    await expect(page).toHaveTitle(/^Checkout · /);
    await expect(page.getByText(addressIn(market).street).first()).toBeVisible();
    await page.getByRole("button", { name: "Close checkout" }).click();
    await expect(page).toHaveURL(/\/shop$/);
  });

  test("the checkout that is closed and opened again keeps typed text, but no card", async ({ page, market }) => {
    const { email } = await market.ask("customer", {});
    await beCustomer(page, market, { email, password: market.customer.password });
    await putInCart(page, market, [market.products[8]!]);
    await page.goto("/shop");
    await page.getByRole("button", { name: "Checkout" }).click();
    const frame = checkoutFrame(page);
    await frame.getByLabel("Street address").fill("9 Kept Lane");
    // City and state are filled in once the ZIP code's are known.
    await expect(frame.getByLabel("City")).toHaveValue("Carmel");
    await frame.getByRole("button", { name: "Continue" }).click();
    await frame.getByRole("button", { name: "Change tip and notes" }).click();
    await frame.getByLabel("Delivery notes").fill("By the blue gate");
    await frame.getByRole("button", { name: "Continue" }).click();
    await frame.getByLabel("Card number").fill("4242424242424242");
    await frame.getByRole("button", { name: "Close checkout" }).click();
    await expect(page.locator("iframe")).toHaveCount(0);
    await page.getByRole("button", { name: "Checkout" }).click();
    await expect(frame.getByText("9 Kept Lane, Carmel, IN 46032", { exact: true })).toBeVisible();
    await expect(frame.getByText(/By the blue gate/)).toBeVisible();
    await expect(frame.getByLabel("Card number")).toHaveValue("");
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).not.toContain("4242");
  });

  test("a saved card and address: the next order takes one press", async ({ page, market }) => {
    const { email } = await market.ask("customer", { address: true });
    const product = await market.ask("product", { title: "Saved Squash", priceCents: 700, inventory: 9 });
    await beCustomer(page, market, { email, password: market.customer.password });
    await putInCart(page, market, [product]);
    await page.goto("/shop");
    await page.getByRole("button", { name: "Checkout" }).click();
    const frame = checkoutFrame(page);
    await frame.getByLabel("Card number").fill("4242424242424242");
    await frame.getByLabel("Expires").fill(expiry);
    await frame.getByLabel("Security code").fill("123");
    await frame.getByLabel("Save this card for next time").check();
    await frame.getByRole("button", { name: /^Place order/ }).click();
    await page.waitForURL(/order-complete/);
    await putInCart(page, market, [product]);
    await page.goto("/shop");
    await page.getByRole("button", { name: "Checkout" }).click();
    // Address and card are known: one press.
    await expect(frame.getByRole("radio", { name: /Visa ending in 4242/ })).toBeChecked();
    await expect(frame.getByText(/Joins your open order #\d{9}/)).toBeVisible();
    await frame.getByRole("button", { name: /^Place order/ }).click();
    await page.waitForURL(/order-complete/);
    expect(await market.ask("orderCount", { email })).toBe(2);
  });
});
