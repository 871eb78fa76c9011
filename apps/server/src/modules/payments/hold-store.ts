import type { Db, Tx } from "@marketday/db";

import { newUuid } from "../../lib/tokens.ts";
import type { DueHold } from "./hold-sql.ts";

/** The charge and the renewal of a payment as they were read: another server may have moved on. */
export interface SeenHold {
  chargeKey: string;
  /** The key of the renewal; null: none was under way. */
  nextKey: string | null;
}

/**
 * Writes the key of a renewal, or returns the one that is written, while the charge is still the one that was loaded: another server
 * may have renewed it since. Null: it is not.
 */
export async function beginRenewal(db: Db, hold: DueHold): Promise<string | null> {
  const present = { id: hold.payment_id, state: "authorized", charge_key: hold.charge_key };
  if (hold.next_key === null) {
    const key = newUuid();
    const { count } = await db.payment.updateMany({
      where: { ...present, next_key: null, hold_lost_at: hold.hold_lost_at },
      data: { next_key: key },
    });
    if (count === 1) return key;
  }
  const begun = await db.payment.findFirst({
    where: { ...present, next_key: { not: null } },
    select: { next_key: true },
  });
  return begun?.next_key ?? null;
}

/**
 * The hold of a payment is lost, and with it its renewal. Returns the payment's customer and its first order that is not closed; null:
 * the hold is being renewed or was renewed since it was read.
 */
export async function markHoldLost(
  tx: Tx,
  paymentId: string,
  { chargeKey, nextKey }: SeenHold,
  isUnconfirmed: boolean,
  now: Date,
): Promise<{ customerId: number | null; orderId: number | null } | null> {
  const [lost] = await tx.payment.updateManyAndReturn({
    where: { id: paymentId, state: "authorized", charge_key: chargeKey, next_key: nextKey },
    data: { hold_lost_at: now, next_key: null, ...(isUnconfirmed && { unconfirmed_at: now }) },
    select: { customer_id: true },
  });
  if (!lost) return null;
  const order = await tx.order.findFirst({
    where: { payment_id: paymentId, status: { in: ["open", "future"] } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  return { customerId: lost.customer_id, orderId: order?.id ?? null };
}

/**
 * The provider or the bank took no charge right now: the next try has another key, because it would answer this one in the same way.
 * False: it was dropped before.
 */
export const dropRenewal = async (db: Db, paymentId: string, nextKey: string): Promise<boolean> =>
  (await db.payment.updateMany({ where: { id: paymentId, next_key: nextKey }, data: { next_key: null } })).count === 1;

/** Replaces the charge of a payment by that of its renewal. False: it was canceled meanwhile, or replaced by another server. */
export async function swapHold(
  db: Db,
  paymentId: string,
  renewal: { key: string; ref: string; amountCents: number },
  now: Date,
): Promise<boolean> {
  const { count } = await db.payment.updateMany({
    where: { id: paymentId, state: "authorized", next_key: renewal.key },
    data: {
      charge_key: renewal.key,
      next_key: null,
      provider_ref: renewal.ref,
      authorized_at: now,
      hold_lost_at: null,
      unconfirmed_at: null,
      amount_cents: renewal.amountCents,
    },
  });
  return count === 1;
}

/** Whether a payment's present charge is this one, and holds or has taken money. */
export const isPresentCharge = async (db: Db, paymentId: string, chargeKey: string): Promise<boolean> =>
  (await db.payment.count({
    where: { id: paymentId, charge_key: chargeKey, state: { in: ["authorized", "captured"] } },
  })) === 1;
