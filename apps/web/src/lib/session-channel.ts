import { createSessionChannel } from "@marketday/client/session-channel.ts";

import { shopStorage } from "./storage.ts";

/** The shop's tabs and frames. */
export const { announceSessionChange, onSessionNews } = createSessionChannel("marketday:session", shopStorage);

/** Writes after which other tabs show something that is no longer true. */
const CHANGES =
  /^\/(?:auth\/(?:guest|login|logout|register|reset\/:token)|account(?:\/profile)?|hubs\/:id\/switch|checkout(?:\/:attemptId\/complete)?|orders\/edit-order|subscriptions(?:\/(?:skip|pause))?|bundles\/:id|cart\/discount|gift-cards\/redeem|wagon-pass|purchases\/:paymentId\/complete)$/;

/** Whether a successful call changes what other tabs show. `url` is the pattern of its endpoint. */
export const changesSession = (
  { method, url }: { method: string; url: string },
  query: { [name: string]: unknown } = {},
): boolean => method !== "GET" && CHANGES.test(url) && query["check"] !== "true";
