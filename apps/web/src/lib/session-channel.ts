/**
 * Messages for the other tabs and frames of this browser: who is signed in, their account or their orders changed, or their
 * session expired. They carry no data: the receiver asks the server (docs/product.md §17 "Time in an open page").
 */
export type SessionNews = "changed" | "expired";

let channel: BroadcastChannel | null | undefined;
/** One for each page: a page does not receive what it announces itself. */
const channelOf = (): BroadcastChannel | null =>
  (channel ??= typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("marketday:session"));

/** Writes after which other tabs show something that is no longer true. */
const CHANGES =
  /^\/(?:auth\/(?:guest|login|logout|register|reset\/:token)|account(?:\/profile)?|hubs\/:id\/switch|checkout(?:\/:attemptId\/complete)?|orders\/edit-order|gift-cards\/redeem|wagon-pass|purchases\/:paymentId\/complete)$/;

/** Whether a successful call changes what other tabs show. `url` is the pattern of its endpoint. */
export const changesSession = (
  { method, url }: { method: string; url: string },
  query: { [name: string]: unknown } = {},
): boolean => method !== "GET" && CHANGES.test(url) && query["check"] !== "true";

export function announceSessionChange(news: SessionNews): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  channelOf()?.postMessage(news);
}

/** Runs when another tab or frame announces a change. Returns what stops it. */
export function onSessionNews(listener: (news: SessionNews) => void): () => void {
  const receive = ({ data }: MessageEvent<unknown>) => {
    if (data === "changed" || data === "expired") listener(data);
  };
  channelOf()?.addEventListener("message", receive);
  return () => channelOf()?.removeEventListener("message", receive);
}
