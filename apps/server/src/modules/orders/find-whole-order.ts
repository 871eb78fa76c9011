import type { Client, Prisma } from "@marketday/db";
import type { StoredAddress } from "@marketday/domain/address";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { lineName } from "@marketday/domain/cart";

import { findBoxNotes } from "./box-state-sql.ts";

/** An order as `orders show` prints it; cents. */
export interface OrderDetails {
  id: number;
  status: string;
  hub: string;
  /** The hub's time zone, for the times below. */
  timeZone: string;
  day: string;
  /** ISO 8601, as all times. */
  cutoffAt: string;
  type: "delivery" | "pickup";
  source: string;
  customer: { id: number; email: string | null; name: string; phone: string | null } | null;
  address: StoredAddress | null;
  /** The order's own, and those of its whole box; several lines. */
  deliveryNotes: string;
  boxNotes: string;
  pickupPoint: string | null;
  /** The order that its box was begun with; null: itself. */
  addOnTo: number | null;
  items: { variantId: number; title: string; vendor: string; quantity: number; ordered: number; unitCents: number }[];
  operations: { at: string; who: string; what: string; why: string }[];
  itemsCents: number;
  discountCents: number;
  tipCents: number;
  taxCents: number;
  cardFeeCents: number;
  deliveryFeeCents: number;
  /** Part of no total: it was too small to charge to a card. */
  waivedCents: number;
  totalCents: number;
  creditCents: number;
  /** The failed charge: its reason, since when, and the next attempt (ISO 8601, null: no automatic attempt). */
  notCharged: { reason: string | null; since: string; tries: number; nextAt: string | null } | null;
  writtenOffAt: string | null;
  /** Disputes of its charge; times in ISO 8601. */
  disputes: {
    ref: string;
    amountCents: number;
    status: string;
    reason: string;
    dueBy: string | null;
    closedAt: string | null;
  }[];
  refunds: {
    id: string;
    amountCents: number;
    destination: "card" | "credit";
    state: "created" | "done" | "failed";
    failure: string | null;
    isResolved: boolean;
    at: string;
    reason: string;
  }[];
  payment: { provider: string; state: string; capturedCents: number; refundedCents: number } | null;
}

const shownOrder = {
  id: true,
  status: true,
  type: true,
  source: true,
  address: true,
  delivery_notes: true,
  add_on_to_id: true,
  items_cents: true,
  discount_cents: true,
  tip_cents: true,
  tax_cents: true,
  card_fee_cents: true,
  delivery_fee_cents: true,
  waived_cents: true,
  order_total_cents: true,
  credit_cents: true,
  written_off_at: true,
  charge_failed_at: true,
  charge_error: true,
  charge_tries: true,
  charge_next_at: true,
  hub: { select: { slug: true, time_zone: true } },
  delivery: { select: { day: true, cutoff_at: true } },
  customer: { select: { id: true, email: true, first_name: true, last_name: true, phone: true } },
  pickup_point: { select: { name: true } },
  items: {
    select: {
      variant_id: true,
      product_title: true,
      variant_title: true,
      quantity: true,
      quantity_ordered: true,
      unit_price_cents: true,
      vendor: { select: { slug: true } },
    },
    orderBy: { id: "asc" },
  },
  payment: {
    select: {
      provider: true,
      state: true,
      captured_cents: true,
      refunded_cents: true,
      disputes: {
        select: {
          provider_ref: true,
          amount_cents: true,
          status: true,
          reason: true,
          due_by: true,
          closed_at: true,
        },
        orderBy: [{ created_at: "asc" }, { provider_ref: "asc" }],
      },
    },
  },
  refunds: {
    select: {
      id: true,
      amount_cents: true,
      destination: true,
      state: true,
      failure: true,
      resolved_at: true,
      created_at: true,
      reason: true,
    },
    orderBy: [{ created_at: "asc" }, { id: "asc" }],
  },
} satisfies Prisma.orderSelect;

type OrderPayload = Prisma.orderGetPayload<{ select: typeof shownOrder }>;

const formatTime = (at: Date | null): string | null => at?.toISOString() ?? null;

const serializeAmounts = (order: OrderPayload) => ({
  itemsCents: order.items_cents,
  discountCents: order.discount_cents,
  tipCents: order.tip_cents,
  taxCents: order.tax_cents,
  cardFeeCents: order.card_fee_cents,
  deliveryFeeCents: order.delivery_fee_cents,
  waivedCents: order.waived_cents,
  totalCents: order.order_total_cents,
  creditCents: order.credit_cents,
});

const serializeItem = (item: OrderPayload["items"][number]): OrderDetails["items"][number] => ({
  variantId: item.variant_id,
  title: lineName(item.product_title, item.variant_title),
  vendor: item.vendor.slug,
  quantity: item.quantity,
  ordered: item.quantity_ordered,
  unitCents: item.unit_price_cents,
});

const serializeRefund = (refund: OrderPayload["refunds"][number]): OrderDetails["refunds"][number] => ({
  id: refund.id,
  amountCents: refund.amount_cents,
  destination: refund.destination as "card" | "credit",
  state: refund.state as "created" | "done" | "failed",
  failure: refund.failure,
  isResolved: refund.resolved_at !== null,
  at: refund.created_at.toISOString(),
  reason: refund.reason,
});

const serializePayment = (payment: OrderPayload["payment"]): Pick<OrderDetails, "payment" | "disputes"> => ({
  payment: payment && {
    provider: payment.provider,
    state: payment.state,
    capturedCents: payment.captured_cents,
    refundedCents: payment.refunded_cents,
  },
  disputes: (payment?.disputes ?? []).map((dispute) => ({
    ref: dispute.provider_ref,
    amountCents: dispute.amount_cents,
    status: dispute.status,
    reason: dispute.reason,
    dueBy: formatTime(dispute.due_by),
    closedAt: formatTime(dispute.closed_at),
  })),
});

/** One order with its lines, amounts in cents, payment and audit entries. Null: it does not exist. */
export async function findWholeOrder(db: Client, orderId: number): Promise<OrderDetails | null> {
  const order = await db.order.findUnique({ where: { id: orderId }, select: shownOrder });
  if (!order) return null;
  const boxNotes = await findBoxNotes(db, order.add_on_to_id ?? order.id);
  const entries = await db.audit_entry.findMany({
    where: { subject: `order:${orderId}` },
    select: { created_at: true, actor: true, action: true, reason: true },
    orderBy: { id: "asc" },
  });
  const { hub, delivery, customer } = order;
  return {
    id: order.id,
    status: order.status,
    hub: hub.slug,
    timeZone: hub.time_zone,
    day: dateFromUtc(delivery.day),
    cutoffAt: delivery.cutoff_at.toISOString(),
    type: order.type as OrderDetails["type"],
    source: order.source,
    customer: customer && {
      id: customer.id,
      email: customer.email,
      name: `${customer.first_name} ${customer.last_name}`.trim(),
      phone: customer.phone,
    },
    address: order.address as OrderDetails["address"],
    pickupPoint: order.pickup_point?.name ?? null,
    deliveryNotes: order.delivery_notes,
    boxNotes,
    addOnTo: order.add_on_to_id,
    items: order.items.map(serializeItem),
    ...serializeAmounts(order),
    writtenOffAt: formatTime(order.written_off_at),
    notCharged: order.charge_failed_at && {
      reason: order.charge_error,
      since: order.charge_failed_at.toISOString(),
      tries: order.charge_tries,
      nextAt: formatTime(order.charge_next_at),
    },
    ...serializePayment(order.payment),
    refunds: order.refunds.map(serializeRefund),
    operations: entries.map((entry) => ({
      at: entry.created_at.toISOString(),
      who: entry.actor,
      what: entry.action,
      why: entry.reason,
    })),
  };
}
