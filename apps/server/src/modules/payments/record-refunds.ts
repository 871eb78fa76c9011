import { transaction, type Tx } from "@marketday/db";
import { allocateReturn, refundEntries } from "@marketday/domain/ledger";
import { cents, zeroCents } from "@marketday/domain/money";

import type { ProviderRefund } from "../../gateways/payments/payments.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-store.ts";
import { failRefund } from "./fail-refund.ts";
import {
  findMovedRefunds,
  findOrdersOfPayment,
  insertMovedRefund,
  lockMovedPayment,
  movedKey,
  type MovedPayment,
} from "./moved-store.ts";
import { findRefundOfPayment, markDone } from "./refund-store.ts";

/** What operators and the order's history read. */
const REASON = "Refunded at the payment provider, outside of the market.";

/** A refund of the provider's dashboard: goodwill of its orders, so that nothing of it is given back again. */
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
  const orders = (await findOrdersOfPayment(tx, payment.id)).map(({ id, left_cents }) => ({
    id,
    leftCents: cents(left_cents),
  }));
  const parts = allocateReturn(cents(amountCents), orders);
  for (const [index, part] of parts.entries()) {
    await insertMovedRefund(tx, { paymentId: payment.id, ...part, reason: REASON, key: `${key}${index}`, ref, now });
    await writeAuditEntry(tx, ctx, {
      action: "refund",
      subject: part.orderId === null ? `payment:${payment.id}` : `order:${part.orderId}`,
      reason: REASON,
      data: { ref, amountCents: part.amountCents },
    });
  }
  await bookPurchase(
    tx,
    { kind: "refund", paymentId: payment.id, note: `refund ${ref}, made at the payment provider`, now },
    refundEntries(null, "card", { backCents: cents(amountCents), owedCents: zeroCents }),
  );
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
