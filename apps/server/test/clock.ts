import type { Clock } from "../src/lib/clock.ts";

/** A clock that changes only by `set` and `advance`. */
export interface TestClock extends Clock {
  set(now: Date | string): void;
  advance(ms: number): void;
}

export function testClock(start: Date | string): TestClock {
  let now = new Date(start);
  return {
    now: () => now,
    elapsed: () => performance.now(),
    offset: () => 0,
    stop: () => undefined,
    set: (instant) => void (now = new Date(instant)),
    advance: (ms) => void (now = new Date(now.getTime() + ms)),
  };
}

/**
 * Multiplies the timeouts of servers in tests, so that other load on the machine fails no test. Tests of the timeouts
 * themselves use 1.
 */
export const TEST_TIMEOUT_FACTOR = 30;
