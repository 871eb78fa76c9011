import type { SqlTx } from "@marketday/db";
import { creditEntries, type RefundDestination, refundEntries, splitReturn } from "@marketday/domain/ledger";
import { addCents, type Cents, cents, subtractCents, zeroCents } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import { asCustomerId } from "../../lib/context.ts";
import { newUuid } from "../../lib/tokens.ts";
import { bookPurchase } from "../payments/store.ts";
import { returnCredit } from "./edit-store.ts";
import { insertBookings } from "./placing-store.ts";
import { type OrderForSupport, insertRefund, type NewRefund } from "./support-store.ts";

/** How a market gives money back. */
export interface RefundInput {
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
export const isCaptured = (order: OrderForSupport): boolean => order.payment_state === "captured";

/** What was paid for an order so far, cents: its total once the charge was captured, before that the store credit it used. */
export const paidCents = (order: OrderForSupport): Cents =>
  cents(isCaptured(order) ? order.order_total_cents : order.credit_cents);

/**
 * Gives back what lowering an order owes the shopper, in the transaction that lowered it: store credit that was used comes
 * back as store credit, the rest as `to` says. Goodwill that was given before counts: never more is given back than was paid
 * (`splitReturn`). Returns the id of the refund to a card, which is still to be requested (`finishRefund`), or null.
 * `backCents`: given as `to` says; `creditCents`: given as store credit altogether.
 */
export async function refundPaid(
  ctx: Context,
  tx: SqlTx,
  order: OrderForSupport,
  after: { orderTotalCents: number; creditCents: number },
  refund: Pick<NewRefund, "kind"> & RefundInput,
): Promise<{ refundId: string | null; backCents: number; creditCents: number }> {
  const { now } = ctx;
  const customerId = order.customer_id;
  if (customerId === null) throw new AppError(409, "This order belongs to nobody any more.", { code: "no_customer" });
  const creditLoweredCents = cents(order.credit_cents - after.creditCents);
  const dueBefore = subtractCents(cents(order.order_total_cents), cents(order.credit_cents));
  const dueAfter = subtractCents(cents(after.orderTotalCents), cents(after.creditCents));
  const split = splitReturn({
    paidCents: paidCents(order),
    goodwillCents: cents(order.goodwill_cents),
    creditLoweredCents,
    chargeLoweredCents: isCaptured(order) ? subtractCents(dueBefore, dueAfter) : zeroCents,
    cardLeftCents: refund.to === "card" ? cents(order.left_cents) : null,
  });
  if (split.creditCents > 0)
    await insertBookings(
      tx,
      [{ kind: "credit", orderId: order.id, entries: creditEntries(customerId, cents(-split.creditCents)) }],
      now,
    );
  const booking = { kind: "refund", paymentId: order.payment_id, note: `order ${order.id}: ${refund.kind}`, now };
  const give = async (to: RefundDestination, backCents: Cents, owedCents: Cents, key: string | null) => {
    if (owedCents > 0) await bookPurchase(tx, booking, refundEntries(customerId, to, { backCents, owedCents }));
    if (backCents === 0) return null;
    const id = newUuid();
    await insertRefund(tx, {
      id,
      paymentId: order.payment_id,
      orderId: order.id,
      kind: refund.kind,
      destination: to,
      amountCents: backCents,
      reason: refund.reason,
      key,
      now,
    });
    return id;
  };
  const owed = addCents(split.chargeCents, split.goodwillCents);
  const refundId = await give(refund.to, split.chargeCents, owed, refund.key);
  await give("credit", split.insteadCents, split.insteadCents, refundId === null ? refund.key : null);
  const creditCents = addCents(
    split.creditCents,
    split.insteadCents,
    refund.to === "credit" ? split.chargeCents : zeroCents,
  );
  if (creditCents > 0) await returnCredit(tx, asCustomerId(customerId), creditCents);
  return { refundId, backCents: split.chargeCents, creditCents };
}
