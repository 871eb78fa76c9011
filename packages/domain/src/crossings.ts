/** Where the lines of a polygon's rings meet as they must not: `findCrossing`. Coordinates are degrees. */

import Flatbush from "flatbush";
import { orient2d } from "robust-predicates";

import { getOrThrow } from "./get-or-throw.ts";

/** `[longitude, latitude]` in degrees. */
type Position = [number, number];

/** A place where the lines of a polygon must not meet: they cross there, or run along each other from there. */
export type Crossing = { kind: "cross" | "along"; at: Position };

/** A line of a ring, with the points before and after it. */
type Segment = {
  ring: number;
  place: number;
  isLast: boolean;
  before: Position;
  from: Position;
  to: Position;
  after: Position;
};

const isSame = (a: Position, b: Position): boolean => a[0] === b[0] && a[1] === b[1];

/** On which side of the line from `a` to `b` a point is: 1: left, -1: right, 0: on it. Exact, whatever the rounding. */
const sideOf = (a: Position, b: Position, point: Position): number =>
  -Math.sign(orient2d(a[0], a[1], b[0], b[1], point[0], point[1]));

/** Whether two points are in the same direction from a third one. */
const isSameWay = (from: Position, a: Position, b: Position): boolean =>
  sideOf(from, a, b) === 0 && (a[0] - from[0]) * (b[0] - from[0]) + (a[1] - from[1]) * (b[1] - from[1]) > 0;

/** West, south, east and north of a segment. */
const boxOf = ({ from, to }: Segment): [number, number, number, number] => [
  Math.min(from[0], to[0]),
  Math.min(from[1], to[1]),
  Math.max(from[0], to[0]),
  Math.max(from[1], to[1]),
];

/** Whether a point that is on the segment's line is between its ends, ends included. */
function isBetween(segment: Segment, [lng, lat]: Position): boolean {
  const [west, south, east, north] = boxOf(segment);
  return west <= lng && lng <= east && south <= lat && lat <= north;
}

/** The neighbors of a point of a segment on its ring: the points that the line comes from and goes on to. */
function neighborsOf({ before, from, to, after }: Segment, point: Position): [Position, Position] {
  if (isSame(point, from)) return [before, to];
  return isSame(point, to) ? [from, after] : [from, to];
}

/** Whether the direction from `point` to `target` is inside the angle that opens to the left of the path `before`, `point`, `after`. */
function isLeftOf([before, after]: [Position, Position], point: Position, target: Position): boolean {
  const left = sideOf(before, point, target) > 0;
  const right = sideOf(point, after, target) > 0;
  return sideOf(before, point, after) >= 0 ? left && right : left || right;
}

/** The point where two segments that cross each other do so, rounded. */
function crossingOf({ from: a, to: b }: Segment, { from: c, to: d }: Segment): Position {
  const across = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0]);
  const share = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / across;
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
}

/** Compares two segments that are no neighbors; null: they do not meet, or only touch in a point. */
function compareApart(one: Segment, other: Segment): Crossing | null {
  const [from, to] = [sideOf(one.from, one.to, other.from), sideOf(one.from, one.to, other.to)];
  if (from * to > 0) return null;
  const [otherFrom, otherTo] = [sideOf(other.from, other.to, one.from), sideOf(other.from, other.to, one.to)];
  if (otherFrom * otherTo > 0) return null;
  if (from === 0 && to === 0) {
    const shared = [other.from, other.to].filter((point) => isBetween(one, point));
    const own = [one.from, one.to].filter((point) => isBetween(other, point));
    const [first] = shared.length > 0 ? shared : own;
    if (!first) return null;
    // One shared end is a touch; two different points mean a shared line.
    const away = [...shared, ...own].find((point) => !isSame(point, first));
    if (away) return { kind: "along", at: first };
  } else if (from !== 0 && to !== 0 && otherFrom !== 0 && otherTo !== 0) {
    return { kind: "cross", at: crossingOf(one, other) };
  }
  const at =
    [other.from, other.to].find((point) => sideOf(one.from, one.to, point) === 0 && isBetween(one, point)) ??
    (otherFrom === 0 ? one.from : one.to);
  const path = neighborsOf(one, at);
  const [comes, goes] = neighborsOf(other, at);
  if (path.some((point) => isSameWay(at, point, comes) || isSameWay(at, point, goes))) return { kind: "along", at };
  return isLeftOf(path, at, comes) === isLeftOf(path, at, goes) ? null : { kind: "cross", at };
}

/** Compares two segments; neighbors on a ring share a point and are wrong only where the line turns back on itself. */
function compare(one: Segment, other: Segment): Crossing | null {
  const follows = one.ring === other.ring && other.place === one.place + 1;
  const closes = one.ring === other.ring && one.place === 0 && other.isLast;
  if (!follows && !closes) return compareApart(one, other);
  const [before, shared, after] = follows ? [one.from, one.to, other.to] : [other.from, other.to, one.to];
  return isSameWay(shared, before, after) ? { kind: "along", at: shared } : null;
}

/**
 * Finds a place where two lines of a polygon cross or run along each other. Lines that touch in a point do neither, of one ring or
 * of two. Takes n log n steps for n points, in a usual outline.
 * @param rings of one polygon, closed, without repeated neighbors, of at least 4 positions
 */
export function findCrossing(rings: readonly Position[][]): Crossing | null {
  const segments: Segment[] = [];
  for (const [ring, positions] of rings.entries()) {
    const count = positions.length - 1;
    const at = (place: number): Position => getOrThrow(positions, (place + count) % count);
    for (let place = 0; place < count; place += 1)
      segments.push({
        ring,
        place,
        isLast: place === count - 1,
        before: at(place - 1),
        from: at(place),
        to: at(place + 1),
        after: at(place + 2),
      });
  }
  const tree = new Flatbush(segments.length);
  for (const segment of segments) tree.add(...boxOf(segment));
  tree.finish();
  for (const [index, one] of segments.entries()) {
    for (const other of tree.search(...boxOf(one), (found) => found > index)) {
      const found = compare(one, getOrThrow(segments, other));
      if (found) return found;
    }
  }
  return null;
}
