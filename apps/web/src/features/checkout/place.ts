import { ApiError } from "@marketday/client/transport.ts";
import type { placeOrder } from "@marketday/contracts/checkout";
import type { Output } from "@marketday/contracts/endpoint";

type Answer = Output<typeof placeOrder>;

/** How a try to pay ended. `unknown`: no answer came; the same key must be used again, so that nothing is paid twice. */
export type PlaceOutcome =
  | { kind: "placed"; orderId: number }
  | { kind: "challenge"; attemptId: string; clientSecret: string }
  | { kind: "refused"; error: ApiError }
  | { kind: "unknown"; error: ApiError };

interface PlaceOptions {
  /** ms; replaced in tests. */
  wait?: (ms: number) => Promise<void>;
  /** Called once when it takes longer than usual. */
  onWaiting?: () => void;
}

/** ms before a request without a response is retried. */
const RETRY_PAUSES = [1000, 2000, 4000];
/** How often a payment in progress is polled at most. */
const MAX_POLLS = 60;

export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Whether the server may have done it all the same: then only the same key may be sent again. */
export const isOutcomeUnknown = ({ status, code }: ApiError): boolean =>
  status === undefined || (status >= 500 && code !== "payments_down") || code === "still_running";

/**
 * Whether money may have moved, or may yet, although this error came: the payment's key must be kept. Keeping it is always safe:
 * after a refusal the same key pays for the next try.
 */
export const mayHavePaid = (error: ApiError): boolean =>
  isOutcomeUnknown(error) ||
  error.status === 401 ||
  error.status === 429 ||
  ["payments_down", "key_reused", "no_attempt"].includes(error.code ?? "");

/** The server has an earlier request with this key: its result is what the key is for. */
export const isKeyTaken = ({ code }: ApiError): boolean => code === "key_reused" || code === "still_running";

/**
 * Sends one attempt until its result is known. The key stays the same over lost connections (three more tries) and while
 * the server reports that the first request is still running (polled at the interval of its Retry-After).
 */
export async function sendUntilKnown(
  send: () => Promise<Answer>,
  { wait = pause, onWaiting }: PlaceOptions = {},
): Promise<PlaceOutcome> {
  let lost = 0;
  let polls = 0;
  for (;;) {
    try {
      const answer = await send();
      return "challenge" in answer
        ? { kind: "challenge", ...answer.challenge }
        : { kind: "placed", orderId: answer.orderId };
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      if (!isOutcomeUnknown(failure)) return { kind: "refused", error: failure };
      const retries = failure.code === "still_running" ? (polls += 1) <= MAX_POLLS : lost < RETRY_PAUSES.length;
      if (!retries) return { kind: "unknown", error: failure };
      onWaiting?.();
      await wait(failure.retryAfter === undefined ? (RETRY_PAUSES[lost] ?? 1000) : failure.retryAfter * 1000);
      if (failure.code !== "still_running") lost += 1;
    }
  }
}
