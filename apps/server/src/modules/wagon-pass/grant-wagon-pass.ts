import type { Tx } from "@marketday/db";
import { calendarDate, type CalendarDate, daysBetween } from "@marketday/domain/calendar-date";
import { purchaseEntries } from "@marketday/domain/ledger";
import { cents } from "@marketday/domain/money";
import { renewalDay, type WagonPassPlan } from "@marketday/domain/wagon-pass";

import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { type PurchaseRow } from "../payments/purchase-store.ts";
import { lockPass, type PassRow, lockCustomerPass } from "./pass-sql.ts";
import { findMarketDate, findPass, insertPass, renewPass } from "./store.ts";

/** The renewal day after the one that is due, counted from the first day to avoid drift. */
function nextRenewal(startedOn: string, plan: WagonPassPlan, due: string): CalendarDate {
  for (let periods = 1; ; periods += 1) {
    const day = renewalDay(calendarDate(startedOn), plan, periods);
    if (daysBetween(calendarDate(due), day) > 0) return day;
  }
}

/** The first day of a pass bought today: the end of a cancelled pass that is still valid, so that no day is paid twice, else today. */
function firstDay(today: CalendarDate, last: PassRow | null): CalendarDate {
  if (last?.status !== "cancelled" || last.ends_on === null) return today;
  const end = calendarDate(last.ends_on);
  return daysBetween(today, end) > 0 ? end : today;
}

/** Starts the purchased pass, or extends it by one period, and enqueues the receipt. */
export async function grantWagonPass(ctx: Context, tx: Tx, purchase: PurchaseRow): Promise<void> {
  if (purchase.purpose.kind !== "wagon-pass") throw new Error("not a wagon pass");
  const { plan, passId } = purchase.purpose;
  await lockCustomerPass(tx, purchase.customer_id);
  const today = await findMarketDate(tx, purchase.customer_id, ctx.now);
  if (passId === null) {
    const start = firstDay(today, await findPass(tx, purchase.customer_id));
    await insertPass(tx, purchase.customer_id, plan, start, renewalDay(start, plan, 1), ctx.now);
  } else {
    const pass = await lockPass(tx, passId);
    // A pass cancelled during its payment ends with the period that was paid.
    const due = pass?.renews_on ?? pass?.ends_on;
    // Late payments pay for one period, and the next renewal is after today.
    const from = due && daysBetween(calendarDate(due), today) > 0 ? today : due;
    if (pass && from) await renewPass(tx, passId, nextRenewal(pass.started_on, plan, from));
  }
  await bookPurchase(
    tx,
    { kind: "sale", paymentId: purchase.id, note: `wagon pass ${plan}`, now: ctx.now },
    purchaseEntries("wagon_passes", cents(purchase.amount_cents)),
  );
  const pass = await (passId === null ? findPass(tx, purchase.customer_id) : lockPass(tx, passId));
  await enqueueMail(tx, {
    key: `wagon-pass-receipt:${purchase.id}`,
    template: "wagon-pass-receipt",
    customerId: purchase.customer_id,
    data: {
      plan,
      amountCents: purchase.amount_cents,
      paidOn: today,
      renewsOn: pass?.renews_on ?? null,
      endsOn: pass?.ends_on ?? null,
      isRenewal: passId !== null,
    },
    now: ctx.now,
  });
}
