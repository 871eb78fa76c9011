import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { DaySheets } from "@marketday/contracts/admin/days";
import { queryOptions } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";

/** A delivery day of a market (slug or id) with its sheets; events of its orders and sheets make it old. Needs `day.run` there. */
export const dayQuery = (hub: string, date: string) =>
  queryOptions({
    queryKey: ["day", hub, date],
    queryFn: ({ signal }) => call(calls.getDay, { params: { hub, date } }, { signal }),
  });

/** The newest version that can be printed; none before sheets were made. */
export const findMade = ({ versions }: DaySheets) => versions.find(({ madeAt }) => madeAt !== null);

/**
 * Makes the sheets of a day as the person sees it, and a new version when orders or the number of drivers have changed. Without
 * `drivers`, their number stays. Throws `ApiError`, with `findCurrent` when someone else has made sheets meanwhile.
 */
export const createSheets = (day: DaySheets, drivers: number | undefined): Promise<DaySheets> =>
  call(calls.createSheets, {
    params: { hub: day.hub.slug, date: day.day },
    body: { drivers, expectedVersion: findMade(day)?.version ?? null },
  });

/** The day as it is now, from the refusal of a write over an older version; null: it failed otherwise. */
export const findCurrent = (error: unknown): DaySheets | null =>
  error instanceof ApiError && error.code === "conflict"
    ? ((error.details["current"] as DaySheets | undefined) ?? null)
    : null;

/** The address of a file of a version. */
export const sheetUrl = ({ hub, day }: Pick<DaySheets, "hub" | "day">, version: number, file: string): string =>
  `/api/admin/hubs/${hub.slug}/days/${day}/sheets/${version}/${file}`;

type Vendor = DaySheets["vendors"][number];

/** What a person sets of a vendor; what is not given stays. */
export interface ArrivalChange {
  isConfirmed?: boolean;
  hasArrived?: boolean;
}

/** Sets what is known of a vendor as the person sees it. Throws `ApiError`, with `findCurrent` when someone else has changed it since. */
export const putArrival = (
  { hub, day }: DaySheets,
  { id: vendor, version: expectedVersion }: Vendor,
  change: ArrivalChange,
): Promise<DaySheets> =>
  call(calls.putArrival, { params: { hub: hub.slug, date: day, vendor }, body: { ...change, expectedVersion } });

/** Sets that vendors have arrived, or not, whatever someone else has set meanwhile. Throws `ApiError`. */
export const putAllArrived = ({ hub, day }: DaySheets, vendorIds: number[], hasArrived: boolean): Promise<DaySheets> =>
  call(calls.putAllArrived, { params: { hub: hub.slug, date: day }, body: { vendorIds, hasArrived } });

/** A day with what an answer knows of its vendors: answers may come in another order than they were given. */
export function mergeVendors(day: DaySheets, answer: DaySheets): DaySheets {
  const vendors = day.vendors.map((vendor) => {
    const answered = answer.vendors.find(({ id }) => id === vendor.id);
    return answered && answered.version > vendor.version ? answered : vendor;
  });
  return { ...day, vendors };
}
