import { brotliCompressSync } from "node:zlib";

import { HubMap } from "@marketday/contracts/hubs";
import { execute, sql } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";
import { frameAround, MAP_HEIGHT, MAP_WIDTH } from "./map-frame.ts";
import { drawHubMap } from "./map.ts";

const carmel = { lat: 39.978, lng: -86.118 };
/** All of Hamilton and Marion, some of their neighbors. */
const area = "POLYGON((-86.33 39.6, -85.85 39.6, -85.85 40.23, -86.33 40.23, -86.33 39.6))";
const hole =
  "POLYGON((-87 39, -86 39, -86 40, -87 40, -87 39),(-86.7 39.3, -86.3 39.3, -86.3 39.7, -86.7 39.7, -86.7 39.3))";
const reversed = "POLYGON((-86.33 39.6, -86.33 40.23, -85.85 40.23, -85.85 39.6, -86.33 39.6))";

/** Absolute corner points of a relative path. */
function pointsOf(path: string): [number, number][] {
  return [...path.matchAll(/M(-?[\d.]+) (-?[\d.]+)l([^Mz]*)/g)].flatMap(([, x, y, steps]) => {
    let [atX, atY] = [Number(x), Number(y)];
    const numbers = steps!.split(" ").map(Number);
    const points: [number, number][] = [[atX, atY]];
    for (let place = 0; place + 1 < numbers.length; place += 2)
      points.push([(atX += numbers[place]!), (atY += numbers[place + 1]!)]);
    return points;
  });
}

test("map: the frame contains its positions with a margin, and degrees keep their ratio", () => {
  const { bounds, project } = frameAround([
    [-86.6, 39.5],
    [-85.6, 40.2],
  ]);
  const [left, bottom] = project([-86.6, 39.5]);
  const [right, top] = project([-85.6, 40.2]);
  for (const [value, most] of [
    [left, MAP_WIDTH],
    [right, MAP_WIDTH],
    [top, MAP_HEIGHT],
    [bottom, MAP_HEIGHT],
  ] as const) {
    expect(value).toBeGreaterThan(most * 0.15);
    expect(value).toBeLessThan(most * 0.85);
  }
  expect(
    [project([bounds.west, bounds.north]), project([bounds.east, bounds.south])]
      .flat()
      .map((value) => Math.abs(Math.round(value))),
  ).toEqual([0, 0, MAP_WIDTH, MAP_HEIGHT]);
  // A short distance east is as long in the drawing as the same distance north.
  const [x, y] = project([-86.1, 39.85]);
  const east = project([-86.1 + 0.01 / Math.cos((39.85 * Math.PI) / 180), 39.85])[0] - x;
  const north = y - project([-86.1, 39.86])[1];
  expect(Math.abs(east / north - 1)).toBeLessThan(0.001);
});

test("map: a single point is shown with its surroundings", () => {
  const { bounds } = frameAround([[-86.1, 39.9]]);
  expect(bounds.east - bounds.west).toBeGreaterThan(0.4);
  expect(bounds.north - bounds.south).toBeGreaterThan(0.2);
});

test("map: counties have names and their share of the area", { tags: ["spec:7.12-05"] }, () => {
  const { labels, viewBox } = drawHubMap({ ...carmel, boundaries: [area], zips: [] });
  const served = (kind: "all" | "part" | null) =>
    labels.filter((label) => label.served === kind).map(({ name }) => name);
  expect(served("all").toSorted()).toEqual(["Hamilton", "Marion"]);
  expect(served("part")).toContain("Boone");
  expect(served(null)).toEqual(expect.arrayContaining(["Delaware", "Henry"]));
  expect(new Set(labels.map(({ state }) => state))).toEqual(new Set(["Indiana"]));
  expect(viewBox).toBe(`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`);
  for (const { x, y } of labels) expect(x > 0 && x < MAP_WIDTH && y > 0 && y < MAP_HEIGHT).toBe(true);
});

test("map: the boundary is drawn at its place, for both ring directions", { tags: ["spec:7.12-05"] }, () => {
  const { project } = frameAround([
    [-86.33, 39.6],
    [-85.85, 40.23],
    [carmel.lng, carmel.lat],
  ]);
  const corners = [
    [-86.33, 39.6],
    [-85.85, 39.6],
    [-85.85, 40.23],
    [-86.33, 40.23],
  ].map(([lng, lat]) => project([lng!, lat!]));
  for (const boundaries of [[area], [reversed]]) {
    const points = pointsOf(drawHubMap({ ...carmel, boundaries, zips: [] }).boundary);
    for (const [x, y] of corners)
      expect(Math.min(...points.map(([px, py]) => Math.hypot(px - x, py - y)))).toBeLessThan(0.3);
  }
});

test("map: a hole is a separate ring; an invalid boundary is left out", () => {
  const holed = drawHubMap({ ...carmel, boundaries: [hole, "POLYGON(oops)"], zips: [] });
  expect(holed.boundary.match(/M/g)).toHaveLength(2);
  expect(holed.boundary.match(/z/g)).toHaveLength(2);
  expect(drawHubMap({ ...carmel, boundaries: ["nonsense"], zips: [] }).boundary).toBe("");
});

test("map: without a boundary it shows the hub and its zips", () => {
  const map = drawHubMap({
    ...carmel,
    boundaries: [],
    zips: [
      { zipCode: "46032", lat: 39.96, lng: -86.16 },
      { zipCode: "46060", lat: 40.07, lng: -85.93 },
    ],
  });
  expect([map.boundary, map.labels.some(({ served }) => served !== null)]).toEqual(["", false]);
  expect(map.zips.map(({ zipCode }) => zipCode)).toEqual(["46032", "46060"]);
  for (const { x, y } of [map.pin, ...map.zips]) expect(x > 0 && x < MAP_WIDTH && y > 0 && y < MAP_HEIGHT).toBe(true);
  expect(map.zips[1]!.x).toBeGreaterThan(map.zips[0]!.x);
  expect(map.zips[1]!.y).toBeLessThan(map.zips[0]!.y);
});

test("map: a drawing of some counties is small, and half the country can be drawn", () => {
  const small = JSON.stringify(drawHubMap({ ...carmel, boundaries: [area], zips: [] }));
  expect(brotliCompressSync(small).length).toBeLessThan(3000);
  const wide = drawHubMap({ ...carmel, boundaries: ["POLYGON((-110 30,-80 30,-80 45,-110 45,-110 30))"], zips: [] });
  expect(wide.labels.filter(({ served }) => served === "all").length).toBeGreaterThan(500);
});

test("map: every visitor gets the current map of a published hub", { tags: ["spec:7.12-05"] }, async () => {
  const market = await buildTestApp();
  const hub = await createHub(market.db, { boundaries: [area], zips: ["46032", "00000"] });
  await market.waitForNotifications();
  const someone = market.shopper();
  const answer = await someone.get(`/hubs/${hub.id}/map`);
  expect(answer.status).toBe(200);
  expect(HubMap.parse(answer.body)).toEqual(answer.body);
  expect(answer.body.zips.map(({ zipCode }: { zipCode: string }) => zipCode)).toEqual(["46032"]);
  expect(answer.headers["cache-control"]).toBe("private, no-cache");
  expect((await someone.get(`/hubs/${hub.id}/map`, { "if-none-match": String(answer.headers["etag"]) })).status).toBe(
    304,
  );
  expect(await market.statements(() => someone.get(`/hubs/${hub.id}/map`))).toEqual([]);
  await execute(market.db, sql`update hub set boundaries = ${JSON.stringify([hole])}::jsonb where id = ${hub.id}::int`);
  await expect.poll(async () => (await someone.get(`/hubs/${hub.id}/map`)).body.boundary.match(/M/g).length).toBe(2);
  for (const [id, status] of [
    ["999999", 404],
    ["abc", 400],
    ["0", 400],
  ] as const)
    expect((await someone.get(`/hubs/${id}/map`)).status).toBe(status);
});
