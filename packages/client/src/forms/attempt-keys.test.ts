import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { MemoryStorage } from "../../test/memory-storage.ts";
import { createStorage } from "../storage.ts";
import { createAttemptKeys } from "./attempt-keys.ts";

beforeEach(() => vi.stubGlobal("sessionStorage", new MemoryStorage()));
afterEach(() => vi.unstubAllGlobals());

const newTab = () => createAttemptKeys(createStorage("test"));

test("attempt keys: a write has the same key until its result is known, also after a reload; another has another", () => {
  const { keyOf, openKey, end } = newTab();
  expect(openKey("two eggs")).toBeNull();
  const first = keyOf("two eggs");
  const second = keyOf("one jam");
  expect(second).not.toBe(first);
  expect([keyOf("two eggs"), newTab().keyOf("two eggs")]).toEqual([first, first]);
  end("one jam");
  expect([openKey("one jam"), openKey("two eggs")]).toEqual([null, first]);
  end("two eggs");
  expect(keyOf("two eggs")).not.toBe(first);
});

test("attempt keys: a tab whose storage is blocked keeps them in memory", () => {
  const blocked = () => {
    throw new Error("blocked");
  };
  vi.stubGlobal("sessionStorage", { getItem: blocked, setItem: blocked, removeItem: blocked });
  const { keyOf, openKey, end } = newTab();
  const key = keyOf("two eggs");
  expect(keyOf("two eggs")).toBe(key);
  end("two eggs");
  expect(openKey("two eggs")).toBeNull();
});

test("attempt keys: another person's tab has none of them", () => {
  const storage = createStorage("test");
  storage.claimSessionStorage(1);
  createAttemptKeys(storage).keyOf("two eggs");
  storage.claimSessionStorage(2);
  expect(createAttemptKeys(storage).openKey("two eggs")).toBeNull();
});
