import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readSums } from "@marketday/db/testing/old-database";
import { beforeEach, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const path = join(market.dir, "hubs.geojson");

const area = {
  type: "Polygon",
  coordinates: [
    [
      [-86.2, 39.9],
      [-86, 39.9],
      [-86, 40.1],
      [-86.2, 40.1],
      [-86.2, 39.9],
    ],
  ],
};
const barn = { name: "Barn", address: "1 Road", city: "Carmel", state: "IN", zipCode: "46032", hours: "4 to 7" };
const full = {
  slug: "carmel",
  name: "Carmel market",
  description: "Near the canal",
  deliveryDay: "Thursday",
  deliveryFee: 7.5,
  taxRate: 7,
  zipCode: "46032",
  zips: ["46032", "46033"],
  pickupPoints: [barn, { ...barn, name: "Depot", active: false }],
  closures: [{ day: "2030-12-26", reason: "Holidays" }],
  published: false,
};
const take = (properties: object, geometry?: unknown, ...flags: string[]) => {
  const feature = {
    type: "Feature",
    properties: { slug: "carmel", ...properties },
    ...(geometry !== undefined && { geometry }),
  };
  writeFileSync(path, JSON.stringify({ type: "FeatureCollection", features: [feature] }));
  return market.run("hubs", "import", path, ...flags);
};
const read = () =>
  db.hub.findUniqueOrThrow({
    where: { slug: "carmel" },
    include: { zips: true, closures: true, pickup_points: { orderBy: { id: "asc" } } },
  });
const UNCHANGED = "The market already has all of it; nothing was changed.";

beforeEach(async () => {
  await db.hub.deleteMany();
  expect(await take(full, area)).toMatchObject({ code: 0, err: "" });
});

test("hubs: what is left out, null or an empty text stays, the outline, place and time zone too", async () => {
  await take({ timeZone: "America/Chicago", city: "North Carmel", lat: 39.95, lng: -86.1 });
  const before = await read();
  const blank = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
  const texts = { name: "", description: " ", deliveryDay: "", zipCode: "", timeZone: "", city: "", zips: "" };
  for (const [properties, geometry] of [[{}], [{ ...blank, slug: "carmel" }, null], [texts, area]] as const) {
    const { code, err, out } = await take(properties, geometry);
    expect([code, err, out]).toEqual([0, "", expect.stringContaining(UNCHANGED)]);
    expect(await read()).toEqual(before);
  }
});

test("hubs: `none` empties, and both outputs name each value, old and new", async () => {
  const cleared = { description: "none", deliveryFee: "None", zips: "none", pickupPoints: [], closures: "none" };
  const before = await readSums(db);
  const dry = await take(cleared, "none", "--dry-run");
  const lines = [
    "Amounts that would change:",
    "  carmel: deliveryFee $7.50 → $8.95",
    "Values that would change:",
    "  carmel: description Near the canal → none",
    "  carmel: zips 46032, 46033 → none",
    "  carmel: pickupPoints, Barn, active true → false",
    "  carmel: closures, 2030-12-26 Holidays → none",
    "  carmel: geometry 5 points from -86.2 39.9 to -86 40.1 → none",
  ];
  expect([dry.code, dry.out]).toEqual([0, expect.stringContaining(lines.join("\n"))]);
  expect(await readSums(db)).toEqual(before);
  const { out } = await take(cleared, "none");
  expect(out).toContain(lines.join("\n").replaceAll("would change", "changed"));
  const hub = await read();
  expect(hub).toMatchObject({ description: "", delivery_fee_cents: null, zips: [], closures: [], boundaries: [] });
  expect(hub.pickup_points.map(({ is_active: isActive }) => isActive)).toEqual([false, false]);
});

test("hubs: `none` is refused where a value is needed, with what to write", async () => {
  const before = await read();
  const { code, err } = await take({
    name: "none",
    deliveryDay: "none",
    taxRate: "none",
    published: "none",
    pickupPoints: [{ ...barn, hours: "none" }],
  });
  expect(code).toBe(3);
  for (const sentence of [
    `name: "none" empties a value, and name cannot be empty. Write the hub's name, such as Carmel market.`,
    'deliveryDay: "none" empties a value, and deliveryDay cannot be empty. Write a weekday in English, such as Thursday.',
    'taxRate: "none" empties a value, and taxRate cannot be empty. Write a percentage from 0 to 50',
    'published: "none" empties a value, and published cannot be empty. Write true or false',
    'pickupPoints, 1, hours: "none" empties a value, and hours cannot be empty. Write its hours in words',
  ])
    expect(err.replace("pickupPoints 1", "pickupPoints, 1")).toContain(sentence);
  expect(await read()).toEqual(before);
});

test("hubs: what a pickup point or a closure leaves out stays; a new pickup point needs its values", async () => {
  const { code, out } = await take({
    pickupPoints: [
      { name: "Barn", hours: "5 to 8", address: null },
      { name: "Depot", active: false },
    ],
    closures: [{ day: "2030-12-26" }, { day: "2031-01-02" }],
  });
  expect([code, out]).toEqual([
    0,
    expect.stringContaining(
      "  carmel: pickupPoints, Barn, hours 4 to 7 → 5 to 8\n  carmel: closures, 2031-01-02 none → closed\n",
    ),
  ]);
  const hub = await read();
  expect(hub.pickup_points).toMatchObject([
    { name: "Barn", address: "1 Road", hours: "5 to 8", is_active: true },
    { name: "Depot", address: "1 Road", hours: "4 to 7", is_active: false },
  ]);
  expect(hub.closures).toMatchObject([{ reason: "Holidays" }, { reason: "" }]);
  await take({ closures: [{ day: "2030-12-26", reason: "none" }] });
  expect((await read()).closures).toMatchObject([{ reason: "" }]);
  const fresh = await take({ pickupPoints: [{ name: "Mill" }] });
  expect([fresh.code, fresh.err]).toEqual([3, expect.stringContaining("address: this is missing.")]);
});

test("hubs: another zip moves the place that came from the old one, and leaves what was given", async () => {
  await take({ city: "North Carmel" });
  const { out } = await take({ zipCode: "80202" }, undefined, "--yes");
  expect(out).toContain("zipCode 46032 → 80202");
  expect(out).toContain("timeZone America/Indiana/Indianapolis → America/Denver");
  expect(await read()).toMatchObject({ city: "North Carmel", state: "CO", time_zone: "America/Denver" });
  expect(Math.round((await read()).lng)).toBe(-105);
});

test("hubs: a pickup point has city and state of its zip unless they are given, and another zip moves what came from it", async () => {
  const { city: _city, state: _state, ...mill } = { ...barn, name: "Mill" };
  const points = async () => (await read()).pickup_points.filter(({ name }) => name === "Mill" || name === "Yard");
  const takePoints = async (...pickupPoints: object[]) => {
    const { code, err } = await take({ pickupPoints }, undefined, "--yes");
    expect([code, err]).toEqual([0, ""]);
    return points();
  };
  expect(await takePoints(mill, { ...mill, name: "Yard", city: "Home Place" })).toMatchObject([
    { city: "Carmel", state: "IN" },
    { city: "Home Place", state: "IN" },
  ]);
  const moved = { zipCode: "80202" };
  expect(await takePoints({ name: "Mill", ...moved }, { name: "Yard", ...moved })).toMatchObject([
    { city: "Denver", state: "CO" },
    { city: "Home Place", state: "CO" },
  ]);
  const unknown = await take({ pickupPoints: [{ ...mill, name: "Shed", zipCode: "00001" }] });
  expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining("city: this is missing.")]);
});

test("hubs: a new hub needs its values and has the defaults", async () => {
  const { code, err } = await take({ slug: "new", name: null });
  expect([code, err]).toEqual([
    3,
    expect.stringMatching(
      /name: .*should be the hub's name[^]*deliveryDay: this is missing[^]*zipCode: this is missing/,
    ),
  ]);
});

test("hubs: an export and an import change nothing, also with texts that are the word none", async () => {
  await take({ name: "'none", description: "'None", pickupPoints: [{ ...barn, name: "'none", hours: "''none" }] });
  const before = await read();
  expect(before).toMatchObject({ name: "none", description: "None" });
  expect(before.pickup_points.at(-1)).toMatchObject({ name: "none", hours: "'none" });
  await market.run("hubs", "export", path);
  const text = readFileSync(path, "utf8");
  const { out } = await market.run("hubs", "import", path);
  expect(out).toContain(UNCHANGED);
  expect(await read()).toEqual(before);
  await market.run("hubs", "export", path);
  expect(readFileSync(path, "utf8")).toBe(text);
});
