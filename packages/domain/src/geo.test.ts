import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  buildBoundaryIndex,
  contains,
  distanceKm,
  parseWkt,
  toWkt,
  validatePolygon,
  WktError,
  type HubArea,
  type Polygon,
  type Position,
  type Ring,
} from "./geo.ts";
import { getOrThrow } from "./get-or-throw.ts";

const square = "POLYGON((-86 39, -85 39, -85 40, -86 40, -86 39))";
const holed =
  "POLYGON((-86 39, -85 39, -85 40, -86 40, -86 39), (-85.6 39.4, -85.6 39.6, -85.4 39.6, -85.4 39.4, -85.6 39.4))";

describe("WKT", () => {
  test("parses outline and holes", () => {
    expect(parseWkt(holed)).toEqual({
      type: "Polygon",
      coordinates: [
        [
          [-86, 39],
          [-85, 39],
          [-85, 40],
          [-86, 40],
          [-86, 39],
        ],
        [
          [-85.6, 39.4],
          [-85.6, 39.6],
          [-85.4, 39.6],
          [-85.4, 39.4],
          [-85.6, 39.4],
        ],
      ],
    });
  });

  test.each([
    "polygon ((-86 39,-85 39,-85 40,-86 40,-86 39))",
    " POLYGON ( ( -86  39 ,\n-85 39, -85 4e1, -86 40.0, -86 +39 ) ) ",
  ])("case and spacing do not matter: %j", (text) => {
    expect(parseWkt(text)).toEqual(parseWkt(square));
  });

  test.each([
    ["", "Expected POLYGON"],
    ["POINT(1 2)", "Expected POLYGON"],
    ["MULTIPOLYGON(((1 2, 3 4, 5 6, 1 2)))", "Expected POLYGON"],
    ["POLYGON EMPTY", "Expected POLYGON"],
    ["POLYGON(1 2, 3 4)", "Expected rings"],
    ["POLYGON((1 2, 3 4)", "Expected rings"],
    ["POLYGON((1 2) (3 4))", "Expected rings"],
    ["POLYGON((1 2, 3 4),)", "Expected rings"],
    ["POLYGON(())", "Ring 1, point 1"],
    ["POLYGON((1 2, 3))", "Ring 1, point 2"],
    ["POLYGON((1 2, 3 4),(5 6, 7 x))", "Ring 2, point 2"],
    ["POLYGON((1 2, NaN 4))", "Ring 1, point 2"],
    ["POLYGON((1 2, 0x10 4))", "Ring 1, point 2"],
    ["POLYGON((1 2 3, 4 5 6))", "Ring 1, point 1"],
  ])("%j is refused: %s", (text, message) => {
    expect(() => parseWkt(text)).toThrow(WktError);
    expect(() => parseWkt(text)).toThrow(message);
  });

  test("what is written is read back", () => {
    const degree = (max: number) => fc.double({ min: -max, max, noNaN: true }).map((value) => value + 0);
    const ring = fc.array(fc.tuple(degree(180), degree(90)), { minLength: 4, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(ring, { minLength: 1, maxLength: 3 }), (coordinates) => {
        expect(parseWkt(toWkt({ type: "Polygon", coordinates }))).toEqual({ type: "Polygon", coordinates });
      }),
    );
  });
});

describe("validatePolygon", () => {
  test.each([
    ["POLYGON((0 0, 1 0, 0 0))", "The outline has fewer than 4 points"],
    ["POLYGON((0 0, 1 0, 1 1, 0 1))", "The outline is not closed"],
    ["POLYGON((0 0, 181 0, 1 1, 0 0))", "leaves the range"],
    ["POLYGON((0 0, 1 0, 1 91, 0 0))", "leaves the range"],
    ["POLYGON((0 0, 1e999 0, 1 1, 0 0))", "not finite"],
    ["POLYGON((0 0, 1 1, 2 2, 0 0))", "no area"],
    ["POLYGON((0 0, 2 2, 2 0, 0 3, 0 0))", "Lines cross at"],
    ["POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 5 1, 5 2, 1 2, 1 1))", "Lines cross at"],
    ["POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 2 1))", "Hole 1 has fewer than 4 points"],
    ["POLYGON((1 1, 1 1, 1 1, 1 1))", "The outline has no area"],
    ["POLYGON((0 0, 2 2, 2 0, 0 2, 0 0))", "Lines cross at 1 1"],
    ["POLYGON((0 0, 4 2, 4 -1, 0 3, 0 0))", "Lines cross at 2 1"],
    ["POLYGON((0 0, 1 1, 2 2, 2 0, 1 1, 0 2, 0 0))", "Lines cross at 1 1"], // with a point where it crosses
    ["POLYGON((0 0, 1 1, 2 2, 2 0, 0 2, 0 0))", "Lines cross at 1 1"], // one line passes through the point
    ["POLYGON((0 0, 4 0, 4 2, 6 2, 4 2, 4 4, 0 4, 0 0))", "Lines run along each other at 4 2"], // a spike
    ["POLYGON((0 0, 4 0, 4 4, 0 4, 0 0, 0 -1, 0 0))", "Lines run along each other at 0 0"], // at its start
    ["POLYGON((0 0, 4 0, 4 4, 2 4, 2 2, 2 4, 0 4, 0 0))", "Lines run along each other at 2 4"], // inward
    ["POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (0 1, 2 1, 2 2, 0 2, 0 1))", "Lines run along each other at"], // a hole at an edge
    ["POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (5 1, 6 1, 6 2, 5 1))", "Hole 1 is outside of the outline"],
    ["POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (4 1, 6 1, 6 2, 4 1))", "Hole 1 is outside of the outline"], // it touches from outside
    ["POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 8 1, 8 8, 1 1), (5 3, 6 3, 6 4, 5 3))", "Hole 2 is inside hole 1"],
    ["POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 5 1, 5 5, 1 1), (4 0.5, 6 0.5, 6 4, 4 0.5))", "Lines cross at"], // two holes
  ])("%s: %s", (text, problem) => {
    const result = validatePolygon(parseWkt(text));
    expect(result.ok ? [] : result.problems).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    ["a point twice", "POLYGON((0 0, 4 0, 4 0, 4 4, 0 4, 0 0))"],
    ["a point three times", "POLYGON((0 0, 4 0, 4 0, 4 0, 4 4, 0 4, 0 0))"],
    ["the first point twice", "POLYGON((0 0, 0 0, 4 0, 4 4, 0 4, 0 0))"],
    ["the closing point twice", "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0, 0 0))"],
    ["the last point before the closing one twice", "POLYGON((0 0, 4 0, 4 4, 0 4, 0 4, 0 0))"],
  ])("an outline with %s is the same area as without", (_, text) => {
    const result = validatePolygon(parseWkt(text));
    expect(result.ok && toWkt(result.polygon)).toBe("POLYGON((0 0, 4 0, 4 4, 0 4, 0 0))");
  });

  test.each([
    ["a hole that touches the outline with a corner", "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (0 2, 2 3, 2 1, 0 2))"],
    ["a hole that touches a corner of the outline", "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (0 0, 1 2, 2 1, 0 0))"],
    ["a hole that touches all edges", "POLYGON((0 0, 4 0, 4 4, 0 4, 0 0), (2 0, 0 2, 2 4, 4 2, 2 0))"],
    ["two holes that touch", "POLYGON((0 0, 9 0, 9 9, 0 9, 0 0), (1 1, 4 4, 4 1, 1 1), (4 4, 7 7, 7 4, 4 4))"],
    ["an outline that touches itself in a corner", "POLYGON((0 0, 2 1, 4 0, 4 4, 2 1, 0 4, 0 0))"],
    ["an outline with points on a straight edge", "POLYGON((0 0, 1 0, 2 0, 4 0, 4 4, 0 4, 0 2, 0 0))"],
  ])("%s is taken as drawn", (_, text) => {
    const result = validatePolygon(parseWkt(text));
    expect(result.ok && parseWkt(toWkt(result.polygon))).toEqual(parseWkt(text));
  });

  test("a polygon is valid or not from whatever point it starts, mirrored, and with its rings in either direction", () => {
    // On a small grid lines touch, cross and run along each other often.
    const point = fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }));
    const points = fc.array(point, { minLength: 3, maxLength: 8 });
    const judge = (rings: Position[][]) =>
      validatePolygon({
        type: "Polygon",
        coordinates: rings.map((ring) => [...ring, getOrThrow(ring, 0)]),
      });
    fc.assert(
      fc.property(fc.array(points, { minLength: 1, maxLength: 3 }), fc.nat(7), (rings, start) => {
        const isValid = judge(rings).ok;
        const turned = rings.map((ring) => [...ring.slice(start % ring.length), ...ring.slice(0, start % ring.length)]);
        expect(judge(turned).ok).toBe(isValid);
        expect(judge(rings.map((ring) => ring.toReversed())).ok).toBe(isValid);
        expect(judge(rings.map((ring) => ring.map(([lng, lat]): Position => [lat, -lng]))).ok).toBe(isValid);
      }),
      { numRuns: 2000 },
    );
  });

  test("no ring at all", () => {
    expect(validatePolygon({ type: "Polygon", coordinates: [] }).ok).toBe(false);
  });

  test("rings are wound as RFC 7946 requires, in whatever direction they are given", () => {
    const right = parseWkt(holed);
    const [rightOutline, rightHole] = [getOrThrow(right.coordinates, 0), getOrThrow(right.coordinates, 1)];
    for (const [outline, hole] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ]) {
      const given: Polygon = {
        type: "Polygon",
        coordinates: [outline ? rightOutline.toReversed() : rightOutline, hole ? rightHole.toReversed() : rightHole],
      };
      const result = validatePolygon(given);
      if (!result.ok) throw new Error(result.problems.join());
      expect(result.polygon.coordinates.map(turn)).toEqual(["left", "right"]);
    }
  });
});

/** Which way a ring turns, by the angle at its lowest point. */
function turn(ring: Ring): "left" | "right" {
  const open = ring.slice(0, -1);
  const lowest = open.reduce((best, [lng, lat], place) => {
    const [bestLng, bestLat] = getOrThrow(open, best);
    return lat < bestLat || (lat === bestLat && lng > bestLng) ? place : best;
  }, 0);
  const point = (step: number) => getOrThrow(open, (lowest + step + open.length) % open.length);
  const [a, b, c] = [point(-1), point(0), point(1)];
  return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0 ? "left" : "right";
}

describe("the index", () => {
  test.each([
    [-85.9, 39.1, [7]],
    [-85.5, 39.5, []], // in the hole
    [-86, 39.5, [7]], // on the edge
    [-84, 39.5, []],
    [Number.NaN, 39.5, []],
  ])("%d, %d is served by %j", (lng, lat, hubs) => {
    expect(buildBoundaryIndex([{ hubId: 7, polygons: [parseWkt(holed)] }]).find(lng, lat)).toEqual(hubs);
  });

  test("two hubs share a place, each comes once, ids ascending", () => {
    const polygons = [parseWkt(square), parseWkt(square)];
    const index = buildBoundaryIndex([
      { hubId: 9, polygons },
      { hubId: 4, polygons },
    ]);
    expect(index.find(-85.5, 39.5)).toEqual([4, 9]);
  });

  test("no hubs", () => {
    expect(buildBoundaryIndex([]).find(-85, 39)).toEqual([]);
    expect(buildBoundaryIndex([{ hubId: 1, polygons: [] }]).find(-85, 39)).toEqual([]);
  });

  /** A star round a point, with a smaller star as its hole. */
  const star = fc
    .record({
      lng: fc.double({ min: -120, max: -70, noNaN: true }),
      lat: fc.double({ min: 25, max: 48, noNaN: true }),
      radii: fc.array(fc.double({ min: 1, max: 4, noNaN: true }), { minLength: 5, maxLength: 12 }),
      holed: fc.boolean(),
    })
    .map(({ lng, lat, radii, holed: hasHole }): Polygon => {
      const ring = (scale: number): Ring => {
        const points = radii.map((radius, place): [number, number] => {
          const angle = (2 * Math.PI * place) / radii.length;
          return [lng + Math.cos(angle) * radius * scale, lat + Math.sin(angle) * radius * scale];
        });
        return [...points, getOrThrow(points, 0)];
      };
      return { type: "Polygon", coordinates: hasHole ? [ring(1), ring(0.5).toReversed()] : [ring(1)] };
    });

  test("equals the scan of all polygons, holes included", () => {
    const areas = fc.array(fc.array(star, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 15 });
    const points = fc.array(
      fc.record({
        place: fc.nat(),
        east: fc.double({ min: -5, max: 5, noNaN: true }),
        north: fc.double({ min: -5, max: 5, noNaN: true }),
      }),
      { minLength: 20, maxLength: 20 },
    );
    let inside = 0;
    fc.assert(
      fc.property(areas, points, (all, offsets) => {
        const hubs: HubArea[] = all.map((polygons, place) => ({ hubId: place + 1, polygons }));
        const index = buildBoundaryIndex(hubs);
        for (const { place, east, north } of offsets) {
          const [lng, lat] = getOrThrow(
            getOrThrow(getOrThrow(getOrThrow(all, place % all.length), 0).coordinates, 0),
            0,
          );
          const scan = hubs.filter(({ polygons }) =>
            polygons.some((polygon) => contains(polygon, lng + east, lat + north)),
          );
          inside += scan.length;
          expect(index.find(lng + east, lat + north)).toEqual(scan.map(({ hubId }) => hubId));
        }
      }),
      { numRuns: 200 },
    );
    expect(inside).toBeGreaterThan(0);
  });
});

test.each([
  [{ lat: 39.9784, lng: -86.118 }, { lat: 39.9784, lng: -86.118 }, 0],
  [{ lat: 40.7128, lng: -74.006 }, { lat: 34.0522, lng: -118.2437 }, 3936],
  [{ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }, 111],
  [{ lat: 90, lng: 0 }, { lat: -90, lng: 0 }, 20015],
])("from %j to %j are %i km", (from, to, km) => {
  expect(Math.round(distanceKm(from, to))).toBe(km);
  expect(Math.round(distanceKm(to, from))).toBe(km);
});
