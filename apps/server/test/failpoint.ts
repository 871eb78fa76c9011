/**
 * Effect of a failpoint: kill the process, stop the whole process until SIGCONT (once), throw, or wait for a promise.
 */
export type Failpoint = "kill" | "stop" | "throw" | { until: Promise<unknown> };

/**
 * Test double of `deps.failpoint` with the effects of `plan` (docs/failures.md). Records every point that was passed.
 */
export function failpoints(plan: Record<string, Failpoint> = {}) {
  const passed: string[] = [];
  const waiting = new Map<string, () => void>();
  return {
    plan,
    passed,
    /** Resolves when the code reaches the point. */
    reached: (point: string) =>
      new Promise<void>((resolve) => (passed.includes(point) ? resolve() : void waiting.set(point, resolve))),
    at: async (point: string): Promise<void> => {
      passed.push(point);
      waiting.get(point)?.();
      const effect = plan[point];
      if (effect === undefined) return;
      if (effect === "kill") process.kill(process.pid, "SIGKILL");
      else if (effect === "stop") {
        delete plan[point];
        process.kill(process.pid, "SIGSTOP");
      } else if (effect === "throw") throw new Error(`failpoint ${point}`);
      else await effect.until;
    },
  };
}
