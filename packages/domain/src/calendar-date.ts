/**
 * A calendar date is a day in a hub's zone, `YYYY-MM-DD`, without a time: delivery days, pre-order dates, closures.
 * Plain text order is date order, so `<` compares two of them.
 */

import { getOrThrow } from "./get-or-throw.ts";
import { Day } from "./time.ts";

declare const calendarDateBrand: unique symbol;

/** A day of the Gregorian calendar as `YYYY-MM-DD`. */
export type CalendarDate = string & { readonly [calendarDateBrand]: true };

/** The English weekdays, as a hub's `deliveryDay` names them (spec §3 Hub), from Sunday. */
export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** Whether a text is a date that exists, `YYYY-MM-DD`. */
export function isCalendarDate(text: string): text is CalendarDate {
  // There is no year 0, though JavaScript has one.
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith("0000")) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text;
}

/** Brands a text as a date. Throws RangeError for anything but an existing `YYYY-MM-DD`. */
export function calendarDate(text: string): CalendarDate {
  if (!isCalendarDate(text)) throw new RangeError(`Not a calendar date (YYYY-MM-DD): ${text}`);
  return text;
}

/** Whether a text is one of the seven English weekdays. */
export function isWeekday(text: string): text is Weekday {
  return (WEEKDAYS as readonly string[]).includes(text);
}

/** "Wednesday" for "Thursday": the day of a cutoff. */
export const weekdayBefore = (day: Weekday): Weekday => getOrThrow(WEEKDAYS, (WEEKDAYS.indexOf(day) + 6) % 7);

function utcMidnight(date: CalendarDate): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** The date of an instant read as UTC: how a `date` column arrives from the database. */
export function dateFromUtc(instant: Date): CalendarDate {
  return calendarDate(instant.toISOString().slice(0, 10));
}

/** A date as its UTC midnight: how a `date` column is sent to the database. */
export function dateToUtc(date: CalendarDate): Date {
  return new Date(utcMidnight(date));
}

/** The date `days` later, or earlier when negative. Throws RangeError beyond the years 0000 to 9999. */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  if (!Number.isSafeInteger(days)) throw new RangeError(`Not a whole number of days: ${days}`);
  return dateFromUtc(new Date(utcMidnight(date) + days * Day.ms));
}

/** Days from one date to another; negative when `to` comes first. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return (utcMidnight(to) - utcMidnight(from)) / Day.ms;
}

/** The English weekday of a date. */
export function weekdayOf(date: CalendarDate): Weekday {
  return getOrThrow(WEEKDAYS, new Date(utcMidnight(date)).getUTCDay());
}

/** "Thu": the band of the calendar leaf. */
export function weekdayShort(date: CalendarDate): string {
  return weekdayOf(date).slice(0, 3);
}

/** The day of the month, 1 to 31. */
export function dayOfMonth(date: CalendarDate): number {
  return new Date(utcMidnight(date)).getUTCDate();
}

function monthName(date: CalendarDate): string {
  return getOrThrow(MONTHS, new Date(utcMidnight(date)).getUTCMonth());
}

/** "November 26". */
function formatMonthDay(date: CalendarDate): string {
  return `${monthName(date)} ${dayOfMonth(date)}`;
}

/** ", 2027"; nothing in the year of `today` (docs/product.md §4 Dates in words). */
function yearUnless(date: CalendarDate, today: CalendarDate): string {
  return date.slice(0, 4) === today.slice(0, 4) ? "" : `, ${Number(date.slice(0, 4))}`;
}

/** "Thursday, November 26"; in another year than `today`'s "Thursday, January 7, 2027". */
export function formatLong(date: CalendarDate, today: CalendarDate): string {
  return `${weekdayOf(date)}, ${formatMonthDay(date)}${yearUnless(date, today)}`;
}

/** "Thursday, November 26, 2026": in what is kept, such as a receipt. */
export function formatLongWithYear(date: CalendarDate): string {
  return `${weekdayOf(date)}, ${formatMonthDay(date)}, ${Number(date.slice(0, 4))}`;
}

/** "Thu, Nov 26"; in another year "Thu, Jan 7, 2027". */
export function formatShort(date: CalendarDate, today: CalendarDate): string {
  return `${weekdayShort(date)}, ${formatDay(date, today)}`;
}

/** "Nov 26"; in another year "Jan 7, 2027". */
export function formatDay(date: CalendarDate, today: CalendarDate): string {
  return `${monthName(date).slice(0, 3)} ${dayOfMonth(date)}${yearUnless(date, today)}`;
}

/** Days for which a weekday alone names one date: from the seventh on there is a nearer day of that name. */
const NEAR_DAYS = 6;

/** Whether the weekday alone names the date: at most six days ahead or past (docs/product.md §4 Dates in words). */
export function isNear(date: CalendarDate, today: CalendarDate): boolean {
  return Math.abs(daysBetween(today, date)) <= NEAR_DAYS;
}

/** "Thursday"; more than six days away "Thursday, December 3". Where the date itself matters, use `formatLong`. */
export function formatWeekday(date: CalendarDate, today: CalendarDate): string {
  return isNear(date, today) ? weekdayOf(date) : formatLong(date, today);
}

/** Text in which a day stays with its month: "December\u00A03, 2027". The year may be on the next line, as large text needs. */
export const keepDates = (sentence: string): string => sentence.replaceAll(/ (?=\d\d?\b)/g, "\u00A0");

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** What a clock on the wall of a zone shows: the date and the milliseconds since its midnight by that clock. */
export type WallClock = { date: CalendarDate; timeOfDayMs: number };

/** The wall clock of an IANA zone at an instant. Throws RangeError for an unknown zone. */
export function wallClock(instant: Date, zone: string): WallClock {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(instant)) parts[type] = value;
  const date = calendarDate(`${String(parts.year).padStart(4, "0")}-${parts.month}-${parts.day}`);
  const seconds = (Number(parts.hour) * 60 + Number(parts.minute)) * 60 + Number(parts.second);
  return { date, timeOfDayMs: seconds * 1000 + (((instant.getTime() % 1000) + 1000) % 1000) };
}

/** The date in an IANA zone at an instant. Throws RangeError for an unknown zone. */
export function dateInZone(instant: Date, zone: string): CalendarDate {
  return wallClock(instant, zone).date;
}

/** Whether the runtime has an IANA time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    formatterOf(zone);
    return true;
  } catch {
    return false;
  }
}
