import type { Failure } from "./checkout-store.ts";

/** The payment provider is unavailable (failures.md B10). */
export const PAYMENTS_DOWN: Failure = {
  status: 503,
  message: "Payments are temporarily unavailable. You have not been charged.",
  code: "payments_down",
};
/** The chosen saved card was removed in another tab or at the provider. */
export const CARD_GONE: Failure = { status: 422, message: "Choose a card.", code: "payment_required" };
/** Too many declined or abandoned payment attempts (docs/product.md §17). */
export const PAYMENTS_LIMITED: Failure = {
  status: 429,
  message: "Too many payments were declined or not finished. Please try again later.",
  code: "payment_limit",
};
/** The delivery day closed before the order was placed (docs/product.md §4). */
export const PAST_CUTOFF: Failure = {
  status: 409,
  message: "This delivery day closed while you were paying. You have not been charged.",
  code: "past_cutoff",
};
/** The stock hold was released and others bought the units (failures.md A6). */
export const SOLD_OUT: Failure = {
  status: 409,
  message: "Something in your cart sold out while your bank confirmed the payment. You have not been charged.",
  code: "sold_out",
};
/** The bank requires a challenge for an automatic order, where no shopper is present. */
export const CHALLENGE_OFF_SESSION: Failure = {
  status: 402,
  message: "Your bank needs to confirm this payment.",
  code: "challenge",
};
/** The shopper started another checkout while this one waited for the bank's challenge (failures.md M1). */
export const SUPERSEDED: Failure = { status: 409, message: "Another checkout took its place.", code: "superseded" };
/** An automatic order for this delivery already exists. */
export const ALREADY_ORDERED: Failure = {
  status: 409,
  message: "This delivery was ordered already.",
  code: "already_ordered",
};
/** The discount code or referral was used by another order (failures.md K1, K5). */
export const CODE_GONE: Failure = { status: 409, message: "This code is no longer available.", code: "code_gone" };
/** The store credit balance is lower than quoted. */
export const CREDIT_GONE: Failure = {
  status: 409,
  message: "Your store credit has changed. Please review your order.",
  code: "credit_changed",
};
/**
 * The quote is outdated: the box of an add-on is gone, so its delivery fee is due (failures.md M5), or the referral discount
 * was refused or used (docs/product.md §17 "Referral"). The response includes a new quote.
 */
export const TOTAL_CHANGED: Failure = {
  status: 409,
  message: "The total has changed. Please review it.",
  code: "total_changed",
};
