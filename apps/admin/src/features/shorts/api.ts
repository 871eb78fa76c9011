import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { DayShorts, ShortPlan } from "@marketday/contracts/admin/shorts";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

export type { DayShorts, ShortPlan };
export type DayItem = DayShorts["items"][number];
export type Shortage = DayShorts["shortages"][number];
export type Share = ShortPlan["shares"][number];

/** A delivery day of a market (slug or id) with its items and shortages; events of the day make it old. Needs `orders.adjust` there. */
export const shortsQuery = (hub: string, date: string) =>
  queryOptions({
    queryKey: ["day", hub, date, "shorts"],
    queryFn: ({ signal }) => call(calls.getShorts, { params: { hub, date } }, { signal }),
  });

/** What is to be counted, as it is sent. */
export interface Count {
  variantId: number;
  came: number;
  of: number;
  gets: Record<string, number> | null;
  refundTo: Shortage["refundTo"];
  bearer: Shortage["bearer"];
  reason: string;
}

/** The shares of a count and what they cost; nothing is changed. The reason is not sent: it changes neither. */
export const planQuery = (hub: string, date: string, count: Omit<Count, "reason">) =>
  queryOptions({
    queryKey: ["day", hub, date, "shorts", "plan", count],
    queryFn: ({ signal }) =>
      call(calls.planShort, { params: { hub, date }, body: { ...count, reason: "" } }, { signal }),
    gcTime: 60_000,
  });

/** The day as it is now, from the refusal of a write over an older version; null: it failed otherwise. */
export const findCurrent = (error: unknown): DayShorts | null =>
  error instanceof ApiError && (error.code === "conflict" || error.code === "held")
    ? ((error.details["current"] as DayShorts | undefined) ?? null)
    : null;

/** The shortage of an item that is not settled yet. */
export const findOpen = ({ shortages }: DayShorts, variantId: number): Shortage | undefined =>
  shortages.find((shortage) => shortage.variantId === variantId && shortage.state !== "settled");
