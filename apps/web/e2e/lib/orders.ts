import { expect, type Page } from "@playwright/test";

import type { TestMarket } from "./fixtures.ts";
import { beCustomer, putInCart, testCard } from "./shopper.ts";

type Line = Parameters<typeof putInCart>[2][number];

/** Asks the API as this browser. */
export async function askApi<T>(
  page: Page,
  market: TestMarket,
  method: string,
  path: string,
  data?: unknown,
): Promise<T> {
  const options = { method, headers: { origin: market.address }, ...(data === undefined ? {} : { data }) };
  const answer = await page.request.fetch(`${market.address}/api${path}`, options);
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return (await answer.json()) as T;
}

/** A new customer with an address, logged in with this browser. */
export async function beNewCustomer(
  page: Page,
  market: TestMarket,
  about: { firstName?: string; creditCents?: number } = {},
) {
  const { id, email } = await market.ask("customer", { address: true, ...about });
  await beCustomer(page, market, { email, password: market.customer.password });
  return { id, email };
}

/** Places an order by the API; answers its id. */
export async function placeByApi(page: Page, market: TestMarket, lines: Line[]): Promise<number> {
  await putInCart(page, market, lines);
  const choice = { type: "delivery", tipPercentage: 10 };
  const { orderTotal } = await askApi<{ orderTotal: number }>(page, market, "POST", "/checkout/quote", choice);
  const body = { ...choice, card: testCard, savePaymentMethod: true, expectedTotal: orderTotal };
  return (await askApi<{ orderId: number }>(page, market, "POST", "/checkout", body)).orderId;
}
