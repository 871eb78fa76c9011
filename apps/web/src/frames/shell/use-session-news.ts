import { BEFORE_REFETCH, onReturn } from "@marketday/client/on-return.ts";
import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { useEffect, useEffectEvent } from "react";

import { call } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { onSessionNews } from "../../lib/session-channel.ts";
import { isPaying } from "./host.ts";

/**
 * Keeps an open frame in line with the session: when the shopper comes back to it, or another tab announces a change, the
 * account is refetched, and a frame of another person is reset. `customer`: the owner of the frame, also a guest. `isOfMarket`: it
 * shows one market, so it is reset for another one too, except while it pays: then the server refuses what was shown. A login on
 * this page causes news too: while it is adopted, and for the owner that the frame has by then, nothing is reset.
 */
export function useSessionNews(
  customer: Customer | null,
  {
    isOfMarket,
    isAdopting,
    ownerNow,
    onFresh,
  }: {
    isOfMarket: boolean;
    isAdopting: () => boolean;
    ownerNow: () => Customer["customerId"] | null;
    onFresh: (customer: Customer) => void;
  },
): void {
  const check = useEffectEvent(async () => {
    // Without an answer nothing is known; an expired session is reported by the next step.
    const session = await call(calls.getAuth).catch(() => null);
    if (!session || isAdopting()) return;
    const isElsewhere = isOfMarket && !isPaying() && Boolean(boot.hub) && session.hubId !== boot.hub?.id;
    if (session.customerId !== ownerNow() || isElsewhere) return location.reload();
    const fresh = customer && (await call(calls.getProfile).catch(() => null));
    if (fresh?.customerId === session.customerId) onFresh(fresh);
  });
  useEffect(() => {
    const run = () => void check();
    const stops = [onSessionNews(run), onReturn(run, BEFORE_REFETCH)];
    return () => stops.forEach((stop) => stop());
  }, []);
}
