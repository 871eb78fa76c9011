import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct, createVendor } from "../../../test/factories.ts";
import { staffOf } from "../../../test/staff.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { setArrivals } from "./set-arrivals.ts";

const market = await buildTestApp({ env: { PAYMENTS: "offline" } });
const { db, deps } = market;
const CUTOFF = "2026-11-25T06:00:00Z";
const DAY = "2026-11-26";
const AT = "2026-11-25T06:00:00.000Z";
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "Mara" }, deps });
beforeEach(() => market.clock.set(MONDAY));

/** A hub whose day has an order of one product of each of three vendors. */
async function dayOfThree() {
  const hub = await createHub(db);
  const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const vendors = [];
  for (const name of ["Acorn Farm", "Beech <b>Farm</b>", "Cedar Farm"]) {
    const vendor = await createVendor(db, { name });
    const product = await createProduct(db, hub.id, { vendorId: vendor.id });
    const { id } = await createOrder(db, { customerId, hub, product, quantity: 2, status: "open" });
    vendors.push({ ...vendor, variantId: product.variant.id, orderId: id });
  }
  const [delivery] = hub.deliveries;
  return {
    hub,
    vendors: vendors as [(typeof vendors)[0], (typeof vendors)[0], (typeof vendors)[0]],
    deliveryId: delivery!.id,
    url: `/hubs/${hub.slug}/days/${DAY}`,
    audited: () =>
      db.audit_entry.findMany({
        where: { subject: `delivery:${delivery!.id}` },
        select: { action: true, actor: true, data: true },
        orderBy: { id: "asc" },
      }),
  };
}
/** The same after its cutoff. */
async function frozenDay() {
  const day = await dayOfThree();
  market.clock.set(CUTOFF);
  await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
  return { ...day, lead: await staffOf(market, { role: "depot_lead", hubId: day.hub.id }) };
}
const known = { confirmed: null, arrived: null, shorts: 0, shortsToSettle: 0, version: 0 };

test("arrivals: a vendor who is here has the time and the person's name, and both go when it is taken back", async () => {
  const { vendors, url, lead, audited } = await frozenDay();
  const [, beech] = vendors;
  expect((await lead.get(url)).body.vendors).toMatchObject(vendors.map(({ name }) => ({ name, ...known })));
  const { status, body } = await lead.put(`${url}/vendors/${beech.id}`, { hasArrived: true, expectedVersion: 0 });
  expect([status, body.vendors[1]]).toEqual([
    200,
    expect.objectContaining({
      name: "Beech <b>Farm</b>",
      confirmed: null,
      arrived: { at: AT, by: "Ada Kowalski" },
      version: 1,
    }),
  ]);
  expect((await lead.get(url)).body).toEqual(body);
  const back = await lead.put(`${url}/vendors/${beech.id}`, { hasArrived: false, expectedVersion: 1 });
  expect(back.body.vendors[1]).toMatchObject({ arrived: null, version: 2 });
  const actor = `staff:${lead.person.email}`;
  expect(await audited()).toEqual([
    { action: "vendors arrived", actor, data: { vendors: [beech.slug], hasArrived: true } },
    { action: "vendors arrived", actor, data: { vendors: [beech.slug], hasArrived: false } },
  ]);
});

test("arrivals: a repeat after a lost answer changes nothing, whatever version it expects", async () => {
  const { vendors, url, lead, audited } = await frozenDay();
  const put = () => lead.put(`${url}/vendors/${vendors[0].id}`, { hasArrived: true, expectedVersion: 0 });
  const first = await put();
  market.clock.advance(60_000);
  expect(await put()).toMatchObject({ status: 200, body: { vendors: [first.body.vendors[0], {}, {}] } });
  expect(await audited()).toHaveLength(1);
});

test("arrivals: of two people who change a vendor, the second is refused with the day as it is now", async () => {
  const { vendors, url, lead, hub } = await frozenDay();
  const other = await staffOf(market, { role: "hub_lead", hubId: hub.id });
  const path = `${url}/vendors/${vendors[0].id}`;
  await lead.put(path, { hasArrived: true, expectedVersion: 0 });
  const { status, body } = await other.put(path, { isConfirmed: true, expectedVersion: 0 });
  expect([status, body[0], body[1].code]).toEqual([
    409,
    "Acorn Farm was changed in the meantime. Check it before you change it again.",
    "conflict",
  ]);
  expect(body[1].current).toEqual((await other.get(url)).body);
  expect(body[1].current.vendors[0]).toMatchObject({ confirmed: null, arrived: { by: "Ada Kowalski" }, version: 1 });
  const both = await other.put(path, { isConfirmed: true, expectedVersion: 1 });
  expect(both.body.vendors[0]).toMatchObject({ confirmed: { at: AT }, arrived: { at: AT }, version: 2 });
});

test("arrivals: at the same moment one of two different changes of a vendor wins", async () => {
  const { vendors, url, lead, deliveryId, audited } = await frozenDay();
  const path = `${url}/vendors/${vendors[0].id}`;
  const answers = await Promise.all([
    lead.put(path, { hasArrived: true, expectedVersion: 0 }),
    lead.put(path, { isConfirmed: true, expectedVersion: 0 }),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await db.vendor_arrival.findMany({ where: { delivery_id: deliveryId } })).toMatchObject([{ version: 1 }]);
  expect(await audited()).toHaveLength(1);
});

test("arrivals: all that are left arrive at once, and who was here before keeps the time and person", async () => {
  const { vendors, url, lead, audited } = await frozenDay();
  await setArrivals(operator(), { hub: url.split("/")[2]!, day: DAY, vendors: ["acorn farm"], hasArrived: true });
  market.clock.advance(60_000);
  const vendorIds = vendors.map(({ id }) => id);
  const { body } = await lead.put(`${url}/arrivals`, { vendorIds });
  const later = "2026-11-25T06:01:00.000Z";
  expect(body.vendors.map(({ arrived }: { arrived: unknown }) => arrived)).toEqual([
    { at: AT, by: "Mara" },
    { at: later, by: "Ada Kowalski" },
    { at: later, by: "Ada Kowalski" },
  ]);
  expect((await lead.put(`${url}/arrivals`, { vendorIds })).body).toEqual(body);
  const back = await lead.put(`${url}/arrivals`, { vendorIds: vendorIds.slice(1), hasArrived: false });
  expect(back.body.vendors.map(({ arrived }: { arrived: unknown }) => arrived)).toEqual([
    { at: AT, by: "Mara" },
    null,
    null,
  ]);
  const rest = [vendors[1].slug, vendors[2].slug];
  expect((await audited()).map(({ data }) => data)).toEqual([
    { vendors: [vendors[0].slug], hasArrived: true },
    { vendors: rest, hasArrived: true },
    { vendors: rest, hasArrived: false },
  ]);
});

test("arrivals: two people who check in everyone at the same moment do not refuse each other", async () => {
  const { vendors, url, lead } = await frozenDay();
  const vendorIds = vendors.map(({ id }) => id);
  const answers = await Promise.all([
    lead.put(`${url}/arrivals`, { vendorIds }),
    lead.put(`${url}/arrivals`, { vendorIds: vendorIds.toReversed() }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await lead.get(url)).body.vendors).toMatchObject(vendors.map(() => ({ arrived: { at: AT }, version: 1 })));
});

test("arrivals: before the cutoff a vendor can confirm and not arrive, and one who brings nothing can do neither", async () => {
  const { hub, vendors, url, deliveryId } = await dayOfThree();
  const lead = await staffOf(market, { role: "depot_lead", hubId: hub.id });
  const path = `${url}/vendors/${vendors[0].id}`;
  const early = await lead.put(path, { hasArrived: true, expectedVersion: 0 });
  expect([early.status, early.body[0], early.body[1].code]).toEqual([
    409,
    expect.stringMatching(/^Orders of .+ are open until 1AM Wednesday\. Vendors can be checked in after that\.$/),
    "still_open",
  ]);
  const all = await lead.put(`${url}/arrivals`, { vendorIds: [vendors[0].id] });
  expect([all.status, all.body[1].code]).toEqual([409, "still_open"]);
  const confirmed = await lead.put(path, { isConfirmed: true, expectedVersion: 0 });
  expect(confirmed.body.vendors[0]).toMatchObject({ confirmed: { by: "Ada Kowalski" }, arrived: null, version: 1 });

  market.clock.set(CUTOFF);
  const late = await (
    await staffOf(market, { role: "depot_lead", hubId: hub.id })
  ).put(path, {
    hasArrived: true,
    expectedVersion: 1,
  });
  expect([late.status, late.body[1].code]).toEqual([409, "cutoff_not_run"]);

  const stranger = await createVendor(db);
  market.clock.set(MONDAY);
  for (const [id, body] of [
    [stranger.id, { isConfirmed: true, expectedVersion: 0 }],
    [2_000_000, { hasArrived: true, expectedVersion: 0 }],
  ] as const)
    expect(await lead.put(`${url}/vendors/${id}`, body)).toMatchObject({
      status: 404,
      body: [expect.stringContaining("brings nothing for this day. Vendors of the day: "), { code: "no_such_vendor" }],
    });
  expect((await lead.put(`${url.slice(0, -2)}27/vendors/${vendors[0].id}`, { expectedVersion: 0 })).status).toBe(404);
  expect(await db.vendor_arrival.count({ where: { delivery_id: deliveryId } })).toBe(1);
});

test("arrivals: the day counts a vendor's items of which too few came, those to settle apart, and not those that all came", async () => {
  const { vendors, url, lead, deliveryId } = await frozenDay();
  const counted = { delivery_id: deliveryId, of: 2, refund_to: "credit", bearer: "vendor", counted_by: "x" } as const;
  const at = { counted_at: market.clock.now() };
  const [acorn, beech, cedar] = vendors;
  await db.shortage.createMany({
    data: [
      { ...counted, ...at, variant_id: acorn.variantId, came: 1 },
      { ...counted, ...at, variant_id: acorn.variantId, came: 0, state: "settled", settled_at: market.clock.now() },
      { ...counted, ...at, variant_id: beech.variantId, came: 2 },
      { ...counted, ...at, variant_id: cedar.variantId, came: 1, state: "removed" },
    ],
  });
  const { body } = await lead.get(url);
  type Shorts = { shorts: number; shortsToSettle: number };
  const countsOf = (day: { vendors: Shorts[] }) =>
    day.vendors.map(({ shorts, shortsToSettle }) => [shorts, shortsToSettle]);
  expect(countsOf(body)).toEqual([
    [1, 1],
    [0, 0],
    [0, 0],
  ]);
  await db.shortage.updateMany({
    where: { delivery_id: deliveryId, state: "counted", came: 1 },
    data: { state: "settled", settled_at: market.clock.now() },
  });
  expect(countsOf((await lead.get(url)).body)).toEqual([
    [1, 0],
    [0, 0],
    [0, 0],
  ]);
});
