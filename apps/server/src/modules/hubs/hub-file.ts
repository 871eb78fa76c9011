import { isCalendarDate, isTimeZone, WEEKDAYS } from "@marketday/domain/calendar-date";
import { type Polygon, toWkt, validatePolygon } from "@marketday/domain/geo";
import { z } from "zod";

const text = (most: number) => z.string().trim().min(1).max(most);
const dollars = z
  .number()
  .min(0)
  .max(10_000)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, "whole cents");
const percent = (most: number) => z.number().min(0).max(most);
const zip = z.string().regex(/^\d{5}$/, "five digits in quotes");
const day = z.string().refine(isCalendarDate, "a date such as 2026-12-24");

const pickupPoint = z.strictObject({
  name: text(100),
  address: text(200),
  city: text(100),
  state: text(50),
  zipCode: zip,
  hours: text(200),
  active: z.boolean().default(true),
});

/** The properties of a hub in a GeoJSON file. What is left out stays as it is, or has its default in a new hub. */
export const hubProperties = z.strictObject({
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(100)
    .refine((slug) => !/^\d+$/.test(slug), "not all digits"),
  name: text(100),
  description: z.string().trim().max(5_000).optional(),
  deliveryDay: z.enum(WEEKDAYS),
  /** IANA; from the hub's place when left out. */
  timeZone: z.string().refine(isTimeZone, "a time zone such as America/Chicago").optional(),
  /** Dollars; null: the default of the market. */
  deliveryFee: dollars.nullable().optional(),
  taxRate: percent(50).optional(),
  processingPercent: percent(50).optional(),
  processingFixed: dollars.optional(),
  commission: percent(100).optional(),
  zipCode: zip,
  city: text(100).optional(),
  state: text(50).optional(),
  lat: z.number().min(-90).max(90).optional(),
  lng: z.number().min(-180).max(180).optional(),
  zips: z.array(zip).max(20_000).optional(),
  pickupPoints: z.array(pickupPoint).max(200).optional(),
  closures: z
    .array(z.strictObject({ day, reason: z.string().trim().max(200).default("") }))
    .max(1_000)
    .optional(),
  published: z.boolean().optional(),
  /** Whether orders that could not be charged are packed all the same; yes in a new hub. */
  packUnpaid: z.boolean().optional(),
});
export type HubProperties = z.infer<typeof hubProperties>;

const position = z.tuple([z.number(), z.number()], z.number());
const ring = z.array(position);
/** What a service area may be; null: its zips alone. */
export const hubGeometry = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("Polygon"), coordinates: z.array(ring) }),
    z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(z.array(ring)) }),
  ])
  .nullable();

/** Whether a ring leaps over the 180th meridian: RFC 7946 §3.1.9 wants it cut there. */
const overDateLine = (points: readonly (readonly number[])[]): boolean => {
  const lngs = points.map(([lng]) => lng ?? 0);
  return Math.max(...lngs) - Math.min(...lngs) > 180;
};

/**
 * A checked geometry → polygons as they are stored (WKT), turned the right way round. Problems are paths below
 * `geometry` and what would be right there.
 */
export function wktOf(
  geometry: z.infer<typeof hubGeometry>,
): { wkt: string[] } | { path: (string | number)[]; right: string } {
  if (geometry === null) return { wkt: [] };
  const many = geometry.type === "MultiPolygon";
  const polygons = many ? geometry.coordinates : [geometry.coordinates];
  const wkt: string[] = [];
  for (const [place, rings] of polygons.entries()) {
    const path = ["coordinates", ...(many ? [place] : [])];
    const polygon: Polygon = {
      type: "Polygon",
      coordinates: rings.map((points) => points.map(([lng, lat]) => [lng, lat] as [number, number])),
    };
    if (rings.some(overDateLine))
      return {
        path,
        right: "a shape that does not leap over the date line: cut it there into the parts of a MultiPolygon",
      };
    const checked = validatePolygon(polygon);
    if (!checked.ok) return { path, right: `a shape without this: ${checked.problems.join("; ")}` };
    wkt.push(toWkt(checked.polygon));
  }
  return { wkt };
}
