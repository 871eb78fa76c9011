import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import { ApiError } from "@marketday/client/transport.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { endPayment, openPaymentKey, startPayment } from "../../lib/open-payment.ts";
import { getItem, setItem } from "../../lib/storage.ts";
import { CHECKOUT_DRAFT, findOpenOrder, settleOrder } from "./open-order.ts";

beforeEach(() => {
  vi.stubGlobal("sessionStorage", new MemoryStorage());
  vi.stubGlobal("localStorage", new MemoryStorage());
});
afterEach(() => {
  endPayment("checkout");
  vi.unstubAllGlobals();
});

const refused = (status: number, code: string) =>
  ({ kind: "refused", error: new ApiError("no", { status, details: { code } }) }) as const;

test.each([
  ["a placed order", { kind: "placed", orderId: 7 } as const, false, false],
  ["a declined card", refused(402, "card_declined"), false, true],
  ["payments that are down", refused(503, "payments_down"), true, true],
  ["an ended session", refused(401, "session_expired"), true, true],
  ["the bank's question", { kind: "challenge", attemptId: "a", clientSecret: "s" } as const, true, true],
  ["a lost response", { kind: "unknown", error: new ApiError("no network") } as const, true, true],
])(
  "checkout: after %s the payment's key and what was typed are kept as long as they are needed",
  (_, outcome, hasKey, hasDraft) => {
    startPayment("checkout");
    setItem("session", CHECKOUT_DRAFT, { notes: "By the gate" });
    settleOrder(outcome);
    expect(openPaymentKey("checkout") !== null).toBe(hasKey);
    expect(getItem("session", CHECKOUT_DRAFT) !== null).toBe(hasDraft);
  },
);

test("checkout: the result of a payment is looked up by its key, and only where one is open", async () => {
  const answers = [
    Response.json({ orderId: 7, orderIds: [7] }),
    Response.json(["No.", { code: "no_attempt" }], { status: 404 }),
    Response.json(["Declined.", { code: "card_declined" }], { status: 402 }),
  ];
  const fetched = vi.fn(async (_url: string, _request: RequestInit) => answers.shift());
  vi.stubGlobal("fetch", fetched);
  expect(await findOpenOrder()).toBeNull();
  expect(fetched).not.toHaveBeenCalled();
  const key = startPayment("checkout");
  expect(await findOpenOrder()).toEqual({ kind: "placed", orderId: 7 });
  expect(fetched.mock.calls[0]).toMatchObject(["/api/checkout/resume", { body: JSON.stringify({ key }) }]);
  expect(await findOpenOrder()).toBeNull();
  expect(await findOpenOrder()).toMatchObject({ kind: "refused", error: { code: "card_declined" } });
});
