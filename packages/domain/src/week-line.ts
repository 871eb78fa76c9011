/** The Week Line: seven dots that say today, order by, delivery. The words beside it say the same. */

import { addDays, dateInZone, type CalendarDate } from "./calendar-date.ts";

/** How a dot is drawn; delivery and order-by win over today, which `isToday` still shows. */
type WeekDotKind = "past" | "today" | "orderBy" | "delivery" | "ahead";

/** A dot. `name`: what it is called, else its weekday. `afterGap`: days are left out before it, for a delivery more than a week off. */
export type WeekDot = {
  date: CalendarDate;
  name: "orderBy" | "today" | "weekday";
  kind: WeekDotKind;
  isToday: boolean;
  afterGap: boolean;
};

const DAYS_BEFORE_DELIVERY = 5;

/**
 * Seven dots from the first day of the cycle, five days before delivery, to the day after it. Earlier than that the line
 * begins with today and ends with delivery, so that today, order by and delivery always stand on it. The order-by dot is
 * the day whose 1 AM is the cutoff, read in the hub's zone; once it has passed it is named by its weekday.
 */
export function weekLine(input: { now: Date; zone: string; cutoff: Date; deliveryDate: CalendarDate }): WeekDot[] {
  const { now, zone, cutoff, deliveryDate } = input;
  const today = dateInZone(now, zone);
  const orderBy = dateInZone(cutoff, zone);
  const open = now.getTime() < cutoff.getTime();
  const first = addDays(deliveryDate, -DAYS_BEFORE_DELIVERY);
  const dates =
    today < first
      ? [today, ...Array.from({ length: 6 }, (_, place) => addDays(first, place))]
      : Array.from({ length: 7 }, (_, place) => addDays(first, place));
  return dates.map((date, place) => {
    const isToday = date === today;
    const before = dates[place - 1];
    return {
      date,
      name: date === orderBy && open ? "orderBy" : isToday ? "today" : "weekday",
      kind: kindOf(date, { today, orderBy, deliveryDate }),
      isToday,
      afterGap: before !== undefined && addDays(before, 1) !== date,
    };
  });
}

function kindOf(
  date: CalendarDate,
  { today, orderBy, deliveryDate }: { today: CalendarDate; orderBy: CalendarDate; deliveryDate: CalendarDate },
): WeekDotKind {
  if (date === deliveryDate) return "delivery";
  if (date === orderBy) return "orderBy";
  if (date === today) return "today";
  return date < today ? "past" : "ahead";
}
