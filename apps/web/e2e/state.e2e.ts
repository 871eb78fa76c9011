import type { Hub } from "@marketday/contracts/hubs";
import { dateInZone, formatLong, weekdayOf } from "@marketday/domain/calendar-date";
import { VERSION_POLL_MS } from "@marketday/domain/limits";
import type { Page, Route } from "@playwright/test";

import { expect, test, type TestMarket } from "./lib/fixtures.ts";
import { askApi, beNewCustomer } from "./lib/orders.ts";
import {
  CART,
  beCustomer,
  beGuest,
  checkoutFrame,
  endSessions,
  addressIn,
  fillCard,
  nameOfItsOwn,
  orderPlaced,
  placeButton,
  putInCart,
  testCard,
  wordOfItsOwn,
} from "./lib/shopper.ts";
import { buildIsRead, intervalSetAt, openWithHeartbeat } from "./lib/timers.ts";

const dialogOf = (page: Page) => page.getByRole("dialog");
const shoppingPanel = (page: Page) => page.getByRole("complementary", { name: "Shopping panel" });
const openCheckout = async (page: Page) => {
  await page.goto("/shop");
  await page.getByRole("button", { name: "Checkout" }).click();
  return checkoutFrame(page);
};

/** Over once the address is the shop's again. */
const closeCheckout = async (page: Page) => {
  await checkoutFrame(page).getByRole("button", { name: "Close checkout" }).click();
  await expect(page.locator("iframe")).toHaveCount(0);
  await expect(page).toHaveURL(/\/shop$/);
};

test.describe("one tab", () => {
  test(
    "checkout: an order goes to the address that was corrected after checkout was opened",
    { tag: "@fail:M7" },
    async ({ page, market }) => {
      await beNewCustomer(page, market);
      await putInCart(page, market, [await market.ask("product", { title: nameOfItsOwn("Corrected Carrots") })]);
      const frame = await openCheckout(page);
      await expect(frame.getByText(/12 Oak St/).first()).toBeVisible();
      await frame.getByRole("button", { name: "Change tip and notes" }).click();
      await frame.getByLabel("Delivery notes").fill("By the blue gate");
      await closeCheckout(page);

      await page.goto("/profile");
      await dialogOf(page).getByLabel("Street address").fill("99 New Avenue");
      await dialogOf(page).getByRole("button", { name: "Update" }).click();
      await expect(page.getByText("Profile updated").first()).toBeVisible();

      await openCheckout(page);
      await expect(frame.getByText(/99 New Avenue/).first()).toBeVisible();
      await expect(frame.getByText(/Oak St/)).toHaveCount(0);
      await expect(frame.getByText(/By the blue gate/)).toBeVisible();
      await fillCard(frame);
      await placeButton(frame).click();
      const id = await orderPlaced(page);
      expect(await askApi(page, market, "GET", `/orders/${id}`)).toMatchObject({
        deliveryAddress: { address: "99 New Avenue" },
      });
    },
  );

  test(
    "checkout: the next person in the tab sees nothing of the person before",
    { tag: "@fail:M7" },
    async ({ page, market }) => {
      const product = await market.ask("product", { title: nameOfItsOwn("Second Squash"), inventory: 9 });
      const { email } = await beNewCustomer(page, market);
      await putInCart(page, market, [product]);
      const frame = await openCheckout(page);
      await frame.getByRole("button", { name: "Change Delivery or pickup" }).click();
      await frame.getByRole("button", { name: "Change address" }).click();
      await frame.getByLabel("Street address").fill("5 Holiday Lane");
      // City and state are filled in once the ZIP code's are known.
      await expect(frame.getByLabel("City")).not.toHaveValue("");
      await frame.getByRole("button", { name: "Continue" }).click();
      await frame.getByRole("button", { name: "Change tip and notes" }).click();
      await frame.getByLabel("Delivery notes").fill("The key is under the mat");
      await closeCheckout(page);

      await endSessions(page, market, email);
      await beNewCustomer(page, market, { firstName: "Bea" });
      await putInCart(page, market, [product]);
      await openCheckout(page);
      await expect(frame.getByText(/12 Oak St/).first()).toBeVisible();
      await expect(frame.getByText(/Holiday Lane|under the mat/)).toHaveCount(0);
      const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
      expect(kept).not.toMatch(/Holiday Lane|under the mat/);
    },
  );

  test(
    "drafts: another customer in the tab does not see a half-written review",
    { tag: "@fail:M7" },
    async ({ page, market }) => {
      const product = await market.ask("product", { title: nameOfItsOwn("Private Pears") });
      const { email } = await beNewCustomer(page, market);
      await page.goto(`/product/${product.slug}`);
      await page.evaluate((id) => {
        sessionStorage.setItem(
          `marketday:draft:question-${id}`,
          JSON.stringify({ value: "Is it for my diet?", until: null }),
        );
      }, product.id);
      await endSessions(page, market, email);
      await beNewCustomer(page, market, { firstName: "Bea" });
      await page.goto(`/product/${product.slug}`);
      await expect(dialogOf(page).getByRole("heading", { name: product.title, exact: true })).toBeVisible();
      // The heading comes with the HTML; the storage is cleared by the first script.
      await expect
        .poll(() => page.evaluate(() => JSON.stringify({ ...sessionStorage })), { message: "the draft is deleted" })
        .not.toContain("diet");
    },
  );
});

test.describe("two tabs", () => {
  test(
    "checkout: store credit redeemed in another tab is used by the checkout that is open",
    { tag: "@fail:M7" },
    async ({ page, context, market }) => {
      await beNewCustomer(page, market);
      await putInCart(page, market, [await market.ask("product", { title: nameOfItsOwn("Credit Kale") })]);
      const to = `${nameOfItsOwn("gift").replace(" ", ".")}@example.com`;
      await askApi(page, market, "POST", "/gift-cards", {
        amount: 25,
        recipientEmail: to,
        message: "",
        deliverOn: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10),
        card: testCard,
      });
      const code = await market.ask("giftCode", { to });
      const frame = await openCheckout(page);
      await expect(placeButton(frame)).toBeVisible();
      await expect(frame.getByText(/Store credit first/i)).toHaveCount(0);

      const other = await context.newPage();
      await other.goto("/embed/gift-cards#redeem");
      await other.getByLabel("Gift card code").fill(code);
      await other.getByRole("button", { name: "Redeem" }).click();
      await expect(other.getByText("$25.00 added to your store credit")).toBeVisible();
      await expect(frame.getByText(/store credit first/i)).toBeVisible();
      await other.close();
    },
  );

  test(
    "session: signing out in one tab removes the person's data from the other",
    { tag: "@fail:M8" },
    async ({ page, context, market }) => {
      const { email } = await beNewCustomer(page, market);
      await openWithHeartbeat(page, "/profile");
      await expect(dialogOf(page).getByRole("textbox", { name: "Email", exact: true })).toHaveValue(email);
      await expect(dialogOf(page).getByLabel("Street address")).toHaveValue(/Oak/);

      const other = await context.newPage();
      await other.goto("/more");
      await other.getByRole("main").getByRole("button", { name: "Logout" }).click();
      await dialogOf(other).getByRole("button", { name: "Logout" }).click();
      await expect(page).toHaveURL(/\/shop$/);
      await expect(page.getByLabel("Street address")).toHaveCount(0);
      await expect(page.getByText(email)).toHaveCount(0);
      expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(email);
    },
  );

  test(
    "session: signing in in one tab signs the other in, with the account's cart",
    { tag: "@fail:M8" },
    async ({ page, context, market }) => {
      const { email } = await market.ask("customer", { address: true });
      const product = await market.ask("product", { title: nameOfItsOwn("Followed Fennel"), inventory: 9 });
      await beGuest(page, market);
      await openWithHeartbeat(page, "/more");
      await expect(page.getByRole("main").getByRole("button", { name: /Login/ }).first()).toBeVisible();

      const other = await context.newPage();
      await putInCart(other, market, [product]);
      await other.goto("/profile");
      await dialogOf(other).getByRole("button", { name: "Login" }).click();
      await dialogOf(other).getByRole("textbox", { name: "Email", exact: true }).fill(email);
      await dialogOf(other).getByLabel("Password", { exact: true }).fill(market.customer.password);
      await other.keyboard.press("Enter");
      await expect(dialogOf(other).getByRole("textbox", { name: "Email", exact: true })).toHaveValue(email);
      await expect(page.getByRole("main").getByRole("button", { name: "Logout" })).toBeVisible();
      await expect(shoppingPanel(page).getByRole("link", { name: product.title, exact: true })).toBeVisible();
    },
  );

  test(
    "session: the poll of a tab that missed the message signs it out",
    { tag: "@fail:M8" },
    async ({ page, market }) => {
      const { email } = await beNewCustomer(page, market);
      await page.clock.install();
      await openWithHeartbeat(page, "/profile");
      await expect(dialogOf(page).getByRole("textbox", { name: "Email", exact: true })).toHaveValue(email);
      // Not through a page: no tab announces it.
      await askApi(page, market, "PUT", "/auth/logout");
      await page.clock.fastForward("15:01");
      await expect(page).toHaveURL(/\/shop$/);
      await expect(page.getByText(email)).toHaveCount(0);
    },
  );

  test(
    "session: a hub chosen in one tab is chosen in the other",
    { tag: "@fail:M8" },
    async ({ page, context, market }) => {
      await beNewCustomer(page, market);
      await openWithHeartbeat(page, "/shop");
      await expect(page.locator("#hub-chip")).toContainText(market.hub.name);
      const other = await context.newPage();
      await other.goto(`/hubs/${market.farHub.id}`);
      await other.getByRole("button", { name: `Shop Here at ${market.farHub.name}`, exact: true }).click();
      await expect(page.locator("#hub-chip")).toContainText(market.farHub.name);
    },
  );

  test(
    "orders: one placed in another tab is in the list, and the cart is empty",
    { tag: "@fail:M8" },
    async ({ page, context, market }) => {
      const product = await market.ask("product", { title: nameOfItsOwn("Ordered Onions"), inventory: 9 });
      await beNewCustomer(page, market);
      await putInCart(page, market, [product]);
      await openWithHeartbeat(page, "/shop");
      await expect(shoppingPanel(page).getByRole("link", { name: product.title, exact: true })).toBeVisible();
      const other = await context.newPage();
      const frame = await openCheckout(other);
      await fillCard(frame);
      await placeButton(frame).click();
      await orderPlaced(other);
      await expect(shoppingPanel(page).getByText("Your cart is Empty")).toBeVisible();
    },
  );
});

/**
 * A market whose orders close days from now, and how its shop says so. The weekday is neither today's nor tomorrow's, so
 * a cutoff that a test moves to the next hour has another text at any time.
 */
async function marketClosingInDays(page: Page, market: TestMarket, name: string) {
  const hub = await market.ask("hub", { name: nameOfItsOwn(name) });
  const { cutoff, timeZone } = await askApi<Hub>(page, market, "GET", `/hubs/${hub.id}/details`);
  return { hub, closes: `Fill the wagon by 1AM ${weekdayOf(dateInZone(new Date(cutoff!), timeZone))}` };
}

test.describe("time", () => {
  test(
    "a page left open over the cutoff shows the next delivery without a reload",
    { tag: "@fail:M9" },
    async ({ page, market }) => {
      const { hub, closes } = await marketClosingInDays(page, market, "Midnight market");
      await market.ask("cutoffIn", { hubId: hub.id, seconds: 3600 });
      await beGuest(page, { ...market, hub });
      await page.clock.install();
      await page.goto("/shop");
      const week = page.getByRole("region", { name: "This week" });
      await expect(week).toContainText("Fill the wagon by");
      await expect(week).not.toContainText(closes);
      await page.evaluate(() => ((window as { marked?: boolean }).marked = true));
      await page.clock.fastForward("59:50");
      await expect(week).not.toContainText(closes);
      // The market's day closes; nothing wakes the page but its own timer.
      await market.ask("cutoffIn", { hubId: hub.id, seconds: -1 });
      await page.clock.runFor(12_000);
      await expect(week).toContainText(closes);
      expect(await page.evaluate(() => (window as { marked?: boolean }).marked)).toBe(true);
    },
  );

  test(
    "a device that slept over the cutoff for a night, and then for weeks, shows the next delivery when it wakes",
    { tag: "@fail:M9" },
    async ({ page, market }) => {
      const { hub, closes } = await marketClosingInDays(page, market, "Sleepy market");
      await market.ask("cutoffIn", { hubId: hub.id, seconds: 3600 });
      await beGuest(page, { ...market, hub });
      await page.clock.install();
      await openWithHeartbeat(page, "/shop");
      const week = page.getByRole("region", { name: "This week" });
      await expect(week).toContainText("Fill the wagon by");
      await expect(week).not.toContainText(closes);
      // The market's day closes while the device sleeps for a night.
      await market.ask("cutoffIn", { hubId: hub.id, seconds: -1 });
      await page.clock.fastForward("10:00:00");
      await expect(week).toContainText(closes);
      // The next day closes too while it sleeps until after its cutoff, one or two weeks away.
      const details = () => askApi<Hub>(page, market, "GET", `/hubs/${hub.id}/details`);
      const second = new Date((await details()).cutoff!);
      await market.ask("cutoffIn", { hubId: hub.id, seconds: -1 });
      const { cutoff, timeZone } = await details();
      const third = dateInZone(new Date(cutoff!), timeZone);
      await expect(week).not.toContainText(formatLong(third, third));
      await page.clock.fastForward(second.getTime() - Date.now());
      await expect(week).toContainText(`Fill the wagon by 1AM ${formatLong(third, dateInZone(second, timeZone))}`);
    },
  );
});

test.describe("a server that does not answer", () => {
  test(
    "checkout: waits for a cart that is being saved and never calls it empty",
    { tag: "@fail:M10" },
    async ({ page, market }) => {
      const product = await market.ask("product", { title: nameOfItsOwn("Hanging Herbs"), inventory: 9 });
      await beNewCustomer(page, market);
      await page.clock.install();
      const held: Route[] = [];
      await page.route(CART, (route) =>
        route.request().method() === "PUT" && held.length === 0 ? void held.push(route) : route.continue(),
      );
      await page.goto(`/product/${product.slug}`);
      await dialogOf(page)
        .getByRole("button", { name: /^Add to Cart/ })
        .click();
      await page.clock.runFor(300);
      await expect.poll(() => held.length).toBe(1);
      await dialogOf(page).getByRole("button", { name: "Close" }).first().click();
      await page.getByRole("button", { name: "Checkout" }).click();
      await expect(page.getByText("Saving your cart…")).toBeVisible();
      await page.clock.runFor(10_000);
      await expect(page.getByText("Saving your cart…")).toBeVisible();
      await expect(page.locator("iframe")).toHaveCount(0);
      // Its deadline passes, it is sent again, and this time it is answered.
      await page.clock.runFor(8_000);
      await page.clock.resume();
      const frame = checkoutFrame(page);
      await expect(placeButton(frame)).toBeVisible();
      await expect(frame.getByText("Your cart is Empty")).toHaveCount(0);
      await expect(frame.getByText(product.title).first()).toBeVisible();
    },
  );

  test(
    "checkout: a frame that never loads shows an error with Retry",
    { tag: "@fail:M10" },
    async ({ page, market }) => {
      await beNewCustomer(page, market);
      await putInCart(page, market, [market.products[3]!]);
      await page.clock.install();
      let hangs = true;
      await page.route("**/embed/checkout", (route) => (hangs ? undefined : route.continue()));
      await page.goto("/shop");
      await page.getByRole("button", { name: "Checkout" }).click();
      await expect(page.getByText("Loading checkout…")).toBeVisible();
      await page.clock.runFor(15_100);
      await expect(dialogOf(page).getByRole("button", { name: "Retry" })).toBeVisible();
      hangs = false;
      await page.clock.resume();
      await dialogOf(page).getByRole("button", { name: "Retry" }).click();
      await expect(placeButton(checkoutFrame(page))).toBeVisible();
    },
  );

  test(
    "an overlay whose code never arrives shows an error with Retry at its deadline, and opens once the network is back",
    { tag: "@fail:M10" },
    async ({ page, market }) => {
      await beGuest(page, market);
      // Nothing but what is opened is fetched.
      await page.addInitScript(() => (window.requestIdleCallback = () => 0));
      await page.clock.install();
      let hangs = true;
      const held: Route[] = [];
      await page.route(/\/assets\/share-modal-[^/]*\.js/, (route) =>
        hangs ? void held.push(route) : route.continue(),
      );
      await page.goto(`/product/${market.products[5]!.slug}`);
      const overlays = dialogOf(page);
      await overlays.getByRole("button", { name: "Share" }).click();
      await expect.poll(() => held.length).toBe(1);
      await expect(overlays).toHaveCount(2);
      await page.clock.runFor(10_000);
      await expect(overlays.last().getByText("This is taking long.")).toHaveCount(0);
      await page.clock.runFor(5_100);
      await expect(overlays.last().getByText("This is taking long.")).toBeVisible();

      hangs = false;
      await page.clock.resume();
      await page.evaluate(() => ((window as { marked?: boolean }).marked = true));
      await overlays.last().getByRole("button", { name: "Retry" }).click();
      await expect(
        overlays.last().getByRole("heading", { name: `Share ${market.products[5]!.title}`, exact: true }),
      ).toBeVisible();
      expect(await page.evaluate(() => (window as { marked?: boolean }).marked)).toBe(true);
    },
  );
});

test.describe("a new build", () => {
  const marked = (page: Page) => page.evaluate(() => (window as { marked?: boolean }).marked ?? false);
  const mark = (page: Page) => page.evaluate(() => ((window as { marked?: boolean }).marked = true));

  test(
    "a new build is loaded although text is left in the search field",
    { tag: "@fail:H14" },
    async ({ page, market }) => {
      await beGuest(page, market);
      await page.clock.install();
      await page.route("**/version.json", (route) => route.fulfill({ json: { build: "another" } }));
      await openWithHeartbeat(page, "/shop");
      const field = page.getByRole("combobox").first();
      await field.fill("honey");
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { level: 1 }).click();
      await mark(page);
      const reloaded = page.waitForEvent("load");
      await page.clock.fastForward("03:30");
      await reloaded;
      expect(await marked(page)).toBe(false);
    },
  );

  test("a new build never reloads during a running write", { tag: "@fail:H14" }, async ({ page, market }) => {
    await beNewCustomer(page, market);
    await page.clock.install();
    await page.route("**/version.json", (route) => route.fulfill({ json: { build: "another" } }));
    const held: Route[] = [];
    await page.route("**/api/products/*/favorite", (route) => void held.push(route));
    await openWithHeartbeat(page, `/product/${market.products[2]!.slug}`);
    // The write begins before the poll, and its own deadline of 15 s is after it.
    await page.clock.pauseAt((await intervalSetAt(page, VERSION_POLL_MS)) + VERSION_POLL_MS - 5_000);
    await dialogOf(page)
      .getByRole("button", { name: /favorite/i })
      .first()
      .click();
    await expect.poll(() => held.length).toBe(1);
    await mark(page);
    const polled = page.waitForResponse(/version\.json/);
    await page.clock.runFor(6_000);
    await (await polled).finished();
    await buildIsRead(page);
    expect(await marked(page)).toBe(true);
    // Answered, nothing is in the way of the next poll.
    const answered = page.waitForResponse(/\/favorite$/);
    for (const route of held) await route.continue();
    await (await answered).finished();
    const reloaded = page.waitForEvent("load");
    await page.clock.fastForward(VERSION_POLL_MS);
    await reloaded;
    expect(await marked(page)).toBe(false);
  });
});

test.describe("what is typed", () => {
  test("a gift card's recipient and message are kept after Escape", async ({ page, market }) => {
    await beNewCustomer(page, market);
    await page.goto("/gift-card");
    const frame = page.frameLocator('iframe[title="Gift cards"]');
    await frame.getByLabel("Recipient’s email").fill("grandma@example.com");
    await frame.getByLabel(/^Message/).fill("Happy birthday");
    await page.keyboard.press("Escape");
    await expect(page.locator("iframe")).toHaveCount(0);
    await page.goto("/gift-card");
    await expect(frame.getByLabel("Recipient’s email")).toHaveValue("grandma@example.com");
    await expect(frame.getByLabel(/^Message/)).toHaveValue("Happy birthday");
  });

  test("checkout: a guest who forgot the password gets the link without leaving", async ({ page, market }) => {
    await beGuest(page, market);
    await putInCart(page, market, [market.products[4]!]);
    const frame = await openCheckout(page);
    await frame.getByRole("button", { name: "Login" }).click();
    await frame.getByLabel("Email").fill("robin@example.com");
    await frame.getByRole("button", { name: "Forgot Password" }).click();
    await expect(frame.getByLabel("Email")).toHaveValue("robin@example.com");
    await frame.getByRole("button", { name: "Send me a link" }).click();
    await expect(frame.getByText("The link works once, within the next hour.")).toBeVisible();
    await frame.getByRole("button", { name: "Back to Login" }).click();
    await expect(frame.getByRole("button", { name: "Login to My Account" })).toBeVisible();
  });

  for (const [name, path] of [
    ["gift cards", "/embed/gift-cards"],
    ["wagon pass", "/embed/wagon-pass"],
  ] as const)
    test(`${name}: a guest who forgot the password gets the link without leaving`, async ({ page, market }) => {
      const { email } = await market.ask("customer", {});
      await beGuest(page, market);
      await page.goto(path);
      await expect(page.getByRole("heading", { name: "Log in to continue" })).toBeVisible();
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Forgot Password" }).click();
      await expect(page.getByRole("heading", { name: "Forgot Password" })).toBeVisible();
      await expect(page.getByLabel("Email")).toHaveValue(email);
      await page.getByRole("button", { name: "Send me a link" }).click();
      await expect(page.getByText("The link works once, within the next hour.")).toBeVisible();
      await expect.poll(async () => (await market.ask("mails", { to: email })).length).toBe(1);
      await page.getByRole("button", { name: "Back to Login" }).click();
      await expect(page.getByRole("button", { name: "Login to My Account" })).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
    });

  test("checkout: Enter pressed twice in the address requests its ZIP code once; what is typed meanwhile stays, and is checked itself", async ({
    page,
    market,
  }) => {
    const { email } = await market.ask("customer", {});
    await beCustomer(page, market, { email, password: market.customer.password });
    await putInCart(page, market, [market.products[4]!]);
    const held: Route[] = [];
    await page.route("**/api/geo/home-delivery?*", (route) => void held.push(route));
    const frame = await openCheckout(page);
    const { street, city, state, zip } = addressIn(market);
    await frame.getByLabel("Street address").fill(street);
    await frame.getByLabel("City").fill(city);
    await frame.getByLabel("State").selectOption({ label: state });
    await frame.getByLabel("Zip code").fill(zip);
    // The notice below the address requests it too.
    await expect.poll(() => held.length).toBe(1);
    await frame.getByLabel("City").press("Enter");
    await frame.getByLabel("City").press("Enter");
    await expect.poll(() => held.length).toBe(2);
    await frame.getByLabel("City").press("Enter");
    const next = frame.getByRole("button", { name: "Continue" });
    await expect(frame.getByRole("button", { name: "Checking the address…" })).toBeVisible();
    await frame.getByLabel("Street address").fill(`${street} Rear`);
    await expect(next).toBeVisible();
    for (const route of held) await route.continue().catch(() => null);
    expect(held).toHaveLength(2);
    await expect(frame.getByLabel("Street address")).toHaveValue(`${street} Rear`);
    await next.click();
    await expect.poll(() => held.length).toBe(3);
    await held[2]!.continue();
    await expect(frame.getByRole("heading", { name: "Payment" })).toBeFocused();
    await expect(frame.getByText(new RegExp(`^${street} Rear`)).first()).toBeVisible();
  });
});

test.describe("addresses", () => {
  test("/faq with a hash that is no valid text shows the questions", async ({ page, market }) => {
    await beGuest(page, market);
    await page.goto("/faq#100%");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText("This page could not be shown.")).toHaveCount(0);
    await expect(page.getByRole("main").locator("details").first()).toBeVisible();
  });

  test("a search page beyond the end becomes the last one", async ({ page, market }) => {
    const word = wordOfItsOwn();
    const product = await market.ask("product", { title: `Last ${word}` });
    await beGuest(page, market);
    await page.goto(`/search?q=${word}&page=9`);
    await expect(page.getByRole("main").getByRole("link", { name: product.title, exact: true })).toBeVisible();
    await expect(page).not.toHaveURL(/page=9/);
  });

  test("stacked product panels have unique ids", async ({ page, shop }) => {
    await beGuest(page, shop);
    // Sold in the other market alone: it shows what is like it here.
    const product = await shop.ask("product", { title: nameOfItsOwn("Faraway Figs"), far: true });
    await page.goto(`/product/${product.id}`);
    const similar = dialogOf(page).getByRole("list", { name: "Similar products" });
    await similar.getByRole("link", { name: shop.products[0]!.title, exact: true }).click();
    await expect(dialogOf(page)).toHaveCount(2);
    const twice = await page.evaluate(() => {
      const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
      return ids.filter((id, place) => ids.indexOf(id) !== place);
    });
    expect(twice).toEqual([]);
  });
});
