import type { Tx } from "@marketday/db";
import { refundEntries, type RefundDestination } from "@marketday/domain/ledger";
import { cents, zeroCents } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { newUuid } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { bookPurchase } from "../ledger/booking-sql.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { refundMailTime, type SettledRefund, settleRefunds } from "./finish-refund.ts";
import { findSurplus } from "./moved-store.ts";
import { lockPaymentOfRefund } from "./refund-sql.ts";
import { releaseBearer } from "./release-bearer.ts";
import {
  findUnresolvedRefund,
  insertResent,
  markClosed,
  markResolved,
  type UnresolvedRefund,
} from "./unresolved-store.ts";

async function lockUnresolved(tx: Tx, refundId: string): Promise<UnresolvedRefund> {
  const refund = (await lockPaymentOfRefund(tx, refundId)) ? await findUnresolvedRefund(tx, refundId) : null;
  if (refund) return refund;
  throw new AppError(
    409,
    `No refund ${refundId} waits. It was settled before, or the number is wrong; \`./market refunds list\` lists those that wait. Nothing was done.`,
    { code: "not_waiting" },
  );
}

const subjectOf = ({ order_id: orderId, payment_id: paymentId }: UnresolvedRefund): string =>
  orderId === null ? `payment:${paymentId}` : `order:${orderId}`;

/**
 * Gives a refund that failed once more: to the card, or as store credit (docs/product.md §7). Once: two operators at the same time
 * give it once. Sends an email.
 * @returns the new refund
 * @throws AppError 409 `not_waiting`; `returned` when a bank or the provider's dashboard has given the money back; `no_customer` for
 * store credit of a deleted account
 */
export async function resendRefund(
  ctx: Context,
  refundId: string,
  { to, reason, dryRun }: { to: RefundDestination; reason: string; dryRun: boolean },
): Promise<SettledRefund> {
  const { deps, now } = ctx;
  const id = newUuid();
  const given = await withClientDryRun(deps.db, dryRun, async (tx) => {
    const failed = await lockUnresolved(tx, refundId);
    const { amount_cents: amountCents, order_id: orderId, customer_id: customerId, payment_id: paymentId } = failed;
    const { cents: surplusCents } = await findSurplus(tx, paymentId);
    // What live orders paid is not due; goodwill is given out of it.
    const dueCents = failed.is_goodwill ? failed.held_cents : Math.min(failed.held_cents, surplusCents);
    if (dueCents < amountCents)
      throw new AppError(
        409,
        "The shopper's bank or the payment provider's dashboard has given this money back. If nothing more is due: market refunds close.",
        { code: "returned" },
      );
    if (to === "credit" && !failed.has_account)
      throw new AppError(409, "The account of this shopper was deleted. Refund it to the card, or close it.", {
        code: "no_customer",
      });
    await markResolved(tx, refundId, now);
    await insertResent(tx, failed, { id, to, now });
    await bookPurchase(
      tx,
      { kind: "refund", paymentId, note: `refund ${refundId} given again: ${reason}`, now },
      refundEntries(customerId, to, { backCents: cents(amountCents), owedCents: zeroCents }),
    );
    await writeAuditEntry(tx, ctx, {
      action: "refunds send",
      subject: subjectOf(failed),
      reason,
      data: { refundId, to, amountCents },
    });
    if (orderId !== null && customerId !== null)
      await enqueueMail(tx, {
        key: `refund-sent:${id}`,
        template: to === "credit" ? "refund-as-credit" : "order-refunded",
        customerId,
        data: { orderId, amountCents, to, refundIds: to === "card" ? [id] : [] },
        now,
        ...(to === "card" && { notBefore: refundMailTime(now) }),
      });
    return { id, amountCents, state: to === "credit" ? ("done" as const) : ("planned" as const), failure: null };
  });
  const refund: SettledRefund = given;
  if (!dryRun && to === "card") await settleRefunds(ctx, [refund]);
  return refund;
}

/** Closes a refund that failed: it was given in another way, or nothing is due. No money moves; a vendor who was to bear it does not. Returns its cents. @throws AppError 409 `not_waiting` */
export const closeRefund = (ctx: Context, refundId: string, reason: string, dryRun: boolean): Promise<number> =>
  withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    const failed = await lockUnresolved(tx, refundId);
    await markClosed(tx, refundId, ctx.now);
    const { amount_cents: amountCents } = failed;
    await releaseBearer(tx, failed, 0, ctx.now);
    await writeAuditEntry(tx, ctx, {
      action: "refunds close",
      subject: subjectOf(failed),
      reason,
      data: { refundId, amountCents },
    });
    return amountCents;
  });
