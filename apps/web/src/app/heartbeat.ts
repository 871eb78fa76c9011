import * as calls from "@marketday/contracts/calls";
import { LOGOUT_RELOAD_MS, SESSION_CHECK_MS, VERSION_POLL_MS } from "@marketday/domain/limits";
import type { QueryClient } from "@tanstack/react-query";

import { call, onSessionExpired } from "../lib/api.ts";
import { config } from "../lib/boot.ts";
import { isBusy, watchTyping } from "../lib/busy.ts";
import { messages } from "../lib/messages.ts";
import { keep } from "../lib/storage.ts";
import { toast } from "../ui/toast-store.ts";

/** Set before the reload after an expired session: the app comes back with Login open. */
export const LOGIN_AFTER_RELOAD = "login-after-reload";

interface Heart {
  client: QueryClient;
  /** Whether cart changes are on their way. */
  isWriting: () => boolean;
}

/** The app's two clocks: is the session still good (15 min), is there a newer build (3 min). Returns what stops them. */
export function startHeartbeat({ client, isWriting }: Heart): () => void {
  const stopTyping = watchTyping();
  let ended = false;
  let newer = false;

  const stopExpiry = onSessionExpired(() => {
    if (ended) return;
    ended = true;
    toast({ text: messages.sessionExpired, tone: "error" });
    keep("session", LOGIN_AFTER_RELOAD, true, 60_000);
    // The cookie is dead already; this clears it, and failing changes nothing.
    const gone = call(calls.logout).catch(() => null);
    setTimeout(() => void gone.then(() => location.assign("/")), LOGOUT_RELOAD_MS);
  });

  const checkSession = () => {
    // The listener above hears an expired session; a lost network is no news.
    void call(calls.getAuth).catch(() => null);
  };
  const checkVersion = async () => {
    const answer = await fetch("/version.json", { cache: "no-store" }).catch(() => null);
    if (!answer?.ok) return;
    const version = (await answer.json().catch(() => null)) as { build?: unknown } | null;
    newer = typeof version?.build === "string" && version.build !== config.build;
    reloadIfFree();
  };
  /** Never over something typed, an open frame or a running write; then with the next navigation that is free. */
  const reloadIfFree = () => {
    if (newer && !ended && !isWriting() && client.isMutating() === 0 && !isBusy()) location.reload();
  };

  const session = setInterval(checkSession, SESSION_CHECK_MS);
  const version = config.build === "dev" ? undefined : setInterval(() => void checkVersion(), VERSION_POLL_MS);
  addEventListener("popstate", reloadIfFree);
  return () => {
    clearInterval(session);
    clearInterval(version);
    removeEventListener("popstate", reloadIfFree);
    stopExpiry();
    stopTyping();
  };
}
