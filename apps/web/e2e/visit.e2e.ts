import { ANALYTICS_COOKIE_MS } from "@marketday/domain/limits";

import { expect, type Page, test } from "./lib/fixtures.ts";
import { alertIn, beGuest, newPerson, newProduct, plusOf, register, tileOf } from "./lib/shopper.ts";

const visitOf = async (page: Page) => {
  const found = (await page.context().cookies()).find(({ name }) => name === "mkt_as");
  expect(found).toMatchObject({ path: "/", sameSite: "Lax" });
  return { id: found?.value ?? "", until: (found?.expires ?? 0) * 1000 };
};
const pushed = (page: Page) => page.evaluate(() => window.dataLayer ?? []);

test(
  "a visit's number lasts three hours after the last page view",
  { tag: ["@spec:9-15"] },
  async ({ page, market }) => {
    await beGuest(page, market);
    const before = Date.now();
    await page.goto("/shop");
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect.poll(async () => (await page.context().cookies()).some(({ name }) => name === "mkt_as")).toBe(true);
    const first = await visitOf(page);
    expect(first.id).toMatch(/^[0-9a-f]{32}$/);
    expect(first.until).toBeGreaterThanOrEqual(before + ANALYTICS_COOKIE_MS - 2000);
    expect(first.until).toBeLessThanOrEqual(Date.now() + ANALYTICS_COOKIE_MS + 2000);

    await page.getByRole("contentinfo").getByRole("link", { name: "Help" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Help" })).toBeVisible();
    await expect.poll(async () => (await visitOf(page)).until).toBeGreaterThan(first.until);
    expect((await visitOf(page)).id).toBe(first.id);
  },
);

test(
  "adding and logging in are pushed to the data layer; no third-party script is loaded",
  {
    tag: ["@spec:7.12-03"],
  },
  async ({ page, shop }) => {
    const { email } = await shop.ask("customer", {});
    const { title } = await newProduct(shop, "Counted Cucumbers");
    await beGuest(page, shop);
    await page.goto("/shop");
    await plusOf(tileOf(page, title)).click();
    await expect
      .poll(() => pushed(page))
      .toEqual([expect.objectContaining({ event: "add_to_cart", visit: (await visitOf(page)).id })]);
    await page.goto("/login");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByLabel("Password", { exact: true }).fill("wrong");
    await page.keyboard.press("Enter");
    await expect(alertIn(dialog)).toBeVisible();
    expect(await pushed(page)).toEqual([]);
    await dialog.getByLabel("Password", { exact: true }).fill(shop.customer.password);
    await page.keyboard.press("Enter");
    await expect(dialog).toHaveCount(0);
    await expect
      .poll(() => pushed(page))
      .toEqual([expect.objectContaining({ event: "login", visit: (await visitOf(page)).id })]);
    expect(await page.locator('script[src^="http"]').count()).toBe(0);
  },
);

test("tag manager: a new account is pushed as one event", { tag: ["@spec:7.12-03"] }, async ({ page, market }) => {
  await beGuest(page, market);
  await page.goto("/login");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create a free account" }).click();
  await register(dialog, newPerson(), market.zip);
  await expect(dialog).toHaveCount(0);
  await expect
    .poll(() => pushed(page))
    .toEqual([expect.objectContaining({ event: "sign_up", visit: (await visitOf(page)).id })]);
});
