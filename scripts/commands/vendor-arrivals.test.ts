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

test(
  "vendors link: it prints the link of the email, --new replaces it, and a dry run and a day without orders write nothing",
  { tags: ["fail:N6"] },
  async () => {
    const links = async () =>
      (await db.harvest_link.findMany({ orderBy: { created_at: "asc" } })).map((link) => link.revoked_at);
    const link = (...more: string[]) => market.run("vendors", "link", "carmel", day, vendor.slug, ...more);
    const audited = () => db.audit_entry.count({ where: { action: "vendors link" } });
    // The vendor has no email address, so there is none yet.
    expect([await links(), await audited()]).toEqual([[], 0]);
    expect(await link("--dry-run")).toMatchObject({ code: 0, out: `Would make a link for ${vendor.name}.\n` });
    expect([await links(), await audited()]).toEqual([[], 0]);
    const urlOf = ({ out }: { out: string }) => /\n {2}(http\S+\/farm\/\S+)\n/.exec(out)?.[1];
    const first = await link();
    expect([first.code, urlOf(first)]).toEqual([0, expect.stringContaining("/farm/")]);
    const again = await link();
    expect([again.out.includes("nothing was done"), urlOf(again)]).toEqual([true, urlOf(first)]);
    expect([await links(), await audited()]).toEqual([[null], 1]);
    const second = await link("--new");
    expect(second.out).toContain("Earlier links no longer work.");
    expect(urlOf(second)).not.toBe(urlOf(first));
    expect([await links(), await audited()]).toEqual([[expect.any(Date), null], 2]);
    expect(await market.run("vendors", "link", "carmel", day, "oak-farm")).toEqual({
      code: 1,
      out: "",
      err: `"oak-farm" brings nothing for this day. Vendors of the day: ${vendor.slug}.\n`,
    });
    expect(await market.run("vendors", "link", "carmel", "tomorrow", vendor.slug)).toMatchObject({ code: 2 });
  },
);

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
