import { flushSync } from "react-dom";
import { onTestFinished, vi } from "vitest";

/** Timers of this test run only when it advances them, ms. Those that are left are run at its end. */
export function holdTimers(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  // Otherwise each assertion that waits for an element advances them, too.
  const isFake = vi.spyOn(vi, "isFakeTimers").mockReturnValue(false);
  onTestFinished(() => {
    flushSync(() => vi.runAllTimers());
    isFake.mockRestore();
    vi.useRealTimers();
  });
  return (ms) => flushSync(() => vi.advanceTimersByTime(ms));
}
