import type { Failure } from "./checkout-store.ts";

/** The provider does not answer (failures.md B10). */
export const PAYMENTS_DOWN: Failure = {
  status: 503,
  message: "Payments are temporarily unavailable. You have not been charged.",
  code: "payments_down",
};
/** The card that was chosen is gone: removed in another tab, or at the provider. */
export const CARD_GONE: Failure = { status: 422, message: "Choose a card.", code: "payment_required" };
/** Too many declined or abandoned payment attempts (docs/product.md §17). */
export const PAYMENTS_LIMITED: Failure = {
  status: 429,
  message: "Too many payments were declined or not finished. Please try again later.",
  code: "payment_limit",
};
/** The delivery day closed before the order was there (decisions §4). */
export const PAST_CUTOFF: Failure = {
  status: 409,
  message: "This delivery day closed while you were paying. You have not been charged.",
  code: "past_cutoff",
};
/** What was held was given back and bought by others meanwhile (failures.md A6). */
export const SOLD_OUT: Failure = {
  status: 409,
  message: "Something in your cart sold out while your bank asked you. You have not been charged.",
  code: "sold_out",
};
/** The bank asks, and it is the clock that orders. */
export const CHALLENGE_OFF_SESSION: Failure = {
  status: 402,
  message: "Your bank needs to confirm this payment.",
  code: "challenge",
};
/** The shopper started the checkout again while this one waited for the bank (failures.md M1). */
export const SUPERSEDED: Failure = { status: 409, message: "Another checkout took its place.", code: "superseded" };
/** There is an automatic order of this delivery. */
export const ALREADY_ORDERED: Failure = {
  status: 409,
  message: "This delivery was ordered already.",
  code: "already_ordered",
};
/** A code or referral was used up meanwhile (failures.md K1, K5). */
export const CODE_GONE: Failure = { status: 409, message: "This code is no longer available.", code: "code_gone" };
/** There is less store credit by now. */
export const CREDIT_GONE: Failure = {
  status: 409,
  message: "Your store credit has changed. Please review your order.",
  code: "credit_changed",
};
/**
 * What was quoted is no longer true: the box that an add-on was to travel in is gone and its delivery fee is due (failures.md
 * M5), or the discount of a friend's first order is refused or gone (docs/product.md §17 "Referral"). Answered with the new quote.
 */
export const TOTAL_CHANGED: Failure = {
  status: 409,
  message: "The total has changed. Please review it.",
  code: "total_changed",
};
