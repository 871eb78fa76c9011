import { expect, test } from "vitest";

import { disputeKind, formatDisputeState, holdsMoney, isDisputeClosed, needsAnswer, supersedes } from "./dispute.ts";

test.each<[status: string, is: { kind: string; closed?: true; holds?: true; answer?: true; state: string }]>([
  ["needs_response", { kind: "chargeback", holds: true, answer: true, state: "open" }],
  ["under_review", { kind: "chargeback", holds: true, state: "open, the bank decides" }],
  ["won", { kind: "chargeback", closed: true, state: "won: the money is back" }],
  ["lost", { kind: "chargeback", closed: true, holds: true, state: "lost: the bank keeps the money" }],
  ["prevented", { kind: "chargeback", closed: true, state: "closed (prevented)" }],
  ["charge_refunded", { kind: "chargeback", closed: true, state: "closed (charge_refunded)" }],
  ["warning_needs_response", { kind: "inquiry", answer: true, state: "open" }],
  ["warning_under_review", { kind: "inquiry", state: "open, the bank decides" }],
  ["warning_closed", { kind: "inquiry", closed: true, state: "closed without a chargeback" }],
  ["fraud_warning", { kind: "fraud warning", answer: true, state: "open" }],
  ["fraud_warning_closed", { kind: "fraud warning", closed: true, state: "over" }],
])(
  "dispute %s: its kind, whether it is over, holds money and needs an answer",
  (status, { kind, closed = false, holds = false, answer = false, state }) => {
    expect([
      disputeKind(status),
      isDisputeClosed(status),
      holdsMoney(status),
      needsAnswer(status),
      formatDisputeState(status),
    ]).toEqual([kind, closed, holds, answer, state]);
  },
);

test("dispute: a later state replaces an earlier one, and of the same instant one that is over stays", () => {
  const [before, after] = [new Date(1_000), new Date(2_000)];
  const open = { status: "needs_response", at: before };
  const won = { status: "won", at: before };
  expect([
    supersedes({ ...open, at: after }, won),
    supersedes(won, { ...open, at: after }),
    supersedes(won, open),
    supersedes(open, won),
    supersedes(open, open),
    supersedes(won, won),
  ]).toEqual([true, false, true, false, true, true]);
});
