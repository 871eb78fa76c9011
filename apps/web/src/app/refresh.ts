import { marketNow } from "@marketday/client/clock.ts";
import { BEFORE_REFETCH, onReturn } from "@marketday/client/on-return.ts";
import type { Hub } from "@marketday/contracts/hubs";
import type { QueryClient } from "@tanstack/react-query";

import { cartKey } from "../features/cart/cart-provider.tsx";
import { hubKeys } from "../features/hubs/api.ts";
import { refreshSession, sessionKeys, type SessionData } from "../features/session/api.ts";
import { feedKeys } from "../features/shop/api.ts";

/** The longest wait for a cutoff, ms: timers stop while a device sleeps. */
const LONGEST = 30_000;
/** Time until the next request, ms, while the market still returns the delivery that has closed: doubles up to the last. */
const RETRY_MS = { first: 5_000, last: 5 * 60_000 };
/** All open tabs pass the cutoff at once: each asks up to so many ms later. */
const SPREAD = 2_000;

/**
 * Refetches what time changes: hub, feed, cart and session when the shopper comes back, everything when the hub's cutoff
 * passes, so that a page left open shows the next delivery (docs/product.md §17 "Time in an open page"). `cameBack`:
 * the shopper already came back, which refetches at once. Returns what stops it.
 */
export function startRefreshing(client: QueryClient, cameBack: boolean): () => void {
  let timer: ReturnType<typeof setTimeout>;
  let pause = RETRY_MS.first;
  let stopped = false;
  const cutoff = (): number => {
    const hubId = client.getQueryData<SessionData>(sessionKeys.current)?.session.hubId ?? null;
    const hub = client.getQueryData<Hub>(hubKeys.one(hubId));
    return hub?.cutoff ? Date.parse(hub.cutoff) : Infinity;
  };
  const wait = (ms: number) => {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(check, ms + Math.random() * SPREAD);
  };
  const check = () => {
    const left = cutoff() - marketNow().getTime();
    if (left > 0) wait(Math.min(left, LONGEST));
    else void moveOn();
  };
  /** The delivery has closed: once the market answers the next one, everything is refetched. */
  const moveOn = async () => {
    const closed = cutoff();
    await client.invalidateQueries({ queryKey: hubKeys.all });
    if (cutoff() === closed) {
      wait(pause);
      pause = Math.min(2 * pause, RETRY_MS.last);
      return;
    }
    pause = RETRY_MS.first;
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== hubKeys.all[0] });
    wait(0);
  };
  const refetch = () => {
    // A read that is under way is new enough: on a slow line each return would begin it again.
    for (const queryKey of [hubKeys.all, feedKeys.all, cartKey])
      void client.invalidateQueries({ queryKey }, { cancelRefetch: false });
    void refreshSession(client);
    wait(0);
  };
  const stopReturning = onReturn(refetch, BEFORE_REFETCH);
  if (cameBack) refetch();
  else check();
  return () => {
    stopped = true;
    clearTimeout(timer);
    stopReturning();
  };
}
