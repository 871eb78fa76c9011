/**
 * Delivery days, cutoffs and auto-checkout instants of a hub (docs/product.md §1, §4). Server-side: it carries temporal-polyfill,
 * the web reads cutoffs from the wire. A day once stored keeps its cutoff; nothing here is recomputed from the weekday.
 */

import { Temporal } from "temporal-polyfill";

import { addDays, dateInZone, WEEKDAYS, weekdayOf, type CalendarDate, type Weekday } from "./calendar-date.ts";
import { AUTO_CHECKOUT_LEAD_MS, CHECKOUT_GRACE_MS, CUTOFF_HOUR, DELIVERY_WEEKS_AHEAD } from "./limits.ts";
import { addMs, atOrAfter, isBefore } from "./time.ts";

/** A delivery day with the instants that belong to it. */
export type DeliveryDay = { day: CalendarDate; cutoff: Date; autoCheckoutAt: Date };

const cutoffTime = new Temporal.PlainTime(CUTOFF_HOUR);

/**
 * The instant orders for `day` close: 1:00 AM by the hub's wall clock on the day before (spec §9 Timing). Where that hour
 * happens twice the earlier one counts; where it does not exist, the first instant after the gap (failures C2, C3).
 * Throws RangeError for an unknown zone.
 */
export function cutoffOf(day: CalendarDate, zone: string): Date {
  const dayBefore = Temporal.PlainDate.from(addDays(day, -1));
  // Temporal's own rule: of two the earlier, and across a gap the wall time moved on by the gap's length.
  const zoned = dayBefore.toZonedDateTime({ timeZone: zone, plainTime: cutoffTime });
  if (zoned.toPlainTime().equals(cutoffTime) && zoned.toPlainDate().equals(dayBefore)) {
    return new Date(zoned.epochMilliseconds);
  }
  const endOfGap = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition("previous") ?? zoned;
  return new Date(endOfGap.epochMilliseconds);
}

/**
 * The instant of a date and a time of day (`HH:MM` or `HH:MM:SS`) on a zone's wall clock. Where that time happens twice the
 * earlier one counts; where it does not exist, the time moved on by the length of the gap. Throws RangeError for an unknown
 * zone or a time that is none.
 */
export function instantOf(day: CalendarDate, timeOfDay: string, zone: string): Date {
  const zoned = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: timeOfDay });
  return new Date(zoned.epochMilliseconds);
}

/** Auto-checkout is due 36 elapsed hours before the cutoff, whatever the clocks on the wall do (spec §9 Timing). */
export function autoCheckoutOf(cutoff: Date): Date {
  return addMs(cutoff, -AUTO_CHECKOUT_LEAD_MS);
}

/** A date with its instants in a zone. */
export function deliveryDayOf(day: CalendarDate, zone: string): DeliveryDay {
  const cutoff = cutoffOf(day, zone);
  return { day, cutoff, autoCheckoutAt: autoCheckoutOf(cutoff) };
}

/** What a hub's delivery days are made from. */
export type DeliveryRule = {
  weekday: Weekday;
  /** IANA zone of the hub. */
  zone: string;
  now: Date;
  /** How many weeks ahead, counting the one of the first day; 12 when left out (docs/product.md §4). */
  weeks?: number;
  /** Dates the hub skips. */
  closures?: readonly CalendarDate[];
};

/**
 * The dates of the hub's weekday from today on in its zone, without closures, oldest first. A day whose cutoff is
 * already past is among them as long as it is still to be delivered.
 */
export function deliveryDaysFrom(rule: DeliveryRule): DeliveryDay[] {
  const { weekday, zone, now, weeks = DELIVERY_WEEKS_AHEAD, closures = [] } = rule;
  const today = dateInZone(now, zone);
  const wait = (WEEKDAYS.indexOf(weekday) - WEEKDAYS.indexOf(weekdayOf(today)) + 7) % 7;
  const closed = new Set(closures);
  return Array.from({ length: weeks }, (_, week) => addDays(today, wait + 7 * week))
    .filter((day) => !closed.has(day))
    .map((day) => deliveryDayOf(day, zone));
}

function earliest<D extends { day: CalendarDate }>(days: readonly D[], fits: (day: D) => boolean): D | null {
  return days.reduce<D | null>((best, day) => (fits(day) && (best === null || day.day < best.day) ? day : best), null);
}

/** The first day that still takes orders at `now`, or null. */
export function nextOpenDay<D extends { day: CalendarDate; cutoff: Date }>(days: readonly D[], now: Date): D | null {
  return earliest(days, (day) => !isPastCutoff(day.cutoff, now));
}

/** Whether orders are closed: at the cutoff is past it. */
export function isPastCutoff(cutoff: Date, now: Date): boolean {
  return atOrAfter(now, cutoff);
}

/**
 * Whether a checkout whose payment started at `startedAt` may still be placed: it began before the cutoff, and it is
 * still before the cutoff or no more than 10 minutes since it began (docs/product.md §4).
 */
export function mayFinish(startedAt: Date, cutoff: Date, now: Date): boolean {
  if (isPastCutoff(cutoff, startedAt)) return false;
  return isBefore(now, cutoff) || !isBefore(addMs(startedAt, CHECKOUT_GRACE_MS), now);
}

/** The delivery day of a pre-order: the hub's first on or after its date (docs/product.md §1), or null beyond the calendar. */
export function preOrderDay<D extends { day: CalendarDate }>(days: readonly D[], preOrderDate: CalendarDate): D | null {
  return earliest(days, ({ day }) => day >= preOrderDate);
}

/** A stored delivery day, as far as replanning needs it. */
export type PlannedDay = { day: CalendarDate; cutoff: Date; hasOrders: boolean };

/**
 * What a change of weekday or closures does to the stored days (docs/product.md §4, failures C19): days with orders stay,
 * empty open days that are no longer wanted go, wanted ones that are missing come. Days past their cutoff are history.
 */
export function replanDays(
  stored: readonly PlannedDay[],
  wanted: readonly DeliveryDay[],
  now: Date,
): { add: DeliveryDay[]; remove: CalendarDate[] } {
  const have = new Set(stored.map(({ day }) => day));
  const want = new Set(wanted.map(({ day }) => day));
  return {
    add: wanted.filter(({ day, cutoff }) => !have.has(day) && !isPastCutoff(cutoff, now)),
    remove: stored
      .filter(({ day, cutoff, hasOrders }) => !hasOrders && !want.has(day) && !isPastCutoff(cutoff, now))
      .map(({ day }) => day),
  };
}
