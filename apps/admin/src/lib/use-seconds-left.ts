import { marketNow } from "@marketday/client/clock.ts";
import { Second } from "@marketday/domain/time";
import { useSyncExternalStore } from "react";

/** Between two looks at the clock: a second that is shown begins at most this late, ms. */
const LOOK_MS = 250;

const subscribe = (listener: () => void) => {
  const timer = setInterval(listener, LOOK_MS);
  return () => clearInterval(timer);
};
const never = () => () => {};

/** Whole seconds until an instant, begun ones too; 0 once it has come. */
export const secondsUntil = (instant: string, now: Date): number =>
  Math.max(0, Math.ceil((Date.parse(instant) - now.getTime()) / Second.ms));

/** Whole seconds until an instant, by the market's clock, renewed each second; 0 once it has come, and without an instant. */
export const useSecondsLeft = (instant: string | null): number =>
  useSyncExternalStore(instant === null ? never : subscribe, () =>
    instant === null ? 0 : secondsUntil(instant, marketNow()),
  );
