import type { Request, Route } from "@playwright/test";

import { expect, openBrowser, type Page, test } from "./lib/fixtures.ts";
import { askApi } from "./lib/orders.ts";
import {
  addressIn,
  announceLogin,
  beCustomer,
  beGuest,
  checkoutFrame,
  fillCard,
  newPerson,
  newProduct,
  orderPlaced,
  type Place,
  placeButton,
  putInCart,
  registerInFrame,
} from "./lib/shopper.ts";

const NOTHING_ABOUT_STOCK = /in stock|sold out|restock/i;

async function login(place: Place, { email, password }: { email: string; password: string }): Promise<void> {
  await place.getByLabel("Email").fill(email);
  await place.getByLabel("Password", { exact: true }).fill(password);
  await place.getByRole("button", { name: "Login to My Account" }).click();
}

/** The page around a frame does not learn who is logged in before the result is called. */
async function holdSession(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route("**/api/auth", async (route) => {
    if (route.request().frame() === page.mainFrame()) await promise;
    await route.continue();
  });
  return resolve;
}

/** Waits until a page has handled what it requests, without what its frames do. Called before it requests. */
function whenAnswered(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on("request", (request) => {
    if (request.frame() === page.mainFrame()) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return async () => {
    await expect.poll(() => open.size).toBe(0);
    // An answer that has arrived is handled before a later one.
    await page.evaluate(async () => (await fetch("/version.json")).text());
  };
}

test("checkout: after a login to an account of another market both are named, and one tap goes on in the cart's", async ({
  page,
  market,
  shop,
}) => {
  const { email } = await market.ask("customer", { address: true });
  const eggs = await newProduct(shop, "Duck Eggs");
  await beGuest(page, shop);
  await putInCart(page, shop, [eggs]);
  await page.goto("/shop");
  const side = page.getByRole("complementary", { name: "Shopping panel" });
  await side.getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await frame.getByRole("button", { name: "Login", exact: true }).click();
  await login(frame, { email, password: market.customer.password });

  await expect(frame.getByText(`Your cart is from ${shop.hub.name}.`)).toBeVisible();
  await expect(frame.getByText(`Your account shops at ${market.hub.name}.`)).toBeVisible();
  await expect(frame.getByRole("button", { name: `Shop at ${market.hub.name}`, exact: true })).toBeVisible();
  await expect(frame.getByRole("main")).not.toContainText(NOTHING_ABOUT_STOCK);
  await frame.getByRole("button", { name: `Check out at ${shop.hub.name}`, exact: true }).click();
  await frame.getByRole("radio", { name: /^Pickup/ }).check({ force: true });
  await frame.getByRole("radio", { name: /^Depot 1/ }).check({ force: true });
  await frame.getByRole("button", { name: "Continue" }).click();
  await fillCard(frame);
  await placeButton(frame).click();
  const id = await orderPlaced(page);
  expect(await askApi(page, market, "GET", `/orders/${id}`)).toMatchObject({ hub: { id: shop.hub.id } });
});

test("checkout: left before the page around it knows of the login in it, it is not opened again", async ({
  page,
  market,
  shop,
}) => {
  const { email } = await market.ask("customer", {});
  await beGuest(page, shop);
  await putInCart(page, shop, [await newProduct(shop, "Goose Eggs")]);
  await page.goto("/shop");
  const side = page.getByRole("complementary", { name: "Shopping panel" });
  await side.getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await frame.getByRole("button", { name: "Login", exact: true }).click();
  const release = await holdSession(page);
  const answered = whenAnswered(page);
  await login(frame, { email, password: market.customer.password });
  // Nothing of the cart is sold in the account's market: back to the shop.
  await frame.getByRole("button", { name: `Shop at ${market.hub.name}`, exact: true }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  release();
  await expect(side.getByText(`Your account shops at ${market.hub.name}.`)).toBeVisible();
  await answered();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("checkout: what both markets sell is not ordered in the account's before it was chosen, and can be", async ({
  page,
  market,
  shop,
}) => {
  const { email } = await market.ask("customer", { address: true });
  await beGuest(page, shop);
  // The markets have the same products.
  await putInCart(page, shop, [shop.products[7]!]);
  await beCustomer(page, market, { email, password: market.customer.password });
  await page.goto("/embed/checkout");
  await expect(page.getByText(`Your cart is from ${shop.hub.name}.`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Payment" })).toHaveCount(0);
  await page.getByRole("button", { name: `Shop at ${market.hub.name}`, exact: true }).click();
  await expect(page.getByRole("heading", { name: "Payment" })).toBeVisible();
  await expect(page.getByText(`Your cart is from ${shop.hub.name}.`)).toHaveCount(0);
  expect(await askApi(page, market, "GET", "/auth")).toMatchObject({ hubId: market.hub.id });
});

test("checkout: an account that another device has moved to another market is refused once, and its choices are ordered there", async ({
  browser,
  page,
  market,
  shop,
}) => {
  const { email } = await market.ask("customer", { address: true });
  await beCustomer(page, market, { email, password: market.customer.password });
  await putInCart(page, market, [shop.products[7]!]);
  await page.goto("/embed/checkout");
  await fillCard(page);
  await page.getByRole("button", { name: "Change tip and notes" }).click();
  await page.getByRole("textbox", { name: /notes/i }).fill("By the blue gate");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(placeButton(page)).toBeEnabled();
  const device = await (await openBrowser(browser, market)).newPage();
  await beCustomer(device, market, { email, password: market.customer.password });
  await askApi(device, market, "POST", `/hubs/${shop.hub.id}/switch`);
  await device.context().close();
  await placeButton(page).click();
  const moved = page.getByRole("heading", {
    name: `You shop at ${shop.hub.name} now. Please review your order.`,
    exact: true,
  });
  await expect(moved).toBeFocused();
  await expect(placeButton(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Review my order" }).click();
  await expect(moved).toHaveCount(0);
  await page.getByRole("radio", { name: /^Pickup/ }).check({ force: true });
  await page.getByRole("radio", { name: /^Depot 1/ }).check({ force: true });
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Change tip and notes" }).click();
  await expect(page.getByRole("textbox", { name: /notes/i })).toHaveValue("By the blue gate");
  await page.getByRole("button", { name: "Continue" }).click();
  await fillCard(page);
  await placeButton(page).click();
  const id = await orderPlaced(page);
  expect(await askApi(page, market, "GET", `/orders/${id}`)).toMatchObject({
    hub: { id: shop.hub.id },
    deliveryNotes: "By the blue gate",
  });
});

test("cart: after a login to an account of another market the panel names both and leads back in one tap", async ({
  page,
  market,
  shop,
}) => {
  const { email } = await market.ask("customer", {});
  const eggs = await newProduct(shop, "Quail Eggs");
  await beGuest(page, shop);
  await putInCart(page, shop, [eggs]);
  await page.goto("/login");
  await login(page.getByRole("dialog"), { email, password: market.customer.password });
  const side = page.getByRole("complementary", { name: "Shopping panel" });
  await expect(side.getByText(`Your account shops at ${market.hub.name}.`)).toBeVisible();
  const checkout = side.getByRole("button", { name: "Checkout" });
  await expect(checkout).toHaveAccessibleDescription(`Your cart is from ${shop.hub.name}.`);
  await expect(side).not.toContainText(NOTHING_ABOUT_STOCK);
  // The page names them too, for a login without a cart.
  await expect(page.getByText(`You were at ${shop.hub.name} before.`).first()).toBeVisible();
  await side.getByRole("button", { name: `Go on at ${shop.hub.name}`, exact: true }).press("Enter");
  await expect(checkout).toBeEnabled();
  await expect(side.getByRole("tab", { selected: true })).toBeFocused();
  await expect(page.getByRole("button", { name: new RegExp(`^Your market: ${shop.hub.name} Order by`) })).toBeVisible();
  await expect(side.getByText("is from")).toHaveCount(0);
});

test("cart: what both markets sell is taken into the account's with one tap", async ({ page, market, shop }) => {
  const { email } = await market.ask("customer", {});
  await beGuest(page, shop);
  await putInCart(page, shop, [shop.products[7]!]);
  await beCustomer(page, market, { email, password: market.customer.password });
  await page.goto("/cart");
  const side = page.getByRole("complementary", { name: "Shopping panel" });
  await side.getByRole("button", { name: `Shop at ${market.hub.name}`, exact: true }).click();
  await expect(side.getByText("Choose where you want to order.")).toHaveCount(0);
  await expect(side.getByRole("button", { name: "Checkout" })).toBeEnabled();
  expect(await askApi(page, market, "GET", "/cart")).toMatchObject({ otherMarket: null });
});

test("link: a customer of another market stays in theirs, and is offered the market of the link", async ({
  page,
  market,
  shop,
}) => {
  const { email } = await market.ask("customer", {});
  await beCustomer(page, market, { email, password: market.customer.password });
  await page.goto(`/?hubId=${shop.hub.id}`);
  await expect(
    page.getByRole("button", { name: new RegExp(`^Your market: ${market.hub.name} Order by`) }),
  ).toBeVisible();
  await expect(
    page.getByText(`This link is for ${shop.hub.name}. Your account shops at ${market.hub.name}.`).first(),
  ).toBeVisible();
  await page.getByRole("button", { name: `Switch to ${shop.hub.name}`, exact: true }).click();
  await expect(page.getByRole("button", { name: new RegExp(`^Your market: ${shop.hub.name} Order by`) })).toBeVisible();
});

test("checkout: a guest whose zip the market does not deliver to registers, learns it with the zip, and picks up", async ({
  page,
  shop,
}) => {
  const person = newPerson();
  await beGuest(page, shop);
  await putInCart(page, shop, [shop.products[7]!]);
  await page.goto("/shop");
  await page.getByRole("complementary", { name: "Shopping panel" }).getByRole("button", { name: "Checkout" }).click();
  const frame = checkoutFrame(page);
  await frame.getByLabel("Zip code").fill("99501");
  await expect(frame.getByText(`${shop.hub.name} does not deliver to 99501.`)).toBeVisible();
  const release = await holdSession(page);
  await registerInFrame(frame, person, "99501");
  // The ZIP code is the one of the address until another is typed.
  await expect(frame.getByText("No home delivery there")).toBeVisible();
  await frame.getByLabel("Zip code").fill(addressIn(shop).zip);
  await expect(frame.getByText("No home delivery there")).toHaveCount(0);
  await frame.getByLabel("Zip code").fill("99501");
  await frame.getByRole("button", { name: "Pick up instead" }).press("Enter");
  await expect(frame.getByRole("group", { name: "Pickup point" }).getByRole("radio").first()).toBeFocused();
  await frame.getByRole("radio", { name: /^Depot 1/ }).check({ force: true });
  await frame.getByRole("button", { name: "Continue" }).click();
  await fillCard(frame);
  // The page around the frame learns of the account only now, and the frame stays as it is.
  release();
  const leavesToShop = () => page.evaluate(() => (history.state as { usr: { cold?: boolean } | null }).usr?.cold);
  await expect.poll(leavesToShop).toBe(true);
  await placeButton(frame).click();
  await orderPlaced(page);
});

test("checkout: news of the login that its frame is still adopting does not reload it", async ({ page, shop }) => {
  await beGuest(page, shop);
  await putInCart(page, shop, [shop.products[7]!]);
  await page.goto("/embed/checkout");
  await expect(page.getByLabel("First name")).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isFirst: true }));
  const held: Route[] = [];
  await page.route("**/api/cart", (route) => void held.push(route));
  await registerInFrame(page, newPerson(), addressIn(shop).zip);
  await expect.poll(() => held.length).toBe(1);
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/auth");
  await announceLogin(page);
  await (await answered).finished();
  // The page has handled the answer when a later one is here.
  await page.evaluate(async () => (await fetch("/version.json")).text());
  for (const route of held) await route.continue();
  await page.unroute("**/api/cart");
  await expect(page.getByLabel("Street address")).toBeVisible();
  expect(await page.evaluate(() => "isFirst" in window)).toBe(true);
});

test("checkout: a stored address that the market does not deliver to opens the delivery step, not the payment", async ({
  page,
  market,
  shop,
}) => {
  const { email } = await market.ask("customer", { address: true });
  await beCustomer(page, market, { email, password: market.customer.password });
  await askApi(page, market, "POST", `/hubs/${shop.hub.id}/switch`);
  await putInCart(page, shop, [shop.products[7]!]);
  await page.goto("/embed/checkout");
  await expect(page.getByText(`${shop.hub.name} does not deliver to`).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Pick up instead" })).toBeVisible();
  await expect(placeButton(page)).toHaveCount(0);
});

test("my details: an address that the market does not deliver to is stored, and the page says so with the zip", async ({
  page,
  market,
}) => {
  const { email } = await market.ask("customer", { address: true });
  await beCustomer(page, market, { email, password: market.customer.password });
  await page.goto("/profile");
  const details = page.getByRole("dialog");
  await details.getByLabel("Zip code").fill("99501");
  await expect(details.getByText(`${market.hub.name} does not deliver to 99501.`)).toBeVisible();
  await details.getByRole("button", { name: "Update" }).click();
  await expect(page.getByText("Profile updated").first()).toBeVisible();
  await page.reload();
  await expect(details.getByText("No home delivery there")).toBeVisible();
});
