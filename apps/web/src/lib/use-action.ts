import { useState } from "react";

/** Runs one action at a time and holds its error message when it fails. */
export function useAction() {
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
