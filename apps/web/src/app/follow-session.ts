import { whenIdle } from "@marketday/client/idle.ts";
import type { Session } from "@marketday/contracts/auth";
import type { QueryClient } from "@tanstack/react-query";

import { offerMarket } from "../features/hubs/market-toast.ts";
import { isNotSession, sessionKeys, type SessionData } from "../features/session/api.ts";
import { forgetPhotos } from "../features/support/forget-photos.ts";
import { boot } from "../lib/boot.ts";
import { claimSessionStorage } from "../lib/storage.ts";

/**
 * Follows who is signed in: another person or market refetches whatever is on screen. `onGone`: the account that was
 * signed in here is not any more; the page must be left. Returns what stops it.
 */
export function followSession(client: QueryClient, onGone: () => void): () => void {
  let known = client.getQueryData<SessionData>(sessionKeys.current);
  const forget = () => whenIdle(() => void forgetPhotos(known?.profile ?? null));
  forget();
  // A login before this was loaded.
  if (boot.session && known) offerMarketBefore(client, boot.session, known);
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success" || isNotSession(event.query)) return;
    const before = known;
    known = event.query.state.data as SessionData;
    const { customerId, hubId } = known.session;
    const isOther = before !== undefined && before.session.customerId !== customerId;
    if (isOther && before.profile?.isGuest === false) return onGone();
    claimSessionStorage(customerId);
    if (before?.session.customerId !== customerId) forget();
    if (before) offerMarketBefore(client, before.session, known);
    // A location that was set by hand is followed by the caller.
    if (before === undefined || event.action.manual) return;
    if (isOther || before.session.hubId !== hubId) void client.invalidateQueries({ predicate: isNotSession });
  });
}

/** A guest of another market has logged in: the account's market and the one before are named. */
function offerMarketBefore(client: QueryClient, before: Session, { profile }: SessionData): void {
  if (before.isGuest && before.hubId !== null && profile && !profile.isGuest)
    void offerMarket(client, profile, before.hubId);
}
