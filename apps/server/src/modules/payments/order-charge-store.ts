import type { Tx } from "@marketday/db";

import { type DueCharge, hasChargeJob, loadCharge, releaseCharge, waive } from "./order-charge-sql.ts";
import { statesTo } from "./payment-transitions.ts";

/**
 * Waives what these orders have due, because together it is too small for a card, and ends a charge of them that was not answered.
 * Returns the orders and the cents waived.
 */
export async function waiveRests(tx: Tx, due: DueCharge, now: Date): Promise<{ id: number; cents: number }[]> {
  const waived = await waive(tx, due.order_ids);
  await clearSetAside(tx, due.order_ids);
  if (due.payment?.state === "created") for (const id of due.order_ids) await releaseCharge(tx, id, now);
  return waived;
}

/**
 * Reads a set-aside charge like `loadCharge`, and makes it due at `nextAt`, so that no job charges it before. Null: it is being
 * charged, or there is nothing to charge.
 */
export async function postponeCharge(
  tx: Tx,
  orderId: number,
  provider: string,
  nextAt: Date,
): Promise<DueCharge | null> {
  const due = await loadCharge(tx, orderId, provider, null);
  if (!due || (await hasChargeJob(tx, orderId))) return null;
  await tx.order.updateMany({
    where: { id: { in: due.order_ids }, charge_failed_at: { not: null } },
    data: { charge_next_at: nextAt },
  });
  return due;
}

/**
 * The provider refused the payment, or released it: its orders have none. Its charge is looked for until the provider has voided it
 * (`deleteOrphanedCharge`).
 */
export async function failCharge(tx: Tx, paymentId: string, now: Date): Promise<void> {
  const { count } = await tx.payment.updateMany({
    where: { id: paymentId, state: { in: statesTo("failed", ["created"]) } },
    data: { state: "failed", unseen_since: now, look_again_at: now },
  });
  if (count === 1)
    await tx.order.updateMany({
      where: { payment_id: paymentId, status: { not: "cancelled" } },
      data: { payment_id: null },
    });
}

/**
 * The bank released the hold `chargeKey` of a payment: its orders have no charge. A hold that was to replace it may be there already:
 * it is looked for and released. False: the payment is captured or released by now, or its hold was renewed.
 */
export async function dropHold(tx: Tx, paymentId: string, chargeKey: string, now: Date): Promise<boolean> {
  const [dropped] = await tx.payment.updateManyAndReturn({
    where: { id: paymentId, charge_key: chargeKey, state: { in: statesTo("voided", ["authorized"]) } },
    data: { state: "voided", unseen_since: null, look_again_at: null },
    select: { next_key: true },
  });
  if (!dropped) return false;
  if (dropped.next_key !== null)
    await tx.payment.updateMany({ where: { id: paymentId }, data: { unseen_since: now, look_again_at: now } });
  await tx.order.updateMany({
    where: { payment_id: paymentId, status: { in: ["future", "open", "pending", "closed"] } },
    data: { payment_id: null },
  });
  return true;
}

/** These orders are no longer set aside: they are paid, written off or cancelled. */
export const clearSetAside = (tx: Tx, orderIds: readonly number[]) =>
  tx.order.updateMany({
    where: { id: { in: [...orderIds] } },
    data: { charge_failed_at: null, charge_error: null, charge_tries: 0, charge_next_at: null },
  });

/** Sets orders aside with the reason; they keep the time since when they are. */
export async function setAside(
  tx: Tx,
  orderIds: readonly number[],
  failure: { reason: string; nextAt: Date | null },
  now: Date,
): Promise<void> {
  const unpaid = { id: { in: [...orderIds] }, status: { in: ["pending", "closed"] } };
  // First the statement that locks them all.
  await tx.order.updateMany({
    where: unpaid,
    data: { charge_error: failure.reason, charge_tries: { increment: 1 }, charge_next_at: failure.nextAt },
  });
  await tx.order.updateMany({ where: { ...unpaid, charge_failed_at: null }, data: { charge_failed_at: now } });
}
