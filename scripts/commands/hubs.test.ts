import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { weekdayAhead } from "@marketday/server/testing/factories";
import { describe, expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const file = join(market.dir, "hubs.geojson");

const square = [
  [
    [-86.2, 39.9],
    [-86.0, 39.9],
    [-86.0, 40.1],
    [-86.2, 40.1],
    [-86.2, 39.9],
  ],
];
const carmel = { slug: "carmel", name: "Carmel market", deliveryDay: "Thursday", zipCode: "46032" };
const feature = (properties: object, geometry: unknown = { type: "Polygon", coordinates: square }) => ({
  type: "Feature",
  properties: { ...carmel, ...properties },
  geometry,
});
const write = (...features: unknown[]) =>
  writeFileSync(file, JSON.stringify({ type: "FeatureCollection", features }, null, 1));

interface ImportResult {
  hubs: { slug: string; is: string; daysAdded: string[]; daysRemoved: string[] }[];
}

describe("hubs from GeoJSON", () => {
  test(
    "time zone, city and delivery days are derived; polygons are wound counter-clockwise",
    { tags: ["spec:3-01"] },
    async () => {
      const hole = [
        [-86.15, 39.95],
        [-86.05, 39.95],
        [-86.05, 40.0],
        [-86.15, 39.95],
      ];
      write(
        feature(
          {
            deliveryFee: 8.95,
            taxRate: 7,
            commission: 17.5,
            zips: ["46032", "46033"],
            closures: [{ day: "2030-12-26", reason: "Holidays" }],
          },
          { type: "Polygon", coordinates: [square[0]!.toReversed(), hole] },
        ),
        feature(
          {
            slug: "denver",
            name: "Denver",
            zipCode: "80202",
            deliveryDay: "Monday",
            pickupPoints: [
              { name: "Barn", address: "1 Road", city: "Denver", state: "CO", zipCode: "80202", hours: "4 to 7" },
            ],
          },
          {
            type: "MultiPolygon",
            coordinates: [
              square.map((ring) => ring.map(([lng, lat]) => [lng! - 18.9, lat! - 0.3])),
              square.map((ring) => ring.map(([lng, lat]) => [lng! - 18, lat! - 0.3])),
            ],
          },
        ),
        feature({ slug: "zips-only", name: "By zip", zipCode: "96815" }, null),
      );
      const dry = await market.json<ImportResult>("hubs", "import", file, "--dry-run");
      expect(dry.hubs.map(({ is }) => is)).toEqual(["new", "new", "new"]);
      expect(await market.db.hub.count()).toBe(0);
      const result = await market.json<ImportResult>("hubs", "import", file);
      expect(result.hubs.map(({ daysAdded }) => daysAdded.length >= 11)).toEqual([true, true, true]);
      const hubs = await market.db.hub.findMany({
        orderBy: { id: "asc" },
        include: { zips: true, closures: true, pickup_points: true },
      });
      expect(hubs.map(({ slug, time_zone, city, state }) => [slug, time_zone, city, state])).toEqual([
        ["carmel", "America/Indiana/Indianapolis", "Carmel", "IN"],
        ["denver", "America/Denver", "Denver", "CO"],
        ["zips-only", "Pacific/Honolulu", "Honolulu", "HI"],
      ]);
      expect(hubs[0]).toMatchObject({
        delivery_fee_cents: 895,
        tax_rate_ppm: 70_000,
        commission_ppm: 175_000,
        zips: [{}, {}],
        closures: [{ reason: "Holidays" }],
      });
      // Counter-clockwise outline, clockwise hole (RFC 7946).
      expect((hubs[0]!.boundaries as string[])[0]).toMatch(/^POLYGON\(\(-86\.2 39\.9, -86 39\.9, /);
      expect((hubs[1]!.boundaries as string[]).length).toBe(2);
      const repeated = await market.json<ImportResult>("hubs", "import", file);
      expect(repeated.hubs.map(({ is, daysAdded, daysRemoved }) => [is, daysAdded, daysRemoved])).toEqual(
        Array.from({ length: 3 }, () => ["as it was", [], []]),
      );
      await market.run("hubs", "export", file);
      const first = readFileSync(file, "utf8");
      await market.json("hubs", "import", file);
      await market.run("hubs", "export", file);
      expect(readFileSync(file, "utf8")).toBe(first);
    },
  );

  test(
    "another weekday: days with orders stay, empty ones are replaced; a closure removes its day",
    { tags: ["fail:C19"] },
    async () => {
      write(feature({}));
      await market.json("hubs", "import", file);
      const hub = await market.db.hub.findUniqueOrThrow({
        where: { slug: "carmel" },
        include: { deliveries: { orderBy: { day: "asc" } } },
      });
      const ordered = hub.deliveries[2]!;
      await market.db.order.create({
        data: {
          id: 123_456_789,
          hub_id: hub.id,
          delivery_id: ordered.id,
          items_cents: 0,
          tip_cents: 0,
          tax_cents: 0,
          tax_rate_ppm: 0,
          card_fee_cents: 0,
          delivery_fee_cents: 0,
          discount_cents: 0,
          order_total_cents: 0,
          created_at: new Date(),
        },
      });
      write(feature({ deliveryDay: "Saturday" }));
      const [result] = (await market.json<ImportResult>("hubs", "import", file)).hubs;
      expect([result?.is, result?.daysRemoved.length]).toEqual(["changed", hub.deliveries.length - 1]);
      const days = await market.db.delivery.findMany({ where: { hub_id: hub.id }, orderBy: { day: "asc" } });
      expect(days.filter(({ day }) => day.getUTCDay() === 4).map(({ id }) => id)).toEqual([ordered.id]);
      const saturdays = days.filter(({ day }) => day.getUTCDay() === 6);
      expect(saturdays.length).toBeGreaterThanOrEqual(11);
      const closed = saturdays[3]!.day.toISOString().slice(0, 10);
      write(feature({ deliveryDay: "Saturday", closures: [{ day: closed }] }));
      expect((await market.json<ImportResult>("hubs", "import", file)).hubs[0]?.daysRemoved).toEqual([closed]);
      write(feature({ deliveryDay: "Saturday", closures: [] }));
      expect((await market.json<ImportResult>("hubs", "import", file)).hubs[0]?.daysAdded).toEqual([closed]);
    },
  );

  test("another time zone: empty days get the cutoff of the new zone, a day with an order keeps its own", async () => {
    const slug = "moved-zone";
    // Days away, so that no cutoff lies between the clocks of the two zones.
    const deliveryDay = weekdayAhead();
    write(feature({ slug, deliveryDay }));
    await market.json("hubs", "import", file);
    const hub = await market.db.hub.findUniqueOrThrow({ where: { slug } });
    const cutoffs = async () =>
      new Map(
        (await market.db.delivery.findMany({ where: { hub_id: hub.id }, orderBy: { day: "asc" } })).map(
          ({ day, cutoff_at }) => [day.toISOString().slice(0, 10), cutoff_at.getTime()],
        ),
      );
    const before = await cutoffs();
    const ordered = [...before.keys()][4]!;
    const delivery = await market.db.delivery.findFirstOrThrow({ where: { hub_id: hub.id, day: new Date(ordered) } });
    await market.db.order.create({
      data: {
        id: 123_456_790,
        hub_id: hub.id,
        delivery_id: delivery.id,
        items_cents: 0,
        tip_cents: 0,
        tax_cents: 0,
        tax_rate_ppm: 0,
        card_fee_cents: 0,
        delivery_fee_cents: 0,
        discount_cents: 0,
        order_total_cents: 0,
        created_at: new Date(),
      },
    });
    write(feature({ slug, deliveryDay, timeZone: "America/Denver" }));
    await market.json("hubs", "import", file);
    const after = await cutoffs();
    // 1 AM in Denver is two hours later than in Indianapolis.
    const moved = [...before].map(([day, cutoff]) => [day, day === ordered ? cutoff : cutoff + 2 * 3_600_000]);
    expect([...after]).toEqual(moved);
  });

  test("a property that is left out or null keeps its value, or has its default in a new hub; a delivery fee of none is the market's", async () => {
    const slug = "rates";
    const take = async (properties: object) => {
      write(feature({ slug, ...properties }));
      await market.json("hubs", "import", file);
      return market.db.hub.findUniqueOrThrow({ where: { slug } });
    };
    expect(await take({})).toMatchObject({
      description: "",
      delivery_fee_cents: null,
      tax_rate_ppm: 0,
      processing_ppm: 0,
      processing_fixed_cents: 0,
      commission_ppm: 150_000,
      is_published: true,
      pack_unpaid: true,
    });
    const given = await take({
      description: "Near the canal",
      deliveryFee: 7.5,
      taxRate: 8.25,
      processingPercent: 2.9,
      processingFixed: 0.3,
      commission: 12.5,
      published: false,
      packUnpaid: false,
    });
    expect(given).toMatchObject({
      description: "Near the canal",
      delivery_fee_cents: 750,
      tax_rate_ppm: 82_500,
      processing_ppm: 29_000,
      processing_fixed_cents: 30,
      commission_ppm: 125_000,
      is_published: false,
      pack_unpaid: false,
    });
    expect(await take({})).toEqual(given);
    expect(await take({ deliveryFee: null, taxRate: null, description: "", commission: null })).toEqual(given);
    expect(await take({ deliveryFee: "none" })).toEqual({ ...given, delivery_fee_cents: null });
  });

  test("a pickup point that is left out is closed, and reopened when it is back in the file", async () => {
    const point = { name: "Barn", address: "1 Road", city: "Carmel", state: "IN", zipCode: "46032", hours: "4 to 7" };
    for (const pickupPoints of [[point], [], [{ ...point, hours: "5 to 8" }]]) {
      write(feature({ deliveryDay: "Saturday", pickupPoints }));
      await market.json("hubs", "import", file);
    }
    const points = await market.db.pickup_point.findMany({ where: { hub: { slug: "carmel" } } });
    expect(points).toMatchObject([{ name: "Barn", hours: "5 to 8", is_active: true }]);
  });

  test("a zip that a spreadsheet took for a number is refused with the zip that it was", async () => {
    const point = { name: "Barn", address: "1 Road", city: "Boston", state: "MA", zipCode: 2139, hours: "4 to 7" };
    write(feature({ slug: "boston", zipCode: "2139", zips: ["02139", 2138], pickupPoints: [point] }));
    const { code, err } = await market.run("hubs", "import", file);
    expect(code).toBe(3);
    expect(err).toContain('zipCode: "2139" should be a zip of five digits in quotes, such as "46032"');
    expect(err.match(/Spreadsheets drop the zeros at the beginning\. Did you mean "0213[89]"\?/g)).toHaveLength(3);
  });

  test("a hub whose slug or name is nearly another hub's is refused", async () => {
    write(feature({ slug: "fishers", name: "Fishers market", zipCode: "46032" }));
    await market.json("hubs", "import", file);
    write(feature({ slug: "fish-ers", name: "FISHERS market", zipCode: "46032" }));
    const { code, err } = await market.run("hubs", "import", file);
    expect(code).toBe(3);
    expect(err).toContain(
      'slug: "fish-ers" is nearly the same name: there is a hub "fishers" already. Did you mean fishers?',
    );
    expect(err).toContain(
      'name: "FISHERS market" is nearly the same name: there is a hub "Fishers market" (fishers) already. Did you mean fishers?',
    );
    expect((await market.run("hubs", "import", file, "--accept-names")).code).toBe(0);
    await market.db.hub.deleteMany({ where: { slug: { in: ["fishers", "fish-ers"] } } });
  });

  test("--keep-going: valid hubs are imported; rejected ones are written to a file that can be corrected and imported", async () => {
    const rejected = `${file}.rejected.geojson`;
    write(
      feature({ slug: "kept", name: "Kept" }),
      feature({ slug: "lost", name: "Lost", deliveryDay: "Caturday", timeZone: "Mars/Olympus" }),
      feature({ slug: "kept", name: "Twice" }),
    );
    const before = await market.db.hub.count();
    const dry = await market.run("hubs", "import", file, "--keep-going", "--dry-run");
    expect([dry.code, dry.out]).toEqual([5, expect.stringContaining("Would import")]);
    expect([await market.db.hub.count(), existsSync(rejected)]).toEqual([before, false]);
    const { code, out } = await market.run("hubs", "import", file, "--keep-going");
    expect([code, out]).toEqual([5, expect.stringContaining(`are in ${rejected}: put them right`)]);
    expect(await market.db.hub.findMany({ where: { slug: { in: ["kept", "lost"] } } })).toMatchObject([
      { slug: "kept", name: "Kept" },
    ]);
    const text = readFileSync(rejected, "utf8");
    const { features } = JSON.parse(text) as { features: { properties: { name: string }; problem: string }[] };
    expect(features.map(({ properties, problem }) => [properties.name, problem])).toEqual([
      ["Lost", expect.stringMatching(/deliveryDay: "Caturday"[^]*timeZone: "Mars\/Olympus"/)],
      ["Twice", expect.stringContaining('slug: "kept" should be another slug')],
    ]);
    writeFileSync(
      rejected,
      text
        .replace("Caturday", "Thursday")
        .replace("Mars/Olympus", "America/Chicago")
        .replace('"slug":"kept"', '"slug":"twice"'),
    );
    expect(await market.json("hubs", "import", rejected)).toMatchObject({ hubs: [{ is: "new" }, { is: "new" }] });
  });

  test("an outline that does not contain the center of its zip needs --yes; swapped coordinates are always refused", async () => {
    const far = [
      [
        [-85.2, 39.9],
        [-85.0, 39.9],
        [-85.0, 40.1],
        [-85.2, 39.9],
      ],
    ];
    write(feature({}, { type: "Polygon", coordinates: far }));
    const refused = await market.run("hubs", "import", file);
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringMatching(
        /geometry: The outline does not contain the middle of zip 46032 \(Carmel, IN\), about \d+ miles from it\. Correct the outline or the zip, or confirm with --yes\.\n/,
      ),
    ]);
    expect(await market.json("hubs", "import", file, "--yes")).toMatchObject({ hubs: [{ slug: "carmel" }] });
    // Confirmed once, the same outline needs no other confirmation.
    expect(await market.json("hubs", "import", file)).toMatchObject({ hubs: [{ slug: "carmel", is: "as it was" }] });
    // Swapped but within range: south of the Indian Ocean.
    const swapped = square.map((ring) => ring.map(([lng, lat]) => [lat, lng]));
    write(feature({}, { type: "Polygon", coordinates: swapped }));
    for (const confirmed of [[], ["--yes"]]) {
      const { code, err } = await market.run("hubs", "import", file, ...confirmed);
      expect([code, err]).toEqual([
        3,
        expect.stringContaining("The numbers are the other way round: longitude comes first."),
      ]);
    }
  });

  test("a hub of an unknown zip without coordinates: it is in the middle of its outline", async () => {
    write(feature({ slug: "zip-unknown", zipCode: "00001", city: "Carmel", state: "IN" }));
    await market.json("hubs", "import", file);
    const hub = await market.db.hub.findUniqueOrThrow({ where: { slug: "zip-unknown" } });
    expect([hub.lat, hub.lng]).toEqual([expect.closeTo(40, 9), expect.closeTo(-86.1, 9)]);
  });

  const text = (changes: (text: string) => string) => () => {
    write(feature({}));
    writeFileSync(file, changes(readFileSync(file, "utf8")));
  };
  const bad: [name: string, make: () => void, message: string][] = [
    [
      "empty file",
      () => writeFileSync(file, ""),
      ": The file is empty. It should be GeoJSON with a feature for each hub.",
    ],
    ["not a collection", () => writeFileSync(file, "[]"), ": This is not a collection of hubs."],
    ["NaN coordinates", text((json) => json.replace("-86.2", "NaN")), "this word or sign is not JSON."],
    [
      "infinite coordinates",
      text((json) => json.replace("-86.2", "-1e999")),
      "geometry: The coordinates should be pairs of numbers, longitude first",
    ],
    [
      "self-crossing polygon",
      () =>
        write(
          feature(
            {},
            {
              type: "Polygon",
              coordinates: [
                [
                  [-86.2, 39.9],
                  [-86.0, 40.1],
                  [-86.0, 39.9],
                  [-86.2, 40.2],
                  [-86.2, 39.9],
                ],
              ],
            },
          ),
        ),
      "geometry: Lines cross at ",
    ],
    [
      "unclosed outline",
      () => write(feature({}, { type: "Polygon", coordinates: [square[0]!.slice(0, -1)] })),
      "The outline is not closed",
    ],
    [
      "over the date line",
      () =>
        write(
          feature(
            {},
            {
              type: "Polygon",
              coordinates: [
                [
                  [179, 52],
                  [-179, 52],
                  [-179, 53],
                  [179, 53],
                  [179, 52],
                ],
              ],
            },
          ),
        ),
      "cut it there into the parts of a MultiPolygon",
    ],
    [
      "out of range",
      () =>
        write(
          feature(
            {},
            {
              type: "Polygon",
              coordinates: [
                [
                  [-86, 91],
                  [-85, 91],
                  [-85, 92],
                  [-86, 91],
                ],
              ],
            },
          ),
        ),
      "leaves the range of longitude",
    ],
    [
      "a point",
      () => write(feature({}, { type: "Point", coordinates: [-86, 40] })),
      "geometry: This is a point (Point).",
    ],
    [
      "unknown zone",
      () => write(feature({ timeZone: "America/Carmel" })),
      'timeZone: "America/Carmel" should be a time zone such as America/Chicago.',
    ],
    ["a place in the sea", () => write(feature({ lat: 30, lng: -50 })), "is not on land, so it has no time zone"],
    [
      "unknown weekday",
      () => write(feature({ deliveryDay: "Caturday" })),
      'deliveryDay: "Caturday" should be a weekday in English, such as Thursday.',
    ],
    ["unknown zip", () => write(feature({ zipCode: "00000" })), 'zipCode: "00000" should be a zip of the US'],
    ["a fee below zero", () => write(feature({ deliveryFee: -1 })), "deliveryFee: -1 should be dollars"],
    [
      "an unknown property",
      () => write(feature({ deliverDay: "Monday" })),
      'deliverDay: there is no property "deliverDay". Did you mean deliveryDay?',
    ],
    [
      "duplicate slug",
      () => write(feature({}), feature({ name: "Other" })),
      'slug: "carmel" should be another slug: feature 1 of this file has it already.',
    ],
    [
      "a duplicate closure",
      () => write(feature({ closures: [{ day: "2030-01-01" }, { day: "2030-01-01" }] })),
      "should be another date: it is in the list already.",
    ],
    ["an invalid date", () => write(feature({ closures: [{ day: "2030-02-30" }] })), "a date such as 2026-12-24"],
  ];
  test.each(bad)(
    "%s: refused with its place in the file, nothing is written",
    { tags: ["fail:L5"] },
    async (_name, make, message) => {
      make();
      const before = await market.db.hub.findMany({ orderBy: { id: "asc" } });
      const { code, out, err } = await market.run("hubs", "import", file);
      expect([code, out]).toEqual([3, ""]);
      expect(err).toContain(message);
      expect(err).toMatch(/^[^\n]*hubs\.geojson:( |\d+:\d+ )[^]*\nNothing was written\.\n$/);
      expect(await market.db.hub.findMany({ orderBy: { id: "asc" } })).toEqual(before);
    },
  );
});
