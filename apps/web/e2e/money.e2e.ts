import type { Page } from "@playwright/test";

import { expect, test, type TestMarket } from "./lib/fixtures.ts";
import { askApi, beNewCustomer, placeByApi } from "./lib/orders.ts";
import {
  alertIn,
  beGuest,
  cards,
  checkoutFrame,
  endSessions,
  endSessionsUnderFrame,
  fillAddress,
  fillCard,
  newPerson,
  orderPlaced,
  placeButton,
  putInCart,
} from "./lib/shopper.ts";
import { openWithHeartbeat } from "./lib/timers.ts";

const frameOf = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`);

test.describe("the wagon pass", () => {
  test(
    "the pass is bought in its frame, renews, and is cancelled after a confirmation",
    { tag: ["@spec:2.4-64", "@spec:2.1-20", "@spec:1-03", "@spec:2.3-13"] },
    async ({ page, market }) => {
      await beNewCustomer(page, market);
      const oats = await market.ask("product", { title: "Pass Oats", inventory: 9 });
      await putInCart(page, market, [oats]);
      await page.goto("/more");
      const fee = page
        .getByRole("complementary", { name: "Shopping panel" })
        .locator("dl > div")
        .filter({ hasText: "Home delivery" });
      await expect(fee).toContainText("$8.95");
      await page.getByRole("main").getByRole("button", { name: "Wagon pass" }).click();
      await expect(page).toHaveURL(/\/wagon-pass$/);
      const frame = frameOf(page, "Wagon pass");
      await expect(frame.getByText("Pays off after 2 deliveries a month")).toBeVisible();
      await expect(frame.getByText("Saves $27.45 a year")).toBeVisible();
      await frame.getByRole("radio", { name: /^Yearly/ }).check();
      await fillCard(frame, cards.declined);
      await frame.getByRole("button", { name: "Buy the pass · $139.95" }).click();
      await expect(frame.getByRole("alert").filter({ hasText: /declined/i })).toBeVisible();
      await fillCard(frame, cards.good);
      await frame.getByRole("button", { name: "Buy the pass · $139.95" }).click();
      await expect(frame.getByRole("heading", { name: "Your pass is active" })).toBeVisible();
      await expect(frame.getByText(/It renews on .* for \$139\.95/)).toBeVisible();
      await frame.getByRole("button", { name: "Cancel the pass" }).click();
      await frame.getByRole("button", { name: "Keep my pass" }).click();
      expect(await askApi(page, market, "GET", "/wagon-pass")).toMatchObject({ status: "active", plan: "yearly" });
      await frame.getByRole("button", { name: "Cancel the pass" }).click();
      await frame.getByRole("button", { name: "Cancel the pass" }).click();
      await expect(frame.getByText(/^You cancelled your pass\. Home delivery stays free until /)).toBeVisible();
      expect(await askApi(page, market, "GET", "/wagon-pass")).toMatchObject({ status: "cancelled" });
      // Back closes the layer and shows the page it was opened over.
      await page.goBack();
      await expect(page).toHaveURL(/\/more$/);
      await expect(page.locator("iframe")).toHaveCount(0);
      // Paid for to its end, and the cart behind knows.
      await expect(fee).toContainText("Free");
      expect(await market.ask("audit")).toEqual([]);
    },
  );
});

test.describe("gift cards", () => {
  test(
    "a gift card: a guest logs in, buys one, and its code becomes credit once",
    { tag: ["@spec:2.4-64", "@spec:2.1-19", "@spec:1-04", "@spec:6-04", "@spec:2.3-14"] },
    async ({ page, market }) => {
      const { email } = await market.ask("customer", { address: true });
      await beGuest(page, market);
      await page.goto("/shop");
      await page.getByRole("contentinfo").getByRole("link", { name: "Gift cards" }).click();
      await expect(page).toHaveURL(/\/gift-card$/);
      const frame = frameOf(page, "Gift cards");
      await expect(frame.getByRole("heading", { name: "Log in to continue" })).toBeVisible();
      await frame.getByLabel("Email").fill(email);
      await frame.getByLabel("Password", { exact: true }).fill(market.customer.password);
      await frame.getByRole("button", { name: "Login to My Account" }).click();
      // The frame goes on, and the app behind it knows who is here.
      await expect(frame.getByRole("tab", { name: "Send a gift" })).toBeVisible();

      const to = `kim.${process.pid}.${Date.now()}@example.com`;
      await frame.getByRole("button", { name: /^Buy the gift card/ }).click();
      await expect(frame.getByRole("alert").filter({ hasText: "There is a problem" })).toBeVisible();
      await frame.getByRole("radio", { name: "$25" }).check();
      await frame.getByLabel("Recipient’s email").fill(to);
      await frame.getByLabel(/^Message/).fill("For your kitchen");
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      await frame.getByLabel("Delivery date").fill(tomorrow);
      await fillCard(frame);
      await frame.getByRole("button", { name: "Buy the gift card · $25.00" }).click();
      await expect(frame.getByRole("heading", { name: `$25.00 for ${to}`, exact: true })).toBeFocused();

      await frame.getByRole("tab", { name: "Redeem a code" }).click();
      await frame.getByLabel("Gift card code").fill("AAAA-AAAA-AAAA-AAAA");
      await frame.getByRole("button", { name: "Redeem" }).click();
      await expect(frame.getByLabel("Gift card code")).toHaveAccessibleDescription(/Error: .*code/);
      const code = await market.ask("giftCode", { to });
      await frame.getByLabel("Gift card code").fill(code);
      await frame.getByRole("button", { name: "Redeem" }).click();
      await expect(frame.getByText("$25.00 added to your store credit")).toBeVisible();
      expect(await askApi(page, market, "GET", "/account/profile")).toMatchObject({ credit: 25 });
      await frame.getByLabel("Gift card code").fill(code);
      await frame.getByRole("button", { name: "Redeem" }).click();
      await expect(frame.getByLabel("Gift card code")).toHaveAccessibleDescription(/Error: .*code/);
      expect(await market.ask("audit")).toEqual([]);
      await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
      await expect(page.getByRole("complementary").getByRole("tab", { name: "Gift Cards" })).toBeVisible();
    },
  );

  test("a gift card with a mistyped address: the right one is offered, and later it is sent to another, after which only the new code pays", async ({
    page,
    market,
  }) => {
    await beNewCustomer(page, market);
    const name = `kim.${process.pid}.${Date.now()}`;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    await page.goto("/gift-card");
    const frame = frameOf(page, "Gift cards");
    await frame.getByRole("radio", { name: "$25" }).check();
    await frame.getByLabel("Recipient’s email").fill(`${name}@gmial.com`);
    await frame.getByRole("button", { name: `Did you mean ${name}@gmail.com?`, exact: true }).click();
    await expect(frame.getByLabel("Recipient’s email")).toHaveValue(`${name}@gmail.com`);
    await frame.getByLabel("Delivery date").fill(tomorrow);
    await fillCard(frame);
    await frame.getByRole("button", { name: "Buy the gift card · $25.00" }).click();
    await expect(frame.getByRole("heading", { name: `$25.00 for ${name}@gmail.com`, exact: true })).toBeFocused();
    const first = await market.ask("giftCode", { to: `${name}@gmail.com` });

    // As from the link of the receipt.
    await page.goto("/shop");
    await page.goto("/gift-card#sent");
    const gift = frame.getByRole("list", { name: "Gift cards you bought" }).getByRole("listitem");
    await expect(gift).toHaveCount(1);
    await expect(gift).toContainText("Waiting");
    const again = gift.getByRole("button", { name: /^Change the address/ });
    await again.click();
    await expect(gift.getByLabel("Recipient’s email")).toBeFocused();
    await gift.getByLabel("Recipient’s email").fill("not an address");
    await gift.getByRole("button", { name: "Send" }).click();
    await expect(gift).toContainText("Enter the recipient's email address");
    const to = `${name}@example.com`;
    await gift.getByLabel("Recipient’s email").fill(to);
    await gift.getByRole("button", { name: "Send" }).click();
    await expect(gift).toContainText(to);
    await expect(again).toBeVisible();
    const second = await market.ask("giftCode", { to });
    expect(second).not.toBe(first);

    await frame.getByRole("tab", { name: "Redeem a code" }).click();
    await frame.getByLabel("Gift card code").fill(first);
    await frame.getByRole("button", { name: "Redeem" }).click();
    await expect(frame.getByLabel("Gift card code")).toHaveAccessibleDescription(/Error: .*code/);
    await frame.getByLabel("Gift card code").fill(second);
    await frame.getByRole("button", { name: "Redeem" }).click();
    await expect(frame.getByText("$25.00 added to your store credit")).toBeVisible();
    await frame.getByRole("tab", { name: "Your gifts" }).click();
    await expect(gift).toContainText("Redeemed");
    await expect(again).toHaveCount(0);
    expect(await market.ask("audit")).toEqual([]);
  });

  test("a gift card: the session ends before it is bought: a login, and the typed text is still there", async ({
    page,
    market,
  }) => {
    const { email } = await beNewCustomer(page, market);
    await page.goto("/gift-card");
    const frame = frameOf(page, "Gift cards");
    const to = `ann.${process.pid}.${Date.now()}@example.com`;
    await frame.getByLabel("Recipient’s email").fill(to);
    await fillCard(frame);
    const answerApp = await endSessionsUnderFrame(page, market, email);
    await frame.getByRole("button", { name: "Buy the gift card · $50.00" }).click();
    await expect(frame.getByRole("heading", { name: "Log in to continue" })).toBeVisible();
    await answerApp();
    await readSession(page);
    await expect(frame.getByText("Your session has expired. Please login to continue.")).toBeVisible();
    await frame.getByLabel("Email").fill(email);
    await frame.getByLabel("Password", { exact: true }).fill("wrong");
    await frame.getByRole("button", { name: "Login to My Account" }).click();
    await expect(frame.getByText("Invalid email or password. Please check those values.")).toBeVisible();
    await frame.getByLabel("Password", { exact: true }).fill(market.customer.password);
    await frame.getByRole("button", { name: "Login to My Account" }).click();
    await expect(frame.getByLabel("Recipient’s email")).toHaveValue(to);
    await fillCard(frame);
    await frame.getByRole("button", { name: "Buy the gift card · $50.00" }).click();
    await expect(frame.getByRole("heading", { name: `$50.00 for ${to}`, exact: true })).toBeFocused();
    // A list that is read says so too.
    await endSessionsUnderFrame(page, market, email);
    await frame.getByRole("tab", { name: "Your gifts" }).click();
    await expect(frame.getByRole("heading", { name: "Log in to continue" })).toBeVisible();
  });

  /** The next answer to a call of the app around the frame. */
  const answerOfApp = (page: Page, path: string) =>
    page.waitForResponse((response) => {
      const isApp = response.frame() === page.mainFrame();
      return isApp && new URL(response.url()).pathname === `/api${path}`;
    });

  /** The app around the frame asks the server who is here, as when the network is back. */
  async function readSession(page: Page): Promise<number> {
    const answer = answerOfApp(page, "/auth");
    await page.evaluate(() => dispatchEvent(new Event("online")));
    return (await answer).status();
  }

  /** The app finds that the session of its person ended, while the frame is open with something typed. */
  async function endUnderFrame(page: Page, market: TestMarket) {
    const { email } = await beNewCustomer(page, market);
    await page.clock.install();
    await openWithHeartbeat(page, "/gift-card");
    const frame = frameOf(page, "Gift cards");
    await frame.getByLabel("Recipient’s email").fill("ann@example.com");
    const refused = page.waitForResponse((response) => response.status() === 401);
    await endSessions(page, market, email);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await refused;
    await expect(frame.getByRole("heading", { name: "Log in to continue" })).toBeVisible();
    // The cookie is gone: there is no session any more.
    expect(await readSession(page)).toBe(200);
    await expectFrameOnly(page);
    const login = async () => {
      await frame.getByLabel("Email").fill(email);
      await frame.getByLabel("Password", { exact: true }).fill(market.customer.password);
      await frame.getByRole("button", { name: "Login to My Account" }).click();
      await expect(frame.getByLabel("Recipient’s email")).toHaveValue("ann@example.com");
    };
    return { login };
  }

  /** Also later than a page is left whose session ended: no welcome, no login of the app. */
  async function expectFrameOnly(page: Page) {
    await page.clock.runFor(2_000);
    await expect(page).toHaveURL(/\/gift-card$/);
    await expect(page.getByRole("dialog")).toHaveCount(1);
  }

  /** The frame is closed, and its person is still signed in. */
  async function expectClosed(page: Page, market: TestMarket) {
    await page.clock.runFor(2_000);
    await expect(page).toHaveURL(/\/shop$/);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await askApi(page, market, "GET", "/auth")).toMatchObject({ isGuest: false });
  }

  test("a gift card: the app learns first that the session ended: the frame asks for the login and keeps what was typed", async ({
    page,
    market,
  }) => {
    const { login } = await endUnderFrame(page, market);
    const read = answerOfApp(page, "/account/profile");
    await login();
    await read;
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expectClosed(page, market);
  });

  test("a gift card: a frame that showed the login is closed before the app knows of it: the person stays signed in", async ({
    page,
    market,
  }) => {
    const { login } = await endUnderFrame(page, market);
    const closed = Promise.withResolvers<void>();
    await page.route("**/api/auth", async (route) => {
      if (route.request().frame() === page.mainFrame()) await closed.promise;
      await route.fallback();
    });
    await login();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const read = answerOfApp(page, "/account/profile");
    closed.resolve();
    await read;
    await expectClosed(page, market);
  });

  test("a gift card: two tabs ask for the login: a login in one goes on in both, with what was typed", async ({
    page,
    context,
    market,
  }) => {
    const { email } = await beNewCustomer(page, market);
    const tabs = [page, await context.newPage()];
    for (const [place, tab] of tabs.entries()) {
      await openWithHeartbeat(tab, "/gift-card");
      await frameOf(tab, "Gift cards").getByLabel("Recipient’s email").fill(`ann.${place}@example.com`);
    }
    await endSessions(page, market, email);
    await page.evaluate(() => dispatchEvent(new Event("online")));
    for (const tab of tabs)
      await expect(frameOf(tab, "Gift cards").getByRole("heading", { name: "Log in to continue" })).toBeVisible();
    const frame = frameOf(page, "Gift cards");
    await frame.getByLabel("Email").fill(email);
    await frame.getByLabel("Password", { exact: true }).fill(market.customer.password);
    await frame.getByRole("button", { name: "Login to My Account" }).click();
    for (const [place, tab] of tabs.entries())
      await expect(frameOf(tab, "Gift cards").getByLabel("Recipient’s email")).toHaveValue(`ann.${place}@example.com`);
  });

  test("a gift card: the app learns first that the session ended, and the frame is closed without a login: Login opens", async ({
    page,
    market,
  }) => {
    await endUnderFrame(page, market);
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await expect(page.getByText("Your session has expired. Please login to continue.").first()).toBeVisible();
    await page.clock.runFor(2_000);
    await expect(page.getByRole("dialog").getByRole("heading", { name: "Login" })).toBeVisible();
  });

  test("a gift card: the bank's challenge declined keeps the form, approved buys it", async ({ page, market }) => {
    await beNewCustomer(page, market);
    await page.goto("/gift-card");
    const frame = frameOf(page, "Gift cards");
    const to = `lee.${process.pid}.${Date.now()}@example.com`;
    await frame.getByLabel("Recipient’s email").fill(to);
    await fillCard(frame, cards.challenge);
    const buy = frame.getByRole("button", { name: "Buy the gift card · $50.00" });
    await buy.click();
    const question = frame.getByRole("heading", { name: "Your bank needs to verify you" });
    await expect(question).toBeFocused();
    await frame.getByRole("button", { name: "Decline" }).click();
    await expect(frame.getByRole("alert").filter({ hasText: /declined/i })).toBeVisible();
    await expect(frame.getByLabel("Recipient’s email")).toHaveValue(to);
    await expect(frame.getByLabel("Card number")).toHaveValue("4000 0025 0000 3155");
    await buy.click();
    await expect(question).toBeFocused();
    await frame.getByRole("button", { name: "Approve" }).click();
    await expect(frame.getByRole("heading", { name: `$50.00 for ${to}`, exact: true })).toBeFocused();
    expect(await market.ask("audit")).toEqual([]);
  });

  test("messages of other windows and origins are ignored", { tag: ["@fail:H10"] }, async ({ page, market }) => {
    await beNewCustomer(page, market);
    await page.goto("/gift-card");
    await expect(frameOf(page, "Gift cards").getByRole("heading", { level: 1 })).toBeVisible();
    await page.evaluate(() => window.postMessage("close-with-refresh", "*"));
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)));
    await expect(page.locator("iframe")).toHaveCount(1);
    await page
      .frames()
      .find((frame) => frame.url().includes("/embed/"))
      ?.evaluate(() => window.parent.postMessage("close-without-refresh", location.origin));
    await expect(page.locator("iframe")).toHaveCount(0);
    await expect(page).toHaveURL(/\/shop$/);
  });
});

test("a card is saved, made the default and removed", async ({ page, market }) => {
  await beNewCustomer(page, market);
  await page.goto("/more");
  await page.getByRole("main").getByRole("button", { name: "Payment methods" }).click();
  const frame = frameOf(page, "Payment methods");
  await expect(frame.getByText("No card saved yet")).toBeVisible();
  const saved = frame.getByRole("list", { name: "Saved cards" }).getByRole("listitem");
  await fillCard(frame);
  await frame.getByRole("button", { name: "Save card" }).click();
  await expect(saved).toHaveCount(1);
  // The form empties itself a moment later.
  await expect(frame.getByLabel("Card number")).toHaveValue("");
  await fillCard(frame, "5555555555554444");
  await frame.getByRole("button", { name: "Save card" }).click();
  await expect(saved).toHaveCount(2);
  // The first one is the default automatically.
  await frame.getByRole("button", { name: /^Make .* the default$/ }).click();
  await expect(frame.getByText("Default card changed").first()).toBeVisible();
  await expect(saved.first()).toContainText("ending in 4444");
  await saved
    .last()
    .getByRole("button", { name: /^Remove/ })
    .click();
  await saved.last().getByRole("button", { name: "Remove", exact: true }).click();
  await expect(saved).toHaveCount(1);
});

test(
  "a referrer sees the progress of a friend, and copies the link",
  { tag: ["@spec:2.4-57", "@spec:2.3-12"] },
  async ({ page, context, market }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { id } = await beNewCustomer(page, market);
    await page.goto("/more");
    await page.getByRole("main").getByRole("button", { name: "Refer friends" }).click();
    const modal = page.getByRole("dialog");
    await expect(modal.getByText("No one yet.")).toBeVisible();
    await expect(modal.getByText("$20", { exact: true })).toHaveCount(2);
    await modal.getByRole("button", { name: "Copy" }).click();
    await expect(page.getByText("Link Copied").first()).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`referredByCustomerId=${id}`);
  },
);

test(
  "checkout: a friend at the referrer's address or with their card reads why there is no discount before paying",
  { tag: ["@fail:M4"] },
  async ({ page, market }) => {
    const referrer = await beNewCustomer(page, market);
    const ham = await market.ask("product", { title: "Referral Ham", inventory: 9 });
    await placeByApi(page, market, [ham]);
    const { deliveryAddress: home } = await askApi<{
      deliveryAddress: { address: string; city: string; zipCode: string };
    }>(page, market, "GET", "/account/profile");
    await page.context().clearCookies();
    await askApi(page, market, "POST", "/auth/register", {
      ...newPerson(),
      zipCode: home.zipCode,
      referredByCustomerId: referrer.id,
    });
    await putInCart(page, market, [{ ...ham, quantity: 2 }]);
    await page.goto("/shop");
    await page.getByRole("complementary", { name: "Shopping panel" }).getByRole("button", { name: "Checkout" }).click();
    const frame = checkoutFrame(page);
    const discount = frame.locator("dl > div").filter({ hasText: /^Discount/ });
    const note = frame.getByText("The $20 off from a friend isn't included");
    await expect(discount.first()).toBeVisible();
    await fillAddress(frame, {
      street: home.address.toUpperCase(),
      city: home.city,
      state: "Indiana",
      zip: home.zipCode,
    });
    await expect(note).toContainText("your address is already used by the person who invited you");
    await expect(discount).toHaveCount(0);
    await frame.getByRole("button", { name: "Change" }).first().click();
    await fillAddress(frame, { street: "77 Faraway Lane", city: home.city, state: "Indiana", zip: home.zipCode });
    await expect(note).toHaveCount(0);
    await fillCard(frame, cards.good);
    const before = await placeButton(frame).innerText();
    await placeButton(frame).click();
    await expect(alertIn(frame)).toContainText("The total has changed. Please review it.");
    await expect(note).toContainText("your card is already used");
    await expect(placeButton(frame)).not.toHaveText(before);
    await expect(discount).toHaveCount(0);
    await placeButton(frame).click();
    await orderPlaced(page);
    expect(await market.ask("audit")).toEqual([]);
  },
);
