import { deviceNow } from "./clock.ts";
import type { AppStorage } from "./storage.ts";

/**
 * Messages for the other tabs and frames of this browser: who is signed in, their account, orders or subscriptions changed, or
 * their session expired. They carry no data: the receiver asks the server (docs/product.md §17 "Time in an open page").
 */
export type SessionNews = "changed" | "expired";

/** The newest announcement of this browser, for pages that did not listen yet. `by`: the page that announced it. */
const LAST = "session-news";
interface Announced {
  by: string;
  news: SessionNews;
  /** By the device, ms. */
  at: number;
}

/** The session channel of an app. @param name the browser's channel; each app of an origin has another one */
export function createSessionChannel(name: string, { getItem, setItem }: AppStorage) {
  const ownName = String(Math.random());
  let channel: BroadcastChannel | null | undefined;
  /** One for each page: a page does not receive what it announces itself. */
  const channelOf = (): BroadcastChannel | null =>
    (channel ??= typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name));

  /** The last that another page announced since this one was requested, which may have been rendered before. */
  function missedNews(): SessionNews | null {
    const last = getItem<Announced>("local", LAST);
    return last !== null && last.by !== ownName && last.at >= performance.timeOrigin ? last.news : null;
  }

  return {
    announceSessionChange: (news: SessionNews): void => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
      channelOf()?.postMessage(news);
      setItem("local", LAST, { by: ownName, news, at: deviceNow() } satisfies Announced);
    },

    /**
     * Runs when another tab or frame announces a change, and at once when one did since this page was requested. Returns what stops
     * it.
     */
    onSessionNews: (listener: (news: SessionNews) => void): (() => void) => {
      const receive = ({ data }: MessageEvent<unknown>) => {
        if (data === "changed" || data === "expired") listener(data);
      };
      channelOf()?.addEventListener("message", receive);
      const missed = missedNews();
      if (missed) queueMicrotask(() => listener(missed));
      return () => channelOf()?.removeEventListener("message", receive);
    },
  };
}
