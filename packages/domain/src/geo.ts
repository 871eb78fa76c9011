/**
 * Service areas: WKT polygons, their checks, and the index that finds the hubs of a point (docs/product.md §4). Server-side: it
 * carries turf and flatbush. Coordinates are degrees, `[longitude, latitude]`.
 */

import { bbox } from "@turf/bbox";
import { booleanPointInPolygon } from "@turf/boolean-point-in-polygon";
import { rewind } from "@turf/rewind";
import Flatbush from "flatbush";

import { findCrossing } from "./crossings.ts";
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

/** Whether all points of a ring are on one line. */
function onOneLine(ring: Ring): boolean {
  const [x, y] = getOrThrow(ring, 0);
  const away = ring.find(([lng, lat]) => lng !== x || lat !== y);
  return away === undefined || ring.every(([lng, lat]) => (lng - x) * (away[1] - y) === (lat - y) * (away[0] - x));
}

const ringName = (place: number): string => (place === 0 ? "The outline" : `Hole ${place}`);

/** A ring without points that repeat the one before. */
const withoutRepeats = (ring: Ring): Ring =>
  ring.filter(([lng, lat], place) => {
    const before = ring[place - 1];
    return !before || before[0] !== lng || before[1] !== lat;
  });

/** Whether a ring whose lines do not cross those of `around` is inside it. They may touch in points. */
function isInside(ring: Ring, around: Ring): boolean {
  const shape: Polygon = { type: "Polygon", coordinates: [around] };
  for (const [place, [lng, lat]] of ring.slice(1).entries()) {
    const [fromLng, fromLat] = getOrThrow(ring, place);
    // A corner may touch `around`; the middle of a line may too, but not of all lines.
    for (const point of [
      [lng, lat],
      [(lng + fromLng) / 2, (lat + fromLat) / 2],
    ]) {
      const isIn = booleanPointInPolygon(point, shape, { ignoreBoundary: true });
      if (isIn || !booleanPointInPolygon(point, shape)) return isIn;
    }
  }
  return true;
}

/** What is wrong with the places of holes whose lines cross nothing: outside of the outline, or one in another. */
function holeProblems([outline, ...holes]: Ring[]): string[] {
  if (!outline || holes.length === 0) return [];
  const tree = new Flatbush(holes.length);
  const boxes = holes.map((hole) => bbox({ type: "Polygon", coordinates: [hole] }));
  for (const [west, south, east, north] of boxes) tree.add(west, south, east, north);
  tree.finish();
  return holes.flatMap((hole, place) => {
    if (!isInside(hole, outline)) return [`${ringName(place + 1)} is outside of the outline`];
    const [west, south, east, north] = getOrThrow(boxes, place);
    const around = tree
      .search(west, south, east, north)
      .find((other) => other !== place && isInside(hole, getOrThrow(holes, other)));
    return around === undefined ? [] : [`${ringName(place + 1)} is inside hole ${around + 1}`];
  });
}

/**
 * Checks a polygon: rings that are closed, finite, in range and have an area, no line that crosses another or runs along it, holes
 * inside the outline. Lines may touch in a point. The polygon that comes back has no repeated points, its outline counter-clockwise and
 * its holes clockwise (RFC 7946 §3.1.6). Problems are sentences for operators.
 */
export function validatePolygon(polygon: Polygon): { ok: true; polygon: Polygon } | { ok: false; problems: string[] } {
  if (polygon.coordinates.length === 0) return { ok: false, problems: ["The polygon has no outline"] };
  const problems = polygon.coordinates.flatMap((ring, place) => ringProblems(ring, ringName(place)));
  if (problems.length > 0) return { ok: false, problems };
  const plain: Polygon = { type: "Polygon", coordinates: polygon.coordinates.map(withoutRepeats) };
  const small = plain.coordinates.flatMap((ring, place) =>
    ring.length < 4 || onOneLine(ring) ? [`${ringName(place)} has no area`] : [],
  );
  if (small.length > 0) return { ok: false, problems: small };
  const crossing = findCrossing(plain.coordinates);
  if (crossing) {
    const what = crossing.kind === "cross" ? "Lines cross" : "Lines run along each other";
    return { ok: false, problems: [`${what} at ${crossing.at.join(" ")}`] };
  }
  const misplaced = holeProblems(plain.coordinates);
  if (misplaced.length > 0) return { ok: false, problems: misplaced };
  return { ok: true, polygon: rewind(plain, { reverse: false }) as Polygon };
}

/** Whether a point is inside a polygon, its edge included, its holes not. */
export function contains(polygon: Polygon, lng: number, lat: number): boolean {
  return booleanPointInPolygon([lng, lat], polygon);
}

/** The middle of a polygon's box. */
export function middleOf(polygon: Polygon): { lat: number; lng: number } {
  const [west, south, east, north] = bbox(polygon);
  return { lat: (south + north) / 2, lng: (west + east) / 2 };
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
