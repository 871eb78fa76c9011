import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { parseWkt, type Position } from "@marketday/domain/geo";
import { beforeEach, describe, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const file = join(market.dir, "outlines.geojson");

const SOUTH_WEST: Position = [-86.2, 39.9];
const SOUTH_EAST: Position = [-86, 39.9];
const NORTH_EAST: Position = [-86, 40.1];
const NORTH_WEST: Position = [-86.2, 40.1];
const square = [SOUTH_WEST, SOUTH_EAST, NORTH_EAST, NORTH_WEST, SOUTH_WEST];
const area = [square];

const feature = (geometry: unknown) => ({
  type: "Feature",
  properties: { slug: "carmel", name: "Carmel market", deliveryDay: "Thursday", zipCode: "46032" },
  geometry,
});
const write = (content: unknown) => writeFileSync(file, JSON.stringify(content));
const collection = (geometry: unknown) => ({ type: "FeatureCollection", features: [feature(geometry)] });
const polygon = (...coordinates: unknown[]) => ({ type: "Polygon", coordinates });
const storedAreas = async () => {
  const { boundaries } = await market.db.hub.findFirstOrThrow({ where: { slug: "carmel" } });
  return (boundaries as string[]).map((wkt) => parseWkt(wkt).coordinates);
};
const importHubs = async (...flags: string[]) => {
  const { code, out, err } = await market.run("hubs", "import", file, ...flags);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
};

beforeEach(async () => {
  write(collection(polygon(square)));
  await importHubs();
});

describe("valid GeoJSON that other programs write", () => {
  test.each<[string, unknown]>([
    [
      "a point given twice",
      collection(polygon([SOUTH_WEST, SOUTH_EAST, SOUTH_EAST, NORTH_EAST, NORTH_WEST, SOUTH_WEST])),
    ],
    ["a point given three times", collection(polygon([SOUTH_WEST, SOUTH_EAST, SOUTH_EAST, ...square.slice(1)]))],
    ["the first point given twice", collection(polygon([SOUTH_WEST, ...square]))],
    [
      "the last point before the closing one given twice",
      collection(polygon([...square.slice(0, -1), NORTH_WEST, SOUTH_WEST])),
    ],
    ["the closing point given twice", collection(polygon([...square, SOUTH_WEST]))],
    ["a clockwise outline", collection(polygon(square.toReversed()))],
    ["heights", collection(polygon(square.map((point) => [...point, 250])))],
    [
      "a bounding box, an id and members of another program",
      {
        ...collection({ ...polygon(square), bbox: [-86.2, 39.9, -86, 40.1] }),
        name: "areas",
        crs: { type: "name", properties: { name: "urn:ogc:def:crs:OGC:1.3:CRS84" } },
      },
    ],
    [
      "a MultiPolygon with one part and a double point",
      collection({ type: "MultiPolygon", coordinates: [[[SOUTH_WEST, ...square]]] }),
    ],
    ["a MultiPolygon with an empty part", collection({ type: "MultiPolygon", coordinates: [area, []] })],
    ["a file of one feature", feature(polygon(square))],
    ["empty coordinates", collection({ type: "Polygon", coordinates: [] })],
    ["an empty collection", collection({ type: "GeometryCollection", geometries: [] })],
    ["a collection of one area", collection({ type: "GeometryCollection", geometries: [polygon(square)] })],
    [
      "a collection in a collection, and an empty area",
      collection({
        type: "GeometryCollection",
        geometries: [
          { type: "GeometryCollection", geometries: [polygon(square)] },
          { type: "MultiPolygon", coordinates: [] },
        ],
      }),
    ],
  ])("%s: it is the same area, so nothing changes", async (_, content) => {
    write(content);
    expect(await importHubs()).toContain("nothing was changed");
    expect(await storedAreas()).toEqual([area]);
  });

  test("a hole that touches the outline, another hole and its own corner: stored as drawn", async () => {
    const holes = [
      [SOUTH_WEST, [-86.15, 40], [-86.1, 39.95], SOUTH_WEST],
      [
        [-86.15, 40],
        [-86.15, 40.05],
        [-86.1, 40],
        [-86.15, 40],
      ],
    ];
    write(collection(polygon(square, ...holes)));
    await importHubs();
    expect(await storedAreas()).toEqual([[square, ...holes]]);
  });

  test("a collection of areas: the parts of one outline; `none` empties it", async () => {
    const east = [
      [-85.9, 39.9],
      [-85.8, 39.9],
      [-85.8, 40],
      [-85.9, 39.9],
    ];
    const parts = { type: "MultiPolygon", coordinates: [[east]] };
    write(collection({ type: "GeometryCollection", geometries: [polygon(square), parts] }));
    await importHubs();
    expect(await storedAreas()).toEqual([area, [east]]);
    write(collection("none"));
    await importHubs();
    expect(await storedAreas()).toEqual([]);
  });

  test("UTF-16 with a byte order mark, as PowerShell writes it: the same area", async () => {
    writeFileSync(file, `\uFEFF${JSON.stringify(collection(polygon(square)))}`, "utf16le");
    expect(await importHubs()).toContain("nothing was changed");
  });

  test("an outline of 150,000 points, drawn by a program: it is stored point by point", async () => {
    const circle = Array.from({ length: 150_000 }, (_, place): Position => {
      const angle = (place / 150_000) * 2 * Math.PI;
      const radius = 0.2 + 0.01 * Math.sin(place / 7);
      return [-86.12 + radius * Math.cos(angle), 39.97 + radius * Math.sin(angle)];
    });
    write(collection(polygon([...circle, circle[0]])));
    await importHubs();
    expect((await storedAreas())[0]?.[0]).toHaveLength(150_001);
  });
});

test.each<[string, unknown, string]>([
  [
    "goes out and back on one line",
    polygon([SOUTH_WEST, SOUTH_EAST, [-85.9, 39.9], SOUTH_EAST, NORTH_EAST, NORTH_WEST, SOUTH_WEST]),
    "Lines run along each other at -86 39.9. The outline goes out and back on one line",
  ],
  [
    "has a hole with a shared edge",
    polygon(square, [SOUTH_WEST, NORTH_WEST, [-86.1, 40], SOUTH_WEST]),
    "a hole shares an edge with it. Leave that line out.",
  ],
  [
    "has a hole elsewhere",
    polygon(square, [
      [-87, 40],
      [-87, 41],
      [-86.5, 40],
      [-87, 40],
    ]),
    "Hole 1 is outside of the outline.",
  ],
  [
    "comes with a point in a collection",
    { type: "GeometryCollection", geometries: [polygon(square), { type: "Point", coordinates: SOUTH_WEST }] },
    "This is a point (Point). Draw the hub's area as a closed shape",
  ],
  [
    "is over the date line",
    polygon([
      [179, 39.9],
      [-179, 39.9],
      [-179, 40.1],
      [179, 39.9],
    ]),
    "The shape crosses the date line: cut it there",
  ],
  [
    "is in meters",
    polygon([
      [-9_595_740, 4_800_000],
      [9_573_476, 4_800_000],
      [9_573_476, 4_820_000],
      [-9_595_740, 4_800_000],
    ]),
    "leaves the range of longitude −180 to 180 and latitude −90 to 90. Longitude comes first",
  ],
])("an outline that %s: it is refused, and the hub is as it was", async (_, geometry, sentence) => {
  write(collection(geometry));
  const { code, err } = await market.run("hubs", "import", file);
  expect([code, err]).toEqual([3, expect.stringContaining(sentence)]);
  expect(await storedAreas()).toEqual([area]);
});

test("an outline in meters of a file that says so: the message names the system, and what to export", async () => {
  const meters = polygon(square.map(([lng, lat]) => [lng * 111_319, lat * 111_319]));
  write({
    ...collection(meters),
    crs: { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::3857" } },
  });
  const { code, err } = await market.run("hubs", "import", file);
  expect([code, err]).toEqual([
    3,
    expect.stringContaining(
      'coordinates are in "urn:ogc:def:crs:EPSG::3857". Export it in degrees, as WGS 84 (EPSG:4326).',
    ),
  ]);
});
