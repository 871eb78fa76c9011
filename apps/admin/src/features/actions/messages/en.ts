import { type CalendarDate, dateInZone, formatShort } from "@marketday/domain/calendar-date";
import { pluralIn } from "@marketday/domain/message-format";

import { formatOrderNumber } from "../../../lib/order-number.ts";

// What the staff did, and its undo, in English.

const plural = pluralIn("en");
const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const whole = new Intl.NumberFormat("en-US");

/** "$16.24" */
const money = (amount: number): string => dollars.format(amount);
const order = (id: number) => `order ${formatOrderNumber(id)}`;

const refunds = (count: number) => plural(count, { one: "1 refund", other: `${whole.format(count)} refunds` });
const emails = (count: number) => plural(count, { one: "1 email", other: `${whole.format(count)} emails` });
const boxes = (count: number) => plural(count, { one: "1 box", other: `${whole.format(count)} boxes` });
const both = (parts: readonly string[]) => parts.join(" and ");
/** "in 42 s"; when the time is over, "now" */
const soon = (seconds: number) => (seconds > 0 ? `in ${seconds} s` : "now");

// The toast

export const own = "What you just did";
/** "3 refunds and 3 emails send in 42 s"; with no one to pay or write to, "Pasture Eggs settles in 42 s" */
export const heldShort = (refundCount: number, mails: number, title: string, seconds: number): string => {
  const parts = [refundCount > 0 ? refunds(refundCount) : "", mails > 0 ? emails(mails) : ""].filter(Boolean);
  if (parts.length === 0) return `${title} settles ${soon(seconds)}`;
  return `${both(parts)} ${refundCount + mails === 1 ? "sends" : "send"} ${soon(seconds)}`;
};
export const heldCancel = (id: number, seconds: number) =>
  `Order ${formatOrderNumber(id)} is cancelled ${soon(seconds)}`;
export const heldMail = (seconds: number) => `1 email sends ${soon(seconds)}`;
/** Pressing it: "Undo, 3 refunds and 3 emails" is read as the toast's name and this. */
export const undo = "Undo";
export const undoing = "Undoing…";
export const show = "Show";
export const undone = "Undone. Nothing was sent.";
export const paidUndone = "Undone. The money is due again.";
export const sentShort = (refundCount: number, mails: number): string => {
  const parts = [refundCount > 0 ? refunds(refundCount) : "", mails > 0 ? emails(mails) : ""].filter(Boolean);
  return parts.length === 0 ? "Settled" : `Sent: ${both(parts)}`;
};
export const sentCancel = (id: number) => `Order ${formatOrderNumber(id)} is cancelled`;
export const sentMail = "Sent: 1 email";
/** "Order 397 120 862 marked as paid, $31.20", "23 boxes marked as paid, $512.40" */
export const markedPaid = (count: number, orderIds: readonly number[], amount: number) =>
  `${count === 1 && orderIds[0] !== undefined ? `Order ${formatOrderNumber(orderIds[0])}` : boxes(count)} marked as paid, ${money(amount)}`;
export const refused = (problem: string) => `Could not be done: ${problem}`;
/** Done, but for a part that could not be done. */
export const doneExcept = (done: string, problem: string) => `${done}. ${problem}`;
export const more = (count: number) => `and ${count} more`;
export const fewer = "Show only the newest";
/** The undo could not be sent, or its answer was lost. */
export const undoUnknown = "The server didn’t answer. We don’t know whether it was undone.";
/** Announced once, when it is held. */
export const heldAnnouncement = (title: string) => `${title}. You can undo it.`;

// About what

/** "Pasture Eggs, 9 of 12" */
export const aboutShort = (title: string, came: number, of: number) => `${title}, ${came} of ${of}`;
/** "Flora Evans, order 397 120 862"; without a name the order alone */
export const aboutOrder = (name: string, id: number) => (name === "" ? order(id) : `${name}, ${order(id)}`);

// Emails

/** The names of emails by template. */
export const mails: Readonly<Record<string, string>> = {
  "order-confirmation": "Order confirmation",
  "order-charged": "Receipt",
  "order-changed": "Your order changed",
  "order-called-off": "Order cancelled",
  "order-moved": "New delivery day",
  "order-refunded": "Refund",
  "order-short": "An item is missing",
  "not-charged": "Card not charged",
  "hold-lost": "Card declined",
  "charge-returned": "Charge returned",
  "refund-failed": "Refund failed",
  "payment-limit": "Card limit",
  "pickup-point-changed": "New pickup point",
  "auto-checkout-soon": "Auto-checkout is near",
  "auto-checkout-short": "Auto-checkout left something out",
  "auto-checkout-failed": "Auto-checkout failed",
  "credit-granted": "Store credit",
  "problem-received": "Problem received",
};

// Recent changes

export const title = "Recent changes";
export const intro =
  "What people did here in the last day. Emails and money are held for a moment, and can be undone until then.";
export const list = "Changes of the last day";
export const loading = "the recent changes";
export const failed = "The recent changes didn’t load.";
export const tryAgain = "Try again";
export const empty = "Nothing was changed in the last day.";
export const emptyHint = "Shorts, cancelled orders, emails sent again and money at the door are listed here.";
export const you = "You";
/** "You settled Pasture Eggs, 9 of 12" */
export const didShort = (title: string, came: number, of: number) => `settled ${aboutShort(title, came, of)}`;
export const didCancel = (name: string, id: number) =>
  `cancelled ${name === "" ? order(id) : `${name}’s ${order(id)}`}`;
export const didResend = (template: string, name: string, id: number) =>
  `sent the email “${mails[template] ?? template}” again for ${name === "" ? order(id) : `${name}’s ${order(id)}`}`;
export const didMarkPaid = (count: number, orderIds: readonly number[], amount: number) =>
  `marked ${count === 1 && orderIds[0] !== undefined ? order(orderIds[0]) : boxes(count)} as paid, ${money(amount)}`;
/** What moves with it: "$16.24 back, 3 emails" */
export const effects = (back: number, mails: number): string =>
  [back > 0 ? `${money(back)} back` : "", mails > 0 ? emails(mails) : ""].filter(Boolean).join(", ");
/** "Carmel, Thu, Nov 26" */
export const place = (market: string, day: CalendarDate, today: CalendarDate) =>
  `${market}, ${formatShort(day, today)}`;
/** "2:15 PM" on the same day, else "Nov 26, 2:15 PM" */
export function time(instant: Date, zone: string, now: Date): string {
  const isToday = dateInZone(instant, zone) === dateInZone(now, zone);
  return instant.toLocaleString("en-US", {
    timeZone: zone,
    hour: "numeric",
    minute: "2-digit",
    ...(!isToday && { month: "short", day: "numeric" }),
  });
}
export const states = {
  held: "Held",
  running: "Sending",
  done: "Done",
  undone: "Undone",
  refused: "Not done",
} as const;
export const undoOf = (what: string) => `Undo: ${what}`;
export const undoLast = "Undo what you did last";
