import { expect, test } from "vitest";

import { type RefusedCode, retryOf } from "../refusals.ts";
import { meaningOf } from "./refusal-codes.ts";

const decline = (code: string) => ({
  type: "card_error",
  code: "card_declined",
  decline_code: code,
  message: "Secret.",
});
const card = (code: string) => ({ type: "card_error", code, message: "Secret." });
const invalid = (code: string) => ({ type: "invalid_request_error", code, message: "Secret." });

const CASES: [problem: object, code: RefusedCode][] = [
  ...["generic_decline", "do_not_honor", "call_issuer", "a_code_of_next_year"].map((name): [object, RefusedCode] => [
    decline(name),
    "card_declined",
  ]),
  [decline("insufficient_funds"), "insufficient_funds"],
  ...["card_velocity_exceeded", "withdrawal_count_limit_exceeded", "invalid_amount"].map(
    (name): [object, RefusedCode] => [decline(name), "card_limit"],
  ),
  ...["lost_card", "stolen_card", "pickup_card", "fraudulent", "merchant_blacklist"].map(
    (name): [object, RefusedCode] => [decline(name), "card_unusable"],
  ),
  [decline("expired_card"), "card_expired"],
  [card("expired_card"), "card_expired"],
  ...["incorrect_cvc", "incorrect_number", "invalid_expiry_year", "incorrect_zip"].map(
    (name): [object, RefusedCode] => [card(name), "card_incorrect"],
  ),
  ...["currency_not_supported", "card_not_supported", "testmode_decline", "transaction_not_allowed"].map(
    (name): [object, RefusedCode] => [decline(name), "card_unsupported"],
  ),
  [card("authentication_required"), "challenge"],
  [decline("authentication_required"), "challenge"],
  ...["processing_error", "issuer_not_available", "try_again_later", "reenter_transaction"].map(
    (name): [object, RefusedCode] => [decline(name), "bank_unavailable"],
  ),
  [card("processing_error"), "bank_unavailable"],
  ...["token_already_used", "resource_missing"].map((name): [object, RefusedCode] => [invalid(name), "card_incorrect"]),
  ...[
    "account_invalid",
    "amount_too_large",
    "amount_too_small",
    "api_key_expired",
    "charge_exceeds_source_limit",
    "charge_exceeds_transaction_limit",
    "country_unsupported",
    "payment_method_unactivated",
    "rate_limit",
    "testmode_charges_only",
    "a_code_of_next_year",
  ].map((name): [object, RefusedCode] => [invalid(name), "payments_down"]),
  [{ type: "invalid_request_error", param: "payment_method", message: "Secret." }, "card_incorrect"],
  [{ type: "invalid_request_error", param: "currency", message: "Secret." }, "payments_down"],
  [{ type: "authentication_error", message: "Secret." }, "payments_down"],
  [{ type: "rate_limit_error", code: "rate_limit" }, "payments_down"],
  [{ type: "idempotency_error" }, "payments_down"],
  [{ type: "api_error" }, "payments_down"],
  [{ type: "invalid_request_error", code: "", decline_code: "", message: "Secret." }, "payments_down"],
  [{}, "card_declined"],
];

test.each(CASES)("Stripe: %j is %s, in our words, and operators get Stripe's", (problem, code) => {
  const meaning = meaningOf(problem);
  expect(meaning.code).toBe(code);
  expect(meaning.reason).not.toContain("Secret.");
  if ("message" in problem) expect(meaning.detail).toContain("Secret.");
});

test("refused payments: the card is named only where the card is the reason, and nothing that gives a lost card away", () => {
  const reasonOf = (code: string) => meaningOf(decline(code)).reason;
  expect(reasonOf("lost_card")).toBe("Your card was declined. Please use another card.");
  expect(reasonOf("stolen_card")).toBe(reasonOf("lost_card"));
  expect(meaningOf(invalid("account_invalid")).reason).toBe(
    "We can't take cards right now. You have not been charged.",
  );
  for (const problem of [decline("processing_error"), card("authentication_required"), invalid("api_key_expired")])
    expect(meaningOf(problem).reason).not.toMatch(/your card|declined/i);
});

test("refused payments: another try follows only where it can help", () => {
  expect(
    (["card_declined", "insufficient_funds", "card_expired", "card_unusable", "challenge"] as const).map(retryOf),
  ).toEqual(["later", "later", "never", "never", "never"]);
  expect((["bank_unavailable", "payments_down"] as const).map(retryOf)).toEqual(["soon", "soon"]);
});
