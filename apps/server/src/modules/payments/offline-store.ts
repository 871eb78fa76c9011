import type { Client, Prisma, Tx } from "@marketday/db";
import { offlineTransitions } from "@marketday/domain/checkout";

import { newUuid } from "../../lib/tokens.ts";
import { statesTo } from "./payment-transitions.ts";

const CLOSED = ["pending", "closed"];
const OPEN = ["future", "open"];

const shownDue = { id: true, order_total_cents: true, credit_cents: true } satisfies Prisma.orderSelect;

/** What orders cost beyond the store credit that paid for them. Cents. */
const totalOf = (orders: readonly Prisma.orderGetPayload<{ select: typeof shownDue }>[]): number =>
  orders.reduce((sum, order) => sum + order.order_total_cents - order.credit_cents, 0);

/** The closed orders that an offline payment covers, and their total. Cents. */
export async function findCovered(tx: Tx, paymentId: string): Promise<{ ids: number[]; cents: number }> {
  const orders = await tx.order.findMany({
    where: { payment_id: paymentId, status: { in: CLOSED }, written_off_at: null },
    select: shownDue,
    orderBy: { id: "asc" },
  });
  return { ids: orders.map(({ id }) => id), cents: totalOf(orders) };
}

/**
 * Captures or voids an offline payment. Its orders of later days get a separate payment, because they are paid at their own
 * delivery. False: the payment had already ended.
 */
export async function endOffline(
  tx: Tx,
  paymentId: string,
  end: { state: "captured" | "voided"; cents: number },
  now: Date,
): Promise<boolean> {
  const [ended] = await tx.payment.updateManyAndReturn({
    where: { id: paymentId, state: { in: statesTo(end.state, ["authorized"]) } },
    data: { state: end.state, captured_cents: end.cents },
    select: { customer_id: true, provider: true, authorized_at: true },
  });
  if (!ended) return false;
  const isLater = { payment_id: paymentId, status: { in: OPEN } };
  const later = await tx.order.findMany({ where: isLater, select: shownDue });
  if (later.length === 0) return true;
  const id = newUuid();
  await tx.payment.create({
    data: {
      ...ended,
      id,
      charge_key: id,
      provider_ref: id,
      state: "authorized",
      amount_cents: totalOf(later),
      created_at: now,
    },
    select: { id: true },
  });
  await tx.order.updateMany({
    where: { ...isLater, id: { in: later.map((order) => order.id) } },
    data: { payment_id: id },
  });
  return true;
}

/**
 * Inserts an offline payment and links its orders to it: `captured` is money that was paid at the door, `authorized` is to be
 * collected there.
 */
export async function insertOfflinePayment(
  tx: Tx,
  payment: {
    id: string;
    orderIds: readonly number[];
    customerId: number;
    dueCents: number;
    state: "authorized" | "captured";
  },
  now: Date,
): Promise<void> {
  const { id, state, dueCents } = payment;
  await tx.payment.create({
    data: {
      id,
      charge_key: id,
      customer_id: payment.customerId,
      provider: "offline",
      provider_ref: id,
      state,
      amount_cents: dueCents,
      captured_cents: state === "captured" ? dueCents : 0,
      authorized_at: now,
      created_at: now,
    },
    select: { id: true },
  });
  await tx.order.updateMany({
    where: { id: { in: [...payment.orderIds] } },
    data: { payment_id: id, written_off_at: null },
  });
}

const shownRecorded = {
  id: true,
  captured_cents: true,
  orders: {
    where: { status: { in: CLOSED } },
    select: {
      id: true,
      customer_id: true,
      customer: { select: { deleted_at: true } },
      attempt: { select: { payment: { select: { provider: true } } } },
    },
    orderBy: { id: "asc" },
  },
  ledger: {
    where: { kind: { in: ["write_off", "capture", "refund"] } },
    select: { kind: true },
    orderBy: { id: "asc" },
  },
} satisfies Prisma.paymentSelect;

/** A payment that was recorded at the door, with the closed orders that it pays for. Cents. */
export interface DoorPayment {
  id: string;
  cents: number;
  customer_id: number | null;
  /** False: the account was deleted. */
  has_account: boolean;
  order_ids: number[];
  /** The payment reversed a write-off of its order. */
  is_written_off: boolean;
  /** Its order was checked out with a card, which could not be charged. */
  is_by_card: boolean;
  /** Money went back since the payment was recorded. */
  is_refunded: boolean;
}

function toDoorPayment({
  orders,
  ledger,
  ...payment
}: Prisma.paymentGetPayload<{ select: typeof shownRecorded }>): DoorPayment {
  const kinds = ledger.map(({ kind }) => kind);
  const captured = kinds.lastIndexOf("capture");
  return {
    id: payment.id,
    cents: payment.captured_cents,
    customer_id: orders.find((order) => order.customer_id !== null)?.customer_id ?? null,
    has_account: orders.every(({ customer }) => customer !== null && customer.deleted_at === null),
    order_ids: orders.map(({ id }) => id),
    is_written_off: kinds.includes("write_off"),
    is_by_card: orders.some(({ attempt }) => attempt?.payment && attempt.payment.provider !== "offline"),
    is_refunded: captured !== -1 && kinds.includes("refund", captured),
  };
}

/** The payments recorded at the door for these orders, each with all orders that it pays for, in id order. */
export async function findRecorded(db: Client, orderIds: readonly number[]): Promise<DoorPayment[]> {
  const payments = await db.payment.findMany({
    where: {
      provider: "offline",
      state: "captured",
      orders: { some: { id: { in: [...orderIds] } } },
      AND: { orders: { some: { status: { in: CLOSED } } } },
    },
    select: shownRecorded,
  });
  return payments.map(toDoorPayment).toSorted((a, b) => a.order_ids[0]! - b.order_ids[0]!);
}

/** Voids an offline payment that was recorded as paid by mistake: its orders have no payment. False: it was voided before. */
export async function voidRecorded(tx: Tx, paymentId: string): Promise<boolean> {
  const { count } = await tx.payment.updateMany({
    where: {
      id: paymentId,
      provider: "offline",
      state: { in: statesTo("voided", ["captured"], offlineTransitions) },
    },
    data: { state: "voided", captured_cents: 0 },
  });
  if (count === 0) return false;
  await tx.order.updateMany({ where: { payment_id: paymentId, status: { in: CLOSED } }, data: { payment_id: null } });
  return true;
}
