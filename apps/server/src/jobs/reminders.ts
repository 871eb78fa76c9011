import { sqlTransaction } from "@marketday/db";
import { REMIND_LEAD_MS } from "@marketday/domain/limits";

import type { Context } from "../lib/context.ts";
import { findDueReminders, insertReminders, type ReminderStep, returnWatched } from "../modules/week/remind-store.ts";

const REMINDERS: readonly [ReminderStep, template: string][] = [
  ["remind_auto_checkout", "auto-checkout-soon"],
  ["remind_order_by", "order-by-soon"],
];
/** Rows at a time, so that no cart waits long for its lock. */
const BATCH = 1000;

/**
 * A day before auto-checkout and a day before the cutoff, each once a delivery; one whose instant has passed while nobody
 * was there is not sent any more. And what was sold out in somebody's cart and is there again.
 */
export async function sendReminders({ deps, now }: Context): Promise<void> {
  for (const [step, template] of REMINDERS)
    for (const { id } of await findDueReminders(deps.db, step, now, REMIND_LEAD_MS))
      await sqlTransaction(deps.db, (tx) => insertReminders(tx, step, id, template, now));
  while ((await sqlTransaction(deps.db, (tx) => returnWatched(tx, now, BATCH))) === BATCH);
}
