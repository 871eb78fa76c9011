import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, PASSWORD } from "../../../test/factories.ts";
import { heldOrders } from "../../../test/held-orders.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { staffOf } from "../../../test/staff.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import type { Context } from "../identity/context.ts";
import { cancelOrder } from "./cancel-order.ts";
import { recordPayments } from "./record-payment.ts";

const market = await buildTestApp();
const door = await buildTestApp({ env: { PAYMENTS: "offline" } });
const { db, deps } = market;
const { placedBox, closedBox, support, version, run, runWeek, runWhenDue, stateOf, statusOf, mailsTo } =
  heldOrders(market);
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "mara" }, deps });
const cancelOf = async (id: number, change: object = {}) => ({
  reason: "The road is flooded.",
  refundTo: "card",
  expectedVersion: await version(id),
  ...change,
});
const totalOf = async (ids: readonly number[]) =>
  (await db.order.findMany({ where: { id: { in: [...ids] } } })).reduce((sum, row) => sum + row.order_total_cents, 0);

test("cancel: the plan has the amounts and mails of what happens ten seconds later, once", async () => {
  const { hub, who, id, ids, eggs } = await closedBox({ addOns: [1], firstName: "Mina" });
  const as = await support(hub);
  const total = await totalOf(ids);
  const plan = await as.post(`/orders/${id}/cancel/plan`, { refundTo: "card" });
  expect([plan.status, plan.body]).toEqual([
    200,
    // The customer, and the vendor who knows the day's quantities.
    {
      orderIds: ids,
      back: total / 100,
      credit: 0,
      uncharged: 0,
      uncollected: 0,
      bank: 0,
      earlier: 0,
      mails: 2,
    },
  ]);
  expect(await statusOf(id)).toBe("pending");

  const held = await as.post(`/orders/${id}/cancel`, await cancelOf(id));
  expect([held.status, held.body]).toEqual([
    200,
    expect.objectContaining({
      state: "held",
      summary: { kind: "cancel_order", orderId: id, name: "Mina Baker", back: total / 100, mails: 2 },
      isOwn: true,
      canUndo: true,
      dueAt: new Date(market.clock.now().getTime() + 10_000).toISOString(),
    }),
  ]);
  expect(await run()).toBe(0);
  expect(await statusOf(id)).toBe("pending");

  const mails = await db.mail.count();
  expect(await runWhenDue()).toBe(1);
  expect(await Promise.all(ids.map(statusOf))).toEqual(["cancelled", "cancelled"]);
  expect((await db.mail.count()) - mails).toBe(2);
  expect((await mailsTo(who)).at(-1)).toBe("order-called-off");
  const back = await db.refund.findMany({ where: { order_id: { in: ids } } });
  expect(back.reduce((sum, row) => sum + row.amount_cents, 0)).toBe(total);
  expect(await db.audit_entry.findFirst({ where: { subject: `order:${id}`, action: "orders cancel" } })).toMatchObject({
    actor: `staff:${as.person.email}`,
    reason: "The road is flooded.",
  });
  expect(await runWhenDue()).toBe(0);
  expect((await as.get("/actions")).body[0]).toMatchObject({ id: held.body.id, state: "done", canUndo: false });
  expect([await sumOfLedger(db), await market.audit()]).toEqual([0, []]);
  expect((await db.offer.findFirstOrThrow({ where: { variant_id: eggs.variant.id } })).inventory).toBe(20);
});

test("cancel: more than the role's limit goes back, and it is refused with the limit", async () => {
  const { hub, id } = await closedBox({ addOns: [6] });
  const as = await support(hub);
  const { status, body } = await as.post(`/orders/${id}/cancel`, await cancelOf(id));
  expect([status, body[1]?.code, body[0]]).toEqual([
    403,
    "over_limit",
    "You may give back up to $50.00 at once. Ask someone with a higher limit.",
  ]);
  expect([await run(), await statusOf(id)]).toEqual([0, "pending"]);
  const manager = await staffOf(market, "manager");
  expect((await manager.post(`/orders/${id}/cancel`, await cancelOf(id))).status).toBe(200);
});

test("cancel: undone within its ten seconds, nothing has happened, and it can be cancelled again", async () => {
  const { hub, who, id } = await placedBox();
  const as = await support(hub);
  const { id: actionId } = (await as.post(`/orders/${id}/cancel`, await cancelOf(id))).body;
  const undone = await as.post(`/actions/${actionId}/undo`);
  expect([undone.status, undone.body.state, undone.body.canUndo]).toEqual([200, "undone", false]);
  expect(await runWhenDue()).toBe(0);
  expect([await statusOf(id), await mailsTo(who)]).toEqual(["open", ["order-confirmation"]]);
  const again = await as.post(`/orders/${id}/cancel`, await cancelOf(id));
  expect(again.body.id).not.toBe(actionId);
  await runWhenDue();
  expect(await statusOf(id)).toBe("cancelled");
});

test("cancel: two people and a double click get the one action that is held", async () => {
  const { hub, who, id } = await placedBox();
  const [ada, ben] = [await support(hub), await support(hub)];
  const body = await cancelOf(id);
  const answers = await Promise.all([ada, ben, ada].map((as) => as.post(`/orders/${id}/cancel`, body)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  // Of the one who was first.
  expect(answers[0]!.body.isOwn).toBe(!answers[1]!.body.isOwn);
  expect(await db.staff_action.count({ where: { subject: `order:${id}` } })).toBe(1);
  await runWhenDue();
  expect(await mailsTo(who)).toEqual(["order-confirmation", "order-called-off"]);
});

test("cancel: an add-on is cancelled alone, and is part of its box's cancellation that is held", async () => {
  const { hub, ids } = await placedBox({ addOns: [1, 3] });
  const as = await support(hub);
  const [box, addOn, other] = ids as [number, number, number];
  await as.post(`/orders/${addOn}/cancel`, await cancelOf(box));
  await runWhenDue();
  expect(await Promise.all(ids.map(statusOf))).toEqual(["open", "cancelled", "open"]);
  const held = await as.post(`/orders/${box}/cancel`, await cancelOf(box));
  expect((await as.post(`/orders/${other}/cancel`, await cancelOf(box))).body.id).toBe(held.body.id);
  await runWhenDue();
  expect(await Promise.all(ids.map(statusOf))).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(await market.audit()).toEqual([]);
});

test("cancel: to store credit, all that was paid becomes credit", async () => {
  const { hub, who, id, ids } = await closedBox();
  const as = await support(hub);
  const total = await totalOf(ids);
  const plan = (await as.post(`/orders/${id}/cancel/plan`, { refundTo: "credit" })).body;
  const { body } = await as.post(`/orders/${id}/cancel`, await cancelOf(id, { refundTo: "credit" }));
  expect([plan.credit, body.summary.back]).toEqual([total / 100, total / 100]);
  await runWhenDue();
  expect((await db.customer.findUniqueOrThrow({ where: { id: who.customer.id } })).credit_cents).toBe(total);
  expect(await market.audit()).toEqual([]);
});

test("cancel: before the charge nothing goes back, and the plan names what is not charged", async () => {
  const { hub, id, ids } = await placedBox();
  const as = await support(hub);
  const plan = (await as.post(`/orders/${id}/cancel/plan`, { refundTo: "card" })).body;
  expect(plan).toMatchObject({ back: 0, credit: 0, uncharged: (await totalOf(ids)) / 100, mails: 1 });
});

test("cancel: money to collect at the door is not collected, and what was recorded goes back", async () => {
  const own = heldOrders(door);
  const { hub, id } = await own.closedBox();
  const as = await own.support(hub);
  const { order_total_cents: total } = await door.db.order.findUniqueOrThrow({ where: { id } });
  const plan = async () => (await as.post(`/orders/${id}/cancel/plan`, { refundTo: "card" })).body;
  expect(await plan()).toMatchObject({ back: 0, uncollected: total / 100 });
  const before = await own.version(id);
  await recordPayments({ now: door.clock.now(), actor: { type: "operator", name: "mara" }, deps: door.deps }, [id]);
  expect(await own.version(id)).not.toBe(before);
  expect(await plan()).toMatchObject({ back: total / 100, uncollected: 0 });
});

test("cancel: a box that was changed since the person looked is not cancelled", async () => {
  const { hub, id } = await placedBox({ addOns: [1] });
  const as = await support(hub);
  const seen = await cancelOf(id);
  await cancelOrder(operator(), (await db.order.findFirstOrThrow({ where: { add_on_to_id: id } })).id, {
    to: "card",
    reason: "",
    key: null,
  });
  const { status, body } = await as.post(`/orders/${id}/cancel`, seen);
  expect([status, body[1].code, body[1].current]).toEqual([409, "conflict", (await as.get(`/orders/${id}`)).body]);
  expect(await db.staff_action.count({ where: { subject: `order:${id}` } })).toBe(0);
  expect((await as.post(`/orders/${id}/cancel`, await cancelOf(id))).status).toBe(200);
});

test("cancel: a charge whose answer was lost is looked up before, and changes what the person sees", async () => {
  const { hub, id } = await placedBox();
  const { capture, find } = deps.payments;
  deps.payments.capture = async (request) => {
    await capture(request);
    throw new ProviderUnavailable("the answer was lost");
  };
  market.clock.set("2026-11-25T06:00:00Z");
  await runWeek();
  Object.assign(deps.payments, { capture });
  const as = await support(hub);
  const plan = async () => (await as.post(`/orders/${id}/cancel/plan`, { refundTo: "card" })).body;
  expect(await plan()).toMatchObject({ back: 0 });
  const seen = await cancelOf(id);
  deps.payments.find = () => Promise.reject(new ProviderUnavailable("away"));
  const away = await as.post(`/orders/${id}/cancel`, seen);
  expect([away.status, away.body[1].code]).toEqual([503, "payments_down"]);
  Object.assign(deps.payments, { find });
  const changed = await as.post(`/orders/${id}/cancel`, seen);
  expect([changed.status, changed.body[1].code]).toEqual([409, "conflict"]);
  expect(await plan()).toMatchObject({ back: (await totalOf([id])) / 100, uncharged: 0 });
});

test("cancel: a cancelled order is refused, and one that a command cancels while it is held is done without a second mail", async () => {
  const { hub, who, id } = await placedBox();
  const as = await support(hub);
  const { id: actionId } = (await as.post(`/orders/${id}/cancel`, await cancelOf(id))).body;
  await cancelOrder(operator(), id, { to: "card", reason: "Flood", key: null });
  await runWhenDue();
  expect([await stateOf(actionId), await mailsTo(who)]).toEqual(["done", ["order-confirmation", "order-called-off"]]);
  const refused = await as.post(`/orders/${id}/cancel`, await cancelOf(id));
  expect([refused.status, refused.body]).toEqual([409, ["This order is cancelled.", { code: "cancelled" }]]);
  expect((await as.post(`/orders/${id}/cancel/plan`, { refundTo: "card" })).body).toMatchObject({
    orderIds: [],
    mails: 0,
  });
});

test("cancel: in a market whose orders a person may not read it is not found, and without the permission it is refused", async () => {
  const { hub, id } = await placedBox();
  const elsewhere = await createHub(db);
  const body = await cancelOf(id);
  const urls = [
    [`/orders/${id}/cancel/plan`, { refundTo: "card" }],
    [`/orders/${id}/cancel`, body],
  ] as const;
  const outsider = await support(elsewhere);
  // May cancel in one market, and read orders in both.
  const reader = await staffOf(market, { role: "support", hubId: elsewhere.id }, { role: "auditor", hubId: hub.id });
  for (const [url, sent] of urls) {
    expect((await outsider.post(url, sent)).status).toBe(404);
    const refused = await reader.post(url, sent);
    expect([refused.status, refused.body[0]]).toEqual([403, `You may not do that in ${hub.name}.`]);
  }
  expect(await db.staff_action.count({ where: { subject: `order:${id}` } })).toBe(0);
});

test("cancel: without a reason nothing is held; a reason with markup is stored as it was written", async () => {
  const { hub, id } = await placedBox();
  const as = await support(hub);
  const empty = await as.post(`/orders/${id}/cancel`, await cancelOf(id, { reason: "  " }));
  expect([empty.status, empty.body[0]]).toEqual([400, expect.stringContaining("Give a reason")]);
  const reason = '<b>Flood</b> & "mud"';
  await as.post(`/orders/${id}/cancel`, await cancelOf(id, { reason }));
  await runWhenDue();
  expect(
    await db.mail.findFirst({ where: { template: "order-called-off", data: { path: ["orderId"], equals: id } } }),
  ).toMatchObject({ data: { reason } });
});

test("cancel: the name of a deleted account leaves its action", async () => {
  const { hub, who, id } = await placedBox({ firstName: "Zora" });
  const as = await support(hub);
  const { body } = await as.post(`/orders/${id}/cancel`, await cancelOf(id));
  await runWhenDue();
  expect(body.summary.name).toBe("Zora Baker");
  expect((await who.delete("/account", { password: PASSWORD })).status).toBe(200);
  expect((await as.get("/actions")).body.find((each: { id: number }) => each.id === body.id).summary).toMatchObject({
    name: "",
    orderId: id,
  });
});
