import { afterEach, expect, test, vi } from "vitest";

import { dismissToast, toast, toastStore } from "./toast-store.ts";

const shown = () => toastStore.current().map(({ text, duration, tone }) => [text, duration, tone]);
afterEach(() => {
  toastStore.current().forEach(({ id }) => dismissToast(id));
  if (vi.isFakeTimers()) vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

test("toasts: newest last, the same words once, each for 1.7 s unless it has a duration", () => {
  vi.useFakeTimers();
  toast({ text: "Added to cart", duration: 1000 });
  const other = toast({ text: "Link copied" });
  toast({ text: "Added to cart", tone: "error" });
  expect(shown()).toEqual([
    ["Link copied", 1700, undefined],
    ["Added to cart", 1700, "error"],
  ]);
  dismissToast(other);
  toast({ text: "Welcome back", duration: 600 });
  expect(shown()).toEqual([
    ["Added to cart", 1700, "error"],
    ["Welcome back", 600, undefined],
  ]);
});

test("toasts: a listener is called for each that is added or removed, until it unsubscribes", () => {
  vi.useFakeTimers();
  const listener = vi.fn();
  const stop = toastStore.subscribe(listener);
  dismissToast(toast({ text: "Added to cart" }));
  expect(listener).toHaveBeenCalledTimes(2);
  stop();
  toast({ text: "Link copied" });
  expect(listener).toHaveBeenCalledTimes(2);
});
