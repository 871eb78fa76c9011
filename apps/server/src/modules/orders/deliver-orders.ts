import type { Tx } from "@marketday/db";

import { AppError, notFound } from "../../lib/app-error.ts";
import { type AuditEntry, writeAuditEntry } from "../audit/write-audit-entry.ts";
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

/** The action of the staff that each order number belongs to, where there is one: its audit entries name it. */
export type ActionOfOrder = ReadonlyMap<number, number>;

/** Writes the entries of a batch, each with its order number as given, when the actions they name are stored. */
export async function writeBatchEntries(
  tx: Tx,
  ctx: Context,
  entries: readonly { orderId: number; entry: AuditEntry }[],
  actions: ActionOfOrder | undefined,
): Promise<void> {
  for (const { orderId, entry } of entries) {
    const actionId = actions?.get(orderId);
    await writeAuditEntry(tx, actionId === undefined ? ctx : { ...ctx, actionId }, entry);
  }
}

/**
 * The orders of a box that a delivery closes, of which `named` is one. @throws AppError 409 `still_open` before the cutoff, `cancelled`
 */
export function deliverable(named: { status: string }, orders: readonly { id: number; status: string }[]): number[] {
  if (named.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
  const live = orders.filter(({ status }) => status !== "cancelled");
  if (live.some(({ status }) => status === "future" || status === "open"))
    throw new AppError(409, "This order still takes changes. It can be delivered after its cutoff.", {
      code: "still_open",
    });
  return live.filter(({ status }) => status === "pending").map(({ id }) => id);
}

/**
 * Marks boxes as delivered (docs/product.md §8, §14 `orders deliver`): their `pending` orders become `closed`. The number of an
 * add-on means its box (docs/product.md §17). All or none; boxes that are already closed do not change.
 * @throws AppError 404; 409 `still_open` before the cutoff, `cancelled`; for several orders `OrdersRejected`
 * @param complete runs at the end of the transaction with what was closed, under the locks of the boxes; it may run again. Returns
 * the actions that the audit entries name
 */
export async function deliverOrders(
  ctx: Context,
  orderIds: readonly number[],
  reason = "",
  dryRun = false,
  complete?: (tx: Tx, delivered: readonly DeliveredBox[]) => Promise<ActionOfOrder>,
): Promise<DeliveredBox[]> {
  return withBatchDryRun(ctx.deps.db, dryRun, async (tx) => {
    const orders = await lockBoxesOf(tx, orderIds);
    const closed = new Set<number>();
    const entries: { orderId: number; entry: AuditEntry }[] = [];
    const done = await forEachOrder([...new Set(orderIds)], async (orderId) => {
      const named = orders.find(({ id }) => id === orderId);
      if (!named) throw notFound();
      const box = orders.filter(({ box_id }) => box_id === named.box_id);
      const ids = deliverable(named, box).filter((id) => !closed.has(id));
      if (ids.length === 0) return { orderId, orderIds: [] };
      for (const id of ids) closed.add(id);
      await closeOrders(tx, ids, ctx.now);
      const entry = { action: "orders deliver", subject: `order:${named.box_id}`, reason, data: { orderIds: ids } };
      entries.push({ orderId, entry });
      return { orderId, orderIds: ids };
    });
    await writeBatchEntries(tx, ctx, entries, await complete?.(tx, done));
    return done;
  });
}
