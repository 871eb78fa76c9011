/**
 * What happens at a named point: the process dies, the whole process sleeps until it gets SIGCONT (once), the step fails,
 * or it waits until it is let go.
 */
export type Failpoint = "kill" | "stop" | "throw" | { until: Promise<unknown> };

/**
 * Test double of `deps.failpoint`: the code names its points, tests decide what happens there (docs/failures.md). Remembers every
 * point it passed.
 */
export function failpoints(plan: Record<string, Failpoint> = {}) {
  const passed: string[] = [];
  const waiting = new Map<string, () => void>();
  return {
    plan,
    passed,
    /** Settles when the code reaches the point. */
    reached: (point: string) =>
      new Promise<void>((resolve) => (passed.includes(point) ? resolve() : void waiting.set(point, resolve))),
    at: async (point: string): Promise<void> => {
      passed.push(point);
      waiting.get(point)?.();
      const what = plan[point];
      if (what === undefined) return;
      if (what === "kill") process.kill(process.pid, "SIGKILL");
      else if (what === "stop") {
        delete plan[point];
        process.kill(process.pid, "SIGSTOP");
      } else if (what === "throw") throw new Error(`failpoint ${point}`);
      else await what.until;
    },
  };
}
