import type { DaySheets } from "@marketday/contracts/admin/days";
import { dateInZone, formatWeekday } from "@marketday/domain/calendar-date";
import { formatClock } from "@marketday/domain/order";

import * as t from "#messages/day";

type Version = DaySheets["versions"][number];
export type DayChange = NonNullable<Version["changes"]>[number];
type Destination = DayChange["goesTo"]["before"];

/** "6:05 AM today", "1 AM Wednesday": an instant where the market is. */
export function formatTime(instant: string, zone: string, now: Date): string {
  const at = new Date(instant);
  const clock = formatClock(at, zone).replace(/[AP]M$/, "\u00A0$&");
  const [day, today] = [dateInZone(at, zone), dateInZone(now, zone)];
  return day === today ? t.timeToday(clock) : t.timeOnDay(clock, formatWeekday(day, today));
}

function formatDestination(destination: Destination): string {
  if (destination === null) return t.noPlace;
  return "pickup" in destination ? t.pickup(destination.pickup) : t.stop(destination.driver, destination.stop);
}

/** Where a box was and is, when that differs; for a cancelled order, where to take it from. Null: nothing to do. */
export function formatPlaceChange({ kind, goesTo: { before, after } }: DayChange): string | null {
  if (kind === "cancelled") return before && t.removeFrom(formatDestination(before));
  if (kind === "added") return formatDestination(after);
  // The older version has no routes, as before its first sheets: its box was not without an address.
  if (before === null && kind !== "moved") return null;
  const [was, now] = [formatDestination(before), formatDestination(after)];
  return was === now ? null : t.placeChange(was, now);
}

/** The totes of these changes, ascending. */
export const totesOf = (changes: readonly DayChange[]): number[] =>
  [...new Set(changes.map(({ tote }) => tote))].toSorted((a, b) => a - b);

/** "2:31 PM", of another day "2:31 PM Wednesday". */
export function formatClockOn(instant: string, zone: string, now: Date): string {
  const at = new Date(instant);
  const clock = formatClock(at, zone).replace(/[AP]M$/, "\u00A0$&");
  const [day, today] = [dateInZone(at, zone), dateInZone(now, zone)];
  return day === today ? clock : t.timeOnDay(clock, formatWeekday(day, today));
}
