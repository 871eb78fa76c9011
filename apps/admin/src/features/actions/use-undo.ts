import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { StaffAction } from "@marketday/contracts/admin/actions";
import { announce } from "@marketday/ui/live-region.tsx";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import * as t from "#messages/actions";

import { cacheAction, rereadActions, undoAction } from "./api.ts";

/** A refusal's sentence; without an answer it may have been undone. */
const failureOf = (error: unknown): string =>
  error instanceof ApiError && error.isOffline ? t.undoUnknown : messageOf(error);

/** The undo of actions, several at a time. `failures`: by id, why one was not undone, until it is tried again. */
export function useUndo() {
  const client = useQueryClient();
  const running = useRef(new Set<number>());
  const [undoing, setUndoing] = useState<ReadonlySet<number>>(new Set());
  const [failures, setFailures] = useState<ReadonlyMap<number, string>>(new Map());
  const setFailure = (id: number, failure: string | null) =>
    setFailures((known) => {
      const next = new Map(known);
      if (failure === null) next.delete(id);
      else next.set(id, failure);
      return next;
    });
  const { mutateAsync } = useMutation({ mutationFn: undoAction });
  const undo = async ({ id }: StaffAction): Promise<void> => {
    if (running.current.has(id)) return;
    running.current.add(id);
    setUndoing(new Set(running.current));
    setFailure(id, null);
    try {
      cacheAction(client, await mutateAsync(id));
      // What it was held for is as it was.
      void client.invalidateQueries({ predicate: ({ queryKey }) => OLD.has(String(queryKey[0])) });
    } catch (error) {
      const failure = failureOf(error);
      setFailure(id, failure);
      announce(failure, true);
      void rereadActions(client);
    } finally {
      running.current.delete(id);
      setUndoing(new Set(running.current));
    }
  };
  return {
    undo: (action: StaffAction) => void undo(action),
    isUndoing: (id: number): boolean => undoing.has(id),
    failureOf: (id: number): string | undefined => failures.get(id),
    clearFailure: (id: number) => setFailure(id, null),
  };
}
export type Undo = ReturnType<typeof useUndo>;

/** The first parts of the keys of what an undo makes old. */
const OLD = new Set(["today", "day", "order", "orders", "customer", "customers", "inbox", "offers"]);
