import { type CalendarDate, dateInZone } from "@marketday/domain/calendar-date";

/** A time zone in which the date is not that of UTC, now and for the next hour at least. */
export const otherDateZone = (now: Date): string =>
  now.getUTCHours() < 9 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";

/** Today in that zone. */
export const otherDate = (now: Date): CalendarDate => dateInZone(now, otherDateZone(now));
