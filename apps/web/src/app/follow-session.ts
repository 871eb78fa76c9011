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
 * signed in here is not any more; the page must be left. `isIgnored`: whether the page stays as it is with this answer, because an
 * open frame asks for the login. Returns what stops it.
 */
export function followSession(
  client: QueryClient,
  { isIgnored, onGone }: { isIgnored: (session: Session) => boolean; onGone: () => void },
): () => void {
  let known = client.getQueryData<SessionData>(sessionKeys.current);
  let isRestoring = false;
  const forget = () => whenIdle(() => void forgetPhotos(known?.profile ?? null));
  forget();
  // A login before this was loaded.
  if (boot.session && known) offerMarketBefore(client, boot.session, known);
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== "updated" || event.action.type !== "success" || isNotSession(event.query) || isRestoring) return;
    const before = known;
    const now = event.query.state.data as SessionData;
    if (isIgnored(now.session)) {
      isRestoring = true;
      client.setQueryData(sessionKeys.current, before);
      isRestoring = false;
      return;
    }
    known = now;
    const { customerId, hubId } = now.session;
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
