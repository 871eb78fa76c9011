import { Second } from "@marketday/domain/time";
import Stripe from "stripe";

import { ProviderUnavailable } from "../payments.ts";

/** What Stripe is reached with (`STRIPE_*`). `apiUrl`: another server than Stripe's own, for tests. */
export interface StripeSettings {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  apiUrl: string | null;
}

/** Two tries and one question afterwards stay under the 12 s of failures.md B10. */
export const TIMEOUT_MS = 3.5 * Second.ms;
/** A question about what happened is asked once. */
export const ASKING = { timeout: 2.5 * Second.ms, maxNetworkRetries: 0 } as const;
/** How much longer a test's own Stripe may take: it shares a busy machine with us, and its slowness says nothing. */
const TEST_PATIENCE = 10;

/** What Stripe at this address is given, in ms: `timeout` of a call, and the options of a question. */
export function limitsOf({ apiUrl }: StripeSettings): { timeout: number; asking: Stripe.RequestOptions } {
  const timeoutFactor = apiUrl === null ? 1 : TEST_PATIENCE;
  return { timeout: timeoutFactor * TIMEOUT_MS, asking: { ...ASKING, timeout: timeoutFactor * ASKING.timeout } };
}

/** The SDK: retries a lost connection and a 5xx once under the same key, keeps to the API version it was made for. */
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

/** Whether the error says that a card, or what was typed, is refused: an answer, no failure. */
export const isCardError = (error: unknown): error is Stripe.errors.StripeCardError =>
  error instanceof Stripe.errors.StripeCardError;
export const isInvalid = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError;

/**
 * A call's outcome, its failures sorted: what Stripe answered is thrown as it is, everything after which nobody knows what
 * happened (no answer, 5xx, rate limit, a key that is still running, a wrong API key) as `ProviderUnavailable`.
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
