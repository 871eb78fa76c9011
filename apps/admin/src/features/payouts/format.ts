import { type CalendarDate, calendarDate, dateInZone, formatLong, formatShort } from "@marketday/domain/calendar-date";
import { addDollars } from "@marketday/domain/money";

import { useMe } from "../session/api.ts";
import type { DueLine, DuePayout, DueStatement } from "./api.ts";

/** The sum of one of the amounts of all lines. */
export const sumOf = (lines: readonly DueLine[], part: "sales" | "commission" | "due"): number =>
  addDollars(...lines.map((line) => line[part]));

/** What is neither sold nor commission: what the market bore, and what is left of payouts before. */
export const otherOf = ({ compensation, earlier }: Pick<DueStatement, "compensation" | "earlier">): number =>
  addDollars(compensation, earlier);

/** Those who get money. */
export const paidLines = ({ lines }: DuePayout): DueLine[] => lines.filter(({ due }) => due > 0);

/** What is sent: exactly the amounts that were shown. */
export const amountsOf = (due: DuePayout): { vendorId: number; amount: number }[] =>
  paidLines(due).map(({ vendor, due: amount }) => ({ vendorId: vendor.id, amount }));

/** Whether two readings would pay other vendors or other amounts. */
export const isOther = (one: DuePayout, other: DuePayout): boolean =>
  one.to !== other.to || JSON.stringify(amountsOf(one)) !== JSON.stringify(amountsOf(other));

/** "Thursday, November 26" */
export const longDay = (day: string, today: CalendarDate): string => formatLong(calendarDate(day), today);
/** "Thu, Nov 26" */
export const shortDay = (day: string, today: CalendarDate): string => formatShort(calendarDate(day), today);
/** The same of an instant where the market is. */
export const shortDayOf = (instant: string, zone: string, now: Date): string =>
  formatShort(dateInZone(new Date(instant), zone), dateInZone(now, zone));

/** The time zone of times on the screen: payouts are of all markets, so it is that of the first one. */
export const useZone = (): string => useMe().hubs[0]?.timeZone ?? "UTC";
