import { sqlTransaction } from "@marketday/db";
import { msBetween } from "@marketday/domain/time";

import type { Context } from "../lib/context.ts";
import { processAutoCheckouts } from "../modules/subscriptions/auto-checkout.ts";
import {
  type AutoDelivery,
  enqueueCustomers,
  findDueAutoCheckouts,
  finishRunWhenDone,
  QUEUE,
  startRun,
} from "../modules/subscriptions/auto-store.ts";
import { closeOverdueRuns } from "../modules/subscriptions/miss-auto-checkout.ts";
import { runOpenings } from "./week.ts";

/** Jobs that this process works on at the same time: payments are waited for, Postgres is not. */
const WORKERS = 3;

/**
 * Auto-checkout 36 hours before each cutoff (docs/product.md §9), caught up after any downtime while the cutoff is ahead: fills
 * the carts, enqueues a job for each customer, works on the jobs together with the other servers, and ends the runs that are
 * done or whose cutoff has passed. A delivery that fails does not stop the others.
 */
export async function runAutoCheckouts(ctx: Context): Promise<void> {
  const { deps } = ctx;
  await runOpenings(ctx);
  const due = await findDueAutoCheckouts(deps.db, ctx.now);
  // Jobs of dead servers are released even when no run is due here.
  for (const delivery of due.length > 0 ? due : [null]) {
    try {
      await deps.queues.supervise(QUEUE);
      if (delivery) await enqueue(ctx, delivery);
      const workers = await Promise.allSettled(Array.from({ length: WORKERS }, () => processAutoCheckouts(ctx)));
      for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
      if (delivery) await finishRunWhenDone(deps.db, delivery.id, deps.clock.now());
    } catch (error) {
      deps.log.error({ err: error, delivery: delivery?.id }, "an auto-checkout was interrupted");
    }
  }
  await closeOverdueRuns(ctx);
}

/** Starts the run of a delivery and enqueues its customers, in one transaction; later only customers without a job. */
function enqueue({ deps, now }: Context, delivery: AutoDelivery): Promise<unknown> {
  const clock = deps.clock.now();
  return sqlTransaction(deps.db, async (tx) => {
    await startRun(tx, delivery, now);
    await enqueueCustomers(tx, delivery.id, msBetween(clock, now), clock);
  });
}
