import { ApiError } from "@marketday/client/transport.ts";
import { describe, expect, test, vi } from "vitest";

import { isKeyTaken, mayHavePaid, sendUntilKnown } from "./place.ts";

const placed = { orderId: 123_456_789, orderIds: [123_456_789] };
const lost = () => new ApiError("no network");
const refusal = (status: number, code: string, retryAfter?: number) =>
  new ApiError("no", { status, details: { code }, ...(retryAfter === undefined ? {} : { retryAfter }) });

/** Answers in turn; the last one for ever. */
const answering = (
  ...answers: (typeof placed | { challenge: { attemptId: string; clientSecret: string } } | ApiError)[]
) => {
  let turn = 0;
  return vi.fn(async () => {
    const answer = answers[Math.min(turn, answers.length - 1)]!;
    turn += 1;
    if (answer instanceof ApiError) throw answer;
    return answer;
  });
};

const patient = () => {
  const waits: number[] = [];
  return { waits, options: { wait: async (ms: number) => void waits.push(ms) } };
};

describe("one attempt to pay", () => {
  test("placed at once", async () => {
    const send = answering(placed);
    expect(await sendUntilKnown(send)).toEqual({ kind: "placed", orderId: 123_456_789 });
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("the bank's question is handed on", async () => {
    const send = answering({ challenge: { attemptId: "a", clientSecret: "s" } });
    expect(await sendUntilKnown(send)).toEqual({ kind: "challenge", attemptId: "a", clientSecret: "s" });
  });

  test("a lost response is requested again", { tags: ["fail:B2"] }, async () => {
    const { waits, options } = patient();
    const send = answering(lost(), lost(), placed);
    expect(await sendUntilKnown(send, options)).toEqual({ kind: "placed", orderId: 123_456_789 });
    expect(waits).toEqual([1000, 2000]);
  });

  test("a network that stays away leaves the end unknown", async () => {
    const { waits, options } = patient();
    const send = answering(lost());
    expect(await sendUntilKnown(send, options)).toMatchObject({ kind: "unknown" });
    expect(send).toHaveBeenCalledTimes(4);
    expect(waits).toEqual([1000, 2000, 4000]);
  });

  test("while it still runs the server says when to ask", { tags: ["fail:B3"] }, async () => {
    const { waits, options } = patient();
    const send = answering(refusal(409, "still_running", 1), refusal(409, "still_running", 3), placed);
    expect(await sendUntilKnown(send, options)).toMatchObject({ kind: "placed" });
    expect(waits).toEqual([1000, 3000]);
  });

  test("payment: answers that it still runs use up no try of a lost connection", { tags: ["fail:B3"] }, async () => {
    const { waits, options } = patient();
    const running = refusal(409, "still_running", 1);
    const send = answering(running, running, running, running, lost(), lost(), lost(), placed);
    expect(await sendUntilKnown(send, options)).toEqual({ kind: "placed", orderId: 123_456_789 });
    expect(waits).toEqual([1000, 1000, 1000, 1000, 1000, 2000, 4000]);
  });

  test("a crash at the server is unknown, payments that are down are not", async () => {
    const { options } = patient();
    expect(await sendUntilKnown(answering(refusal(500, "internal")), options)).toMatchObject({ kind: "unknown" });
    const down = answering(refusal(503, "payments_down", 5));
    expect(await sendUntilKnown(down, options)).toMatchObject({ kind: "refused" });
    expect(down).toHaveBeenCalledTimes(1);
  });

  test.each([
    [402, "card_declined"],
    [409, "total_changed"],
    [409, "sold_out"],
    [409, "cart_empty"],
    [401, "session_expired"],
    [422, "outside_hub"],
    [429, "rate_limited"],
  ])("%i %s ends it", async (status, code) => {
    const send = answering(refusal(status, code));
    expect(await sendUntilKnown(send)).toMatchObject({ kind: "refused", error: { code } });
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe("a payment's key", () => {
  test.each([
    [402, "card_declined", false],
    [409, "total_changed", false],
    [422, "outside_hub", false],
    [401, "session_expired", true],
    [429, "rate_limited", true],
    [500, "internal", true],
    [503, "payments_down", true],
    [409, "still_running", true],
    [422, "key_reused", true],
    [404, "no_attempt", true],
  ])("after %i %s: kept %s", (status, code, isKept) => {
    expect(mayHavePaid(refusal(status, code))).toBe(isKept);
  });

  test("is kept after a lost response", () => {
    expect(mayHavePaid(lost())).toBe(true);
  });
});

test(
  "payment: one that still runs is looked up 60 times more, then its end is unknown",
  { tags: ["fail:B3"] },
  async () => {
    const { waits, options } = patient();
    const send = answering(refusal(409, "still_running", 1));
    expect(await sendUntilKnown(send, options)).toMatchObject({ kind: "unknown" });
    expect(send).toHaveBeenCalledTimes(61);
    expect(waits).toHaveLength(60);
  },
);

test("payment: it is shown as slow once a response is missing, not before", async () => {
  const { options } = patient();
  const onWaiting = vi.fn();
  await sendUntilKnown(answering(placed), { ...options, onWaiting });
  expect(onWaiting).not.toHaveBeenCalled();
  await sendUntilKnown(answering(lost(), placed), { ...options, onWaiting });
  expect(onWaiting).toHaveBeenCalledTimes(1);
});

test("payment: a fault of the page is no outcome of the payment", async () => {
  await expect(sendUntilKnown(() => Promise.reject(new RangeError("broken")))).rejects.toThrow("broken");
});

test.each([
  [422, "key_reused", true],
  [409, "still_running", true],
  [404, "no_attempt", false],
  [402, "card_declined", false],
])("payment: after %i %s an earlier request with the key is looked up: %s", (status, code, isTaken) => {
  expect(isKeyTaken(refusal(status, code))).toBe(isTaken);
});
