import type { Tx } from "@marketday/db";
import {
  creditEntries,
  type LedgerEntry,
  type RefundDestination,
  refundEntries,
  splitReturn,
} from "@marketday/domain/ledger";
import { addCents, type Cents, cents, subtractCents, zeroCents } from "@marketday/domain/money";

import { AppError } from "../../lib/app-error.ts";
import { newUuid } from "../../lib/tokens.ts";
import type { Context } from "../identity/context.ts";
import { asCustomerId } from "../identity/context.ts";
import { bookPurchase, insertBookings } from "../ledger/booking-sql.ts";
import type { SettledRefund } from "../payments/finish-refund.ts";
import { insertRefund, type NewRefund } from "../payments/refund-store.ts";
import { releaseBearers } from "../payments/release-bearer.ts";
import { returnCredit } from "./return-credit.ts";
import { type OrderForSupport } from "./support-sql.ts";

/** The options of a refund. */
export interface RefundInput {
  to: RefundDestination;
  /** Shown to the shopper in the email, and stored. */
  reason: string;
  /** Idempotency key; null: each call is a separate refund. */
  key: string | null;
  /** Return the amounts without refunding. */
  dryRun?: boolean;
}

/** Where the money of lowered orders goes. Cents. */
export interface MoneyBack {
  /** Refunded to the destination. */
  backCents: number;
  /** The total into store credit. */
  creditCents: number;
  /** Less to collect at the door. */
  uncollectedCents: number;
  /** Less to charge to the card. */
  unchargedCents: number;
  /** Not refunded: the shopper's bank took it back in a dispute. */
  bankCents: number;
  /** Not refunded: it was given back before, as goodwill or in the payment provider's dashboard. */
  earlierCents: number;
  /** The refunds to the card; `settleRefunds` writes what became of them. */
  refunds: SettledRefund[];
}

/** The sum of several orders' money. */
export const sumMoney = (parts: readonly MoneyBack[]): MoneyBack => ({
  backCents: parts.reduce((sum, { backCents }) => sum + backCents, 0),
  creditCents: parts.reduce((sum, { creditCents }) => sum + creditCents, 0),
  uncollectedCents: parts.reduce((sum, { uncollectedCents }) => sum + uncollectedCents, 0),
  unchargedCents: parts.reduce((sum, { unchargedCents }) => sum + unchargedCents, 0),
  bankCents: parts.reduce((sum, { bankCents }) => sum + bankCents, 0),
  earlierCents: parts.reduce((sum, { earlierCents }) => sum + earlierCents, 0),
  refunds: parts.flatMap(({ refunds }) => refunds),
});

/** 409: the order was written off, so its bookings no longer change. */
export const writtenOff = () =>
  new AppError(409, "This order was written off. First record its payment with: market orders paid.", {
    code: "written_off",
  });

/** Whether the order's payment was captured, so that lowering the order requires a refund. */
export const isCaptured = (order: OrderForSupport): boolean => order.payment_state === "captured";

/** The amount paid for an order, cents: its total once the charge is captured; before that, the store credit it used. */
export const paidCents = (order: OrderForSupport): Cents =>
  cents(isCaptured(order) ? order.order_total_cents : order.credit_cents);

/**
 * Where the difference goes after an order was lowered: its parts, what of it each place gets (`splitReturn`), and how much of earlier
 * goodwill no vendor bears any more. Nothing is written.
 */
export function quoteReturn(
  order: OrderForSupport,
  after: { orderTotalCents: number; creditCents: number },
  to: RefundDestination,
) {
  const dueBefore = subtractCents(cents(order.order_total_cents), cents(order.credit_cents));
  const dueAfter = subtractCents(cents(after.orderTotalCents), cents(after.creditCents));
  const dueLowered = subtractCents(dueBefore, dueAfter);
  const lowered = {
    paidCents: paidCents(order),
    goodwillCents: cents(order.goodwill_cents),
    creditLoweredCents: cents(order.credit_cents - after.creditCents),
    chargeLoweredCents: isCaptured(order) ? dueLowered : zeroCents,
    cardLeftCents: to === "card" ? cents(order.left_cents) : null,
  };
  const split = splitReturn(lowered);
  // What a bank has may come back, so it returns nothing to those who bear goodwill.
  const withoutBank = splitReturn({ ...lowered, goodwillCents: cents(order.goodwill_cents - order.bank_cents) });
  const creditCents = addCents(split.creditCents, split.insteadCents, to === "credit" ? split.chargeCents : zeroCents);
  const unpaidCents = isCaptured(order) ? zeroCents : dueLowered;
  const isOffline = order.provider === "offline";
  const bankCents = Math.min(order.bank_cents, split.goodwillCents);
  const money = {
    bankCents,
    earlierCents: split.goodwillCents - bankCents,
    backCents: split.chargeCents,
    creditCents,
    uncollectedCents: isOffline ? unpaidCents : zeroCents,
    unchargedCents: isOffline ? zeroCents : unpaidCents,
  };
  return { split, money, releasedCents: withoutBank.goodwillCents };
}

/**
 * Refunds the difference after an order was lowered, in the same transaction: used store credit returns as store credit, the
 * rest goes to `to`. Earlier goodwill is deducted, so that refunds never exceed what was paid (`splitReturn`), and vendors who bear it
 * have it back.
 * @returns where the money goes, and what those vendors have back; refunds to the card must still be requested (`settleRefunds`)
 */
export async function refundPaid(
  ctx: Context,
  tx: Tx,
  order: OrderForSupport,
  after: { orderTotalCents: number; creditCents: number },
  refund: Pick<NewRefund, "kind"> & RefundInput,
): Promise<MoneyBack & { releasedEntries: LedgerEntry[] }> {
  const { now } = ctx;
  const customerId = order.customer_id;
  const { split, money, releasedCents } = quoteReturn(order, after, refund.to);
  if (split.creditCents > 0)
    await insertBookings(
      tx,
      [{ kind: "credit", orderId: order.id, entries: creditEntries(customerId, cents(-split.creditCents)) }],
      now,
    );
  const booking = { kind: "refund", paymentId: order.payment_id, note: `order ${order.id}: ${refund.kind}`, now };
  const insert = async (to: RefundDestination, backCents: Cents, owedCents: Cents, key: string | null) => {
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
      bearerId: null,
      now,
    });
    return id;
  };
  const owed = addCents(split.chargeCents, split.goodwillCents);
  const refundId = await insert(refund.to, split.chargeCents, owed, refund.key);
  await insert("credit", split.insteadCents, split.insteadCents, refundId === null ? refund.key : null);
  const released = refund.kind === "cancel" ? "all" : releasedCents;
  const releasedEntries = order.borne.length === 0 ? [] : await releaseBearers(tx, order.id, released, now);
  if (money.creditCents > 0 && customerId !== null) await returnCredit(tx, asCustomerId(customerId), money.creditCents);
  return {
    ...money,
    releasedEntries,
    refunds:
      refundId !== null && refund.to === "card"
        ? [{ id: refundId, amountCents: split.chargeCents, state: "planned", failure: null }]
        : [],
  };
}
