import { execute, sql } from "@marketday/db";
import { Day, Minute, Second } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { heldOrders } from "../../../test/held-orders.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { staffOf } from "../../../test/staff.ts";
import { ProviderUnavailable } from "../../gateways/payments/payments.ts";
import { cleanUp } from "../../jobs/clean-up.ts";
import { findFailures } from "../job-failures/failure-sql.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps, clock } = market;
const second = await buildTestApp({ url: market.url, overrides: { clock } });
const { placedBox, closedBox, support, version, run, runWeek, runWhenDue, stateOf, statusOf, mailsTo } =
  heldOrders(market);
const other = heldOrders(second);
const { capture, find } = deps.payments;
const real = { capture, find };

beforeEach(() => {
  for (const point of Object.keys(points.plan)) delete points.plan[point];
  points.passed.length = 0;
  Object.assign(deps.payments, real);
});

type Box = Awaited<ReturnType<typeof placedBox>>;
type Staff = Awaited<ReturnType<typeof support>>;
/** Holds the cancellation of a box. Returns the id of its action. */
async function hold(as: Staff, { id }: Box): Promise<number> {
  const body = { reason: "Flood", refundTo: "card", expectedVersion: await version(id) };
  const held = await as.post(`/orders/${id}/cancel`, body);
  expect(held.status, JSON.stringify(held.body)).toBe(200);
  return held.body.id;
}
/** A box whose cancellation by a new person is held. */
async function heldBox() {
  const box = await placedBox();
  const as = await support(box.hub);
  return { ...box, as, actionId: await hold(as, box) };
}
const rowOf = (id: number) => db.staff_action.findUniqueOrThrow({ where: { id } });
const problemsOf = async () =>
  (await findFailures(db, clock.now())).filter(({ job }) => job === "staff-actions").map(({ subject }) => subject);
const CANCELLED = ["order-confirmation", "order-called-off"];

test("actions: two servers at once do it once", async () => {
  const { who, id, actionId } = await heldBox();
  clock.advance(10 * Second.ms);
  const gate = Promise.withResolvers<void>();
  points.plan["staff-action:claimed"] = { until: gate.promise };
  const first = run();
  await points.reached("staff-action:claimed");
  expect(await other.run()).toBe(0);
  expect([await stateOf(actionId), await statusOf(id)]).toEqual(["running", "open"]);
  gate.resolve();
  expect(await first).toBe(1);
  expect(await other.run()).toBe(0);
  expect([await stateOf(actionId), await mailsTo(who)]).toEqual(["done", CANCELLED]);
});

test("actions: a server that was stopped for longer than its lease ends nothing that another server has done", async () => {
  const { who, actionId } = await heldBox();
  clock.advance(10 * Second.ms);
  const gate = Promise.withResolvers<void>();
  points.plan["staff-action:claimed"] = { until: gate.promise };
  const slow = run();
  await points.reached("staff-action:claimed");
  clock.advance(5 * Minute.ms);
  expect(await other.run()).toBe(1);
  const ended = await rowOf(actionId);
  clock.advance(1 * Minute.ms);
  gate.resolve();
  expect(await slow).toBe(0);
  expect(await rowOf(actionId)).toEqual(ended);
  expect([ended.state, await mailsTo(who)]).toEqual(["done", CANCELLED]);
});

test.each(["staff-action:claimed", "cancel:written", "staff-action:done"])(
  "actions: one that fails at %s is tried again, and is done once",
  { tags: ["fail:M3"] },
  async (point) => {
    const box = await closedBox();
    const as = await support(box.hub);
    const actionId = await hold(as, box);
    points.plan[point] = "throw";
    expect(await runWhenDue()).toBe(0);
    const hasBegun = point !== "staff-action:claimed";
    expect([await stateOf(actionId), await problemsOf()]).toEqual([
      hasBegun ? "running" : "held",
      [`action ${actionId} on order:${box.id}`],
    ]);
    const undo = hasBegun ? await as.post(`/actions/${actionId}/undo`) : null;
    expect(undo?.body[1].code).toBe(hasBegun ? "already_done" : undefined);
    delete points.plan[point];
    clock.advance(2 * Minute.ms);
    expect(await run()).toBe(1);
    expect([await stateOf(actionId), await statusOf(box.id), await problemsOf()]).toEqual(["done", "cancelled", []]);
    expect((await mailsTo(box.who)).filter((template) => template === "order-called-off")).toHaveLength(1);
    expect([await sumOfLedger(db), await market.audit()]).toEqual([0, []]);
  },
);

test("actions: while the payment provider does not answer it is tried again, and is not refused", async () => {
  const box = await placedBox();
  clock.set("2026-11-25T05:59:55Z");
  const actionId = await hold(await support(box.hub), box);
  // Charged at the cutoff, and the answer is lost.
  deps.payments.capture = async (request) => {
    await real.capture(request);
    throw new ProviderUnavailable("the answer was lost");
  };
  deps.payments.find = () => Promise.reject(new ProviderUnavailable("away"));
  clock.set("2026-11-25T06:00:00Z");
  await runWeek();
  clock.advance(5 * Second.ms);
  expect(await run()).toBe(0);
  expect([await stateOf(actionId), await statusOf(box.id), await problemsOf()]).toEqual([
    "held",
    "pending",
    [`action ${actionId} on order:${box.id}`],
  ]);
  Object.assign(deps.payments, real);
  clock.advance(2 * Minute.ms);
  expect(await run()).toBe(1);
  expect([await stateOf(actionId), await statusOf(box.id)]).toEqual(["done", "cancelled"]);
  const { order_total_cents: total } = await db.order.findUniqueOrThrow({ where: { id: box.id } });
  expect(await db.refund.findMany({ where: { order_id: box.id } })).toMatchObject([
    { amount_cents: total, state: "done" },
  ]);
  expect([await sumOfLedger(db), await market.audit()]).toEqual([0, []]);
});

test("actions: one that waits for the charge of its order is not refused, and is done after it", async () => {
  const box = await placedBox();
  clock.set("2026-11-25T05:59:55Z");
  const actionId = await hold(await support(box.hub), box);
  clock.set("2026-11-25T06:00:00Z");
  await runWeek();
  await execute(
    db,
    sql`insert into pgboss.job (name, singleton_key, policy, state, started_on)
        values ('charge', ${String(box.id)}, 'exclusive', 'active', ${clock.now()})`,
  );
  clock.advance(5 * Second.ms);
  expect(await run()).toBe(0);
  expect([await stateOf(actionId), await statusOf(box.id), await problemsOf()]).toEqual(["held", "pending", []]);
  await execute(db, sql`delete from pgboss.job where singleton_key = ${String(box.id)}`);
  clock.advance(5 * Second.ms);
  expect(await run()).toBe(1);
  expect([await stateOf(actionId), await statusOf(box.id)]).toEqual(["done", "cancelled"]);
  expect([await sumOfLedger(db), await market.audit()]).toEqual([0, []]);
});

test("actions: one that fails before anything of it is done can be undone, and is refused after a day", async () => {
  const [undone, left] = [await heldBox(), await heldBox()];
  points.plan["staff-action:claimed"] = "throw";
  expect(await runWhenDue()).toBe(0);
  expect((await undone.as.post(`/actions/${undone.actionId}/undo`)).body.state).toBe("undone");
  clock.advance(1 * Day.ms);
  await run();
  expect(await rowOf(left.actionId)).toMatchObject({
    state: "refused",
    problem: "It failed for a day. Nothing was done.",
  });
  delete points.plan["staff-action:claimed"];
  await runWhenDue();
  expect([await statusOf(undone.id), await mailsTo(undone.who)]).toEqual(["open", ["order-confirmation"]]);
  expect(await problemsOf()).toEqual([]);
});

test("actions: undone at the last moment it is not done; undone while it is done, the person reads that it is too late", async () => {
  const late = await heldBox();
  clock.advance(10 * Second.ms);
  expect((await late.as.post(`/actions/${late.actionId}/undo`)).body.state).toBe("undone");
  expect([await run(), await statusOf(late.id)]).toEqual([0, "open"]);

  const { as, id, actionId } = await heldBox();
  clock.advance(10 * Second.ms);
  const gate = Promise.withResolvers<void>();
  points.plan["staff-action:claimed"] = { until: gate.promise };
  const running = run();
  await points.reached("staff-action:claimed");
  const refused = await as.post(`/actions/${actionId}/undo`);
  expect([refused.status, refused.body]).toEqual([
    409,
    ["This is being done right now, and can no longer be undone.", { code: "already_done" }],
  ]);
  expect((await as.get("/actions")).body[0]).toMatchObject({
    id: actionId,
    state: "running",
    canUndo: false,
    dueAt: null,
  });
  gate.resolve();
  await running;
  expect([await stateOf(actionId), await statusOf(id)]).toEqual(["done", "cancelled"]);
  expect((await as.post(`/actions/${actionId}/undo`)).body[0]).toContain("can no longer be undone");
});

test("actions: undo and run in the same moment, one of them wins", async () => {
  for (let round = 0; round < 4; round += 1) {
    const { as, id, who, actionId } = await heldBox();
    clock.advance(10 * Second.ms);
    const [undo, done] = await Promise.all([
      as.post(`/actions/${actionId}/undo`),
      round % 2 === 0 ? run() : other.run(),
    ]);
    const outcome = [undo.status, done, await stateOf(actionId), await statusOf(id), await mailsTo(who)];
    expect([
      [200, 0, "undone", "open", ["order-confirmation"]],
      [409, 1, "done", "cancelled", CANCELLED],
    ]).toContainEqual(outcome);
  }
});

test("actions: undone twice, by two people at once, it is undone once", async () => {
  const { hub, as, actionId } = await heldBox();
  const ben = await support(hub);
  const answers = await Promise.all([as, ben, as].map((each) => each.post(`/actions/${actionId}/undo`)));
  expect(answers.map(({ status, body }) => `${status} ${body.state}`)).toEqual([
    "200 undone",
    "200 undone",
    "200 undone",
  ]);
  expect(
    await db.audit_entry.count({
      where: { action: "cancel_order undo", data: { path: ["actionId"], equals: actionId } },
    }),
  ).toBe(1);
});

const endings: [string, (person: { id: number }) => Promise<unknown>][] = [
  ["was disabled", ({ id }) => db.staff.update({ where: { id }, data: { disabled_at: clock.now() } })],
  ["lost the role", ({ id }) => db.staff_grant.deleteMany({ where: { staff_id: id } })],
];
test.each(endings)(
  "actions: of a person who %s meanwhile it is refused with the reason",
  { tags: ["fail:N3"] },
  async (_, end) => {
    const { hub, who, as, id, actionId } = await heldBox();
    await end(as.person);
    expect(await runWhenDue()).toBe(1);
    expect([await statusOf(id), await mailsTo(who)]).toEqual(["open", ["order-confirmation"]]);
    const ben = await support(hub);
    expect((await ben.get("/actions")).body[0]).toMatchObject({
      id: actionId,
      state: "refused",
      problem: "Ada Kowalski may no longer do that.",
      isOwn: false,
      canUndo: false,
    });
    const undo = await ben.post(`/actions/${actionId}/undo`);
    expect([undo.status, undo.body[1].code]).toEqual([409, "refused"]);
    await runWhenDue();
    expect(await stateOf(actionId)).toBe("refused");
  },
);

test("actions: the list has those of the last day, newest first, of a person's own markets, and who may undo them", async () => {
  const [one, two] = [await heldBox(), await heldBox()];
  const ids = async (as: Staff) => (await as.get("/actions")).body.map(({ id }: { id: number }) => id);
  expect(await ids(one.as)).toEqual([one.actionId]);
  const depot = await staffOf(market, { role: "depot_lead", hubId: one.hub.id });
  expect((await depot.get("/actions")).body).toMatchObject([
    {
      id: one.actionId,
      by: "Ada Kowalski",
      isOwn: false,
      canUndo: false,
      hub: { slug: one.hub.slug, timeZone: one.hub.time_zone },
      day: one.day,
    },
  ]);
  expect((await depot.post(`/actions/${one.actionId}/undo`)).status).toBe(403);
  expect((await depot.post(`/actions/${two.actionId}/undo`)).status).toBe(404);
  expect((await depot.post("/actions/2000000/undo")).status).toBe(404);
  const owner = await staffOf(market, "owner");
  expect((await ids(owner)).filter((id: number) => id >= one.actionId)).toEqual([two.actionId, one.actionId]);
  // Who may only moderate sees what was hidden.
  expect((await (await staffOf(market, "editor")).get("/actions")).body).toEqual([]);
  clock.advance(1 * Day.ms + Minute.ms);
  const later = await support(one.hub);
  expect(await ids(later)).toEqual([]);
});

test("actions: a delivery day takes its actions with it, and the clean-up those of three months ago", async () => {
  const hub = await createHub(db);
  const { person } = await support(hub);
  const [first, next] = hub.deliveries;
  const action = (deliveryId: number, endedAt: Date | null) =>
    db.staff_action.create({
      data: {
        staff_id: person.id,
        kind: "mark_paid",
        hub_id: hub.id,
        delivery_id: deliveryId,
        subject: `delivery:${deliveryId}`,
        input: { orderIds: [] },
        summary: { kind: "mark_paid", orderIds: [], boxes: 0, amount: 0 },
        state: endedAt === null ? "held" : "done",
        due_at: endedAt === null ? clock.now() : null,
        created_at: clock.now(),
        ended_at: endedAt,
      },
    });
  const now = clock.now();
  const old = await action(first!.id, new Date(now.getTime() - 91 * Day.ms));
  const kept = await action(first!.id, new Date(now.getTime() - 89 * Day.ms));
  const gone = await action(next!.id, now);
  await db.delivery.delete({ where: { id: next!.id } });
  await cleanUp({ deps, now, actor: { type: "system", job: "clean-up" } });
  const left = await db.staff_action.findMany({ where: { id: { in: [old.id, kept.id, gone.id] } } });
  expect(left.map(({ id }) => id)).toEqual([kept.id]);
});
