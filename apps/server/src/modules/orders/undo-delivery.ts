import type { Tx } from "@marketday/db";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { requireNotPaidOut } from "../ledger/pay-vendors.ts";
import { lockBoxesOf } from "./box-sql.ts";
import type { DeliveredBox } from "./deliver-orders.ts";
import { forEachOrder, withBatchDryRun } from "./for-each-order.ts";
import { lockOrderForSupport } from "./support-sql.ts";
import { reopenDelivered } from "./support-store.ts";

/**
 * Undoes what `deliverOrders`, or the end of the delivery day, did (docs/product.md §17): the `closed` orders of the boxes are
 * `pending` again. All or none; boxes that are not delivered do not change.
 * @returns the orders that are pending again, by box; none: there was nothing to undo
 * @throws AppError 404; 409 `cancelled`, `paid_out` once a vendor was paid for one of the orders, `no_customer`; for several
 * orders `OrdersRejected`
 * @param complete runs at the end of the transaction with what is pending again, under the locks of the boxes; it may run again
 */
export async function undoDeliveries(
  ctx: Context,
  orderIds: readonly number[],
  reason: string,
  dryRun = false,
  complete?: (tx: Tx, undone: readonly DeliveredBox[]) => Promise<void>,
): Promise<DeliveredBox[]> {
  return withBatchDryRun(ctx.deps.db, dryRun, async (tx) => {
    const orders = await lockBoxesOf(tx, orderIds);
    const reopened = new Set<number>();
    const done = await forEachOrder([...new Set(orderIds)], async (orderId) => {
      const named = await lockOrderForSupport(tx, orderId);
      if (!named) throw notFound();
      if (named.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
      const boxId = named.add_on_to_id ?? named.id;
      const ids = orders
        .filter(({ id, box_id, status }) => box_id === boxId && status === "closed" && !reopened.has(id))
        .map(({ id }) => id);
      if (ids.length === 0) return { orderId, orderIds: [] };
      if (!named.has_account)
        throw new AppError(409, "The account of this order was deleted.", { code: "no_customer" });
      await requireNotPaidOut(tx, ids);
      for (const id of ids) reopened.add(id);
      await reopenDelivered(tx, ids);
      await writeAuditEntry(tx, ctx, {
        action: "orders undo-deliver",
        subject: `order:${boxId}`,
        reason,
        data: { orderIds: ids },
      });
      return { orderId, orderIds: ids };
    });
    await complete?.(tx, done);
    return done;
  });
}
