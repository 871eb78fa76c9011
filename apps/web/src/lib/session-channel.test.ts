import * as calls from "@marketday/contracts/calls";
import { afterEach, expect, test, vi } from "vitest";

import { changesSession } from "./session-channel.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test(
  "session: every call that changes who is here, their account, orders, subscriptions or cart is announced to the other tabs",
  { tags: ["fail:M8"] },
  () => {
    const announced = Object.entries(calls)
      .filter(([, route]) => changesSession(route))
      .map(([name]) => name);
    expect(announced.toSorted()).toEqual(
      [
        "buyWagonPass",
        "cancelWagonPass",
        "completeCheckout",
        "completePurchase",
        "createGuest",
        "deleteAccount",
        "editOrder",
        "login",
        "logout",
        "pauseSubscription",
        "placeOrder",
        "putCartDiscount",
        "putHubSwitch",
        "putProfile",
        "redeemGiftCard",
        "register",
        "resetPassword",
        "skipDelivery",
        "subscribe",
        "subscribeBundle",
        "unsubscribe",
        "unsubscribeBundle",
      ].toSorted(),
    );
  },
);

test("session: asking who delivers to a ZIP code changes nothing", () => {
  expect(changesSession(calls.createGuest, { zipCode: "46032", check: "true" })).toBe(false);
  expect(changesSession(calls.createGuest, { zipCode: "46032" })).toBe(true);
});

let pages = 0;
/** The module as another page of the browser loads it. */
const loadModule = () => {
  pages += 1;
  const url = new URL(`session-channel.ts?page=${pages}`, import.meta.url);
  return import(/* @vite-ignore */ url.href) as Promise<typeof import("./session-channel.ts")>;
};

/** The module as a page loads it, and what other pages of the browser say to that page. */
async function openPage() {
  const channel = Object.assign(new EventTarget(), { postMessage: vi.fn() });
  const kept = new Map<string, string>();
  vi.stubGlobal("BroadcastChannel", function () {
    return channel;
  });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  const { onSessionNews, announceSessionChange } = await loadModule();
  const receive = (data: unknown) => channel.dispatchEvent(new MessageEvent("message", { data }));
  return { onSessionNews, announceSessionChange, receive };
}

test("session: a page receives that another one changed it or found it ended, nothing else, and nothing after it stops", async () => {
  const { onSessionNews, receive } = await openPage();
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
  const first = await openPage();
  requestedAt(announced - 1);
  first.announceSessionChange("changed");
  const own = vi.fn();
  first.onSessionNews(own);
  await Promise.resolve();
  expect(own).not.toHaveBeenCalled();

  const { onSessionNews } = await loadModule();
  const late = vi.fn();
  onSessionNews(late);
  await Promise.resolve();
  expect(late).toHaveBeenCalledExactlyOnceWith("changed");

  requestedAt(announced + 1);
  const after = vi.fn();
  onSessionNews(after);
  await Promise.resolve();
  expect(after).not.toHaveBeenCalled();
});
