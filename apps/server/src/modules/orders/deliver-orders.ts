import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { lockBoxesOf } from "./box-sql.ts";
import { forEachOrder, withBatchDryRun } from "./for-each-order.ts";
import { closeOrders } from "./support-store.ts";

/** A delivered box. `orderIds`: the orders closed by this call; empty when the box was closed before. */
export interface DeliveredBox {
  /** The order number as given. */
  orderId: number;
  orderIds: number[];
}

/**
 * Marks boxes as delivered (docs/product.md §8, §14 `orders deliver`): their `pending` orders become `closed`. The number of an
 * add-on means its box (docs/product.md §17). All or none; boxes that are already closed do not change.
 * @throws AppError 404; 409 `still_open` before the cutoff, `cancelled`; for several orders `OrdersRejected`
 */
export async function deliverOrders(
  ctx: Context,
  orderIds: readonly number[],
  reason = "",
  dryRun = false,
): Promise<DeliveredBox[]> {
  return withBatchDryRun(ctx.deps.db, dryRun, async (tx) => {
    const orders = await lockBoxesOf(tx, orderIds);
    const closed = new Set<number>();
    return forEachOrder([...new Set(orderIds)], async (orderId) => {
      const named = orders.find(({ id }) => id === orderId);
      if (!named) throw notFound();
      if (named.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
      const box = orders.filter(({ box_id, status }) => box_id === named.box_id && status !== "cancelled");
      if (box.some(({ status }) => status === "future" || status === "open"))
        throw new AppError(409, "This order still takes changes. It can be delivered after its cutoff.", {
          code: "still_open",
        });
      const ids = box.filter(({ id, status }) => status === "pending" && !closed.has(id)).map(({ id }) => id);
      if (ids.length === 0) return { orderId, orderIds: [] };
      for (const id of ids) closed.add(id);
      await closeOrders(tx, ids, ctx.now);
      await writeAuditEntry(tx, ctx, {
        action: "orders deliver",
        subject: `order:${named.box_id}`,
        reason,
        data: { orderIds: ids },
      });
      return { orderId, orderIds: ids };
    });
  });
}
