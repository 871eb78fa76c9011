import { beforeEach, expect, test, vi } from "vitest";

import { claimSessionStorage, setItem, getItem } from "./storage.ts";

beforeEach(() => {
  class MemoryStorage {
    getItem(key: string) {
      return (this as Record<string, unknown>)[key] ?? null;
    }
    setItem(key: string, value: string) {
      (this as Record<string, unknown>)[key] = value;
    }
    removeItem(key: string) {
      delete (this as Record<string, unknown>)[key];
    }
  }
  vi.stubGlobal("sessionStorage", new MemoryStorage());
});

const GUEST = "5b6f0f0e-0000-4000-8000-000000000000";

test.each([
  ["another customer", 7, 8],
  ["a guest after a customer", 7, GUEST],
  ["another guest", GUEST, "6b6f0f0e-0000-4000-8000-000000000000"],
])("session storage: %s finds nothing of the person before", { tags: ["fail:M7"] }, (_, before, after) => {
  claimSessionStorage(before);
  setItem("session", "draft:review-1", "Written by another person");
  claimSessionStorage(after);
  expect(getItem("session", "draft:review-1")).toBeNull();
});

test.each([
  ["the same customer", 7, 7],
  ["a guest who signs in", GUEST, 7],
])("session storage: %s keeps what they typed", { tags: ["fail:M7"] }, (_, before, after) => {
  claimSessionStorage(before);
  setItem("session", "draft:review-1", "My own");
  claimSessionStorage(after);
  expect(getItem("session", "draft:review-1")).toBe("My own");
});

test(
  "session storage: an expired session keeps it for the same customer alone",
  { tags: ["fail:M7", "fail:F5"] },
  () => {
    claimSessionStorage(7);
    setItem("session", "draft:review-1", "My own");
    claimSessionStorage(null);
    claimSessionStorage(7);
    expect(getItem("session", "draft:review-1")).toBe("My own");
    claimSessionStorage(null);
    claimSessionStorage(8);
    expect(getItem("session", "draft:review-1")).toBeNull();
  },
);
