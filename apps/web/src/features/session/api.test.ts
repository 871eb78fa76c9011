import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import type { Customer } from "@marketday/contracts/account";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { claimSessionStorage, getItem, setItem } from "../../lib/storage.ts";

// The preloaded state is read from the page when the module starts.
vi.stubGlobal("document", { getElementById: () => null });
const { adoptCustomer, readShopper, refreshSession, reloadSession, sessionKeys } = await import("./api.ts");

afterEach(() => vi.unstubAllGlobals());

test("session reload: a refresh that starts while it is under way does not fail it", async () => {
  const account = { customerId: 7, hubId: 1, isGuest: false };
  const answers: (() => void)[] = [];
  vi.stubGlobal("fetch", (_url: string, { signal }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    answers.push(() => resolve(Response.json(account)));
    signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    return promise;
  });
  const answerAll = () => answers.splice(0).forEach((answer) => answer());
  const client = new QueryClient();
  client.setQueryData(sessionKeys.current, {
    session: { customerId: 3, hubId: 1, isGuest: true, expiresAt: null },
    profile: { customerId: 3, isGuest: true },
  });
  const reloaded = reloadSession(client).then(({ profile }) => profile?.isGuest);
  const outcome = reloaded.catch((error: unknown) => error);
  await expect.poll(() => answers.length).toBe(1);
  const refreshed = refreshSession(client);
  await expect.poll(() => answers.length).toBe(2);
  answerAll();
  await expect
    .poll(() => {
      answerAll();
      return client.isFetching();
    })
    .toBe(0);
  expect(await outcome).toBe(false);
  await refreshed;
  expect(client.getQueryData(sessionKeys.current)).toMatchObject({ profile: { customerId: 7, isGuest: false } });
});

test("session refresh: a guest whose login got lost on its way back is looked up again, and no longer shown", async () => {
  const answers = [
    Response.json(["Please login to continue.", { code: "login_required" }], { status: 401 }),
    Response.json({ customerId: null, hubId: null, isGuest: null, expiresAt: null }),
  ];
  vi.stubGlobal("fetch", () => Promise.resolve(answers.shift()));
  const client = new QueryClient();
  client.setQueryData(sessionKeys.current, {
    session: { customerId: 3, hubId: 1, isGuest: true, expiresAt: null },
    profile: { customerId: 3, isGuest: true },
  });
  await refreshSession(client);
  expect(client.getQueryData(sessionKeys.current)).toMatchObject({ session: { customerId: null }, profile: null });
});

const visitor = (customerId: number | string, hubId: number, isGuest = false) => ({
  session: { customerId, hubId, isGuest, expiresAt: "2099-01-01T00:00:00Z" },
  profile: { customerId, hubId, isGuest } as Customer,
});

test("session refresh: without an answer the shopper stays who they were", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const client = new QueryClient();
  client.setQueryData(sessionKeys.current, visitor(7, 1));
  await refreshSession(client);
  expect(client.getQueryData(sessionKeys.current)).toEqual(visitor(7, 1));
});

test("session: the market is the account's, before it is loaded the session's, and null while both are unknown", () => {
  const client = new QueryClient();
  expect(readShopper(client).hubId).toBeNull();
  client.setQueryData(sessionKeys.current, { ...visitor(7, 1), profile: null });
  expect(readShopper(client).hubId).toBe(1);
  client.setQueryData(sessionKeys.current, { ...visitor(7, 1), profile: visitor(7, 2).profile });
  expect(readShopper(client).hubId).toBe(2);
});

test("session: another customer is here at once, with nothing that was read or typed for the one before", async () => {
  vi.stubGlobal("sessionStorage", new MemoryStorage());
  claimSessionStorage(7);
  setItem("session", "draft:note", "Of the customer before");
  const client = new QueryClient();
  client.setQueryData(sessionKeys.current, visitor(7, 1));
  client.setQueryData(["cart"], "of 7");
  const read = Promise.withResolvers<string>();
  const reading = client.fetchQuery({ queryKey: ["orders"], queryFn: () => read.promise, retry: false });
  const stopped = reading.catch(() => "stopped");
  await adoptCustomer(client, visitor(8, 2).profile);
  read.resolve("orders of 7");
  expect(await stopped).toBe("stopped");
  expect(client.getQueryData(["orders"])).toBeUndefined();
  expect(client.getQueryData(sessionKeys.current)).toEqual(visitor(8, 2));
  expect(client.getQueryState(["cart"])?.isInvalidated).toBe(true);
  expect(client.getQueryState(sessionKeys.current)?.isInvalidated).toBe(false);
  expect(getItem("session", "draft:note")).toBeNull();
});
