import { sqlTransaction } from "@marketday/db";
import { msBetween } from "@marketday/domain/time";

import type { Context } from "../modules/identity/context.ts";
import { WEEK_PAUSE_MAX_MS, runEach } from "../modules/job-failures/run-each.ts";
import { processAutoCheckouts } from "../modules/subscriptions/auto-checkout.ts";
import {
  type AutoDelivery,
  enqueueCustomers,
  findDueAutoCheckouts,
  finishRunWhenDone,
  QUEUE,
  startRun,
} from "../modules/subscriptions/auto-run-sql.ts";
import { closeOverdueRuns } from "../modules/subscriptions/miss-auto-checkout.ts";
import { formatDelivery } from "../modules/week/store.ts";
import { runOpenings } from "./week.ts";

/** Jobs that this process works on at the same time: payments are waited for, Postgres is not. */
const WORKERS = 3;

/**
 * Auto-checkout 36 hours before each cutoff (docs/product.md §9), caught up after any downtime while the cutoff is ahead: fills
 * the carts, enqueues a job for each customer, works on the jobs together with the other servers, and ends the runs that are
 * done or whose cutoff has passed. A delivery that fails does not stop the others (`runEach`).
 */
export async function runAutoCheckouts(ctx: Context): Promise<void> {
  const { deps } = ctx;
  await runOpenings(ctx);
  const due = await findDueAutoCheckouts(deps.db, ctx.now);
  await runEach(ctx, {
    job: "auto-checkout-runs",
    // Jobs of dead servers are released even when no run is due here.
    items: due.length > 0 ? due : [null],
    atOnce: 1,
    subjectOf: (delivery) => (delivery ? `auto-checkout of ${formatDelivery(delivery)}` : "customers who wait"),
    async run(delivery) {
      await deps.queues.supervise(QUEUE);
      if (delivery) await enqueue(ctx, delivery);
      const workers = await Promise.allSettled(Array.from({ length: WORKERS }, () => processAutoCheckouts(ctx)));
      for (const worker of workers) if (worker.status === "rejected") throw worker.reason;
      if (delivery) await finishRunWhenDone(deps.db, delivery.id, deps.clock.now());
    },
    isComplete: true,
    pauseMaxMs: WEEK_PAUSE_MAX_MS,
  });
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
