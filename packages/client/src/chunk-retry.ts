import { useEffect } from "react";

/** Failed chunks by their error: calling one makes the next render fetch it again. */
const retryByError = new Map<unknown, () => void>();

export const onChunkRetry = (error: unknown, retry: () => void) => void retryByError.set(error, retry);

/**
 * For React's roots: reports an error from which React recovered, or what caused it. A chunk that failed is not reported, because
 * its boundary shows it: React calls that recovered when another part of the page waits at the same moment.
 */
export function reportRecovered(error: unknown): void {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!retryByError.has(cause)) reportError(cause);
}

function allowRetry(error: unknown): void {
  retryByError.get(error)?.();
  retryByError.delete(error);
}

/**
 * For the error state of a boundary: returns the handler of its Retry button. The chunk is fetched again then, and at the next
 * render after the error state is gone. No other chunk is: React renders once more what has just failed, and must find it failed.
 */
export function useChunkRetry(error: unknown, reset: () => void): () => void {
  useEffect(() => () => allowRetry(error), [error]);
  return () => {
    allowRetry(error);
    reset();
  };
}
