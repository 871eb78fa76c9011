import { afterEach, expect, test, vi } from "vitest";

import { createSessionChannel } from "./session-channel.ts";
import { createStorage } from "./storage.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** As each page of the browser creates it. */
const createChannel = () => createSessionChannel("shop:session", createStorage("shop"));

/** The channel of a page, and what other pages of the browser say to that page. */
function openPage() {
  const channel = Object.assign(new EventTarget(), { postMessage: vi.fn() });
  const kept = new Map<string, string>();
  vi.stubGlobal("BroadcastChannel", function () {
    return channel;
  });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  const { onSessionNews, announceSessionChange } = createChannel();
  const receive = (data: unknown) => channel.dispatchEvent(new MessageEvent("message", { data }));
  return { onSessionNews, announceSessionChange, receive };
}

test("session: a page receives that another one changed it or found it ended, nothing else, and nothing after it stops", () => {
  const { onSessionNews, receive } = openPage();
  const news: string[] = [];
  const stop = onSessionNews((what) => news.push(what));
  for (const data of ["changed", "expired", "other", null, {}]) receive(data);
  expect(news).toEqual(["changed", "expired"]);
  stop();
  receive("changed");
  expect(news).toHaveLength(2);
});

test("session: a page that was requested before another one announced a change receives it once it listens, not one that was requested after it, nor its own", async () => {
  const announced = 1_000_000;
  vi.useFakeTimers({ toFake: ["Date"], now: announced });
  const now = performance.now.bind(performance);
  /** Every page was requested then, by the device, ms. */
  const requestedAt = (timeOrigin: number) => vi.stubGlobal("performance", { now, timeOrigin });
  const first = openPage();
  requestedAt(announced - 1);
  first.announceSessionChange("changed");
  const own = vi.fn();
  first.onSessionNews(own);
  await Promise.resolve();
  expect(own).not.toHaveBeenCalled();

  const { onSessionNews } = createChannel();
  const late = vi.fn();
  onSessionNews(late);
  await Promise.resolve();
  expect(late).toHaveBeenCalledExactlyOnceWith("changed");
  first.announceSessionChange("expired");
  createChannel().onSessionNews(late);
  await Promise.resolve();
  expect(late).toHaveBeenLastCalledWith("expired");

  requestedAt(announced + 1);
  const after = vi.fn();
  onSessionNews(after);
  await Promise.resolve();
  expect(after).not.toHaveBeenCalled();
});
