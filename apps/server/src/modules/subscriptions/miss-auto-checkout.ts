import { sqlTransaction } from "@marketday/db";

import type { Context } from "../../lib/context.ts";
import { enqueueMail } from "../mail/store.ts";
import {
  type AutoDelivery,
  endClaim,
  findOverdueRuns,
  findWaiting,
  finishRunWhenDone,
  insertMissedRun,
  lockLeftOver,
} from "./auto-store.ts";

/** They were told already why there is no order. */
const TOLD = new Set(["nothing", "no_address", "no_card", "declined", "failed"]);

/**
 * Ends what a cutoff has overtaken: nobody is ordered for any more. Who was never tried is told by mail, and the market's
 * people in the log (failures C5).
 */
export async function closeOverdueRuns(ctx: Context): Promise<void> {
  const { deps, now } = ctx;
  const told = new Set<number>();
  // The latest first: after a long outage one email tells of it, not one for each day that passed.
  for (const delivery of (await findOverdueRuns(deps.db, now)).toReversed()) {
    const missed = await sqlTransaction(deps.db, async (tx) => {
      const customers: number[] = [];
      if (delivery.is_started) {
        for (const left of await lockLeftOver(tx, delivery)) {
          if (left.is_under_way) continue;
          const outcome = left.is_ordered ? "placed" : TOLD.has(left.outcome ?? "") ? left.outcome! : "missed";
          await endClaim(tx, left, { outcome, error: outcome === "failed" ? left.error : null, retryAt: null }, now);
          if (outcome === "missed") customers.push(left.customer_id);
        }
        await finishRunWhenDone(tx, delivery.id, now);
      } else if (await insertMissedRun(tx, delivery, now))
        customers.push(...(await findWaiting(tx, delivery)).map(({ customer_id }) => customer_id));
      for (const customerId of customers) if (!told.has(customerId)) await tell(tx, delivery, customerId, now);
      return customers;
    });
    for (const customerId of missed) told.add(customerId);
    if (missed.length > 0)
      deps.log.error({ delivery: delivery.id, customers: missed.length }, "an auto-checkout was missed");
  }
}

const tell = (tx: Parameters<typeof enqueueMail>[0], delivery: AutoDelivery, customerId: number, now: Date) =>
  enqueueMail(tx, {
    key: `auto-checkout-missed:${delivery.id}:${customerId}`,
    template: "auto-checkout-missed",
    customerId,
    data: { day: delivery.day, market: delivery.hub_name },
    now,
  });
