import { newKey } from "@marketday/client/forms/new-key.ts";

import { getItem, removeItem, setItem } from "./storage.ts";

/** What pays. */
export type PaymentName = "checkout" | "gift-card" | "wagon-pass";

const nameOf = (name: PaymentName) => `open-payment:${name}`;

/** For a tab whose storage is blocked or full. */
const inMemory = new Map<PaymentName, string>();

/**
 * The idempotency key of a payment whose result this tab does not have; null: there is none. It outlives the frame and a
 * reload, so that the next try finds the first one's result (docs/product.md §7 Frames). The server finds only the customer's
 * own, and another person's tab has none (`claimSessionStorage`).
 */
export const openPaymentKey = (name: PaymentName): string | null =>
  getItem<string>("session", nameOf(name)) ?? inMemory.get(name) ?? null;

/** The key for the next request of a payment: the open one, or a new one. */
export function startPayment(name: PaymentName): string {
  const key = openPaymentKey(name) ?? newKey();
  setItem("session", nameOf(name), key);
  inMemory.set(name, key);
  return key;
}

/** The result is known: the next payment is another. */
export function endPayment(name: PaymentName): void {
  removeItem("session", nameOf(name));
  inMemory.delete(name);
}
