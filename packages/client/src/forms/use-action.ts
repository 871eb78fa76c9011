import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";

import { messageOf } from "../messages.ts";

interface Running {
  name: string;
  run: () => Promise<unknown>;
  /** The message shown when it fails. */
  wording: (error: unknown) => string;
  value: unknown;
}

/** The actions of a screen, one at a time, as mutations: `isMutating` of the client counts the one that runs. */
export function useAction() {
  const busy = useRef(false);
  const { mutateAsync, reset, isPending, error, variables } = useMutation({
    mutationFn: ({ run }: Running) => run(),
    // Its variables may hold a password.
    gcTime: 0,
  });
  /**
   * Starts an action. `value`: what its control shows meanwhile. @returns its result; null: it failed, or another one is running
   */
  const attempt = async <T>(
    name: string,
    run: () => Promise<T>,
    wording: (error: unknown) => string = messageOf,
    value?: unknown,
  ): Promise<T | null> => {
    if (busy.current) return null;
    busy.current = true;
    try {
      return (await mutateAsync({ name, run, wording, value })) as T;
    } catch {
      return null;
    } finally {
      busy.current = false;
    }
  };
  /** What a control shows: its new value while that is being saved. */
  const shown = <T>(name: string, value: T): T =>
    isPending && variables.name === name && variables.value !== undefined ? (variables.value as T) : value;
  return {
    /** The name of the action that is running. */
    running: isPending ? variables.name : null,
    /** The message of the last one, when it failed. */
    error: error ? variables.wording(error) : null,
    /** What it threw. */
    failure: error,
    attempt,
    shown,
    /** Removes the message. */
    clearError: reset,
  };
}

export type Action = ReturnType<typeof useAction>;
