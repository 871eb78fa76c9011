import { useRef, useState } from "react";

import { ApiError } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { AttemptKeys } from "../checkout/place.ts";

/** Whether the server may have done it all the same: then only the same key may be sent again. */
const isOpen = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === undefined ||
    (error.status >= 500 && error.code !== "payments_down") ||
    error.code === "still_running");

/**
 * One change at a time, with the server's own words when it refuses. A payment gets a key per attempt: pressed again after
 * a lost answer, it is the same one, so that nothing is paid twice.
 */
export function useCall() {
  const [running, setRunning] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const keys = useRef(new AttemptKeys());
  const busy = useRef(false);
  const run = async <T>(
    name: string,
    body: unknown,
    send: (idempotencyKey: string) => Promise<T>,
  ): Promise<T | null> => {
    if (busy.current) return null;
    busy.current = true;
    setRunning(name);
    setError(null);
    try {
      const answer = await send(keys.current.keyFor({ name, body }));
      keys.current = new AttemptKeys();
      return answer;
    } catch (failure) {
      if (!isOpen(failure)) keys.current = new AttemptKeys();
      setError(failure instanceof Error ? failure.message : messages.network);
      return null;
    } finally {
      busy.current = false;
      setRunning(null);
    }
  };
  return { running, error, run, clear: () => setError(null) };
}
