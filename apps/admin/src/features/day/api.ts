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

/** Makes the sheets, and a new version when orders or the number of drivers have changed. Throws `ApiError`. */
export const createSheets = (hub: string, date: string, drivers: number): Promise<DaySheets> =>
  call(calls.createSheets, { params: { hub, date }, body: { drivers } });

/** The address of a file of a version. */
export const sheetUrl = ({ hub, day }: Pick<DaySheets, "hub" | "day">, version: number, file: string): string =>
  `/api/admin/hubs/${hub.slug}/days/${day}/sheets/${version}/${file}`;
