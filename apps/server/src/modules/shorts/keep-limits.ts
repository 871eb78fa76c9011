import { transaction } from "@marketday/db";

import type { Context } from "../identity/context.ts";
import { runEach } from "../job-failures/run-each.ts";
import { findExceeded, limitSales } from "./limit-sales-sql.ts";
import { lockShortage } from "./shortage-sql.ts";
import { findShortage } from "./store.ts";

/**
 * Takes units off sale again that were cancelled after a count (docs/product.md §14 `short`): while more are ordered than came, what is
 * cancelled comes back on sale with its order and must not be sold. Stock that a person has set since the count stays.
 */
export const keepLimits = async (ctx: Context): Promise<number> =>
  runEach(ctx, {
    job: "short-limits",
    items: await findExceeded(ctx.deps.db, ctx.now),
    subjectOf: ({ id }) => `shortage ${id}`,
    async run({ id, hub_id: hubId }) {
      return transaction(ctx.deps.db, async (tx) => {
        await lockShortage(tx, id);
        const row = await findShortage(tx, id);
        if (row?.state !== "counted") return "skipped";
        const { units, mark } = await limitSales(tx, {
          hubId,
          deliveryId: row.delivery_id,
          variantId: row.variant_id,
          came: row.came,
          before: { units: row.withheld, mark: row.stock_mark },
          reason: `short count ${id}`,
          now: ctx.now,
        });
        await tx.shortage.update({ where: { id }, data: { withheld: units, stock_mark: mark }, select: { id: true } });
        return "done";
      });
    },
    isComplete: true,
  });
