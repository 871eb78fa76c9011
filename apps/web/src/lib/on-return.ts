import { deviceNow } from "./clock.ts";

/** Between two returns that count, ms: a window in front gets the focus often. */
const PAUSE = 30_000;

/**
 * Runs when the shopper comes back to this page: its tab is shown, its window is in front again, or it is shown from the
 * browser's memory. Returns what stops it.
 */
export function onReturn(listener: () => void): () => void {
  let last = deviceNow();
  const run = () => {
    last = deviceNow();
    listener();
  };
  const onVisible = () => {
    if (document.visibilityState === "visible") run();
  };
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
    document.removeEventListener("visibilitychange", onVisible);
    removeEventListener("focus", onFocus);
    removeEventListener("pageshow", onShow);
  };
}
