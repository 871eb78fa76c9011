import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { endPayment, openPaymentKey, startPayment } from "./open-payment.ts";

beforeEach(() => vi.stubGlobal("sessionStorage", new MemoryStorage()));
afterEach(() => {
  for (const name of ["checkout", "gift-card", "wagon-pass"] as const) endPayment(name);
  vi.unstubAllGlobals();
});

test("open payment: its key is the same for each try until its result is known, then another", () => {
  expect(openPaymentKey("checkout")).toBeNull();
  const key = startPayment("checkout");
  expect(startPayment("checkout")).toBe(key);
  expect(openPaymentKey("checkout")).toBe(key);
  endPayment("checkout");
  expect(openPaymentKey("checkout")).toBeNull();
  expect(startPayment("checkout")).not.toBe(key);
});

test("open payment: an order, a gift card and a pass have a key each, and one that ends leaves the others", () => {
  const keys = [startPayment("checkout"), startPayment("gift-card"), startPayment("wagon-pass")];
  expect(new Set(keys).size).toBe(3);
  endPayment("gift-card");
  expect(openPaymentKey("checkout")).toBe(keys[0]);
  expect(openPaymentKey("gift-card")).toBeNull();
  expect(openPaymentKey("wagon-pass")).toBe(keys[2]);
});

test("open payment: a tab whose storage is blocked keeps the key of its payment in memory", () => {
  const blocked = () => {
    throw new Error("blocked");
  };
  vi.stubGlobal("sessionStorage", { getItem: blocked, setItem: blocked, removeItem: blocked });
  const key = startPayment("checkout");
  expect(startPayment("checkout")).toBe(key);
  endPayment("checkout");
  expect(openPaymentKey("checkout")).toBeNull();
});
