import { transaction } from "@marketday/db";

import type { Context } from "../identity/context.ts";
import { customersRefused, isolateRefused, type Refused } from "../job-failures/isolate-refused.ts";
import { WEEK_PAUSE_MAX_MS, runEach } from "../job-failures/run-each.ts";
import { formatDelivery } from "../week/store.ts";
import {
  endUndone,
  findOverdueRuns,
  finishRunWhenDone,
  insertMissedRun,
  lockUndone,
  type OverdueRun,
} from "./auto-store.ts";

/** Customers of one transaction. */
const BATCH = 500;

/**
 * Ends the runs whose cutoff has passed: nothing is ordered any more. Customers who were never tried get an email, operators a
 * log entry (failures.md C5). A run that cannot be ended does not stop the others (`runEach`), nor does a customer
 * (`isolateRefused`).
 */
export async function closeOverdueRuns(ctx: Context): Promise<void> {
  const { deps, now } = ctx;
  const notified = new Set<number>();
  await runEach(ctx, {
    job: "missed-auto-checkouts",
    // The latest first: after a long outage a customer gets one email, not one for each day that passed.
    items: (await findOverdueRuns(deps.db, now)).toReversed(),
    atOnce: 1,
    subjectOf: (delivery) => `end of the auto-checkout of ${formatDelivery(delivery)}`,
    run: (delivery) => endRun(ctx, delivery, notified),
    isComplete: true,
    pauseMaxMs: WEEK_PAUSE_MAX_MS,
  });
}

/** Ends a run in batches. Adds the customers whose order was missed to `notified`. */
async function endRun(ctx: Context, delivery: OverdueRun, notified: Set<number>): Promise<"done" | "skipped"> {
  const { deps, now } = ctx;
  const refused: Refused[] = [];
  let missed = 0;
  if (!delivery.is_started) await transaction(deps.db, (tx) => insertMissedRun(tx, delivery, now));
  for (let after: number | undefined = 0; after !== undefined;) {
    const from: number = after;
    const batch = await transaction(deps.db, async (tx) => {
      const customerIds = await lockUndone(tx, delivery.id, from, BATCH);
      const ids: number[] = [];
      const left = await isolateRefused(tx, customerIds, async (part) => {
        ids.push(...(await endUndone(tx, delivery, part, [...notified], now)));
      });
      return { last: customerIds.at(-1), missed: ids, refused: left };
    });
    for (const customerId of batch.missed) notified.add(customerId);
    missed += batch.missed.length;
    refused.push(...batch.refused);
    after = batch.last;
    await deps.failpoint("missed:batch");
    if (ctx.signal?.aborted) return "skipped";
  }
  if (missed > 0) deps.log.error({ delivery: delivery.id, customers: missed }, "an auto-checkout was missed");
  if (refused.length > 0) throw customersRefused(refused);
  await finishRunWhenDone(deps.db, delivery.id, now);
  return "done";
}
