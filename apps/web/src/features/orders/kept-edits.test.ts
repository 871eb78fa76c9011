import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { keepChanges, keptChanges, onKeptChanges } from "./kept-edits.ts";

beforeEach(() => vi.stubGlobal("sessionStorage", new MemoryStorage()));
afterEach(() => {
  keepChanges({});
  vi.unstubAllGlobals();
});

test("order edit: what is not saved is announced when it changes, outlives a reload, and leaves nothing once it is saved", () => {
  const changed = vi.fn();
  const stop = onKeptChanges(changed);
  keepChanges({ "1 7  0": 2 });
  expect(changed).toHaveBeenCalledTimes(1);
  expect(keptChanges()).toEqual({ "1 7  0": 2 });
  expect(sessionStorage.getItem("marketday:order-changes")).toContain('"1 7  0":2');
  stop();
  keepChanges({});
  expect(changed).toHaveBeenCalledTimes(1);
  expect(sessionStorage.getItem("marketday:order-changes")).toBeNull();
});

test("order edit: a tab whose storage is full keeps the changes until it is closed", () => {
  vi.stubGlobal("sessionStorage", {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
    removeItem: () => undefined,
  });
  keepChanges({ "1 7  0": 1 });
  expect(keptChanges()).toEqual({ "1 7  0": 1 });
});
