import { transaction } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE } from "../../../test/factories.ts";
import { closeDay, SHORT_DAY, shortDay } from "../../../test/short-day.ts";
import { signIn } from "../../../test/sign-in.ts";
import { replanDeliveries } from "../hubs/replan-deliveries.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { closeDay as skipDay } from "../orders/close-day.ts";
import { keepLimits } from "./keep-limits.ts";

const market = await buildTestApp();
const { db } = market;
const open = { isOpen: true, inventory: 20 };
type Day = Awaited<ReturnType<typeof shortDay>>;

const rowOf = async ({ as, url }: Day) => (await as.get(url)).body.shortages[0];
const job = () => ({
  now: market.clock.now(),
  actor: { type: "system", job: "short-limits" } as const,
  deps: market.deps,
});
/** Cancels a box. */
const cancel = ({ orders }: Day, place: number) =>
  cancelOrder(job(), orders[place]![0]!, { to: "credit", reason: "", key: null });
/** What `market stock set` or an import writes. */
async function setStock({ variantId }: Day, inventory: number) {
  const { id, inventory: before } = await db.offer.findFirstOrThrow({ where: { variant_id: variantId } });
  await db.offer.update({ where: { id }, data: { inventory } });
  await db.stock_adjustment.create({ data: { offer_id: id, amount: inventory - before, reason: "import" } });
}

test("shorts before the cutoff: the offer sells no more than came, the plan has no money, and nothing can be settled", async () => {
  const day = await shortDay(market, [[3], [2]], open);
  const { as, url, count } = day;
  expect(await day.inventory()).toBe(15);
  expect((await as.get(url)).body).toMatchObject({ isFrozen: false, items: [{ ordered: 5, frozen: 0, left: 15 }] });
  const plan = await as.post(`${url}/plan`, count(4, 5));
  expect(plan.body).toMatchObject({
    shares: [
      { tote: null, ordered: 3, gets: 2, money: null },
      { ordered: 2, gets: 2, money: null },
    ],
    money: null,
    mails: 0,
    vendorMails: 0,
  });
  const counted = await as.put(url, { ...count(4, 5), expectedVersion: null });
  expect(counted.body).toMatchObject({ items: [{ left: 0 }], shortages: [{ withheld: 15, state: "counted" }] });
  const shopper = await signIn(market, { hubId: day.hub.id });
  await shopper.put("/cart", [day.eggs.line(1)]);
  expect((await shopper.post("/checkout", { ...CHOICE, expectedTotal: 0 })).status).toBe(409);
  const { id } = await rowOf(day);
  const early = await as.post(`${url}/${id}/settle`, { expectedVersion: 1 });
  expect([early.status, early.body]).toEqual([
    409,
    [
      `Orders of ${day.hub.name} for Thursday, November 26 are not closed yet. A shortage is recorded after the cutoff.`,
      { code: "still_open" },
    ],
  ]);
  expect(await db.audit_entry.findMany({ where: { subject: `delivery:${day.deliveryId}` } })).toMatchObject([
    { action: "short count", data: { before: null, after: { came: 4, of: 5, withheld: 15 } } },
  ]);
  expect(await market.audit()).toEqual([]);
});

test("shorts before the cutoff: a cancelled box does not put more on sale than came, and a removed count puts all back", async () => {
  const day = await shortDay(market, [[3], [2], [1]], open);
  const { as, url, count } = day;
  await as.put(url, { ...count(4, 6), expectedVersion: null });
  expect(await day.inventory()).toBe(0);
  await cancel(day, 0);
  // Three are free again, two of which did not come.
  expect(await day.inventory()).toBe(3);
  await keepLimits(job());
  expect(await day.inventory()).toBe(1);
  await keepLimits(job());
  expect((await as.get(url)).body).toMatchObject({
    items: [{ ordered: 3, left: 1 }],
    shortages: [{ came: 4, withheld: 16, version: 1 }],
  });
  const again = await as.put(url, { ...count(2, 3), expectedVersion: 1 });
  expect(again.body).toMatchObject({ items: [{ ordered: 3, left: 0 }], shortages: [{ came: 2, withheld: 17 }] });
  await as.post(`${url}/${again.body.shortages[0].id}/remove`, { expectedVersion: 2 });
  expect(await day.inventory()).toBe(17);
  expect(await market.audit()).toEqual([]);
});

test("shorts before the cutoff: stock that someone has set since the count stays as it was set", async () => {
  const day = await shortDay(market, [[3], [2]], open);
  const { as, url, count } = day;
  await as.put(url, { ...count(4, 5), expectedVersion: null });
  await setStock(day, 2);
  await keepLimits(job());
  const removed = await as.post(`${url}/${(await rowOf(day)).id}/remove`, { expectedVersion: 1 });
  expect(removed.status).toBe(200);
  expect(await day.inventory()).toBe(2);
  expect(await market.audit()).toEqual([]);
});

test("shorts before the cutoff: after it, the same count is proposed with the orders of then, and what it withheld stays off sale", async () => {
  const day = await shortDay(market, [[3], [2]], open);
  await day.as.put(day.url, { ...day.count(4, 5), expectedVersion: null });
  await closeDay(market);
  const as = await day.person();
  expect((await as.get(day.url)).body).toMatchObject({
    isFrozen: true,
    items: [{ ordered: 5, frozen: 5 }],
    shortages: [{ came: 4, of: 5, state: "counted", withheld: 15 }],
  });
  const { id } = (await as.get(day.url)).body.shortages[0];
  const settled = await as.post(`${day.url}/${id}/settle`, { expectedVersion: 1 });
  expect([settled.status, settled.body.shortages]).toMatchObject([200, [{ state: "held" }]]);
});

test("shorts before the cutoff: when fewer are ordered at the cutoff than came, nothing is to settle, and the count is removed", async () => {
  const day = await shortDay(market, [[3], [2]], open);
  await day.as.put(day.url, { ...day.count(4, 5), expectedVersion: null });
  await cancel(day, 0);
  await closeDay(market);
  const as = await day.person();
  const { id } = (await as.get(day.url)).body.shortages[0];
  const settled = await as.post(`${day.url}/${id}/settle`, { expectedVersion: 1 });
  expect([settled.status, settled.body[0], settled.body[1].ordered]).toEqual([
    409,
    "2 of Eggs, Each are ordered, not 5. Nothing was done.",
    2,
  ]);
  const again = await as.put(day.url, { ...day.count(4, 2), expectedVersion: 1 });
  expect([again.status, again.body[0]]).toEqual([
    422,
    "Only 2 are ordered of Eggs, Each, so nothing is short when 4 come.",
  ]);
  expect((await as.post(`${day.url}/${id}/remove`, { expectedVersion: 1 })).body.shortages).toEqual([]);
  expect(await market.audit()).toEqual([]);
});

/** `market days close`: its orders move to the next week, or are canceled. */
const skip = ({ hub }: Day, orders: { kind: "move"; to: string } | { kind: "cancel"; to: "card" }) =>
  skipDay(job(), hub.slug, SHORT_DAY, { reason: "storm", orders, dryRun: false });
const countsOf = ({ variantId }: Day) =>
  db.shortage.count({ where: { variant_id: variantId, state: { in: ["counted", "held"] } } });

test.each([{ kind: "move", to: "2026-12-03" } as const, { kind: "cancel", to: "card" } as const])(
  "shorts before the cutoff: when the day is closed and its orders go by %j, the count is gone and its units are on sale again",
  async (orders) => {
    const day = await shortDay(market, [[3], [2]], open);
    await day.as.put(day.url, { ...day.count(4, 5), expectedVersion: null });
    expect(await day.inventory()).toBe(0);
    await skip(day, orders);
    expect([await countsOf(day), await day.inventory()]).toEqual([0, orders.kind === "move" ? 15 : 20]);
    expect(await market.audit()).toEqual([]);
  },
);

test("shorts before the cutoff: a count is removed although no order of the item is left on the day, and twice", async () => {
  const day = await shortDay(market, [[3]], open);
  await day.as.put(day.url, { ...day.count(1, 3), expectedVersion: null });
  const { id } = await rowOf(day);
  const next = await db.delivery.findFirstOrThrow({ where: { hub_id: day.hub.id, day: new Date("2026-12-03") } });
  await db.order.updateMany({ where: { id: { in: day.orders.flat() } }, data: { delivery_id: next.id } });
  for (let times = 0; times < 2; times += 1) {
    const removed = await day.as.post(`${day.url}/${id}/remove`, { expectedVersion: 1 });
    expect([removed.status, removed.body.shortages]).toEqual([200, []]);
  }
  expect(await day.inventory()).toBe(17);
});

test("shorts before the cutoff: a day that the hub's new weekday deletes puts the units of its counts on sale again", async () => {
  const day = await shortDay(market, [[3]], open);
  await day.as.put(day.url, { ...day.count(1, 3), expectedVersion: null });
  expect(await day.inventory()).toBe(0);
  const next = await db.delivery.findFirstOrThrow({ where: { hub_id: day.hub.id, day: new Date("2026-12-03") } });
  await db.order.updateMany({ where: { id: { in: day.orders.flat() } }, data: { delivery_id: next.id } });
  await db.checkout_attempt.updateMany({ where: { delivery_id: day.deliveryId }, data: { delivery_id: next.id } });
  await db.hub.update({ where: { id: day.hub.id }, data: { delivery_day: "Friday" } });
  await transaction(db, (tx) => replanDeliveries(tx, day.hub.id, market.clock.now()));
  expect(await db.delivery.count({ where: { id: day.deliveryId } })).toBe(0);
  expect(await day.inventory()).toBe(17);
});
