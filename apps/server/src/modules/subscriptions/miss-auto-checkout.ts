import { sqlTransaction } from "@marketday/db";

import type { Context } from "../identity/context.ts";
import { writeInBatches } from "../job-failures/isolate-refused.ts";
import { WEEK_PAUSE_MAX_MS, runEach } from "../job-failures/run-each.ts";
import { formatDelivery } from "../week/store.ts";
import {
  endUndone,
  findOverdueRuns,
  finishRunWhenDone,
  insertMissedRun,
  lockUndone,
  type OverdueRun,
} from "./auto-run-sql.ts";

/** Customers of one transaction. */
const BATCH = 500;

/**
 * Ends the runs whose cutoff has passed: nothing is ordered any more. Customers who were never tried get an email, operators a
 * log entry (failures.md C5). A run that cannot be ended does not stop the others (`runEach`), nor does a customer
 * (`writeInBatches`).
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
  if (!delivery.is_started) await sqlTransaction(deps.db, (tx) => insertMissedRun(tx, delivery, now));
  const before = [...notified];
  const missed = new Set<number>();
  try {
    const ended = await writeInBatches(
      ctx,
      { what: "Customer", failpoint: "missed:batch" },
      (tx, after) => lockUndone(tx, delivery.id, after, BATCH),
      async (tx, ids) => {
        for (const id of await endUndone(tx, delivery, ids, before, now)) missed.add(id);
      },
    );
    if (ended === "done") await finishRunWhenDone(deps.db, delivery.id, now);
    return ended;
  } finally {
    for (const id of missed) notified.add(id);
    if (missed.size > 0)
      deps.log.error({ delivery: delivery.id, customers: missed.size }, "an auto-checkout was missed");
  }
}
