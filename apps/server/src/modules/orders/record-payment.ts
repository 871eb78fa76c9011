import { query, queryOne, sql } from "@marketday/db";
import { captureEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { newUuid } from "../../lib/tokens.ts";
import { tryOut } from "../../lib/try-out.ts";
import { actorName } from "../audit/record-act.ts";
import { bookPurchase } from "../payments/store.ts";
import { lockCareOrder, noteCare } from "./care-store.ts";

/**
 * Money that was paid at pickup or at the door (decisions §7 `offline`): the order's payment is captured and booked, with
 * that of the other closed orders it covers. Returns the cents recorded; 0 when it was recorded before. Paid by card: 409
 * `not_offline`; still open for changes: 409 `still_open`.
 */
export async function recordPayment(ctx: Context, orderId: number, reason = "", dryRun = false): Promise<number> {
  const { deps, now } = ctx;
  return tryOut(deps.db, dryRun, async (tx) => {
    const order = await lockCareOrder(tx, orderId);
    if (!order) throw notFound();
    if (order.status !== "pending" && order.status !== "closed")
      throw new AppError(409, "Payment is recorded once the order has closed.", { code: "still_open" });
    if (order.provider !== "offline" || !order.payment_id || order.customer_id === null)
      throw new AppError(409, "This order is not paid at the door.", { code: "not_offline" });
    if (order.payment_state === "captured") return 0;
    const [due] = await query(
      tx,
      sql`select coalesce(sum(order_total_cents - credit_cents), 0)::int as cents from orders
          where payment_id = ${order.payment_id}::uuid and status in ('pending', 'closed')`,
      z.object({ cents: z.number() }),
    );
    const paid = due?.cents ?? 0;
    const taken = await queryOne(
      tx,
      // Orders of later days are paid at their own door: they go on with a payment of their own.
      sql`with taken as (
            update payment set state = 'captured', captured_cents = ${paid}::int where id = ${order.payment_id}::uuid and state = 'authorized'
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
    );
    if (!taken) return 0;
    await bookPurchase(
      tx,
      { kind: "capture", paymentId: order.payment_id, note: `order ${order.id} paid at the door`, now },
      captureEntries(order.customer_id, cents(paid)),
    );
    await noteCare(tx, {
      actor: actorName(ctx.actor),
      action: "orders paid",
      orderId,
      reason,
      data: { cents: paid },
      now,
    });
    return paid;
  });
}
