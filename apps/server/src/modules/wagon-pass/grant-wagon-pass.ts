import type { SqlTx } from "@marketday/db";
import { calendarDate, dateFromUtc, daysBetween } from "@marketday/domain/calendar-date";
import { purchaseEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";
import { renewalDay, type WagonPassPlan } from "@marketday/domain/wagon-pass";

import type { Context } from "../../lib/context.ts";
import { bookPurchase, type PurchaseRow } from "../payments/store.ts";
import { insertPass, lockPass, renewPass, takeTurns } from "./store.ts";

/** The renewal day after the one that is due, counted from the first day so that it never drifts. */
export function nextRenewal(startedOn: string, plan: WagonPassPlan, due: string): string {
  for (let periods = 1; ; periods += 1) {
    const day = renewalDay(calendarDate(startedOn), plan, periods);
    if (daysBetween(calendarDate(due), day) > 0) return day;
  }
}

/** The pass begins, or runs on for one more period. */
export async function grantWagonPass(ctx: Context, tx: SqlTx, purchase: PurchaseRow): Promise<void> {
  if (purchase.purpose.kind !== "wagon-pass") throw new Error("not a wagon pass");
  const { plan, passId } = purchase.purpose;
  await takeTurns(tx, purchase.customer_id);
  if (passId === null) {
    const today = dateFromUtc(ctx.now);
    await insertPass(tx, purchase.customer_id, plan, today, renewalDay(today, plan, 1), ctx.now);
  } else {
    const pass = await lockPass(tx, passId);
    // Cancelled while it was being paid: it runs out at the end of what was paid for.
    const due = pass?.renews_on ?? pass?.ends_on;
    if (pass && due) await renewPass(tx, passId, nextRenewal(pass.started_on, plan, due));
  }
  await bookPurchase(
    tx,
    { kind: "sale", paymentId: purchase.id, note: `wagon pass ${plan}`, now: ctx.now },
    purchaseEntries("wagon_passes", cents(purchase.amount_cents)),
  );
}
