import { isCalendarDate, isTimeZone, WEEKDAYS } from "@marketday/domain/calendar-date";
import { type Polygon, toWkt, validatePolygon } from "@marketday/domain/geo";
import { cleanLine, cleanText, cleanZip } from "@marketday/domain/text";
import { z } from "zod";

import { shown } from "../../lib/file-problem.ts";

const text = (most: number) => z.string().overwrite(cleanLine).min(1).max(most);
const dollars = z
  .number()
  .min(0)
  .max(10_000)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, "whole cents");
const percent = (most: number) => z.number().min(0).max(most);
const zip = z
  .string()
  .overwrite(cleanZip)
  .regex(/^\d{5}$/, "five digits in quotes");
const day = z.string().refine(isCalendarDate, "a date such as 2026-12-24");

const pickupPoint = z.strictObject({
  id: z.number().int().positive().optional(),
  name: text(100),
  address: text(200),
  city: text(100),
  state: text(50),
  zipCode: zip,
  hours: text(200),
  active: z.boolean().default(true),
});

/** The completed properties of a hub in a GeoJSON file. What is missing has its default. */
export const hubProperties = z.strictObject({
  slug: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    .max(100)
    .refine((slug) => !/^\d+$/.test(slug), "not all digits"),
  name: text(100),
  description: z.string().overwrite(cleanText).max(5_000).optional(),
  deliveryDay: z.enum(WEEKDAYS),
  /** IANA; default: the zone of the hub's place. */
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
    .array(z.strictObject({ day, reason: z.string().overwrite(cleanLine).max(200).default("") }))
    .max(1_000)
    .optional(),
  published: z.boolean().optional(),
  /** Whether orders that could not be charged are packed; default true. */
  packUnpaid: z.boolean().optional(),
});
export type HubProperties = z.infer<typeof hubProperties>;

/** A valid hub of a file. */
export interface HubPlan extends Omit<HubProperties, "timeZone" | "city" | "state" | "lat" | "lng"> {
  timeZone: string;
  city: string;
  state: string;
  lat: number;
  lng: number;
  wkt: readonly string[];
}

const position = z.tuple([z.number(), z.number()], z.number());
const ring = z.array(position);
/**
 * What each property should be, by its name in the file, for messages about rejected values. Of lists the whole (`zips`) and an item
 * (`zips.*`).
 */
export const expectedProperties: Readonly<Record<string, string>> = {
  slug: "a short name in lower-case letters, digits and dashes, with a letter in it, such as carmel",
  name: "the hub's name, such as Carmel market",
  description: "plain text of at most 5,000 characters",
  deliveryDay: "a weekday in English, such as Thursday",
  timeZone: "a time zone such as America/Chicago",
  deliveryFee: 'dollars without quotes and without a dollar sign, such as 7.50, or "none" for the market\'s default',
  taxRate: "a percentage from 0 to 50, without quotes and without a percent sign, such as 8.5",
  processingPercent: "a percentage from 0 to 50, without quotes and without a percent sign, such as 2.9",
  processingFixed: "dollars without quotes and without a dollar sign, such as 0.30",
  commission: "a percentage from 0 to 100, without quotes and without a percent sign, such as 15",
  zipCode: 'a zip of five digits in quotes, such as "46032"',
  city: "the name of a city",
  state: "a state, such as IN",
  lat: "a latitude from -90 to 90, without quotes, such as 39.98",
  lng: "a longitude from -180 to 180, without quotes, such as -86.13",
  zips: 'a list of zips in quotes, such as ["46032", "46033"]',
  "zips.*": 'a zip of five digits in quotes, such as "46032"',
  pickupPoints: "a list of pickup points, each in { } with name, address, city, state, zipCode and hours",
  "pickupPoints.*": "a pickup point in { } with name, address, city, state, zipCode and hours",
  "pickupPoints.*.id": "the number that `market hubs export` gives it, without quotes; a new point has none",
  "pickupPoints.*.name": "the name of the pickup point",
  "pickupPoints.*.address": "its street and number",
  "pickupPoints.*.city": "its city",
  "pickupPoints.*.state": "its state, such as IN",
  "pickupPoints.*.zipCode": 'its zip, five digits in quotes, such as "46032"',
  "pickupPoints.*.hours": "its hours in words, such as Thursday 3 to 7 PM",
  "pickupPoints.*.active": "true or false, without quotes",
  closures: 'a list such as [{ "day": "2026-12-24", "reason": "Holidays" }]',
  "closures.*": 'a closed day such as { "day": "2026-12-24", "reason": "Holidays" }',
  "closures.*.day": "a date such as 2026-12-24",
  "closures.*.reason": "a reason in words, or left out",
  published: "true or false, without quotes",
  packUnpaid: "true or false, without quotes",
};

/** A service area; null: only its zips. */
export const hubGeometry = z
  .discriminatedUnion("type", [
    z.object({ type: z.literal("Polygon"), coordinates: z.array(ring) }),
    z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(z.array(ring)) }),
  ])
  .nullable();

interface AnyGeometry {
  type?: unknown;
  coordinates?: unknown;
  geometries?: unknown;
}

/** The geometries in a GeometryCollection, at any depth; of any other value itself. */
function partsOf(value: unknown): unknown[] {
  const { type, geometries } = (value ?? {}) as AnyGeometry;
  return type === "GeometryCollection" && Array.isArray(geometries) ? geometries.flatMap(partsOf) : [value];
}

/**
 * A GeometryCollection as one MultiPolygon of its areas, or the first of its parts that is none, to be refused. Coordinates and
 * collections that are empty are null (RFC 7946 §3.1). Anything else as it is.
 */
export function asArea(value: unknown): unknown {
  const parts = partsOf(value).filter((part) => {
    const { coordinates } = (part ?? {}) as AnyGeometry;
    return part !== null && !(Array.isArray(coordinates) && coordinates.length === 0);
  });
  if (parts.length < 2) return parts[0] ?? null;
  const polygons: unknown[] = [];
  for (const part of parts) {
    const { type, coordinates } = part as AnyGeometry;
    if (type === "Polygon") polygons.push(coordinates);
    else if (type === "MultiPolygon" && Array.isArray(coordinates)) polygons.push(...(coordinates as unknown[]));
    else return part;
  }
  return { type: "MultiPolygon", coordinates: polygons };
}

/** Whether a ring crosses the 180th meridian, where RFC 7946 §3.1.9 requires it to be cut. */
const overDateLine = (points: readonly (readonly number[])[]): boolean => {
  let [west, east] = [Infinity, -Infinity];
  for (const [lng = 0] of points) [west, east] = [Math.min(west, lng), Math.max(east, lng)];
  return east - west > 180 && west >= -180 && east <= 180;
};

/** The message for a polygon's problem. */
const polygonText = (problem: string, crs: string | null): string => {
  const more = problem.includes("leaves the range")
    ? crs !== null
      ? ` The file's coordinates are in "${shown(crs)}". Export it in degrees, as WGS 84 (EPSG:4326).`
      : " Longitude comes first: [-86.13, 39.98], not [39.98, -86.13]."
    : problem.startsWith("Lines cross")
      ? " The outline crosses itself here. Draw it without a crossing, and the parts of an area as a MultiPolygon."
      : problem.startsWith("Lines run along")
        ? " The outline goes out and back on one line, or a hole shares an edge with it. Leave that line out."
        : problem.includes("not closed")
          ? " Repeat the first point at the end."
          : "";
  return `${problem}.${more}`;
};

/**
 * A checked geometry → polygons as they are stored (WKT), with normalized ring directions and without repeated points. Problems
 * are paths below `geometry` with a sentence.
 * @param crs the coordinate system that the file names (GeoJSON of before RFC 7946), for messages
 */
export function wktOf(
  geometry: z.infer<typeof hubGeometry>,
  crs: string | null,
): { wkt: string[] } | { path: (string | number)[]; sentence: string } {
  if (geometry === null) return { wkt: [] };
  const many = geometry.type === "MultiPolygon";
  const polygons = many ? geometry.coordinates : [geometry.coordinates];
  const wkt: string[] = [];
  for (const [place, rings] of polygons.entries()) {
    // RFC 7946 §3.1: empty coordinates are as null.
    if (rings.length === 0) continue;
    const path = ["coordinates", ...(many ? [place] : [])];
    const polygon: Polygon = {
      type: "Polygon",
      coordinates: rings.map((points) => points.map(([lng, lat]) => [lng, lat] as [number, number])),
    };
    if (rings.some(overDateLine))
      return {
        path,
        sentence: "The shape crosses the date line: cut it there into the parts of a MultiPolygon.",
      };
    const checked = validatePolygon(polygon);
    if (!checked.ok) return { path, sentence: checked.problems.map((problem) => polygonText(problem, crs)).join(" ") };
    wkt.push(toWkt(checked.polygon));
  }
  return { wkt };
}
