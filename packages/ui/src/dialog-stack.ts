import { useSyncExternalStore } from "react";

let stack: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();
const change = (next: readonly HTMLElement[]) => {
  stack = next;
  for (const listener of listeners) listener();
};

/** A modal layer has opened: everything outside of it is inert now. Returns what says that it has closed. */
export function pushDialog(element: HTMLElement): () => void {
  change([...stack, element]);
  return () => change(stack.filter((one) => one !== element));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** The element that toasts and announcements must be inside of to be reached: the top modal layer, else the body. */
export const useReachable = (): HTMLElement => useSyncExternalStore(subscribe, () => stack.at(-1) ?? document.body);
