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
 * the carts, enqueues a job for each customer, works on the jobs with the other servers, and ends the runs that are done or
 * whose cutoff has passed.
 */
export async function runAutoCheckouts(ctx: Context): Promise<void> {
  const { deps } = ctx;
  await runOpenings(ctx);
  const due = await findDueAutoCheckouts(deps.db, ctx.now);
  const attempt = (work: Promise<unknown>, delivery?: AutoDelivery) =>
    work.catch((error: unknown) =>
      deps.log.error({ err: error, delivery: delivery?.id }, "an auto-checkout was interrupted"),
    );
  await attempt(deps.queues.supervise(QUEUE));
  for (const delivery of due) await attempt(enqueue(ctx, delivery), delivery);
  await Promise.all(Array.from({ length: WORKERS }, () => attempt(processAutoCheckouts(ctx))));
  for (const delivery of due) await attempt(finishRunWhenDone(deps.db, delivery.id, deps.clock.now()), delivery);
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
