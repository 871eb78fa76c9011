import { type CalendarDate, calendarDate } from "@marketday/domain/calendar-date";

import * as t from "#messages/session";

/** The day of an instant where the device is: staff sign in from anywhere. */
export function deviceDay(instant: Date): CalendarDate {
  const [year, month, day] = [instant.getFullYear(), instant.getMonth() + 1, instant.getDate()];
  return calendarDate([String(year).padStart(4, "0"), pad(month), pad(day)].join("-"));
}
const pad = (number: number) => String(number).padStart(2, "0");

/** "2 hours ago"; from a week on the day, "Nov 3". */
export const when = (instant: string, now: Date): string =>
  t.ago(Math.max(0, now.getTime() - Date.parse(instant))) ?? t.day(deviceDay(new Date(instant)), deviceDay(now));
