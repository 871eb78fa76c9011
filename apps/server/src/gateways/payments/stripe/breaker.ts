import { Second } from "@marketday/domain/time";

import { ProviderUnavailable } from "../payments.ts";

/** Consecutive failures that open the breaker. */
const MAX_FAILURES = 5;
/** Time until one call may try again. */
const HALF_OPEN_MS = 30 * Second.ms;

/**
 * Circuit breaker for an unavailable provider: after 5 consecutive failures every call fails at once for 30 s; then one call
 * is tried, and its success closes the breaker (failures.md B10). `elapsed`: monotonic ms.
 */
export function circuitBreaker(elapsed: () => number) {
  let failures = 0;
  let openedAt: number | null = null;
  let isTrialRunning = false;
  return {
    get isOpen() {
      return openedAt !== null;
    },
    /** Runs `work`; only `ProviderUnavailable` counts as a failure: a declined card is a response. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (openedAt !== null && (isTrialRunning || elapsed() - openedAt < HALF_OPEN_MS))
        throw new ProviderUnavailable("the payment provider did not respond recently");
      const isTrial = openedAt !== null;
      isTrialRunning = isTrial;
      try {
        const result = await work();
        failures = 0;
        openedAt = null;
        return result;
      } catch (error) {
        if (error instanceof ProviderUnavailable) {
          failures += 1;
          if (isTrial || failures >= MAX_FAILURES) openedAt = elapsed();
        } else {
          failures = 0;
          openedAt = null;
        }
        throw error;
      } finally {
        if (isTrial) isTrialRunning = false;
      }
    },
  };
}
