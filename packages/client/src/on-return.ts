import { deviceNow } from "./clock.ts";

/** Between two returns that count, ms: a window in front gets the focus often. */
const PAUSE = 30_000;

/** From a return to a refetch, ms: who leaves again meanwhile, or switches to and fro, causes one. */
export const BEFORE_REFETCH = 1000;

/**
 * Runs when the shopper comes back to this page: its tab is shown, its window is in front again, or it is shown from the
 * browser's memory. With `wait`, so many ms later, once for all returns until then, and not if the tab is hidden by then.
 * Returns what stops it.
 */
export function onReturn(listener: () => void, wait = 0): () => void {
  let last = deviceNow();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const run = () => {
    last = deviceNow();
    if (!wait) return listener();
    timer ??= setTimeout(() => {
      timer = undefined;
      listener();
    }, wait);
  };
  const onVisible = () => (document.visibilityState === "visible" ? run() : cancel());
  const onFocus = () => {
    if (deviceNow() - last > PAUSE) run();
  };
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) run();
  };
  document.addEventListener("visibilitychange", onVisible);
  addEventListener("focus", onFocus);
  addEventListener("pageshow", onShow);
  return () => {
    cancel();
    document.removeEventListener("visibilitychange", onVisible);
    removeEventListener("focus", onFocus);
    removeEventListener("pageshow", onShow);
  };
}
