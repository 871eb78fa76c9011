/** Runs something once the browser has nothing better to do; where it does not tell, `otherwise` ms later. */
export function whenIdle(run: () => void, otherwise = 1000): () => void {
  if ("requestIdleCallback" in window) {
    const waiting = requestIdleCallback(run);
    return () => cancelIdleCallback(waiting);
  }
  const waiting = setTimeout(run, otherwise);
  return () => clearTimeout(waiting);
}
