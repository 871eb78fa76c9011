/** When a subscription is due (docs/product.md §9): D ≥ the last day ordered or skipped + 7 × interval days, a new one at once. */

import { addDays, type CalendarDate } from "./calendar-date.ts";
import { INTERVAL_WEEKS_MAX, INTERVAL_WEEKS_MIN, type IntervalWeeks } from "./limits.ts";

/** Automatic checkout: 0 is off, 1 full cart, 2 only subscribed items (spec §4). */
export const AUTO_CHECKOUT = { off: 0, fullCart: 1, subscribedOnly: 2 } as const;
export type AutoCheckoutStatus = (typeof AUTO_CHECKOUT)[keyof typeof AUTO_CHECKOUT];

/** A subscription, as far as its calendar goes. */
export type SubscriptionRhythm = {
  intervalWeeks: number;
  /** The last delivery day it was ordered for; null when never. */
  lastDay: CalendarDate | null;
  /** The last delivery day that was skipped; null when never. */
  skippedDay?: CalendarDate | null;
  /** The first day it may be due again; null when it is not paused. */
  pausedUntil?: CalendarDate | null;
};

/** Whether a number of weeks may be chosen: 1 to 4 (spec §4 Subscription interval). */
export function isIntervalWeeks(weeks: number): weeks is IntervalWeeks {
  return Number.isInteger(weeks) && weeks >= INTERVAL_WEEKS_MIN && weeks <= INTERVAL_WEEKS_MAX;
}

function later(a: CalendarDate | null | undefined, b: CalendarDate | null | undefined): CalendarDate | null {
  if (a === null || a === undefined) return b ?? null;
  return b === null || b === undefined || a > b ? a : b;
}

/** The first date from which a subscription is due, or null when it is due at once. Throws RangeError outside 1 to 4 weeks. */
export function dueFrom(subscription: SubscriptionRhythm): CalendarDate | null {
  const { intervalWeeks, lastDay, skippedDay, pausedUntil } = subscription;
  if (!isIntervalWeeks(intervalWeeks)) throw new RangeError(`Not an interval of 1 to 4 weeks: ${intervalWeeks}`);
  const taken = later(lastDay, skippedDay);
  return later(taken === null ? null : addDays(taken, 7 * intervalWeeks), pausedUntil);
}

/** Whether a subscription is due for a delivery day. */
export function isDue(day: CalendarDate, subscription: SubscriptionRhythm): boolean {
  const from = dueFrom(subscription);
  return from === null || day >= from;
}

/** The first of a hub's delivery days for which a subscription is due, or null when none of them is. */
export function nextDue(days: readonly CalendarDate[], subscription: SubscriptionRhythm): CalendarDate | null {
  return days.toSorted().find((day) => isDue(day, subscription)) ?? null;
}
