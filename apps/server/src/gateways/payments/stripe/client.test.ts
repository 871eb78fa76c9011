import Stripe from "stripe";
import { expect, test } from "vitest";

import { ProviderUnavailable } from "../payments.ts";
import { callStripe, limitsOf } from "./client.ts";
import { chargeStateOf } from "./declined.ts";

const { errors } = Stripe;
const raw = { message: "a message of Stripe", type: "api_error" } as const;

test.each([
  ["a declined card", "is thrown as it is", new errors.StripeCardError({ ...raw, type: "card_error" })],
  ["an invalid request", "is thrown as it is", new errors.StripeInvalidRequestError({ ...raw })],
  ["a defect of ours", "is thrown as it is", new TypeError("x is not a function")],
  ["no connection", "has no known result", new errors.StripeConnectionError({ ...raw })],
  ["a 5xx", "has no known result", new errors.StripeAPIError({ ...raw })],
  ["too many requests", "has no known result", new errors.StripeRateLimitError({ ...raw })],
  ["a key that is still running", "has no known result", new errors.StripeIdempotencyError({ ...raw })],
  ["a wrong API key", "has no known result", new errors.StripeAuthenticationError({ ...raw })],
])("a call of Stripe that ends with %s %s", async (_, what, error) => {
  const thrown = await callStripe(() => Promise.reject(error)).catch((caught: unknown) => caught);
  const isUnknown = what === "has no known result";
  expect([thrown instanceof ProviderUnavailable, thrown === error]).toEqual([isUnknown, !isUnknown]);
});

test("Stripe: requests end after 3.5 s, reads after 2.5 s without a retry; a tests' Stripe has ten times as long", () => {
  const settings = { secretKey: "sk", publishableKey: "pk", webhookSecret: "wh" };
  expect(limitsOf({ ...settings, apiUrl: null })).toEqual({
    timeout: 3500,
    readOptions: { timeout: 2500, maxNetworkRetries: 0 },
  });
  expect(limitsOf({ ...settings, apiUrl: "http://127.0.0.1:1" })).toMatchObject({ timeout: 35_000 });
});

const card = { brand: "visa", last4: "4242", exp_month: 12, exp_year: 2030, fingerprint: "fp" };
const saved = { ref: "pm_1", brand: "visa", last4: "4242", expMonth: 12, expYear: 2030, fingerprint: "fp" };
const intent = (part: object) =>
  ({
    id: "pi_1",
    client_secret: "secret",
    last_payment_error: null,
    payment_method: { id: "pm_1", card },
    setup_future_usage: null,
    ...part,
  }) as unknown as Stripe.PaymentIntent;

test.each<[part: object, state: object]>([
  [{ status: "requires_capture" }, { state: "authorized", saved: null, cardFingerprint: "fp" }],
  [
    { status: "requires_capture", setup_future_usage: "off_session" },
    { state: "authorized", saved },
  ],
  [
    { status: "requires_capture", payment_method: "pm_1" },
    { state: "authorized", cardFingerprint: null },
  ],
  [
    { status: "succeeded", setup_future_usage: "off_session" },
    { state: "captured", saved, cardFingerprint: "fp" },
  ],
  [{ status: "canceled" }, { state: "voided" }],
  [{ status: "requires_action" }, { state: "challenge", clientSecret: "secret" }],
  [{ status: "requires_confirmation" }, { state: "challenge", clientSecret: "secret" }],
  [
    { status: "requires_payment_method", last_payment_error: { decline_code: "insufficient_funds", message: "Poor." } },
    { state: "declined", code: "insufficient_funds", reason: "Your card has insufficient funds." },
  ],
  [
    { status: "requires_payment_method", last_payment_error: { code: "authentication_required", message: "Code 7." } },
    { state: "declined", code: "challenge", reason: "Your bank needs to confirm this payment." },
  ],
  [{ status: "requires_payment_method" }, { state: "declined", reason: "Your card was declined." }],
])("Stripe: a PaymentIntent %j is %j", (part, state) => {
  expect(chargeStateOf(intent(part))).toMatchObject({ ref: "pi_1", ...state });
});

test("Stripe: a PaymentIntent that is being processed has no known result", () => {
  expect(() => chargeStateOf(intent({ status: "processing" }))).toThrow(ProviderUnavailable);
});
