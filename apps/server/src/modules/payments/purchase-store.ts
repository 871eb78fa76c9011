import { type Client, Prisma, type Tx } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";
import { statesTo } from "./payment-transitions.ts";

export type Purpose =
  | { kind: "gift-card"; recipientEmail: string; message: string; deliverOn: string }
  | { kind: "wagon-pass"; plan: "monthly" | "yearly"; passId: number | null };

const shownPurchase = {
  id: true,
  customer_id: true,
  state: true,
  amount_cents: true,
  purpose: true,
  payment_method_id: true,
  idempotency_key: true,
  provider_ref: true,
  unconfirmed_at: true,
  created_at: true,
} satisfies Prisma.paymentSelect;
type StoredPurchase = Prisma.paymentGetPayload<{ select: typeof shownPurchase }>;

export interface PurchaseRow extends Omit<StoredPurchase, "customer_id" | "purpose" | "unconfirmed_at"> {
  customer_id: number;
  purpose: Purpose;
  /** The bank wanted the shopper to confirm it, and it was refused for that. */
  is_unconfirmed: boolean;
}

/** A payment that is a purchase, and not of an order. */
const isPurchase = { purpose: { not: Prisma.DbNull } } satisfies Prisma.paymentWhereInput;

const toPurchase = ({ unconfirmed_at: unconfirmedAt, ...row }: StoredPurchase): PurchaseRow => ({
  ...row,
  customer_id: row.customer_id!,
  purpose: row.purpose as Purpose,
  is_unconfirmed: unconfirmedAt !== null,
});

interface NewPurchase {
  id: string;
  customerId: CustomerId;
  provider: string;
  amountCents: number;
  purpose: Purpose;
  methodId: number | null;
  idempotencyKey: string | null;
  countedAs: readonly string[];
  now: Date;
}

/** Inserted before the provider is called, so that the sweep can finish it. */
export const insertPurchase = (tx: Tx, purchase: NewPurchase) =>
  tx.payment.create({
    data: {
      id: purchase.id,
      charge_key: purchase.id,
      customer_id: purchase.customerId,
      provider: purchase.provider,
      state: "created",
      amount_cents: purchase.amountCents,
      purpose: purchase.purpose,
      payment_method_id: purchase.methodId,
      idempotency_key: purchase.idempotencyKey,
      counted_as: [...purchase.countedAs],
      created_at: purchase.now,
    },
    select: { id: true },
  });

/** A customer's latest purchase with this idempotency key, in any state. */
export async function findPurchaseByKey(db: Client, customerId: CustomerId, key: string): Promise<PurchaseRow | null> {
  const row = await db.payment.findFirst({
    where: { idempotency_key: key, customer_id: customerId, ...isPurchase },
    select: shownPurchase,
    orderBy: { created_at: "desc" },
  });
  return row && toPurchase(row);
}

export async function findPurchase(db: Client, id: string): Promise<PurchaseRow | null> {
  const row = await db.payment.findFirst({ where: { id, ...isPurchase }, select: shownPurchase });
  return row && toPurchase(row);
}

/** States of a purchase that is not over. */
export const OPEN_PURCHASE = ["created", "challenge", "authorized"] as const;
export type OpenPurchase = (typeof OPEN_PURCHASE)[number];

/** Moves an open purchase on, with what the provider calls it and, once known, the card's fingerprint; false when it is somewhere else by now. */
export async function movePurchase(
  db: Client,
  id: string,
  from: readonly OpenPurchase[],
  to: "challenge" | "authorized",
  ref: string,
  cardFingerprint: string | null = null,
): Promise<boolean> {
  const { count } = await db.payment.updateMany({
    where: { id, state: { in: statesTo(to, from) }, ...isPurchase },
    data: { state: to, provider_ref: ref, ...(cardFingerprint !== null && { card_fingerprint: cardFingerprint }) },
  });
  return count === 1;
}

/**
 * How a purchase ends without a charge. `failed`: refused. `unconfirmed`: refused, because the bank wants the shopper to confirm it.
 * `voided`: given up, without a decline of the card.
 */
export type PurchaseEnd = "failed" | "unconfirmed" | "voided";

/**
 * Ends a purchase without a charge; false when it is somewhere else by now. Its charge is looked for until the provider has
 * voided it (`deleteOrphanedCharge`).
 */
export async function endPurchase(
  db: Client,
  id: string,
  from: readonly OpenPurchase[],
  end: PurchaseEnd,
  now: Date,
): Promise<boolean> {
  const state = end === "unconfirmed" ? "failed" : end;
  const { count } = await db.payment.updateMany({
    where: { id, state: { in: statesTo(state, from) }, ...isPurchase },
    data: {
      state,
      authorized_at: null,
      counted_as: [],
      unseen_since: now,
      look_again_at: now,
      unconfirmed_at: end === "unconfirmed" ? now : null,
    },
  });
  return count === 1;
}

/** The provider has voided the charge of a purchase that ended: it is no longer looked up. */
export const deleteOrphanedCharge = (db: Client, id: string) =>
  db.payment.updateMany({
    where: { id, state: { in: ["failed", "voided"] } },
    data: { unseen_since: null, look_again_at: null },
  });
