import { writeOffEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";

import { AppError, notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { fetchCharges, stillCharging, voidReleased } from "../payments/charge-order.ts";
import { endOffline, findCovered } from "../payments/offline-store.ts";
import { releaseCharge } from "../payments/order-charge-sql.ts";
import { clearSetAside } from "../payments/order-charge-store.ts";
import { lockOrderForSupport } from "./support-sql.ts";
import { markWrittenOff } from "./support-store.ts";

/**
 * Writes off the unpaid amount of a closed order (docs/product.md §17): the market bears the loss, vendors keep their shares,
 * and the order is not charged again. For an order paid at the door, this includes the other closed orders of its payment.
 * @returns the cents written off; 0 when it was written off before
 * @throws AppError 404; 409 `paid`, `still_open` before the cutoff, `cancelled`, `not_failed`, `still_charging`
 */
export async function writeOffOrder(ctx: Context, orderId: number, reason: string, dryRun = false): Promise<number> {
  const { deps, now } = ctx;
  if (!dryRun) await fetchCharges(ctx, orderId);
  const done = await withClientDryRun(deps.db, dryRun, async (tx) => {
    const order = await lockOrderForSupport(tx, orderId);
    if (!order) throw notFound();
    if (order.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
    if (order.status !== "pending" && order.status !== "closed")
      throw new AppError(409, "This order is still open. It can be cancelled.", { code: "still_open" });
    if (order.written_off_at) return { cents: 0, released: null };
    if (order.payment_state === "captured" || order.order_total_cents <= order.credit_cents)
      throw new AppError(409, "This order is paid. There is nothing to write off.", { code: "paid" });
    const isOffline = order.provider === "offline" && order.payment_id !== null;
    if (order.customer_id === null || (!isOffline && !order.charge_failed_at))
      throw new AppError(409, "This order is charged at its cutoff. There is nothing to write off yet.", {
        code: "not_failed",
      });
    if (order.is_charging) throw stillCharging();
    const loss = isOffline
      ? await findCovered(tx, order.payment_id!)
      : { ids: [order.id], cents: order.order_total_cents - order.credit_cents };
    const released = isOffline ? null : await releaseCharge(tx, order.id, now);
    if (isOffline) await endOffline(tx, order.payment_id!, { state: "voided", cents: 0 }, now);
    await markWrittenOff(tx, loss.ids, now);
    await clearSetAside(tx, loss.ids);
    await bookPurchase(
      tx,
      { kind: "write_off", paymentId: null, note: `order ${loss.ids.join(", ")}: ${reason}`, now },
      writeOffEntries(order.customer_id, cents(loss.cents)),
    );
    await writeAuditEntry(tx, ctx, {
      action: "orders write-off",
      subject: `order:${orderId}`,
      reason,
      data: { orderIds: loss.ids, cents: loss.cents },
    });
    return { cents: loss.cents, released };
  });
  if (!dryRun) await voidReleased(ctx, done.released);
  return done.cents;
}
