import type { Client, Prisma } from "@marketday/db";

export const findStoredDispute = (db: Client, provider: string, ref: string) =>
  db.dispute.findUnique({
    where: { provider_provider_ref: { provider, provider_ref: ref } },
    select: { status: true, amount_cents: true, seen_at: true },
  });

/** The provider's ids of the disputes that are open here. */
export async function findOpenRefs(db: Client, provider: string): Promise<string[]> {
  const open = await db.dispute.findMany({
    where: { provider, closed_at: null },
    select: { provider_ref: true },
    orderBy: { created_at: "asc" },
  });
  return open.map(({ provider_ref: ref }) => ref);
}

const shownDispute = {
  provider_ref: true,
  payment_id: true,
  amount_cents: true,
  status: true,
  reason: true,
  due_by: true,
  created_at: true,
  closed_at: true,
  payment: {
    select: {
      purpose: true,
      customer_id: true,
      orders: { select: { id: true, status: true }, orderBy: { id: "asc" } },
    },
  },
} satisfies Prisma.disputeSelect;

export interface DisputeRow {
  ref: string;
  payment_id: string;
  amount_cents: number;
  status: string;
  reason: string;
  due_by: Date | null;
  created_at: Date;
  closed_at: Date | null;
  /** The orders that its charge pays for; empty: a purchase. */
  order_ids: number[];
  /** Of its purchase: gift-card | wagon-pass. */
  purchase: string | null;
  customer_id: number | null;
  /** Whether an order of it is not delivered yet. */
  is_undelivered: boolean;
}

const toDispute = ({
  provider_ref: ref,
  payment,
  ...row
}: Prisma.disputeGetPayload<{ select: typeof shownDispute }>): DisputeRow => ({
  ref,
  ...row,
  order_ids: payment.orders.map(({ id }) => id),
  purchase: (payment.purpose as { kind: string } | null)?.kind ?? null,
  customer_id: payment.customer_id,
  is_undelivered: payment.orders.some(({ status }) => ["future", "open", "pending"].includes(status)),
});

/** Disputes, the one to answer first before the others: the open ones, or with `closed` all. */
export async function findDisputes(
  db: Client,
  { closed, orderId }: { closed: boolean; orderId?: number } = { closed: false },
): Promise<DisputeRow[]> {
  const rows = await db.dispute.findMany({
    where: {
      ...(!closed && { closed_at: null }),
      ...(orderId !== undefined && { payment: { orders: { some: { id: orderId } } } }),
    },
    select: shownDispute,
    orderBy: [
      { closed_at: { sort: "desc", nulls: "first" } },
      { due_by: { sort: "asc", nulls: "last" } },
      { created_at: "asc" },
      { provider_ref: "asc" },
    ],
  });
  return rows.map(toDispute);
}
