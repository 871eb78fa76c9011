import { createDb, type Db } from "@marketday/db";
import { atEnd, createTestDatabase } from "@marketday/db/testing";
import { findLink } from "@marketday/server/modules/staff/link-store";
import { toStaffMember } from "@marketday/server/modules/staff/serialize";
import { findMembers } from "@marketday/server/modules/staff/store";
import { createHubNow } from "@marketday/server/testing/factories";
import { expect, test } from "vitest";

import { ensureDemoStaff } from "../lib/demo.ts";
import { openDemoStaff } from "./staff.ts";

const now = new Date("2026-11-18T15:00:00Z");
const later = new Date("2026-11-18T16:00:00Z");

/** The address of each market's database. */
const urls = new WeakMap<Db, string>();

async function newMarket() {
  const { url, drop } = await createTestDatabase();
  const db = createDb({ url });
  urls.set(db, url);
  atEnd(async () => {
    await db.close();
    await drop();
  });
  return db;
}
const demoMarket = async () => {
  const db = await newMarket();
  const { id } = await createHubNow(db);
  await db.hub.update({ where: { id }, data: { slug: "carmel", name: "Carmel market" } });
  await db.market_fact.create({ data: { key: "demo_filled", value: {} } });
  return db;
};

test("demo staff: each start makes a new link for the owner, until they have set up a sign-in", async () => {
  const db = await demoMarket();
  const first = await openDemoStaff(db, now);
  const second = await openDemoStaff(db, later);
  const owner = { name: "Ada Kowalski", email: "ada@little-wagon.example", token: expect.any(String) };
  expect([first, second]).toEqual([owner, owner]);
  await expect(findLink(db, first!.token!, later)).rejects.toMatchObject({ details: { code: "link_dead" } });
  const { staff } = await findLink(db, second!.token!, later);
  expect(staff).toMatchObject({ name: "Ada Kowalski", grants: [{ role: "owner", hub_id: null }] });
  expect(
    (await findMembers(db, later)).map(toStaffMember).map(({ name, state, roles }) => [name, state, roles]),
  ).toEqual([
    ["Ada Kowalski", "invited", [{ role: "owner", hub: null }]],
    ["Dale Norris", "disabled", [{ role: "support", hub: null }]],
    [
      "Helen Ostrander",
      "expired",
      [
        { role: "auditor", hub: null },
        { role: "bookkeeper", hub: null },
      ],
    ],
    ["Marcus Bell", "invited", [{ role: "manager", hub: null }]],
    ["Priya Raman", "invited", [{ role: "hub_lead", hub: { id: expect.any(Number), name: "Carmel market" } }]],
  ]);
  expect(await db.mail.count()).toBe(0);
  await db.staff.update({ where: { id: staff.id }, data: { password_hash: "x", totp_secret: "y" } });
  expect(await openDemoStaff(db, later)).toMatchObject({ token: null });
  await db.staff.update({ where: { id: staff.id }, data: { disabled_at: later } });
  expect(await openDemoStaff(db, later)).toBeNull();
});

test("demo staff: a market that is no demo gets no staff, and a demo with other staff no more", async () => {
  const db = await newMarket();
  expect(await openDemoStaff(db, now)).toBeNull();
  expect(await db.staff.count()).toBe(0);
  const demo = await demoMarket();
  await demo.staff.create({ data: { email: "ben@example.com", name: "Ben", created_at: now } });
  expect(await openDemoStaff(demo, now)).toBeNull();
  expect(await demo.staff.count()).toBe(1);
});

test("demo staff: with DEMO=off, and in production, a demo market gets no staff and its owner no new link", async () => {
  const db = await demoMarket();
  const url = urls.get(db)!;
  expect(await ensureDemoStaff({ demo: "off", production: false }, url, now)).toBeNull();
  expect(await ensureDemoStaff({ demo: "auto", production: true }, url, now)).toBeNull();
  expect([await db.staff.count(), await db.staff_link.count()]).toEqual([0, 0]);
  expect(await ensureDemoStaff({ demo: "auto", production: false }, url, now)).toMatchObject({ name: "Ada Kowalski" });
});
