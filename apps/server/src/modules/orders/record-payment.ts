import { query, queryOne, sql, type SqlTx } from "@marketday/db";
import { captureEntries, writeOffEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { newUuid } from "../../lib/tokens.ts";
import { tryOut } from "../../lib/try-out.ts";
import { recordAct } from "../audit/record-act.ts";
import { learnCharges, stillCharging, voidReleased } from "../payments/charge-order.ts";
import { clearSetAside, type Released, releaseCharge } from "../payments/order-charge-store.ts";
import { bookPurchase } from "../payments/store.ts";
import { creditReferrers } from "../referrals/credit-referrers.ts";
import { type CareOrder, lockCareOrder } from "./care-store.ts";

const Closed = z.object({ ids: z.array(z.number()), cents: z.number() });

/** The closed orders that an offline payment covers, and what they come to together. Cents. */
export const findCovered = async (tx: SqlTx, paymentId: string): Promise<z.infer<typeof Closed>> =>
  (await queryOne(
    tx,
    sql`select coalesce(array_agg(id order by id), '{}') as ids, coalesce(sum(order_total_cents - credit_cents), 0)::int as cents from orders
        where payment_id = ${paymentId}::uuid and status in ('pending', 'closed') and written_off_at is null`,
    Closed,
  )) ?? { ids: [], cents: 0 };

/**
 * Ends an offline payment; orders of later days are paid at their own door and go on with a payment of their own. False:
 * it was over before.
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

/** Cash or a check for an order whose card could not be charged, or that was written off: a payment of its own. */
async function payInstead(tx: SqlTx, order: CareOrder, customerId: number, now: Date) {
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

/**
 * Money that was paid at pickup or at the door (decisions §7 `offline`, docs/product.md §17): the order's payment is
 * captured and booked, with that of the other closed orders it covers. So is that of an order whose card could not be
 * charged, or that was written off. Returns the cents recorded; 0 when it was recorded before. Paid by card: 409
 * `not_offline`; still open for changes: 409 `still_open`; being charged right now: 409 `still_charging`.
 */
export async function recordPayment(ctx: Context, orderId: number, reason = "", dryRun = false): Promise<number> {
  const { deps, now } = ctx;
  if (!dryRun) await learnCharges(ctx, orderId);
  const done = await tryOut(deps.db, dryRun, async (tx): Promise<{ cents: number; released: Released | null }> => {
    const order = await lockCareOrder(tx, orderId);
    if (!order) throw notFound();
    if (order.status !== "pending" && order.status !== "closed")
      throw new AppError(409, "Payment is recorded once the order has closed.", { code: "still_open" });
    const isOffline = order.provider === "offline" && order.payment_id !== null && !order.written_off_at;
    if (order.customer_id === null || (!isOffline && !order.charge_failed_at && !order.written_off_at))
      throw new AppError(409, "This order is not paid at the door.", { code: "not_offline" });
    if (isOffline && order.payment_state === "captured") return { cents: 0, released: null };
    if (order.is_charging) throw stillCharging();
    let paid: { paymentId: string; released: Released | null; cents: number };
    let orderIds = [order.id];
    if (isOffline) {
      const covered = await findCovered(tx, order.payment_id!);
      orderIds = covered.ids;
      paid = { paymentId: order.payment_id!, released: null, cents: covered.cents };
      if (!(await endOffline(tx, paid.paymentId, { state: "captured", cents: paid.cents }, now)))
        return { cents: 0, released: null };
    } else paid = await payInstead(tx, order, order.customer_id, now);
    await clearSetAside(tx, orderIds);
    await bookPurchase(
      tx,
      { kind: "capture", paymentId: paid.paymentId, note: `order ${order.id} paid at the door`, now },
      captureEntries(order.customer_id, cents(paid.cents)),
    );
    await creditReferrers(tx, { orderIds }, now);
    const act = { action: "orders paid", subject: `order:${orderId}`, reason, data: { cents: paid.cents } };
    await recordAct(tx, ctx, act);
    return { cents: paid.cents, released: paid.released };
  });
  if (!dryRun) await voidReleased(ctx, done.released);
  return done.cents;
}
