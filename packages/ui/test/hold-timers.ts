import { flushSync } from "react-dom";
import { onTestFinished, vi } from "vitest";

/** Timers of this test run only when it advances them, ms. Those that are left are run at its end. */
export function holdTimers(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    flushSync(() => vi.runAllTimers());
    vi.useRealTimers();
  });
  return (ms) => flushSync(() => vi.advanceTimersByTime(ms));
}
