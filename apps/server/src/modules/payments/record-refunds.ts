import { transaction, type Tx } from "@marketday/db";
import { allocateReturn, refundEntries } from "@marketday/domain/ledger";
import { cents, zeroCents } from "@marketday/domain/money";

import type { ProviderRefund } from "../../gateways/payments/payments.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { failRefund } from "./fail-refund.ts";
import { lockMovedPayment } from "./moved-sql.ts";
import {
  findMovedRefunds,
  findOrdersOfPayment,
  insertMovedRefunds,
  insertUnreturned,
  movedKey,
  type MovedPart,
  type MovedPayment,
  REST_REASON,
  STORED_GOODWILL,
} from "./moved-store.ts";
import { findRefundOfPayment, markDone } from "./refund-store.ts";
import { findUnresolvedOfPayment, markResolved } from "./unresolved-store.ts";

/** What operators and the order's history read. */
const REASON = "Refunded at the payment provider, outside of the market.";

/**
 * What of a dashboard refund stands for refunds that failed here, whichever failure they have: an operator gave them there. They need
 * nothing more; a rest of one is still due.
 */
async function coverFailed(
  ctx: Context,
  tx: Tx,
  payment: MovedPayment,
  amountCents: number,
): Promise<{ parts: MovedPart[]; restCents: number }> {
  const { now } = ctx;
  const parts: MovedPart[] = [];
  let restCents = amountCents;
  for (const failed of await findUnresolvedOfPayment(tx, payment.id, amountCents)) {
    const { order_id: orderId, kind, bearer_id: bearerId, failure } = failed;
    const coveredCents = Math.min(restCents, failed.amount_cents);
    if (coveredCents === 0) break;
    await markResolved(tx, failed.id, now);
    const releasedCents = Math.min(failed.released_cents, coveredCents);
    parts.push({ orderId, kind, bearerId, releasedCents, amountCents: coveredCents });
    restCents -= coveredCents;
    if (coveredCents < failed.amount_cents)
      await insertUnreturned(tx, {
        paymentId: payment.id,
        orderId,
        kind,
        bearerId,
        releasedCents: failed.released_cents - releasedCents,
        amountCents: failed.amount_cents - coveredCents,
        failure,
        reason: REST_REASON,
        now,
      });
  }
  return { parts, restCents };
}

/**
 * A refund of the provider's dashboard: it stands for refunds that failed here, and beyond them it is goodwill of its orders, so that
 * nothing of it is given back again.
 */
async function recordForeign(ctx: Context, tx: Tx, payment: MovedPayment, refund: ProviderRefund): Promise<string> {
  const { now } = ctx;
  const { ref, amountCents, failure } = refund;
  const key = movedKey("refund", ref);
  const rows = await findMovedRefunds(tx, key);
  if (rows.length > 0) {
    if (failure === null) return "nothing to do";
    let isChanged = false;
    for (const { id } of rows) isChanged = (await failRefund(ctx, tx, id, failure)) || isChanged;
    return isChanged ? "refund failed" : "nothing to do";
  }
  // A charge that is not booked as captured yet is booked by the next look (`syncMovedMoney`).
  if (failure !== null || payment.state !== "captured") return "nothing to do";
  const { parts, restCents } = await coverFailed(ctx, tx, payment, amountCents);
  const orders = (await findOrdersOfPayment(tx, payment.id)).map(({ id, left_cents }) => ({
    id,
    leftCents: cents(left_cents),
  }));
  for (const part of allocateReturn(cents(restCents), orders))
    parts.push({ ...part, kind: STORED_GOODWILL, bearerId: null });
  await insertMovedRefunds(tx, { paymentId: payment.id, reason: REASON, key, firstIndex: 0, ref, now }, parts);
  for (const part of parts)
    await writeAuditEntry(tx, ctx, {
      action: "refund",
      subject: part.orderId === null ? `payment:${payment.id}` : `order:${part.orderId}`,
      reason: REASON,
      data: { ref, amountCents: part.amountCents },
    });
  await bookPurchase(
    tx,
    { kind: "refund", paymentId: payment.id, note: `refund ${ref}, made at the payment provider`, now },
    refundEntries(null, "card", { backCents: cents(amountCents), owedCents: zeroCents }),
  );
  await ctx.deps.failpoint("refund:recorded");
  return "refund recorded";
}

async function recordOne(ctx: Context, tx: Tx, payment: MovedPayment, refund: ProviderRefund): Promise<string> {
  const ours = refund.refundKey === null ? null : await findRefundOfPayment(tx, refund.refundKey, payment.id);
  // One that a restored backup does not know is like one of the dashboard.
  if (!ours || refund.refundKey === null) return recordForeign(ctx, tx, payment, refund);
  if (refund.failure !== null)
    return (await failRefund(ctx, tx, refund.refundKey, refund.failure)) ? "refund failed" : "nothing to do";
  await markDone(tx, refund.refundKey, refund.ref, ctx.now);
  return "nothing to do";
}

/**
 * Brings the refunds of a payment in line with the provider's: those made in its dashboard are booked, and those that failed
 * since are undone. Once, in any order of events. Returns the outcomes as text for the log of events.
 */
export async function recordRefunds(
  ctx: Context,
  paymentId: string,
  refunds: readonly ProviderRefund[],
): Promise<string> {
  return transaction(ctx.deps.db, async (tx) => {
    const payment = await lockMovedPayment(tx, paymentId);
    if (!payment) return "not ours";
    const outcomes = new Set<string>();
    for (const refund of refunds) outcomes.add(await recordOne(ctx, tx, payment, refund));
    if (outcomes.size > 1) outcomes.delete("nothing to do");
    return [...outcomes].join(", ") || "nothing to do";
  });
}
