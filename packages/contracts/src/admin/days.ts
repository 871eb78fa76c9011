import { z } from "zod";

import { CalendarDate, Instant, Money } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

const params = z.object({ hub: z.string().max(200), date: CalendarDate });
const access = { permission: "day.run", where: "hub" } as const;

/** One printable file of a version of the sheets. */
const SheetFile = z.object({ name: z.string(), title: z.string(), bytes: z.number().int() });
const SheetVersion = z.object({
  version: z.number().int(),
  frozenAt: Instant,
  drivers: z.number().int(),
  /** Totes with something that this version changed; null in the first. */
  changedTotes: z.array(z.number().int()).nullable(),
});

/** A vendor's share of a day. `answered`: their answer to "will everything come?". */
const DayVendor = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  units: z.number().int(),
  items: z.number().int(),
});

export const DaySheets = z
  .object({
    hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() }),
    day: CalendarDate,
    cutoffAt: Instant,
    isFrozen: z.boolean(),
    /** Orders have changed since the newest version. */
    isStale: z.boolean(),
    boxes: z.number().int(),
    units: z.number().int(),
    toCollect: Money,
    vendors: z.array(DayVendor),
    /** Newest first. */
    versions: z.array(SheetVersion),
    /** Of the newest version. */
    files: z.array(SheetFile),
  })
  .meta({ id: "DaySheets" });
export type DaySheets = z.infer<typeof DaySheets>;

export const getDay = adminEndpoint({
  method: "GET",
  url: "/hubs/:hub/days/:date",
  access,
  schema: { params, response: { 200: DaySheets } },
});

/** Makes the sheets, a new version when orders or the number of drivers have changed. 409 `still_open` before the cutoff. */
export const createSheets = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/sheets",
  access,
  schema: {
    params,
    body: z.object({ drivers: z.number().int().min(1).max(99).optional() }),
    response: { 200: DaySheets },
  },
});

/** A file of a version, as it is printed. */
export const getSheetFile = adminEndpoint({
  method: "GET",
  url: "/hubs/:hub/days/:date/sheets/:version/:file",
  access,
  schema: {
    params: params.extend({
      version: z.coerce.number().int().min(1),
      file: z
        .string()
        .regex(/^[\w.-]+$/)
        .max(100),
    }),
    response: { 200: z.unknown() },
  },
});
