import { cacheAnswer } from "@marketday/client/query-client.ts";
import type { StaffAction } from "@marketday/contracts/admin/actions";
import * as calls from "@marketday/contracts/admin/calls";
import { type QueryClient, queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { forgetKeys } from "../session/request-key.ts";

/** What the staff did in the last day, newest first; an event of the day makes it old. Needs `orders.read`. */
export const actionsQuery = queryOptions({
  queryKey: ["actions"],
  queryFn: ({ signal }) => call(calls.listActions, undefined, { signal }),
});

/** Takes an action back. Throws `ApiError`: 409 with the reason when it can no longer be. */
export async function undoAction(id: number): Promise<StaffAction> {
  const action = await call(calls.undoAction, { params: { id } });
  forgetKeys();
  return action;
}

/**
 * Shows an action at once, with its Undo: for the answer of a write that stores one. A write that answers no action calls
 * `rereadActions` instead.
 */
export function cacheAction(client: QueryClient, action: StaffAction): void {
  cacheAnswer<StaffAction[]>(client, actionsQuery.queryKey, (known) => {
    if (!known) return known;
    return known.some(({ id }) => id === action.id)
      ? known.map((one) => (one.id === action.id ? action : one))
      : [action, ...known];
  });
}

/** Reads again what the staff did: after a write that holds an action. */
export const rereadActions = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: actionsQuery.queryKey });
