import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { mayBecome } from "./payment-transitions.ts";
import { uncounted } from "./purchase-sql.ts";

/** A payment before the provider is called. */
export interface NewPayment {
  id: string;
  /** The key of its charge at the provider. */
  chargeKey: string;
  customerId: CustomerId;
  provider: string;
  amountCents: number;
  /** The `rate_limit` keys that it counts against until it succeeds. */
  countedAs: readonly string[];
  now: Date;
}

/** The statement that inserts a payment; also part of a `with`. */
export const paymentInsert = (payment: NewPayment): Sql =>
  sql`insert into payment (id, charge_key, customer_id, provider, state, amount_cents, counted_as, created_at)
      values (${payment.id}::uuid, ${payment.chargeKey}::uuid, ${payment.customerId}::int, ${payment.provider}, 'created',
        ${payment.amountCents}::int, ${[...payment.countedAs]}::text[], ${payment.now})`;

/** Part of a `with` in which `attempt` has the `payment_id` of an attempt that waits for the bank's challenge. */
export const paymentChallenged = (attempt: Sql, providerRef: string): Sql =>
  sql`challenged as (
        update payment set state = 'challenge', provider_ref = ${providerRef}
        where id = (select payment_id from ${attempt}) and ${mayBecome("challenge")})`;

/** Marks the payment of a checkout authorized. False when it has ended: its money was refunded as orphaned (failures.md B8). */
export const markPaymentAuthorized = async (
  tx: Conn,
  payment: { id: string; ref: string; methodId: number | null; cardFingerprint: string | null },
  now: Date,
): Promise<boolean> =>
  (await execute(
    tx,
    sql`update payment set state = 'authorized', provider_ref = ${payment.ref}, authorized_at = ${now},
          card_fingerprint = ${payment.cardFingerprint}, payment_method_id = ${payment.methodId}::int
        where id = ${payment.id}::uuid and ${mayBecome("authorized", ["created", "challenge"])}`,
  )) === 1;

/** Sets the saved card that renews the payment's authorization and retries its charge. */
export const setPaymentMethod = (tx: Conn, paymentId: string, methodId: number) =>
  execute(tx, sql`update payment set payment_method_id = ${methodId}::int where id = ${paymentId}::uuid`);

/** The payment succeeded: it no longer counts against the limits on payment attempts. */
export const uncountPayment = (tx: Conn, paymentId: string) =>
  execute(
    tx,
    sql`with counted as (select id, counted_as from payment where id = ${paymentId}::uuid and counted_as <> '{}'), ${uncounted}
        update payment p set counted_as = '{}' from counted where p.id = counted.id`,
  );

/** Payments that pay for no order and still need to be voided, oldest first: of failed attempts, and of cancelled orders. */
export const findPaymentsToVoid = (
  db: Conn,
  before: Date,
  isNotPaused: Sql,
  limit: number,
): Promise<{ id: string }[]> =>
  query(
    db,
    sql`(select p.id::text as id, a.finished_at from payment p join checkout_attempt a on a.payment_id = p.id
         where p.state in ('created', 'challenge') and a.state = 'failed' and a.finished_at <= ${before} and ${isNotPaused})
        union all
        (select p.id::text as id, a.finished_at from orders o join payment p on p.id = o.payment_id join checkout_attempt a on a.payment_id = p.id
         where o.status = 'cancelled' and p.state = 'authorized' and o.cancelled_at <= ${before}
           and not exists (select 1 from orders x where x.payment_id = p.id and x.status <> 'cancelled') and ${isNotPaused})
        order by finished_at limit ${limit}::int`,
    z.object({ id: z.string(), finished_at: z.date() }),
  );

/** Codes of an attempt's failure that mean: the card was declined, no money is held. */
const DECLINES = ["card_declined", "insufficient_funds", "challenge", "challenge_expired"];

/**
 * Marks a payment voided, or failed when its card was declined. A charge that the provider does not know (`isKnown` false),
 * or that was being replaced by a new authorization, is looked up again later (`find-orphaned-charges.ts`).
 */
export const markVoided = (db: Conn, paymentId: string, isKnown: boolean, now: Date) =>
  execute(
    db,
    sql`update payment p set state = case when p.state <> 'authorized' and exists (
              select 1 from checkout_attempt a where a.payment_id = p.id and a.failure->>'code' = any(${DECLINES}::text[]))
            then 'failed' else 'voided' end,
          counted_as = '{}',
          unseen_since = case when not ${isKnown}::boolean or p.next_key is not null then ${now}::timestamptz end,
          look_again_at = case when not ${isKnown}::boolean or p.next_key is not null then ${now}::timestamptz end
        where p.id = ${paymentId}::uuid and ${mayBecome("voided")} and ${mayBecome("failed")}`,
  );

const OrphanedChargeRow = z.object({ id: z.string(), captured_cents: z.number(), customer_id: z.number().nullable() });

/**
 * Money was taken that pays for nothing: the payment says so and a refund of all of it is written, once. Null when that was
 * done before.
 */
export const recordOrphanedCharge = (
  tx: Conn,
  paymentId: string,
  refundId: string,
  takenCents: number,
  reason: string,
  now: Date,
) =>
  queryOne(
    tx,
    sql`with taken as (
          update payment p set state = 'captured', captured_cents = least(p.amount_cents, ${takenCents}::int),
            refunded_cents = least(p.amount_cents, ${takenCents}::int)
          where p.id = ${paymentId}::uuid and ${mayBecome("captured")} and not exists (select 1 from refund r where r.payment_id = p.id and r.kind in ('orphaned_charge', 'stray'))
          returning p.id, p.captured_cents, p.customer_id),
        given as (
          insert into refund (id, payment_id, kind, destination, amount_cents, reason, key, state, created_at)
          select ${refundId}::uuid, id, 'orphaned_charge', 'card', captured_cents, ${reason}, ${`orphaned-charge:${paymentId}`}, 'created', ${now} from taken returning payment_id)
        select taken.id::text as id, taken.captured_cents, taken.customer_id from taken join given on given.payment_id = taken.id`,
    OrphanedChargeRow,
  );
