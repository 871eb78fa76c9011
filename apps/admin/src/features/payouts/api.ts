import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { BookedPayout, DuePayout, DueStatement, PayoutSummary } from "@marketday/contracts/admin/payouts";
import { type CalendarDate, isCalendarDate } from "@marketday/domain/calendar-date";
import { keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";

import { call, callPaged } from "../../lib/api.ts";

export type { BookedPayout, DuePayout, DueStatement, PayoutSummary };
export type DueLine = DuePayout["lines"][number];
export type PayoutPart = BookedPayout["parts"][number];

/** Rows of a page of booked payouts. */
export const PAGE_ROWS = 50;

/** What vendors are owed up to a delivery day, null the market's date. Another day's rows stay until the answer is here. */
export const dueQuery = (to: CalendarDate | null) =>
  queryOptions({
    queryKey: ["payouts", "due", to],
    queryFn: ({ signal }) => call(calls.getDuePayout, { querystring: dayIn(to) }, { signal }),
    placeholderData: keepPreviousData,
  });

/** The same of one vendor, by the id of the address, with what was sold. */
export const statementQuery = (vendorId: string, to: CalendarDate | null) =>
  queryOptions({
    queryKey: ["payouts", "statement", vendorId, to],
    queryFn: ({ signal }) =>
      call(calls.getDueStatement, { params: { id: Number(vendorId) }, querystring: dayIn(to) }, { signal }),
  });

const dayIn = (to: CalendarDate | null) => (to === null ? {} : { to });

/** The payouts that were booked, a page of them. */
export const paidQuery = (page: number) =>
  queryOptions({
    queryKey: ["payouts", "paid", page],
    queryFn: ({ signal }) => callPaged(calls.listPayouts, { querystring: { page, perPage: PAGE_ROWS } }, { signal }),
    placeholderData: keepPreviousData,
  });

/** One of them, by the id of the address. */
export const payoutQuery = (id: string) =>
  queryOptions({
    queryKey: ["payouts", "booked", id],
    queryFn: ({ signal }) => call(calls.getPayout, { params: { id: Number(id) } }, { signal }),
  });

/** Reads again what is owed and what was paid: after a write, or one that was refused. Today counts it too. */
export async function rereadPayouts(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: ["today"] });
  await client.invalidateQueries({ queryKey: ["payouts"] });
}

/** Where the file for the bank is. */
export const bankFileUrl = (id: number): string => `/api/admin/payouts/${id}/file`;

/** The day of the address (`?to=`); null: the market's date. */
export function dayOf(search: string): CalendarDate | null {
  const to = new URLSearchParams(search).get("to");
  return to !== null && isCalendarDate(to) ? to : null;
}

/** The address with another day, null the market's date. */
export function withDay(path: string, search: string, day: CalendarDate | null): string {
  const params = new URLSearchParams(search);
  if (day === null) params.delete("to");
  else params.set("to", day);
  const query = params.toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Whether text is a number that a vendor or payout may have. */
export const isId = (id: string): boolean => /^[1-9]\d{0,9}$/.test(id) && Number(id) <= 2_147_483_647;

/** Whether the amounts that were sent are no longer those that are owed. Nothing is booked then. */
export const isChanged = (error: unknown): boolean => error instanceof ApiError && error.code === "amounts_changed";
