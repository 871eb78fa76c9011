import { expect, test } from "vitest";

import { closedDay } from "../test/closed-day.ts";
import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;
const { day, vendor } = await closedDay(market, { slug: "carmel", title: "Eggs", boxes: [[3], [1]] });
const arrivals = () => db.vendor_arrival.findMany({ where: { vendor_id: vendor.id } });

test("vendors arrived: a dry run writes nothing, a repeat keeps the time, and --undo takes it back", async () => {
  const dry = await market.run("vendors", "arrived", "carmel", day, "--dry-run");
  expect(dry).toMatchObject({ code: 0, out: `1 vendor would be here: ${vendor.name}.\n` });
  expect(await arrivals()).toEqual([]);
  expect(await market.run("vendors", "arrived", "carmel", day)).toMatchObject({
    code: 0,
    out: `1 vendor is here: ${vendor.name}.\n`,
  });
  const first = await arrivals();
  expect(first).toMatchObject([{ arrived_at: expect.any(Date), confirmed_at: null, version: 1 }]);
  expect(await market.run("vendors", "arrived", "carmel", day, vendor.slug)).toMatchObject({
    code: 0,
    out: "That is known of 1 vendor already. Nothing was done.\n",
  });
  expect(await arrivals()).toEqual(first);
  expect(await market.json("vendors", "arrived", "carmel", day, vendor.name.toUpperCase(), "--undo")).toMatchObject({
    changed: [{ slug: vendor.slug }],
    unchanged: [],
    dryRun: false,
  });
  expect(await arrivals()).toMatchObject([{ arrived_at: null, version: 2 }]);
});

test("vendors confirmed: an unknown vendor is refused with the vendors of the day", async () => {
  expect(await market.run("vendors", "confirmed", "carmel", day, "oak-farm")).toEqual({
    code: 1,
    out: "",
    err: `"oak-farm" brings nothing for this day. Vendors of the day: ${vendor.slug}.\n`,
  });
  expect(await market.run("vendors", "confirmed", "carmel", day)).toMatchObject({
    code: 0,
    out: `1 vendor is confirmed: ${vendor.name}.\n`,
  });
  expect(await market.run("vendors", "confirmed", "carmel", "tomorrow")).toMatchObject({ code: 2 });
});
