import type { Tx } from "@marketday/db";
import { captureEntries, writeOffEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { AppError, notFound } from "../../lib/app-error.ts";
import { newUuid } from "../../lib/tokens.ts";
import type { AuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { fetchCharges, stillCharging, voidReleased } from "../payments/charge-order.ts";
import { endOffline, findCovered, insertOfflinePayment } from "../payments/offline-store.ts";
import { type Released, releaseCharge } from "../payments/order-charge-sql.ts";
import { clearSetAside } from "../payments/order-charge-store.ts";
import { creditReferrers } from "../referrals/credit-referrers.ts";
import { lockBoxesOf } from "./box-sql.ts";
import { findBoxOrders } from "./box-store.ts";
import { type ActionOfOrder, writeBatchEntries } from "./deliver-orders.ts";
import { forEachOrder, withBatchDryRun } from "./for-each-order.ts";
import { lockDaysOf } from "./lock-box.ts";
import { type OrderForSupport, lockOrderForSupport } from "./support-sql.ts";

/** Creates a separate offline payment for an order whose card could not be charged, or that was written off. */
async function payInstead(tx: Tx, order: OrderForSupport, customerId: number, now: Date) {
  const paymentId = newUuid();
  const released = await releaseCharge(tx, order.id, now);
  const dueCents = order.order_total_cents - order.credit_cents;
  const payment = { id: paymentId, orderIds: [order.id], customerId, dueCents, state: "captured" } as const;
  await insertOfflinePayment(tx, payment, now);
  if (order.written_off_at)
    await bookPurchase(
      tx,
      { kind: "write_off", paymentId, note: `order ${order.id} paid after all`, now },
      writeOffEntries(customerId, cents(-dueCents)),
    );
  return { paymentId, released, cents: dueCents };
}

/** The orders newly recorded as paid, and their total in cents; empty and 0 when they were recorded before. */
export interface RecordedPayment {
  /** The order number as given. */
  orderId: number;
  orderIds: number[];
  cents: number;
  payments: PaidAmount[];
}

/** A payment that was recorded or undone. Cents. */
export interface PaidAmount {
  id: string;
  cents: number;
}

/** Payable at the door. */
export const isPaidAtDoor = (order: OrderForSupport): boolean =>
  order.provider === "offline" && order.payment_id !== null && !order.written_off_at;

/** Whether an order is unpaid: payable at the door, or its card could not be charged. */
const isDue = (order: OrderForSupport): boolean =>
  !order.written_off_at &&
  (order.charge_failed_at !== null || (isPaidAtDoor(order) && order.payment_state !== "captured"));

/**
 * The orders of a box that are paid together with this one of them. Empty: they were recorded as paid before.
 * @throws AppError as `recordPayments`
 */
export function payableOf(named: OrderForSupport, box: readonly OrderForSupport[]): OrderForSupport[] {
  if (named.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
  if (named.status !== "pending" && named.status !== "closed")
    throw new AppError(409, "Payment is recorded once the order has closed.", { code: "still_open" });
  const orders = box.filter(
    ({ customer_id: customerId, status }) => customerId !== null && (status === "pending" || status === "closed"),
  );
  const due = orders.filter(isDue);
  if (named.written_off_at && named.customer_id !== null) {
    if (due.length === 0) return [named];
    throw new AppError(
      409,
      `This order was written off, and order ${due.map(({ id }) => id).join(", ")} of the same box is unpaid. Record that payment first.`,
      { code: "written_off" },
    );
  }
  if (due.length === 0 && !orders.some(isPaidAtDoor))
    throw new AppError(409, "This order is not paid at the door.", { code: "not_offline" });
  return due;
}

/** `payableOf` with the locks of the orders. */
async function findPayable(tx: Tx, orderId: number, boxIds: readonly number[]): Promise<OrderForSupport[]> {
  const named = await lockOrderForSupport(tx, orderId);
  if (!named) throw notFound();
  const orders: OrderForSupport[] = [];
  for (const id of boxIds) {
    const order = id === orderId ? named : await lockOrderForSupport(tx, id);
    if (order) orders.push(order);
  }
  return payableOf(named, orders);
}

/** Records one order as paid, with the other orders that its payment covers. `entry` is to be written. Null: it was recorded before. */
async function payOne(
  ctx: Context,
  tx: Tx,
  order: OrderForSupport,
  reason: string,
): Promise<{
  paymentId: string;
  orderIds: number[];
  cents: number;
  released: Released | null;
  entry: AuditEntry;
} | null> {
  const { now } = ctx;
  const customerId = order.customer_id!;
  if (order.is_charging) throw stillCharging();
  let paid: { paymentId: string; released: Released | null; cents: number };
  let orderIds = [order.id];
  if (isPaidAtDoor(order)) {
    const covered = await findCovered(tx, order.payment_id!);
    orderIds = covered.ids;
    paid = { paymentId: order.payment_id!, released: null, cents: covered.cents };
    if (!(await endOffline(tx, paid.paymentId, { state: "captured", cents: paid.cents }, now))) return null;
  } else paid = await payInstead(tx, order, customerId, now);
  await clearSetAside(tx, orderIds);
  await bookPurchase(
    tx,
    { kind: "capture", paymentId: paid.paymentId, note: `order ${order.id} paid at the door`, now },
    captureEntries(customerId, cents(paid.cents)),
  );
  await creditReferrers(tx, { orderIds }, now);
  const entry = { action: "orders paid", subject: `order:${order.id}`, reason, data: { cents: paid.cents } };
  return { ...paid, orderIds, entry };
}

/**
 * Records money paid at pickup or at the door (docs/product.md §7 `offline`, docs/product.md §17). For each given order, captures
 * and books the amount due for its box, as printed on the sheets, together with other closed orders of the same payment. Also
 * accepts orders whose card could not be charged and, by their own number, written-off orders. All or none.
 * @throws AppError 404; 409 `not_offline` for an order paid by card, `still_open` before the cutoff, `cancelled`,
 * `still_charging`, `written_off` while another order of the box is unpaid; for several orders `OrdersRejected`
 * @param complete runs at the end of the transaction with what was recorded, under the locks of the boxes; it may run again. Returns
 * the actions that the audit entries name
 */
export async function recordPayments(
  ctx: Context,
  orderIds: readonly number[],
  reason = "",
  dryRun = false,
  complete?: (tx: Tx, recorded: readonly RecordedPayment[]) => Promise<ActionOfOrder>,
): Promise<RecordedPayment[]> {
  const { db } = ctx.deps;
  const ids = [...new Set(orderIds)];
  if (!dryRun) for (const { id } of await findBoxOrders(db, ids)) await fetchCharges(ctx, id);
  const released: Released[] = [];
  const done = await withBatchDryRun(db, dryRun, async (tx) => {
    released.length = 0;
    await lockDaysOf(tx, ids);
    const boxes = await lockBoxesOf(tx, ids);
    const recordedIds = new Set<number>();
    const entries: { orderId: number; entry: AuditEntry }[] = [];
    const each = await forEachOrder(ids, async (orderId): Promise<RecordedPayment> => {
      const boxId = boxes.find(({ id }) => id === orderId)?.box_id;
      const boxIds = boxes.filter(({ box_id }) => box_id === boxId).map(({ id }) => id);
      const recorded: RecordedPayment = { orderId, orderIds: [], cents: 0, payments: [] };
      for (const order of await findPayable(tx, orderId, boxIds)) {
        if (recordedIds.has(order.id)) continue;
        const paid = await payOne(ctx, tx, order, reason);
        if (!paid) continue;
        entries.push({ orderId, entry: paid.entry });
        for (const id of paid.orderIds) recordedIds.add(id);
        recorded.orderIds.push(...paid.orderIds);
        recorded.cents += paid.cents;
        recorded.payments.push({ id: paid.paymentId, cents: paid.cents });
        if (paid.released) released.push(paid.released);
      }
      return recorded;
    });
    await writeBatchEntries(tx, ctx, entries, await complete?.(tx, each));
    return each;
  });
  if (!dryRun) for (const each of released) await voidReleased(ctx, each);
  return done;
}
