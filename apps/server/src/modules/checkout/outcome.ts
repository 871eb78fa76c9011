import type { Quote } from "@marketday/contracts/checkout";

import type { RefusedCode } from "../../gateways/payments/refusals.ts";

/**
 * Why a checkout ended without an order. The codes are on the wire (`code` of the error) and, as `failure`, in the row of an
 * attempt. The routes map each code to an HTTP status.
 */
export type RefusalCode =
  /**
   * Refused by the bank or the provider. `challenge`: the bank requires a confirmation of an automatic order, where no shopper is
   * present. `payments_down`: the provider is unavailable (failures.md B10), or refuses the market.
   */
  | RefusedCode
  | "challenge_expired"
  /** The worker died before the provider had the charge, or the payment ended otherwise meanwhile. */
  | "interrupted"
  /** Too many declined or abandoned payment attempts (docs/product.md §17). */
  | "payment_limit"
  /** No card was chosen, or it was removed since in another tab or at the provider. */
  | "payment_required"
  | "saved_card_required"
  | "address_required"
  | "outside_hub"
  | "pickup_required"
  | "bad_code"
  /** A pre-order without a delivery day. */
  | "no_delivery"
  /** The delivery day closed before the order was placed (docs/product.md §4). */
  | "past_cutoff"
  /** Less stock than wanted; while a bank's challenge was open the units were sold to others (failures.md A4, A6). */
  | "sold_out"
  | "cart_empty"
  /** Nothing in the cart is sold in this market: it is from another one. */
  | "other_market"
  /** The shopper started another checkout while this one waited for the bank's challenge (failures.md M1). */
  | "superseded"
  /** An automatic order for this delivery already exists. */
  | "already_ordered"
  /** The discount code or referral was used by another order (failures.md K1, K5). */
  | "code_gone"
  | "credit_changed"
  /**
   * The quote is outdated: the box of an add-on is gone, so its delivery fee is due (failures.md M5), or the referral
   * discount was refused or used (docs/product.md §17 "Referral").
   */
  | "total_changed"
  /** The shopper has moved to another market since they saw the quote. */
  | "market_changed"
  /** Other lines than the shopper saw would be bought. */
  | "cart_changed"
  /** Another request is still checking out this cart. */
  | "still_running";

/** The reason as stored with a failed attempt. */
export interface Failure {
  code: RefusalCode;
  message: string;
}

/** A checkout that ended without an order, with what the shopper needs to go on. */
export interface Refusal extends Failure {
  kind: "refused";
  /** The field of the request that is wrong. */
  field?: string;
  /** The variants or lines concerned. */
  items?: unknown;
  /** A new quote, when the total has changed. */
  quote?: Quote | null;
  /** The orders that another tab has placed from this cart. */
  orderIds?: number[];
  /** When a retry makes sense, in seconds. */
  retryAfter?: number;
}

/**
 * How a checkout ended. `challenge`: the shopper confirms the payment at their bank. `running`: another worker owns the
 * attempt. `skipped`: an automatic order that is not wanted, with the reason of the caller.
 */
export type CheckoutOutcome =
  | { kind: "placed"; orderIds: number[] }
  | { kind: "challenge"; attemptId: string; clientSecret: string }
  | Refusal
  | { kind: "running" }
  | { kind: "skipped"; reason: string };

export const refuse = (failure: Failure, details: Partial<Refusal> = {}): Refusal => ({
  ...details,
  kind: "refused",
  code: failure.code,
  message: failure.message,
});

/** Thrown to roll a transaction back with a refusal; callers of the module get the refusal as a value. */
export class Refused extends Error {
  override name = "Refused";
  readonly refusal: Refusal;
  constructor(failure: Failure, details: Partial<Refusal> = {}) {
    super(failure.message);
    this.refusal = refuse(failure, details);
  }
}

const failure = (code: RefusalCode, message: string): Failure => ({ code, message });

export const PAYMENTS_DOWN = failure(
  "payments_down",
  "Payments are temporarily unavailable. You have not been charged.",
);
/** The provider is unavailable while the charge may exist: the stock stays reserved (failures.md B10). */
export const PAYMENTS_UNKNOWN = failure(
  "payments_down",
  "Payments are temporarily unavailable. Please try again in a moment.",
);
export const INTERRUPTED = failure("interrupted", "The payment was interrupted. You have not been charged.");
/** The provider captured another amount or currency than requested, which was refunded (failures.md B8). */
export const PAYMENT_RETURNED = failure(
  "interrupted",
  "The payment didn't go through as requested, so it was refunded. Please try again.",
);
export const CARD_GONE = failure("payment_required", "Choose a card.");
export const PAYMENT_LIMIT = failure(
  "payment_limit",
  "Too many payments were declined or not finished. Please try again later.",
);
export const PAST_CUTOFF = failure(
  "past_cutoff",
  "This delivery day closed while you were paying. You have not been charged.",
);
export const SOLD_OUT = failure("sold_out", "Something in your cart sold out. Please review it.");
export const SOLD_WHILE_PAYING = failure(
  "sold_out",
  "Something in your cart sold out while your bank confirmed the payment. You have not been charged.",
);
export const CHALLENGE_OFF_SESSION = failure("challenge", "Your bank needs to confirm this payment.");
export const CHALLENGE_EXPIRED = failure(
  "challenge_expired",
  "Your bank's check wasn't completed in time. You haven't been charged.",
);
export const SUPERSEDED = failure("superseded", "Another checkout took its place.");
export const ALREADY_ORDERED = failure("already_ordered", "This delivery was ordered already.");
export const CODE_GONE = failure("code_gone", "This code is no longer available.");
export const CREDIT_GONE = failure("credit_changed", "Your store credit has changed. Please review your order.");
export const CART_CHANGED = failure("cart_changed", "Your cart has changed. Please review it.");
export const TOTAL_CHANGED = failure("total_changed", "The total has changed. Please review it.");
export const CART_BUSY = failure("still_running", "This cart is being checked out. Please wait a moment.");
export const IN_PROGRESS = failure("still_running", "This request is still in progress.");

/** The shopper has moved to another market since they saw the total, for example in another tab or on another device. */
export const marketChanged = (name: string): Failure =>
  failure("market_changed", `You shop at ${name} now. Please review your order.`);

/** Why a cart of another market cannot be ordered in this one. */
export const otherMarketOf = ({ title, body }: { title: string; body: string }): Failure =>
  failure("other_market", `${title} ${body}`);
