import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../../lib/context.ts";
import { CheckoutPlan, StoredChoice } from "./plan.ts";
import { releaseHolds } from "./stock-store.ts";

export const AttemptRow = z.object({
  id: z.string(),
  customer_id: z.number(),
  cart_id: z.number().nullable(),
  hub_id: z.number(),
  source: z.enum(["checkout", "auto"]),
  state: z.enum(["held", "challenge", "paid", "placed", "failed"]),
  choice: StoredChoice,
  plan: CheckoutPlan,
  amount_due_cents: z.number(),
  payment_id: z.string().nullable(),
  failure: z.object({ status: z.number(), message: z.string(), code: z.string() }).nullable(),
  idempotency_key: z.string().nullable(),
  lease_until: z.date(),
  fencing_token: z.number(),
  expires_at: z.date(),
  created_at: z.date(),
  /** The idempotency key of the current charge at the provider, and the provider's id for it. */
  charge_key: z.string(),
  provider_ref: z.string().nullable(),
  order_ids: z.array(z.number()),
});
export type AttemptRow = z.infer<typeof AttemptRow>;

const attemptColumns = sql`a.id::text as id, a.customer_id, a.cart_id, a.hub_id, a.source, a.state, a.choice, a.plan, a.amount_due_cents,
  a.payment_id::text as payment_id, a.failure, a.idempotency_key, a.lease_until, a.fencing_token, a.expires_at, a.created_at,
  coalesce((select p.charge_key from payment p where p.id = a.payment_id), a.id)::text as charge_key,
  (select p.provider_ref from payment p where p.id = a.payment_id) as provider_ref,
  coalesce((select array_agg(o.id order by o.attempt_part) from orders o where o.attempt_id = a.id), '{}') as order_ids`;

export const findAttempt = (db: Conn, id: string): Promise<AttemptRow | null> =>
  queryOne(db, sql`select ${attemptColumns} from checkout_attempt a where a.id = ${id}::uuid`, AttemptRow);

/** The latest attempt with this idempotency key, in any state. */
export const findAttemptByKey = (db: Conn, key: string): Promise<AttemptRow | null> =>
  queryOne(
    db,
    sql`select ${attemptColumns} from checkout_attempt a where a.idempotency_key = ${key} order by a.created_at desc limit 1`,
    AttemptRow,
  );

/** The cart's unfinished attempt; at most one (`checkout_attempt_live_key`). Another server may finish it at any moment. */
export const findLiveAttempt = (tx: Conn, cartId: number): Promise<AttemptRow | null> =>
  queryOne(
    tx,
    sql`select ${attemptColumns} from checkout_attempt a
        where a.cart_id = ${cartId}::int and a.state in ('held', 'paid', 'challenge') order by a.created_at desc limit 1`,
    AttemptRow,
  );

/** Order ids of the cart's latest attempt placed since `since`, ordered by delivery day; empty when there is none. */
export async function findLatestOrders(db: Conn, cartId: number, since: Date): Promise<number[]> {
  const latest = await queryOne(
    db,
    sql`select array_agg(o.id order by o.attempt_part) as order_ids from orders o
        where o.attempt_id = (select id from checkout_attempt where cart_id = ${cartId}::int and state = 'placed' and finished_at >= ${since}
          order by finished_at desc limit 1)`,
    z.object({ order_ids: z.array(z.number()).nullable() }),
  );
  return latest?.order_ids ?? [];
}

/** Attempts whose lease or challenge has expired, oldest first. */
export const findAbandonedAttempts = (
  db: Conn,
  now: Date,
  isNotPaused: Sql,
  limit: number,
): Promise<{ id: string }[]> =>
  query(
    db,
    sql`select id::text as id from checkout_attempt
        where ((state in ('held', 'paid') and lease_until <= ${now}) or (state = 'challenge' and expires_at <= ${now})) and ${isNotPaused}
        order by created_at limit ${limit}::int`,
    z.object({ id: z.string() }),
  );

/**
 * Takes over an attempt whose lease has expired (`abandoned`) or that waits for a challenge. The fencing token increases, so
 * that writes of the previous owner fail. Null: another worker owns it, or it is finished.
 */
export async function claimAttempt(
  db: Conn,
  id: string,
  now: Date,
  leaseUntil: Date,
  held: "abandoned" | "challenge",
): Promise<AttemptRow | null> {
  return queryOne(
    db,
    sql`with claimed as (
          update checkout_attempt set lease_until = ${leaseUntil}, fencing_token = fencing_token + 1,
            state = case when state = 'challenge' then 'held' else state end
          where id = ${id}::uuid and ((${held} = 'abandoned' and ((state in ('held', 'paid') and lease_until <= ${now}) or (state = 'challenge' and expires_at <= ${now})))
            or (${held} = 'challenge' and state = 'challenge'))
          returning *)
        select ${attemptColumns} from claimed a`,
    AttemptRow,
  );
}

/**
 * Deletes attempts that failed before `before`. Attempts are kept while their charge is unsettled or may still be looked up,
 * when it was captured or refunded, or when their payment pays for an order. Attempts of orders are kept as long as the
 * orders, as the record of the plan and key. Returns how many were deleted.
 */
export const deleteFailedAttempts = (db: Conn, before: Date, limit: number): Promise<number> =>
  execute(
    db,
    sql`delete from checkout_attempt where id = any(array(
          select a.id from checkout_attempt a left join payment p on p.id = a.payment_id
          where a.state = 'failed' and a.finished_at < ${before}
            and (p.id is null or (p.state in ('voided', 'failed') and p.look_again_at is null and p.next_key is null))
            and not exists (select 1 from orders o where o.attempt_id = a.id)
            and not exists (select 1 from orders o where o.payment_id = p.id)
            and not exists (select 1 from refund r where r.payment_id = p.id)
          limit ${limit}::int for update of a skip locked))`,
  );

/** Releases an attempt's lease early, so that the next retry can take it over immediately. */
export const releaseAttemptLease = (db: Conn, id: string, now: Date) =>
  execute(
    db,
    sql`update checkout_attempt set lease_until = ${now} where id = ${id}::uuid and state in ('held', 'paid')`,
  );

export interface NewAttempt {
  id: string;
  customerId: CustomerId;
  cartId: number;
  hubId: number;
  deliveryId: number;
  source: "checkout" | "auto";
  choice: StoredChoice;
  plan: CheckoutPlan;
  paymentId: string | null;
  provider: string;
  idempotencyKey: string | null;
  /** The `rate_limit` keys that the payment counts against until it succeeds. */
  countedAs: readonly string[];
  leaseUntil: Date;
  expiresAt: Date;
  now: Date;
}

/** Inserts the attempt, its holds and its payment, and reserves the stock. The caller has locked the offers' rows. */
export async function insertAttempt(
  tx: Conn,
  attempt: NewAttempt,
  holds: readonly { offerId: number; quantity: number }[],
): Promise<void> {
  const { plan, now } = attempt;
  await execute(
    tx,
    sql`with hold as (select * from jsonb_to_recordset(${JSON.stringify(holds)}::jsonb) as h ("offerId" int, quantity int)),
        paid as (
          insert into payment (id, charge_key, customer_id, provider, state, amount_cents, counted_as, created_at)
          select ${attempt.paymentId}::uuid, ${attempt.id}::uuid, ${attempt.customerId}::int, ${attempt.provider}, 'created', ${plan.amountDueCents}::int, ${[...attempt.countedAs]}::text[], ${now}
          where ${attempt.paymentId}::uuid is not null),
        started as (
          insert into checkout_attempt (id, customer_id, cart_id, hub_id, delivery_id, source, state, choice, plan, order_total_cents,
            amount_due_cents, credit_cents, payment_id, idempotency_key, lease_until, expires_at, created_at)
          values (${attempt.id}::uuid, ${attempt.customerId}::int, ${attempt.cartId}::int, ${attempt.hubId}::int, ${attempt.deliveryId}::int,
            ${attempt.source}, 'held', ${JSON.stringify(attempt.choice)}::jsonb, ${JSON.stringify(plan)}::jsonb, ${plan.orderTotalCents}::int,
            ${plan.amountDueCents}::int, ${plan.creditCents}::int, ${attempt.paymentId}::uuid, ${attempt.idempotencyKey}, ${attempt.leaseUntil},
            ${attempt.expiresAt}, ${now})),
        held as (
          insert into stock_hold (attempt_id, offer_id, quantity, expires_at)
          select ${attempt.id}::uuid, "offerId", quantity, ${attempt.expiresAt} from hold)
        update offer o set inventory = o.inventory - hold.quantity,
          sold_out_at = case when o.inventory = hold.quantity then ${now}::timestamptz else o.sold_out_at end
        from hold where o.id = hold."offerId"`,
  );
}

/**
 * Releases the stock of an attempt whose challenge is open longer than stock is held; the challenge stays open until `until`
 * (failures.md A6). False when the fencing token is stale.
 */
export async function parkChallenge(
  tx: Conn,
  attempt: { id: string; fencing_token: number },
  until: Date,
): Promise<boolean> {
  const parked = await execute(
    tx,
    sql`update checkout_attempt set state = 'challenge', expires_at = ${until}
        where id = ${attempt.id}::uuid and fencing_token = ${attempt.fencing_token}::int and state in ('held', 'paid')`,
  );
  if (parked === 1) await releaseHolds(tx, attempt.id);
  return parked === 1;
}

/** Locks an attempt that this worker owns. False: it is finished, or another worker has taken it over (failures.md C7). */
export const lockOwn = async (tx: Conn, attempt: { id: string; fencing_token: number }): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select true as own from checkout_attempt
        where id = ${attempt.id}::uuid and fencing_token = ${attempt.fencing_token}::int and state in ('held', 'paid') for update`,
    z.object({ own: z.boolean() }),
  )) !== null;

export interface Failure {
  status: number;
  message: string;
  code: string;
}

/** Marks an attempt failed. False when it is finished or another worker has taken it over (stale fencing token). */
export async function failAttempt(
  tx: Conn,
  attempt: { id: string; fencing_token: number },
  failure: Failure,
  now: Date,
): Promise<boolean> {
  const rows = await query(
    tx,
    sql`update checkout_attempt set state = 'failed', failure = ${JSON.stringify(failure)}::jsonb, finished_at = ${now}
        where id = ${attempt.id}::uuid and fencing_token = ${attempt.fencing_token}::int and state in ('held', 'paid', 'challenge')
        returning id::text as id`,
    z.object({ id: z.string() }),
  );
  return rows.length > 0;
}

/** Attempts with a charge that pays for no order and still needs to be voided, oldest first: failed ones, and ones with only cancelled orders. */
export const findChargesToVoid = (db: Conn, before: Date, isNotPaused: Sql, limit: number): Promise<{ id: string }[]> =>
  query(
    db,
    sql`(select a.id::text as id, a.finished_at from payment p join checkout_attempt a on a.payment_id = p.id
         where p.state in ('created', 'challenge') and a.state = 'failed' and a.finished_at <= ${before} and ${isNotPaused})
        union all
        (select a.id::text as id, a.finished_at from orders o join payment p on p.id = o.payment_id join checkout_attempt a on a.payment_id = p.id
         where o.status = 'cancelled' and p.state = 'authorized' and o.cancelled_at <= ${before}
           and not exists (select 1 from orders x where x.payment_id = p.id and x.status <> 'cancelled') and ${isNotPaused})
        order by finished_at limit ${limit}::int`,
    z.object({ id: z.string(), finished_at: z.date() }),
  );

/** Whether the attempt's charge pays for an order that is not cancelled. */
export const paysForOrders = async (db: Conn, attemptId: string): Promise<boolean> =>
  (await queryOne(
    db,
    sql`select true as pays from checkout_attempt a join orders o on o.payment_id = a.payment_id
        where a.id = ${attemptId}::uuid and o.status <> 'cancelled' limit 1`,
    z.object({ pays: z.boolean() }),
  )) !== null;

/**
 * Marks the attempt's payment voided, or failed when the card was declined. A charge that the provider does not know
 * (`isKnown` false), or that was being replaced by a new authorization, is looked up again later (`find-orphaned-charges.ts`).
 */
export const markVoided = (db: Conn, attemptId: string, isKnown: boolean, now: Date) =>
  execute(
    db,
    sql`update payment p set state = case when (a.failure->>'status')::int = 402 and p.state <> 'authorized' then 'failed' else 'voided' end,
          counted_as = '{}',
          unseen_since = case when not ${isKnown}::boolean or p.next_key is not null then ${now}::timestamptz end,
          look_again_at = case when not ${isKnown}::boolean or p.next_key is not null then ${now}::timestamptz end
        from checkout_attempt a
        where a.id = ${attemptId}::uuid and p.id = a.payment_id and p.state in ('created', 'challenge', 'authorized')`,
  );

/**
 * Extends the lease before the payment is authorized. False: the attempt is finished, or another worker has taken it over
 * (failures.md C7).
 */
export const extendLease = async (
  db: Conn,
  attempt: { id: string; fencing_token: number },
  until: Date,
): Promise<boolean> =>
  (await execute(
    db,
    sql`update checkout_attempt set lease_until = ${until}
        where id = ${attempt.id}::uuid and fencing_token = ${attempt.fencing_token}::int and state = 'held'`,
  )) === 1;

/** Marks the attempt as waiting for the bank's challenge until its hold expires. False when the fencing token is stale. */
export async function awaitChallenge(
  tx: Conn,
  attempt: { id: string; fencing_token: number },
  providerRef: string,
): Promise<boolean> {
  const rows = await query(
    tx,
    sql`with waiting as (
          update checkout_attempt set state = 'challenge' where id = ${attempt.id}::uuid and fencing_token = ${attempt.fencing_token}::int and state = 'held'
          returning id, payment_id),
        challenged as (
          update payment p set state = 'challenge', provider_ref = ${providerRef} from waiting where p.id = waiting.payment_id)
        select id::text as id from waiting`,
    z.object({ id: z.string() }),
  );
  return rows.length > 0;
}
