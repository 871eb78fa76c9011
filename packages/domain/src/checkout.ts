/**
 * States of a checkout attempt and of a payment, and the transitions between them. The stores build their
 * `where state = any(…)` from these tables, so a transition that is missing here cannot be written
 * (`modules/payments/payment-transitions.ts`).
 */

import type { Transitions } from "./order.ts";

export const ATTEMPT_STATES = ["held", "challenge", "placed", "failed"] as const;
/**
 * `held`: stock is reserved and one worker, which has the lease, is authorizing or placing. `challenge`: the shopper's bank
 * requires a confirmation. `placed` and `failed` are final.
 */
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export const attemptTransitions: Transitions<AttemptState> = {
  held: ["challenge", "placed", "failed"],
  challenge: ["held", "failed"],
  placed: [],
  failed: [],
};

export const PAYMENT_STATES = ["created", "challenge", "authorized", "captured", "voided", "failed"] as const;
/** `created`: the provider may have been called. `failed`: declined. A charge found after its payment ended is captured and refunded. */
export type PaymentState = (typeof PAYMENT_STATES)[number];

export const paymentTransitions: Transitions<PaymentState> = {
  created: ["challenge", "authorized", "captured", "voided", "failed"],
  challenge: ["challenge", "authorized", "captured", "voided", "failed"],
  authorized: ["authorized", "captured", "voided", "failed"],
  captured: [],
  voided: ["captured"],
  failed: ["captured"],
};

/** Of an offline payment, which moves no money: one that was recorded as paid by mistake is voided (docs/product.md §17). */
export const offlineTransitions: Transitions<PaymentState> = { ...paymentTransitions, captured: ["voided"] };
