import type { Client, Prisma, Tx } from "@marketday/db";

import { escapeLike } from "../../lib/escape-like.ts";
import { newUuid } from "../../lib/tokens.ts";
import { givenRefund, isGivenRefund, isGoodwillKind } from "./refund-store.ts";

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

/** The refunds with a `movedKey`, in any state. */
export const findMovedRefunds = (db: Client, key: string) =>
  db.refund.findMany({
    where: { key: { startsWith: escapeLike(key) } },
    select: { id: true, key: true, amount_cents: true, state: true },
    orderBy: { key: "asc" },
  });

const shownBalance = {
  state: true,
  purpose: true,
  captured_cents: true,
  orders: { where: { status: { not: "cancelled" } }, select: { order_total_cents: true, credit_cents: true } },
  refunds: {
    select: {
      kind: true,
      key: true,
      amount_cents: true,
      state: true,
      failure: true,
      resolved_at: true,
      closed_at: true,
      order: { select: { status: true } },
    },
  },
} satisfies Prisma.paymentSelect;
type RefundOfBalance = Prisma.paymentGetPayload<{ select: typeof shownBalance }>["refunds"][number];

/** Whether a refund is goodwill that the market itself gave for an order that is not canceled. */
const isOwnGoodwill = ({ kind, key, order }: RefundOfBalance): boolean =>
  isGoodwillKind(kind) && !/^(dispute|refund):/.test(key ?? "") && order !== null && order.status !== "cancelled";

/**
 * What the market has of a captured payment beyond what its live orders cost, above zero: it belongs to the shopper. What operators
 * closed as given by hand is not due. Goodwill that the market gave for a live order is not taken off: it comes out of what that order
 * paid. `listed_cents`: the part that failed refunds other than goodwill name already. Cents.
 */
export async function findSurplus(tx: Tx, paymentId: string): Promise<{ cents: number; listed_cents: number }> {
  const { orders, refunds, ...payment } = await tx.payment.findUniqueOrThrow({
    where: { id: paymentId },
    select: shownBalance,
  });
  const sumOf = (which: (refund: RefundOfBalance) => boolean): number =>
    refunds.filter(which).reduce((sum, { amount_cents: cents }) => sum + cents, 0);
  const takenCents = payment.state === "captured" && payment.purpose === null ? payment.captured_cents : 0;
  const costCents = orders.reduce((sum, order) => sum + order.order_total_cents - order.credit_cents, 0);
  const givenCents = sumOf((refund) => isGivenRefund(refund) && !isOwnGoodwill(refund));
  const closedCents = sumOf(
    ({ state, closed_at: closedAt, kind }) => state === "failed" && closedAt !== null && !isGoodwillKind(kind),
  );
  return {
    cents: Math.max(0, takenCents - costCents - givenCents - closedCents),
    listed_cents: sumOf(
      (refund) => !isGivenRefund(refund) && refund.resolved_at === null && !isGoodwillKind(refund.kind),
    ),
  };
}

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
    /** What of it the bearer does not bear. Default: nothing. */
    releasedCents?: number;
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
      released_cents: due.releasedCents ?? 0,
      state: "failed",
      failure: due.failure,
      created_at: due.now,
      done_at: due.now,
    },
    select: { id: true },
  });

/** A part of what went back outside of the market. */
export interface MovedPart {
  orderId: number | null;
  /** As stored: `STORED_GOODWILL`, or the kind of the failed refund that it stands for. */
  kind: string;
  /** The vendor who bears goodwill; null: the market. */
  bearerId: number | null;
  /** What of it the bearer does not bear. Default: nothing. */
  releasedCents?: number;
  amountCents: number;
}

/** Inserts money that went back outside of the market. `firstIndex`: of the parts' keys. `ref`: the provider's id of the refund or dispute. */
export async function insertMovedRefunds(
  tx: Tx,
  moved: { paymentId: string; reason: string; key: string; firstIndex: number; ref: string; now: Date },
  parts: readonly MovedPart[],
): Promise<void> {
  if (parts.length === 0) return;
  await tx.refund.createMany({
    data: parts.map((part, index) => ({
      id: newUuid(),
      payment_id: moved.paymentId,
      order_id: part.orderId,
      kind: part.kind,
      destination: "card",
      amount_cents: part.amountCents,
      reason: moved.reason,
      key: `${moved.key}${moved.firstIndex + index}`,
      provider_ref: moved.ref,
      bearer_id: part.bearerId,
      released_cents: part.releasedCents ?? 0,
      state: "done",
      created_at: moved.now,
      done_at: moved.now,
    })),
  });
  const increment = parts.reduce((sum, { amountCents }) => sum + amountCents, 0);
  await tx.payment.updateMany({ where: { id: moved.paymentId }, data: { refunded_cents: { increment } } });
}

/** A bank gives back what it took: these refunds of a payment, which is locked, are undone, and nothing more is due for them. */
export async function undoDisputeRefunds(
  tx: Tx,
  paymentId: string,
  refundIds: readonly string[],
  now: Date,
): Promise<void> {
  const undone = await tx.refund.updateManyAndReturn({
    where: { id: { in: [...refundIds] }, state: { not: "failed" } },
    data: { state: "failed", failure: "dispute_ended", done_at: now, resolved_at: now },
    select: { amount_cents: true },
  });
  const decrement = undone.reduce((sum, { amount_cents: cents }) => sum + cents, 0);
  await tx.payment.updateMany({ where: { id: paymentId }, data: { refunded_cents: { decrement } } });
}
