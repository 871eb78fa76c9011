import { Second } from "@marketday/domain/time";

import { ProviderUnavailable } from "../payments.ts";

/** Failures in a row after which nobody is sent to a provider that is down. */
const OPENS_AFTER = 5;
/** After this one call may try again. */
const HALF_OPEN_MS = 30 * Second.ms;

/**
 * Keeps shoppers from waiting for a provider that is down: after 5 failures in a row every call fails at once, for 30 s; then
 * one call tries, and closes it again when it succeeds (failures.md B10). `elapsed`: ms that never go back.
 */
export function circuitBreaker(elapsed: () => number) {
  let failures = 0;
  let openedAt: number | null = null;
  let trying = false;
  return {
    get isOpen() {
      return openedAt !== null;
    },
    /** Runs `work`; only `ProviderUnavailable` counts as a failure: a declined card is an answer. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (openedAt !== null && (trying || elapsed() - openedAt < HALF_OPEN_MS))
        throw new ProviderUnavailable("the payment provider did not answer lately");
      const isTrial = openedAt !== null;
      trying = isTrial;
      try {
        const result = await work();
        failures = 0;
        openedAt = null;
        return result;
      } catch (error) {
        if (error instanceof ProviderUnavailable) {
          failures += 1;
          if (isTrial || failures >= OPENS_AFTER) openedAt = elapsed();
        } else {
          failures = 0;
          openedAt = null;
        }
        throw error;
      } finally {
        if (isTrial) trying = false;
      }
    },
  };
}
