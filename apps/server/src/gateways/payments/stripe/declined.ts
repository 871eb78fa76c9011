import type Stripe from "stripe";

import { type Found, ProviderUnavailable, type SavedMethod } from "../payments.ts";

/** A card kept at Stripe as a saved method; null for what is no card. */
export function savedOf(method: Stripe.PaymentMethod | string | null): SavedMethod | null {
  if (method === null || typeof method === "string" || !method.card) return null;
  const { brand, last4, exp_month, exp_year, fingerprint } = method.card;
  return { ref: method.id, brand, last4, expMonth: exp_month, expYear: exp_year, fingerprint: fingerprint ?? "" };
}

/** A refusal in words a shopper may read. */
export const toDeclined = (
  ref: string | null,
  said: { message?: string; decline_code?: string; code?: string } | null,
): Extract<Found, { state: "declined" }> => ({
  state: "declined",
  ref,
  code: said?.decline_code === "insufficient_funds" ? "insufficient_funds" : "card_declined",
  reason:
    said?.code === "authentication_required"
      ? "Your bank needs to confirm this payment."
      : (said?.message ?? "Your card was declined."),
});

/**
 * How far a PaymentIntent got. `processing`: not even Stripe knows yet, so nobody does. Expects `payment_method` expanded
 * for the card: to keep it, and for its fingerprint.
 */
export function foundOf(intent: Stripe.PaymentIntent): Found {
  const saved = intent.setup_future_usage === "off_session" ? savedOf(intent.payment_method) : null;
  const method = intent.payment_method;
  const cardFingerprint = method !== null && typeof method !== "string" ? (method.card?.fingerprint ?? null) : null;
  switch (intent.status) {
    case "requires_capture":
      return { state: "authorized", ref: intent.id, saved, cardFingerprint };
    case "succeeded":
      return { state: "captured", ref: intent.id, saved, cardFingerprint };
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
