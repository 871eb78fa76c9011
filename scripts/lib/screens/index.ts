import type { BrowserContext, Page } from "@playwright/test";

import { buyingScreens } from "./buying.ts";
import { findingScreens } from "./finding.ts";
import { peopleScreens } from "./people.ts";
import type { Screen, Shown } from "./screen.ts";

export type { Screen, Shown } from "./screen.ts";

/** Every screen of the shop, for `pnpm screenshots` and for the end-to-end tests that check each one. */
export const screensOf = (shown: Shown): Screen[] => [
  ...findingScreens(shown),
  ...buyingScreens(shown),
  ...peopleScreens(shown),
];

/** Calls the API with the cookies of a browser context. */
export async function callApi<T>(
  context: BrowserContext,
  address: string,
  method: string,
  path: string,
  data?: unknown,
): Promise<T> {
  const response = await context.request.fetch(`${address}/api${path}`, {
    method,
    headers: { origin: address },
    ...(data === undefined ? {} : { data }),
  });
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
  return (await response.json()) as T;
}

/**
 * The id of an open order of the context's customer: an existing one, or a new one. It is paid with a saved card, or with a test card
 * that is saved: an order that closes more than six days ahead takes no other (docs/product.md §7).
 */
export async function openOrderOf(context: BrowserContext, address: string, line: Shown["line"]): Promise<number> {
  type Orders = { payload: { id: number; status: string }[] };
  const { payload } = await callApi<Orders>(context, address, "GET", "/orders");
  const open = payload.find(({ status }) => status === "open");
  if (open) return open.id;
  await callApi(context, address, "PUT", "/cart", [{ ...line, quantity: 2 }]);
  const choice = { type: "delivery", tipPercentage: 10 };
  type Quote = { orderTotal: number; paymentMethods: { id: number }[] };
  const { orderTotal, paymentMethods } = await callApi<Quote>(context, address, "POST", "/checkout/quote", choice);
  const [saved] = paymentMethods;
  const payment = saved
    ? { paymentMethodId: saved.id }
    : {
        card: { number: "4242424242424242", expMonth: 12, expYear: new Date().getFullYear() + 3, cvc: "123" },
        savePaymentMethod: true,
      };
  const body = { ...choice, ...payment, expectedTotal: orderTotal };
  return (await callApi<{ orderId: number }>(context, address, "POST", "/checkout", body)).orderId;
}

/** Signs the context in as the screen requires, fills the cart, and opens the screen. */
export async function reach(
  context: BrowserContext,
  page: Page,
  { as, path, cart, run }: Screen,
  shown: Shown,
): Promise<void> {
  const { address, hubId, line, customer } = shown;
  if (as === "guest") await callApi(context, address, "POST", `/auth/guest?hubId=${hubId}`);
  if (as === "customer" && customer)
    await callApi(context, address, "POST", "/auth/login", { username: customer.email, password: customer.password });
  if (as === "staff" && shown.staff) await context.addCookies([{ ...shown.staff, url: address }]);
  const full = shown.cart ?? [{ ...line, quantity: 2 }];
  const lines = cart ? full : full.map((each) => ({ ...each, quantity: 0 }));
  if (as === "guest" || as === "customer") await callApi(context, address, "PUT", "/cart", lines);
  await page.goto(address + path);
  // The app's view replaces the server's when its code is loaded.
  await page.locator("main.static-view").waitFor({ state: "detached" });
  await page.getByRole("heading").first().waitFor({ state: "attached" });
  await run?.(page);
  // The frame of an overlay is rendered first, its content later.
  for (const dialog of await page.locator("dialog").all())
    await dialog.locator("[data-dialog-title]").first().waitFor();
  for (const frame of page.frames()) await frame.locator("[data-skeleton]").first().waitFor({ state: "detached" });
}
