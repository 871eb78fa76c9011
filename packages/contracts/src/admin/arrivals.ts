import { z } from "zod";

import { CalendarDate, Id } from "../common.ts";
import { DaySheets } from "./days.ts";
import { adminEndpoint } from "./endpoint.ts";

/**
 * Sets what is known of a vendor's share of a day: that the vendor has confirmed it, and that it has arrived. What is not given stays.
 * `expectedVersion`: of the vendor on the day, 0 as long as nothing is known. 404 for a vendor who brings nothing; 409 `conflict` with the
 * day as `current`.
 */
export const putArrival = adminEndpoint({
  method: "PUT",
  url: "/hubs/:hub/days/:date/vendors/:vendor",
  access: { permission: "day.run", where: "hub" },
  schema: {
    params: z.object({ hub: z.string().max(200), date: CalendarDate, vendor: Id }),
    body: z.object({
      isConfirmed: z.boolean().optional(),
      hasArrived: z.boolean().optional(),
      expectedVersion: z.number().int(),
    }),
    response: { 200: DaySheets },
  },
});
/** Sets that these vendors have arrived, or with `hasArrived` false that they have not; of whom that is known already nothing changes. */
export const putAllArrived = adminEndpoint({
  method: "PUT",
  url: "/hubs/:hub/days/:date/arrivals",
  access: { permission: "day.run", where: "hub" },
  schema: {
    params: z.object({ hub: z.string().max(200), date: CalendarDate }),
    body: z.object({ vendorIds: z.array(z.number().int()).min(1).max(1000), hasArrived: z.boolean().default(true) }),
    response: { 200: DaySheets },
  },
});
