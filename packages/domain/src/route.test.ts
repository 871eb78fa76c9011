import fc from "fast-check";
import { expect, test } from "vitest";

import { getOrThrow } from "./get-or-throw.ts";
import { planRoute, planRoutes, routeKm, type RouteStop, zipSorted } from "./route.ts";

interface Door extends RouteStop {
  id: number;
}
const start = { lat: 39.97, lng: -86.13 };
/** One place a zip, as in the zip tables; some zips are in no table. */
const zips = fc.uniqueArray(
  fc.record({
    zipCode: fc.integer({ min: 10_000, max: 99_999 }).map(String),
    point: fc.option(
      fc.record({
        lat: fc.double({ min: 38, max: 42, noNaN: true }),
        lng: fc.double({ min: -88, max: -84, noNaN: true }),
      }),
      { freq: 8 },
    ),
  }),
  { minLength: 1, maxLength: 14, selector: ({ zipCode }) => zipCode },
);
const doors = zips.chain((places) =>
  fc
    .array(
      fc
        .tuple(fc.nat({ max: places.length - 1 }), fc.integer({ min: 1, max: 999 }), fc.constantFrom("Oak", "Elm", ""))
        .map(([place, house, name]) => ({ ...getOrThrow(places, place), street: `${house} ${name}` })),
      { maxLength: 40 },
    )
    .map((list): Door[] => list.map((door, id) => ({ ...door, id }))),
);
const ids = (stops: readonly Door[]) => stops.map(({ id }) => id).toSorted((a, b) => a - b);

test("a route is never longer than the zip-sorted order and visits every door exactly once", () => {
  fc.assert(
    fc.property(doors, (stops) => {
      const route = planRoute(start, stops);
      expect(ids(route)).toEqual(ids(stops));
      expect(routeKm(start, route)).toBeLessThanOrEqual(routeKm(start, zipSorted(stops)) + 1e-6);
    }),
  );
});

test("several drivers share every door once, evenly, no farther than by zip", () => {
  fc.assert(
    fc.property(doors, fc.integer({ min: 1, max: 6 }), (stops, drivers) => {
      const routes = planRoutes(start, stops, drivers);
      expect(ids(routes.flat())).toEqual(ids(stops));
      const sizes = routes.map((route) => route.length);
      expect(Math.max(0, ...sizes) - Math.min(...sizes, Infinity)).toBeLessThanOrEqual(1);
      expect(routes.length).toBe(Math.min(drivers, stops.length));
      let sorted = zipSorted(stops);
      const byZip = routes.reduce((km, route) => {
        const piece = sorted.slice(0, route.length);
        sorted = sorted.slice(route.length);
        return km + routeKm(start, piece);
      }, 0);
      const planned = routes.reduce((km, route) => km + routeKm(start, route), 0);
      // The bound holds for pieces of the sizes the routes have: the larger ones come first in both.
      expect(planned).toBeLessThanOrEqual(byZip + 1e-6);
      for (const route of routes)
        expect(routeKm(start, route)).toBeLessThanOrEqual(routeKm(start, zipSorted(route)) + 1e-6);
    }),
  );
});

test("the same doors in another order of reading give the same route", () => {
  fc.assert(
    fc.property(doors, (stops) => {
      const street = ({ zipCode, street }: Door) => `${zipCode} ${street}`;
      expect(planRoute(start, stops.toReversed()).map(street)).toEqual(planRoute(start, stops).map(street));
    }),
  );
});

test("it drives round a ring instead of across it", () => {
  const ring = Array.from({ length: 12 }, (_, n) => ({
    id: n,
    // Zips that jump to and fro over the ring.
    zipCode: String(46_000 + ((n * 5) % 12)),
    street: "1 Main",
    point: { lat: 40 + Math.sin((n * Math.PI) / 6), lng: -86 + Math.cos((n * Math.PI) / 6) },
  }));
  const route = planRoute({ lat: 40, lng: -85 }, ring);
  const steps = route.slice(1).map(({ id }, place) => Math.abs(id - getOrThrow(route, place).id));
  expect(steps.filter((step) => step !== 1 && step !== 11)).toEqual([]);
  expect(routeKm({ lat: 40, lng: -85 }, route)).toBeLessThan(routeKm({ lat: 40, lng: -85 }, zipSorted(ring)) / 2);
});

test("route: of zips at the same place the lower one comes first", () => {
  const point = { lat: 40, lng: -86 };
  const stops = ["46034", "46032", "46033"].map((zipCode) => ({ zipCode, street: "1 Main", point }));
  expect(planRoute(start, stops).map(({ zipCode }) => zipCode)).toEqual(["46032", "46033", "46034"]);
});

test("doors of one zip follow each other by street and house; unknown zips come last", () => {
  const point = { lat: 40, lng: -86 };
  const door = (street: string, zipCode = "46032") => ({ zipCode, street, point: zipCode === "46032" ? point : null });
  const route = planRoute(start, [
    door("100 Oak St"),
    door("3 Nowhere", "00000"),
    door("9 Oak St"),
    door("12B Elm St"),
    door("2 Elm St"),
    door("PO Box 7"),
  ]);
  expect(route.map(({ street }) => street)).toEqual([
    "2 Elm St",
    "12B Elm St",
    "9 Oak St",
    "100 Oak St",
    "PO Box 7",
    "3 Nowhere",
  ]);
});

test("zipSorted: a street without a house number comes first, a house's letters follow its number, long numbers stay numbers", () => {
  const streets = ["5B Oak St", "123456789 Oak St", "Oak St", "  5A  OAK ST", "5a Oak St", "40 Oak St"];
  expect(
    zipSorted(streets.map((street) => ({ zipCode: "46032", street, point: null }))).map(({ street }) => street),
  ).toEqual(["Oak St", "  5A  OAK ST", "5B Oak St", "5a Oak St", "40 Oak St", "123456789 Oak St"]);
});

test("route: fewer than one driver is rejected, and no stops make no route", () => {
  for (const drivers of [0, -1, 1.5, Number.NaN]) expect(() => planRoutes(start, [], drivers)).toThrow(RangeError);
  expect(planRoutes(start, [], 3)).toEqual([]);
});
