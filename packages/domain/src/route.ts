/**
 * In which order a driver visits the doorsteps (docs/product.md §14). Distances are between the centroids of zips, which is all
 * that is known without a map service; doors of one zip follow each other by street. Server-side: it carries turf.
 */

import { distanceKm } from "./geo.ts";
import { getOrThrow } from "./get-or-throw.ts";

/** A point in degrees. */
export type Point = { lat: number; lng: number };

/** A doorstep: its zip, the zip's centroid (null when the zip is unknown), and its street with the number. */
export interface RouteStop {
  zipCode: string;
  street: string;
  point: Point | null;
}

/** Shorter than this many kilometres is no gain: it ends the search where rounding would go on for ever. */
const NO_GAIN_KM = 1e-9;

const known = ({ point }: RouteStop): boolean =>
  point !== null && Number.isFinite(point.lat) && Number.isFinite(point.lng);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** "12B Main Street" is Main Street, 12, B: neighbours stand side by side. */
function streetParts(street: string): { name: string; house: number } {
  const match = /^\s*(?<house>\d{1,9})\w*\s+(?<name>.*)$/.exec(street);
  return {
    name: (match?.groups?.["name"] ?? street).trim().toLowerCase(),
    house: Number(match?.groups?.["house"] ?? 0),
  };
}

/** By zip, then street, then house: the default order, which no route may exceed in length. */
export function zipSorted<S extends RouteStop>(stops: readonly S[]): S[] {
  const keyed = stops.map((stop) => ({ stop, ...streetParts(stop.street) }));
  return keyed
    .toSorted(
      (a, b) =>
        compareText(a.stop.zipCode, b.stop.zipCode) ||
        compareText(a.name, b.name) ||
        a.house - b.house ||
        compareText(a.stop.street, b.stop.street),
    )
    .map(({ stop }) => stop);
}

/** Kilometres from the start over all stops, without the way home. Stops of unknown zips add nothing. */
export function routeKm(start: Point, stops: readonly RouteStop[]): number {
  let here = start;
  let km = 0;
  for (const stop of stops) {
    if (stop.point === null || !known(stop)) continue;
    km += distanceKm(here, stop.point);
    here = stop.point;
  }
  return km;
}

/** Kilometres between all places; place 0 is the start. */
function distances(points: readonly Point[]): Float64Array {
  const size = points.length;
  const table = new Float64Array(size * size);
  for (let from = 0; from < size; from += 1) {
    for (let to = from + 1; to < size; to += 1) {
      const km = distanceKm(getOrThrow(points, from), getOrThrow(points, to));
      table[from * size + to] = km;
      table[to * size + from] = km;
    }
  }
  return table;
}

/** From the start always to the nearest place not yet visited; of equally near ones the first. */
function nearestNeighbour(table: Float64Array, size: number): number[] {
  const left = new Set(Array.from({ length: size - 1 }, (_, place) => place + 1));
  const path = [0];
  while (left.size > 0) {
    const row = getOrThrow(path, path.length - 1) * size;
    let nearest = -1;
    for (const place of left)
      if (nearest < 0 || getOrThrow(table, row + place) < getOrThrow(table, row + nearest)) nearest = place;
    left.delete(nearest);
    path.push(nearest);
  }
  return path;
}

function pathKm(table: Float64Array, size: number, path: readonly number[]): number {
  let km = 0;
  for (let place = 1; place < path.length; place += 1)
    km += getOrThrow(table, getOrThrow(path, place - 1) * size + getOrThrow(path, place));
  return km;
}

/** Turns round any stretch that is shorter the other way, until none is. The start stays, the end is free. */
function twoOpt(table: Float64Array, size: number, given: readonly number[]): number[] {
  const path = [...given];
  const km = (from: number, to: number) => getOrThrow(table, getOrThrow(path, from) * size + getOrThrow(path, to));
  for (let better = true; better;) {
    better = false;
    for (let first = 1; first < path.length - 1; first += 1) {
      for (let last = first + 1; last < path.length; last += 1) {
        const after = last + 1 < path.length;
        const now = km(first - 1, first) + (after ? km(last, last + 1) : 0);
        const then = km(first - 1, last) + (after ? km(first, last + 1) : 0);
        if (then < now - NO_GAIN_KM) {
          path.splice(first, last - first + 1, ...path.slice(first, last + 1).toReversed());
          better = true;
        }
      }
    }
  }
  return path;
}

/**
 * One driver's order: nearest neighbour and 2-opt over the zips, never longer than `zipSorted`. Stops whose zip is unknown
 * come last, by zip: their place is unknown.
 */
export function planRoute<S extends RouteStop>(start: Point, stops: readonly S[]): S[] {
  const sorted = zipSorted(stops);
  const groups = [...Map.groupBy(sorted.filter(known), ({ zipCode }) => zipCode).values()];
  const lost = sorted.filter((stop) => !known(stop));
  if (groups.length < 2) return [...groups.flat(), ...lost];
  const points = [start, ...groups.map((group) => getOrThrow(group, 0).point ?? start)];
  const size = points.length;
  const table = distances(points);
  const byZip = points.map((_, place) => place);
  // From both beginnings: 2-opt only ever shortens, so the better one cannot be longer than by zip.
  const [nearest, plain] = [twoOpt(table, size, nearestNeighbour(table, size)), twoOpt(table, size, byZip)];
  const best = pathKm(table, size, plain) < pathKm(table, size, nearest) - NO_GAIN_KM ? plain : nearest;
  return [...best.slice(1).flatMap((place) => getOrThrow(groups, place - 1)), ...lost];
}

/** Pieces of the same size, or one more in the first ones. */
function cut<S>(stops: readonly S[], pieces: number): S[][] {
  const least = Math.floor(stops.length / pieces);
  const more = stops.length % pieces;
  return Array.from({ length: pieces }, (_, place) => {
    const from = place * least + Math.min(place, more);
    return stops.slice(from, from + least + (place < more ? 1 : 0));
  });
}

/**
 * The stops shared out over so many drivers, as many stops each (one more or less), each in the order to drive. All routes
 * together are never longer than the zip-sorted list cut into as many pieces. A driver without a stop is left out.
 * Throws RangeError for less than one driver.
 */
export function planRoutes<S extends RouteStop>(start: Point, stops: readonly S[], drivers: number): S[][] {
  if (!Number.isSafeInteger(drivers) || drivers < 1) throw new RangeError(`Not a number of drivers: ${drivers}`);
  const pieces = Math.min(drivers, Math.max(1, stops.length));
  const shares = [planRoute(start, stops), zipSorted(stops)].map((tour) =>
    cut(tour, pieces).map((piece) => planRoute(start, piece)),
  );
  const totals = shares.map((share) => share.reduce((km, route) => km + routeKm(start, route), 0));
  const best =
    getOrThrow(totals, 1) < getOrThrow(totals, 0) - NO_GAIN_KM ? getOrThrow(shares, 1) : getOrThrow(shares, 0);
  return best.filter((route) => route.length > 0);
}
