import { describe, expect, test } from "vitest";

import { hearFrame, ignoredFrameMessages } from "./frame-messages.ts";

const frame = { name: "our frame" };
const own = { origin: "https://market.example", source: () => frame };
const hear = (data: unknown, { origin = own.origin, source = frame }: { origin?: string; source?: unknown } = {}) =>
  hearFrame({ origin, source: source as MessageEventSource, data }, own);

describe("messages of the checkout frame", () => {
  test.each([
    ["close-without-refresh", { kind: "close-without-refresh" }],
    ["close-with-refresh", { kind: "close-with-refresh" }],
    ["customer-logged-in", { kind: "customer-logged-in" }],
    [123_456_789, { kind: "order", orderId: 123_456_789 }],
    ["123456789", { kind: "order", orderId: 123_456_789 }],
  ])("%j is parsed", { tags: ["spec:4-34", "spec:4-36", "spec:4-37"] }, (data, message) => {
    expect(hear(data)).toEqual(message);
  });

  test("another origin is ignored and counted", { tags: ["fail:H9"] }, () => {
    const before = ignoredFrameMessages();
    for (const origin of ["https://evil.example", "null", "https://market.example.evil", "http://market.example"])
      expect(hear("customer-logged-in", { origin })).toBeNull();
    expect(ignoredFrameMessages()).toBe(before + 4);
  });

  test("another window of our own origin is ignored", { tags: ["fail:H10"] }, () => {
    expect(hear(42, { source: { name: "an ad in the frame" } })).toBeNull();
    expect(
      hearFrame({ origin: own.origin, source: null, data: 42 }, { origin: own.origin, source: () => null }),
    ).toBeNull();
  });

  test.each([
    {},
    "1e3",
    -1,
    1.5,
    0,
    "99<script>",
    "0123",
    null,
    undefined,
    ["42"],
    "9".repeat(17),
    "x".repeat(10_000_000),
  ])("bad data is ignored", { tags: ["fail:H11"] }, (data) => {
    expect(hear(data)).toBeNull();
  });
});
