import { sql } from "@marketday/db";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, PASSWORD } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { heldOrders } from "../../../test/held-orders.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { countDeadlocks, holdTransaction, waitForLock } from "../../../test/locks.ts";
import { counted, signIn } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, clock } = market;
const { placedBox, closedBox, support, statusOf, stateOf } = heldOrders(market);
type Staff = Awaited<ReturnType<typeof staffOf>>;
type Box = Awaited<ReturnType<typeof placedBox>>;

beforeEach(() => {
  for (const point of Object.keys(points.plan)) delete points.plan[point];
});

const pointIn = (hubId: number, name = "Lakeside Barn") =>
  db.pickup_point.create({
    data: {
      hub_id: hubId,
      name,
      address: "1 Barn Road",
      city: "Carmel",
      state: "IN",
      zip_code: "46032",
      hours: "4 to 7 PM",
    },
  });
type Point = Awaited<ReturnType<typeof pointIn>>;

/** A box of another customer in the market and on the day of a box, before its cutoff. */
async function besides({ hub, eggs }: Box): Promise<number> {
  const who = await signIn(market, { hubId: hub.id });
  await who.put("/cart", [eggs.line(1)]);
  const { orderTotal } = (await who.post("/checkout/quote", CHOICE)).body;
  const { status, body } = await who.post("/checkout", { ...CHOICE, expectedTotal: orderTotal });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.orderId as number;
}

async function plan(as: Staff, orderIds: readonly number[], { id: pickupPointId }: Point) {
  const { status, body } = await as.post("/bulk/place", { orderIds, pickupPointId, dryRun: true });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.actions).toEqual([]);
  return body.plan;
}
const send = (as: Staff, orderIds: readonly number[], { id: pickupPointId }: Point, token: string) =>
  as.post("/bulk/place", { orderIds, pickupPointId, token });
/** Does what the plan of now says. Returns its only action. */
async function act(as: Staff, orderIds: readonly number[], point: Point) {
  const { status, body } = await send(as, orderIds, point, (await plan(as, orderIds, point)).token);
  expect([status, body.actions?.length], JSON.stringify(body)).toEqual([200, 1]);
  return body.actions[0];
}
const orderOf = (id: number) => db.order.findUniqueOrThrow({ where: { id } });
const placesOf = async (ids: readonly number[]) =>
  (await Promise.all(ids.map(orderOf))).map(({ type, pickup_point_id: point }) => point ?? type);
const entriesOf = (action: string, ids: readonly number[]) =>
  db.audit_entry.count({ where: { action, subject: { in: ids.map((id) => `order:${id}`) } } });

test("bulk place: the plan is what happens: fees come off, no email goes out, and one action takes all back", async () => {
  const box = await placedBox({ addOns: [1] });
  const other = await besides(box);
  const inOrder = [box.id, other].toSorted((a, b) => a - b);
  const as = await support(box.hub);
  const point = await pointIn(box.hub.id);
  const before = await Promise.all([box.id, other].map(orderOf));
  const fees = before.reduce((sum, { delivery_fee_cents: fee }) => sum + fee, 0);
  expect(fees).toBeGreaterThan(0);
  const mails = await db.mail.count();
  // The number of an add-on means its box.
  const planned = await plan(as, [box.ids[1]!, other], point);
  expect(planned).toMatchObject({ feeOff: fees / 100, feeKept: 0, amount: fees / 100, unchanged: 0, mails: 0 });
  expect(planned.boxes.map(({ orderId }: { orderId: number }) => orderId)).toEqual(inOrder);
  expect(await placesOf([...box.ids, other])).toEqual(["delivery", "delivery", "delivery"]);

  const { body } = await send(as, [box.ids[1]!, other], point, planned.token);
  const [action] = body.actions;
  expect(body.actions).toMatchObject([
    {
      summary: { kind: "bulk_place", orderIds: inOrder, place: "Lakeside Barn", feeOff: fees / 100 },
      canUndo: true,
      state: "done",
    },
  ]);
  expect(await placesOf([...box.ids, other])).toEqual([point.id, point.id, point.id]);
  const after = await Promise.all([box.id, other].map(orderOf));
  expect(after.map(({ order_total_cents: total, delivery_fee_cents: fee }) => total + fee)).toEqual(
    before.map(({ order_total_cents: total, delivery_fee_cents: fee }) => total - fee),
  );
  expect([await db.mail.count(), await entriesOf("orders place", [box.id, other])]).toEqual([mails, 2]);
  expect((await plan(as, [box.id, other], point)).unchanged).toBe(2);

  const undone = await as.post(`/actions/${action.id}/undo`);
  expect([undone.status, undone.body.state]).toEqual([200, "undone"]);
  expect((await orderOf(other)).address).toEqual(before[1]!.address);
  // An order is never raised.
  const totals = (orders: typeof after) =>
    orders.map(({ order_total_cents: total, delivery_fee_cents: fee }) => [total, fee]);
  expect(totals(await Promise.all([box.id, other].map(orderOf)))).toEqual(totals(after));
  expect(await placesOf([...box.ids, other])).toEqual(["delivery", "delivery", "delivery"]);
  expect(await entriesOf("orders place undo", [box.id, other])).toBe(2);
  expect([await sumOfLedger(db), await market.audit()]).toEqual([0, []]);
});

test("bulk place: after the cutoff fees stay, and the plan has their sum", async () => {
  const box = await closedBox();
  const as = await support(box.hub);
  const point = await pointIn(box.hub.id);
  const before = await orderOf(box.id);
  expect(await plan(as, [box.id], point)).toMatchObject({ feeOff: 0, feeKept: before.delivery_fee_cents / 100 });
  expect((await act(as, [box.id], point)).summary.feeOff).toBe(0);
  expect((await orderOf(box.id)).order_total_cents).toBe(before.order_total_cents);
  expect([await sumOfLedger(db), await market.audit()]).toEqual([0, []]);
});

test(
  "bulk place: boxes of another market, cancelled, delivered and of a deleted account are refused by name; the others are done without them",
  { tags: ["fail:N2"] },
  async () => {
    const elsewhere = await closedBox();
    const box = await closedBox();
    const [cancelled, delivered, deleted] = [await closedBox(), await closedBox(), await closedBox()];
    for (const each of [cancelled, delivered, deleted])
      await db.order.update({ where: { id: each.id }, data: { hub_id: box.hub.id } });
    await db.order.update({ where: { id: cancelled.id }, data: { status: "cancelled", cancelled_at: clock.now() } });
    await db.order.update({ where: { id: delivered.id }, data: { status: "closed" } });
    await db.order.update({ where: { id: deleted.id }, data: { customer_id: null } });
    const as = await staffOf(market, "manager");
    const point = await pointIn(box.hub.id);
    const ids = [elsewhere, box, cancelled, delivered, deleted].map(({ id }) => id);
    const planned = await plan(as, ids, point);
    const reasons = new Map<number, string>(
      planned.refused.map(({ orderId, reason }: { orderId: number; reason: string }) => [orderId, reason]),
    );
    expect(reasons.get(elsewhere.id)).toBe(
      `This order is of ${elsewhere.hub.name}, and Lakeside Barn is in ${box.hub.name}.`,
    );
    expect(reasons.get(cancelled.id)).toBe("This order is cancelled.");
    expect(reasons.get(delivered.id)).toBe("This order was delivered, so its place can no longer be changed.");
    expect(reasons.get(deleted.id)).toBe("The account of this order was deleted, so it goes nowhere.");
    expect(planned.boxes.map(({ orderId }: { orderId: number }) => orderId)).toEqual([box.id]);
    const refused = await send(as, ids, point, planned.token);
    expect([refused.status, refused.body[1].code]).toEqual([409, "refused"]);
    expect(refused.body[0]).toMatch(/Nothing was done\.$/);
    expect(await placesOf([box.id])).toEqual(["delivery"]);
    await act(as, [box.id], point);
    expect(await placesOf([box.id])).toEqual([point.id]);
  },
);

test("bulk place: a closed point refuses each box, and an unknown one is 404", async () => {
  const box = await placedBox();
  const as = await support(box.hub);
  const point = await pointIn(box.hub.id);
  await db.pickup_point.update({ where: { id: point.id }, data: { is_active: false } });
  expect((await plan(as, [box.id], point)).refused).toMatchObject([
    { reason: "Lakeside Barn is closed. Choose another pickup point." },
  ]);
  const unknown = await as.post("/bulk/place", { orderIds: [box.id], pickupPointId: 2_000_000_000, dryRun: true });
  expect([unknown.status, unknown.body[1].code]).toEqual([404, "no_such_point"]);
});

test("bulk place: once the sheets of a day of the boxes are made, the plan says so", async () => {
  const box = await closedBox();
  const as = await support(box.hub);
  const point = await pointIn(box.hub.id);
  expect(await plan(as, [box.id], point)).toMatchObject({ isOnSheets: false });
  const manager = await staffOf(market, "manager");
  expect((await manager.post(`/hubs/${box.hub.slug}/days/${box.day}/sheets`, {})).status).toBe(200);
  expect(await plan(as, [box.id], point)).toMatchObject({ isOnSheets: true });
  await act(as, [box.id], point);
  // Nothing more is changed, so no sheet either.
  expect(await plan(as, [box.id], point)).toMatchObject({ unchanged: 1, isOnSheets: false });
});

test("bulk place: the points to choose from are the open ones of each market of the orders, by its name", async () => {
  const [box, other] = [await closedBox(), await closedBox()];
  const [barn, hall] = [await pointIn(box.hub.id), await pointIn(other.hub.id, "Town Hall")];
  const closed = await pointIn(box.hub.id, "Old Mill");
  await db.pickup_point.update({ where: { id: closed.id }, data: { is_active: false } });
  const as = await staffOf(market, "manager");
  const { status, body } = await as.post("/bulk/place/points", { orderIds: [other.id, box.id] });
  expect(status, JSON.stringify(body)).toBe(200);
  const pointsOf = ({ hub }: Box) => body.markets.find(({ id }: { id: number }) => id === hub.id);
  expect(body.markets).toHaveLength(2);
  expect(pointsOf(box)).toMatchObject({ name: box.hub.name });
  const offered = (each: Box) => pointsOf(each).points.map(({ id }: Point) => id);
  expect(offered(box)).toContain(barn.id);
  expect(offered(box)).not.toContain(closed.id);
  expect(offered(other)).toContain(hall.id);
  expect(offered(other)).not.toContain(barn.id);
  const own = await support(box.hub);
  const refused = await own.post("/bulk/place/points", { orderIds: [other.id, box.id] });
  expect([refused.status, refused.body[0]]).toEqual([404, `There is no order ${other.id}.`]);
});

test.each(["bulk:written", "bulk:stored"])("bulk place: it fails at %s, and no box is moved", async (failpoint) => {
  const box = await placedBox();
  const ids = [box.id, await besides(box)];
  const as = await support(box.hub);
  const point = await pointIn(box.hub.id);
  const { token } = await plan(as, ids, point);
  points.plan[failpoint] = "throw";
  expect((await send(as, ids, point, token)).status).toBe(500);
  expect([await placesOf(ids), await entriesOf("orders place", ids)]).toEqual([["delivery", "delivery"], 0]);
  delete points.plan[failpoint];
  expect((await send(as, ids, point, token)).status).toBe(200);
  expect(await placesOf(ids)).toEqual([point.id, point.id]);
});

test("bulk place: the same request again is one action with the same answer", async () => {
  const box = await placedBox();
  const ids = [box.id, await besides(box)];
  const as = await support(box.hub);
  const point = await pointIn(box.hub.id);
  const { token } = await plan(as, ids, point);
  const key = crypto.randomUUID();
  const keyed = async () => {
    const { statusCode, body } = await market.app.inject({
      method: "POST",
      url: "/api/admin/bulk/place",
      headers: { cookie: as.cookie, "sec-fetch-site": "same-origin", "idempotency-key": key },
      payload: { orderIds: ids, pickupPointId: point.id, token },
    });
    return { statusCode, body: JSON.parse(body) as unknown };
  };
  const first = await keyed();
  expect([first.statusCode, await keyed()]).toEqual([200, first]);
  expect(await entriesOf("orders place", ids)).toBe(2);
  // By another key it is another request, and the boxes are there already.
  const late = await send(as, ids, point, token);
  expect([late.status, late.body[1].code, late.body[1].current.unchanged]).toEqual([409, "conflict", 2]);
});

test("bulk place: two people send boxes to two points at once: one is done, the other gets the plan as it is now", async () => {
  const box = await placedBox();
  const ids = [box.id, await besides(box)];
  const [ada, ben] = [await support(box.hub), await support(box.hub)];
  const [barn, hall] = [await pointIn(box.hub.id), await pointIn(box.hub.id, "Town Hall")];
  const plans = [await plan(ada, ids, barn), await plan(ben, ids, hall)];
  const answers = await Promise.all([send(ada, ids, barn, plans[0].token), send(ben, ids, hall, plans[1].token)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)!.body[1].code).toBe("conflict");
  expect(new Set(await placesOf(ids)).size).toBe(1);
  expect(await sumOfLedger(db)).toBe(0);
});

test("bulk place: a box that is cancelled between the plan and its lock is a conflict, and no box is moved", async () => {
  const box = await placedBox();
  const ids = [box.id, await besides(box)];
  const as = await support(box.hub);
  const point = await pointIn(box.hub.id);
  const { token } = await plan(as, ids, point);
  const release = await holdTransaction(
    db,
    sql`update orders set status = 'cancelled', cancelled_at = ${clock.now()} where id = ${ids[1]!}::int`,
  );
  const sent = send(as, ids, point, token);
  await waitForLock(db, sent);
  await release();
  const { status, body } = await sent;
  expect([status, body[1]?.code, body[1]?.current?.refused.length]).toEqual([409, "refused", 1]);
  expect(await placesOf([box.id])).toEqual(["delivery"]);
  expect(await statusOf(ids[1]!)).toBe("cancelled");
});

test.each(["moved", "taken back"] as const)(
  "bulk place: while a shopper edits one of the boxes that are %s, it waits for the edit, without a deadlock",
  async (done) => {
    const box = await placedBox();
    const ids = [box.id, await besides(box)];
    const as = await support(box.hub);
    const point = await pointIn(box.hub.id);
    const { token } = await plan(as, ids, point);
    const action = done === "moved" ? null : await act(as, ids, point);
    const before = await countDeadlocks(db);
    const { customer_id: customerId, delivery_id: deliveryId } = await orderOf(box.id);
    const release = await holdTransaction(
      db,
      sql`select pg_advisory_xact_lock(hashtextextended(${`boxes ${customerId} ${deliveryId}`}, 7263903))`,
    );
    // The shopper is the first to get the lock of the boxes, and needs their orders next.
    const items = [{ quantity: 1, product: { variant: { id: box.eggs.variant.id } } }];
    const edit = box.who.post("/orders/edit-order", { order: { id: box.id, items } });
    await waitForLock(db, edit);
    const sent = action ? as.post(`/actions/${action.id}/undo`) : send(as, ids, point, token);
    await waitForLock(db, sent, 2);
    await release();
    const [edited, { status, body }] = await Promise.all([edit, sent]);
    expect(edited.status, JSON.stringify(edited.body)).toBe(200);
    expect([status, body[1]?.code]).toEqual(action ? [200, undefined] : [409, "conflict"]);
    expect(await countDeadlocks(db)).toBe(before);
    expect(await placesOf(ids)).toEqual(["delivery", "delivery"]);
    expect(await sumOfLedger(db)).toBe(0);
  },
);

test(
  "bulk place: once a box was moved again or delivered, the undo is refused with its number, and no box goes back",
  { tags: ["fail:N13"] },
  async () => {
    const box = await placedBox();
    const ids = [box.id, await besides(box)];
    const as = await support(box.hub);
    const [barn, hall] = [await pointIn(box.hub.id), await pointIn(box.hub.id, "Town Hall")];
    const first = await act(as, ids, barn);
    await act(as, [ids[1]!], hall);
    const refused = await as.post(`/actions/${first.id}/undo`);
    expect([refused.status, refused.body[0]]).toEqual([
      409,
      `Order ${ids[1]}: The place was changed again since, so this can no longer be undone.\nNothing was done.`,
    ]);
    expect([await placesOf(ids), await stateOf(first.id)]).toEqual([[barn.id, hall.id], "done"]);
  },
);

test("bulk place: deleting an account removes its addresses from the action, and leaves those of the others", async () => {
  const box = await placedBox();
  const kept = await besides(box);
  const as = await support(box.hub);
  const action = await act(as, [box.id, kept], await pointIn(box.hub.id));
  const inputOf = async () =>
    JSON.stringify((await db.staff_action.findUniqueOrThrow({ where: { id: action.id } })).input);
  expect(await inputOf()).toContain(`"${box.id}"`);
  await db.order.update({ where: { id: box.id }, data: { status: "closed" } });
  const deleted = await box.who.delete("/account", { password: PASSWORD });
  expect(deleted.status, JSON.stringify(deleted.body)).toBe(200);
  expect(await inputOf()).not.toContain(`"${box.id}"`);
  expect(await inputOf()).toContain(`"${kept}"`);
});

test("bulk place: an order of a market that the person may not change refuses the whole with its number", async () => {
  const [own, other] = [await placedBox(), await placedBox()];
  const as = await support(own.hub);
  const point = await pointIn(own.hub.id);
  const body = { orderIds: [own.id, other.id], pickupPointId: point.id, dryRun: true };
  const unknown = await as.post("/bulk/place", body);
  expect([unknown.status, unknown.body[0]]).toEqual([404, `There is no order ${other.id}.`]);
  const both = await staffOf(market, { role: "support", hubId: own.hub.id }, { role: "auditor", hubId: other.hub.id });
  expect((await both.post("/bulk/place", body)).status).toBe(403);
});

test("bulk place: the plan of more boxes needs no more statements", async () => {
  const box = await placedBox();
  const ids = [box.id];
  for (let n = 0; n < 5; n += 1) ids.push(await besides(box));
  const as = await support(box.hub);
  const point = await pointIn(box.hub.id);
  const count = async (orderIds: readonly number[]) =>
    (await counted(market, () => plan(as, orderIds, point))).statements.filter(
      (text) => !text.includes("staff_session"),
    ).length;
  await market.app.settled();
  await count(ids.slice(0, 2));
  const few = await count(ids.slice(0, 2));
  expect(await count(ids)).toBeLessThanOrEqual(few);
});
