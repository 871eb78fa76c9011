import { TOAST_MS } from "@marketday/domain/limits";

import { announce } from "./live-region.tsx";

export interface ToastSpec {
  text: string;
  /** ms in sight; an error stays until it is closed. */
  duration?: number;
  tone?: "plain" | "error";
  action?: { label: string; run: () => void };
  /** Runs when the shopper closes it. */
  onClose?: () => void;
}
export interface Toast extends ToastSpec {
  id: number;
}

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();
const change = (next: readonly Toast[]) => {
  toasts = next;
  for (const listener of listeners) listener();
};

/** Shows a toast; the same words twice at once are one toast. Spec §9: 1700 ms by default. */
export function toast(spec: ToastSpec): number {
  const id = ++lastId;
  announce(spec.text, spec.tone === "error");
  change([...toasts.filter(({ text }) => text !== spec.text), { duration: TOAST_MS, ...spec, id }]);
  return id;
}

export const dismissToast = (id: number) => change(toasts.filter((one) => one.id !== id));

export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  current: () => toasts,
};
