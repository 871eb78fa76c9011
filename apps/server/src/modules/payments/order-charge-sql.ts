import { type Conn, execute, insertJobs, query, queryOne, type Sql, sql, type AnyTx, waits } from "@marketday/db";
import { msBetween } from "@marketday/domain/time";
import { z } from "zod";

import { mayBecome } from "./payment-transitions.ts";

const IdRow = z.object({ id: z.number() });

/**
 * The condition of an order `o` that is closed, owes money to a card, and is neither captured nor written off. The payment is
 * read by its key in scalar subqueries: as an anti join the planner compared every order of a large day with every payment
 * when it had no statistics of the day's new rows, and ran into the statement timeout.
 */
const owes = sql`o.status in ('pending', 'closed') and o.customer_id is not null and o.written_off_at is null
  and coalesce((select y.state <> 'captured' and y.provider <> 'offline' from payment y where y.id = o.payment_id), true)
  and (o.order_total_cents > o.credit_cents or (select y.state = 'authorized' from payment y where y.id = o.payment_id))`;

/** One job for each charge; its key is `chargeKey` of its orders. Its data: the order, and `aheadMs`. */
export const CHARGES = "charge";
/** The dead letters of `CHARGES`, with the same data. */
export const STOPPED_CHARGES = "charge-stopped";
/** The priority of a charge that an operator waits for; the others have 0. */
export const AT_ONCE = 1;

/** The data of a charge's job. */
export interface ChargeData {
  orderId: number;
  /** How far the run's time is ahead of the clock (`market jobs run --at`). */
  aheadMs: number;
}

/** The orders `x` of an order `o`'s day that one charge pays for. */
const sharesCharge = sql`(x.id = o.id or (x.payment_id = o.payment_id and x.delivery_id = o.delivery_id))`;
/** The key of the job that charges an order `o`: the first order of its day that the same charge pays for. */
const chargeKey = sql`(select min(x.id) from orders x where ${sharesCharge})`;

/** The condition that an order `o` is being charged, or waits for a worker that charges it. */
export const isCharging = waits(CHARGES, chargeKey);

/** Set-aside orders are charged again when their time has come, the others at once. `now` includes `aheadMs`. */
const isDue = (now: Date): Sql => sql`(o.charge_failed_at is null or o.charge_next_at <= ${now})`;

/** Inserts a job for each charge of orders `o`; one that has a job keeps it. Returns the number of jobs. */
const insertCharges = (tx: Conn, orders: Sql, clock: Date, aheadMs: number, priority = 0): Promise<number> =>
  execute(
    tx,
    insertJobs(
      CHARGES,
      // A clock that is ahead of Postgres's delays no job.
      sql`select due.key::text as key, jsonb_build_object('orderId', due.key, 'aheadMs', ${aheadMs}::float8) as data,
            least(${clock}::timestamptz, now()) as start_after, null::int as retry_limit
          from (select ${chargeKey} as key from orders o where ${owes} and ${orders}) due group by due.key order by due.key`,
      priority,
    ),
  );

/** Enqueues the charges of boxes that are frozen in this transaction. */
export const enqueueFrozen = (tx: AnyTx, deliveryId: number, boxes: readonly number[], clock: Date) =>
  insertCharges(
    tx,
    sql`o.delivery_id = ${deliveryId}::int and coalesce(o.add_on_to_id, o.id) = any(${[...boxes]}::int[])`,
    clock,
    0,
  );

/** The condition of orders `o` of a delivery day that are still to be charged for the first time. */
const isUncharged = (deliveryId: number): Sql =>
  sql`o.delivery_id = ${deliveryId}::int and o.status = 'pending' and o.charge_failed_at is null`;

/** Whether a delivery day has orders that are still to be charged for the first time. */
export const hasUncharged = async (db: Conn, deliveryId: number): Promise<boolean> =>
  (await queryOne(db, sql`select o.id from orders o where ${isUncharged(deliveryId)} and ${owes} limit 1`, IdRow)) !==
  null;

/**
 * Enqueues the charges of a frozen delivery day that have no job: after a restored backup, which leaves the queues out, and when
 * a server of the version before froze the day. Those that have one keep it, without being looked for: that takes seconds where
 * Postgres does not know yet how many jobs there are.
 */
export const enqueueUncharged = (db: Conn, deliveryId: number, clock: Date) =>
  insertCharges(db, isUncharged(deliveryId), clock, 0);

/** Charges that one statement enqueues. */
const BATCH = 1000;

/** Enqueues the orders that are due to be charged again by `now` and have no job, oldest first. */
export const enqueueDue = (db: Conn, now: Date, clock: Date) =>
  insertCharges(
    db,
    sql`o.id = any(array(select o.id from orders o where o.charge_next_at <= ${now} and ${owes} and not ${isCharging}
          order by o.charge_next_at, o.id limit ${BATCH}::int))`,
    clock,
    msBetween(clock, now),
  );

const KeyRow = z.object({ key: z.number() });

/**
 * Makes an order due and enqueues its charge for an operator who waits. `key`: of the job, as in its data. `isEnqueued`: false
 * when it owes nothing, or has a job.
 */
export async function enqueueAtOnce(
  tx: AnyTx,
  orderId: number,
  clock: Date,
): Promise<{ key: number | null; isEnqueued: boolean }> {
  await execute(
    tx,
    sql`update orders x set charge_next_at = ${clock} from orders o where o.id = ${orderId}::int and ${sharesCharge} and x.charge_failed_at is not null`,
  );
  const order = sql`o.id = ${orderId}::int and o.status in ('pending', 'closed')`;
  const found = await queryOne(tx, sql`select ${chargeKey} as key from orders o where ${order}`, KeyRow);
  return { key: found?.key ?? null, isEnqueued: (await insertCharges(tx, order, clock, 0, AT_ONCE)) > 0 };
}

/** Whether an order is being charged, or waits for a worker that charges it. */
export const hasChargeJob = async (db: Conn, orderId: number): Promise<boolean> =>
  (await queryOne(db, sql`select o.id from orders o where o.id = ${orderId}::int and ${isCharging}`, IdRow)) !== null;

const PaymentRow = z.object({
  id: z.string(),
  charge_key: z.string(),
  provider: z.string(),
  provider_ref: z.string().nullable(),
  state: z.enum(["created", "authorized"]),
  amount_cents: z.number(),
  /** The provider's reference of the saved card that pays; null: it was not saved, or is removed. */
  method_ref: z.string().nullable(),
});
/** A payment of an order that is not captured yet. */
export type OpenPayment = z.infer<typeof PaymentRow>;

const DueRow = z.object({
  order_ids: z.array(z.number()),
  customer_id: z.number(),
  due_cents: z.number(),
  tries: z.number(),
  /** The orders' payment, in any state. */
  payment_id: z.string().nullable(),
  payment: PaymentRow.nullable(),
  method: z.object({ id: z.number(), provider_ref: z.string() }).nullable(),
});
/** Orders of one day and one charge. */
export type DueCharge = z.infer<typeof DueRow>;

/**
 * Locks an order, with the others of its day that the same charge pays for, and reads what it takes to charge them. Null: there
 * is nothing to charge. With a lock, an operator's change of the orders is either complete, or waits and finds their job.
 * @param dueBy set-aside orders that are due later are left out; null: they are not
 */
export async function loadCharge(
  tx: AnyTx,
  orderId: number,
  provider: string,
  dueBy: Date | null,
): Promise<DueCharge | null> {
  const locked = await query(
    tx,
    sql`select x.id from orders o join orders x on ${sharesCharge} where o.id = ${orderId}::int order by x.id for update of x`,
    IdRow,
  );
  // Another statement, which sees what was written while this one waited for the locks.
  return queryOne(
    tx,
    sql`with due as (
          select o.* from orders o join orders x on ${sharesCharge}
          where x.id = ${orderId}::int and o.id = any(${locked.map(({ id }) => id)}::int[]) and ${owes}
            and ${dueBy === null ? sql`true` : isDue(dueBy)})
        select array_agg(o.id order by o.id) as order_ids, min(o.customer_id) as customer_id, sum(o.order_total_cents - o.credit_cents)::int as due_cents,
          max(o.charge_tries) as tries, min(o.payment_id::text) as payment_id,
          (select jsonb_build_object('id', p.id, 'charge_key', p.charge_key, 'provider', p.provider, 'provider_ref', p.provider_ref, 'state', p.state,
             'amount_cents', p.amount_cents, 'method_ref', m.provider_ref)
           from payment p left join payment_method m on m.id = p.payment_method_id and m.deleted_at is null
           where p.id = min(o.payment_id::text)::uuid and p.state in ('created', 'authorized')) as payment,
          (select jsonb_build_object('id', m.id, 'provider_ref', m.provider_ref) from payment_method m
           where m.customer_id = min(o.customer_id) and m.is_default and m.deleted_at is null and m.provider = ${provider}) as method
        from due o having count(*) > 0`,
    DueRow,
  );
}

const WaivedRow = z.object({ id: z.number(), cents: z.number() });

/** Waives what these orders have due. Returns the orders and the cents waived. */
export const waive = (tx: AnyTx, orderIds: readonly number[]): Promise<z.infer<typeof WaivedRow>[]> =>
  query(
    tx,
    sql`with rests as (
          select id, order_total_cents - credit_cents as cents from orders where id = any(${[...orderIds]}::int[]) and order_total_cents > credit_cents)
        update orders o set waived_cents = o.waived_cents + r.cents, order_total_cents = o.order_total_cents - r.cents
        from rests r where o.id = r.id returning o.id, r.cents`,
    WaivedRow,
  );

/**
 * Writes the payment that is about to be requested, and links its orders to it; false when theirs is no longer `replaces`.
 * Servers of the version before have no jobs and lease the orders in `charge_lease_until`.
 */
export const insertCharge = async (
  tx: AnyTx,
  due: DueCharge,
  payment: { id: string; replaces: string | null; provider: string; methodId: number },
  now: Date,
): Promise<boolean> =>
  (await execute(
    tx,
    sql`with free as (
          select o.id from orders o
          where o.id = any(${due.order_ids}::int[]) and o.payment_id is not distinct from ${payment.replaces}::uuid
            and (o.charge_lease_until is null or o.charge_lease_until <= ${now}) order by o.id for update),
        made as (
          insert into payment (id, charge_key, customer_id, provider, state, amount_cents, payment_method_id, created_at)
          select ${payment.id}::uuid, ${payment.id}::uuid, ${due.customer_id}::int, ${payment.provider}, 'created', ${due.due_cents}::int,
            ${payment.methodId}::int, ${now} where (select count(*)::int from free) = ${due.order_ids.length}::int returning id)
        update orders o set payment_id = made.id from made, free where o.id = free.id`,
  )) > 0;

/** A hold that was to replace this one may be there already: it is looked for and released. */
const lookForNext = (now: Date) => sql`unseen_since = case when next_key is not null then ${now}::timestamptz end,
  look_again_at = case when next_key is not null then ${now}::timestamptz end`;

const PaymentIdRow = z.object({ id: z.string() });

/**
 * The money is taken, or with nothing due the hold is released: the payment says so, once, and is over for its orders of
 * other days, which get a charge of their own. False: it was recorded before.
 */
export async function recordCapture(
  tx: AnyTx,
  due: Pick<DueCharge, "order_ids" | "due_cents">,
  paymentId: string,
  now: Date,
): Promise<boolean> {
  const state = due.due_cents > 0 ? "captured" : "voided";
  const rows = await query(
    tx,
    sql`with taken as (
          update payment set state = ${state}, captured_cents = ${due.due_cents}::int, ${lookForNext(now)}
          where id = ${paymentId}::uuid and ${mayBecome(state, ["authorized"])} returning id),
        others as (
          update orders o set payment_id = null, charge_next_at = case when o.status in ('pending', 'closed') then ${now}::timestamptz else o.charge_next_at end
          from taken where o.payment_id = taken.id and not o.id = any(${due.order_ids}::int[]) and o.status in ('future', 'open', 'pending', 'closed'))
        select id::text as id from taken`,
    PaymentIdRow,
  );
  return rows.length > 0;
}

const ReleasedRow = z.object({
  id: z.string(),
  charge_key: z.string(),
  provider_ref: z.string().nullable(),
  customer_id: z.number(),
});
/** A payment that pays for nothing any more and is still to be voided at the provider. */
export type Released = z.infer<typeof ReleasedRow>;

/**
 * Ends the card payment of an order that is paid otherwise, written off or cancelled; its orders of other days get a charge
 * of their own. Null: there is none. It is voided at the provider after the commit (`voidReleased`); until that went
 * through, `find-orphaned-charges.ts` looks for it.
 */
export const releaseCharge = (tx: AnyTx, orderId: number, now: Date): Promise<Released | null> =>
  queryOne(
    tx,
    sql`with gone as (
          update payment p set state = 'voided', unseen_since = ${now}, look_again_at = ${now} from orders o
          where o.id = ${orderId}::int and p.id = o.payment_id and ${mayBecome("voided", ["created", "authorized"])} and p.provider <> 'offline'
          returning p.id, p.charge_key, p.provider_ref, p.customer_id),
        others as (
          update orders o set payment_id = null, charge_next_at = case when o.status in ('pending', 'closed') then ${now}::timestamptz else o.charge_next_at end
          from gone where o.payment_id = gone.id and o.id <> ${orderId}::int and o.status in ('future', 'open', 'pending', 'closed'))
        select id::text as id, charge_key::text as charge_key, provider_ref, customer_id from gone where customer_id is not null`,
    ReleasedRow,
  );
