import { hasUnsavedWork } from "@marketday/client/unsaved-work.ts";
import { readVersion } from "@marketday/client/version.ts";
import * as calls from "@marketday/contracts/calls";
import { LOGOUT_RELOAD_MS, SESSION_CHECK_MS, VERSION_POLL_MS } from "@marketday/domain/limits";
import { toast } from "@marketday/ui/toast-store.ts";
import type { QueryClient } from "@tanstack/react-query";

import type { ChangeQueue } from "../features/cart/change-queue.ts";
import { isNotSession, refreshSession } from "../features/session/api.ts";
import { call, onSessionExpired } from "../lib/api.ts";
import { config } from "../lib/boot.ts";
import { messages } from "../lib/messages.ts";
import { announceSessionChange, onSessionNews } from "../lib/session-channel.ts";
import { removeAll, setItem } from "../lib/storage.ts";
import { LOGIN_AFTER_RELOAD } from "./entry.ts";
import { followSession } from "./follow-session.ts";
import { startRefreshing } from "./refresh.ts";

interface Heart {
  client: QueryClient;
  queue: ChangeQueue;
  /** The shopper came back to the page before this was loaded. */
  cameBack: boolean;
}

/**
 * Polls what changes while a page stays open: who is signed in (every 15 min, and when another tab announces it), the market's
 * week, and the build (every 3 min). Returns the function that stops it.
 */
export function startSessionPolling({ client, queue, cameBack }: Heart): () => void {
  let ended = false;
  let newer = false;

  const expire = () => {
    if (ended) return;
    ended = true;
    toast({ text: messages.sessionExpired, tone: "error" });
    setItem("session", LOGIN_AFTER_RELOAD, true, 60_000);
    // The cookie is dead already; this clears it, and failing changes nothing.
    const gone = call(calls.logout).catch(() => null);
    setTimeout(() => void gone.then(() => location.assign("/")), LOGOUT_RELOAD_MS);
  };
  const stopExpiry = onSessionExpired(() => {
    if (!ended) announceSessionChange("expired");
    expire();
  });
  // Signed out, or another person signed in, in another tab: this person's data is removed.
  const stopFollowing = followSession(client, () => {
    if (ended) return;
    ended = true;
    queue.drop();
    removeAll("session");
    location.assign("/");
  });
  const stopNews = onSessionNews((news) => {
    if (news === "expired") return expire();
    // An order, credit, a pass: whatever is on screen may be out of date.
    void refreshSession(client).then(() => client.invalidateQueries({ predicate: isNotSession }));
  });
  const stopRefreshing = startRefreshing(client, cameBack);

  // An expired session ends in the listener above; without a network nothing is known, so it is checked when that is back.
  const checkSession = () => void refreshSession(client);
  const checkVersion = async () => {
    const build = await readVersion();
    if (build === null) return;
    newer = build !== config.build;
    reloadIfFree();
  };
  /** Never over unsaved work, an open frame or a running write; then with the next navigation that is free. */
  const reloadIfFree = () => {
    if (newer && !ended && queue.isIdle && !hasUnsavedWork()) location.reload();
  };

  const session = setInterval(checkSession, SESSION_CHECK_MS);
  const version = config.build === "dev" ? undefined : setInterval(() => void checkVersion(), VERSION_POLL_MS);
  addEventListener("popstate", reloadIfFree);
  addEventListener("online", checkSession);
  return () => {
    clearInterval(session);
    clearInterval(version);
    removeEventListener("popstate", reloadIfFree);
    removeEventListener("online", checkSession);
    for (const stop of [stopExpiry, stopFollowing, stopNews, stopRefreshing]) stop();
  };
}
