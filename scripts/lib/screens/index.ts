import type { BrowserContext, Page } from "@playwright/test";

import { buyingScreens } from "./buying.ts";
import { findingScreens } from "./finding.ts";
import { peopleScreens } from "./people.ts";
import type { Screen, Shown } from "./screen.ts";

export type { Screen, Shown } from "./screen.ts";

/** Every screen there is, for `pnpm screenshots` and for the stories that examine each one. */
export const screensOf = (shown: Shown): Screen[] => [
  ...findingScreens(shown),
  ...buyingScreens(shown),
  ...peopleScreens(shown),
];

/** Asks our own API with a context's cookies. */
export async function ask<T>(
  context: BrowserContext,
  address: string,
  method: string,
  path: string,
  data?: unknown,
): Promise<T> {
  const answer = await context.request.fetch(`${address}/api${path}`, {
    method,
    headers: { origin: address },
    ...(data === undefined ? {} : { data }),
  });
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** The id of an order that a context's customer may still change: one they have, or one they place with a test card. */
export async function openOrderOf(context: BrowserContext, address: string, line: Shown["line"]): Promise<number> {
  type Orders = { payload: { id: number; status: string }[] };
  const { payload } = await ask<Orders>(context, address, "GET", "/orders");
  const open = payload.find(({ status }) => status === "open");
  if (open) return open.id;
  await ask(context, address, "PUT", "/cart", [{ ...line, quantity: 2 }]);
  const choice = { type: "delivery", tipPercentage: 10 };
  const { orderTotal } = await ask<{ orderTotal: number }>(context, address, "POST", "/checkout/quote", choice);
  const card = { number: "4242424242424242", expMonth: 12, expYear: 2030, cvc: "123" };
  const asked = { ...choice, card, expectedTotal: orderTotal };
  return (await ask<{ orderId: number }>(context, address, "POST", "/checkout", asked)).orderId;
}

/** Makes a context's visitor who the screen is for, with the cart it needs, and goes there. */
export async function reach(
  context: BrowserContext,
  page: Page,
  { as, path, cart, act }: Screen,
  shown: Shown,
): Promise<void> {
  const { address, hubId, line, customer } = shown;
  if (as === "guest") await ask(context, address, "POST", `/auth/guest?hubId=${hubId}`);
  if (as === "customer" && customer)
    await ask(context, address, "POST", "/auth/login", { username: customer.email, password: customer.password });
  if (as !== "nobody") await ask(context, address, "PUT", "/cart", [{ ...line, quantity: cart ? 2 : 0 }]);
  await page.goto(address + path, { waitUntil: "networkidle" });
  // The line is idle while a busy machine still starts the app, too.
  await page.getByRole("heading").first().waitFor({ state: "attached" });
  await act?.(page);
  // A layer's frame comes first, what fills it a moment later.
  for (const dialog of await page.locator("dialog").all())
    await dialog.locator("[data-dialog-title]").first().waitFor();
}
