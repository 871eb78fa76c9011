import { Second } from "@marketday/domain/time";
import Stripe from "stripe";

import { ProviderUnavailable } from "../payments.ts";

/** Settings of Stripe (`STRIPE_*`). `apiUrl`: another server, for tests; null for Stripe. */
export interface StripeSettings {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  apiUrl: string | null;
}

/** Two tries and one read afterwards stay under the 12 s of failures.md B10. */
export const TIMEOUT_MS = 3.5 * Second.ms;
/** Options of reads, which are not retried. */
export const READ_OPTIONS = { timeout: 2.5 * Second.ms, maxNetworkRetries: 0 } as const;
/** Multiplies the timeouts for the tests' Stripe, which runs on the same busy machine. */
const TEST_TIMEOUT_FACTOR = 10;

/** Timeout of a write in ms, and the options of a read. */
export function limitsOf({ apiUrl }: StripeSettings): { timeout: number; readOptions: Stripe.RequestOptions } {
  const timeoutFactor = apiUrl === null ? 1 : TEST_TIMEOUT_FACTOR;
  return {
    timeout: timeoutFactor * TIMEOUT_MS,
    readOptions: { ...READ_OPTIONS, timeout: timeoutFactor * READ_OPTIONS.timeout },
  };
}

/** The SDK: retries a lost connection and a 5xx once with the same key, and uses its built-in API version. */
export function createStripe(settings: StripeSettings): Stripe {
  const { secretKey, apiUrl } = settings;
  const url = apiUrl === null ? null : new URL(apiUrl);
  return new Stripe(secretKey, {
    timeout: limitsOf(settings).timeout,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: "Marketday" },
    ...(url && {
      protocol: url.protocol === "http:" ? ("http" as const) : ("https" as const),
      host: url.hostname,
      port: url.port,
    }),
  });
}

/** Whether a card was declined or its data is invalid: a response, not a failure. */
export const isCardError = (error: unknown): error is Stripe.errors.StripeCardError =>
  error instanceof Stripe.errors.StripeCardError;
export const isInvalid = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError;

const causeOf = (error: unknown): unknown => (error instanceof ProviderUnavailable ? error.cause : null);

/** Whether the key was used for another request, whose charge may exist. */
export const isKeyReused = (error: unknown): boolean => causeOf(error) instanceof Stripe.errors.StripeIdempotencyError;

/**
 * The refusal of the whole account by Stripe, before anything was charged: a wrong or expired key, a missing permission. Null: the
 * provider was unavailable for another reason.
 */
export function accountRefusalOf(error: unknown): Stripe.errors.StripeError | null {
  const cause = causeOf(error);
  return cause instanceof Stripe.errors.StripeAuthenticationError ||
    cause instanceof Stripe.errors.StripePermissionError
    ? cause
    : null;
}

/**
 * Runs a call and converts its errors: definite responses of Stripe are thrown unchanged, and errors with an unknown result
 * (no response, 5xx, rate limit, a key that is still running, a wrong API key) as `ProviderUnavailable`.
 */
export async function callStripe<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isCardError(error) || isInvalid(error) || error instanceof ProviderUnavailable) throw error;
    if (error instanceof Stripe.errors.StripeError)
      throw new ProviderUnavailable(`stripe: ${error.type} ${error.message}`, { cause: error });
    throw error;
  }
}
