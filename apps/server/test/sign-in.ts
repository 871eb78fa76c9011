import { expect } from "vitest";

import type { TestMarket } from "./app.ts";
import { createCustomer, type CustomerOptions, PASSWORD } from "./factories.ts";

/** A browser in which a new customer has logged in. */
export async function signIn(market: TestMarket, options: Omit<CustomerOptions, "pepper">) {
  const customer = await createCustomer(market.db, { ...options, pepper: market.deps.env.pepper });
  const browser = market.shopper();
  expect((await browser.post("/auth/login", { username: customer.email, password: PASSWORD })).status).toBe(200);
  return { ...browser, customer };
}

/** A browser of a guest in the hub. */
export async function guestOf(market: TestMarket, hubId: number) {
  const browser = market.shopper();
  expect((await browser.post(`/auth/guest?hubId=${hubId}`)).status).toBe(200);
  return browser;
}

/** Statements of a call and its response. The session is not cached, so that counts are comparable. */
export async function counted<T>(
  market: TestMarket,
  call: () => Promise<T>,
  options: { cold?: boolean } = {},
): Promise<{ statements: string[]; answer: T }> {
  market.app.dropSession(null);
  market.deps.cache.clear();
  let answer: T | undefined;
  const statements = await market.statements(async () => {
    answer = await call();
  }, options);
  return { statements, answer: answer! };
}
