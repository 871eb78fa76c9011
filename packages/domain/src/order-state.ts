/** What the state of an order means to its customer: what they may do, the spec's word, and sentences (docs/product.md §8 "States in words"). */

import { calendarDate, type CalendarDate, dateInZone, formatLong, formatWeekday } from "./calendar-date.ts";
import { formatChangeBy, formatOrderBy, type OrderStatus } from "./order.ts";
import { isBefore } from "./time.ts";

/** What a shopper reads: Open, Delivered, Cancelled, and Pending for anything else (spec §4). */
export function statusLabel(status: string): "Open" | "Delivered" | "Cancelled" | "Pending" {
  if (status === "open") return "Open";
  if (status === "closed") return "Delivered";
  if (status === "cancelled") return "Cancelled";
  return "Pending";
}

/** Under which heading an order is listed: open and pending, closed, or future ones (spec §2.4 Order details). */
export function orderGroup(status: string): "open" | "completed" | "future" {
  if (status === "closed" || status === "cancelled") return "completed";
  return status === "future" ? "future" : "open";
}

/** Open orders and pre-orders can be lowered and canceled before their cutoff (spec §2.4, failures C17, `docs/product.md` §17). */
export function canEdit(status: string, cutoff: Date, now: Date): boolean {
  return (status === "open" || status === "future") && isBefore(now, cutoff);
}

/** "Arrives Thursday, November 26": past the cutoff, or pending (spec §2.4). */
export function formatArrives(deliveryDate: CalendarDate, today: CalendarDate): string {
  return `Arrives ${formatLong(deliveryDate, today)}`;
}

/** Whether a value is an order's id as the frame sends it: a positive integer, or its digits (failures H11). */
export function isNumericOrderId(value: unknown): value is number | string {
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0;
  return typeof value === "string" && /^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value));
}

/**
 * Why an order is not paid as agreed. `bank`: the customer's bank needs them to confirm the payment. `card`: the bank no longer
 * holds the money, or the card could not be charged.
 */
export const PAYMENT_PROBLEMS = ["bank", "card"] as const;
type PaymentProblem = (typeof PAYMENT_PROBLEMS)[number];

/** How much of a box is packed: an order that could not be charged is not, where its hub packs no unpaid orders. */
export const PACKED = ["all", "part", "none"] as const;

export interface OrderState {
  status: OrderStatus;
  type: "delivery" | "pickup";
  /** `YYYY-MM-DD` */
  deliveryDate: string;
  cutoff: Date;
  /** IANA zone of the market. */
  timeZone: string;
  /** The pickup point's name; null for home delivery. */
  pickupPoint: string | null;
  paymentProblem: PaymentProblem | null;
  packed: (typeof PACKED)[number];
  /** Paid when it is handed over. */
  isPaidAtDoor: boolean;
  /** What did not come: "2 × Duck Eggs". */
  missing: readonly string[];
  /** "$4.50" of its refunds: returned, on their way, given back by hand, and those that its card did not take; null: nothing. */
  refunds: { done: string | null; underway: string | null; byHand: string | null; failed: string | null };
  /** "$0.37" that the market bears because it is too small for a card; null: nothing. */
  waived: string | null;
}

/** The sentences about an order at `now`: where it is, then what there is to know about its payment and items. */
export function explainOrder(order: OrderState, now: Date): string[] {
  const { status, missing, refunds, waived } = order;
  const { done, underway, byHand, failed } = refunds;
  const returned = [
    ...(done === null ? [] : [`${done} was returned to you.`]),
    ...(underway === null ? [] : [`${underway} is on its way back to you.`]),
    ...(byHand === null ? [] : [`We will give you back the ${byHand} that you paid at pickup or at the door.`]),
    ...(failed === null ? [] : [`We couldn’t return ${failed} to your card. See our email about it.`]),
  ];
  if (status === "cancelled") return returned.length > 0 ? returned : ["You don’t pay for it."];
  return [
    whereItIs(order, now),
    ...(missing.length > 0 ? [`${missing.join(", ")} didn’t come. You don’t pay for what’s missing.`] : []),
    ...payment(order, now),
    ...returned,
    ...(waived === null ? [] : [`You don’t pay ${waived} of it: that’s too little for a card.`]),
  ];
}

/** The place of an order in its week. Between the cutoff and the job that runs it, an open order is packed already. */
function whereItIs(
  { status, type, deliveryDate, cutoff, timeZone, pickupPoint, packed }: OrderState,
  now: Date,
): string {
  const point = pickupPoint ?? "the pickup point";
  if (packed === "none") {
    const isOver = status === "closed" || calendarDate(deliveryDate) < dateInZone(now, timeZone);
    if (!isOver) return "Not packed until it is paid.";
    return `Was not ${type === "pickup" ? "handed out" : "delivered"}: it was not paid.`;
  }
  if (status === "closed") return type === "pickup" ? `Handed out at ${point}.` : "Brought to your door.";
  if (status !== "pending" && isBefore(now, cutoff)) {
    // Of a pre-order in the words of its mail.
    if (status === "future") return `Not yet due. You can change this until ${formatChangeBy(cutoff, timeZone, now)}.`;
    return `You can change this until ${formatOrderBy(cutoff, timeZone, now)}.`;
  }
  const today = dateInZone(now, timeZone);
  const day = calendarDate(deliveryDate);
  if (today < day)
    return `Being packed. ${type === "pickup" ? `Pick it up at ${point}` : "It comes"} on ${formatWeekday(day, today)}.`;
  if (today === day) return type === "pickup" ? `Ready today at ${point}.` : "On its way to you today.";
  return type === "pickup"
    ? `Was ready on ${formatLong(day, today)}. Call us if you couldn’t pick it up.`
    : `Was due on ${formatLong(day, today)}. Tell us if it didn’t come.`;
}

function payment(
  { status, type, cutoff, timeZone, paymentProblem, packed, isPaidAtDoor }: OrderState,
  now: Date,
): string[] {
  const place = type === "pickup" ? "when you pick it up" : "at the door";
  const isClosed = status === "closed";
  if (paymentProblem === null && packed !== "all" && !isClosed) return ["We haven’t charged your card yet."];
  if (paymentProblem === null) return isPaidAtDoor && !isClosed ? [`You pay ${place}.`] : [];
  if (status !== "pending" && !isClosed) {
    // Between the cutoff and its job, the card is not charged yet.
    if (!isBefore(now, cutoff)) return [];
    const cause =
      paymentProblem === "bank"
        ? "Your bank needs to confirm this payment."
        : "Your bank no longer holds the money for it.";
    return [`${cause} Check your cards by ${formatOrderBy(cutoff, timeZone, now)}.`];
  }
  const cause =
    paymentProblem === "bank"
      ? "Not paid yet: your bank needs to confirm this payment."
      : "Not paid yet: we couldn’t charge your card.";
  return [
    `${cause} Check your cards${isClosed || packed !== "all" ? "" : `, or pay ${place}`}.`,
    ...(packed === "part" && !isClosed ? ["What isn’t paid isn’t packed."] : []),
  ];
}
