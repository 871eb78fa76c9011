import type { Permission } from "./staff.ts";
import { Day, Minute, Second } from "./time.ts";

/** What a person does in the admin app that is listed among the recent changes (docs/product.md §18). */
export type StaffActionKind =
  | "short"
  | "cancel_order"
  | "resend_mail"
  | "mark_paid"
  | "grant_credit"
  | "skip_delivery"
  | "set_auto_checkout"
  | "add_customer_note"
  | "remove_customer_note"
  // On many orders at once.
  | "bulk_cancel"
  | "bulk_charge"
  | "bulk_message"
  | "bulk_deliver"
  | "bulk_place"
  // One order (docs/product.md §18).
  | "change_place"
  | "refund_order"
  | "short_order"
  | "move_order"
  | "write_note"
  | "send_note"
  | "inbox_reply"
  | "inbox_close"
  | "moderate"
  // Cells of the grid of products.
  | "edit_offers";

/** The permission that an action needs, also when it is undone. */
export const STAFF_ACTION_PERMISSION: Readonly<Record<StaffActionKind, Permission>> = {
  short: "orders.adjust",
  cancel_order: "orders.cancel",
  resend_mail: "orders.adjust",
  mark_paid: "orders.adjust",
  grant_credit: "credit.grant",
  skip_delivery: "orders.adjust",
  set_auto_checkout: "orders.adjust",
  add_customer_note: "people.read",
  remove_customer_note: "people.read",
  bulk_cancel: "orders.cancel",
  bulk_charge: "orders.refund",
  bulk_message: "inbox.reply",
  bulk_deliver: "orders.adjust",
  bulk_place: "orders.adjust",
  change_place: "orders.adjust",
  refund_order: "orders.refund",
  short_order: "orders.adjust",
  move_order: "orders.adjust",
  write_note: "orders.adjust",
  send_note: "orders.adjust",
  inbox_reply: "inbox.reply",
  inbox_close: "inbox.reply",
  moderate: "moderation.write",
  edit_offers: "catalogue.write",
};

/** How long an action is held before mails and money leave the market, ms; null: it is done at once. */
export const STAFF_ACTION_HOLD_MS: Readonly<Record<StaffActionKind, number | null>> = {
  short: 1 * Minute.ms,
  cancel_order: 10 * Second.ms,
  resend_mail: 10 * Second.ms,
  mark_paid: null,
  grant_credit: null,
  skip_delivery: null,
  set_auto_checkout: null,
  add_customer_note: null,
  remove_customer_note: null,
  bulk_cancel: 10 * Second.ms,
  bulk_charge: 10 * Second.ms,
  bulk_message: 10 * Second.ms,
  bulk_deliver: null,
  bulk_place: null,
  change_place: null,
  refund_order: 10 * Second.ms,
  short_order: 10 * Second.ms,
  move_order: 10 * Second.ms,
  write_note: null,
  send_note: 10 * Second.ms,
  inbox_reply: 10 * Second.ms,
  inbox_close: null,
  moderate: null,
  edit_offers: null,
};

/**
 * "held": done at its time, unless it is undone before. "running": being done. "refused": it was to be done, and could not be.
 */
export const STAFF_ACTION_STATES = ["held", "running", "done", "undone", "refused"] as const;
export type StaffActionState = (typeof STAFF_ACTION_STATES)[number];

/** How long after it was done an action can be undone, from the audit log too. Its row is kept longer. */
export const STAFF_ACTION_UNDO_MS = 30 * Day.ms;
