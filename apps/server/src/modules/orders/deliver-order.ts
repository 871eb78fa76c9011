import { execute, query, sql } from "@marketday/db";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { tryOut } from "../../lib/try-out.ts";
import { recordAct } from "../audit/record-act.ts";

/**
 * An order has arrived (decisions §8, §14 `orders deliver`): `pending` becomes `closed`, with its add-ons. Twice is once.
 * Before the cutoff: 409 `still_open`; cancelled: 409 `cancelled`.
 * @returns the orders that are closed by this
 */
export async function deliverOrder(ctx: Context, orderId: number, reason = "", dryRun = false): Promise<number[]> {
  return tryOut(ctx.deps.db, dryRun, async (tx) => {
    const orders = await query(
      tx,
      sql`select id, status from orders where id = ${orderId}::int or add_on_to_id = ${orderId}::int order by id for update`,
      z.object({ id: z.number(), status: z.string() }),
    );
    const box = orders.find(({ id }) => id === orderId);
    if (!box) throw notFound();
    if (box.status === "cancelled") throw new AppError(409, "This order is cancelled.", { code: "cancelled" });
    if (box.status === "future" || box.status === "open")
      throw new AppError(409, "This order still takes changes. It can be delivered after its cutoff.", {
        code: "still_open",
      });
    const ids = orders.filter(({ status }) => status === "pending").map(({ id }) => id);
    if (ids.length === 0) return [];
    await execute(tx, sql`update orders set status = 'closed', closed_at = ${ctx.now} where id = any(${ids}::int[])`);
    await recordAct(tx, ctx, {
      action: "orders deliver",
      subject: `order:${orderId}`,
      reason,
      data: { orderIds: ids },
    });
    return ids;
  });
}
