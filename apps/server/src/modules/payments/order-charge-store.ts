import { type Conn, execute, query, queryOne, sql, type SqlTx } from "@marketday/db";
import { z } from "zod";

const IdRow = z.object({ id: z.number() });

/**
 * The condition of an order `o` that is closed, owes money to a card, and is neither captured nor written off. The payment is
 * read by its key in scalar subqueries: as an anti join the planner compared every order of a large day with every payment
 * when it had no statistics of the day's new rows, and ran into the statement timeout.
 */
const owes = sql`o.status in ('pending', 'closed') and o.customer_id is not null and o.written_off_at is null
  and coalesce((select y.state <> 'captured' and y.provider <> 'offline' from payment y where y.id = o.payment_id), true)
  and (o.order_total_cents > o.credit_cents or (select y.state = 'authorized' from payment y where y.id = o.payment_id))`;

/** Orders of a delivery day that are still to be charged for the first time, one for each charge, in id order. */
export const findUncharged = async (db: Conn, deliveryId: number): Promise<number[]> =>
  (
    await query(
      db,
      sql`select min(o.id) as id from orders o
          where o.delivery_id = ${deliveryId}::int and o.status = 'pending' and o.charge_failed_at is null and ${owes}
          group by coalesce(o.payment_id::text, 'order ' || o.id) order by 1`,
      IdRow,
    )
  ).map(({ id }) => id);

/** Set-aside orders that are due to be charged again, oldest first. */
export const findDueCharges = async (db: Conn, now: Date, limit: number): Promise<number[]> =>
  (
    await query(
      db,
      sql`select o.id from orders o where o.charge_next_at <= ${now} and ${owes} order by o.charge_next_at, o.id limit ${limit}::int`,
      IdRow,
    )
  ).map(({ id }) => id);

const SetAsideRow = z.object({
  id: z.number(),
  status: z.string(),
  hub: z.string(),
  day: z.string(),
  due_cents: z.number(),
  since: z.date(),
  tries: z.number(),
  next_at: z.date().nullable(),
  reason: z.string(),
});
/** A closed order that could not be charged. Cents. */
export type SetAside = z.infer<typeof SetAsideRow>;

/** Every set-aside order, or those of one delivery day, in id order. */
export const findSetAside = (db: Conn, deliveryId: number | null): Promise<SetAside[]> =>
  query(
    db,
    sql`select o.id, o.status, h.slug as hub, to_char(d.day, 'YYYY-MM-DD') as day, o.order_total_cents - o.credit_cents as due_cents,
          o.charge_failed_at as since, o.charge_tries as tries, o.charge_next_at as next_at, coalesce(o.charge_error, '') as reason
        from orders o join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id
        where o.charge_failed_at is not null and (${deliveryId}::int is null or o.delivery_id = ${deliveryId}::int) order by o.id`,
    SetAsideRow,
  );

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
  payment: PaymentRow.nullable(),
  method: z.object({ id: z.number(), provider_ref: z.string() }).nullable(),
});
/** Orders of one day and one charge, leased to one charger. */
export interface DueCharge extends z.infer<typeof DueRow> {
  lease: Date;
}

/**
 * Leases an order, with the others of its day that the same charge pays for, and reads what it takes to charge them. Null:
 * there is nothing to charge, or it is leased to someone else. A charger that dies is followed by the next run of the job.
 */
export async function claimCharge(
  tx: SqlTx,
  orderId: number,
  provider: string,
  now: Date,
  lease: Date,
): Promise<DueCharge | null> {
  // The order's own row first: two chargers of orders with one payment wait for each other here.
  const [first] = await query(tx, sql`select id from orders where id = ${orderId}::int for update`, IdRow);
  if (!first) return null;
  const claimed = await query(
    tx,
    sql`update orders o set charge_lease_until = ${lease}, charge_next_at = ${lease} from orders x
        where x.id = ${orderId}::int and (o.id = x.id or (o.payment_id = x.payment_id and o.delivery_id = x.delivery_id))
          and (o.charge_lease_until is null or o.charge_lease_until <= ${now}) and ${owes}
        returning o.id`,
    IdRow,
  );
  if (!claimed.some(({ id }) => id === orderId)) return null;
  const due = await queryOne(
    tx,
    sql`select array_agg(o.id order by o.id) as order_ids, min(o.customer_id) as customer_id, sum(o.order_total_cents - o.credit_cents)::int as due_cents,
          max(o.charge_tries) as tries,
          (select jsonb_build_object('id', p.id, 'charge_key', p.charge_key, 'provider', p.provider, 'provider_ref', p.provider_ref, 'state', p.state,
             'amount_cents', p.amount_cents, 'method_ref', m.provider_ref)
           from payment p left join payment_method m on m.id = p.payment_method_id and m.deleted_at is null
           where p.id::text = min(o.payment_id::text) and p.state in ('created', 'authorized')) as payment,
          (select jsonb_build_object('id', m.id, 'provider_ref', m.provider_ref) from payment_method m
           where m.customer_id = min(o.customer_id) and m.is_default and m.deleted_at is null and m.provider = ${provider}) as method
        from orders o where o.id = any(${claimed.map(({ id }) => id)}::int[])`,
    DueRow,
  );
  return due && { ...due, lease };
}

/** Whether someone is charging this order at the moment. */
export const isLeased = async (db: Conn, orderId: number, now: Date): Promise<boolean> =>
  (await queryOne(db, sql`select id from orders where id = ${orderId}::int and charge_lease_until > ${now}`, IdRow)) !==
  null;

/** Gives the lease of orders back that stay as they are; the job charges them again at `nextAt`. */
export const releaseLease = (db: Conn, due: DueCharge, nextAt: Date) =>
  execute(
    db,
    sql`update orders set charge_lease_until = null, charge_next_at = ${nextAt} where id = any(${due.order_ids}::int[]) and charge_lease_until = ${due.lease}`,
  );

/** The set-aside ones among an order and its add-ons whose money the provider may hold or have taken. */
export const findUnclear = async (db: Conn, orderId: number, provider: string): Promise<number[]> =>
  (
    await query(
      db,
      sql`select o.id from orders o join payment p on p.id = o.payment_id
          where (o.id = ${orderId}::int or o.add_on_to_id = ${orderId}::int) and o.charge_failed_at is not null
            and p.state in ('created', 'authorized') and p.provider = ${provider} order by o.id`,
      IdRow,
    )
  ).map(({ id }) => id);

/** Writes the payment that is about to be requested, and links its orders to it; false when they have another one by now. */
export const insertCharge = async (
  tx: SqlTx,
  due: DueCharge,
  payment: { id: string; provider: string; methodId: number },
  now: Date,
): Promise<boolean> =>
  (await execute(
    tx,
    sql`with made as (
          insert into payment (id, charge_key, customer_id, provider, state, amount_cents, payment_method_id, created_at)
          values (${payment.id}::uuid, ${payment.id}::uuid, ${due.customer_id}::int, ${payment.provider}, 'created', ${due.due_cents}::int,
            ${payment.methodId}::int, ${now}) returning id)
        update orders o set payment_id = made.id from made
        where o.id = any(${due.order_ids}::int[]) and o.charge_lease_until = ${due.lease}
          and not exists (select 1 from payment p where p.id = o.payment_id and p.state in ('created', 'authorized', 'captured'))`,
  )) > 0;

/** The provider holds the money; false when the payment was released meanwhile. */
export const markAuthorized = async (db: Conn, paymentId: string, ref: string, now: Date): Promise<boolean> =>
  (await execute(
    db,
    sql`update payment set state = 'authorized', provider_ref = ${ref}, authorized_at = ${now} where id = ${paymentId}::uuid and state = 'created'`,
  )) === 1;

/** The provider refused the payment, or released it: its orders have none. `isKnown`: nothing is held for it. */
export const failCharge = (tx: SqlTx, paymentId: string, isKnown: boolean, now: Date) =>
  execute(
    tx,
    sql`with failed as (
          update payment set state = 'failed', unseen_since = case when not ${isKnown}::boolean then ${now}::timestamptz end,
            look_again_at = case when not ${isKnown}::boolean then ${now}::timestamptz end
          where id = ${paymentId}::uuid and state = 'created' returning id)
        update orders o set payment_id = null from failed where o.payment_id = failed.id and o.status <> 'cancelled'`,
  );

/** A hold that was to replace this one may be there already: it is looked for and released. */
const lookForNext = (now: Date) => sql`unseen_since = case when next_key is not null then ${now}::timestamptz end,
  look_again_at = case when next_key is not null then ${now}::timestamptz end`;

const PaymentIdRow = z.object({ id: z.string() });

/** The bank released the hold of a payment: its orders have no charge. False: the payment is captured or released by now. */
export const dropHold = async (tx: SqlTx, paymentId: string, now: Date): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`with gone as (update payment set state = 'voided', ${lookForNext(now)} where id = ${paymentId}::uuid and state = 'authorized' returning id),
          freed as (
            update orders o set payment_id = null from gone where o.payment_id = gone.id and o.status in ('future', 'open', 'pending', 'closed'))
        select id::text as id from gone`,
    PaymentIdRow,
  )) !== null;

/**
 * The money is taken, or with nothing due the hold is released: the payment says so, once, and is over for its orders of
 * other days, which get a charge of their own. False: it was recorded before.
 */
export async function recordCapture(tx: SqlTx, due: DueCharge, paymentId: string, now: Date): Promise<boolean> {
  const rows = await query(
    tx,
    sql`with taken as (
          update payment set state = ${due.due_cents > 0 ? "captured" : "voided"}, captured_cents = ${due.due_cents}::int, ${lookForNext(now)}
          where id = ${paymentId}::uuid and state = 'authorized' returning id),
        others as (
          update orders o set payment_id = null, charge_next_at = case when o.status in ('pending', 'closed') then ${now}::timestamptz else o.charge_next_at end
          from taken where o.payment_id = taken.id and not o.id = any(${due.order_ids}::int[]) and o.status in ('future', 'open', 'pending', 'closed'))
        select id::text as id from taken`,
    PaymentIdRow,
  );
  return rows.length > 0;
}

/** These orders are no longer set aside: they are paid, written off or cancelled. */
export const clearSetAside = (tx: Conn, orderIds: readonly number[]) =>
  execute(
    tx,
    sql`update orders set charge_failed_at = null, charge_error = null, charge_tries = 0, charge_next_at = null, charge_lease_until = null
        where id = any(${[...orderIds]}::int[])`,
  );

/** Sets orders aside with the reason, while the lease is still held; false when another charger took them over. */
export const setAside = async (
  tx: SqlTx,
  due: DueCharge,
  failure: { reason: string; nextAt: Date | null },
  now: Date,
): Promise<boolean> =>
  (await execute(
    tx,
    sql`update orders set charge_failed_at = coalesce(charge_failed_at, ${now}::timestamptz), charge_error = ${failure.reason}, charge_tries = charge_tries + 1,
          charge_next_at = ${failure.nextAt}::timestamptz, charge_lease_until = null
        where id = any(${due.order_ids}::int[]) and charge_lease_until = ${due.lease} and status in ('pending', 'closed')`,
  )) > 0;

/** A customer's set-aside orders are charged again at once: there is another card. */
export const chargeAgain = (tx: Conn, customerId: number, now: Date) =>
  execute(
    tx,
    sql`update orders set charge_next_at = ${now} where customer_id = ${customerId}::int and charge_failed_at is not null`,
  );

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
export const releaseCharge = (tx: SqlTx, orderId: number, now: Date): Promise<Released | null> =>
  queryOne(
    tx,
    sql`with gone as (
          update payment p set state = 'voided', unseen_since = ${now}, look_again_at = ${now} from orders o
          where o.id = ${orderId}::int and p.id = o.payment_id and p.state in ('created', 'authorized') and p.provider <> 'offline'
          returning p.id, p.charge_key, p.provider_ref, p.customer_id),
        others as (
          update orders o set payment_id = null, charge_next_at = case when o.status in ('pending', 'closed') then ${now}::timestamptz else o.charge_next_at end
          from gone where o.payment_id = gone.id and o.id <> ${orderId}::int and o.status in ('future', 'open', 'pending', 'closed'))
        select id::text as id, charge_key::text as charge_key, provider_ref, customer_id from gone where customer_id is not null`,
    ReleasedRow,
  );
