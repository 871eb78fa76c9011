import { useEffect, useState } from "react";

import { messages } from "../../lib/messages.ts";

/** The content of a frame: server-rendered or fetched. `retry` fetches again. */
export function useLoaded<T>(rendered: T | null | undefined, load: () => Promise<T>) {
  const [value, setValue] = useState<T | null>(rendered ?? null);
  const [error, setError] = useState<string | null>(null);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (value !== null) return;
    let left = false;
    load().then(
      (loaded) => !left && setValue(loaded),
      (failed: unknown) => !left && setError(failed instanceof Error ? failed.message : messages.network),
    );
    return () => {
      left = true;
    };
    // Loaded content never changes; only `retry` fetches it again.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [turn]);
  return {
    value,
    error,
    retry: () => {
      setError(null);
      setTurn(turn + 1);
    },
  };
}
