import { query, queryOne, sql, type SqlTx } from "@marketday/db";
import { captureEntries, writeOffEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { newUuid } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { fetchCharges, stillCharging, voidReleased } from "../payments/charge-order.ts";
import { clearSetAside, type Released, releaseCharge } from "../payments/order-charge-store.ts";
import { bookPurchase } from "../payments/store.ts";
import { creditReferrers } from "../referrals/credit-referrers.ts";
import { findBoxOrders, lockBoxesOf } from "./box-store.ts";
import { forAll } from "./refuse-all.ts";
import { type OrderForSupport, lockOrderForSupport } from "./support-store.ts";

const Closed = z.object({ ids: z.array(z.number()), cents: z.number() });

/** The closed orders that an offline payment covers, and their total. Cents. */
export const findCovered = async (tx: SqlTx, paymentId: string): Promise<z.infer<typeof Closed>> =>
  (await queryOne(
    tx,
    sql`select coalesce(array_agg(id order by id), '{}') as ids, coalesce(sum(order_total_cents - credit_cents), 0)::int as cents from orders
        where payment_id = ${paymentId}::uuid and status in ('pending', 'closed') and written_off_at is null`,
    Closed,
  )) ?? { ids: [], cents: 0 };

/**
 * Captures or voids an offline payment. Its orders of later days get a separate payment, because they are paid at their own
 * delivery. False: the payment had already ended.
 */
export const endOffline = async (
  tx: SqlTx,
  paymentId: string,
  end: { state: "captured" | "voided"; cents: number },
  now: Date,
): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`with taken as (
          update payment set state = ${end.state}, captured_cents = ${end.cents}::int where id = ${paymentId}::uuid and state = 'authorized'
          returning id, customer_id, provider, authorized_at),
        later as (
          select ${newUuid()}::uuid as id, sum(o.order_total_cents - o.credit_cents)::int as cents from orders o join taken on o.payment_id = taken.id
          where o.status in ('future', 'open') having count(*) > 0),
        split as (
          insert into payment (id, charge_key, customer_id, provider, provider_ref, state, amount_cents, authorized_at, created_at)
          select later.id, later.id, taken.customer_id, taken.provider, later.id::text, 'authorized', later.cents, taken.authorized_at, ${now} from later, taken returning id)
        , moved as (
          update orders o set payment_id = split.id from split, taken where o.payment_id = taken.id and o.status in ('future', 'open'))
        select id::text as id from taken`,
    z.object({ id: z.string() }),
  )) !== null;

/** Creates a separate offline payment for an order whose card could not be charged, or that was written off. */
async function payInstead(tx: SqlTx, order: OrderForSupport, customerId: number, now: Date) {
  const paymentId = newUuid();
  const released = await releaseCharge(tx, order.id, now);
  const dueCents = order.order_total_cents - order.credit_cents;
  await query(
    tx,
    sql`with paid as (
          insert into payment (id, charge_key, customer_id, provider, provider_ref, state, amount_cents, captured_cents, authorized_at, created_at)
          values (${paymentId}::uuid, ${paymentId}::uuid, ${customerId}::int, 'offline', ${paymentId}, 'captured', ${dueCents}::int, ${dueCents}::int, ${now}, ${now})
          returning id)
        update orders o set payment_id = paid.id, written_off_at = null from paid where o.id = ${order.id}::int returning o.id`,
    z.object({ id: z.number() }),
  );
  if (order.written_off_at)
    await bookPurchase(
      tx,
      { kind: "write_off", paymentId: null, note: `order ${order.id} paid after all`, now },
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
}

const isOffline = (order: OrderForSupport): boolean =>
  order.provider === "offline" && order.payment_id !== null && !order.written_off_at;

/** Whether an order is unpaid: payable at the door, or its card could not be charged. */
const isDue = (order: OrderForSupport): boolean =>
  !order.written_off_at &&
  (order.charge_failed_at !== null || (isOffline(order) && order.payment_state !== "captured"));

/** The orders of a box that are paid together with this order. Empty: they were recorded as paid before. */
async function findPayable(tx: SqlTx, orderId: number, boxIds: readonly number[]): Promise<OrderForSupport[]> {
  const named = await lockOrderForSupport(tx, orderId);
  if (!named) throw notFound();
  if (named.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
  if (named.status !== "pending" && named.status !== "closed")
    throw new AppError(409, "Payment is recorded once the order has closed.", { code: "still_open" });
  const orders: OrderForSupport[] = [];
  for (const id of boxIds) {
    const order = id === orderId ? named : await lockOrderForSupport(tx, id);
    if (order && order.customer_id !== null && (order.status === "pending" || order.status === "closed"))
      orders.push(order);
  }
  const due = orders.filter(isDue);
  if (named.written_off_at && named.customer_id !== null) {
    if (due.length === 0) return [named];
    throw new AppError(
      409,
      `This order was written off, and order ${due.map(({ id }) => id).join(", ")} of the same box is unpaid. Record that payment first.`,
      { code: "written_off" },
    );
  }
  if (due.length === 0 && !orders.some(isOffline))
    throw new AppError(409, "This order is not paid at the door.", { code: "not_offline" });
  return due;
}

/** Records one order as paid, with the other orders that its payment covers. */
async function payOne(
  ctx: Context,
  tx: SqlTx,
  order: OrderForSupport,
  reason: string,
): Promise<{ orderIds: number[]; cents: number; released: Released | null }> {
  const { now } = ctx;
  const customerId = order.customer_id!;
  if (order.is_charging) throw stillCharging();
  let paid: { paymentId: string; released: Released | null; cents: number };
  let orderIds = [order.id];
  if (isOffline(order)) {
    const covered = await findCovered(tx, order.payment_id!);
    orderIds = covered.ids;
    paid = { paymentId: order.payment_id!, released: null, cents: covered.cents };
    if (!(await endOffline(tx, paid.paymentId, { state: "captured", cents: paid.cents }, now)))
      return { orderIds: [], cents: 0, released: null };
  } else paid = await payInstead(tx, order, customerId, now);
  await clearSetAside(tx, orderIds);
  await bookPurchase(
    tx,
    { kind: "capture", paymentId: paid.paymentId, note: `order ${order.id} paid at the door`, now },
    captureEntries(customerId, cents(paid.cents)),
  );
  await creditReferrers(tx, { orderIds }, now);
  await writeAuditEntry(tx, ctx, {
    action: "orders paid",
    subject: `order:${order.id}`,
    reason,
    data: { cents: paid.cents },
  });
  return { orderIds, cents: paid.cents, released: paid.released };
}

/**
 * Records money paid at pickup or at the door (docs/product.md §7 `offline`, docs/product.md §17). For each given order, captures
 * and books the amount due for its box, as printed on the sheets, together with other closed orders of the same payment. Also
 * accepts orders whose card could not be charged and, by their own number, written-off orders. All or none.
 * @throws AppError 404; 409 `not_offline` for an order paid by card, `still_open` before the cutoff, `cancelled`,
 * `still_charging`, `written_off` while another order of the box is unpaid; for several orders `OrdersRefused`
 */
export async function recordPayments(
  ctx: Context,
  orderIds: readonly number[],
  reason = "",
  dryRun = false,
): Promise<RecordedPayment[]> {
  const { db } = ctx.deps;
  const ids = [...new Set(orderIds)];
  if (!dryRun) for (const { id } of await findBoxOrders(db, ids)) await fetchCharges(ctx, id);
  const released: Released[] = [];
  const done = await withDryRun(db, dryRun, async (tx) => {
    released.length = 0;
    const boxes = await lockBoxesOf(tx, ids);
    const recordedIds = new Set<number>();
    return forAll(ids, async (orderId): Promise<RecordedPayment> => {
      const boxId = boxes.find(({ id }) => id === orderId)?.box_id;
      const boxIds = boxes.filter(({ box_id }) => box_id === boxId).map(({ id }) => id);
      const recorded: RecordedPayment = { orderId, orderIds: [], cents: 0 };
      for (const order of await findPayable(tx, orderId, boxIds)) {
        if (recordedIds.has(order.id)) continue;
        const paid = await payOne(ctx, tx, order, reason);
        for (const id of paid.orderIds) recordedIds.add(id);
        recorded.orderIds.push(...paid.orderIds);
        recorded.cents += paid.cents;
        if (paid.released) released.push(paid.released);
      }
      return recorded;
    });
  });
  if (!dryRun) for (const each of released) await voidReleased(ctx, each);
  return done;
}
