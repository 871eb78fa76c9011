/** Runs something once the browser has nothing better to do; where it does not tell, a second later. */
export function whenIdle(run: () => void): () => void {
  if ("requestIdleCallback" in window) {
    const waiting = requestIdleCallback(run);
    return () => cancelIdleCallback(waiting);
  }
  const waiting = setTimeout(run, 1000);
  return () => clearTimeout(waiting);
}
