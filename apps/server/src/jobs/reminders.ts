import { sqlTransaction } from "@marketday/db";
import { REMIND_LEAD_MS } from "@marketday/domain/limits";

import type { Context } from "../lib/context.ts";
import { findDueReminders, insertReminders, type ReminderStep, returnWatched } from "../modules/week/remind-store.ts";

const REMINDERS: readonly [ReminderStep, template: string][] = [
  ["remind_auto_checkout", "auto-checkout-soon"],
  ["remind_order_by", "order-by-soon"],
];
/** Rows of one statement: its locks are short. */
const BATCH = 1000;

/**
 * Sends reminders a day before auto-checkout and a day before the cutoff, each once per delivery, and not after their instant.
 * Moves watched lines that are in stock again back into their carts.
 */
export async function sendReminders({ deps, now }: Context): Promise<void> {
  for (const [step, template] of REMINDERS)
    for (const { id } of await findDueReminders(deps.db, step, now, REMIND_LEAD_MS))
      await sqlTransaction(deps.db, (tx) => insertReminders(tx, step, id, template, now));
  while ((await sqlTransaction(deps.db, (tx) => returnWatched(tx, now, BATCH))) === BATCH);
}
