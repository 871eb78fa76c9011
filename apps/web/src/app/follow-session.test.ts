import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import type { Customer } from "@marketday/contracts/account";
import type { Hub } from "@marketday/contracts/hubs";
import { dismissToast, toastStore } from "@marketday/ui/toast-store.ts";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { hubListQuery } from "../features/hubs/area-api.ts";
import { sessionKeys, type SessionData } from "../features/session/api.ts";
import { claimSessionStorage, getItem, setItem } from "../lib/storage.ts";
import { enterPlace } from "./enter-place.ts";
import { followSession } from "./follow-session.ts";

beforeEach(() => {
  vi.stubGlobal("window", { requestIdleCallback: () => 0 });
  vi.stubGlobal("requestIdleCallback", () => 0);
  vi.stubGlobal("sessionStorage", new MemoryStorage());
  vi.stubGlobal("localStorage", new MemoryStorage());
});
afterEach(() => {
  for (const { id } of toastStore.current()) dismissToast(id);
  vi.unstubAllGlobals();
});

const visitor = (customerId: number | string | null, hubId: number): SessionData => {
  const isGuest = typeof customerId === "string";
  return {
    session: { customerId, hubId, isGuest, expiresAt: null },
    profile: customerId === null ? null : ({ customerId, hubId, isGuest } as Customer),
  };
};

/** A page of a visitor, and a read of the session that returns who is here now. */
function openPage(before: SessionData) {
  const client = new QueryClient();
  client.setQueryData(sessionKeys.current, before);
  claimSessionStorage(before.session.customerId);
  setItem("session", "draft:note", "Typed before");
  client.setQueryData(["cart"], "a cart");
  const onGone = vi.fn();
  let isIgnored = false;
  const stop = followSession(client, { isIgnored: () => isIgnored, onGone });
  const read = (now: SessionData) =>
    client.fetchQuery({ queryKey: sessionKeys.current, queryFn: () => now, staleTime: 0, retry: false });
  const isOutdated = () => client.getQueryState(["cart"])?.isInvalidated;
  const ignore = (is: boolean) => (isIgnored = is);
  return { client, onGone, stop, read, isOutdated, ignore };
}

test("open page: an answer that is ignored changes nothing, and the next one is compared with what was known", async () => {
  const { client, onGone, read, isOutdated, ignore } = openPage(visitor(7, 1));
  const shown = () => client.getQueryData<SessionData>(sessionKeys.current)?.session.customerId;
  ignore(true);
  await read(visitor(null, 1));
  expect([shown(), isOutdated(), getItem("session", "draft:note")]).toEqual([7, false, "Typed before"]);
  ignore(false);
  await read(visitor(7, 1));
  expect([shown(), onGone.mock.calls.length]).toEqual([7, 0]);
  await read(visitor(8, 1));
  expect(onGone).toHaveBeenCalledTimes(1);
});

test.each([
  ["the same customer in the same market", 7, visitor(7, 1), false, false],
  ["the same customer in another market", 7, visitor(7, 2), false, true],
  ["a guest who signed in", "guest-1", visitor(7, 1), false, true],
  ["another customer", 7, visitor(8, 1), true, false],
  ["no one after a customer", 7, visitor(null, 1), true, false],
])(
  "open page: with %s now, it is left for another person and read again for another market",
  async (_, before, now, isLeft, isRead) => {
    const { onGone, read, isOutdated } = openPage(visitor(before, 1));
    await read(now);
    expect(onGone).toHaveBeenCalledTimes(isLeft ? 1 : 0);
    expect(isOutdated()).toBe(isRead);
  },
);

test("open page: what one guest typed is not the next guest's, and stopped it follows no one", async () => {
  const { read, stop, onGone, isOutdated, client } = openPage(visitor("guest-1", 1));
  await read(visitor("guest-2", 1));
  expect(getItem("session", "draft:note")).toBeNull();
  expect(onGone).not.toHaveBeenCalled();
  expect(isOutdated()).toBe(true);
  client.setQueryData(["cart"], "the next cart");
  stop();
  await read(visitor(8, 2));
  expect(isOutdated()).toBe(false);
});

test("entry by a link of another market: a guest is moved there, a customer stays in their own and is offered it", async () => {
  const fetched = vi.fn(async (_url: string) => Response.json({ customerId: "guest-1", hubId: 4, isGuest: true }));
  vi.stubGlobal("fetch", fetched);
  const customer = new QueryClient();
  customer.setQueryData(sessionKeys.current, visitor(7, 5));
  customer.setQueryData(hubListQuery.queryKey, [
    { id: 4, name: "Carmel" },
    { id: 5, name: "Fishers" },
  ] as Hub[]);
  await enterPlace(customer, { hubId: 4 });
  await enterPlace(customer, { lat: 39.9, lng: -86.1 });
  expect(fetched).not.toHaveBeenCalled();
  expect(customer.getQueryData(sessionKeys.current)).toEqual(visitor(7, 5));
  expect(toastStore.current().map(({ text }) => text)).toEqual([expect.stringContaining("Carmel")]);
  const guest = new QueryClient();
  guest.setQueryData(sessionKeys.current, visitor("guest-1", 1));
  await enterPlace(guest, { hubId: 4 });
  expect(fetched.mock.calls[0]?.[0]).toBe("/api/auth/guest?hubId=4");
  expect(guest.getQueryData<SessionData>(sessionKeys.current)?.session.hubId).toBe(4);
});
