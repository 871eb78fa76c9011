import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import type { Me } from "@marketday/contracts/admin/session";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { getItem, setItem } from "../../lib/storage.ts";
import { adoptMe, followPerson, sessionQuery } from "./api.ts";

beforeEach(() => vi.stubGlobal("sessionStorage", new MemoryStorage()));
afterEach(() => vi.unstubAllGlobals());

const session = (id: number | null) => ({
  me: id === null ? null : ({ id } as Me),
  marketName: "Indy",
  passkeysWork: true,
  now: "2026-11-20T11:00:00.000Z",
});

/** A tab in which a person has read staff and typed a note. `read`: the server's answer to who is signed in now. */
async function openTab(id: number) {
  const client = new QueryClient();
  const stop = followPerson(client);
  const read = (now: number | null) =>
    client.fetchQuery({ queryKey: sessionQuery.queryKey, queryFn: () => session(now), staleTime: 0 });
  await read(id);
  client.setQueryData(["staff"], "read before");
  setItem("session", "draft:note", "Typed before");
  const left = () => [client.getQueryData(["staff"]), getItem("session", "draft:note")];
  return { client, stop, read, left };
}

test("session: when a read of it finds another person, nothing that the one before read or typed is left", async () => {
  const { client, read, left } = await openTab(1);
  await read(2);
  expect(left()).toEqual([undefined, null]);
  expect(client.getQueryData(sessionQuery.queryKey)?.me?.id).toBe(2);
});

test("session: a person who signs in over the ended session of another finds nothing of theirs", async () => {
  const { client, left } = await openTab(1);
  client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, me: null });
  await adoptMe(client, { id: 2 } as Me);
  expect(left()).toEqual([undefined, null]);
});

test("session: the same person finds what they read and typed after it has ended, and after a role has changed", async () => {
  const { client, read, left } = await openTab(1);
  await read(1);
  expect(left()).toEqual(["read before", "Typed before"]);
  client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, me: null });
  await adoptMe(client, { id: 1 } as Me);
  expect(left()).toEqual(["read before", "Typed before"]);
});

test("session: what was typed before the page was loaded again is deleted for another person alone", async () => {
  (await openTab(1)).stop();
  const reloaded = new QueryClient();
  const stop = followPerson(reloaded);
  const sees = (id: number | null) => {
    reloaded.setQueryData(sessionQuery.queryKey, session(id));
    return getItem("session", "draft:note");
  };
  expect(sees(null)).toBe("Typed before");
  expect(sees(1)).toBe("Typed before");
  expect(sees(2)).toBeNull();
  stop();
});
