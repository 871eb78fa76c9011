import { useSyncExternalStore } from "react";

import { setItem, getItem } from "../../lib/storage.ts";

const KEY = "dismissed-banners";
/** How many dismissals are remembered. */
const KEPT = 100;

let ids: readonly string[] | null = null;
const read = () => (ids ??= getItem<string[]>("local", KEY) ?? []);
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The banners that were put away on this device, by id: away on the shop is away in the cart. */
export const useDismissed = (): readonly string[] => useSyncExternalStore(subscribe, read);

export function dismiss(id: string): void {
  ids = [...read(), id].slice(-KEPT);
  setItem("local", KEY, ids);
  for (const listener of listeners) listener();
}
