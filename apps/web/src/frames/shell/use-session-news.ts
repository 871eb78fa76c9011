import { BEFORE_REFETCH, onReturn } from "@marketday/client/on-return.ts";
import type { SessionNews } from "@marketday/client/session-channel.ts";
import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { useEffect, useEffectEvent } from "react";

import { call, onSessionExpired } from "../../lib/api.ts";
import { boot } from "../../lib/boot.ts";
import { onSessionNews } from "../../lib/session-channel.ts";
import { isPaying } from "./host.ts";

/**
 * Keeps an open frame in line with the session: when the shopper comes back to it, or another tab announces a change, the
 * account is refetched, and a frame of another person is reset. `customer`: the owner of the frame, also a guest. `isOfMarket`: it
 * shows one market, so it is reset for another one too, except while it pays: then the server refuses what was shown. A login on
 * this page causes news too: while it is adopted, and for the owner that the frame has by then, nothing is reset. Nor for a session
 * that expired (`onExpired`): while the frame asks for the login of its owner, no one is here, or the owner again.
 */
export function useSessionNews(
  customer: Customer | null,
  {
    isOfMarket,
    isAdopting,
    ownerNow,
    onFresh,
    onExpired,
  }: {
    isOfMarket: boolean;
    isAdopting: () => boolean;
    ownerNow: () => Customer["customerId"] | null;
    onFresh: (customer: Customer) => void;
    onExpired: () => void;
  },
): void {
  const check = useEffectEvent(async (news?: SessionNews) => {
    // Without an answer nothing is known; an expired session is reported by the next step.
    const session = await call(calls.getAuth).catch(() => null);
    if (!session || isAdopting()) return;
    const { customerId, hubId } = session;
    const owner = ownerNow();
    // Only a change that was announced, such as a logout in another tab, resets a frame that no one is at any more; not one that asks
    // for the login already. A payment that runs ends with an answer that says so.
    const isKept = customer ? news !== "changed" && !customer.isGuest : owner !== null;
    if (customerId === null && isKept) return isPaying() ? undefined : onExpired();
    const isElsewhere = isOfMarket && !isPaying() && boot.hub && hubId !== boot.hub.id;
    if (customerId !== owner || isElsewhere) return location.reload();
    const fresh = customerId !== null && (await call(calls.getProfile).catch(() => null));
    if (fresh && fresh.customerId === customerId) onFresh(fresh);
  });
  useEffect(() => {
    const stops = [
      onSessionNews((news) => void check(news)),
      onReturn(() => void check(), BEFORE_REFETCH),
      onSessionExpired(() => void check("expired")),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
}
