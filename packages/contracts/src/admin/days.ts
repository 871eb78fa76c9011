import { z } from "zod";

import { CalendarDate, Instant, Money } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

const params = z.object({ hub: z.string().max(200), date: CalendarDate });
const access = { permission: "day.run", where: "hub" } as const;

/** Where a tote goes: a driver's stop or a pickup point; null: not on the sheets of that version, or its address is gone. */
const Destination = z.union([
  z.object({ driver: z.number().int(), stop: z.number().int() }),
  z.object({ pickup: z.string() }),
  z.null(),
]);

/** One thing that a version changed: a tote's contents, where it goes or what is collected for it. */
const DayChange = z.object({
  kind: z.enum(["cancelled", "changed", "added", "moved", "rerouted", "noted", "collect"]),
  tote: z.number().int(),
  orderId: z.number().int(),
  /** Empty when the account was deleted. */
  name: z.string(),
  lines: z.array(z.object({ vendor: z.string(), item: z.string(), before: z.number().int(), after: z.number().int() })),
  collect: z.object({ before: Money, after: Money }),
  goesTo: z.object({ before: Destination, after: Destination }),
});

/** A version of the day: its orders at `frozenAt`, never changed later. */
const SheetVersion = z.object({
  version: z.number().int(),
  frozenAt: Instant,
  /** When its sheets were made; null: no one made them, and none can be printed. */
  madeAt: Instant.nullable(),
  drivers: z.number().int().nullable(),
  /** What differs from the version before; null in the first. */
  changes: z.array(DayChange).nullable(),
});

/** A vendor's share of a day. `items`: different variants. */
const DayVendor = z.object({
  id: z.number().int(),
  name: z.string(),
  slug: z.string(),
  units: z.number().int(),
  items: z.number().int(),
  /** Null: not known. `by`: a person's name. */
  confirmed: z.object({ at: Instant, by: z.string() }).nullable(),
  arrived: z.object({ at: Instant, by: z.string() }).nullable(),
  /** Items of which fewer came than were ordered, counted or settled. */
  shorts: z.number().int(),
  /** Those of them that are not settled. */
  shortsToSettle: z.number().int(),
  /** Of what is known of it: `expectedVersion`. */
  version: z.number().int(),
});

export const DaySheets = z
  .object({
    hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() }),
    day: CalendarDate,
    cutoffAt: Instant,
    /**
     * "open": takes orders. "closing": its cutoff has passed and is not complete. "frozen": sheets can be made. "over": the
     * date has passed without a cutoff, so it has no sheets. "skipped": the market does not deliver on this date.
     */
    state: z.enum(["open", "closing", "frozen", "over", "skipped"]),
    /** When the orders were closed: the cutoff, or earlier for a day that was closed early; null before. */
    closedAt: Instant.nullable(),
    /** Orders have changed since the newest version; false once the date has passed, when new sheets are of no use. */
    isStale: z.boolean(),
    /** Of the newest version; before the cutoff, of the orders so far. */
    boxes: z.number().int(),
    units: z.number().int(),
    toCollect: Money,
    vendors: z.array(DayVendor),
    /** Newest first. */
    versions: z.array(SheetVersion),
    /** Names of the files that `getSheetFile` answers for the newest version; none before its sheets are made. */
    files: z.array(z.string()),
  })
  .meta({ id: "DaySheets" });
export type DaySheets = z.infer<typeof DaySheets>;

/** A delivery day with its sheets. 404 for an unknown market or a date without a delivery. */
export const getDay = adminEndpoint({
  method: "GET",
  url: "/hubs/:hub/days/:date",
  access,
  schema: { params, response: { 200: DaySheets } },
});

/**
 * Makes the sheets, a new version when orders or the number of drivers have changed, as `market sheets` does. 409 `open` before the
 * cutoff, `cutoff_not_run` until it has run, `conflict` with the day as `current` when someone else has made sheets meanwhile.
 */
export const createSheets = adminEndpoint({
  method: "POST",
  url: "/hubs/:hub/days/:date/sheets",
  access,
  schema: {
    params,
    /**
     * `drivers`: the default is the number of the previous sheets, else one. `expectedVersion`: the newest version with a `madeAt`
     * that the person sees, null when there is none; without it, nothing is compared.
     */
    body: z.object({
      drivers: z.number("Enter a number of drivers").int().min(1).max(999).optional(),
      expectedVersion: z.number().int().nullable().optional(),
    }),
    response: { 200: DaySheets },
  },
});

/**
 * A file of a version, as it is printed: PDF, CSV or ZPL. The same version always gives the same bytes, those of `market sheets`;
 * only a deleted account changes them, because its name leaves every version. Every version whose sheets were made can be printed.
 * Besides the files of the command: `all-sheets.pdf` (all but the labels, which need other paper), and for each older version N
 * `changed-since-N.pdf` and its labels: only the totes, fill lines and stops that differ. 404 for any other name.
 */
export const getSheetFile = adminEndpoint({
  method: "GET",
  url: "/hubs/:hub/days/:date/sheets/:version/:file",
  access,
  schema: {
    params: params.extend({
      version: z.coerce.number().int().min(1).max(1_000_000),
      file: z.string().max(100),
    }),
    response: { 200: z.unknown() },
  },
});
