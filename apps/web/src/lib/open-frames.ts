import { useEffect } from "react";

let open = 0;
let waiting: (() => void)[] = [];

/** Counts this frame among the open ones `when` true. */
export function useOpenFrame(when: boolean): void {
  useEffect(() => {
    if (!when) return;
    open += 1;
    return () => {
      open -= 1;
      if (open > 0) return;
      const runs = waiting;
      waiting = [];
      for (const run of runs) run();
    };
  }, [when]);
}

export const isFrameOpen = (): boolean => open > 0;

/** Runs once, when the last open frame closes. */
export const onceFramesClosed = (run: () => void): void => void waiting.push(run);
