import { execute, sql } from "@marketday/db";
import { Minute } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { shortDay } from "../../../test/short-day.ts";
import { runDueActions } from "../staff-actions/run-due-actions.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps, clock } = market;
const run = () => runDueActions({ now: clock.now(), actor: { type: "system", job: "staff-actions" }, deps });
beforeEach(() => {
  for (const point of Object.keys(points.plan)) delete points.plan[point];
  points.passed.length = 0;
});

type Day = Awaited<ReturnType<typeof shortDay>>;
const rowOf = async ({ url, person }: Day) => (await (await person()).get(url)).body.shortages[0];

/** Three boxes of three, of which three came, about to be settled. */
async function heldDay() {
  const day = await shortDay(market, [[3], [3], [3]]);
  const counted = await day.as.put(day.url, { ...day.count(3, 9), expectedVersion: null });
  const [{ id }] = counted.body.shortages;
  const settled = await day.as.post(`${day.url}/${id}/settle`, { expectedVersion: 1 });
  expect(settled.status, JSON.stringify(settled.body)).toBe(200);
  return day;
}
/** The same when the first box was lowered, and the server stopped. */
async function begunDay() {
  const day = await heldDay();
  points.plan["short:written"] = "throw";
  clock.advance(Minute.ms);
  await run();
  delete points.plan["short:written"];
  expect(await day.left()).toEqual([1, 3, 3]);
  return day;
}
async function runAgain() {
  clock.advance(6 * Minute.ms);
  await run();
}
const charge = (orderId: number) =>
  execute(
    db,
    sql`insert into pgboss.job (name, singleton_key, policy, state, started_on)
        values ('charge', ${String(orderId)}, 'exclusive', 'active', ${clock.now()})`,
  );
const endCharge = (orderId: number) =>
  execute(db, sql`delete from pgboss.job where singleton_key = ${String(orderId)}`);

test(
  "shorts: a box that is written off after the first one was lowered is left and named, and the shortage is settled",
  { tags: ["fail:M3", "fail:N8"] },
  async () => {
    const day = await begunDay();
    const two = day.orders[1]![0]!;
    await db.order.update({ where: { id: two }, data: { written_off_at: clock.now() } });
    await runAgain();
    expect(await day.left()).toEqual([1, 3, 1]);
    expect(await rowOf(day)).toMatchObject({
      state: "settled",
      action: {
        state: "done",
        problem: expect.stringContaining(`Tote 2 (order ${two}): This order was written off.`),
      },
    });
  },
);

test(
  "shorts: a person who is disabled after the first box was lowered has settled the shortage all the same",
  { tags: ["fail:M3", "fail:N3"] },
  async () => {
    const day = await begunDay();
    await db.staff.update({ where: { id: day.as.person.id }, data: { disabled_at: clock.now() } });
    await runAgain();
    expect(await day.left()).toEqual([1, 1, 1]);
    expect(await rowOf(day)).toMatchObject({ state: "settled", action: { state: "done", problem: null } });
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "shorts: a box that is charged after the first one was lowered is waited for, and then lowered",
  { tags: ["fail:M3"] },
  async () => {
    const day = await begunDay();
    const two = day.orders[1]![0]!;
    await charge(two);
    await runAgain();
    expect(await rowOf(day)).toMatchObject({ state: "held", action: { state: "running" } });
    await endCharge(two);
    await runAgain();
    expect(await day.left()).toEqual([1, 1, 1]);
    expect(await rowOf(day)).toMatchObject({ state: "settled", action: { state: "done", problem: null } });
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "shorts: a server that stands still before the first box lowers nothing once another server has refused the settlement",
  { tags: ["fail:M3"] },
  async () => {
    const day = await heldDay();
    const gate = Promise.withResolvers<void>();
    points.plan["short:checked"] = { until: gate.promise };
    clock.advance(Minute.ms);
    const stopped = run();
    await points.reached("short:checked");
    delete points.plan["short:checked"];
    await db.staff.update({ where: { id: day.as.person.id }, data: { disabled_at: clock.now() } });
    await runAgain();
    gate.resolve();
    await stopped;
    expect(await day.left()).toEqual([3, 3, 3]);
    expect(await rowOf(day)).toMatchObject({ state: "counted", action: { state: "refused" } });
  },
);

test("shorts: a box that is charged when the minute is over is waited for, and the shortage is settled after it", async () => {
  const day = await heldDay();
  const two = day.orders[1]![0]!;
  await charge(two);
  clock.advance(Minute.ms);
  await run();
  expect(await rowOf(day)).toMatchObject({ state: "held", action: { state: "held" } });
  await endCharge(two);
  await runAgain();
  expect(await day.left()).toEqual([1, 1, 1]);
  expect(await rowOf(day)).toMatchObject({ state: "settled", action: { state: "done", problem: null } });
});
