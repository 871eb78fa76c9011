import { createRequire } from "node:module";

import { buildBoundaryIndex, contains, type HubArea, type Polygon, type Ring } from "@marketday/domain/geo";
import { merge } from "topojson-client";

import type { Row } from "./table.ts";

const AREAS = 3_000;
const POINTS = 200;

/** Closes a ring whose last point differs from the first by rounding. */
function closed(ring: Ring): Ring {
  const [first, last] = [ring[0], ring.at(-1)];
  return first && last && (first[0] !== last[0] || first[1] !== last[1]) ? [...ring, first] : ring;
}

/** `AREAS` counties as service areas, each with its islands. */
function counties(): HubArea[] {
  const topology = createRequire(import.meta.url)("us-atlas/counties-10m.json") as {
    objects: { counties: { geometries: unknown[] } };
  };
  return topology.objects.counties.geometries.slice(0, AREAS).map((county, place) => ({
    hubId: place + 1,
    polygons: merge(topology, [county]).coordinates.map((rings): Polygon => ({
      type: "Polygon",
      coordinates: rings.map(closed),
    })),
  }));
}

/** Points spread over the continental states, the same each time. */
const places = Array.from({ length: POINTS }, (_, n) => ({
  lng: -122 + ((n * 37) % POINTS) * (50 / POINTS),
  lat: 30 + ((n * 91) % POINTS) * (18 / POINTS),
}));

/** Microseconds per call of `work`, averaged over `times` calls. */
function time(work: (place: { lng: number; lat: number }) => unknown, times: number): number {
  for (const place of places.slice(0, 20)) work(place);
  const started = performance.now();
  for (let n = 0; n < times; n += 1) work(places[n % POINTS] as { lng: number; lat: number });
  return ((performance.now() - started) / times) * 1000;
}

/** The speed of the boundary index compared with a scan of every polygon, and whether both find the same hubs. */
export function benchPlaces(): Row[] {
  const areas = counties();
  const index = buildBoundaryIndex(areas);
  const linear = ({ lng, lat }: { lng: number; lat: number }) =>
    areas.filter(({ polygons }) => polygons.some((polygon) => contains(polygon, lng, lat))).map(({ hubId }) => hubId);
  const differing = places.filter((place) => String(index.find(place.lng, place.lat)) !== String(linear(place)));
  const slow = time(linear, 400);
  const fast = time(({ lng, lat }) => index.find(lng, lat), 40_000);
  return [
    {
      what: `hubs that serve a point, ${areas.length} counties`,
      value: `${Math.round(slow / fast)} × the linear scan (${fast.toFixed(1)} µs, ${slow.toFixed(0)} µs)`,
      wanted: "≥ 100 ×",
      good: slow / fast >= 100,
    },
    {
      what: "points where index and scan differ",
      value: String(differing.length),
      wanted: "0",
      good: differing.length === 0,
    },
  ];
}
