import { Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { openStream } from "../../../test/event-stream.ts";
import { newKey } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { shortDay } from "../../../test/short-day.ts";
import type { Context } from "../identity/context.ts";
import { payVendors } from "../ledger/pay-vendors.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { deliverOrders } from "../orders/deliver-orders.ts";
import { shortOrder } from "../orders/short-order.ts";
import { runDueShorts } from "../staff-actions/run-due-actions.ts";
import { shortItem } from "./short-item.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps, clock } = market;
const operator = (): Context => ({ now: clock.now(), actor: { type: "operator", name: "mara" }, deps });
const run = () => runDueShorts({ now: clock.now(), actor: { type: "system", job: "settle-shorts" }, deps });
const INPUT = { to: "credit", reason: "frost", key: null } as const;
type Day = Awaited<ReturnType<typeof shortDay>>;

/** A count that is about to be settled. */
async function heldShort(day: Day, came: number, of: number, change: object = {}) {
  const counted = await day.as.put(day.url, { ...day.count(came, of, change), expectedVersion: null });
  expect(counted.status, JSON.stringify(counted.body)).toBe(200);
  const [{ id }] = counted.body.shortages;
  const settled = await day.as.post(`${day.url}/${id}/settle`, { expectedVersion: 1 });
  expect(settled.status, JSON.stringify(settled.body)).toBe(200);
  return settled.body.shortages[0] as { id: number; version: number; action: { id: number; dueAt: string } };
}
const rowOf = async ({ as, url }: Day) => (await as.get(url)).body.shortages[0];
async function afterMinute() {
  clock.advance(Minute.ms);
  await run();
}
const cancel = (day: Day, place: number) => cancelOrder(operator(), day.orders[place]![0]!, INPUT);
/** The command `market short`. */
const command = (day: Day, came: number, of: number) =>
  shortItem(
    operator(),
    { hub: day.hub.slug, day: "2026-11-26", vendor: day.vendor.slug, item: "Eggs", came, of },
    INPUT,
  );
const mailsOf = ({ orders }: Day) =>
  db.mail.count({ where: { OR: orders.flat().map((id) => ({ key: { startsWith: `order-short:${id}:` } })) } });
const vendorMails = ({ deliveryId }: Day) =>
  db.mail.count({ where: { key: { startsWith: `vendor-change:${deliveryId}:` } } });

test("shorts: an undone settlement does nothing, and the count is there again to be changed and settled", async () => {
  const day = await shortDay(market, [[3], [1], [3]]);
  const held = await heldShort(day, 4, 7);
  expect(Date.parse(held.action.dueAt) - clock.now().getTime()).toBe(Minute.ms);
  const undone = await day.as.post(`/actions/${held.action.id}/undo`);
  expect([undone.status, undone.body.state]).toEqual([200, "undone"]);
  await afterMinute();
  expect(await day.left()).toEqual([3, 1, 3]);
  const row = await rowOf(day);
  expect(row).toMatchObject({ state: "counted", version: 3, action: { state: "undone" } });
  const changed = await day.as.put(day.url, { ...day.count(6, 7), expectedVersion: 3 });
  expect((await day.as.post(`${day.url}/${row.id}/settle`, { expectedVersion: 4 })).status, changed.body[0]).toBe(200);
  await afterMinute();
  expect(await day.left()).toEqual([3, 1, 2]);
  expect(await market.audit()).toEqual([]);
});

test("shorts: while it is held it can be neither changed nor removed nor settled again, and says who settles it when", async () => {
  const day = await shortDay(market, [[3], [1]]);
  const { id, version } = await heldShort(day, 3, 4);
  const sentence =
    "Ada Kowalski settles 3 of 4 Eggs, Each at 4:01AM. Undo that first, or wait until it is done. Nothing was done.";
  const answers = [
    await day.as.put(day.url, { ...day.count(2, 4), expectedVersion: version }),
    await day.as.post(`${day.url}/${id}/settle`, { expectedVersion: version }),
    await day.as.post(`${day.url}/${id}/remove`, { expectedVersion: version }),
  ];
  for (const { status, body } of answers)
    expect([status, body]).toEqual([
      409,
      [sentence, { code: "held", current: expect.objectContaining({ shortages: [expect.objectContaining({ id })] }) }],
    ]);
  await expect(command(day, 3, 4)).rejects.toThrow(sentence);
  expect(await day.left()).toEqual([3, 1]);
});

test(
  "shorts: settled twice, by a repeated request or by two people at once, it is done once",
  { tags: ["fail:N8"] },
  async () => {
    const day = await shortDay(market, [[3], [2]]);
    const counted = await day.as.put(day.url, { ...day.count(4, 5), expectedVersion: null });
    const [{ id }] = counted.body.shortages;
    const other = await day.person();
    const send = (cookie: string, key: string) =>
      market.app.inject({
        method: "POST",
        url: `/api/admin${day.url}/${id}/settle`,
        headers: { cookie, "sec-fetch-site": "same-origin", "idempotency-key": key },
        payload: { expectedVersion: 1 },
      });
    const keys = [newKey(), newKey()];
    const both = await Promise.all([send(day.as.cookie, keys[0]!), send(other.cookie, keys[1]!)]);
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const won = both[0].statusCode === 200 ? 0 : 1;
    const again = await send([day.as, other][won]!.cookie, keys[won]!);
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(await db.staff_action.count({ where: { subject: `shortage:${id}` } })).toBe(1);
    await afterMinute();
    await afterMinute();
    expect(await day.left()).toEqual([2, 2]);
    expect(await mailsOf(day)).toBe(1);
    const late = await other.post(`${day.url}/${id}/settle`, { expectedVersion: 1 });
    expect([late.status, late.body[0]]).toEqual([409, "4 of 5 Eggs, Each was settled in the meantime."]);
  },
);

test("shorts: a box that is cancelled in another tab within the minute refuses it with what is ordered now, and the new number settles it", async () => {
  const day = await shortDay(market, [[3], [2], [2]]);
  const { id } = await heldShort(day, 4, 7);
  await cancel(day, 1);
  await afterMinute();
  expect(await day.left()).toEqual([3, 2, 2]);
  const row = await rowOf(day);
  expect(row).toMatchObject({
    state: "counted",
    action: { state: "refused", problem: "5 of Eggs, Each are ordered, not 7. Nothing was done." },
  });
  const plan = await day.as.post(`${day.url}/plan`, day.count(4, 7));
  expect([plan.status, plan.body[1]]).toEqual([409, { code: "other_count", ordered: 5 }]);
  const refused = await day.as.post(`${day.url}/${id}/settle`, { expectedVersion: row.version });
  expect([refused.status, refused.body[1]]).toEqual([409, { code: "other_count", ordered: 5 }]);
  await day.as.put(day.url, { ...day.count(4, 5), expectedVersion: row.version });
  expect((await day.as.post(`${day.url}/${id}/settle`, { expectedVersion: row.version + 1 })).status).toBe(200);
  await afterMinute();
  expect(await day.left()).toEqual([2, 2, 2]);
  expect(await market.audit()).toEqual([]);
});

test("shorts: boxes that change within the minute without changing the sum refuse it, and name the box", async () => {
  const day = await shortDay(market, [[3], [3]]);
  await shortOrder(operator(), day.orders[1]![0]!, [{ variantId: day.variantId, quantity: 1 }], INPUT);
  const set = (place: number, quantity: number) =>
    db.order_item.updateMany({ where: { order_id: day.orders[place]![0]! }, data: { quantity } });
  await heldShort(day, 4, 5);
  await set(0, 2);
  await set(1, 3);
  await afterMinute();
  expect((await rowOf(day)).action.problem).toBe(
    `Tote 1 (order ${day.orders[0]![0]}) has 2 of Eggs, Each now, not 3. Nothing was done.`,
  );
  expect(await day.left()).toEqual([2, 3]);
  await set(0, 3);
  await set(1, 2);
});

test("shorts: a box that was written off is named in the refusal, before and within the minute", async () => {
  const day = await shortDay(market, [[3], [2]]);
  const sentence = `Tote 1 (order ${day.orders[0]![0]}): This order was written off. First record its payment with: market orders paid.\nNothing was done.`;
  await heldShort(day, 1, 5);
  await db.order.update({ where: { id: day.orders[0]![0]! }, data: { written_off_at: clock.now() } });
  await afterMinute();
  const row = await rowOf(day);
  expect([row.state, row.action.problem]).toEqual(["counted", sentence]);
  const early = await day.as.post(`${day.url}/${row.id}/settle`, { expectedVersion: row.version });
  expect([early.status, early.body[0], early.body[1].code]).toEqual([409, sentence, "refused"]);
  expect(await day.left()).toEqual([3, 2]);
});

test("shorts: a box without a tote, which came after the sheets, loses units by its number; add-ons are one box", async () => {
  const day = await shortDay(market, [[2], [1, 2]]);
  await db.snapshot_box.deleteMany({ where: { order_id: day.orders[0]![0]! } });
  const plan = await day.as.post(`${day.url}/plan`, day.count(3, 5));
  expect(plan.body.shares).toMatchObject([
    { boxId: day.orders[0]![0], tote: null, ordered: 2, gets: 2 },
    { boxId: day.orders[1]![0], tote: 2, ordered: 3, gets: 1 },
  ]);
  expect(plan.body.mails).toBe(1);
  const byHand = { [day.orders[0]![0]!]: 0, [day.orders[1]![0]!]: 3 };
  await heldShort(day, 3, 5, { gets: byHand });
  await afterMinute();
  expect(await day.left()).toEqual([0, 1, 2]);
  expect(await market.audit()).toEqual([]);
});

test.each(["staff-action:claimed", "short:written", "short:lowered", "staff-action:done"])(
  "shorts: a server that stops at %s leaves a settlement that the sweep finishes: every unit once, one email a box",
  { tags: ["fail:N8", "fail:M3"] },
  async (point) => {
    const day = await shortDay(market, [[3], [3], [3], [1]]);
    const [one, two, three] = day.orders.map(([id]) => id!);
    // No version of the sheets has the number that is counted.
    await cancel(day, 3);
    const mailsBefore = await vendorMails(day);
    await heldShort(day, 4, 9, { gets: { [one!]: 0, [two!]: 1, [three!]: 3 } });
    points.plan[point] = "throw";
    await afterMinute();
    delete points.plan[point];
    clock.advance(5 * Minute.ms);
    await run();
    expect(await day.left()).toEqual([0, 1, 3, 1]);
    expect(await mailsOf(day)).toBe(2);
    expect((await vendorMails(day)) - mailsBefore).toBe(1);
    expect(await rowOf(day)).toMatchObject({ state: "settled", action: { state: "done" } });
    expect(await db.audit_entry.count({ where: { action: "short", subject: `delivery:${day.deliveryId}` } })).toBe(1);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "shorts: a server that stands still after the first box is overtaken by another, and every unit is taken off once",
  { tags: ["fail:N8"] },
  async () => {
    const day = await shortDay(market, [[3], [3], [3]]);
    await heldShort(day, 3, 9);
    const { promise, resolve } = Promise.withResolvers<void>();
    points.plan["short:written"] = { until: promise };
    clock.advance(Minute.ms);
    const stopped = run();
    await points.reached("short:written");
    delete points.plan["short:written"];
    clock.advance(6 * Minute.ms);
    await run();
    resolve();
    await stopped;
    expect(await day.left()).toEqual([1, 1, 1]);
    expect(await mailsOf(day)).toBe(3);
    expect(await rowOf(day)).toMatchObject({ state: "settled", action: { state: "done" } });
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "market short: it settles a count of the app and closes it, and is listed there without one",
  { tags: ["fail:N8"] },
  async () => {
    const day = await shortDay(market, [[3], [2]]);
    const counted = await day.as.put(day.url, { ...day.count(4, 5), expectedVersion: null });
    const [{ id }] = counted.body.shortages;
    await command(day, 4, 5);
    await command(day, 4, 5);
    expect(await day.left()).toEqual([2, 2]);
    const late = await day.as.post(`${day.url}/${id}/settle`, { expectedVersion: 1 });
    expect([late.status, late.body[0]]).toEqual([409, "4 of 5 Eggs, Each was settled in the meantime."]);
    await command(day, 3, 4);
    expect((await day.as.get(day.url)).body.shortages).toMatchObject([
      { came: 3, of: 4, state: "settled", settledBy: "mara (market short)", action: null },
      { id, came: 4, of: 5, state: "settled", countedBy: "Ada Kowalski", settledBy: "mara (market short)" },
    ]);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "market short: together with the app at the same moment, the units are taken off once",
  { tags: ["fail:N8"] },
  async () => {
    const day = await shortDay(market, [[3], [3]]);
    const counted = await day.as.put(day.url, { ...day.count(4, 6), expectedVersion: null });
    const [{ id }] = counted.body.shortages;
    const [byCommand, inApp] = await Promise.allSettled([
      command(day, 4, 6),
      day.as.post(`${day.url}/${id}/settle`, { expectedVersion: 1 }),
    ]);
    await afterMinute();
    expect(await day.left()).toEqual([2, 2]);
    expect(await mailsOf(day)).toBe(2);
    const isHeld = inApp.status === "fulfilled" && inApp.value.status === 200;
    expect(byCommand.status).toBe(isHeld ? "rejected" : "fulfilled");
    expect((await day.as.get(day.url)).body.shortages).toMatchObject([{ id, state: "settled" }]);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "shorts: a box that `orders short` lowers within the minute refuses it, so that no unit is taken off twice",
  { tags: ["fail:N8"] },
  async () => {
    const day = await shortDay(market, [[3], [2]]);
    await heldShort(day, 4, 5);
    await shortOrder(operator(), day.orders[0]![0]!, [{ variantId: day.variantId, quantity: 1 }], INPUT);
    await afterMinute();
    expect(await rowOf(day)).toMatchObject({
      state: "counted",
      action: { problem: "4 of Eggs, Each are ordered, not 5. Nothing was done." },
    });
    expect(await day.left()).toEqual([2, 2]);
  },
);

test("shorts: after the vendors were paid, a settlement is taken off what they get next", async () => {
  const day = await shortDay(market, [[3], [2]]);
  await deliverOrders(operator(), day.orders.flat());
  await payVendors(operator(), { to: "2026-11-26", dryRun: false });
  const owed = async () => {
    const { _sum } = await db.ledger_entry.aggregate({
      where: { account: "vendor", vendor_id: day.vendor.id },
      _sum: { amount_cents: true },
    });
    return _sum.amount_cents;
  };
  expect(await owed()).toBe(0);
  const plan = await day.as.post(`${day.url}/plan`, day.count(3, 5));
  await heldShort(day, 3, 5);
  await afterMinute();
  expect(await day.left()).toEqual([2, 1]);
  expect(await owed()).toBe(-Math.round(plan.body.money.vendor * 100));
  expect(await market.audit()).toEqual([]);
});

test("shorts: a count, its settlement and its undo reach the open pages of the market's staff", async () => {
  const day = await shortDay(market, [[3], [2]]);
  const other = await day.person();
  await market.waitForNotifications();
  const stream = await openStream(market.port, other.cookie);
  await expect.poll(() => stream.received).toEqual([{ event: "ready", data: { build: null } }]);
  const expected = JSON.stringify({ event: "day", data: { hubId: day.hub.id, deliveryId: day.deliveryId } });
  const events = () => stream.received.filter((one) => JSON.stringify(one) === expected).length;
  const counted = await day.as.put(day.url, { ...day.count(4, 5), expectedVersion: null });
  await expect.poll(events).toBe(1);
  const { body } = await day.as.post(`${day.url}/${counted.body.shortages[0].id}/settle`, { expectedVersion: 1 });
  await expect.poll(events).toBe(2);
  await day.as.post(`/actions/${body.shortages[0].action.id}/undo`);
  await expect.poll(events).toBe(3);
  stream.close();
});
