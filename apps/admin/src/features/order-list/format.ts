import { marketNow } from "@marketday/client/clock.ts";
import type { ListedOrder } from "@marketday/contracts/admin/order-list";
import { calendarDate, type CalendarDate, dateInZone, isCalendarDate } from "@marketday/domain/calendar-date";
import { dayRange, type OrderToken } from "@marketday/domain/order-query";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/order-list";
import * as orders from "#messages/orders";

/** "Thu, Nov 26", of an instant on the day of a zone; in another year "Jan 7, 2027". */
export function formatDay(day: CalendarDate): string;
export function formatDay(instant: string, zone: string): string;
export function formatDay(dayOrInstant: string, zone?: string): string {
  const date = zone === undefined ? calendarDate(dayOrInstant) : dateInZone(new Date(dayOrInstant), zone);
  return t.shortDay(date, date.slice(0, 4) === String(marketNow().getFullYear()));
}

/** "1 · 9" */
export const formatStop = ({ driver, stop }: Pick<ListedOrder, "driver" | "stop">): string =>
  driver === null || stop === null ? "" : orders.stopOf(driver, stop);

const dayWord = (day: string | null): string | null => (day !== null && isCalendarDate(day) ? formatDay(day) : day);

/** The value of a token in words: "Thu, Nov 26". `titles`: names of what only the server knows, by `name:value`. */
export function formatToken({ name, value }: OrderToken, titles: ReadonlyMap<string, string>): string {
  const key = `${name}:${value}`;
  const known = t.valueWords[key] ?? titles.get(key);
  if (known !== undefined) return known;
  if (name === "owes") return t.moreThan(formatMoney(Number(value.slice(1))));
  if (name !== "day") return value;
  const { from, to } = dayRange(value);
  return from === to && from !== null ? (dayWord(from) ?? value) : t.dayRange(dayWord(from), dayWord(to));
}
