import { type ApiError, createTransport } from "@marketday/client/transport.ts";

import { backgroundHeaders } from "./activity.ts";

const listeners = new Set<(error: ApiError) => void>();

/** The calls of the admin API (`@marketday/contracts/admin/calls`). */
export const { call, callPaged } = createTransport({
  base: "/api/admin",
  headers: backgroundHeaders,
  onRefused: (error) => {
    for (const listener of listeners) listener(error);
  },
});

/** Runs when the server refuses a call. Returns what stops it. */
export function onRefusal(listener: (error: ApiError) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
