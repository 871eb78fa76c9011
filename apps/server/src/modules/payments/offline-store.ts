import { execute, queryOne, sql, type Tx } from "@marketday/db";
import { z } from "zod";

import { newUuid } from "../../lib/tokens.ts";
import { mayBecome } from "./payment-transitions.ts";

const Closed = z.object({ ids: z.array(z.number()), cents: z.number() });

/** The closed orders that an offline payment covers, and their total. Cents. */
export const findCovered = async (tx: Tx, paymentId: string): Promise<z.infer<typeof Closed>> =>
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
  tx: Tx,
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

/** Inserts an offline payment of one order, captured, and links the order to it: money that was paid at the door. */
export const insertOfflinePayment = (
  tx: Tx,
  payment: { id: string; orderId: number; customerId: number; dueCents: number },
  now: Date,
) =>
  execute(
    tx,
    sql`with paid as (
          insert into payment (id, charge_key, customer_id, provider, provider_ref, state, amount_cents, captured_cents, authorized_at, created_at)
          values (${payment.id}::uuid, ${payment.id}::uuid, ${payment.customerId}::int, 'offline', ${payment.id}, 'captured', ${payment.dueCents}::int,
            ${payment.dueCents}::int, ${now}, ${now})
          returning id)
        update orders o set payment_id = paid.id, written_off_at = null from paid where o.id = ${payment.orderId}::int`,
  );
