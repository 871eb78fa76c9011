import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { DayDoor } from "@marketday/contracts/admin/door";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

export type DoorGroup = DayDoor["groups"][number];
export type DoorBox = DoorGroup["boxes"][number];

/** Money at the door of a day of a market (slug or id); events of its orders make it old. Needs `orders.adjust` there. */
export const doorQuery = (hub: string, date: string) =>
  queryOptions({
    queryKey: ["day", hub, date, "door"],
    queryFn: ({ signal }) => call(calls.getDoor, { params: { hub, date } }, { signal }),
  });

/** The day as it is now, from the refusal of a write over an older one; null: it failed otherwise. */
export const findCurrent = (error: unknown): DayDoor | null =>
  error instanceof ApiError && error.code === "conflict"
    ? ((error.details["current"] as DayDoor | undefined) ?? null)
    : null;
