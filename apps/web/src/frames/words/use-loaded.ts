import { useEffect, useState } from "react";

import { messages } from "../../lib/messages.ts";

/** What a frame shows: painted by the server, or asked for. `retry` asks again. */
export function useLoaded<T>(painted: T | null | undefined, load: () => Promise<T>) {
  const [value, setValue] = useState<T | null>(painted ?? null);
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
    // What is loaded never changes; it is asked for again by `retry`.
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
