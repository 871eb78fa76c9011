import type { Client, Prisma, Tx } from "@marketday/db";
import type { RefundDestination } from "@marketday/domain/ledger";

import type { RefundFailure } from "../../gateways/payments/payments.ts";

export interface NewRefund {
  id: string;
  paymentId: string | null;
  orderId: number | null;
  kind: "goodwill" | "short" | "cancel" | "orphaned_charge";
  destination: RefundDestination;
  amountCents: number;
  reason: string;
  key: string | null;
  /** The vendor who bears goodwill; null: the market. */
  bearerId: number | null;
  /** What of it the bearer does not bear. Default: nothing. */
  releasedCents?: number;
  now: Date;
}

/** Refunds that have gone back, or will. One that failed without a reason became store credit in an older version. */
export const givenRefund = {
  OR: [{ state: { not: "failed" } }, { failure: null }],
} satisfies Prisma.refundWhereInput;

/** The same of a refund that was read. */
export const isGivenRefund = ({ state, failure }: { state: string; failure: string | null }): boolean =>
  state !== "failed" || failure === null;

/** Whether a refund of this kind is goodwill. Its old name is `care`. */
export const isGoodwillKind = (kind: string): boolean => kind === "goodwill" || kind === "care";

/**
 * Servers of the version before know goodwill only as `care`: this release writes that and reads both. The next one writes
 * `goodwill` (docs/decisions/0001).
 */
const storedKind = ({ kind }: Pick<NewRefund, "kind">): string => (kind === "goodwill" ? "care" : kind);

/** Inserts a refund. One to a card is `created` until the provider confirms it. */
export async function insertRefund(tx: Tx, refund: NewRefund): Promise<void> {
  const isDone = refund.destination === "credit";
  await tx.refund.create({
    data: {
      id: refund.id,
      payment_id: refund.paymentId,
      order_id: refund.orderId,
      kind: storedKind(refund),
      destination: refund.destination,
      amount_cents: refund.amountCents,
      reason: refund.reason,
      key: refund.key,
      bearer_id: refund.bearerId,
      released_cents: refund.releasedCents ?? 0,
      state: isDone ? "done" : "created",
      created_at: refund.now,
      done_at: isDone ? refund.now : null,
    },
    select: { id: true },
  });
  if (refund.destination === "card" && refund.paymentId !== null)
    await tx.payment.updateMany({
      where: { id: refund.paymentId },
      data: { refunded_cents: { increment: refund.amountCents } },
    });
}

/** The bearer of a refund has this much more of it back. */
export const addReleased = (tx: Tx, id: string, amountCents: number) =>
  tx.refund.updateMany({ where: { id }, data: { released_cents: { increment: amountCents } } });

/** What a vendor bears of the goodwill of an order, in cents: also what failed and is still due, not what it has back. */
export async function findBorneCents(tx: Tx, orderId: number, vendorId: number): Promise<number> {
  const { _sum: sum } = await tx.refund.aggregate({
    where: { order_id: orderId, bearer_id: vendorId, resolved_at: null },
    _sum: { amount_cents: true, released_cents: true },
  });
  return (sum.amount_cents ?? 0) - (sum.released_cents ?? 0);
}

const shownRefund = {
  id: true,
  order_id: true,
  amount_cents: true,
  destination: true,
  state: true,
  failure: true,
} satisfies Prisma.refundSelect;
export interface RefundRow extends Prisma.refundGetPayload<{ select: typeof shownRefund }> {
  destination: RefundDestination;
  state: "created" | "done" | "failed";
}

export const findRefundByKey = (db: Client, key: string): Promise<RefundRow | null> =>
  db.refund.findUnique({ where: { key }, select: shownRefund }) as Promise<RefundRow | null>;

export const findRefund = (db: Client, id: string): Promise<RefundRow | null> =>
  db.refund.findUnique({ where: { id }, select: shownRefund }) as Promise<RefundRow | null>;

const shownOpenRefund = {
  id: true,
  amount_cents: true,
  refused_at: true,
  payment: { select: { id: true, customer_id: true, provider: true, provider_ref: true, charge_key: true } },
} satisfies Prisma.refundSelect;
type StoredOpenRefund = Prisma.refundGetPayload<{ select: typeof shownOpenRefund }>;
/** A refund to the card that the provider has not accepted yet. */
export type OpenRefund = StoredOpenRefund & { payment: NonNullable<StoredOpenRefund["payment"]> };

/** Those of these refunds to the card that the provider has not accepted yet, oldest first. */
export const findOpenRefunds = (db: Client, ids: readonly string[]): Promise<OpenRefund[]> =>
  db.refund.findMany({
    where: { id: { in: [...ids] }, state: "created", destination: "card", payment_id: { not: null } },
    select: shownOpenRefund,
    orderBy: { created_at: "asc" },
  }) as Promise<OpenRefund[]>;

/** The provider has accepted a refund. */
export const markDone = (db: Client, id: string, ref: string, now: Date) =>
  db.refund.updateMany({
    where: { id, state: "created" },
    data: { state: "done", failure: null, provider_ref: ref, done_at: now },
  });

/** The provider refuses a refund for now: it is requested again later, as a new request. */
export const postponeRefund = (db: Client, id: string, failure: RefundFailure, now: Date) =>
  db.refund.updateMany({ where: { id, state: "created" }, data: { failure, refused_at: now } });

/** Marks a refund to the card failed, and takes it off what its payment, which is locked, has refunded. Null: it failed before. */
export async function markFailed(tx: Tx, refundId: string, failure: RefundFailure, now: Date) {
  const [failed] = await tx.refund.updateManyAndReturn({
    where: { id: refundId, state: { not: "failed" }, destination: "card", payment_id: { not: null } },
    data: { state: "failed", failure, done_at: now },
    select: { payment_id: true, order_id: true, amount_cents: true },
  });
  if (!failed) return null;
  const payment = await tx.payment.update({
    where: { id: failed.payment_id! },
    data: { refunded_cents: { decrement: failed.amount_cents } },
    select: { id: true, customer_id: true },
  });
  return {
    payment_id: payment.id,
    order_id: failed.order_id,
    amount_cents: failed.amount_cents,
    customer_id: payment.customer_id,
  };
}

/** A refund of this payment; null: it has none with this id. */
export const findRefundOfPayment = (tx: Tx, refundId: string, paymentId: string) =>
  tx.refund.findUnique({ where: { id: refundId, payment_id: paymentId }, select: { state: true } });
