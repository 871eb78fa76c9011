import { type Conn, execute, query, queryOne, sql, type AnyTx } from "@marketday/db";
import { offlineTransitions } from "@marketday/domain/checkout";
import { z } from "zod";

import { newUuid } from "../../lib/tokens.ts";
import { mayBecome } from "./payment-transitions.ts";

const Closed = z.object({ ids: z.array(z.number()), cents: z.number() });

/** The closed orders that an offline payment covers, and their total. Cents. */
export const findCovered = async (tx: AnyTx, paymentId: string): Promise<z.infer<typeof Closed>> =>
  (await queryOne(
    tx,
    sql`select coalesce(array_agg(id order by id), '{}') as ids, coalesce(sum(order_total_cents - credit_cents), 0)::int as cents from orders
        where payment_id = ${paymentId}::uuid and status in ('pending', 'closed') and written_off_at is null`,
    Closed,
  )) ?? { ids: [], cents: 0 };

/**
 * Captures or voids an offline payment. Its orders of later days get a separate payment, because they are paid at their own
 * delivery. False: the payment had already ended.
 */
export const endOffline = async (
  tx: AnyTx,
  paymentId: string,
  end: { state: "captured" | "voided"; cents: number },
  now: Date,
): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`with taken as (
          update payment set state = ${end.state}, captured_cents = ${end.cents}::int where id = ${paymentId}::uuid and ${mayBecome(end.state, ["authorized"])}
          returning id, customer_id, provider, authorized_at),
        later as (
          select ${newUuid()}::uuid as id, sum(o.order_total_cents - o.credit_cents)::int as cents from orders o join taken on o.payment_id = taken.id
          where o.status in ('future', 'open') having count(*) > 0),
        split as (
          insert into payment (id, charge_key, customer_id, provider, provider_ref, state, amount_cents, authorized_at, created_at)
          select later.id, later.id, taken.customer_id, taken.provider, later.id::text, 'authorized', later.cents, taken.authorized_at, ${now} from later, taken returning id)
        , moved as (
          update orders o set payment_id = split.id from split, taken where o.payment_id = taken.id and o.status in ('future', 'open'))
        select id::text as id from taken`,
    z.object({ id: z.string() }),
  )) !== null;

/**
 * Inserts an offline payment and links its orders to it: `captured` is money that was paid at the door, `authorized` is to be
 * collected there.
 */
export const insertOfflinePayment = (
  tx: AnyTx,
  payment: {
    id: string;
    orderIds: readonly number[];
    customerId: number;
    dueCents: number;
    state: "authorized" | "captured";
  },
  now: Date,
) =>
  execute(
    tx,
    sql`with paid as (
          insert into payment (id, charge_key, customer_id, provider, provider_ref, state, amount_cents, captured_cents, authorized_at, created_at)
          values (${payment.id}::uuid, ${payment.id}::uuid, ${payment.customerId}::int, 'offline', ${payment.id}, ${payment.state}, ${payment.dueCents}::int,
            ${payment.state === "captured" ? payment.dueCents : 0}::int, ${now}, ${now})
          returning id)
        update orders o set payment_id = paid.id, written_off_at = null from paid where o.id = any(${[...payment.orderIds]}::int[])`,
  );

const Recorded = z.object({
  id: z.string(),
  cents: z.number(),
  customer_id: z.number().nullable(),
  /** False: the account was deleted. */
  has_account: z.boolean(),
  order_ids: z.array(z.number()),
  /** The payment reversed a write-off of its order. */
  is_written_off: z.boolean(),
  /** Its order was checked out with a card, which could not be charged. */
  is_by_card: z.boolean(),
  /** Money went back since the payment was recorded. */
  is_refunded: z.boolean(),
});
/** A payment that was recorded at the door, with the closed orders that it pays for. Cents. */
export type DoorPayment = z.infer<typeof Recorded>;

/** The payments recorded at the door for these orders, each with all orders that it pays for, in id order. */
export const findRecorded = (db: Conn, orderIds: readonly number[]): Promise<DoorPayment[]> =>
  query(
    db,
    sql`select p.id::text as id, p.captured_cents as cents, min(o.customer_id) as customer_id, array_agg(o.id order by o.id) as order_ids,
          coalesce(bool_and(exists (select 1 from customer c where c.id = o.customer_id and c.deleted_at is null)), false) as has_account,
          exists (select 1 from ledger_transaction t where t.payment_id = p.id and t.kind = 'write_off') as is_written_off,
          bool_or(exists (select 1 from checkout_attempt a join payment c on c.id = a.payment_id where a.id = o.attempt_id and c.provider <> 'offline')) as is_by_card,
          exists (select 1 from ledger_transaction t where t.payment_id = p.id and t.kind = 'refund'
            and t.id > (select max(c.id) from ledger_transaction c where c.payment_id = p.id and c.kind = 'capture')) as is_refunded
        from payment p join orders o on o.payment_id = p.id and o.status in ('pending', 'closed')
        where p.provider = 'offline' and p.state = 'captured' and p.id in (select x.payment_id from orders x where x.id = any(${[...orderIds]}::int[]))
        group by p.id order by min(o.id)`,
    Recorded,
  );

/** Voids an offline payment that was recorded as paid by mistake: its orders have no payment. False: it was voided before. */
export const voidRecorded = async (tx: AnyTx, paymentId: string): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`with gone as (
          update payment set state = 'voided', captured_cents = 0
          where id = ${paymentId}::uuid and provider = 'offline' and ${mayBecome("voided", ["captured"], offlineTransitions)} returning id),
        freed as (update orders o set payment_id = null from gone where o.payment_id = gone.id and o.status in ('pending', 'closed'))
        select id::text as id from gone`,
    z.object({ id: z.string() }),
  )) !== null;
