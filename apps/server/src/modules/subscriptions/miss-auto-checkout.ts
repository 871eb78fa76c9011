import { type Conn, transaction } from "@marketday/db";

import type { Context } from "../identity/context.ts";
import { WEEK_PAUSE_MAX_MS, runEach } from "../job-failures/run-each.ts";
import { enqueueMail } from "../mail/store.ts";
import { formatDelivery } from "../week/store.ts";
import {
  findOverdueRuns,
  findWaiting,
  finishRunWhenDone,
  insertMissedRun,
  lockUndone,
  type OverdueRun,
  writeResult,
} from "./auto-store.ts";

/** Outcomes that the customer already got an email about. */
const NOTIFIED = new Set(["nothing", "no_address", "no_card", "declined", "failed"]);

/**
 * Ends the runs whose cutoff has passed: nothing is ordered any more. Customers who were never tried get an email, operators a
 * log entry (failures.md C5). A run that cannot be ended does not stop the others (`runEach`).
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
    async run(delivery) {
      const missed = await transaction(deps.db, (tx) => closeRun(tx, delivery, notified, now));
      for (const customerId of missed) notified.add(customerId);
      if (missed.length > 0)
        deps.log.error({ delivery: delivery.id, customers: missed.length }, "an auto-checkout was missed");
    },
    isComplete: true,
    pauseMaxMs: WEEK_PAUSE_MAX_MS,
  });
}

/** Ends a run. Returns the customers whose order was missed. */
async function closeRun(tx: Conn, delivery: OverdueRun, notified: ReadonlySet<number>, now: Date): Promise<number[]> {
  const missed: number[] = [];
  if (delivery.is_started) {
    for (const { customer_id: customerId, ...row } of await lockUndone(tx, delivery)) {
      // Its checkout is settled first.
      if (row.is_under_way) continue;
      const missedOutcome = delivery.is_closed_date ? "skipped" : "missed";
      const outcome = row.is_ordered ? "placed" : NOTIFIED.has(row.outcome ?? "") ? row.outcome! : missedOutcome;
      const error = outcome === "failed" ? row.error : null;
      await writeResult(tx, { deliveryId: delivery.id, customerId }, { outcome, error, isDone: true }, 0, now);
      if (outcome === "missed") missed.push(customerId);
    }
    await finishRunWhenDone(tx, delivery.id, now);
  } else if (await insertMissedRun(tx, delivery, now))
    missed.push(...(await findWaiting(tx, delivery)).map(({ customer_id }) => customer_id));
  for (const customerId of missed) {
    if (notified.has(customerId)) continue;
    await enqueueMail(tx, {
      key: `auto-checkout-missed:${delivery.id}:${customerId}`,
      template: "auto-checkout-missed",
      customerId,
      data: { day: delivery.day, market: delivery.hub_name },
      now,
    });
  }
  return missed;
}
