import { expect, type FrameLocator, type Locator, type Page, type Response } from "@playwright/test";

import { CARD_YEAR } from "../../../server/test/card-year.ts";
import type { TestMarket } from "./fixtures.ts";

let count = 0;

/** A name that no other thing of this worker's market has. */
export function nameOfItsOwn(name: string): string {
  count += 1;
  return `${name} ${String(count).padStart(3, "0")}`;
}

/** A word that is spelled like no other, for what is searched. */
export const wordOfItsOwn = (): string =>
  Array.from({ length: 12 }, () => String.fromCodePoint(97 + Math.floor(Math.random() * 26))).join("");

/** A new person with a unique email address. */
export function newPerson() {
  count += 1;
  const email = `anna.${process.pid}.${count}@example.com`;
  return { firstName: "Anna", lastName: "Miller", email, password: "blue-wheelbarrow-7" };
}
export type Person = ReturnType<typeof newPerson>;

/** An address that a hub delivers to. */
export const addressIn = ({ zip }: { zip: string }) => ({
  street: "12 Oak Street",
  city: "Carmel",
  state: "Indiana",
  zip,
});
export const cards = {
  good: "4242424242424242",
  declined: "4000000000000002",
  challenge: "4000002500003155",
} as const;

export const testCard = { number: cards.good, expMonth: 12, expYear: CARD_YEAR, cvc: "123" };
/** As it is typed: MMYY. */
export const expiry = `12${CARD_YEAR % 100}`;

/** A part of the page, or of the frame in it. */
export type Place = Page | FrameLocator | Locator;

/** The app has started and stands where the server's view was, which has the same headings and links. */
export const appIsUp = (page: Page): Promise<void> => expect(page.locator("main:not(.static-view)")).toBeAttached();

/** Comes in as a guest: the zip on the Welcome modal. */
export async function comeIn(page: Page, zip: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("dialog").getByLabel("Zip code").fill(zip);
  await page.getByRole("button", { name: "Browse" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

/** A guest made by the API, for tests that begin later. */
export async function beGuest(page: Page, market: { address: string; hub: { id: number } }): Promise<void> {
  const answer = await page.request.post(`${market.address}/api/auth/guest?hubId=${market.hub.id}`, {
    headers: { origin: market.address },
  });
  expect(answer.ok()).toBe(true);
}

/** A customer's session made by the API. */
export async function beCustomer(
  page: Page,
  market: { address: string },
  who: { email: string; password: string },
): Promise<void> {
  const data = { username: who.email, password: who.password };
  const answer = await page.request.post(`${market.address}/api/auth/login`, {
    data,
    headers: { origin: market.address },
  });
  expect(answer.ok()).toBe(true);
}

/** Ends the sessions of who is logged in here, as a password change elsewhere would; over when the server says so. */
export async function endSessions(page: Page, market: TestMarket, email: string): Promise<void> {
  // Before they end: the page loses its cookie with the first request after that.
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  await market.ask("endSessions", { email });
  // Not as this browser, which would lose its cookie.
  await expect
    .poll(() => fetch(`${market.address}/api/auth`, { headers: { cookie } }).then(({ status }) => status))
    .toBe(401);
}

/** The same, and an open frame is the first to learn it: the app around it gets no answers until the returned function is called. */
export async function endSessionsUnderFrame(
  page: Page,
  market: TestMarket,
  email: string,
): Promise<() => Promise<void>> {
  const calls = "**/api/**";
  await page.route(calls, (route) => (route.request().frame() === page.mainFrame() ? route.abort() : route.fallback()));
  await endSessions(page, market, email);
  return () => page.unroute(calls);
}

/** Puts lines into this browser's cart by the API. */
export async function putInCart(
  page: Page,
  market: { address: string },
  lines: { id: number; variantId: number; quantity?: number }[],
): Promise<void> {
  const data = lines.map(({ id, variantId, quantity = 1 }) => ({ productId: id, variantId, quantity }));
  const answer = await page.request.put(`${market.address}/api/cart`, { data, headers: { origin: market.address } });
  expect(answer.ok()).toBe(true);
}

/** The checkout inside the app. */
export const checkoutFrame = (page: Page): FrameLocator => page.frameLocator('iframe[title="Checkout"]');

export async function register(place: Place, person: Person, zip: string): Promise<void> {
  await place.getByLabel("Confirm password").fill(person.password);
  await registerInFrame(place, person, zip);
}

/** In a frame, which needs no confirmation; `zip` null: it is known. */
export async function registerInFrame(place: Place, person: Person, zip: string | null): Promise<void> {
  await place.getByLabel("First name").fill(person.firstName);
  await place.getByLabel("Last name").fill(person.lastName);
  await place.getByLabel("Email").fill(person.email);
  if (zip !== null) await place.getByLabel("Zip code").fill(zip);
  await place.getByLabel("Password", { exact: true }).fill(person.password);
  await place.getByRole("button", { name: "Create My Account" }).click();
}

export async function fillAddress(
  place: Place,
  { street, city, state, zip }: ReturnType<typeof addressIn>,
): Promise<void> {
  await place.getByLabel("Street address").fill(street);
  await place.getByLabel("City").fill(city);
  await place.getByLabel("State").selectOption({ label: state });
  await place.getByLabel("Zip code").fill(zip);
  await place.getByRole("button", { name: "Continue" }).click();
}

export async function fillCard(place: Place, number: string = cards.good): Promise<void> {
  await place.getByLabel("Card number").fill(number);
  await place.getByLabel("Expires").fill(expiry);
  await place.getByLabel("Security code").fill("123");
}

/** The box that answers the shopper's last action; the page's live region is an alert too. */
export const alertIn = (place: Place): Locator => place.locator('[role="alert"][tabindex="-1"]');

export const placeButton = (place: Place): Locator =>
  place.getByRole("button", { name: /^Place order · \$\d+\.\d\d$/ });

/** The order's id, once the confirmation is there. */
export async function orderPlaced(page: Page): Promise<number> {
  await page.waitForURL(/\/order-complete\/\d{9}$/);
  await expect(page.getByRole("heading", { level: 1, name: "Your order is in" })).toBeVisible();
  return Number(new URL(page.url()).pathname.split("/").at(-1));
}

/** A tile's own link, and the plus on its picture. */
export const titleOf = (tile: Locator): Locator => tile.getByRole("heading").getByRole("link");
export const plusOf = (tile: Locator): Locator =>
  tile.getByRole("group", { name: /^Quantity of / }).getByRole("button", { name: /^Add / });

/** The tile of a product on a page. */
export const tileOf = (page: Page, title: string): Locator =>
  page
    .getByRole("main")
    .getByRole("article")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) });

/** A product with a unique title, the newest in the shop. */
export const newProduct = (market: TestMarket, name: string) =>
  market.ask("product", { title: nameOfItsOwn(name), inventory: 9 });

/** The address of the cart, for routes: the app's changes name the cart that was seen. */
export const CART = /\/api\/cart(?:\?|$)/;
/** The answer to a change of the cart. */
export const isCartChange = (answer: Response): boolean =>
  CART.test(answer.url()) && answer.request().method() === "PUT";

/** Tells the other pages of the browser that its session changed, as a tab of the shop does after a login. */
export const announceLogin = (page: Page): Promise<void> =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  page.evaluate(() => new BroadcastChannel("marketday:session").postMessage("changed"));
