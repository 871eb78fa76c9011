import { sqlTransaction } from "@marketday/db";
import { msBetween } from "@marketday/domain/time";

import type { Context } from "../lib/context.ts";
import { processDueCustomers } from "../modules/subscriptions/auto-checkout.ts";
import { findDueAutoCheckouts, finishRunWhenDone, startRun } from "../modules/subscriptions/auto-store.ts";
import { closeOverdueRuns } from "../modules/subscriptions/miss-auto-checkout.ts";
import { runOpenings } from "./week.ts";

/** Customers who are ordered for at the same time in this process: payments are waited for, Postgres is not. */
const WORKERS = 3;

/**
 * Auto-checkout 36 hours before each cutoff (docs/product.md §9), caught up after any downtime as long as the cutoff is ahead;
 * what a cutoff has overtaken is ended and told. The carts are filled first.
 */
export async function runAutoCheckouts(ctx: Context): Promise<void> {
  const { deps } = ctx;
  const clockOffsetMs = msBetween(deps.clock.now(), ctx.now);
  await runOpenings(ctx);
  for (const delivery of await findDueAutoCheckouts(deps.db, ctx.now)) {
    try {
      await sqlTransaction(deps.db, (tx) => startRun(tx, delivery, ctx.now, deps.clock.now()));
      const ended = await Promise.allSettled(
        Array.from({ length: WORKERS }, () => processDueCustomers(ctx, delivery, clockOffsetMs)),
      );
      for (const worker of ended) if (worker.status === "rejected") throw worker.reason;
      await finishRunWhenDone(deps.db, delivery.id, deps.clock.now());
    } catch (error) {
      deps.log.error({ err: error, delivery: delivery.id }, "an auto-checkout was interrupted");
    }
  }
  await closeOverdueRuns(ctx);
}
