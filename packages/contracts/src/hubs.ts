import type { PickupPlace } from "@marketday/domain/address";
import { z } from "zod";

import { CalendarDate, IdParams, Instant, Money } from "./common.ts";
import { endpoint } from "./endpoint.ts";

export const PickupAddress = z.object({
  name: z.string(),
  address: z.string(),
  city: z.string(),
  state: z.string(),
  zipCode: z.string(),
  hours: z.string(),
}) satisfies z.ZodType<PickupPlace>;
export const PickupPoint = z.object({ id: z.number().int(), ...PickupAddress.shape });
export type PickupPoint = z.infer<typeof PickupPoint>;

/** Whether the shopper's market delivers to a ZIP code, and in `note` what it offers instead (docs/product.md §3 "Market of a session"). */
export const HomeDelivery = z
  .object({ zipCode: z.string(), isPossible: z.boolean(), note: z.string() })
  .meta({ id: "HomeDelivery" });
export type HomeDelivery = z.infer<typeof HomeDelivery>;

/** spec §3 Hub without its boundaries, plus the zone, the next delivery day and its cutoff (docs/product.md §4). */
export const Hub = z
  .object({
    id: z.number().int(),
    slug: z.string(),
    name: z.string(),
    description: z.string(),
    /** English weekday. */
    deliveryDay: z.string(),
    deliveryFee: Money,
    /** Percent of the items after discount. Servers of the version before leave this and the fee out (docs/decisions/0001). */
    taxRate: z.number().optional(),
    /** Percent of the items, and a fixed amount for each order (docs/product.md §7 Rounding). */
    processingFee: z.object({ percent: z.number(), fixed: Money }).optional(),
    zipCode: z.string(),
    city: z.string(),
    state: z.string(),
    lat: z.number(),
    lng: z.number(),
    accessibleZipCodes: z.array(z.string()),
    timeZone: z.string(),
    nextDeliveryDate: CalendarDate.nullable(),
    cutoff: Instant.nullable(),
    pickupPoints: z.array(PickupPoint),
  })
  .meta({ id: "Hub" });
export type Hub = z.infer<typeof Hub>;

/** `boundaries`: WKT `POLYGON((lng lat, …))` strings. */
export const HubDetails = Hub.extend({ boundaries: z.array(z.string()) }).meta({ id: "HubDetails" });
export type HubDetails = z.infer<typeof HubDetails>;

/** spec §7.2: every published hub; no session needed. */
export const listHubs = endpoint({ method: "GET", url: "/hubs", schema: { response: { 200: z.array(Hub) } } });

/** spec §7.2. */
export const getHub = endpoint({
  method: "GET",
  url: "/hubs/:id/details",
  schema: { params: IdParams, response: { 200: HubDetails } },
});

/** spec §7.2, first form: answers `[hubId]`. */
export const putHubSwitch = endpoint({
  method: "PUT",
  url: "/hubs/:id/switch",
  schema: { params: IdParams, response: { 200: z.tuple([z.number().int()]) } },
});

/** spec §7.2, second form: answers a success flag. Both do the same (docs/product.md §3). */
export const postHubSwitch = endpoint({
  method: "POST",
  url: "/hubs/:id/switch",
  schema: { params: IdParams, response: { 200: z.object({ success: z.literal(true) }) } },
});

/**
 * A hub's delivery area, drawn by the server: paths in the units of `viewBox`, which shows `bounds` (degrees) in Web
 * Mercator. `boundary` is to be filled with the even-odd rule and is "" when the hub has none. `served`: how much of the
 * county lies inside. `zips`: the hub's accessible zip codes whose place is known.
 */
export const HubMap = z
  .object({
    viewBox: z.string(),
    bounds: z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() }),
    counties: z.string(),
    states: z.string(),
    boundary: z.string(),
    labels: z.array(
      z.object({
        name: z.string(),
        /** In full: "Indiana". */
        state: z.string(),
        x: z.number(),
        y: z.number(),
        served: z.enum(["all", "part"]).nullable(),
      }),
    ),
    pin: z.object({ x: z.number(), y: z.number() }),
    zips: z.array(z.object({ zipCode: z.string(), x: z.number(), y: z.number() })),
  })
  .meta({ id: "HubMap" });
export type HubMap = z.infer<typeof HubMap>;

/** spec §7.12: the map of a hub's boundaries without a maps service. Unknown: 404. */
export const getHubMap = endpoint({
  method: "GET",
  url: "/hubs/:id/map",
  schema: { params: IdParams, response: { 200: HubMap } },
});
