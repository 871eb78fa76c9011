import type { Tx } from "@marketday/db";
import { refundEntries } from "@marketday/domain/ledger";
import { cents, zeroCents } from "@marketday/domain/money";

import type { RefundFailure } from "../../gateways/payments/payments.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { enqueueMail, hasWaitingRefundMail } from "../mail/mail-sql.ts";
import { REST_REASON, findSurplus, insertUnreturned } from "./moved-store.ts";
import { lockPaymentOfRefund } from "./refund-sql.ts";
import { markFailed } from "./refund-store.ts";
import { releaseBearer } from "./release-bearer.ts";
import { findUnresolvedRefund, markResolved, type UnresolvedRefund } from "./unresolved-store.ts";

/** The money moved outside of the market, so that all of the refund may not be due any more. */
const MAY_BE_COVERED: ReadonlySet<RefundFailure> = new Set(["charge_disputed", "charge_already_refunded"]);

/**
 * A refund to the card that failed, at once or days later: the market has its money again, and operators decide what becomes of
 * it (`refunds list`); it never becomes store credit automatically. What a bank or the provider's dashboard has given back
 * meanwhile is not due any more. The shopper gets an email, unless the one about the refund still waits for its result. Locks the
 * payment. False: it failed before.
 */
export async function failRefund(ctx: Context, tx: Tx, refundId: string, failure: RefundFailure): Promise<boolean> {
  const { now } = ctx;
  await lockPaymentOfRefund(tx, refundId);
  const failed = await markFailed(tx, refundId, failure, now);
  if (!failed) return false;
  const { payment_id: paymentId, order_id: orderId, amount_cents: amountCents, customer_id: customerId } = failed;
  await bookPurchase(
    tx,
    { kind: "refund", paymentId, note: `refund ${refundId} did not go back to the card: ${failure}`, now },
    refundEntries(null, "card", { backCents: cents(-amountCents), owedCents: zeroCents }),
  );
  if (MAY_BE_COVERED.has(failure)) await resolveCovered(tx, (await findUnresolvedRefund(tx, refundId))!, now);
  if (orderId !== null && customerId !== null && !(await hasWaitingRefundMail(tx, refundId, ctx.deps.clock.now())))
    await enqueueMail(tx, {
      key: `refund-failed:${refundId}`,
      template: "refund-failed",
      customerId,
      data: { orderId, refundIds: [refundId] },
      now,
    });
  return true;
}

/** Closes a failed refund whose money went back outside of the market; a rest that is still due is a separate failed refund. */
async function resolveCovered(tx: Tx, failed: UnresolvedRefund, now: Date): Promise<void> {
  const { payment_id: paymentId, order_id: orderId, amount_cents: amountCents, kind, failure } = failed;
  const surplus = await findSurplus(tx, paymentId);
  // The others that failed are due before this one.
  const leftCents = failed.is_goodwill ? failed.held_cents : surplus.cents - (surplus.listed_cents - amountCents);
  const dueCents = Math.min(amountCents, Math.max(0, leftCents));
  if (dueCents === amountCents) return;
  await markResolved(tx, failed.id, now);
  const releasedCents = await releaseBearer(tx, failed, dueCents, now);
  if (dueCents > 0)
    await insertUnreturned(tx, {
      paymentId,
      orderId,
      kind,
      bearerId: failed.bearer_id,
      releasedCents,
      amountCents: dueCents,
      failure,
      reason: REST_REASON,
      now,
    });
}
