import { hasUnsavedWork } from "@marketday/client/unsaved-work.ts";
import { readVersion } from "@marketday/client/version.ts";
import type { Session } from "@marketday/contracts/auth";
import { LOGOUT_RELOAD_MS, SESSION_CHECK_MS, VERSION_POLL_MS } from "@marketday/domain/limits";
import { toast } from "@marketday/ui/toast-store.ts";
import type { QueryClient } from "@tanstack/react-query";

import type { ChangeQueue } from "../features/cart/change-queue.ts";
import { isNotSession, readShopper, refreshSession } from "../features/session/api.ts";
import { onSessionExpired } from "../lib/api.ts";
import { config } from "../lib/boot.ts";
import { messages } from "../lib/messages.ts";
import { isFrameOpen, onceFramesClosed } from "../lib/open-frames.ts";
import { onSessionNews } from "../lib/session-channel.ts";
import { removeAll, setItem } from "../lib/storage.ts";
import { LOGIN_AFTER_RELOAD } from "./entry.ts";
import { followSession } from "./follow-session.ts";
import { startRefreshing } from "./refresh.ts";

/** Until the session is requested again, ms: doubles up to the last. */
const RETRY_MS = { first: 5_000, last: 5 * 60_000 };

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
  /** The session may have expired: until the server says who is here. */
  let isInDoubt = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  /** Leaves the page for Login. The server has ended the session and cleared the cookie: a logout could only end that of a login since. */
  const leave = () => {
    ended = true;
    toast({ text: messages.sessionExpired, tone: "error" });
    setItem("session", LOGIN_AFTER_RELOAD, true, 60_000);
    setTimeout(() => location.assign("/"), LOGOUT_RELOAD_MS);
  };
  /** Requests the session, and again with a growing pause as long as there is no answer. */
  const findOut = async (pause = RETRY_MS.first) => {
    await refreshSession(client);
    clearTimeout(retry);
    if (isInDoubt && !ended) retry = setTimeout(() => void findOut(Math.min(2 * pause, RETRY_MS.last)), pause);
  };
  const doubt = () => {
    if (isInDoubt || ended) return;
    isInDoubt = true;
    onceFramesClosed(() => {
      if (isInDoubt && !ended) void findOut();
    });
    void findOut();
  };
  const stopExpiry = onSessionExpired(doubt);
  /** An open frame shows the login itself and keeps what is typed in it: until it closes, the page stays as it is. */
  const isIgnored = ({ customerId }: Session) => {
    if (ended || !isInDoubt) return ended;
    isInDoubt = customerId === null;
    if (isInDoubt && !isFrameOpen()) leave();
    return isInDoubt;
  };
  // Signed out, or another person signed in, in another tab: this person's data is removed.
  const stopFollowing = followSession(client, {
    isIgnored,
    onGone: () => {
      ended = true;
      queue.drop();
      removeAll("session");
      location.assign("/");
    },
  });
  const stopNews = onSessionNews((news) => {
    if (ended) return;
    // It may have waited for this tab while someone logged in.
    if (news === "expired" && readShopper(client).isRegistered) return doubt();
    // An order, credit, a pass: whatever is on screen may be out of date.
    void refreshSession(client).then(() => {
      if (!isInDoubt) return client.invalidateQueries({ predicate: isNotSession });
    });
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
    isInDoubt = false;
    clearTimeout(retry);
    clearInterval(session);
    clearInterval(version);
    removeEventListener("popstate", reloadIfFree);
    removeEventListener("online", checkSession);
    for (const stop of [stopExpiry, stopFollowing, stopNews, stopRefreshing]) stop();
  };
}
