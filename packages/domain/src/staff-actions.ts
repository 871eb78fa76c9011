import type { Permission } from "./staff.ts";
import { Minute, Second } from "./time.ts";

/** What a person does in the admin app that is listed among the recent changes (docs/product.md §18). */
export type StaffActionKind = "short" | "cancel_order" | "resend_mail" | "mark_paid";

/** The permission that an action needs, also when it is undone. */
export const STAFF_ACTION_PERMISSION: Readonly<Record<StaffActionKind, Permission>> = {
  short: "orders.adjust",
  cancel_order: "orders.cancel",
  resend_mail: "orders.adjust",
  mark_paid: "orders.adjust",
};

/** How long an action is held before mails and money leave the market, ms; null: it is done at once. */
export const STAFF_ACTION_HOLD_MS: Readonly<Record<StaffActionKind, number | null>> = {
  short: 1 * Minute.ms,
  cancel_order: 10 * Second.ms,
  resend_mail: 10 * Second.ms,
  mark_paid: null,
};

/**
 * "held": done at its time, unless it is undone before. "running": being done. "refused": it was to be done, and could not be.
 */
export const STAFF_ACTION_STATES = ["held", "running", "done", "undone", "refused"] as const;
export type StaffActionState = (typeof STAFF_ACTION_STATES)[number];
