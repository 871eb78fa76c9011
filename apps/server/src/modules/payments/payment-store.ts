import type { Client, Db } from "@marketday/db";
import type { PaymentState } from "@marketday/domain/checkout";

import { statesTo } from "./payment-transitions.ts";

/** A payment that pays for no live order and is not captured: its charge is to be voided. Null: it pays, or was voided. */
export const findUnusedPayment = (db: Client, id: string) =>
  db.payment.findFirst({
    where: { id, orders: { none: { status: { not: "cancelled" } } } },
    select: { charge_key: true, provider_ref: true, customer_id: true },
  });

/** A charge as our own rows have it. Cents. */
export interface OurCharge {
  payment_id: string;
  customer_id: number | null;
  state: PaymentState;
  amount_cents: number;
  is_purchase: boolean;
  attempt_id: string | null;
  attempt_state: string | null;
  live_orders: number;
  /** The key is that of a hold that is being renewed, not the present one. */
  is_next: boolean;
}

/** What a provider's key stands for here; null: nothing of ours. */
export async function findCharge(db: Client, key: string): Promise<OurCharge | null> {
  const row = await db.payment.findFirst({
    where: { OR: [{ charge_key: key }, { next_key: key }] },
    select: {
      id: true,
      customer_id: true,
      state: true,
      amount_cents: true,
      purpose: true,
      next_key: true,
      attempt: { select: { id: true, state: true } },
      _count: { select: { orders: { where: { status: { not: "cancelled" } } } } },
    },
  });
  return (
    row && {
      payment_id: row.id,
      customer_id: row.customer_id,
      state: row.state as PaymentState,
      amount_cents: row.amount_cents,
      is_purchase: row.purpose !== null,
      attempt_id: row.attempt?.id ?? null,
      attempt_state: row.attempt?.state ?? null,
      live_orders: row._count.orders,
      is_next: row.next_key === key,
    }
  );
}

/** The provider holds the money; false when the payment was released meanwhile. */
export async function markAuthorized(db: Db, paymentId: string, ref: string, now: Date): Promise<boolean> {
  const { count } = await db.payment.updateMany({
    where: { id: paymentId, state: { in: statesTo("authorized", ["created"]) } },
    data: { state: "authorized", provider_ref: ref, authorized_at: now },
  });
  return count === 1;
}

/** The present charge of a payment whose hold may have been renewed. Null: it holds nothing by now. */
export const findHeldCharge = (
  db: Db,
  paymentId: string,
): Promise<{ charge_key: string; provider_ref: string | null } | null> =>
  db.payment.findUnique({
    where: { id: paymentId, state: "authorized" },
    select: { charge_key: true, provider_ref: true },
  });

/** The provider has been searched for a charge, which is over: it is no longer looked up. `unseenSince`: of the search. */
export const endLookup = (db: Db, paymentId: string, unseenSince: Date) =>
  db.payment.updateMany({
    where: { id: paymentId, unseen_since: unseenSince, state: { in: ["voided", "failed", "captured"] } },
    data: { look_again_at: null, unseen_since: null, next_key: null },
  });
