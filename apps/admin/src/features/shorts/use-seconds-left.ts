import { marketNow } from "@marketday/client/clock.ts";
import { useSyncExternalStore } from "react";

const subscribe = (listener: () => void) => {
  const timer = setInterval(listener, 250);
  return () => clearInterval(timer);
};

/** Whole seconds until an instant, by the market's clock, renewed each second; 0 once it has come. */
export const useSecondsLeft = (instant: string): number =>
  useSyncExternalStore(subscribe, () => Math.max(0, Math.ceil((Date.parse(instant) - marketNow().getTime()) / 1000)));
