import type Stripe from "stripe";

import { type ChargeState, ProviderUnavailable, type SavedMethod } from "../payments.ts";
import { meaningOf, type StripeProblem } from "./refusal-codes.ts";

/** A card at Stripe as a saved method; null for other methods. */
export function savedOf(method: Stripe.PaymentMethod | string | null): SavedMethod | null {
  if (method === null || typeof method === "string" || !method.card) return null;
  const { brand, last4, exp_month, exp_year, fingerprint } = method.card;
  return { ref: method.id, brand, last4, expMonth: exp_month, expYear: exp_year, fingerprint: fingerprint ?? "" };
}

/** A refused charge. `error`: what Stripe says about it. */
export const toDeclined = (
  ref: string | null,
  error: StripeProblem | null,
): Extract<ChargeState, { state: "declined" }> => ({ state: "declined", ref, ...meaningOf(error ?? {}) });

/**
 * The state of a PaymentIntent. `processing` is unknown at Stripe too. Expects an expanded `payment_method`, for the saved card
 * and its fingerprint.
 */
export function chargeStateOf(intent: Stripe.PaymentIntent): ChargeState {
  const saved = intent.setup_future_usage === "off_session" ? savedOf(intent.payment_method) : null;
  const method = intent.payment_method;
  const cardFingerprint = method !== null && typeof method !== "string" ? (method.card?.fingerprint ?? null) : null;
  switch (intent.status) {
    case "requires_capture":
      return { state: "authorized", ref: intent.id, amountCents: intent.amount, saved, cardFingerprint };
    case "succeeded":
      return { state: "captured", ref: intent.id, amountCents: intent.amount, saved, cardFingerprint };
    case "canceled":
      return { state: "voided", ref: intent.id };
    case "requires_action":
    case "requires_confirmation":
      return { state: "challenge", ref: intent.id, clientSecret: intent.client_secret ?? "" };
    case "requires_payment_method":
      return toDeclined(intent.id, intent.last_payment_error);
    default:
      throw new ProviderUnavailable(`the payment ${intent.id} is ${intent.status}`);
  }
}
