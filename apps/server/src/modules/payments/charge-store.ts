import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { PAYMENT_STATES } from "@marketday/domain/checkout";
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

const Unused = z.object({
  id: z.string(),
  charge_key: z.string(),
  provider_ref: z.string().nullable(),
  customer_id: z.number().nullable(),
});

/** A payment that pays for no live order and is not captured: its charge is to be voided. Null: it pays, or was voided. */
export const findUnusedPayment = (db: Conn, id: string): Promise<z.infer<typeof Unused> | null> =>
  queryOne(
    db,
    sql`select id::text as id, charge_key::text as charge_key, provider_ref, customer_id from payment p
        where p.id = ${id}::uuid and not exists (select 1 from orders o where o.payment_id = p.id and o.status <> 'cancelled')`,
    Unused,
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

const OurCharge = z.object({
  payment_id: z.string(),
  customer_id: z.number().nullable(),
  state: z.enum(PAYMENT_STATES),
  amount_cents: z.number(),
  captured_cents: z.number(),
  is_purchase: z.boolean(),
  attempt_id: z.string().nullable(),
  attempt_state: z.string().nullable(),
  live_orders: z.number(),
  /** The key is that of a hold that is being renewed, not the present one. */
  is_next: z.boolean(),
});
/** A charge as our own rows have it. Cents. */
export type OurCharge = z.infer<typeof OurCharge>;

/** What a provider's key stands for here; null: nothing of ours. */
export const findCharge = (db: Conn, key: string): Promise<OurCharge | null> =>
  queryOne(
    db,
    sql`select p.id::text as payment_id, p.customer_id, p.state, p.amount_cents, p.captured_cents, p.purpose is not null as is_purchase,
          a.id::text as attempt_id, a.state as attempt_state, coalesce(p.next_key = ${key}::uuid, false) as is_next,
          (select count(*)::int from orders o where o.payment_id = p.id and o.status <> 'cancelled') as live_orders
        from payment p left join checkout_attempt a on a.payment_id = p.id
        where p.charge_key = ${key}::uuid or p.next_key = ${key}::uuid
        limit 1`,
    OurCharge,
  );

/** A provider's event, claimed: false when it was handled before. One that died half-way is handled again. */
export const claimEvent = async (
  db: Conn,
  event: { provider: string; id: string; type: string; now: Date },
): Promise<boolean> =>
  (await queryOne(
    db,
    sql`insert into webhook_event as w (provider, event_id, type, received_at) values (${event.provider}, ${event.id}, ${event.type}, ${event.now})
        on conflict (provider, event_id) do update set type = w.type where w.processed_at is null returning event_id`,
    z.object({ event_id: z.string() }),
  )) !== null;

export const finishEvent = (db: Conn, provider: string, id: string, outcome: string, now: Date) =>
  execute(
    db,
    sql`update webhook_event set processed_at = ${now}, outcome = ${outcome} where provider = ${provider} and event_id = ${id} and processed_at is null`,
  );

/** Something an operator should look at: kept for `market doctor` and the audit log. */
export const noteAlert = (
  tx: Conn,
  alert: { actor: string; subject: string; reason: string; data: object; now: Date },
) =>
  execute(
    tx,
    sql`insert into audit_entry (actor, action, subject, reason, data, created_at)
        values (${alert.actor}, 'alert', ${alert.subject}, ${alert.reason}, ${JSON.stringify(alert.data)}::jsonb, ${alert.now})`,
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
