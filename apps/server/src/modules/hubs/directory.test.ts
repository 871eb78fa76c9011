import { contains, parseWkt, toWkt, type Position } from "@marketday/domain/geo";
import fc from "fast-check";
import { expect, test } from "vitest";

import type { HubRow } from "./directory-store.ts";
import { buildDirectory } from "./directory.ts";

const row = (id: number, place: Partial<HubRow>): HubRow => ({
  id,
  slug: `market-${id}`,
  name: `Market ${id}`,
  description: "",
  delivery_day: "Thursday",
  time_zone: "America/Chicago",
  delivery_fee_cents: null,
  tax_rate_ppm: 0,
  processing_ppm: 0,
  processing_fixed_cents: 0,
  commission_ppm: 0,
  zip_code: "60614",
  city: "Chicago",
  state: "IL",
  lat: 41.9,
  lng: -87.6,
  zips: [],
  pickup_points: [],
  boundaries: [],
  ...place,
});
const square = (west: number, south: number, size: number) =>
  toWkt({
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [west + size, south],
        [west + size, south + size],
        [west, south + size],
        [west, south],
      ] as Position[],
    ],
  });

const nowhere = { place: () => null };
const at = (lat: number, lng: number) => ({ place: (zipCode: string) => ({ zipCode, lat, lng, city: "", state: "" }) });

test(
  "hub directory: a zip finds the hubs that list it and those whose boundary contains its centroid, nearest first",
  { tags: ["spec:7.1-06"] },
  () => {
    const rows = [
      row(1, { zips: ["60614"], lat: 40, lng: -87 }),
      row(2, { boundaries: [square(-88, 41, 2)], lat: 41.9, lng: -87.7 }),
      row(3, { zips: ["60614"], boundaries: [square(-88, 41, 2)], lat: 41, lng: -87 }),
      row(4, { zips: ["99999"], boundaries: [square(0, 0, 1)] }),
    ];
    const directory = buildDirectory(rows, at(41.92, -87.65));
    expect(directory.serving({ zipCode: "60614" }).map(({ id }) => id)).toEqual([2, 3, 1]);
    expect(directory.serving({ zipCode: "00000" }).map(({ id }) => id)).toEqual([2, 3]);
    expect(directory.serving({ lat: 41.92, lng: -87.65 }).map(({ id }) => id)).toEqual([2, 3]);
    expect(directory.serving({ lat: 41.92, lng: -87.65, zipCode: "60614" }).map(({ id }) => id)).toEqual([2, 3, 1]);
  },
);

test("hub directory: a zip without a known place is served by the hubs that list it", () => {
  const directory = buildDirectory(
    [row(1, { zips: ["00501"] }), row(2, { boundaries: [square(-180, -90, 180)] })],
    nowhere,
  );
  expect(directory.serving({ zipCode: "00501" }).map(({ id }) => id)).toEqual([1]);
  expect(directory.serving({ zipCode: "00502" })).toEqual([]);
});

test("hub directory: an invalid boundary is reported and matches no place, other boundaries still work", () => {
  const bad: number[] = [];
  const directory = buildDirectory(
    [row(1, { boundaries: ["POLYGON(oops)", square(0, 0, 1)] }), row(2, { boundaries: [""] })],
    nowhere,
    (id) => bad.push(id),
  );
  expect(bad).toEqual([1, 2]);
  expect(directory.serving({ lat: 0.5, lng: 0.5 }).map(({ id }) => id)).toEqual([1]);
});

test("hub directory: facts contain no boundaries, and an unknown id finds no hub", () => {
  const directory = buildDirectory([row(7, { boundaries: [square(0, 0, 1)] })], nowhere);
  expect(directory.byId(7)).toMatchObject({ id: 7, zips: [] });
  expect(directory.byId(7)).not.toHaveProperty("boundaries");
  expect(directory.byId(8)).toBeUndefined();
});

test("hub directory: finds the same hubs as a scan of all", () => {
  const hubs = fc.array(
    fc.record({
      west: fc.integer({ min: -100, max: -80 }),
      south: fc.integer({ min: 30, max: 45 }),
      size: fc.integer({ min: 1, max: 8 }),
      zips: fc.uniqueArray(fc.constantFrom("60614", "46032", "80202", "94110"), { maxLength: 3 }),
    }),
    { maxLength: 40 },
  );
  const place = fc.record({
    lat: fc.double({ min: 29, max: 54, noNaN: true }),
    lng: fc.double({ min: -101, max: -71, noNaN: true }),
  });
  fc.assert(
    fc.property(hubs, place, fc.constantFrom("60614", "46032", "80202", "94110"), (made, { lat, lng }, zipCode) => {
      const rows = made.map(({ west, south, size, zips }, n) =>
        row(n + 1, { boundaries: [square(west, south, size)], zips, lat: south, lng: west }),
      );
      const directory = buildDirectory(rows, at(lat, lng));
      const inside = rows
        .filter(({ boundaries }) => boundaries.some((wkt) => contains(parseWkt(wkt), lng, lat)))
        .map(({ id }) => id);
      const listing = rows.filter(({ zips }) => zips.includes(zipCode)).map(({ id }) => id);
      const ascending = (found: { id: number }[]) => found.map(({ id }) => id).toSorted((a, b) => a - b);
      expect(ascending(directory.serving({ lat, lng }))).toEqual(inside);
      expect(ascending(directory.serving({ zipCode }))).toEqual(
        [...new Set([...inside, ...listing])].toSorted((a, b) => a - b),
      );
    }),
    { numRuns: 300 },
  );
});
