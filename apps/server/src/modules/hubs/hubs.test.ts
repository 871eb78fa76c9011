import { Hub, HubDetails } from "@marketday/contracts/hubs";
import { execute, query, sql } from "@marketday/db";
import { Day } from "@marketday/domain/time";
import { expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createProduct, PASSWORD } from "../../../test/factories.ts";
import { waitForServers } from "../../../test/test-servers.ts";
import { ensureAllDeliveries, ensureDeliveries, nextDelivery } from "./deliveries.ts";

/** Two servers of one market have the same secrets. */
const env = { SESSION_SECRET: "two servers of one market sign their sessions alike" };
const market = await buildTestApp({ env });
const { db, deps } = market;
const square = "POLYGON((-87 39, -86 39, -86 40, -87 40, -87 39))";
const holed =
  "POLYGON((-90 39, -89 39, -89 40, -90 40, -90 39), (-89.6 39.4, -89.6 39.6, -89.4 39.6, -89.4 39.4, -89.6 39.4))";
const first = await createHub(db, { name: "Canal Street", boundaries: [square, holed], deliveryFeeCents: null });
const second = await createHub(db, { name: "Arsenal Park", deliveryDay: "Saturday", zips: ["46032", "46220"] });
const hidden = await createHub(db, { name: "Not yet" });
await db.hub.update({ where: { id: hidden.id }, data: { is_published: false } });
deps.cache.clear("hubs");

const other = await buildTestApp({ url: market.url, env });

async function guest(at = market) {
  const someone = at.shopper();
  expect((await someone.post(`/auth/guest?hubId=${first.id}`)).status).toBe(200);
  return someone;
}

async function customer() {
  const row = await createCustomer(db, { hubId: first.id, pepper: deps.env.pepper });
  const someone = market.shopper();
  expect((await someone.post("/auth/login", { username: row.email, password: PASSWORD })).status).toBe(200);
  return { row, someone };
}

test(
  "hubs: every visitor gets the published hubs, by name, with their next delivery and without boundaries",
  { tags: ["spec:7.2-01", "spec:9-22"] },
  async () => {
    const { status, body, headers } = await market.shopper().get("/hubs");
    expect(status).toBe(200);
    const hubs = z.array(Hub).parse(body);
    expect(body).toEqual(hubs);
    expect(
      hubs.map(({ name, deliveryDay, nextDeliveryDate, cutoff }) => [name, deliveryDay, nextDeliveryDate, cutoff]),
    ).toEqual([
      ["Arsenal Park", "Saturday", "2026-11-28", "2026-11-27T06:00:00.000Z"],
      ["Canal Street", "Thursday", "2026-11-26", "2026-11-25T06:00:00.000Z"],
    ]);
    expect(hubs.map(({ deliveryFee, accessibleZipCodes }) => [deliveryFee, accessibleZipCodes])).toEqual([
      [8.95, ["46032", "46220"]],
      [8.95, ["46032", "46033"]],
    ]);
    expect(hubs[0]!.pickupPoints).toEqual([
      expect.objectContaining({ name: "Depot 1", zipCode: "46032", hours: "4 to 7 PM" }),
    ]);
    expect(headers["cache-control"]).toBe("private, no-cache");
    const again = await market.shopper().get("/hubs", { "if-none-match": String(headers["etag"]) });
    expect([again.status, again.text]).toEqual([304, ""]);
  },
);

test(
  "hub: its details are its place, day, fee, zip codes and boundaries",
  { tags: ["spec:7.2-02", "spec:3-02"] },
  async () => {
    const { status, body } = await market.shopper().get(`/hubs/${first.id}/details`);
    expect(status).toBe(200);
    expect(HubDetails.parse(body)).toEqual(body);
    const row = await db.hub.findUniqueOrThrow({ where: { id: first.id } });
    expect(body).toMatchObject({
      id: first.id,
      name: "Canal Street",
      description: row.description,
      deliveryDay: "Thursday",
      deliveryFee: 8.95,
      zipCode: row.zip_code,
      city: row.city,
      state: row.state,
      lat: row.lat,
      lng: row.lng,
      slug: row.slug,
      boundaries: [square, holed],
      accessibleZipCodes: ["46032", "46033"],
      timeZone: "America/Indiana/Indianapolis",
      nextDeliveryDate: "2026-11-26",
    });
  },
);

test.each([
  ["unknown", "999999", 404],
  ["unpublished", String(hidden.id), 404],
  ["no number", "abc", 400],
  ["zero", "0", 400],
  ["beyond any id", "99999999999", 400],
])("hub: %s has no details", async (_name, id, status) => {
  const answer = await market.shopper().get(`/hubs/${id}/details`);
  expect(answer.status).toBe(status);
  expect(answer.body[1]).toHaveProperty("code");
});

test("hubs: a cached list needs no statement", async () => {
  await market.waitForNotifications();
  await market.shopper().get("/hubs");
  expect(await market.statements(() => market.shopper().get("/hubs"))).toEqual([]);
});

test(
  "switch hub: a guest keeps the cart lines, with both routes and on every server",
  { tags: ["spec:7.2-03", "spec:7.2-04"] },
  async () => {
    const bread = await createProduct(db, first.id, { title: "Rye" });
    const someone = await guest();
    await someone.put("/cart", [bread.line(2)]);
    const elsewhere = other.shopper();
    for (const [name, value] of someone.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.get("/auth")).body.hubId).toBe(first.id);
    const bystander = await guest();

    expect((await someone.put(`/hubs/${second.id}/switch`)).body).toEqual([second.id]);
    expect((await someone.get("/auth")).body).toMatchObject({ hubId: second.id, isGuest: true });
    // By the notification, before the second is over for which a session is cached.
    await waitForServers(db);
    expect((await elsewhere.get("/auth")).body.hubId).toBe(second.id);
    const { body: cart } = await someone.get("/cart");
    expect(cart.items).toEqual([expect.objectContaining({ quantity: 2, isPublished: false })]);
    expect(cart.subtotal).toBe(0);
    expect(cart.deliveryDate).toBe("2026-11-28");

    const back = await someone.post(`/hubs/${first.id}/switch`);
    expect([back.status, back.body]).toEqual([200, { success: true }]);
    const { body: again } = await someone.get("/cart");
    expect(again.items).toEqual([expect.objectContaining({ quantity: 2, isPublished: true })]);
    expect((await bystander.get("/auth")).body.hubId).toBe(first.id);
  },
);

test("switch hub: only what the hub sells becomes its line; the cart of another shopper stays as it is", async () => {
  const both = [first.id, second.id];
  const [sold, offered, published, ofVendor] = [
    await createProduct(db, first.id, { hubs: both }),
    await createProduct(db, first.id, { hubs: both }),
    await createProduct(db, first.id, { hubs: both }),
    await createProduct(db, first.id, { hubs: both }),
  ];
  const [someone, bystander] = [await guest(), await guest()];
  for (const each of [someone, bystander])
    await each.put(
      "/cart",
      [sold, offered, published, ofVendor].map((product) => product.line(1)),
    );
  await db.offer.updateMany({
    where: { variant_id: offered.variant.id, hub_id: second.id },
    data: { is_published: false },
  });
  await db.product.update({ where: { id: published.id }, data: { is_published: false } });
  await db.vendor.update({ where: { id: ofVendor.vendor_id }, data: { is_published: false } });
  expect((await someone.put(`/hubs/${second.id}/switch`)).status).toBe(200);
  const ids = [sold, offered, published, ofVendor].map(({ variant }) => variant.id);
  const lines = await db.cart_item.findMany({
    where: { variant_id: { in: ids } },
    orderBy: [{ cart_id: "asc" }, { variant_id: "asc" }],
  });
  expect(lines.map(({ hub_id: hubId }) => hubId)).toEqual([second.id, ...Array.from({ length: 7 }, () => first.id)]);
});

test("guest: another place applies on every server at once", async () => {
  const someone = await guest();
  const elsewhere = other.shopper();
  for (const [name, value] of someone.cookies) elsewhere.cookies.set(name, value);
  expect((await elsewhere.get("/auth")).body.hubId).toBe(first.id);
  expect((await someone.post(`/auth/guest?hubId=${second.id}`)).status).toBe(200);
  await waitForServers(db);
  expect((await elsewhere.get("/auth")).body.hubId).toBe(second.id);
});

test("next delivery: a notification while it is read makes the next caller read it again", async () => {
  const reads = async (notice: boolean) => {
    const statements = await market.statements(async () => {
      deps.cache.dropHubs();
      const before = nextDelivery(deps, first.id, new Date(MONDAY));
      if (notice) deps.cache.dropHubs();
      await before;
      expect((await nextDelivery(deps, first.id, new Date(MONDAY)))?.day).toBe("2026-11-26");
    });
    return statements.length;
  };
  expect([await reads(false), await reads(true)]).toEqual([1, 2]);
});

test("switch hub: a customer switches on all devices, and nothing else of the account changes", async () => {
  const { row, someone } = await customer();
  const phone = market.shopper();
  await phone.post("/auth/login", { username: row.email, password: PASSWORD });
  expect((await phone.get("/auth")).body.hubId).toBe(first.id);
  const before = await db.customer.findUniqueOrThrow({ where: { id: row.id } });
  expect((await someone.post(`/hubs/${second.id}/switch`)).status).toBe(200);
  expect((await someone.get("/auth")).body.hubId).toBe(second.id);
  await waitForServers(db);
  expect((await phone.get("/auth")).body.hubId).toBe(second.id);
  expect(await db.customer.findUniqueOrThrow({ where: { id: row.id } })).toEqual({ ...before, hub_id: second.id });
});

test.each([
  ["an unknown hub", "999999", 404],
  ["an unpublished hub", String(hidden.id), 404],
  ["no hub at all", "x", 400],
])("switch hub: to %s changes nothing", async (_name, id, status) => {
  const someone = await guest();
  expect((await someone.put(`/hubs/${id}/switch`)).status).toBe(status);
  expect((await someone.get("/auth")).body.hubId).toBe(first.id);
});

test("switch hub: rejected without a session and from another site", async () => {
  const visitor = await market.shopper().post(`/hubs/${second.id}/switch`);
  expect([visitor.status, visitor.body[1].code]).toEqual([401, "login_required"]);
  const someone = await guest();
  const forged = await someone.post(`/hubs/${second.id}/switch`, undefined, { "sec-fetch-site": "cross-site" });
  expect([forged.status, forged.body[1].code]).toEqual([403, "bad_origin"]);
  expect((await someone.get("/auth")).body.hubId).toBe(first.id);
});

test("next delivery: advances at the cutoff and skips closed days", async () => {
  const cutoff = new Date("2026-11-25T06:00:00Z");
  const dayOf = async (now: Date) => (await nextDelivery(deps, first.id, now))?.day;
  expect(await dayOf(new Date(cutoff.getTime() - 1))).toBe("2026-11-26");
  expect(await dayOf(cutoff)).toBe("2026-12-03");
  expect(await dayOf(new Date(MONDAY))).toBe("2026-11-26");
  expect(await nextDelivery(deps, 999_999, new Date(MONDAY))).toBeNull();
  await db.hub_closure.create({ data: { hub_id: first.id, day: new Date("2026-11-26T00:00:00Z") } });
  await expect.poll(() => dayOf(new Date(MONDAY))).toBe("2026-12-03");
  await expect
    .poll(async () => (await other.shopper().get(`/hubs/${first.id}/details`)).body.nextDeliveryDate)
    .toBe("2026-12-03");
  await execute(db, sql`delete from hub_closure`);
  await expect.poll(() => dayOf(new Date(MONDAY))).toBe("2026-11-26");
});

test("hubs: a new, renamed or hidden hub and a closed pickup point are seen by every server", async () => {
  const names = async (at: typeof market) => (await at.shopper().get("/hubs")).body.map(({ name }: Hub) => name);
  await names(other);
  const late = await createHub(db, { name: "Zionsville" });
  for (const at of [market, other])
    await expect.poll(() => names(at)).toEqual(["Arsenal Park", "Canal Street", "Zionsville"]);
  const points = async (at: typeof market) =>
    (await at.shopper().get(`/hubs/${late.id}/details`)).body.pickupPoints.map(({ name }: { name: string }) => name);
  expect(await points(market)).toEqual(["Depot 1"]);
  await db.pickup_point.updateMany({ where: { hub_id: late.id }, data: { is_active: false } });
  for (const at of [market, other]) await expect.poll(() => points(at)).toEqual([]);
  await db.hub.update({ where: { id: late.id }, data: { is_published: false } });
  for (const at of [market, other]) await expect.poll(() => names(at)).toEqual(["Arsenal Park", "Canal Street"]);
});

test("delivery days: planned 12 weeks ahead, once", async () => {
  const hub = await db.hub.create({
    data: {
      slug: "planned",
      name: "Planned",
      delivery_day: "Tuesday",
      time_zone: "America/Denver",
      zip_code: "80202",
      city: "Denver",
      state: "CO",
      lat: 39.7,
      lng: -105,
      is_published: false,
    },
  });
  await db.hub_closure.create({ data: { hub_id: hub.id, day: new Date("2026-12-01T00:00:00Z") } });
  const now = new Date(MONDAY);
  const days = async () =>
    (await query<{ day: string }>(db, sql`select day from delivery where hub_id = ${hub.id}::int order by day`)).map(
      ({ day }) => day,
    );
  // Monday noon: the cutoff of Tuesday the 24th is past, the 1st is closed.
  expect(await ensureDeliveries(db, hub, now)).toBe(10);
  expect((await days()).slice(0, 2)).toEqual(["2026-12-08", "2026-12-15"]);
  const twice = await market.statements(async () => expect(await ensureDeliveries(db, hub, now)).toBe(0));
  expect(twice.filter((statement) => /insert/i.test(statement))).toEqual([]);
  expect(await ensureDeliveries(db, hub, new Date(now.getTime() + 7 * Day.ms))).toBe(1);
  expect(await days()).toHaveLength(11);
});

test("delivery days: any number of hubs is planned in two statements", async () => {
  const later = new Date(new Date(MONDAY).getTime() + 14 * Day.ms);
  const statements = await market.statements(async () =>
    expect(await ensureAllDeliveries(db, later)).toBeGreaterThan(0),
  );
  expect(statements).toHaveLength(2);
  expect(await ensureAllDeliveries(db, later)).toBe(0);
});

test("delivery days: two concurrent plans create each day once", async () => {
  const later = new Date(new Date(MONDAY).getTime() + 28 * Day.ms);
  await Promise.all([
    ensureAllDeliveries(db, later),
    ensureAllDeliveries(other.db, later),
    ensureAllDeliveries(db, later),
  ]);
  expect(await query(db, sql`select hub_id, day from delivery group by hub_id, day having count(*) > 1`)).toEqual([]);
  expect(await ensureAllDeliveries(db, later)).toBe(0);
});
