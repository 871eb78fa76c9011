import type { Tx } from "@marketday/db";
import { captureEntries, writeOffEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { AppError, notFound } from "../../lib/app-error.ts";
import { newUuid } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { requireNotPaidOut } from "../ledger/pay-vendors.ts";
import { type DoorPayment, findRecorded, insertOfflinePayment, voidRecorded } from "../payments/offline-store.ts";
import { setAside } from "../payments/order-charge-store.ts";
import { type ReferralUndone, undoReferralCredit } from "../referrals/credit-referrers.ts";
import { lockBoxesOf } from "./box-sql.ts";
import { findBoxOrders } from "./box-store.ts";
import { forEachOrder, withBatchDryRun } from "./for-each-order.ts";
import { lockDaysOf } from "./lock-box.ts";
import type { PaidAmount } from "./record-payment.ts";
import { lockOrderForSupport } from "./support-sql.ts";
import { markWrittenOff } from "./support-store.ts";

/** The orders that are unpaid again, and their total in cents; empty and 0 when there was no payment to undo. */
export interface UndonePayment {
  /** The order number as given. */
  orderId: number;
  orderIds: number[];
  cents: number;
  payments: PaidAmount[];
  referrals: ReferralUndone[];
}

interface UndoOptions {
  /** Undoes these payments alone, and of them those that were not undone before. Default: all of the boxes. */
  paymentIds?: readonly string[];
  /** Runs at the end of the transaction with what was undone, under the locks of the boxes; it may run again. */
  complete?: (tx: Tx, undone: readonly UndonePayment[]) => Promise<void>;
}

/**
 * The payments at the door that a command for this order undoes: those of its box that are named; of all, its own after a write-off, otherwise
 * those of its box.
 */
async function findUndoable(
  tx: Tx,
  orderId: number,
  boxIds: readonly number[],
  paymentIds: UndoOptions["paymentIds"],
): Promise<DoorPayment[]> {
  const named = await lockOrderForSupport(tx, orderId);
  if (!named) throw notFound();
  const recorded = await findRecorded(tx, boxIds);
  const chosen = paymentIds && recorded.filter(({ id }) => paymentIds.includes(id));
  if (chosen?.length === 0) return [];
  if (named.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
  if (chosen) return chosen;
  const own = recorded.find(({ order_ids }) => order_ids.includes(orderId));
  const undoable = own?.is_written_off ? [own] : recorded.filter((payment) => !payment.is_written_off);
  if (undoable.length === 0 && named.payment_state === "captured" && named.provider !== "offline")
    throw new AppError(409, "This order was paid by card. `orders refund` gives money back.", { code: "not_offline" });
  return undoable;
}

/** What the orders were before the payment was recorded: written off, not charged, or payable at the door. */
async function restoreUnpaid(tx: Tx, payment: DoorPayment, customerId: number, now: Date): Promise<void> {
  const { order_ids: orderIds } = payment;
  if (payment.is_written_off) {
    await markWrittenOff(tx, orderIds, now);
    await bookPurchase(
      tx,
      { kind: "write_off", paymentId: payment.id, note: `order ${orderIds.join(", ")} unpaid again`, now },
      writeOffEntries(customerId, cents(payment.cents)),
    );
  } else if (payment.is_by_card) {
    const failure = { reason: "It was marked as paid at the door, and that was undone.", nextAt: null };
    await setAside(tx, orderIds, failure, now);
  } else {
    const due = { id: newUuid(), orderIds, customerId, dueCents: payment.cents, state: "authorized" } as const;
    await insertOfflinePayment(tx, due, now);
  }
}

/** Undoes one payment with its bookings. Returns what became of referral credit. */
async function undoOne(ctx: Context, tx: Tx, payment: DoorPayment, reason: string): Promise<ReferralUndone[]> {
  const { now } = ctx;
  const { customer_id: customerId, order_ids: orderIds } = payment;
  if (customerId === null || !payment.has_account)
    throw new AppError(409, "The account of this order was deleted.", { code: "no_customer" });
  if (payment.is_refunded)
    throw new AppError(409, "Money of this payment was given back since. It can no longer be undone.", {
      code: "refunded",
    });
  await requireNotPaidOut(tx, orderIds);
  const referrals = await undoReferralCredit(tx, orderIds, now);
  if (!(await voidRecorded(tx, payment.id)))
    throw new Error(`payment ${payment.id} changed under the lock of its orders`);
  await bookPurchase(
    tx,
    { kind: "capture", paymentId: payment.id, note: `order ${orderIds.join(", ")} unpaid again: ${reason}`, now },
    captureEntries(customerId, cents(-payment.cents)),
  );
  await restoreUnpaid(tx, payment, customerId, now);
  for (const id of orderIds)
    await writeAuditEntry(tx, ctx, {
      action: "orders undo-paid",
      subject: `order:${id}`,
      reason,
      data: { orderIds, cents: payment.cents, referrals },
    });
  return referrals;
}

/**
 * Undoes what `recordPayments` recorded (docs/product.md §17): for each given order, the payments at the door of its box, with
 * the other orders that they cover. The orders are what they were before: payable at the door, not charged (and not charged
 * again automatically), or written off. The ledger has reversing entries. All or none; orders without such a payment do not change.
 * @throws AppError 404; 409 `cancelled`, `not_offline` for an order paid by card, `paid_out` once a vendor was paid for one of the
 * orders, `refunded`, `no_customer`; for several orders `OrdersRejected`
 */
export async function undoPayments(
  ctx: Context,
  orderIds: readonly number[],
  reason: string,
  dryRun = false,
  { paymentIds, complete }: UndoOptions = {},
): Promise<UndonePayment[]> {
  const ids = [...new Set(orderIds)];
  return withBatchDryRun(ctx.deps.db, dryRun, async (tx) => {
    // A payment may cover orders of other boxes: all are locked together, in id order.
    const members = (await findBoxOrders(tx, ids)).map(({ id }) => id);
    const covered = (await findRecorded(tx, members)).flatMap(({ order_ids }) => order_ids);
    await lockDaysOf(tx, [...ids, ...covered]);
    const boxes = await lockBoxesOf(tx, [...ids, ...covered]);
    const each = await forEachOrder(ids, async (orderId): Promise<UndonePayment> => {
      const boxId = boxes.find(({ id }) => id === orderId)?.box_id;
      const boxIds = boxes.filter(({ box_id }) => box_id === boxId).map(({ id }) => id);
      const undone: UndonePayment = { orderId, orderIds: [], cents: 0, payments: [], referrals: [] };
      for (const payment of await findUndoable(tx, orderId, boxIds, paymentIds)) {
        undone.referrals.push(...(await undoOne(ctx, tx, payment, reason)));
        undone.orderIds.push(...payment.order_ids);
        undone.cents += payment.cents;
        undone.payments.push({ id: payment.id, cents: payment.cents });
      }
      return undone;
    });
    await complete?.(tx, each);
    return each;
  });
}
