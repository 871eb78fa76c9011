import { type Refused, type RefusedCode, refusedAs } from "../refusals.ts";

/** An error of Stripe, thrown or kept in an intent. */
export interface StripeProblem {
  type?: string | undefined;
  code?: string | undefined;
  decline_code?: string | undefined;
  message?: string | undefined;
  /** The parameter that an invalid request is about. */
  param?: string | undefined;
}

/** Parameters of the card: what is wrong with them the shopper repairs with another card. */
const CARD_PARAMS: ReadonlySet<string> = new Set(["payment_method", "confirmation_token"]);

/** The codes of Stripe (`decline_code`, else `code`) and what each means. https://docs.stripe.com/declines/codes and …/error-codes */
const CODES: Readonly<Record<RefusedCode, readonly string[]>> = {
  card_declined: [
    "card_declined",
    "generic_decline",
    "do_not_honor",
    "call_issuer",
    "no_action_taken",
    "new_account_information_available",
    "duplicate_transaction",
    "security_violation",
    "payment_method_provider_decline",
    "payment_intent_authentication_failure",
    "setup_intent_authentication_failure",
  ],
  insufficient_funds: ["insufficient_funds"],
  card_limit: [
    "card_velocity_exceeded",
    "withdrawal_count_limit_exceeded",
    "card_decline_rate_limit_exceeded",
    "invalid_amount",
    "pin_try_exceeded",
  ],
  // The reason is not shown: the card may be in the wrong hands.
  card_unusable: [
    "lost_card",
    "stolen_card",
    "pickup_card",
    "restricted_card",
    "fraudulent",
    "merchant_blacklist",
    "invalid_account",
    "do_not_try_again",
    "stop_payment_order",
    "revocation_of_authorization",
    "revocation_of_all_authorizations",
  ],
  card_expired: ["expired_card"],
  card_incorrect: [
    "incorrect_number",
    "incorrect_cvc",
    "incorrect_zip",
    "incorrect_address",
    "incorrect_pin",
    "invalid_number",
    "invalid_cvc",
    "invalid_expiry_month",
    "invalid_expiry_year",
    "invalid_pin",
    "invalid_characters",
    "postal_code_invalid",
    "token_already_used",
    "token_in_use",
    "resource_missing",
    "payment_method_unexpected_state",
  ],
  card_unsupported: [
    "card_not_supported",
    "currency_not_supported",
    "transaction_not_allowed",
    "service_not_allowed",
    "not_permitted",
    "offline_pin_required",
    "online_or_offline_pin_required",
    "testmode_decline",
    "live_mode_test_card",
  ],
  challenge: ["authentication_required", "authentication_not_handled"],
  bank_unavailable: [
    "processing_error",
    "issuer_not_available",
    "reenter_transaction",
    "try_again_later",
    "approve_with_id",
    "payment_method_provider_timeout",
  ],
  payments_down: [
    "account_invalid",
    "account_closed",
    "account_country_invalid_address",
    "amount_too_large",
    "amount_too_small",
    "api_key_expired",
    "platform_api_key_expired",
    "secret_key_required",
    "charge_exceeds_source_limit",
    "charge_exceeds_transaction_limit",
    "country_unsupported",
    "country_code_invalid",
    "currency",
    "invalid_charge_amount",
    "idempotency_key_in_use",
    "idempotency_error",
    "livemode_mismatch",
    "lock_timeout",
    "parameter_invalid_empty",
    "parameter_invalid_integer",
    "parameter_missing",
    "parameter_unknown",
    "payment_method_unactivated",
    "payment_method_not_available",
    "payment_method_currency_mismatch",
    "rate_limit",
    "testmode_charges_only",
    "tls_version_unsupported",
  ],
};
const MEANINGS = new Map(
  (Object.keys(CODES) as RefusedCode[]).flatMap((code) => CODES[code].map((name) => [name, code] as const)),
);

/** Better words than those of the code. */
const WORDS = new Map([
  [
    "payment_intent_authentication_failure",
    "Your bank didn't confirm this payment, so you haven't been charged. Please try again, or use another card.",
  ],
  ["setup_intent_authentication_failure", "Your bank didn't confirm this card. Please try again, or use another card."],
  ...["token_already_used", "token_in_use", "resource_missing", "payment_method_unexpected_state"].map(
    (name) => [name, "This card could not be used. Please enter it again."] as const,
  ),
]);

/**
 * What a refusal of Stripe means. An unknown decline is the card's; any other unknown error is the market's, because a shopper
 * can do nothing about it.
 */
export function meaningOf(problem: StripeProblem): Refused {
  const { type, message, param } = problem;
  // The SDK has an empty text where Stripe has none.
  const declineCode = problem.decline_code || undefined;
  const isCardParam = param !== undefined && CARD_PARAMS.has(param);
  const code = problem.code || (isCardParam ? "resource_missing" : undefined);
  const isOfCard =
    type === undefined || type === "card_error" || type === "StripeCardError" || declineCode !== undefined;
  const known = [declineCode, code].find((name) => name !== undefined && MEANINGS.has(name));
  const meaning = known === undefined ? (isOfCard ? "card_declined" : "payments_down") : MEANINGS.get(known)!;
  const reason = WORDS.get(known ?? "");
  const name = declineCode ?? code ?? type ?? "declined";
  return refusedAs(meaning, {
    ...(reason !== undefined && { reason }),
    detail: `${name}${message === undefined ? "" : `: ${message}`}`,
  });
}
