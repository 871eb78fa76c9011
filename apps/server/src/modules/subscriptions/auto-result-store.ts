import type { Db, Tx } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";

import type { AutoCheckoutJob, AutoDelivery } from "./auto-run-sql.ts";

/** What a try of a customer needs. */
export interface Try extends AutoDelivery {
  /** Tries that ended. */
  tries: number;
  /** The last try's outcome; null before the first try. */
  outcome: string | null;
  /** The customer's hub at this moment, which the order belongs to (failures.md C13); null: the account is deleted. */
  customer_hub_id: number | null;
}

/** What a try needs; null: the customer is done, or the date is closed. */
export async function findTry(db: Db, { deliveryId, customerId }: AutoCheckoutJob): Promise<Try | null> {
  const found = await db.auto_checkout_result.findUnique({
    where: { delivery_id_customer_id: { delivery_id: deliveryId, customer_id: customerId }, done_at: null },
    select: {
      tries: true,
      outcome: true,
      customer: { select: { hub_id: true, deleted_at: true } },
      delivery: {
        select: {
          id: true,
          hub_id: true,
          day: true,
          cutoff_at: true,
          hub: { select: { name: true, slug: true, time_zone: true, closures: { select: { day: true } } } },
        },
      },
    },
  });
  if (!found) return null;
  const { tries, outcome, customer, delivery } = found;
  const { hub, ...day } = delivery;
  if (hub.closures.some((closure) => closure.day.getTime() === day.day.getTime())) return null;
  return {
    ...day,
    day: dateFromUtc(day.day),
    hub_name: hub.name,
    hub_slug: hub.slug,
    time_zone: hub.time_zone,
    tries,
    outcome,
    customer_hub_id: customer.deleted_at === null ? customer.hub_id : null,
  };
}

export interface Result {
  outcome: string;
  error: string | null;
  /** No other try follows. */
  isDone: boolean;
}

/** Writes the result of a customer's try, which counts as one; false when the customer is done. */
export const writeResult = async (
  tx: Tx,
  { deliveryId, customerId }: Pick<AutoCheckoutJob, "deliveryId" | "customerId">,
  { outcome, error, isDone }: Result,
  now: Date,
): Promise<boolean> =>
  (
    await tx.auto_checkout_result.updateMany({
      where: { delivery_id: deliveryId, customer_id: customerId, done_at: null },
      data: { outcome, error, tries: { increment: 1 }, done_at: isDone ? now : null },
    })
  ).count === 1;

/** Units of these orders, by variant id. */
export async function findOrdered(db: Db, orderIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db.order_item.groupBy({
    by: ["variant_id"],
    where: { order_id: { in: [...orderIds] } },
    _sum: { quantity: true },
  });
  return new Map(rows.map((row) => [row.variant_id, row._sum.quantity ?? 0]));
}

/** Deletes results of runs long over, `limit` at most. Returns how many. */
export const deleteOldResults = async (db: Db, before: Date, limit: number): Promise<number> =>
  (await db.auto_checkout_result.deleteMany({ where: { done_at: { lt: before } }, limit })).count;
