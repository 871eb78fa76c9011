import type { Client, Tx } from "@marketday/db";
import { dateFromUtc, dateInZone } from "@marketday/domain/calendar-date";
import { orderTransitions, statesBefore } from "@marketday/domain/order";

/** Marks an order cancelled. It stays listed as "Cancelled" with its amounts (docs/product.md §8). */
export const markCancelled = (tx: Tx, orderId: number, now: Date) =>
  tx.order.updateMany({
    where: { id: orderId, status: { in: statesBefore(orderTransitions, "cancelled") } },
    data: {
      status: "cancelled",
      cancelled_at: now,
      edited_at: null,
      charge_failed_at: null,
      charge_error: null,
      charge_next_at: null,
    },
  });

/** Closes delivered orders. */
export const closeOrders = (tx: Tx, ids: readonly number[], now: Date) =>
  tx.order.updateMany({
    where: { id: { in: [...ids] }, status: { in: statesBefore(orderTransitions, "closed") } },
    data: { status: "closed", closed_at: now },
  });

/** Undoes `closeOrders`: an order that was marked as delivered by mistake is pending, as after its cutoff. */
export const reopenDelivered = (tx: Tx, ids: readonly number[]) =>
  tx.order.updateMany({
    where: { id: { in: [...ids] }, status: "closed" },
    data: { status: "pending", closed_at: null },
  });

/** The delivery days of these orders that have not come yet in their hub's time zone. */
export async function findFutureDays(
  db: Client,
  orderIds: readonly number[],
  now: Date,
): Promise<{ hub: string; day: string }[]> {
  const deliveries = await db.delivery.findMany({
    where: { orders: { some: { id: { in: [...orderIds] } } } },
    select: { day: true, hub: { select: { name: true, time_zone: true } } },
    orderBy: [{ day: "asc" }, { hub: { name: "asc" } }],
  });
  return deliveries
    .map(({ day, hub }) => ({ hub: hub.name, day: dateFromUtc(day), today: dateInZone(now, hub.time_zone) }))
    .filter(({ day, today }) => day > today)
    .map(({ hub, day }) => ({ hub, day }));
}

/** Marks orders as written off: they have no payment any more. */
export const markWrittenOff = (tx: Tx, ids: readonly number[], now: Date) =>
  tx.order.updateMany({ where: { id: { in: [...ids] } }, data: { written_off_at: now, payment_id: null } });
