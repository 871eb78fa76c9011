import type { Page } from "@playwright/test";

import { expect, test, type TestMarket } from "./lib/fixtures.ts";
import { askApi, beNewCustomer } from "./lib/orders.ts";
import { beGuest, checkoutFrame, isCartChange, newProduct, plusOf, putInCart, tileOf } from "./lib/shopper.ts";

test("checkout: after a refused address the field keeps the focus while it is corrected", async ({
  page,
  market,
  shop,
}) => {
  await beNewCustomer(page, market);
  // Their saved address is another market's.
  await askApi(page, market, "POST", `/hubs/${shop.hub.id}/switch`);
  await putInCart(page, shop, [shop.products[7]!]);
  await page.goto("/shop");
  await page.getByRole("complementary", { name: "Shopping panel" }).getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await frame.getByRole("button", { name: "Continue" }).click();
  await expect(frame.getByText(new RegExp(`${shop.hub.name} does not deliver to`)).first()).toBeVisible();
  const street = frame.getByLabel("Street address");
  const before = await street.inputValue();
  await street.press("End");
  await street.pressSequentially(" Apt 5");
  await expect(street).toHaveValue(`${before} Apt 5`);
  await expect(street).toBeFocused();
});

test("checkout: while one of two mistakes is corrected, the focus stays in its field", async ({ page, market }) => {
  await beNewCustomer(page, market);
  await putInCart(page, market, [market.products[7]!]);
  await page.goto("/shop");
  await page.getByRole("complementary", { name: "Shopping panel" }).getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await frame.getByRole("button", { name: "Change delivery or pickup" }).click();
  await frame.getByRole("button", { name: "Change address" }).click();
  const street = frame.getByLabel("Street address");
  await street.fill("");
  await frame.getByLabel("City").fill("");
  await frame.getByRole("button", { name: "Continue" }).click();
  await expect(frame.getByRole("heading", { name: "There is a problem" })).toBeVisible();
  await street.pressSequentially("9 Elm Street");
  await expect(street).toHaveValue("9 Elm Street");
  await expect(street).toBeFocused();
  // Another try names what is left.
  await frame.getByRole("button", { name: "Continue" }).click();
  await expect(frame.getByLabel("City")).toBeFocused();
});

test("FAQ: a message that was typed stays, whatever is searched for afterwards", async ({ page, market }) => {
  await beGuest(page, market);
  await page.goto("/faq");
  const search = page.getByRole("searchbox", { name: "Search the answers" });
  const message = page.getByLabel("Message");
  await search.fill("submarine");
  // Proposed while nothing is typed, and another one after that.
  await expect(message).toHaveValue("submarine");
  await search.fill("zeppelin");
  await expect(message).toHaveValue("zeppelin");
  await message.fill("My eggs were broken and");
  // Announced in the step that proposes the search as a message.
  const announced = (words: string) => expect(page.getByText(words, { exact: true }).first()).toBeAttached();
  await search.fill("shipping");
  await announced("1 answer");
  await search.fill("submarines");
  await announced("0 answers");
  await expect(message).toHaveValue("My eggs were broken and");
});

test("FAQ: a deleted proposal stays deleted", async ({ page, market }) => {
  await beGuest(page, market);
  await page.goto("/faq");
  await page.getByRole("searchbox", { name: "Search the answers" }).fill("submarine");
  const message = page.getByLabel("Message");
  await expect(message).toHaveValue("submarine");
  await message.fill("");
  await expect(message).toHaveValue("");
});

test("FAQ: an answer's address keeps its hash when campaign parameters are taken out of it", async ({ page }) => {
  await page.goto("/faq?utm_source=mail#what-is-the-wagon-pass");
  await expect(page).toHaveURL(/\/faq#what-is-the-wagon-pass$/);
  await expect(page.getByText("Free home delivery for $13.95 a month")).toBeVisible();
});

test("cart: removed, brought back and removed again, a line can be brought back for five seconds once more", async ({
  page,
  shop,
}) => {
  await beGuest(page, shop);
  const { title } = await newProduct(shop, "Twice Removed Turnips");
  await page.clock.install();
  await page.goto("/shop");
  const saved = page.waitForResponse(isCartChange);
  await plusOf(tileOf(page, title)).press("Enter");
  await saved;
  const side = page.getByRole("complementary");
  await page.clock.pauseAt(new Date(Date.now() + 60_000));
  await side.getByRole("button", { name: /^Remove / }).press("Enter");
  await page.clock.runFor(3000);
  await side.getByRole("button", { name: "Undo" }).press("Enter");
  await side.getByRole("button", { name: /^Remove / }).press("Enter");
  await page.clock.runFor(4900);
  await expect(side.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.clock.runFor(200);
  await expect(side.getByRole("button", { name: "Undo" })).toHaveCount(0);
});

/** Holds the next change of the profile until `release`. */
async function holdProfile(page: Page) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: sent, resolve: onSent } = Promise.withResolvers<void>();
  await page.route("**/api/account/profile", async (route) => {
    if (route.request().method() === "GET") return route.fallback();
    onSent();
    await released;
    return route.continue();
  });
  return { sent, release };
}

async function openDetails(page: Page, market: TestMarket) {
  await beNewCustomer(page, market);
  await page.goto("/more");
  await page.getByRole("main").getByRole("button", { name: "My Details" }).click();
  return page.getByRole("dialog");
}

test("My Details: what is typed while a change is saved is kept", async ({ page, market }) => {
  const dialog = await openDetails(page, market);
  await dialog.getByLabel("Username").fill("wagoneer");
  const { sent, release } = await holdProfile(page);
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await sent;
  await dialog.getByLabel("Username").fill("wagoneer the second");
  await dialog.getByLabel("Phone").fill("317 555 0142");
  release();
  await expect(page.getByText("Profile updated").first()).toBeVisible();
  await expect(dialog.getByLabel("Username")).toHaveValue("wagoneer the second");
  await expect(dialog.getByLabel("Phone")).toHaveValue("317 555 0142");
  expect(await askApi(page, market, "GET", "/account/profile")).toMatchObject({ handle: "wagoneer" });
});

test("My Details: what is typed into the address while it is saved is kept", async ({ page, market }) => {
  const dialog = await openDetails(page, market);
  const address = dialog.getByRole("region", { name: "How you receive your orders" });
  await address.getByLabel("Street address").fill("1 First Street");
  const { sent, release } = await holdProfile(page);
  await address.getByRole("button", { name: "Update" }).click();
  await sent;
  await address.getByLabel("City").fill("Noblesville");
  release();
  await expect(page.getByText("Profile updated").first()).toBeVisible();
  await expect(address.getByLabel("City")).toHaveValue("Noblesville");
  await expect(address.getByLabel("Street address")).toHaveValue("1 First Street");
});

test("search: the recent searches of a customer are gone after logging out", async ({ page, market }) => {
  await beNewCustomer(page, market);
  await page.goto("/shop");
  const field = page.getByRole("combobox", { name: "Search the market" });
  await field.fill("plain butter");
  await field.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: /^Found/ })).toBeVisible();
  await field.fill("");
  const recent = page.getByRole("listbox", { name: "Recent searches" }).getByRole("option");
  await expect(recent).toHaveText(["plain butter"]);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(recent).toHaveCount(0);
  await field.fill("secret cheese");
  await field.press("Enter");
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  await expect.poll(kept).toContain("secret cheese");
  await page.goto("/more");
  await page.getByRole("main").getByRole("button", { name: "Logout" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Logout" }).click();
  await page.waitForURL(/\/shop$/);
  expect(await kept()).not.toContain("secret cheese");
});
