import type { Client, Db, Prisma, Tx } from "@marketday/db";
import { dateFromUtc, dateInZone } from "@marketday/domain/calendar-date";
import { orderTransitions, type OrderStatus, statesBefore } from "@marketday/domain/order";

import type { DueDelivery } from "./day-sql.ts";

/** A delivery day as `market doctor` names it: "delivery 7 (2026-11-26 of carmel)". */
export const formatDelivery = ({ id, day, hub_slug: hub }: Pick<DueDelivery, "id" | "day" | "hub_slug">): string =>
  `delivery ${id} (${day} of ${hub})`;

/** Days that are over in their hub's time zone and whose orders are not marked as delivered, oldest first. */
export async function findDueCloses(db: Db, now: Date): Promise<DueDelivery[]> {
  const isOver = { not: "running" };
  const days = await db.delivery.findMany({
    where: {
      day: { lte: now },
      runs: { some: { step: "cutoff", state: isOver }, none: { step: "close", state: isOver } },
    },
    select: { id: true, hub_id: true, day: true, cutoff_at: true, hub: { select: { time_zone: true, slug: true } } },
    orderBy: [{ day: "asc" }, { id: "asc" }],
  });
  return days
    .map(({ hub, ...delivery }) => ({
      ...delivery,
      day: dateFromUtc(delivery.day),
      time_zone: hub.time_zone,
      hub_slug: hub.slug,
    }))
    .filter(({ day, time_zone: zone }) => day < dateInZone(now, zone));
}

/** The earliest second cutoff of a hub after `clock`: from then on, more than one delivery of a hub would be closed. */
export async function findSecondCutoff(
  db: Db,
  clock: Date,
): Promise<{ market: string; day: string; cutoff_at: Date } | null> {
  const hubs = await db.hub.findMany({
    select: {
      name: true,
      closures: { select: { day: true } },
      deliveries: {
        where: { cutoff_at: { gt: clock } },
        select: { day: true, cutoff_at: true },
        orderBy: { cutoff_at: "asc" },
      },
    },
    orderBy: { id: "asc" },
  });
  const seconds = hubs.flatMap(({ name: market, closures, deliveries }) => {
    const closed = new Set(closures.map(({ day }) => dateFromUtc(day)));
    const days = deliveries.map(({ day, ...delivery }) => ({ ...delivery, market, day: dateFromUtc(day) }));
    return days.filter(({ day }) => !closed.has(day)).slice(1, 2);
  });
  return seconds.toSorted((a, b) => a.cutoff_at.getTime() - b.cutoff_at.getTime())[0] ?? null;
}

/** Claims a step of a delivery day and returns its fencing token; null when another server has it. An expired lease is taken over with a new token. */
export async function claimRun(
  db: Db,
  deliveryId: number,
  step: string,
  now: Date,
  leaseUntil: Date,
): Promise<number | null> {
  const key = { delivery_id: deliveryId, step };
  const select = { fencing_token: true };
  const [started] = await db.delivery_run.createManyAndReturn({
    data: { ...key, state: "running", lease_until: leaseUntil, started_at: now },
    skipDuplicates: true,
    select,
  });
  if (started) return started.fencing_token;
  const [taken] = await db.delivery_run.updateManyAndReturn({
    where: { ...key, state: "running", lease_until: { lte: now } },
    data: { lease_until: leaseUntil, fencing_token: { increment: 1 } },
    select,
  });
  return taken?.fencing_token ?? null;
}

/** The run of a step, as long as this server has it. */
const running = (deliveryId: number, step: string, token: number) => ({
  delivery_id: deliveryId,
  step,
  fencing_token: token,
  state: "running",
});

/** Ends a step if the token is current. */
export const finishRun = (
  db: Client,
  deliveryId: number,
  step: string,
  token: number,
  errors: readonly string[],
  now: Date,
) =>
  db.delivery_run.updateMany({
    where: running(deliveryId, step, token),
    data: { state: errors.length > 0 ? "done_with_errors" : "done", done_at: now, errors: [...errors] },
  });

/**
 * Extends the lease of a running step and locks its row until the transaction ends, so that its batches are serialized. Returns
 * the `progress` of its last batch; null: another server has the step, or it has ended.
 */
export async function extendRun(
  db: Client,
  deliveryId: number,
  step: string,
  token: number,
  leaseUntil: Date,
): Promise<{ progress: Record<string, unknown> } | null> {
  const [run] = await db.delivery_run.updateManyAndReturn({
    where: running(deliveryId, step, token),
    data: { lease_until: leaseUntil },
    select: { progress: true },
  });
  return run ? { progress: run.progress as Record<string, unknown> } : null;
}

/** Stores the progress of a step, in the transaction of the batch. */
export const saveProgress = (tx: Tx, deliveryId: number, step: string, progress: Prisma.InputJsonObject) =>
  tx.delivery_run.updateMany({ where: { delivery_id: deliveryId, step }, data: { progress } });

/** Releases the lease of a step for another try. */
export const releaseRun = (db: Db, deliveryId: number, step: string, token: number, now: Date) =>
  db.delivery_run.updateMany({ where: running(deliveryId, step, token), data: { lease_until: now } });

/** Orders of a day that may go into a state. */
export const ordersBefore = (deliveryId: number, state: OrderStatus) => ({
  delivery_id: deliveryId,
  status: { in: [...statesBefore(orderTransitions, state)] },
});

/** Moves orders of the day on, at most `limit`. One that is cancelled at the same moment stays cancelled. Returns their number. */
async function moveOn(
  tx: Tx,
  deliveryId: number,
  data: { status: "open" } | { status: "closed"; closed_at: Date },
  limit: number,
): Promise<number> {
  const where = ordersBefore(deliveryId, data.status);
  const found = await tx.order.findMany({ where, select: { id: true }, orderBy: { id: "asc" }, take: limit });
  await tx.order.updateMany({ where: { ...where, id: { in: found.map(({ id }) => id) } }, data });
  return found.length;
}

/** Opens future orders of the day, at most `limit`. Returns their number. */
export const openOrders = (tx: Tx, deliveryId: number, limit: number): Promise<number> =>
  moveOn(tx, deliveryId, { status: "open" }, limit);

/** Marks pending orders of the day as delivered, at most `limit`. Returns their number. */
export const closeOrders = (tx: Tx, deliveryId: number, now: Date, limit: number): Promise<number> =>
  moveOn(tx, deliveryId, { status: "closed", closed_at: now }, limit);

/** The hub's next offers with weekly stock after this one, in order of their ids. */
export const findWeeklyOffers = async (db: Client, hubId: number, after: number, limit: number): Promise<number[]> =>
  (
    await db.offer.findMany({
      where: { hub_id: hubId, weekly_inventory: { not: null }, id: { gt: after } },
      select: { id: true },
      orderBy: { id: "asc" },
      take: limit,
    })
  ).map(({ id }) => id);
