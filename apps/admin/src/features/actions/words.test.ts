import { ROLE_PERMISSIONS } from "@marketday/domain/staff";
import { expect, test } from "vitest";

import { doneWords, screenPermission } from "./words.ts";

test.each([
  ["grant_credit", "bookkeeper", false],
  ["add_customer_note", "auditor", false],
  ["skip_delivery", "support", true],
  ["inbox_reply", "bookkeeper", false],
  ["inbox_close", "depot_lead", false],
  ["inbox_reply", "support", true],
  ["moderate", "editor", true],
  ["moderate", "auditor", false],
  ["refund_order", "bookkeeper", true],
  ["bulk_message", "auditor", true],
  ["short", "auditor", false],
  ["mark_paid", "depot_lead", true],
] as const)("recent changes: whether %s is a link for a %s: %s", (kind, role, isLink) => {
  expect(ROLE_PERMISSIONS[role].includes(screenPermission(kind))).toBe(isLink);
});

test.each([
  [0, "Undone. They go where they went before."],
  [17.9, "Undone. They go where they went before. The $17.90 delivery stays off."],
])("recent changes: a move of boxes that took %d of fees off, once it is undone, says %j", (feeOff, words) => {
  const summary = { kind: "bulk_place" as const, orderIds: [1, 2], place: "Lakeside Barn", feeOff };
  expect(doneWords({ summary, state: "undone", problem: null })).toBe(words);
});
