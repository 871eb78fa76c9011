import { cacheAnswer } from "@marketday/client/query-client.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import {
  type MutationCacheNotifyEvent,
  queryOptions,
  type QueryCacheNotifyEvent,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { messages } from "../../lib/messages.ts";
import { claimSessionStorage } from "../../lib/storage.ts";
import { postLoggedIn } from "./host.ts";
import { useSessionNews } from "./use-session-news.ts";

/** The customer, also a guest, that the page was rendered for; fetched where it was rendered for none. */
const customerQuery = queryOptions({
  queryKey: ["account"],
  queryFn: async (): Promise<Customer | null> => {
    const { customerId } = await call(calls.getAuth);
    return customerId === null ? null : call(calls.getProfile);
  },
  initialData: boot.session ? (boot.profile ?? null) : undefined,
  staleTime: Infinity,
  // An ended session is reported once: a second request would find none.
  retry: false,
  refetchOnReconnect: false,
});

/** Whether a call failed because its session is no customer's any more; a login with a wrong password is another 401. */
const isSessionEnd = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === "session_expired" || error.code === "login_required");

/** Whose the frame is, a guest's too; null while that is unknown. What is cached of a person has it in its key. */
export const useCustomerId = (): Customer["customerId"] | null => useQuery(customerQuery).data?.customerId ?? null;

/** Whose session expired on this page: the frame waits for their login, until someone is here again. */
let expiredOwner: Customer["customerId"] | null = null;

/**
 * Who is at a frame. `reload` refetches what else belongs to them: before a login is shown, and after news. `isOfMarket`: the frame
 * shows the market of the session.
 */
export function useAccount({
  reload,
  isOfMarket = false,
}: { reload?: () => Promise<unknown>; isOfMarket?: boolean } = {}) {
  const client = useQueryClient();
  const { data, error, isPending } = useQuery(customerQuery);
  const [hasExpired, setExpired] = useState(false);
  const [isNew, setNew] = useState(false);
  const update = (customer: Customer | null) => cacheAnswer(client, customerQuery.queryKey, customer);
  const isAdopting = useRef(false);
  /** Typed text is kept, a login is required. */
  const endSession = () => {
    if (data) expiredOwner = data.customerId;
    setExpired(true);
    update(null);
  };
  useSessionNews(data ?? null, {
    isOfMarket,
    isAdopting: () => isAdopting.current,
    // What is cached, which is newer than what is rendered.
    ownerNow: () => client.getQueryData(customerQuery.queryKey)?.customerId ?? expiredOwner,
    onFresh: (fresh) => {
      setExpired(false);
      update(fresh);
      void reload?.();
    },
    onExpired: endSession,
  });
  const onError = useEffectEvent((error: unknown) => {
    if (data && !data.isGuest && isSessionEnd(error)) endSession();
  });
  useEffect(() => {
    const listen = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
      if (event.type === "updated" && event.action.type === "error") onError(event.action.error);
    };
    const stops = [client.getQueryCache(), client.getMutationCache()].map((cache) => cache.subscribe(listen));
    return () => stops.forEach((stop) => stop());
  }, [client]);
  return {
    /** Undefined: not known yet. Null: a guest, or no one. */
    customer: isPending ? undefined : data && !data.isGuest ? data : null,
    /** They logged in or registered on this page. */
    isNew,
    zipCode: data?.zipCode ?? null,
    hubId: data?.hubId ?? null,
    /** Why a login is required, when there is a reason besides being a guest. */
    notice: hasExpired ? messages.sessionExpired : (error?.message ?? null),
    /** Logged in or registered on this page: the app follows. */
    adopt: async (customer: Customer) => {
      isAdopting.current = true;
      claimSessionStorage(customer.customerId);
      postLoggedIn();
      // The page was rendered for the market of the guest.
      if (boot.hub && customer.hubId !== boot.hub.id) return location.reload();
      try {
        await reload?.();
        setExpired(false);
        setNew(true);
        update(customer);
      } finally {
        isAdopting.current = false;
      }
    },
    /** What the account is after a change of ours. */
    update,
  };
}
export type Account = ReturnType<typeof useAccount>;
