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

/**
 * Lets the first request of a call reach the server and keeps its response back until `release`. `lost`: then the connection
 * breaks.
 */
export async function holdAnswer(page: Page, path: string, { lost = false } = {}) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: answered, resolve: onAnswer } = Promise.withResolvers<number>();
  let isFirst = true;
  await page.route(
    (url) => url.pathname === `/api${path}`,
    async (route) => {
      if (route.request().method() === "GET" || !isFirst) return route.fallback();
      isFirst = false;
      const response = await route.fetch();
      onAnswer(response.status());
      await released;
      // The frame that sent it may be gone.
      await (lost ? route.abort() : route.fulfill({ response })).catch(() => undefined);
    },
  );
  return { answered, release };
}
