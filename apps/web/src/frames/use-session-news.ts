import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { useEffect, useEffectEvent } from "react";

import { call } from "../lib/api.ts";
import { onReturn } from "../lib/on-return.ts";
import { onSessionNews } from "../lib/session-channel.ts";

/**
 * Keeps an open frame true to the session: when the shopper comes back to it, or another tab announces a change, the
 * account is asked for again, and another person's frame starts over. `customer`: whose frame it is, a guest's too.
 */
export function useSessionNews(customer: Customer | null, onFresh: (customer: Customer) => void): void {
  const check = useEffectEvent(async () => {
    // Without an answer nothing is known; an expired session is said with the next step.
    const session = await call(calls.getAuth).catch(() => null);
    if (!session) return;
    if (session.customerId !== (customer?.customerId ?? null)) return location.reload();
    const fresh = customer && (await call(calls.getProfile).catch(() => null));
    if (fresh?.customerId === session.customerId) onFresh(fresh);
  });
  useEffect(() => {
    const run = () => void check();
    const stops = [onSessionNews(run), onReturn(run)];
    return () => stops.forEach((stop) => stop());
  }, []);
}
