import { useState } from "react";

/** Runs one thing at a time and keeps the sentence when it fails. */
export function useAttempt() {
  const [running, setRunning] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const attempt = async (
    name: string,
    run: () => Promise<void>,
    wording: (error: unknown) => string,
  ): Promise<void> => {
    if (running) return;
    setRunning(name);
    setError(null);
    try {
      await run();
    } catch (failure) {
      setError(wording(failure));
    } finally {
      setRunning(null);
    }
  };
  return { running, error, attempt };
}
