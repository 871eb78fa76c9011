/** The delivery pass (spec §1, §9 Money; docs/product.md §7): 13.95 a month or 139.95 a year. */

import { addDays, calendarDate, type CalendarDate, daysBetween } from "./calendar-date.ts";
import { WAGON_PASS_MONTHLY, WAGON_PASS_YEARLY } from "./limits.ts";
import type { Cents } from "./money.ts";
import { addMs, Day } from "./time.ts";

export type WagonPassPlan = "monthly" | "yearly";

/** What a plan costs for one period. */
export const wagonPassPrice = (plan: WagonPassPlan): Cents =>
  plan === "monthly" ? WAGON_PASS_MONTHLY : WAGON_PASS_YEARLY;

/** How many days before a renewal its reminder is sent. */
export const WAGON_PASS_REMINDER_DAYS = 30;

/**
 * The least number of days between the reminder of a renewal and its charge: those that California's automatic renewal law sets,
 * 15 before a yearly renewal and 7 before a monthly one at another price (Business and Professions Code §17602).
 */
export const WAGON_PASS_NOTICE_DAYS: Readonly<Record<WagonPassPlan, number>> = { monthly: 7, yearly: 15 };

/**
 * The day on which a renewal is charged whose reminder is sent on `remindedOn`: its renewal day, or later when the reminder is
 * late. The pass stays active until then.
 */
export function chargeDay(plan: WagonPassPlan, renewsOn: CalendarDate, remindedOn: CalendarDate): CalendarDate {
  const earliest = addDays(remindedOn, WAGON_PASS_NOTICE_DAYS[plan]);
  return daysBetween(renewsOn, earliest) > 0 ? earliest : renewsOn;
}

/** Days after the first try of a renewal from which on a bank that does not answer counts as one that declines. */
const OUTAGE_DAYS = 14;

/**
 * Whether a bank that has not answered is waited for, since the renewal was tried first: the pass is active meanwhile, unpaid. That is
 * its renewal day, or later after a late reminder (`chargeDay`), or when the market took no cards.
 */
export const isBankAwaited = (firstTriedOn: CalendarDate, today: CalendarDate): boolean =>
  daysBetween(firstTriedOn, today) <= OUTAGE_DAYS;

/** Days after a declined renewal until it is tried again; declined once more after the last one, the pass ends. */
const RETRY_DAYS = [1, 2, 3] as const;

/**
 * When a renewal that was declined for the `declined`th time is tried again: one, three and six days after the renewal day.
 * Null: no more, the pass ends.
 */
export function retryAt(declined: number, now: Date): Date | null {
  const days = RETRY_DAYS[declined - 1];
  return days === undefined ? null : addMs(now, days * Day.ms);
}

/**
 * The day a period that began on `startedOn` ends and the next one starts, after `periods` of them: the same day of the
 * month, clamped to a shorter month's last day and never drifting from the first one (failures.md K10).
 */
export function renewalDay(startedOn: CalendarDate, plan: WagonPassPlan, periods: number): CalendarDate {
  const [year, month, day] = startedOn.split("-").map(Number) as [number, number, number];
  const months = month - 1 + (plan === "monthly" ? periods : 12 * periods);
  const lastDay = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
  const date = new Date(Date.UTC(year, months, Math.min(day, lastDay)));
  return calendarDate(date.toISOString().slice(0, 10));
}
