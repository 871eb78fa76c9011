import { expectAccessible } from "./lib/axe.ts";
import { expect, type Page, test } from "./lib/fixtures.ts";
import { askApi } from "./lib/orders.ts";
import { appIsUp, beCustomer, beGuest, comeIn, newPerson } from "./lib/shopper.ts";

const dialogOf = (page: Page) => page.getByRole("dialog").last();
const browse = async (page: Page) => {
  await dialogOf(page).getByLabel("Zip code").fill("46032");
  await dialogOf(page).getByRole("button", { name: "Browse" }).click();
};

test(
  "a friend's link: two steps to an account, with the referrer and the link's parameters",
  {
    tag: [
      "@spec:9-07",
      "@spec:2.4-59",
      "@spec:4-08",
      "@spec:2.2-01",
      "@spec:2.2-03",
      "@spec:2.2-06",
      "@spec:2.2-07",
      "@spec:2.2-08",
    ],
  },
  async ({ page, market }) => {
    const friend = await market.ask("customer", {});
    const brought = `trk=${"sign-".repeat(12)}&utm_source=flyer&utm_campaign=fall&playerId=p-7&os=ios&referredByCustomerId=${friend.id}&app=true`;
    await page.goto(`/?${brought}`);
    await page.waitForURL(/\/shop$/);
    const dialog = dialogOf(page);
    await expect(dialog.getByText("Step 1 of 2")).toBeVisible();
    await expect(dialog.getByText("A friend sent you: $20 off your first order.")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Use current location" })).toHaveCount(0);
    await browse(page);
    await expect(dialogOf(page).getByText("Step 2 of 2")).toBeVisible();
    const guest = await askApi<Record<string, unknown>>(page, market, "GET", "/account/profile");
    const origin = { trk: "sign-".repeat(10), utmSource: "flyer", utmCampaign: "fall", playerId: "p-7", os: "ios" };
    expect(guest).toMatchObject({ isGuest: true, ...origin });
    await expectAccessible(page);

    const person = newPerson();
    const form = dialogOf(page);
    await expect(form.getByLabel("Zip code")).toHaveValue("46032");
    await form.getByLabel("First name").fill(person.firstName);
    await form.getByLabel("Last name").fill(person.lastName);
    await form.getByLabel("Email").fill(person.email);
    await form.getByLabel("Password", { exact: true }).fill(person.password);
    await form.getByLabel("Confirm password").fill(person.password);
    await form.getByRole("button", { name: "Create My Account" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    const customer = await askApi<Record<string, unknown>>(page, market, "GET", "/account/profile");
    expect(customer).toMatchObject({ isGuest: false, email: person.email, ...origin });
    // Nothing of the new one's is on its way any more.
    await page.goto("about:blank");
    await beCustomer(page, market, { email: friend.email, password: market.customer.password });
    const { friends } = await askApi<{ friends: unknown[] }>(page, market, "GET", "/referrals");
    expect(friends).toHaveLength(1);
  },
);

test(
  "a vendor's link names the vendor, and asks for the e-mail in the second step, once in 30 days",
  { tag: ["@spec:2.4-59", "@spec:4-08", "@spec:2.2-01", "@spec:9-16"] },
  async ({ page, context, market }) => {
    const vendor = await market.ask("vendor", { name: "Wren Hollow Farm", products: 1 });
    await page.goto(`/shop?trk=${vendor.slug}`);
    await expect(dialogOf(page).getByText("Wren Hollow Farm sent you.")).toBeVisible();
    await browse(page);
    const dialog = dialogOf(page);
    await expect(dialog.getByRole("heading", { name: "Hear from Wren Hollow Farm first" })).toBeVisible();
    await dialog.getByRole("button", { name: "Keep me posted" }).click();
    await expect(dialog.getByText("Valid email is required")).toBeVisible();
    await dialog.getByLabel("Email").fill(newPerson().email);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText("Thanks, we'll be in touch.").first()).toBeVisible();
    const cookie = (await context.cookies()).find(({ name }) => name === "mkt_email_capture");
    const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
  },
);

test(
  "a returning guest sees the email form once, and never over another overlay",
  { tag: ["@spec:2.4-59", "@spec:9-16"] },
  async ({ page, context, market }) => {
    await beGuest(page, market);
    await page.goto("/shop");
    await appIsUp(page);
    await page.close();
    const visit = async () => {
      const again = await context.newPage();
      await again.clock.install();
      await again.goto("/shop");
      await appIsUp(again);
      return again;
    };
    const second = await visit();
    await second.goto(`/product/${market.products[2]!.slug}`);
    await expect(dialogOf(second).getByRole("heading", { name: market.products[2]!.title, exact: true })).toBeVisible();
    await second.clock.runFor(30_000);
    await expect(second.getByRole("dialog")).toHaveCount(1);
    await second.keyboard.press("Escape");
    await expect(second).toHaveURL(/\/shop$/);
    await second.clock.runFor(11_000);
    const dialog = dialogOf(second);
    await expect(dialog.getByRole("heading", { name: "Hear what's in season" })).toBeVisible();
    await expectAccessible(second);
    await dialog.getByRole("button", { name: "No thanks" }).click();
    await expect(second.getByRole("dialog")).toHaveCount(0);
    await second.close();
    const third = await visit();
    await third.clock.runFor(30_000);
    await expect(third.getByRole("dialog")).toHaveCount(0);
  },
);

test(
  "the parameters of an address survive a redirect and never leave the host",
  { tag: ["@spec:2.2-04", "@spec:2.2-06", "@spec:2.1-03", "@fail:H13"] },
  async ({ page, market }) => {
    for (const [address, to] of [
      ["/?utm_source=one&trk=a", "/shop"],
      ["/login?utm_source=two&next=//evil.example", "/shop"],
      ["/collections?vendor=vendor-1&utm_source=three", "/collections/vendor/vendor-1"],
      ["/products?utm_source=four", "/shop"],
      ["/?q=tomato&utm_source=five", "/search"],
      ["/shop?redirect=//evil.example&trk=a%0d%0aSet-Cookie:x=1&utm_source=six", "/shop"],
    ] as const) {
      await page.goto(address);
      await expect.poll(() => new URL(page.url()).pathname).toBe(to);
      expect(new URL(page.url()).origin).toBe(market.address);
      await expect
        .poll(() => page.evaluate(() => sessionStorage.getItem("marketday:utmSource")))
        .toContain(new URLSearchParams(address.split("?")[1]).get("utm_source"));
      expect(page.url()).not.toContain("utm_source");
    }
    expect(await page.evaluate(() => document.cookie)).not.toContain("x=1");
  },
);

test(
  "a visitor with a market and without a referrer has one step",
  { tag: ["@spec:2.4-01", "@spec:2.4-02", "@spec:2.4-03", "@spec:2.4-06", "@spec:6-08"] },
  async ({ page, market }) => {
    await page.goto("/");
    const dialog = dialogOf(page);
    await expect(dialog.getByRole("heading", { name: /farmers market/i }).first()).toContainText(/online.*deliver/i);
    await expect(dialog.getByText("Step 1 of 2")).toHaveCount(0);
    await expect(dialog.getByRole("button", { name: "Create Free Account" })).toHaveCount(0);
    await expect(dialog.getByRole("button", { name: "Close" })).toHaveCount(0);
    await expect(dialog.getByRole("button", { name: "Sign in" })).toBeVisible();
    await comeIn(page, market.zip);
    // With a market there is an account to make.
    await page.locator("#hub-chip").click();
    await dialog.getByRole("button", { name: "Enter another zip code" }).click();
    await expect(dialog.getByRole("heading", { name: /farmers market/i })).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Close" })).toBeVisible();
    await dialog.getByRole("button", { name: "Create Free Account" }).click();
    await expect(page.getByRole("dialog").getByRole("button", { name: "Create My Account" })).toBeVisible();
  },
);
