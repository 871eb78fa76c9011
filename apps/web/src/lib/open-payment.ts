import { attemptKeys } from "./attempt-keys.ts";

/** What pays. */
export type PaymentName = "checkout" | "gift-card" | "wagon-pass";

const nameOf = (name: PaymentName) => `open-payment:${name}`;

/**
 * The idempotency key of a payment whose result this tab does not have; null: there is none. It outlives the frame and a
 * reload, so that the next try finds the first one's result (docs/product.md §7 Frames). The server finds only the customer's
 * own.
 */
export const openPaymentKey = (name: PaymentName): string | null => attemptKeys.openKey(nameOf(name));

/** The key for the next request of a payment: the open one, or a new one. */
export const startPayment = (name: PaymentName): string => attemptKeys.keyOf(nameOf(name));

/** The result is known: the next payment is another. */
export const endPayment = (name: PaymentName): void => attemptKeys.end(nameOf(name));
