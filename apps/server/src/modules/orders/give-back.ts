import type { SqlTx } from "@marketday/db";
import { creditEntries, type RefundDestination, refundEntries } from "@marketday/domain/ledger";
import { addCents, cents, minCents, subtractCents, zeroCents } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { asCustomerId } from "../../lib/context.ts";
import { newUuid } from "../../lib/tokens.ts";
import { bookPurchase } from "../payments/store.ts";
import { type CareOrder, insertRefund, type NewRefund } from "./care-store.ts";
import { returnCredit } from "./edit-store.ts";
import { insertBookings } from "./placing-store.ts";

/** How a market gives money back. */
export interface BackInput {
  to: RefundDestination;
  /** Said to the shopper in the mail, and kept. */
  reason: string;
  /** The same key acts once; null: each call is one of its own. */
  key: string | null;
  /** Only say what would be given. */
  dryRun?: boolean;
}

/** 409: the market bore this order's loss; what its books say stays. */
export const writtenOff = () =>
  new AppError(409, "This order was written off. Note that it was paid first: market orders paid.", {
    code: "written_off",
  });

/** Whether the order's money was taken by a provider, so that lowering it owes the shopper something. */
export const isCaptured = (order: CareOrder): boolean => order.payment_state === "captured";

/**
 * Gives back what lowering an order owes the shopper, in the transaction that lowered it: store credit that was used comes
 * back as store credit, the rest as `to` says. What was given before as a kindness counts. Returns the refund's id, or null
 * when no money moves; a card's refund is still to be asked for (`finishRefund`).
 */
export async function giveBack(
  ctx: Context,
  tx: SqlTx,
  order: CareOrder,
  after: { orderTotalCents: number; creditCents: number },
  refund: Pick<NewRefund, "kind"> & BackInput,
): Promise<{ refundId: string | null; backCents: number; creditCents: number }> {
  const { now } = ctx;
  const customerId = order.customer_id;
  if (customerId === null) throw new AppError(409, "This order belongs to nobody any more.", { code: "no_customer" });
  const creditBack = subtractCents(cents(order.credit_cents), cents(after.creditCents));
  const dueBefore = subtractCents(cents(order.order_total_cents), cents(order.credit_cents));
  const dueAfter = subtractCents(cents(after.orderTotalCents), cents(after.creditCents));
  const owed = isCaptured(order) ? subtractCents(dueBefore, dueAfter) : zeroCents;
  const kept = cents(Math.max(0, dueBefore - order.care_cents));
  const back = minCents(owed, kept);
  if (creditBack > 0) {
    await insertBookings(
      tx,
      [{ kind: "credit", orderId: order.id, entries: creditEntries(customerId, cents(-creditBack)) }],
      now,
    );
    await returnCredit(tx, asCustomerId(customerId), creditBack);
  }
  if (owed > 0)
    await bookPurchase(
      tx,
      { kind: "refund", paymentId: order.payment_id, note: `order ${order.id}: ${refund.kind}`, now },
      refundEntries(customerId, refund.to, { backCents: back, owedCents: owed }),
    );
  if (back === 0) return { refundId: null, backCents: 0, creditCents: creditBack };
  const refundId = newUuid();
  await insertRefund(tx, {
    id: refundId,
    paymentId: order.payment_id,
    orderId: order.id,
    kind: refund.kind,
    destination: refund.to,
    amountCents: back,
    reason: refund.reason,
    key: refund.key,
    now,
  });
  if (refund.to === "credit") await returnCredit(tx, asCustomerId(customerId), back);
  return { refundId, backCents: back, creditCents: addCents(creditBack, refund.to === "credit" ? back : zeroCents) };
}
