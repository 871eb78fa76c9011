import { ApiError, createTransport } from "@marketday/client/transport.ts";

import { announceSessionChange, changesSession } from "./session-channel.ts";

/** The shop's calls of the API. What changes the other tabs and frames, and that the session expired, is announced to them. */
export const { call, callPaged, onSessionExpired } = createTransport({
  base: "/api",
  onSuccess: (route, querystring) => {
    if (changesSession(route, querystring)) announceSessionChange("changed");
  },
  onRefused: ({ code }) => {
    if (code === "session_expired") announceSessionChange("expired");
  },
});

/** What a failed subscription shows: the server's sentence when the cart is full, else these words. */
export const orCartFull =
  (words: string) =>
  (error: unknown): string =>
    error instanceof ApiError && error.code === "cart_full" ? error.message : words;
