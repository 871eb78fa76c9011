import { expect, test } from "vitest";

import { isDelivered, lastAnswerAt } from "./sent-answer.ts";

const at = (minute: number) => `2026-11-26T10:0${minute}:00.000Z`;
const before = [
  { from: "sender" as const, at: at(0), text: "Are they large?" },
  { from: "market" as const, at: at(1), text: "Thanks!" },
  { from: "sender" as const, at: at(2), text: "And fresh?" },
];

test("answer: text that passes through an older answer while it is typed stays in the box", () => {
  expect(isDelivered(before, null, "Thanks!")).toBe(false);
  expect(isDelivered(before, { text: "Thanks! They are.", after: at(1) }, "Thanks!")).toBe(false);
});

test("answer: one that was sent leaves the box once it is in the conversation, also when it repeats an older one", () => {
  const sent = { text: "Thanks!", after: lastAnswerAt(before) };
  expect(sent.after).toBe(at(1));
  expect(isDelivered(before, sent, "Thanks!")).toBe(false);
  expect(isDelivered([...before, { from: "market", at: at(3), text: "Thanks!" }], sent, "Thanks! ")).toBe(true);
  expect(isDelivered([...before, { from: "market", at: at(3), text: "Thanks!" }], sent, "Thanks! Bye")).toBe(false);
});

test("answer: the first one of an item leaves the box once it is in the conversation", () => {
  const sent = { text: "Most are.", after: lastAnswerAt(before.slice(0, 1)) };
  expect(sent.after).toBeNull();
  expect(isDelivered([...before, { from: "market", at: at(3), text: "Most are." }], sent, "Most are.")).toBe(true);
});
