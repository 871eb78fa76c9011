import { type CalendarDate, calendarDate, dateInZone, formatDay } from "@marketday/domain/calendar-date";
import type { MarkShape } from "@marketday/ui/admin/mark.tsx";

import * as actions from "#messages/actions";
import * as t from "#messages/customers";

import type { CreditEntry, Customer } from "./api.ts";

type Order = Customer["orders"][number];

const shapes: Record<Order["status"], MarkShape> = {
  open: "ahead",
  packing: "now",
  delivered: "done",
  cancelled: "off",
};

/** The state of an order as its mark and its word. */
export const orderStatus = (status: Order["status"]): { shape: MarkShape; word: string } => ({
  shape: shapes[status],
  word: t.statuses[status],
});

export const nameOf = (name: string): string => (name === "" ? t.deletedAccount : name);

/** The day of an instant where the market is: "Mar 4"; in another year "Mar 4, 2025". */
export const formatDate = (instant: string, zone: string, now: Date): string =>
  formatDay(dateInZone(new Date(instant), zone), dateInZone(now, zone));

/** "Nov 26" of a calendar date */
export const formatDateOf = (day: string, today: CalendarDate): string => formatDay(calendarDate(day), today);

/** What happened, in words; never the name that the server has for it. */
export function historyTitle({ kind, what }: Pick<Customer["history"][number], "kind" | "what">): string {
  if (kind === "audit") return t.audits[what] ?? t.otherChange;
  const mail = actions.mails[what];
  return mail === undefined ? t.otherMail : t.mailNamed(mail);
}

/** What an entry of store credit was for, in words. */
export const bookingName = ({ what, amount, orderId }: Pick<CreditEntry, "what" | "amount" | "orderId">): string =>
  what === "credit" ? t.creditBooking(amount < 0, orderId !== null) : (t.bookings[what] ?? t.otherBooking);

/** What a person eats, as far as they set it. */
export const dietOf = ({ isGlutenFree, isVegan }: Pick<Customer, "isGlutenFree" | "isVegan">): string =>
  [isGlutenFree && t.glutenFree, isVegan && t.vegan].filter(Boolean).join(", ") || t.noDiet;
