import { ROLE_PERMISSIONS } from "@marketday/domain/staff";
import { expect, test } from "vitest";

import { screenPermission } from "./words.ts";

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
