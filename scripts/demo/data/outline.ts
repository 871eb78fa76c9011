import { createRequire } from "node:module";

import { type Polygon, type Position, type Ring, toWkt, validatePolygon } from "@marketday/domain/geo";
import { merge } from "topojson-client";

const require = createRequire(import.meta.url);
interface Topology {
  objects: { counties: { geometries: { id: string }[] } };
}
let topology: Topology | undefined;

/** Farthest from the straight line between two ends, and how far, in degrees. */
function farthest(line: readonly Position[], from: number, to: number): { place: number; distance: number } {
  const [ax, ay] = line[from] as Position;
  const [bx, by] = line[to] as Position;
  const length = Math.hypot(bx - ax, by - ay);
  let best = { place: from, distance: 0 };
  for (let place = from + 1; place < to; place++) {
    const [x, y] = line[place] as Position;
    const distance =
      length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((by - ay) * x - (bx - ax) * y + bx * ay - by * ax) / length;
    if (distance > best.distance) best = { place, distance };
  }
  return best;
}

function douglasPeucker(line: readonly Position[], tolerance: number): Position[] {
  const keep = new Set([0, line.length - 1]);
  const stack: [number, number][] = [[0, line.length - 1]];
  for (let pair = stack.pop(); pair; pair = stack.pop()) {
    const [from, to] = pair;
    const { place, distance } = farthest(line, from, to);
    if (distance > tolerance) {
      keep.add(place);
      stack.push([from, place], [place, to]);
    }
  }
  return line.filter((_, place) => keep.has(place));
}

/** A closed ring with at most `most` points, as true to the original as that allows. */
function simplify(ring: Ring, most: number): Ring {
  // A closed line has no straight line between its ends: cut it at the point farthest from its start.
  const [first] = ring as [Position];
  const cut = ring.reduce((best, [x, y], place) => {
    const [bx, by] = ring[best] as Position;
    return Math.hypot(x - first[0], y - first[1]) > Math.hypot(bx - first[0], by - first[1]) ? place : best;
  }, 0);
  if (ring.length <= most) return ring;
  for (let tolerance = 0.0005; ; tolerance *= 1.5) {
    const simple = [
      ...douglasPeucker(ring.slice(0, cut + 1), tolerance).slice(0, -1),
      ...douglasPeucker(ring.slice(cut), tolerance),
    ];
    if (simple.length <= most) return simple;
  }
}

const rounded = (ring: Ring): Ring => ring.map(([lng, lat]) => [Number(lng.toFixed(6)), Number(lat.toFixed(6))]);

/**
 * The joined outline of some counties (FIPS ids of us-atlas) as polygons of at most 120 points a ring, six decimals,
 * counter-clockwise. Slivers below a hundredth of a square degree are left out. Throws when the result is not valid.
 */
export function countyOutline(fips: readonly string[]): Polygon[] {
  topology ??= require("us-atlas/counties-10m.json") as Topology;
  const counties = fips.map((id) => {
    const county = topology?.objects.counties.geometries.find((geometry) => geometry.id === id);
    if (!county) throw new Error(`No county ${id}`);
    return county;
  });
  return merge(topology, counties).coordinates.flatMap((rings) => {
    const [outline] = rings;
    if (!outline) return [];
    const lngs = outline.map(([lng]) => lng);
    const lats = outline.map(([, lat]) => lat);
    const box = (Math.max(...lngs) - Math.min(...lngs)) * (Math.max(...lats) - Math.min(...lats));
    if (box < 0.01) return [];
    const result = validatePolygon({ type: "Polygon", coordinates: [rounded(simplify(outline, 120))] });
    if (!result.ok) throw new Error(`Counties ${fips.join(", ")}: ${result.problems.join("; ")}`);
    return [result.polygon];
  });
}

/** Polygons as the WKT strings of a hub's `boundaries`. */
export const outlineWkt = (polygons: readonly Polygon[]): string[] => polygons.map(toWkt);
