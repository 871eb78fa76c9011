import { transaction } from "@marketday/db";
import { addMs, Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { waitForLock } from "../../../test/locks.ts";
import { claimRun, closeOrders, extendRun, findDueCloses, finishRun, openOrders, releaseRun } from "./store.ts";

const market = await buildTestApp();
const { db } = market;
const NOW = new Date("2026-11-23T17:00:00Z");
const LATER = addMs(NOW, 2 * Minute.ms);
const runOf = (deliveryId: number) =>
  db.delivery_run.findUniqueOrThrow({ where: { delivery_id_step: { delivery_id: deliveryId, step: "open" } } });

test("step of a day: a server whose lease has ended and was taken over can neither extend, release nor finish it", async () => {
  const [delivery] = (await createHub(db, { now: NOW })).deliveries;
  const { id } = delivery!;
  const claim = (at: Date) => claimRun(db, id, "open", at, addMs(at, 2 * Minute.ms));
  const old = await claim(NOW);
  expect(await claim(addMs(LATER, -1))).toBeNull();
  const current = await claim(LATER);
  expect(current).toBe(old! + 1);
  const untouched = await runOf(id);
  expect(await transaction(db, (tx) => extendRun(tx, id, "open", old!, addMs(LATER, Minute.ms)))).toBeNull();
  await releaseRun(db, id, "open", old!, LATER);
  await finishRun(db, id, "open", old!, [], LATER);
  expect(await runOf(id)).toEqual(untouched);

  await finishRun(db, id, "open", current!, ["one"], LATER);
  const finished = await runOf(id);
  expect(finished).toMatchObject({ state: "done_with_errors", done_at: LATER, errors: ["one"] });
  // A step that is over begins no second time.
  expect(await claim(addMs(LATER, 60 * Minute.ms))).toBeNull();
  expect(await transaction(db, (tx) => extendRun(tx, id, "open", current!, addMs(LATER, Minute.ms)))).toBeNull();
  await finishRun(db, id, "open", current!, [], addMs(LATER, 1));
  expect(await runOf(id)).toEqual(finished);
});

test("closing of a day: not due until the day's cutoff has run, even when the day is over", async () => {
  const [delivery] = (await createHub(db, { now: NOW })).deliveries;
  const { id, cutoff_at: cutoff } = delivery!;
  const over = addMs(cutoff, 47 * 60 * Minute.ms);
  const isDue = async (at: Date) => (await findDueCloses(db, at)).some((due) => due.id === id);
  expect(await isDue(over)).toBe(false);
  const run = { delivery_id: id, step: "cutoff", state: "running", lease_until: cutoff, started_at: cutoff };
  await db.delivery_run.create({ data: run });
  expect(await isDue(over)).toBe(false);
  await db.delivery_run.updateMany({ where: { delivery_id: id }, data: { state: "done_with_errors" } });
  expect([await isDue(addMs(over, -1)), await isDue(over)]).toEqual([false, true]);
});

test.each([
  ["opening", "future", (id: number) => transaction(db, (tx) => openOrders(tx, id, 10))],
  ["closing", "pending", (id: number) => transaction(db, (tx) => closeOrders(tx, id, NOW, 10))],
] as const)(
  "%s of a day: an order that is cancelled at the same moment stays cancelled",
  async (_step, status, move) => {
    const hub = await createHub(db, { now: NOW });
    const product = await createProduct(db, hub.id);
    const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: market.deps.env.pepper });
    const { id } = await createOrder(db, { customerId, hub, product });
    await db.order.update({ where: { id }, data: { status } });
    const { moving } = await transaction(db, async (tx) => {
      await tx.order.update({ where: { id }, data: { status: "cancelled" } });
      const begun = move(hub.deliveries[0]!.id);
      await waitForLock(db, begun);
      return { moving: begun };
    });
    await moving;
    expect(await db.order.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "cancelled", closed_at: null });
  },
);
