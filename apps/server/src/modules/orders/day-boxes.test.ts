import { DayBoxes } from "@marketday/contracts/admin/orders";
import { transaction } from "@marketday/db";
import { addMs, Second } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct, type TestHub } from "../../../test/factories.ts";
import { counted } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { runWeek } from "../../jobs/week.ts";
import { newUuid } from "../../lib/tokens.ts";
import { forgetPerson } from "../account/delete-account.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { cancelOrder } from "./cancel-order.ts";
import { deliverOrders } from "./deliver-orders.ts";

const market = await buildTestApp({ env: { PAYMENTS: "offline" } });
const { db, deps } = market;
const CUTOFF = "2026-11-25T06:00:00Z";
const DAY = "2026-11-26";
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "Ada" }, deps });

/** A hub on Monday with eggs of $7.00. */
async function newHub() {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  return { hub, eggs: await createProduct(db, hub.id, { title: "Eggs", inventory: 500, priceCents: 700 }) };
}
type Open = Awaited<ReturnType<typeof newHub>>;
type OrderData = Parameters<typeof db.order.update>[0]["data"];

let placed = 0;
/** An order of a new customer, a second after the last one, paid by store credit unless `more` says otherwise. */
async function order({ hub, eggs }: Open, firstName: string, quantity: number, more: OrderData = {}): Promise<number> {
  const { id: customerId } = await createCustomer(db, { hubId: hub.id, firstName, pepper: deps.env.pepper });
  placed += 1;
  const createdAt = addMs(market.clock.now(), placed * Second.ms);
  const { id, order_total_cents: cents } = await createOrder(db, {
    customerId,
    hub,
    product: eggs,
    quantity,
    status: "open",
    createdAt,
  });
  await db.order.update({ where: { id }, data: { credit_cents: cents, address: CARMEL, ...more } });
  return id;
}
const CARMEL = { address: "1 Main Street", address2: "", city: "Carmel", state: "IN", zipCode: "46032" };
const toDepot = (hub: TestHub) => ({ type: "pickup", pickup_point_id: hub.pickup_points[0]!.id, address: undefined });
const leadOf = ({ id }: { id: number }) => staffOf(market, { role: "depot_lead", hubId: id });
async function read(hub: TestHub, who?: Awaited<ReturnType<typeof leadOf>>): Promise<DayBoxes> {
  const { status, body } = await (who ?? (await leadOf(hub))).get(`/hubs/${hub.slug}/days/${DAY}/boxes`);
  expect(status).toBe(200);
  return DayBoxes.parse(body);
}

test("boxes of a day: live and cancelled ones by tote, with driver and stop of the newest plan; sums are of the live ones", async () => {
  const open = await newHub();
  const { hub } = open;
  const [anna, ben, cleo] = [await order(open, "Anna", 3), await order(open, "Ben", 1), await order(open, "Cleo", 2)];
  const dora = await order(open, "Dora", 1, toDepot(hub));
  await db.order.update({ where: { id: anna }, data: { delivery_notes: "By the gate" } });
  const early = await read(hub);
  expect(early.boxes.map(({ orderId, tote, driver, status }) => [orderId, tote, driver, status])).toEqual(
    [anna, ben, cleo, dora].map((id) => [id, null, null, "open"]),
  );
  market.clock.set(CUTOFF);
  await runWeek({ ...operator(), actor: { type: "system", job: "week" } });
  const url = `/hubs/${hub.slug}/days/${DAY}`;
  const lead = await leadOf(hub);
  expect((await lead.post(`${url}/sheets`, {})).status).toBe(200);
  await cancelOrder(operator(), ben, { to: "credit", reason: "ill", key: null });
  await deliverOrders(operator(), [cleo]);
  expect((await lead.post(`${url}/sheets`, { drivers: 2 })).body.versions[0]).toMatchObject({ version: 2, drivers: 2 });
  const { boxes, total, due, day } = await read(hub, lead);
  expect([day, total, due]).toEqual([DAY, 42, 0]);
  const plan = await db.route_plan.findFirstOrThrow({
    where: { snapshot: { hub_id: hub.id } },
    orderBy: { snapshot: { version: "desc" } },
  });
  const placeOf = (id: number) => {
    const driver = (plan.routes as (number | null)[][]).findIndex((route) => route.includes(id));
    return driver === -1 ? [null, null] : [driver + 1, (plan.routes as (number | null)[][])[driver]!.indexOf(id) + 1];
  };
  expect(boxes.map(({ driver, stop }) => [driver, stop])).toEqual([anna, ben, cleo, dora].map(placeOf));
  expect([placeOf(anna), placeOf(dora)]).toEqual([
    [expect.any(Number), expect.any(Number)],
    [null, null],
  ]);
  expect(boxes).toMatchObject([
    {
      orderId: anna,
      tote: 1,
      name: "Anna Baker",
      status: "packing",
      units: 3,
      place: "Carmel",
      total: 21,
      hasNotes: true,
    },
    { orderId: ben, tote: 2, name: "Ben Baker", status: "cancelled", units: 1, total: 7, hasNotes: false },
    { orderId: cleo, tote: 3, status: "delivered", units: 2, isPickup: false, total: 14 },
    { orderId: dora, tote: 4, status: "packing", units: 1, isPickup: true, place: "Depot 1", driver: null, stop: null },
  ]);
});

test("boxes of a day: the word of the money is what a person must know first, with the amount it is about", async () => {
  const open = await newHub();
  const at = market.clock.now();
  const paidBy = async (provider: string, state: string): Promise<OrderData> => {
    const id = newUuid();
    await db.payment.create({
      data: {
        id,
        charge_key: id,
        provider,
        provider_ref: id,
        state,
        amount_cents: 700,
        captured_cents: state === "captured" ? 700 : 0,
        authorized_at: at,
        created_at: at,
      },
    });
    return { payment_id: id, credit_cents: 0 };
  };
  const declined = { charge_failed_at: at, credit_cents: 0, status: "pending" };
  const refund = async (orderId: number, more: object) => {
    const { payment_id: paymentId } = await db.order.findUniqueOrThrow({ where: { id: orderId } });
    await db.refund.create({
      data: {
        id: newUuid(),
        order_id: orderId,
        payment_id: paymentId,
        kind: "goodwill",
        destination: "card",
        amount_cents: 250,
        reason: "",
        state: "done",
        created_at: at,
        ...more,
      },
    });
  };
  await order(open, "Free", 1, { items_cents: 0, order_total_cents: 0, credit_cents: 0 });
  await order(open, "Credit", 1);
  await order(open, "Held", 1, await paidBy("test", "authorized"));
  await order(open, "Later", 1, { credit_cents: 200 });
  await order(open, "Door", 1, await paidBy("offline", "authorized"));
  await order(open, "Declined", 1, declined);
  await order(open, "Paid", 1, await paidBy("test", "captured"));
  await order(open, "Collected", 1, await paidBy("offline", "captured"));
  await order(open, "Lost", 1, { written_off_at: at, credit_cents: 0, status: "closed" });
  await refund(await order(open, "Back", 1, await paidBy("test", "captured")), {});
  await refund(await order(open, "Underway", 1, await paidBy("test", "captured")), { state: "created" });
  const failed = { state: "failed", failure: "refused" };
  await refund(await order(open, "Failed", 1, await paidBy("test", "captured")), failed);
  await refund(await order(open, "Given", 1, await paidBy("test", "captured")), { ...failed, resolved_at: at });
  await refund(await order(open, "Gone", 1, { status: "cancelled" }), { destination: "credit" });
  await order(open, "Never", 1, { status: "cancelled", credit_cents: 0 });
  const mixed = await order(open, "Mixed", 1, await paidBy("test", "captured"));
  await order(open, "Mixed", 1, { ...declined, add_on_to_id: mixed });
  const found = await read(open.hub);
  expect(found.boxes.map(({ name, money: { state, amount } }) => [name.split(" ")[0], state, amount])).toEqual([
    ["Free", "none", 0],
    ["Credit", "paid", 7],
    ["Held", "held", 7],
    ["Later", "to_charge", 5],
    ["Door", "due", 7],
    ["Declined", "declined", 7],
    ["Paid", "paid", 7],
    ["Collected", "paid", 7],
    ["Lost", "written_off", 7],
    ["Back", "back", 2.5],
    ["Underway", "back", 2.5],
    ["Failed", "back_failed", 2.5],
    ["Given", "paid", 7],
    ["Gone", "back", 2.5],
    ["Never", "none", 0],
    ["Mixed", "declined", 7],
  ]);
  expect([found.total, found.due]).toEqual([98, 21]);
  await db.hub.update({ where: { id: open.hub.id }, data: { pack_unpaid: false } });
  expect((await read(open.hub)).due).toBe(7);
  // What the day says is to be collected is the same sum.
  const day = await (await leadOf(open.hub)).get(`/hubs/${open.hub.slug}/days/${DAY}`);
  expect(day.body.toCollect).toBe(7);
});

test("boxes of a day: a box with twelve add-ons is one box, and sixty boxes need no more statements than one", async () => {
  const open = await newHub();
  const box = await order(open, "Anna", 2);
  for (let place = 0; place < 12; place += 1)
    await order(open, "Anna", 1, { add_on_to_id: box, ...(place === 3 && { status: "cancelled" }) });
  const lead = await leadOf(open.hub);
  const url = `/hubs/${open.hub.slug}/days/${DAY}/boxes`;
  const statements = async () => {
    const { statements: sent, answer } = await counted(market, () => lead.get(url));
    return { count: sent.filter((text) => !text.includes("staff_session")).length, boxes: answer.body.boxes };
  };
  const one = await statements();
  expect(one.count).toBeLessThanOrEqual(2);
  expect(one.boxes).toMatchObject([{ orderId: box, units: 13, total: 91, status: "open" }]);
  const row = await db.order.findUniqueOrThrow({ where: { id: box } });
  await db.order.createMany({
    data: Array.from({ length: 59 }, (_, place) => ({
      ...row,
      id: row.id + 1_000_000 + place,
      address: CARMEL,
      attempt_id: null,
    })),
  });
  const many = await statements();
  expect([many.count, many.boxes.length]).toEqual([one.count, 60]);
});

test("boxes of a day: names with markup stay text, and of a deleted account there is none", async () => {
  const open = await newHub();
  const hostile = '<script>alert("1")</script>';
  await order(open, hostile, 1);
  const gone = await order(open, "Gone", 1, { status: "closed" });
  const { customer_id: id } = await db.order.findUniqueOrThrow({ where: { id: gone } });
  const { email } = await db.customer.findUniqueOrThrow({ where: { id: id! } });
  await transaction(db, (tx) => forgetPerson(tx, { deps, now: market.clock.now() }, asCustomerId(id!), email!));
  const { boxes } = await read(open.hub);
  expect(boxes.map(({ name, place, status }) => [name, place, status])).toEqual([
    [`${hostile} Baker`, "Carmel", "open"],
    ["", "Carmel", "delivered"],
  ]);
});

test("boxes of a day: a day without orders is empty, and an unknown market or date is 404 with the days near it", async () => {
  const { hub } = await newHub();
  expect(await read(hub)).toMatchObject({ boxes: [], total: 0, due: 0 });
  const lead = await leadOf(hub);
  const near = await lead.get(`/hubs/${hub.id}/days/2026-11-27/boxes`);
  expect([near.status, near.body[0]]).toEqual([404, expect.stringContaining(`Days near it: ${DAY}`)]);
  expect((await (await staffOf(market, "owner")).get(`/hubs/nowhere/days/${DAY}/boxes`)).status).toBe(404);
  expect((await lead.get(`/hubs/${hub.slug}/days/2026-02-30/boxes`)).status).toBe(400);
});
