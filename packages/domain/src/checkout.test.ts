import { expect, test } from "vitest";

import { attemptTransitions, offlineTransitions, paymentTransitions } from "./checkout.ts";
import { openStates, statesBefore } from "./order.ts";

test("attempt: only a held attempt is placed, and a finished one never changes", () => {
  expect(statesBefore(attemptTransitions, "placed")).toStrictEqual(["held"]);
  expect(statesBefore(attemptTransitions, "failed")).toStrictEqual(["held", "challenge"]);
  expect(openStates(attemptTransitions)).toStrictEqual(["held", "challenge"]);
});

test("payment: captured money is never voided, and a payment that ended is only captured as an orphaned charge", () => {
  expect(statesBefore(paymentTransitions, "voided")).toStrictEqual(["created", "challenge", "authorized"]);
  expect(statesBefore(paymentTransitions, "challenge")).toStrictEqual(["created", "challenge"]);
  expect(statesBefore(paymentTransitions, "captured")).not.toContain("captured");
});

test("payment: one that was recorded at the door by mistake is voided, and nothing else follows", () => {
  expect(offlineTransitions).toStrictEqual({ ...paymentTransitions, captured: ["voided"] });
});
