import { beforeEach, expect, test, vi } from "vitest";

import { MemoryStorage } from "../test/memory-storage.ts";
import { createStorage } from "./storage.ts";

const DATABASE = "shop-photos";
const { claimSessionStorage, getItem, removeAll, setItem } = createStorage("shop", { database: DATABASE });

beforeEach(() => {
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

test(
  "session storage: after a guest signed in, the next guest finds nothing of the customer",
  { tags: ["fail:M7"] },
  () => {
    claimSessionStorage(GUEST);
    claimSessionStorage(7);
    setItem("session", "draft:review-1", "My own");
    claimSessionStorage(GUEST);
    expect(getItem("session", "draft:review-1")).toBeNull();
  },
);

test("storage: removing everything takes the photos too, and leaves what another program of the same address keeps", () => {
  const deleteDatabase = vi.fn();
  vi.stubGlobal("indexedDB", { deleteDatabase });
  setItem("session", "draft:review-1", "My own");
  sessionStorage.setItem("other", "kept");
  removeAll("session");
  expect(getItem("session", "draft:review-1")).toBeNull();
  expect(sessionStorage.getItem("other")).toBe("kept");
  expect(deleteDatabase).toHaveBeenCalledExactlyOnceWith(DATABASE);
});

test("storage: what one app keeps, another app of the same address neither reads nor removes", () => {
  const admin = createStorage("shop-admin");
  admin.setItem("session", "draft:note", "Call the farm");
  setItem("session", "draft:note", "Two eggs were broken");
  expect(admin.getItem("session", "draft:note")).toBe("Call the farm");
  admin.claimSessionStorage(7);
  admin.claimSessionStorage(8);
  expect(admin.getItem("session", "draft:note")).toBeNull();
  expect(getItem("session", "draft:note")).toBe("Two eggs were broken");
});
