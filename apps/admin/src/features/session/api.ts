import { setClock } from "@marketday/client/clock.ts";
import { onReturn } from "@marketday/client/on-return.ts";
import type { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { Me } from "@marketday/contracts/admin/session";
import type { Permission } from "@marketday/domain/staff";
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query";
import { createContext, use } from "react";

import { call } from "../../lib/api.ts";
import { paths } from "../../lib/paths.ts";
import { claimSessionStorage, removeAll } from "../../lib/storage.ts";

/**
 * Who is signed in (`me`, null without a session), the market's name, and whether passkeys work at this address. It is read again when
 * a call is refused, when the tab comes back, and when the staff changes.
 */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) => {
    const session = await call(calls.getSession, undefined, { signal });
    setClock(session.now);
    return session;
  },
  staleTime: Infinity,
});

/** Reads again who is signed in and what they may do. A failure leaves what is known. */
const refreshSession = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: sessionQuery.queryKey });

/** Of all that is cached, what depends on who is signed in. */
const isNotSession = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionQuery.queryKey[0];

/**
 * Follows who is signed in, however the page learns of it: a sign-in here or in another tab, an invitation. Before the screens of
 * another person are rendered, what the one before has read and left undone in this tab is deleted; the same person finds it again.
 * Returns what stops it.
 */
export function followPerson(client: QueryClient): () => void {
  let last: number | null = null;
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success" || isNotSession(event.query)) return;
    const id = client.getQueryData(sessionQuery.queryKey)?.me?.id ?? null;
    // Without a session nothing changes: the page of the one before stays under the sign-in.
    if (id === null || id === last) return;
    claimSessionStorage(id);
    if (last !== null) client.removeQueries({ predicate: isNotSession });
    last = id;
  });
}

/**
 * While the sign-in is shown, a tab that comes back reads the session again: it may have begun in another tab. With a session, the
 * frame follows the server. Returns what stops it.
 */
export const findSessionOnReturn = (client: QueryClient): (() => void) =>
  onReturn(() => {
    if (client.getQueryData(sessionQuery.queryKey)?.me === null) void refreshSession(client);
  });

/**
 * What a refused call says about the session: it has ended, or what one may do has changed. The session is read again, and the sign-in
 * opens only when no one is signed in: a call that left while a step-up gave the session a new id is refused as well.
 */
export async function followRefusal(client: QueryClient, { status, code }: ApiError): Promise<void> {
  if (code === "sign_in_required" || (status === 403 && code === "forbidden")) await refreshSession(client);
}

/**
 * Makes `me` the person who is signed in, for the answers of sign-in, invitation and step-up. What is on screen is read again.
 */
export async function adoptMe(client: QueryClient, me: Me): Promise<void> {
  await client.cancelQueries({ queryKey: sessionQuery.queryKey });
  client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, me });
  await client.invalidateQueries({ predicate: isNotSession });
}

/** `adoptMe` for components. */
export const useAdoptMe = () => {
  const client = useQueryClient();
  return (me: Me) => adoptMe(client, me);
};

/** Ends the session and loads the app again, so that nothing of this person stays in the tab. Throws `ApiError`. */
export async function signOut(): Promise<void> {
  await call(calls.signOut);
  removeAll("session");
  location.assign(paths.today);
}

/** The person whose screens are shown; they stay while the session has ended and the sign-in is open over them. */
export const MeContext = createContext<Me | null>(null);

/** The person who is signed in. Only inside of `SessionGate`. */
export function useMe(): Me {
  const me = use(MeContext);
  if (!me) throw new Error("Only a screen that needs a session reads who is signed in.");
  return me;
}

/** Whether a person has a permission: in a hub, in "all" of them, or without `where` in at least one. */
export function hasPermission(me: Pick<Me, "permissions">, permission: Permission, where?: number | "all"): boolean {
  const hubs = me.permissions[permission];
  if (hubs === undefined) return false;
  if (hubs === "all") return true;
  if (where === "all") return false;
  return where === undefined ? hubs.length > 0 : hubs.includes(where);
}

/** `hasPermission` of the person who is signed in: a button whose action is not permitted is not rendered. */
export const useCan = (permission: Permission, where?: number | "all"): boolean =>
  hasPermission(useMe(), permission, where);
