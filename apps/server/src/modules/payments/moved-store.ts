import type { Client, Prisma, Tx } from "@marketday/db";

import { newUuid } from "../../lib/tokens.ts";
import { givenRefund, isGoodwillKind } from "./refund-store.ts";

const shownMoved = {
  id: true,
  state: true,
  captured_cents: true,
  provider_ref: true,
} satisfies Prisma.paymentSelect;
/** The payment of a charge whose money moved outside of the market. Cents. */
export type MovedPayment = Prisma.paymentGetPayload<{ select: typeof shownMoved }>;

/** The payment of a charge, by the provider's id; null: it is not this market's. */
export const findPaymentByRef = (db: Client, provider: string, ref: string): Promise<MovedPayment | null> =>
  db.payment.findUnique({ where: { provider_provider_ref: { provider, provider_ref: ref } }, select: shownMoved });

/** The payment that a refund of ours belongs to. */
export const findPaymentOfRefund = (db: Client, provider: string, refundId: string): Promise<MovedPayment | null> =>
  db.payment.findFirst({ where: { provider, refunds: { some: { id: refundId } } }, select: shownMoved });

/** The captured charges of the box of an order. */
export async function findChargesOfBox(db: Client, provider: string, orderId: number): Promise<MovedPayment[]> {
  const order = await db.order.findUnique({ where: { id: orderId }, select: { add_on_to_id: true } });
  if (!order) return [];
  const boxId = order.add_on_to_id ?? orderId;
  return db.payment.findMany({
    where: {
      provider,
      state: "captured",
      orders: { some: { OR: [{ id: boxId }, { add_on_to_id: boxId }] } },
    },
    select: shownMoved,
    orderBy: { id: "asc" },
  });
}

/** An order of a payment, and what of its charge was not given back yet. Cents. */
export interface OrderOfPayment {
  id: number;
  status: string;
  left_cents: number;
}

/** The orders of a payment, oldest first. */
export async function findOrdersOfPayment(tx: Tx, paymentId: string): Promise<OrderOfPayment[]> {
  const orders = await tx.order.findMany({
    where: { payment_id: paymentId },
    select: {
      id: true,
      status: true,
      order_total_cents: true,
      credit_cents: true,
      refunds: { where: givenRefund, select: { kind: true, amount_cents: true } },
    },
    orderBy: { id: "asc" },
  });
  return orders.map(({ id, status, order_total_cents: totalCents, credit_cents: creditCents, refunds }) => {
    // Of an order that was not canceled, what was short is not in its total any more.
    const given = refunds.filter(({ kind }) => status === "cancelled" || isGoodwillKind(kind));
    const givenCents = given.reduce((sum, { amount_cents: cents }) => sum + cents, 0);
    return { id, status, left_cents: Math.max(0, totalCents - creditCents - givenCents) };
  });
}

/** Keys of the refunds that stand for a dispute, or for a refund of the provider's dashboard. */
export const movedKey = (kind: "dispute" | "refund", ref: string): string => `${kind}:${ref}:`;

/** Goodwill as it is stored (`care` is its old name, see `storedKind`). */
export const STORED_GOODWILL = "care";

/** Of an `insertUnreturned` that is the rest of another. */
export const REST_REASON = "The rest of a refund, the other part of which went back outside of the market.";

/** Inserts an amount that is due to the shopper and did not go back, for operators (`refunds list`). */
export const insertUnreturned = (
  tx: Tx,
  due: {
    paymentId: string;
    orderId: number | null;
    kind: string;
    bearerId: number | null;
    amountCents: number;
    failure: string;
    reason: string;
    now: Date;
  },
) =>
  tx.refund.create({
    data: {
      id: newUuid(),
      payment_id: due.paymentId,
      order_id: due.orderId,
      kind: due.kind,
      destination: "card",
      amount_cents: due.amountCents,
      reason: due.reason,
      bearer_id: due.bearerId,
      state: "failed",
      failure: due.failure,
      created_at: due.now,
      done_at: due.now,
    },
    select: { id: true },
  });
