/**
 * Service areas: WKT polygons, their checks, and the index that finds the hubs of a point (docs/product.md §4). Server-side: it
 * carries turf and flatbush. Coordinates are degrees, `[longitude, latitude]`.
 */

import { bbox } from "@turf/bbox";
import { booleanPointInPolygon } from "@turf/boolean-point-in-polygon";
import { kinks } from "@turf/kinks";
import { rewind } from "@turf/rewind";
import Flatbush from "flatbush";

import { getOrThrow } from "./get-or-throw.ts";

/** `[longitude, latitude]` in degrees. */
export type Position = [number, number];
/** A closed line: the last position equals the first. */
export type Ring = Position[];
/** GeoJSON: the first ring is the outline, the others are holes. */
export type Polygon = { type: "Polygon"; coordinates: Ring[] };

/** A text that is no WKT polygon; the message has the position. */
export class WktError extends Error {
  override readonly name = "WktError";
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function parsePosition(text: string, ring: number, place: number): Position {
  const numbers = text.trim().split(/\s+/);
  if (numbers.length !== 2 || !numbers.every((number) => NUMBER.test(number))) {
    throw new WktError(`Ring ${ring}, point ${place}: expected "longitude latitude", found "${text.trim()}"`);
  }
  return [Number(numbers[0]), Number(numbers[1])];
}

/**
 * Parses `POLYGON((lng lat, …),(hole …))`, in any case and spacing. Throws WktError with the ring and point, counted from
 * 1, for anything else. Shape is not judged here: see `validatePolygon`.
 */
export function parseWkt(text: string): Polygon {
  const body = /^\s*POLYGON\s*\(([^]*)\)\s*$/i.exec(text)?.[1];
  if (body === undefined) throw new WktError("Expected POLYGON((longitude latitude, …))");
  if (!/^\s*\([^()]*\)(\s*,\s*\([^()]*\))*\s*$/.test(body)) {
    throw new WktError("Expected rings in parentheses, separated by commas");
  }
  const rings = [...body.matchAll(/\(([^()]*)\)/g)].map((match) => getOrThrow(match, 1));
  return {
    type: "Polygon",
    coordinates: rings.map((ring, ringPlace) =>
      ring.split(",").map((point, place) => parsePosition(point, ringPlace + 1, place + 1)),
    ),
  };
}

/** A polygon as WKT; `parseWkt` gives the same polygon back. */
export function toWkt(polygon: Polygon): string {
  const rings = polygon.coordinates.map((ring) => `(${ring.map(([lng, lat]) => `${lng} ${lat}`).join(", ")})`);
  return `POLYGON(${rings.join(", ")})`;
}

function ringProblems(ring: Ring, name: string): string[] {
  const [first] = ring;
  const last = ring.at(-1);
  if (first === undefined || last === undefined || ring.length < 4) return [`${name} has fewer than 4 points`];
  if (!ring.every(([lng, lat]) => Number.isFinite(lng) && Number.isFinite(lat)))
    return [`${name} has a number that is not finite`];
  if (!ring.every(([lng, lat]) => Math.abs(lng) <= 180 && Math.abs(lat) <= 90)) {
    return [`${name} leaves the range of longitude −180 to 180 and latitude −90 to 90`];
  }
  if (first[0] !== last[0] || first[1] !== last[1])
    return [`${name} is not closed: its last point differs from its first`];
  return [];
}

const ringName = (place: number): string => (place === 0 ? "The outline" : `Hole ${place}`);

/** Whether all points of a ring are on one line. */
function onOneLine(ring: Ring): boolean {
  const [x, y] = getOrThrow(ring, 0);
  const away = ring.find(([lng, lat]) => lng !== x || lat !== y);
  return away === undefined || ring.every(([lng, lat]) => (lng - x) * (away[1] - y) === (lat - y) * (away[0] - x));
}

/** Twice the signed area of a ring, by the shoelace rule, in square degrees. */
function ringArea(ring: Ring): number {
  return ring.slice(1).reduce((area, [lng, lat], place) => {
    const [beforeLng, beforeLat] = getOrThrow(ring, place);
    return area + beforeLng * lat - lng * beforeLat;
  }, 0);
}

/**
 * Checks a polygon: at least 4 points a ring, finite, in range, closed, with an area, no line crossing another. The polygon
 * that comes back has its outline counter-clockwise and its holes clockwise (RFC 7946). Problems are sentences for operators.
 */
export function validatePolygon(polygon: Polygon): { ok: true; polygon: Polygon } | { ok: false; problems: string[] } {
  if (polygon.coordinates.length === 0) return { ok: false, problems: ["The polygon has no outline"] };
  const problems = polygon.coordinates.flatMap((ring, place) => ringProblems(ring, ringName(place)));
  if (problems.length > 0) return { ok: false, problems };
  const flat = polygon.coordinates.flatMap((ring, place) =>
    ringArea(ring) === 0 ? [`${ringName(place)} has no area`] : [],
  );
  // The halves of a bow-tie cancel each other out: what is wrong with it is that it crosses itself.
  const [crossing] = flat.length > 0 && polygon.coordinates.every(onOneLine) ? [] : kinks(polygon).features;
  if (crossing !== undefined) {
    const [lng, lat] = crossing.geometry.coordinates;
    return { ok: false, problems: [`Lines cross at ${lng} ${lat}`] };
  }
  if (flat.length > 0) return { ok: false, problems: flat };
  return { ok: true, polygon: rewind(polygon, { reverse: false }) as Polygon };
}

/** Whether a point is inside a polygon, its edge included, its holes not. */
export function contains(polygon: Polygon, lng: number, lat: number): boolean {
  return booleanPointInPolygon([lng, lat], polygon);
}

/** A hub's service area. */
export type HubArea = { hubId: number; polygons: readonly Polygon[] };

/** Finds the hubs whose area contains a point, each once, ids ascending. */
export type BoundaryIndex = { find(lng: number, lat: number): number[] };

/** Builds the index: a tree over the polygons' boxes, then the exact test. Rebuild it when a boundary changes. */
export function buildBoundaryIndex(areas: readonly HubArea[]): BoundaryIndex {
  const entries = areas.flatMap(({ hubId, polygons }) => polygons.map((polygon) => ({ hubId, polygon })));
  if (entries.length === 0) return { find: () => [] };
  const tree = new Flatbush(entries.length);
  for (const { polygon } of entries) {
    const [west, south, east, north] = bbox(polygon);
    tree.add(west, south, east, north);
  }
  tree.finish();
  return {
    find(lng, lat) {
      if (!Number.isFinite(lng) || !Number.isFinite(lat)) return [];
      const hubs = new Set<number>();
      for (const place of tree.search(lng, lat, lng, lat)) {
        const { hubId, polygon } = getOrThrow(entries, place);
        if (!hubs.has(hubId) && contains(polygon, lng, lat)) hubs.add(hubId);
      }
      return [...hubs].toSorted((a, b) => a - b);
    },
  };
}

const EARTH_RADIUS_KM = 6371.0088;

/** Great-circle distance in kilometres between two points in degrees (haversine). */
export function distanceKm(from: { lat: number; lng: number }, to: { lat: number; lng: number }): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const lat = Math.sin(radians(to.lat - from.lat) / 2) ** 2;
  const lng = Math.sin(radians(to.lng - from.lng) / 2) ** 2;
  const h = lat + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * lng;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}
