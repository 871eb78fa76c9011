import type { Client, Prisma, Tx } from "@marketday/db";
import type { RefundDestination } from "@marketday/domain/ledger";

import { givenRefund, insertRefund, isGoodwillKind, type NewRefund } from "./refund-store.ts";

const shownUnresolved = {
  id: true,
  payment_id: true,
  order_id: true,
  kind: true,
  bearer_id: true,
  amount_cents: true,
  released_cents: true,
  failure: true,
  reason: true,
  done_at: true,
  payment: {
    select: {
      customer_id: true,
      captured_cents: true,
      customer: { select: { deleted_at: true } },
      orders: { where: { status: { not: "cancelled" } }, select: { id: true, credit_cents: true } },
      refunds: { where: givenRefund, select: { amount_cents: true, destination: true, order_id: true } },
    },
  },
} satisfies Prisma.refundSelect;

/** A refund that did not go back to the card, and whose money the market still has. Cents. */
export interface UnresolvedRefund {
  id: string;
  payment_id: string;
  order_id: number | null;
  kind: string;
  is_goodwill: boolean;
  bearer_id: number | null;
  amount_cents: number;
  /** What of it the bearer does not bear. */
  released_cents: number;
  failure: string;
  reason: string;
  failed_at: Date;
  customer_id: number | null;
  has_account: boolean;
  /** What the market has of the captured amount, less what it gave as store credit beyond the store credit that paid for the order. */
  held_cents: number;
}

/** Refunds that failed and whose money is still due: operators give it otherwise, or close it. */
const unresolved = {
  state: "failed",
  failure: { not: null },
  resolved_at: null,
  payment_id: { not: null },
} satisfies Prisma.refundWhereInput;

type PaymentOfRefund = NonNullable<Prisma.refundGetPayload<{ select: typeof shownUnresolved }>["payment"]>;

/** What the market has of a captured payment, in cents; see `held_cents`. */
function heldCents({ captured_cents: capturedCents, refunds, orders }: PaymentOfRefund): number {
  let held = capturedCents;
  /** Store credit that was given for an order, less what was paid for it. */
  const excess = new Map<number | null, number>(orders.map(({ id, credit_cents: paid }) => [id, -paid]));
  for (const { amount_cents: cents, destination, order_id: orderId } of refunds)
    if (destination === "card") held -= cents;
    else excess.set(orderId, (excess.get(orderId) ?? 0) + cents);
  for (const cents of excess.values()) held -= Math.max(0, cents);
  return held;
}

const toUnresolved = (row: Prisma.refundGetPayload<{ select: typeof shownUnresolved }>): UnresolvedRefund => {
  const payment = row.payment!;
  return {
    id: row.id,
    payment_id: row.payment_id!,
    order_id: row.order_id,
    kind: row.kind,
    is_goodwill: isGoodwillKind(row.kind),
    bearer_id: row.bearer_id,
    amount_cents: row.amount_cents,
    released_cents: row.released_cents,
    failure: row.failure!,
    reason: row.reason,
    failed_at: row.done_at!,
    customer_id: payment.customer_id,
    has_account: payment.customer !== null && payment.customer.deleted_at === null,
    held_cents: heldCents(payment),
  };
};

const findUnresolved = async (db: Client, which: Prisma.refundWhereInput): Promise<UnresolvedRefund[]> =>
  (
    await db.refund.findMany({
      where: { ...unresolved, ...which },
      select: shownUnresolved,
      orderBy: [{ done_at: "asc" }, { id: "asc" }],
    })
  ).map(toUnresolved);

/** Refunds that did not go back and wait for an operator, oldest first. */
export const findUnresolvedRefunds = (db: Client): Promise<UnresolvedRefund[]> => findUnresolved(db, {});

/** Those of one payment that wait for an operator: first those of exactly `amountCents`, if given, then the oldest. */
export async function findUnresolvedOfPayment(
  tx: Tx,
  paymentId: string,
  amountCents: number | null = null,
): Promise<UnresolvedRefund[]> {
  const rows = await findUnresolved(tx, { payment_id: paymentId });
  const isExact = ({ amount_cents: cents }: UnresolvedRefund) => cents === amountCents;
  return [...rows.filter(isExact), ...rows.filter((row) => !isExact(row))];
}

/** A refund that waits for an operator; null: this one does not. */
export const findUnresolvedRefund = async (tx: Tx, refundId: string): Promise<UnresolvedRefund | null> =>
  (await findUnresolved(tx, { id: refundId }))[0] ?? null;

export const markResolved = (tx: Tx, refundId: string, now: Date) =>
  tx.refund.updateMany({ where: { id: refundId }, data: { resolved_at: now } });

/** An operator closes it: nothing of it is due any more. */
export const markClosed = (tx: Tx, refundId: string, now: Date) =>
  tx.refund.updateMany({ where: { id: refundId }, data: { resolved_at: now, closed_at: now } });

/** Inserts refund `id` in place of one that failed, to the card or into the customer's store credit. */
export async function insertResent(
  tx: Tx,
  failed: UnresolvedRefund,
  resent: { id: string; to: RefundDestination; now: Date },
): Promise<void> {
  await insertRefund(tx, {
    id: resent.id,
    paymentId: failed.payment_id,
    orderId: failed.order_id,
    kind: failed.kind as NewRefund["kind"],
    destination: resent.to,
    amountCents: failed.amount_cents,
    reason: failed.reason,
    key: `resend:${failed.id}`,
    bearerId: failed.bearer_id,
    releasedCents: failed.released_cents,
    now: resent.now,
  });
  if (resent.to === "credit" && failed.customer_id !== null)
    await tx.customer.updateMany({
      where: { id: failed.customer_id },
      data: { credit_cents: { increment: failed.amount_cents } },
    });
}
