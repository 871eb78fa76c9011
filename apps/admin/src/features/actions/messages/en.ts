import { type CalendarDate, calendarDate, dateInZone, formatShort } from "@marketday/domain/calendar-date";
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

// On a person

const person = (name: string) => (name === "" ? "a person" : name);
/** "Thu, Nov 26": the day is near the present one, so its year is left out. */
const day = (date: string) => formatShort(calendarDate(date), calendarDate(date));
export const gaveCredit = (amount: number) => `${money(amount)} of credit given`;
export const skippedDay = (date: string, isSkipped: boolean) =>
  isSkipped ? `${day(date)} is skipped` : `${day(date)} comes after all`;
const autoCheckouts = {
  off: "Auto-checkout is off",
  cart: "Auto-checkout orders the cart",
  subscriptions: "Auto-checkout orders the subscriptions",
} as const;
export const setAutoCheckout = (to: keyof typeof autoCheckouts) => autoCheckouts[to];
export const addedNote = "Note added";
export const removedNote = "Note removed";
const customersUndone: Readonly<Record<string, string>> = {
  grant_credit: "Undone. The credit is taken back.",
  skip_delivery: "Undone. The day is as it was.",
  set_auto_checkout: "Undone. Auto-checkout is as it was.",
  add_customer_note: "Undone. The note is removed.",
  remove_customer_note: "Undone. The note is there again.",
};
export const customerUndone = (kind: string) => customersUndone[kind] ?? "Undone.";
export const didGrantCredit = (name: string, amount: number) => `gave ${person(name)} ${money(amount)} of credit`;
export const didSkip = (name: string, date: string, isSkipped: boolean) =>
  isSkipped ? `skipped ${day(date)} for ${person(name)}` : `took back the skip of ${day(date)} for ${person(name)}`;
export const didSetAutoCheckout = (name: string, to: keyof typeof autoCheckouts) =>
  to === "off" ? `paused the automatic orders of ${person(name)}` : `resumed the automatic orders of ${person(name)}`;
export const didAddNote = (name: string) => `added a note on ${person(name)}`;
export const didRemoveNote = (name: string) => `removed a note on ${person(name)}`;

// Emails

/** The names of emails by template. */
export const mails: Readonly<Record<string, string>> = {
  "order-confirmation": "Order confirmation",
  "order-charged": "Receipt",
  "order-changed": "Your order changed",
  "order-called-off": "Order cancelled",
  "order-message": "Message from the market",
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
export const emptyHint =
  "Shorts, refunds, notes, moved and cancelled orders, emails and money at the door are listed here.";
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

// Many orders at once

/** "Order 397 120 862", "23 orders" */
const orders = (ids: readonly number[]) =>
  ids.length === 1 && ids[0] !== undefined
    ? `Order ${formatOrderNumber(ids[0])}`
    : plural(ids.length, { one: "1 order", other: `${whole.format(ids.length)} orders` });
/** The same within a sentence. */
const someOrders = (ids: readonly number[]) => orders(ids).replace(/^Order/, "order");
const are = (ids: readonly number[]) => (ids.length === 1 ? "is" : "are");
const people = (count: number) => plural(count, { one: "1 person", other: `${whole.format(count)} people` });
/** "23 orders are cancelled in 8 s, $412.10 back, 23 emails" */
export const heldBulkCancel = (ids: readonly number[], back: number, mails: number, seconds: number) =>
  [`${orders(ids)} ${are(ids)} cancelled ${soon(seconds)}`, effects(back, mails)].filter(Boolean).join(", ");
export const heldBulkCharge = (ids: readonly number[], amount: number, seconds: number) =>
  `${orders(ids)} ${are(ids)} charged ${soon(seconds)}, ${money(amount)}`;
export const heldBulkMessage = (count: number, seconds: number) =>
  `${emails(count)} ${count === 1 ? "sends" : "send"} ${soon(seconds)}`;
export const delivered = (ids: readonly number[]) => `${orders(ids)} marked as delivered`;
export const deliveredUndone = "Undone. They are not delivered yet.";
export const sentBulkCancel = (ids: readonly number[]) => `${orders(ids)} cancelled`;
export const sentBulkCharge = (ids: readonly number[]) => `${orders(ids)} charged`;
export const sentBulkMessage = (count: number) => `Sent: ${emails(count)}`;
export const didBulkCancel = (ids: readonly number[]) => `cancelled ${someOrders(ids)}`;
export const didBulkCharge = (ids: readonly number[], amount: number) =>
  `charged ${someOrders(ids)} again, ${money(amount)}`;
export const didBulkMessage = (count: number, subject: string) => `wrote to ${people(count)}: “${subject}”`;
/** "3 orders go to Lakeside Barn, $26.85 delivery taken off" */
export const placesChanged = (ids: readonly number[], place: string, feeOff: number) =>
  `${orders(ids)} ${ids.length === 1 ? "goes" : "go"} to ${place}${feeOff > 0 ? `, ${money(feeOff)} delivery taken off` : ""}`;
export const placesUndone = (feeOff: number) =>
  `Undone. They go where they went before.${feeOff > 0 ? ` The ${money(feeOff)} delivery stays off.` : ""}`;
export const didBulkPlace = (ids: readonly number[], place: string) => `sent ${someOrders(ids)} to ${place}`;
export const didDeliver = (ids: readonly number[]) => `marked ${someOrders(ids)} as delivered`;

// One order

const owned = (name: string, id: number) => (name === "" ? order(id) : `${name}’s ${order(id)}`);

/** "Refund $7.94 sends in 8 s" */
export const heldRefund = (amount: number, seconds: number) => `Refund ${money(amount)} sends ${soon(seconds)}`;
export const heldShortOrder = (back: number, title: string, seconds: number) =>
  back > 0 ? `Refund ${money(back)} for ${title} sends ${soon(seconds)}` : `${title} is taken off ${soon(seconds)}`;
export const heldMove = (id: number, to: string, seconds: number) =>
  `Order ${formatOrderNumber(id)} moves to ${day(to)} ${soon(seconds)}`;
export const sentRefund = (amount: number, to: "card" | "credit") =>
  to === "card" ? `Sent: refund ${money(amount)}` : `${money(amount)} given as store credit`;
export const sentShortOrder = (units: number, title: string, back: number) =>
  `${units} × ${title} taken off${back > 0 ? `, refund ${money(back)}` : ""}`;
export const sentMove = (id: number, to: string) => `Order ${formatOrderNumber(id)} moved to ${day(to)}`;
/** "Order 397 120 862 goes to Lakeside Barn, $8.95 delivery taken off" */
export const placeChanged = (id: number, place: string, feeOff: number) =>
  `Order ${formatOrderNumber(id)} goes to ${place}${feeOff > 0 ? `, ${money(feeOff)} delivery taken off` : ""}`;
export const placeUndone = "Undone. It goes where it went before.";
export const noteUndone = "Undone. The notes are as before.";
export const noteWritten = { added: "Note added", edited: "Note changed", removed: "Note removed" };
export const didRefund = (amount: number, name: string, id: number) =>
  `refunded ${money(amount)} of ${owned(name, id)}`;
export const didShortOrder = (units: number, title: string, name: string, id: number) =>
  `took ${units} × ${title} off ${owned(name, id)}`;
export const didMove = (name: string, id: number, to: string) => `moved ${owned(name, id)} to ${day(to)}`;
export const didSendNote = (name: string, id: number) => `sent the note for ${owned(name, id)} by email`;
export const didChangePlace = (name: string, id: number, to: string) => `sent ${owned(name, id)} to ${to}`;
export const didWriteNote = {
  added: (name: string, id: number) => `added a note to ${owned(name, id)}`,
  edited: (name: string, id: number) => `changed a note of ${owned(name, id)}`,
  removed: (name: string, id: number) => `removed a note of ${owned(name, id)}`,
};
// The inbox

export const items = {
  message: "message",
  question: "question",
  review: "review",
  endorsement: "endorsement",
  problem: "problem report",
  contact: "contact form",
  application: "application",
  answer: "answer",
} as const;
const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
const ofPerson = (item: string, name: string) => (name === "" ? `the ${item}` : `${name}’s ${item}`);
export const heldReply = (name: string, seconds: number) =>
  `Your answer${name === "" ? "" : ` to ${name}`} sends ${soon(seconds)}`;
export const sentReply = (name: string, isPublic: boolean) =>
  `Answered${name === "" ? "" : ` ${name}`}${isPublic ? ", on the product page" : ""}`;
export const closed = (item: string, isClosed: boolean) => `${capital(item)} ${isClosed ? "closed" : "open again"}`;
export const moderated = (item: string, isHidden: boolean) => `${capital(item)} ${isHidden ? "hidden" : "shown again"}`;
export const undoneHere = "Undone. It is as it was before.";
export const aboutItem = (item: string, name: string) => capital(ofPerson(item, name));
export const didReply = (item: string, name: string) => `answered ${ofPerson(item, name)}`;
export const didClose = (item: string, name: string, isClosed: boolean) =>
  `${isClosed ? "closed" : "opened"} ${ofPerson(item, name)}${isClosed ? "" : " again"}`;
export const didModerate = (item: string, name: string, isHidden: boolean) =>
  isHidden ? `hid ${ofPerson(item, name)}` : `showed ${ofPerson(item, name)} again`;

// Products
type Edit = { title: string; field: string | null; from: string; to: string; cells: number; offers: number };
const fieldNames: Readonly<Record<string, string>> = {
  price: "price",
  sale_price: "sale price",
  inventory: "stock",
  weekly_inventory: "refill",
  offered: "offered",
  unit: "unit",
  title: "title",
  storage: "storage",
  tags: "tags",
  published: "shown in the shop",
};
const editCells = (cells: number) => plural(cells, { one: "1 cell", other: `${cells.toLocaleString("en-US")} cells` });
const editOffers = (offers: number) =>
  plural(offers, { one: "1 offer", other: `${offers.toLocaleString("en-US")} offers` });
/** "price 7.00 → 7.50" */
const editValue = ({ field, from, to }: Edit) =>
  `${fieldNames[field ?? ""] ?? field} ${from || "none"} → ${to || "none"}`;
export const editedOffers = (cells: number, offers: number) => `Saved ${editCells(cells)} of ${editOffers(offers)}`;
export const offersUndone = "Undone. The products are as they were.";
export const aboutEdit = (edit: Edit) =>
  edit.cells === 1 ? `${edit.title}, ${editValue(edit)}` : edit.offers === 1 ? edit.title : `${edit.title} and others`;
export const didEditOffers = (edit: Edit) =>
  edit.cells === 1
    ? `changed ${edit.title}: ${editValue(edit)}`
    : edit.offers === 1
      ? `changed ${editCells(edit.cells)} of ${edit.title}`
      : `changed ${editCells(edit.cells)} of ${editOffers(edit.offers)}, ${edit.title} and others`;
