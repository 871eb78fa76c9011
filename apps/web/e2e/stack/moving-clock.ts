import { addMs, msBetween } from "@marketday/domain/time";

import type { Clock } from "../../../server/src/lib/clock.ts";

/**
 * The market's clock, which a test sets ahead: its week passes in minutes. It never goes back. It goes on when a server stops that has it.
 */
export type MovingClock = Clock & { moveTo: (at: Date) => void };

export function movingClock(clock: Clock): MovingClock {
  let aheadMs = 0;
  return {
    ...clock,
    stop: () => undefined,
    now: () => addMs(clock.now(), aheadMs),
    offset: () => clock.offset() + aheadMs,
    moveTo: (at) => void (aheadMs = Math.max(aheadMs, msBetween(clock.now(), at))),
  };
}
