import { type CalendarDate, calendarDate } from "@marketday/domain/calendar-date";
import { isDue } from "@marketday/domain/subscription";

/** A subscription's stored schedule; dates `YYYY-MM-DD`. */
export interface StoredSchedule {
  interval_weeks: number;
  last_day: string | null;
  paused_until: string | null;
  /** Delivery days of this customer that are skipped, oldest first. */
  skips: readonly string[];
}

const date = (text: string | null) => (text === null ? null : calendarDate(text));

/**
 * Whether a subscription is ordered for a day: it is due (docs/product.md §9) and the day is not skipped. A skipped day counts as
 * an ordered one only when the subscription was due on it.
 */
export function isDueOn(day: string, stored: StoredSchedule): boolean {
  const intervalWeeks = stored.interval_weeks;
  const pausedUntil = date(stored.paused_until);
  let lastDay: CalendarDate | null = date(stored.last_day);
  for (const skip of stored.skips) {
    if (skip === day) return false;
    if (skip > day) break;
    const skipped = calendarDate(skip);
    if ((lastDay === null || skipped > lastDay) && isDue(skipped, { intervalWeeks, lastDay, pausedUntil }))
      lastDay = skipped;
  }
  return isDue(calendarDate(day), { intervalWeeks, lastDay, pausedUntil });
}
