import { cacheAnswer } from "@marketday/client/query-client.ts";
import type { Customer, ProfileChange } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { queryOptions, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { cartKey } from "../cart/cart-provider.tsx";
import { type SessionData, sessionKeys } from "../session/api.ts";

export const accountKeys = { sessions: ["account", "sessions"] as const };

/** Where one is logged in, this browser first. */
export const sessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ signal }) => call(calls.listSessions, undefined, { signal }),
  staleTime: 0,
});

/** Changes one's profile; returns who is here from now on. Throws ApiError, 409 for a taken e-mail. */
export function useChangeProfile() {
  const client = useQueryClient();
  return async (body: ProfileChange): Promise<Customer> => {
    const profile = await call(calls.putProfile, { body });
    cacheAnswer<SessionData>(client, sessionKeys.current, (before) => before && { ...before, profile });
    // Where boxes go, and what banners say about it.
    if ("pickupPointId" in body)
      for (const queryKey of [cartKey, ["subscriptions"]]) void client.invalidateQueries({ queryKey });
    return profile;
  };
}
