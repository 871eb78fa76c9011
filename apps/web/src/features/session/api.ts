import { ApiError } from "@marketday/client/transport.ts";
import type { Customer } from "@marketday/contracts/account";
import type { Session } from "@marketday/contracts/auth";
import * as calls from "@marketday/contracts/calls";
import { LOGOUT_RELOAD_MS } from "@marketday/domain/limits";
import { queryOptions, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { claimSessionStorage, removeAll } from "../../lib/storage.ts";
import { keptOrigin } from "../../navigation/entry-params.ts";

/** Who is here: the session, and the customer it belongs to (a guest is one too). */
export interface SessionData {
  session: Session;
  profile: Customer | null;
}

export const sessionKeys = { current: ["session"] as const };

async function loadSession({ signal }: { signal: AbortSignal }): Promise<SessionData> {
  const load = () => call(calls.getAuth, undefined, { signal });
  const session = await load().catch((error: unknown) => {
    // The guest of this cookie has logged in, but that answer is late or lost: the cookie is cleared now, or replaced meanwhile.
    if (error instanceof ApiError && error.code === "login_required") return load();
    throw error;
  });
  const profile = session.customerId === null ? null : await call(calls.getProfile, undefined, { signal });
  return { session, profile };
}

export const sessionQuery = queryOptions({
  queryKey: sessionKeys.current,
  queryFn: loadSession,
  // Refetched by `refreshSession`: every 15 min, on return to the page, and when another tab announces a change.
  staleTime: Infinity,
});

/** Asks the server who is signed in, once. A failure leaves what is known. */
export async function refreshSession(client: QueryClient): Promise<void> {
  // One that is under way may have been answered before the change.
  await client.cancelQueries({ queryKey: sessionKeys.current });
  await client.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false }).catch(() => null);
}

/** Of all that is cached, what depends on who is signed in. */
export const isNotSession = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionKeys.current[0];

/** Puts what the server rendered into the cache, so that the first view asks nothing. */
export function seedSession(client: QueryClient): void {
  claimSessionStorage(boot.session?.customerId ?? null);
  if (boot.session)
    client.setQueryData<SessionData>(sessionKeys.current, { session: boot.session, profile: boot.profile ?? null });
}

/** What screens need to know of the shopper. */
function shopperOf(data: SessionData | undefined) {
  const profile = data?.profile ?? null;
  return {
    profile,
    customerId: data?.session.customerId ?? null,
    /** Null while it is unknown. */
    hubId: profile?.hubId ?? data?.session.hubId ?? null,
    /** Signed in with an account; false for guests and without a session. */
    isRegistered: profile !== null && !profile.isGuest,
    isGuest: profile?.isGuest ?? false,
  };
}

/** The shopper now, for what a control does: without following it. */
export const readShopper = (client: QueryClient) => shopperOf(client.getQueryData<SessionData>(sessionKeys.current));

/** The shopper, as screens need to know them. */
export function useShopper() {
  const { data, isPending, isLoadingError, refetch } = useQuery(sessionQuery);
  return {
    ...shopperOf(data),
    isPending,
    /** The session is unknown. False when only a refetch failed. */
    isError: isLoadingError,
    refetch,
  };
}

/**
 * Makes a customer the one who is here, everywhere: their hub's reads and their cart follow. For the answers of guest,
 * login, register and profile calls.
 */
export async function adoptCustomer(client: QueryClient, profile: Customer): Promise<void> {
  await client.cancelQueries();
  claimSessionStorage(profile.customerId);
  client.setQueryData<SessionData>(sessionKeys.current, (before) => ({
    session: {
      customerId: profile.customerId,
      hubId: profile.hubId,
      isGuest: profile.isGuest,
      expiresAt: before?.session.expiresAt ?? null,
    },
    profile,
  }));
  // Everything else may look different to this shopper; what is on screen is refetched, the rest when it is needed.
  await client.invalidateQueries({ predicate: isNotSession });
}

/**
 * The session was changed by a call of ours: refetches it, and whatever differs for this person and market. Under a key
 * that is separate, because `refreshSession` cancels the query of the session: a frame that logs in announces it as well. Throws.
 */
export async function reloadSession(client: QueryClient): Promise<SessionData> {
  const data = await client.fetchQuery({ queryKey: ["session-reload"], queryFn: loadSession, gcTime: 0 });
  await client.cancelQueries({ queryKey: sessionKeys.current });
  client.setQueryData(sessionKeys.current, data);
  // Those that `followSession` started are waited for, not sent again.
  await client.invalidateQueries({ predicate: isNotSession }, { cancelRefetch: false });
  return data;
}

/** Where a guest would like to shop: one of the three (spec §7.1). */
export type Place = { zipCode: string } | { lat: number; lng: number } | { hubId: number };

/** Creates the guest of this browser, or moves it. Throws ApiError 404 where no market delivers. */
export async function createGuest(place: Place): Promise<Customer> {
  const customer = await call(calls.createGuest, { querystring: { ...place, ...keptOrigin() } });
  if (!("customerId" in customer)) throw new Error("Requested a guest, received coverage.");
  return customer;
}

/** Ends the session and starts over at the root after half a second (spec §4 Session). */
export async function logout(): Promise<void> {
  await call(calls.logout);
  removeAll("session");
  setTimeout(() => location.assign("/"), LOGOUT_RELOAD_MS);
}

export const useAdoptCustomer = () => {
  const client = useQueryClient();
  return (profile: Customer) => adoptCustomer(client, profile);
};
