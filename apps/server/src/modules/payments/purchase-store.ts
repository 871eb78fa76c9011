import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { mayBecome } from "./payment-transitions.ts";

const Purpose = z.union([
  z.object({ kind: z.literal("gift-card"), recipientEmail: z.string(), message: z.string(), deliverOn: z.string() }),
  z.object({ kind: z.literal("wagon-pass"), plan: z.enum(["monthly", "yearly"]), passId: z.number().nullable() }),
]);
export type Purpose = z.infer<typeof Purpose>;

export const PurchaseRow = z.object({
  id: z.string(),
  customer_id: z.number(),
  state: z.string(),
  amount_cents: z.number(),
  purpose: Purpose,
  payment_method_id: z.number().nullable(),
  idempotency_key: z.string().nullable(),
  provider_ref: z.string().nullable(),
  /** The bank wanted the shopper to confirm it, and it was refused for that. */
  is_unconfirmed: z.boolean(),
  created_at: z.date(),
});
export type PurchaseRow = z.infer<typeof PurchaseRow>;

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

/**
 * Part of a `with` in which `counted` has the `counted_as` of a payment that succeeded: it counts against no limit on
 * payment attempts any more.
 */
export const uncounted: Sql = sql`
  uncounted as (update rate_limit r set points = r.points - 1 from counted where r.key = any(counted.counted_as) and r.points > 0)`;

/** Inserted before the provider is called, so that the sweep can finish it. */
export const insertPurchase = (db: Conn, purchase: NewPurchase) =>
  execute(
    db,
    sql`insert into payment (id, charge_key, customer_id, provider, state, amount_cents, purpose, payment_method_id, idempotency_key, counted_as, created_at)
        values (${purchase.id}::uuid, ${purchase.id}::uuid, ${purchase.customerId}::int, ${purchase.provider}, 'created', ${purchase.amountCents}::int,
          ${JSON.stringify(purchase.purpose)}::jsonb, ${purchase.methodId}::int, ${purchase.idempotencyKey}, ${[...purchase.countedAs]}::text[], ${purchase.now})`,
  );

const columns = sql`id::text as id, customer_id, state, amount_cents, purpose, payment_method_id, idempotency_key, provider_ref, unconfirmed_at is not null as is_unconfirmed, created_at`;

/** A purchase that is still open, locked. Null: it has ended. */
export const lockOpenPurchase = (tx: Conn, id: string): Promise<PurchaseRow | null> =>
  queryOne(
    tx,
    sql`select ${columns} from payment where id = ${id}::uuid and state in ('created', 'challenge', 'authorized') and purpose is not null for update`,
    PurchaseRow,
  );

/** A customer's latest purchase with this idempotency key, in any state. */
export const findPurchaseByKey = (db: Conn, customerId: CustomerId, key: string): Promise<PurchaseRow | null> =>
  queryOne(
    db,
    sql`select ${columns} from payment where idempotency_key = ${key} and customer_id = ${customerId}::int and purpose is not null order by created_at desc limit 1`,
    PurchaseRow,
  );

export const findPurchase = (db: Conn, id: string): Promise<PurchaseRow | null> =>
  queryOne(db, sql`select ${columns} from payment where id = ${id}::uuid and purpose is not null`, PurchaseRow);

/** States of a purchase that is not over. */
export type OpenPurchase = "created" | "challenge" | "authorized";

/** Moves an open purchase on, with what the provider calls it and, once known, the card's fingerprint; false when it is somewhere else by now. */
export const movePurchase = async (
  db: Conn,
  id: string,
  from: readonly OpenPurchase[],
  to: "challenge" | "authorized",
  ref: string,
  cardFingerprint: string | null = null,
): Promise<boolean> =>
  (await execute(
    db,
    sql`update payment set state = ${to}, provider_ref = ${ref}, card_fingerprint = coalesce(${cardFingerprint}::text, card_fingerprint) where id = ${id}::uuid and ${mayBecome(to, from)} and purpose is not null`,
  )) === 1;

/** The condition of a purchase whose request died before `before`, or whose bank's question is older than `unanswered`. */
export const isAbandoned = (before: Date, unanswered: Date): Sql =>
  sql`purpose is not null and ((state in ('created', 'authorized') and created_at <= ${before})
        or (state = 'challenge' and created_at <= ${unanswered}))`;

/** Purchases whose request died before `before`, and bank's questions older than `unanswered`, oldest first. `isNotPaused`: of a `payment`. */
export const findAbandonedPurchases = (db: Conn, before: Date, unanswered: Date, isNotPaused: Sql, limit: number) =>
  query(
    db,
    sql`select id::text as id from payment where (${isAbandoned(before, unanswered)}) and ${isNotPaused} order by created_at limit ${limit}::int`,
    z.object({ id: z.string() }),
  );

const OPEN: readonly OpenPurchase[] = ["created", "challenge", "authorized"];

/** The money of an open purchase, locked, is taken; false when it has ended. */
export const settlePurchase = async (tx: Conn, id: string, ref: string, now: Date): Promise<boolean> =>
  (await execute(
    tx,
    sql`with counted as (select counted_as from payment where id = ${id}::uuid and ${mayBecome("captured", OPEN)}), ${uncounted}
        update payment set state = 'captured', provider_ref = ${ref}, authorized_at = ${now}, captured_cents = amount_cents, counted_as = '{}'
        where id = ${id}::uuid and ${mayBecome("captured", OPEN)}`,
  )) === 1;

/**
 * How a purchase ends without a charge. `failed`: refused. `unconfirmed`: refused, because the bank wants the shopper to confirm it.
 * `voided`: given up, without a decline of the card.
 */
export type PurchaseEnd = "failed" | "unconfirmed" | "voided";

/**
 * Ends a purchase without a charge; false when it is somewhere else by now. Its charge is looked for until the provider has
 * voided it (`deleteOrphanedCharge`).
 */
export const endPurchase = async (
  db: Conn,
  id: string,
  from: readonly OpenPurchase[],
  end: PurchaseEnd,
  now: Date,
): Promise<boolean> => {
  const isUnconfirmed = end === "unconfirmed";
  const state = isUnconfirmed ? "failed" : end;
  const ended = sql`update payment set state = ${state}, authorized_at = null, counted_as = '{}', unseen_since = ${now}, look_again_at = ${now},
      unconfirmed_at = case when ${isUnconfirmed}::boolean then ${now}::timestamptz end
    where id = ${id}::uuid and ${mayBecome(state, from)} and purpose is not null`;
  return (await execute(db, ended)) === 1;
};

/** The provider has voided the charge of a purchase that ended: it is no longer looked up. */
export const deleteOrphanedCharge = (db: Conn, id: string) =>
  execute(
    db,
    sql`update payment set unseen_since = null, look_again_at = null where id = ${id}::uuid and state in ('failed', 'voided')`,
  );
