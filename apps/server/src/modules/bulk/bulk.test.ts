import { execute, raw, sql } from "@marketday/db";
import { STAFF_SESSION } from "@marketday/domain/staff";
import { Minute, Second } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { heldOrders } from "../../../test/held-orders.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { holdTransaction, waitForLock } from "../../../test/locks.ts";
import { counted } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { renderMail } from "../mail/layout.ts";
import { runDueBulk } from "../staff-actions/run-due-actions.ts";
import { messageMails } from "./mails.ts";
import { findSteps } from "./steps-store.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps, clock } = market;
const { placedBox, closedBox, support, statusOf, stateOf } = heldOrders(market);
const run = (own = deps) => runDueBulk({ now: clock.now(), actor: { type: "system", job: "bulk-actions" }, deps: own });

beforeEach(() => {
  for (const point of Object.keys(points.plan)) delete points.plan[point];
  points.passed.length = 0;
});

type Staff = Awaited<ReturnType<typeof staffOf>>;
type Verb = "paid" | "deliver" | "cancel" | "charge" | "message";
const BODY: Record<Verb, object> = {
  paid: {},
  deliver: {},
  cancel: { refundTo: "card", reason: "Flood" },
  charge: {},
  message: { subject: "Late", text: "An hour later." },
};
/** What an action would do. */
async function plan(as: Staff, verb: Verb, orderIds: readonly number[]) {
  const { status, body } = await as.post(`/bulk/${verb}`, { ...BODY[verb], orderIds, dryRun: true });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.actions).toEqual([]);
  return body.plan;
}
const send = (as: Staff, verb: Verb, orderIds: readonly number[], token: string) =>
  as.post(`/bulk/${verb}`, { ...BODY[verb], orderIds, token });
/** Does what the plan of now says. */
async function act(as: Staff, verb: Verb, orderIds: readonly number[]) {
  const { status, body } = await send(as, verb, orderIds, (await plan(as, verb, orderIds)).token);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

let nextId = 600_000_000;
/** Boxes of one closed day that are paid at the door, of at most three customers. */
async function doorBoxes(count: number, priceCents = 700) {
  clock.set("2026-11-25T06:00:00Z");
  const hub = await createHub(db);
  const product = await createProduct(db, hub.id, { title: "Eggs", priceCents, inventory: 1000 });
  const people = await Promise.all(
    Array.from({ length: Math.min(count, 3) }, () => createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper })),
  );
  const { id: firstId } = await createOrder(db, { customerId: people[0]!.id, hub, product, status: "open" });
  const first = await db.order.update({ where: { id: firstId }, data: { status: "pending" } });
  nextId += 1000;
  const rest = Array.from({ length: count - 1 }, (_, place) => nextId + place);
  const ids = [first.id, ...rest];
  const customerOf = (place: number) => people[place % people.length]!.id;
  const payments = ids.map(() => crypto.randomUUID());
  await db.payment.createMany({
    data: payments.map((id, place) => ({
      id,
      customer_id: customerOf(place),
      provider: "offline",
      state: "authorized",
      amount_cents: first.order_total_cents,
      created_at: clock.now(),
    })),
  });
  await db.order.update({ where: { id: first.id }, data: { payment_id: payments[0]! } });
  const item = await db.order_item.findFirstOrThrow({ where: { order_id: first.id } });
  await db.order.createMany({
    data: rest.map((id, place) => ({
      ...first,
      id,
      address: { address: "1 Main Street", address2: "", city: "Carmel", state: "IN", zipCode: "46032" },
      customer_id: customerOf(place + 1),
      payment_id: payments[place + 1]!,
    })),
  });
  const { id: _id, ...line } = item;
  await db.order_item.createMany({ data: rest.map((id) => ({ ...line, order_id: id })) });
  return { hub, ids: ids.toSorted((a, b) => a - b), people, as: await support(hub) };
}
const mailCount = () => db.mail.count();
const paidOf = async (ids: readonly number[]) =>
  (
    await db.order.findMany({
      where: { id: { in: [...ids] } },
      select: { payment: { select: { state: true } } },
      orderBy: { id: "asc" },
    })
  ).map(({ payment }) => payment?.state);

/** The action that each entry about the boxes names. */
const entriesOf = async (action: string, ids: readonly number[]) =>
  (
    await db.audit_entry.findMany({
      where: { action, subject: { in: ids.map((id) => `order:${id}`) } },
      orderBy: { id: "asc" },
    })
  ).map(({ data }) => (data as { actionId?: number }).actionId);

test("bulk paid: the plan is what happens, one action is undone, and both are zero in the ledger", async () => {
  const { ids, as } = await doorBoxes(3);
  const before = await sumOfLedger(db);
  const planned = await plan(as, "paid", ids);
  expect(planned).toMatchObject({ amount: 21, unchanged: 0, refused: [], mails: 0, boxes: [{ amount: 7 }, {}, {}] });
  const { actions } = (await send(as, "paid", ids, planned.token)).body;
  expect(actions).toMatchObject([{ summary: { kind: "mark_paid", boxes: 3, amount: 21 }, canUndo: true }]);
  expect(await paidOf(ids)).toEqual(["captured", "captured", "captured"]);
  expect(await entriesOf("orders paid", ids)).toEqual(ids.map(() => actions[0].id));
  expect((await plan(as, "paid", ids)).unchanged).toBe(3);
  expect((await as.post(`/actions/${actions[0].id}/undo`)).status).toBe(200);
  expect((await plan(as, "paid", ids)).amount).toBe(21);
  expect(await sumOfLedger(db)).toBe(before);
});

test(
  "bulk paid: one box that is refused refuses all of them, and is named; the others are done without it",
  { tags: ["fail:N2"] },
  async () => {
    const { ids, as } = await doorBoxes(3);
    await db.order.update({ where: { id: ids[1]! }, data: { status: "cancelled", cancelled_at: clock.now() } });
    const planned = await plan(as, "paid", ids);
    expect(planned).toMatchObject({ amount: 14, refused: [{ orderId: ids[1], reason: "This order is cancelled." }] });
    const refused = await send(as, "paid", ids, planned.token);
    expect([refused.status, refused.body[1].code, refused.body[0]]).toEqual([
      409,
      "refused",
      `Order ${ids[1]}: This order is cancelled.\nNothing was done.`,
    ]);
    expect(await paidOf(ids)).toEqual(["authorized", "authorized", "authorized"]);
    await act(as, "paid", [ids[0]!, ids[2]!]);
    expect(await paidOf(ids)).toEqual(["captured", "authorized", "captured"]);
  },
);

test.each(["bulk:written", "bulk:stored"])("bulk paid: it fails at %s, and nothing is recorded", async (point) => {
  const { ids, as } = await doorBoxes(3);
  const { token } = await plan(as, "paid", ids);
  points.plan[point] = "throw";
  expect((await send(as, "paid", ids, token)).status).toBe(500);
  expect(await paidOf(ids)).toEqual(["authorized", "authorized", "authorized"]);
  delete points.plan[point];
  expect((await send(as, "paid", ids, token)).status).toBe(200);
});

test("bulk paid: two people at once record each box once; the second one gets a conflict with what is left", async () => {
  const { ids, as, hub } = await doorBoxes(3);
  const ben = await support(hub);
  const [own, other] = [await plan(as, "paid", ids), await plan(ben, "paid", ids.slice(1))];
  const answers = await Promise.all([send(as, "paid", ids, own.token), send(ben, "paid", ids.slice(1), other.token)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const lost = answers.find(({ status }) => status === 409)!;
  expect(lost.body[1].code).toBe("conflict");
  expect(lost.body[1].current).toMatchObject({ refused: [] });
  expect(
    await db.audit_entry.count({ where: { action: "orders paid", subject: { in: ids.map((id) => `order:${id}`) } } }),
  ).toBe(answers[0].status === 200 ? 3 : 2);
});

test("bulk: a box that changed since it was shown is a conflict with the plan as it is now", async () => {
  const { ids, as } = await doorBoxes(2);
  const { token } = await plan(as, "paid", ids);
  await db.order.update({ where: { id: ids[0]! }, data: { tip_cents: 200, order_total_cents: 900 } });
  const { status, body } = await send(as, "paid", ids, token);
  expect([status, body[1].code, body[1].current.amount]).toEqual([409, "conflict", 16]);
  expect(await paidOf(ids)).toEqual(["authorized", "authorized"]);
});

test("bulk: a box that changes between the plan and its lock is a conflict, and the plan in it can be done at once", async () => {
  const { ids, as } = await doorBoxes(2);
  const { token } = await plan(as, "paid", ids);
  const release = await holdTransaction(
    db,
    sql`update orders set discount_cents = 100, order_total_cents = 600 where id = ${ids[0]!}::int`,
  );
  const sent = send(as, "paid", ids, token);
  await waitForLock(db, sent);
  await release();
  const { status, body } = await sent;
  expect([status, body[1]?.code, body[1]?.current?.amount]).toEqual([409, "conflict", 13]);
  expect(await paidOf(ids)).toEqual(["authorized", "authorized"]);
  expect((await send(as, "paid", ids, body[1].current.token)).status).toBe(200);
  expect(await paidOf(ids)).toEqual(["captured", "captured"]);
});

test("bulk: an order of a market that the person may not change refuses the whole with its number", async () => {
  const own = await doorBoxes(1);
  const other = await doorBoxes(1);
  const ids = [...own.ids, ...other.ids];
  for (const verb of ["paid", "deliver", "cancel", "charge", "message"] as const) {
    const unknown = await own.as.post(`/bulk/${verb}`, { ...BODY[verb], orderIds: ids, dryRun: true });
    expect([verb, unknown.status, unknown.body[0]]).toEqual([verb, 404, `There is no order ${other.ids[0]}.`]);
  }
  const both = await staffOf(market, { role: "support", hubId: own.hub.id }, { role: "auditor", hubId: other.hub.id });
  const refused = await both.post("/bulk/deliver", { orderIds: ids, dryRun: true });
  expect([refused.status, refused.body[0]]).toEqual([
    403,
    `Order ${other.ids[0]} is of ${other.hub.name}, where you may not do that.`,
  ]);
});

test("bulk deliver: boxes of two markets are delivered at once, each market's undone alone", async () => {
  const [one, two] = [await doorBoxes(2), await doorBoxes(1)];
  const as = await staffOf(market, "manager");
  const ids = [...one.ids, ...two.ids];
  const { plan: planned, actions } = await act(as, "deliver", ids);
  expect(planned).toMatchObject({ early: [{ hub: one.hub.name, day: "2026-11-26" }, { hub: two.hub.name }] });
  expect(actions).toMatchObject([
    { summary: { kind: "bulk_deliver", orderIds: one.ids }, hub: { id: one.hub.id }, day: "2026-11-26" },
    { summary: { kind: "bulk_deliver", orderIds: two.ids } },
  ]);
  expect(await Promise.all(ids.map(statusOf))).toEqual(["closed", "closed", "closed"]);
  // The orders of a market are locked by their numbers.
  const entries = await entriesOf("orders deliver", ids);
  expect(entries.toSorted((a, b) => Number(a) - Number(b))).toEqual([actions[0].id, actions[0].id, actions[1].id]);
  expect((await as.post(`/actions/${actions[0].id}/undo`)).status).toBe(200);
  expect(await Promise.all(ids.map(statusOf))).toEqual(["pending", "pending", "closed"]);
  expect((await plan(as, "deliver", ids)).unchanged).toBe(1);
});

test("bulk cancel: the plan is what happens: money back, mails to customers, one mail to each vendor", async () => {
  const box = await closedBox();
  const as = await support(box.hub);
  const before = await mailCount();
  const planned = await plan(as, "cancel", [box.id]);
  expect(planned).toMatchObject({ refused: [], mails: 1, boxes: [{ orderId: box.id }] });
  const { total } = await as.get(`/orders/${box.id}`).then(({ body }) => body);
  expect(planned.back + planned.credit).toBe(total);
  const { actions } = (await send(as, "cancel", [box.id], planned.token)).body;
  expect(actions).toMatchObject([{ state: "held", summary: { kind: "bulk_cancel", back: total } }]);
  expect(await run()).toBe(0);
  clock.advance(10 * Second.ms);
  expect(await run()).toBe(1);
  expect(await statusOf(box.id)).toBe("cancelled");
  expect(await mailCount()).toBe(before + planned.mails + planned.vendorMails);
  const refunds = await db.refund.findMany({ where: { order_id: box.id } });
  expect(refunds.reduce((sum, { amount_cents: cents }) => sum + cents, 0)).toBe(Math.round(total * 100));
  const entry = await db.audit_entry.findFirstOrThrow({
    where: { subject: `order:${box.id}`, action: "orders cancel" },
  });
  expect(entry.data).toMatchObject({ actionId: actions[0].id });
  expect(await sumOfLedger(db)).toBe(0);
});

test("bulk cancel: it is undone while it is held, also by its second request, and a box that is held is refused", async () => {
  const box = await placedBox();
  const as = await support(box.hub);
  const { actions } = await act(as, "cancel", [box.id]);
  expect((await plan(as, "cancel", [box.id])).refused).toEqual([
    { orderId: box.id, name: expect.any(String), reason: "Ada Kowalski is about to cancel this order." },
  ]);
  expect((await as.post(`/actions/${actions[0].id}/undo`)).body.state).toBe("undone");
  clock.advance(10 * Second.ms);
  expect(await run()).toBe(0);
  expect(await statusOf(box.id)).toBe("open");
});

test(
  "bulk cancel: of a person whose role was taken while it was held, nothing is done",
  { tags: ["fail:N3"] },
  async () => {
    const box = await placedBox();
    const as = await support(box.hub);
    const { actions } = await act(as, "cancel", [box.id]);
    await db.staff_grant.deleteMany({ where: { staff_id: as.person.id } });
    clock.advance(10 * Second.ms);
    await run();
    expect([await stateOf(actions[0].id), await statusOf(box.id)]).toEqual(["refused", "open"]);
  },
);

test(
  "bulk cancel: of a person whose role is taken in the middle, the boxes that wait are not cancelled, and it ends with them",
  { tags: ["fail:N3"] },
  async () => {
    const { ids, as } = await doorBoxes(3);
    const { actions } = await act(as, "cancel", ids);
    clock.advance(10 * Second.ms);
    // One box is a run.
    let elapsed = 0;
    await run({ ...deps, clock: { ...clock, elapsed: () => (elapsed += 15 * Second.ms) } });
    expect(await Promise.all(ids.map(statusOf))).toEqual(["cancelled", "pending", "pending"]);
    await db.staff_grant.deleteMany({ where: { staff_id: as.person.id } });
    await run();
    expect(await Promise.all(ids.map(statusOf))).toEqual(["cancelled", "pending", "pending"]);
    const action = await db.staff_action.findUniqueOrThrow({ where: { id: actions[0].id } });
    expect([action.state, action.problem]).toEqual([
      "done",
      [
        "2 of 3 orders were not cancelled.",
        ...ids.slice(1).map((id) => `Order ${id}: Ada Kowalski may no longer do that.`),
      ].join("\n"),
    ]);
  },
);

test("bulk cancel: a box that fails for an hour is named and holds back no other", async () => {
  const { ids, as } = await doorBoxes(2);
  const { actions } = await act(as, "cancel", ids);
  clock.advance(10 * Second.ms);
  const constraint = raw(`failing_${ids[0]}`);
  await execute(
    db,
    sql`alter table orders add constraint ${constraint} check (id <> ${raw(String(ids[0]))} or status <> 'cancelled') not valid`,
  );
  await run();
  expect([await stateOf(actions[0].id), ...(await Promise.all(ids.map(statusOf)))]).toEqual([
    "running",
    "pending",
    "cancelled",
  ]);
  clock.advance(60 * Minute.ms);
  await run();
  await execute(db, sql`alter table orders drop constraint ${constraint}`);
  const action = await db.staff_action.findUniqueOrThrow({ where: { id: actions[0].id } });
  expect([action.state, action.problem]).toEqual([
    "done",
    `1 of 2 orders were not cancelled.\nOrder ${ids[0]}: It failed for an hour, and is not tried again.`,
  ]);
});

test("bulk cancel: an add-on that was cancelled before is not among what vendors no longer bring", async () => {
  const box = await closedBox({ addOns: [1] });
  const as = await support(box.hub);
  await db.order.update({ where: { id: box.ids[1]! }, data: { status: "cancelled", cancelled_at: clock.now() } });
  const { actions } = await act(as, "cancel", [box.id]);
  clock.advance(10 * Second.ms);
  await run();
  const [step] = await findSteps(db, actions[0].id);
  expect(step).toMatchObject({ state: "done", cancelledIds: [box.id] });
});

test("bulk cancel: above the role's limit it is refused, and above the step-up's it needs a proof", async () => {
  const { ids, as } = await doorBoxes(3, 9000);
  await act(as, "paid", ids);
  const planned = await plan(as, "cancel", ids);
  expect(planned.overLimit).toBe(50);
  expect((await send(as, "cancel", ids, planned.token)).body[1].code).toBe("over_limit");
  const manager = await staffOf(market, "manager");
  const { token, back, credit } = await plan(manager, "cancel", ids);
  expect(back + credit).toBe(270);
  clock.advance(STAFF_SESSION.stepUpMs + 1);
  const refused = await send(manager, "cancel", ids, token);
  expect([refused.status, refused.body[1].code]).toEqual([403, "step_up_required"]);
});

test(
  "bulk message: one mail to each person, with the text as text, ten seconds later",
  { tags: ["fail:F1"] },
  async () => {
    const { ids, as, people } = await doorBoxes(7);
    const before = await mailCount();
    const planned = await plan(as, "message", ids);
    expect([planned.mails, planned.boxes.length]).toEqual([3, 7]);
    const hostile = '<script>alert("1")</script> & <b>bold</b>';
    const { body } = await as.post("/bulk/message", {
      orderIds: ids,
      token: planned.token,
      subject: `Late\r\nBcc: x@example.com ${hostile}`,
      text: `First.\n\n${hostile}`,
    });
    clock.advance(10 * Second.ms);
    expect(await run()).toBe(1);
    expect(await run()).toBe(0);
    expect(await mailCount()).toBe(before + 3);
    expect(await stateOf(body.actions[0].id)).toBe("done");
    const { email } = await db.customer.findUniqueOrThrow({ where: { id: people[1]!.id } });
    const mail = await db.mail.findFirstOrThrow({ where: { to_email: email! } });
    const content = await messageMails["order-message"]!.content(
      deps,
      mail.data as Record<string, unknown>,
      clock.now(),
    );
    const { html, text, subject, replyTo } = renderMail(content!, deps.env);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("<b>");
    expect(html).toContain("&lt;script&gt;");
    expect([subject.includes("\n"), replyTo]).toEqual([false, deps.env.supportEmail]);
    expect(text).toContain(hostile);
    expect(html).toContain(deps.env.marketName);
  },
);

test("bulk charge: a card that is declined again is named, and the others are charged", async () => {
  const { ids, as } = await doorBoxes(2);
  const refused = await plan(as, "charge", ids);
  expect(refused.refused.map(({ reason }: { reason: string }) => reason)).toEqual([
    "This order is paid at the door. Record its payment instead.",
    "This order is paid at the door. Record its payment instead.",
  ]);
  await db.order.updateMany({ where: { id: { in: ids } }, data: { payment_id: null, charge_failed_at: clock.now() } });
  const { plan: planned, actions } = await act(as, "charge", ids);
  expect(planned.amount).toBe(14);
  clock.advance(10 * Second.ms);
  expect(await run()).toBe(1);
  const action = await db.staff_action.findUniqueOrThrow({ where: { id: actions[0].id } });
  expect([action.state, action.problem]).toEqual([
    "done",
    [
      "2 of 2 orders were not charged.",
      ...ids.map((id) => `Order ${id}: Order ${id} was not charged: There is no card in the account.`),
    ].join("\n"),
  ]);
});

test(
  "bulk cancel: five hundred orders of which one fails in the middle: it goes on with the rest, and each is cancelled once",
  { tags: ["fail:M3"] },
  async () => {
    const { ids, as, people } = await doorBoxes(500);
    const { plan: planned, actions } = await act(as, "cancel", ids);
    expect(planned).toMatchObject({ boxes: { length: 500 }, uncollected: 3500, back: 0 });
    clock.advance(10 * Second.ms);
    let steps = 0;
    const at = points.at;
    const fails = async (point: string) => {
      if (point === "bulk:step" && (steps += 1) === 250) throw new Error("killed");
      await at(point);
    };
    // A run is not paused, however long this machine takes.
    const unpaused = { ...deps, clock: { ...clock, elapsed: () => 0 } };
    await run({ ...unpaused, failpoint: fails });
    const counts = async () => {
      const rows = await db.staff_action_order.groupBy({
        by: ["state"],
        where: { action_id: actions[0].id },
        _count: true,
      });
      return Object.fromEntries(rows.map(({ state, _count }) => [state, _count]));
    };
    expect(await counts()).toEqual({ done: 250, waiting: 250 });
    clock.advance(5 * Minute.ms);
    await run(unpaused);
    expect([await counts(), await stateOf(actions[0].id)]).toEqual([{ done: 500 }, "done"]);
    expect(await db.order.count({ where: { id: { in: ids }, status: "cancelled" } })).toBe(500);
    expect(
      await db.audit_entry.count({
        where: { action: "orders cancel", subject: { in: ids.map((id) => `order:${id}`) } },
      }),
    ).toBe(500);
    expect(people).toHaveLength(3);
  },
);

test("bulk: the plan of two hundred orders needs no more statements than that of two", async () => {
  const { ids, as } = await doorBoxes(200);
  for (const verb of ["paid", "deliver", "cancel", "charge", "message"] as const) {
    const count = async (orderIds: readonly number[]) => {
      const body = { ...BODY[verb], orderIds, dryRun: true };
      return (await counted(market, () => as.post(`/bulk/${verb}`, body))).statements.filter(
        (text) => !text.includes("staff_session"),
      ).length;
    };
    // What is cached is read once.
    await market.app.settled();
    await count(ids.slice(0, 2));
    const few = await count(ids.slice(0, 2));
    expect(await count(ids), verb).toBeLessThanOrEqual(few);
    expect(few, verb).toBeLessThanOrEqual(10);
  }
});

test("bulk: more than five hundred orders, none, and a reason that is missing are refused", async () => {
  const as = await staffOf(market, "manager");
  const many = Array.from({ length: 501 }, (_, place) => place + 1);
  for (const body of [{ orderIds: many }, { orderIds: [] }])
    expect((await as.post("/bulk/deliver", { ...body, dryRun: true })).status).toBe(400);
  const { status, body } = await as.post("/bulk/cancel", { orderIds: [1], refundTo: "card" });
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("Give a reason")]);
});
