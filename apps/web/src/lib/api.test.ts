import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/calls";
import { afterEach, expect, test, vi } from "vitest";

import { call, orCartFull } from "./api.ts";

afterEach(() => vi.unstubAllGlobals());

const answer = (body: string, init?: ResponseInit) => vi.stubGlobal("fetch", async () => new Response(body, init));

test("request: a change of the account is announced to other tabs once it has succeeded, a refused one and a read are not", async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { setItem: (key: string, value: string) => kept.set(key, value) });
  answer('["No.",{"code":"invalid"}]', { status: 422 });
  await call(calls.putProfile, { body: {} }).catch(() => null);
  answer("{}");
  await call(calls.getProfile);
  expect(kept.size).toBe(0);
  await call(calls.putProfile, { body: {} });
  expect([...kept.keys()]).toEqual(["marketday:session-news"]);
});

test("request: that the session expired is announced to other tabs and frames, another refusal is not", async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { setItem: (key: string, value: string) => kept.set(key, value) });
  answer('["Please login to continue.",{"code":"login_required"}]', { status: 401 });
  await call(calls.getProfile).catch(() => null);
  expect(kept.size).toBe(0);
  answer('["Your session has expired.",{"code":"session_expired"}]', { status: 401 });
  await call(calls.getProfile).catch(() => null);
  expect(kept.get("marketday:session-news")).toContain('"expired"');
});

test("subscription: a full cart is named in the server's words, any other failure in the screen's", () => {
  const words = orCartFull("Error subscribing");
  expect(words(new ApiError("Your cart is full.", { status: 409, details: { code: "cart_full" } }))).toBe(
    "Your cart is full.",
  );
  expect(words(new ApiError("No.", { status: 409, details: { code: "sold_out" } }))).toBe("Error subscribing");
});
