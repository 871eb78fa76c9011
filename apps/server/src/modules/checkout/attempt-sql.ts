import { type AnyTx, type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { ATTEMPT_STATES, type AttemptState, attemptTransitions } from "@marketday/domain/checkout";
import { openStates, statesBefore } from "@marketday/domain/order";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { CheckoutPlan, StoredChoice } from "../orders/plan.ts";
import { paymentChallenged, paymentInsert, type NewPayment } from "../payments/charge-sql.ts";
import { presentMark, releaseHolds, stockHold, type Units } from "../stock/stock-sql.ts";
import type { Failure } from "./outcome.ts";

const StoredFailure: z.ZodType<Failure> = z.object({
  code: z.string() as z.ZodType<Failure["code"]>,
  message: z.string(),
});

const AttemptRow = z.object({
  id: z.string(),
  customer_id: z.number(),
  cart_id: z.number().nullable(),
  hub_id: z.number(),
  source: z.enum(["checkout", "auto"]),
  state: z.enum(ATTEMPT_STATES),
  choice: StoredChoice,
  plan: CheckoutPlan,
  amount_due_cents: z.number(),
  payment_id: z.string().nullable(),
  failure: StoredFailure.nullable(),
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

/** An attempt with the fencing token under which a worker owns it. */
export type OwnedAttempt = Pick<AttemptRow, "id" | "fencing_token">;

/** The condition that the attempt may change to `to` and that this worker still owns it. */
const mayBecome = (attempt: OwnedAttempt, to: AttemptState): Sql =>
  sql`id = ${attempt.id}::uuid and fencing_token = ${attempt.fencing_token}::int and state = any(${statesBefore(attemptTransitions, to)}::text[])`;

/** The condition of an attempt that is not finished. */
const isLive = sql`state = any(${openStates(attemptTransitions)}::text[])`;

const attemptColumns = sql`a.id::text as id, a.customer_id, a.cart_id, a.hub_id, a.source, a.state, a.choice, a.plan, a.amount_due_cents,
  a.payment_id::text as payment_id, a.failure, a.idempotency_key, a.lease_until, a.fencing_token, a.expires_at, a.created_at,
  coalesce((select p.charge_key from payment p where p.id = a.payment_id), a.id)::text as charge_key,
  (select p.provider_ref from payment p where p.id = a.payment_id) as provider_ref,
  coalesce((select array_agg(o.id order by o.attempt_part) from orders o where o.attempt_id = a.id), '{}') as order_ids`;

/** The cart's unfinished attempt; at most one (`checkout_attempt_live_key`). Another server may finish it at any moment. */
export const findLiveAttempt = (tx: Conn, cartId: number): Promise<AttemptRow | null> =>
  queryOne(
    tx,
    sql`select ${attemptColumns} from checkout_attempt a
        where a.cart_id = ${cartId}::int and ${isLive} order by a.created_at desc limit 1`,
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

/** The name of a `checkout_attempt` among the failures of jobs: `checkout {id}`. */
export const attemptSubject = sql`'checkout ' || checkout_attempt.id`;

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
        where ((state = 'held' and lease_until <= ${now}) or (state = 'challenge' and expires_at <= ${now})) and ${isNotPaused}
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
          where id = ${id}::uuid and ((${held} = 'abandoned' and ((state = 'held' and lease_until <= ${now}) or (state = 'challenge' and expires_at <= ${now})))
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

export interface NewAttempt {
  id: string;
  customerId: CustomerId;
  cartId: number;
  hubId: number;
  source: "checkout" | "auto";
  choice: StoredChoice;
  plan: CheckoutPlan;
  /** Null: nothing is due. */
  payment: NewPayment | null;
  idempotencyKey: string | null;
  leaseUntil: Date;
  expiresAt: Date;
  now: Date;
}

/**
 * Inserts the attempt with its payment and reserves its stock. The caller has locked the offers' rows.
 * @returns the attempt as stored; its charge has the attempt's id as its key
 */
export async function insertAttempt(tx: AnyTx, attempt: NewAttempt, units: readonly Units[]): Promise<AttemptRow> {
  const { plan, now } = attempt;
  const row = await queryOne(
    tx,
    sql`with ${attempt.payment ? sql`paid as (${paymentInsert(attempt.payment)}),` : sql``}
        ${stockHold(attempt.id, units, attempt.expiresAt, now)},
        inserted as (insert into checkout_attempt (id, customer_id, cart_id, hub_id, delivery_id, source, state, choice, plan, order_total_cents,
          amount_due_cents, credit_cents, payment_id, idempotency_key, lease_until, expires_at, stock_mark, created_at)
        values (${attempt.id}::uuid, ${attempt.customerId}::int, ${attempt.cartId}::int, ${attempt.hubId}::int, ${plan.orders[0]!.deliveryId}::int,
          ${attempt.source}, 'held', ${JSON.stringify(attempt.choice)}::jsonb, ${JSON.stringify(plan)}::jsonb, ${plan.orderTotalCents}::int,
          ${plan.amountDueCents}::int, ${plan.creditCents}::int, ${attempt.payment?.id ?? null}::uuid, ${attempt.idempotencyKey},
          ${attempt.leaseUntil}, ${attempt.expiresAt}, ${presentMark}, ${now}) returning *)
        select ${attemptColumns} from inserted a`,
    AttemptRow,
  );
  return row!;
}

/** Whether the attempt holds its stock. Null: it is finished, or another worker has taken it over. */
export const findOwnHold = (db: Conn, attempt: OwnedAttempt): Promise<{ is_held: boolean } | null> =>
  queryOne(
    db,
    sql`select exists (select 1 from stock_hold h where h.attempt_id = checkout_attempt.id) as is_held
        from checkout_attempt where ${mayBecome(attempt, "placed")}`,
    z.object({ is_held: z.boolean() }),
  );

/** Locks an attempt that this worker owns. False: it is finished, or another worker has taken it over (failures.md C7). */
export const lockOwn = async (tx: AnyTx, attempt: OwnedAttempt): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select true as own from checkout_attempt where ${mayBecome(attempt, "placed")} for update`,
    z.object({ own: z.boolean() }),
  )) !== null;

/** Locks an attempt that may fail, as it was read. False: it is finished, or a worker has claimed it since. */
export const lockUnclaimed = async (tx: AnyTx, attempt: OwnedAttempt): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select true as own from checkout_attempt where ${mayBecome(attempt, "failed")} for update`,
    z.object({ own: z.boolean() }),
  )) !== null;

/** Marks an attempt failed. False when it is finished or another worker has taken it over. */
export const markFailed = async (
  tx: AnyTx,
  attempt: OwnedAttempt,
  { code, message }: Failure,
  now: Date,
): Promise<boolean> =>
  (await execute(
    tx,
    sql`update checkout_attempt set state = 'failed', failure = ${JSON.stringify({ code, message })}::jsonb, finished_at = ${now}
        where ${mayBecome(attempt, "failed")}`,
  )) === 1;

/** Marks an attempt placed. False when it is finished or another worker has taken it over. */
export const markPlaced = async (tx: AnyTx, attempt: OwnedAttempt, now: Date): Promise<boolean> =>
  (await execute(
    tx,
    sql`update checkout_attempt set state = 'placed', finished_at = ${now} where ${mayBecome(attempt, "placed")}`,
  )) === 1;

/**
 * Marks the attempt as waiting for the bank's challenge until `until`, and its payment with the provider's reference. With
 * `releaseStock` the reserved units are released: the challenge is open longer than stock is held (failures.md A6). False
 * when the attempt is finished or another worker has taken it over.
 */
export async function markChallenge(
  tx: AnyTx,
  attempt: OwnedAttempt,
  challenge: { providerRef: string; until: Date; releaseStock: boolean; now: Date },
): Promise<boolean> {
  const waiting = await queryOne(
    tx,
    sql`with waiting as (
          update checkout_attempt set state = 'challenge', expires_at = ${challenge.until} where ${mayBecome(attempt, "challenge")} returning payment_id),
        ${paymentChallenged(sql`waiting`, challenge.providerRef)}
        select true as own from waiting`,
    z.object({ own: z.boolean() }),
  );
  if (waiting && challenge.releaseStock) await releaseHolds(tx, attempt.id, challenge.now);
  return waiting !== null;
}
