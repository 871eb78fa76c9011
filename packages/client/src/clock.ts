import { useEffect, useState } from "react";

const MINUTE = 60_000;

let offset = 0;

/** Sets our clock by the server's: a wrong clock on the device must not show a wrong time left. */
export function setClock(serverNow: string): void {
  const server = Date.parse(serverNow);
  if (Number.isFinite(server)) offset = server - Date.now();
}

/** The device's own time, ms: only for how old something kept on this device is. */
export const deviceNow = (): number => Date.now();

/** The market's time, as far as this device knows. */
export const marketNow = (): Date => new Date(Date.now() + offset);

/** What shows the time; one timer for the page, while anything does. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function waitForMinute(): void {
  clearTimeout(timer);
  timer = setTimeout(renew, MINUTE - (marketNow().getTime() % MINUTE));
}

function renew(): void {
  waitForMinute();
  for (const listener of listeners) listener();
}

function onMinute(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    waitForMinute();
    document.addEventListener("visibilitychange", renew);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", renew);
  };
}

/** The market's time at an instant of the device's clock, ms: when an answer arrived here. */
export const marketTimeAt = (device: number): Date => new Date(device + offset);

/** The market's time, renewed when a minute begins, as cutoffs do, and when the tab comes back. */
export function useMarketNow(): Date {
  const [now, setNow] = useState(marketNow);
  useEffect(() => onMinute(() => setNow(marketNow())), []);
  return now;
}
