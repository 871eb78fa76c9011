import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { newUuid } from "../../lib/tokens.ts";
import { isGiven, isGoodwill, isUnresolved } from "./refund-store.ts";

const Payment = z.object({
  id: z.string(),
  state: z.string(),
  captured_cents: z.number(),
  is_purchase: z.boolean(),
  provider_ref: z.string().nullable(),
});
/** The payment of a charge whose money moved outside of the market. Cents. */
export type MovedPayment = z.infer<typeof Payment>;
const paymentColumns = sql`p.id::text as id, p.state, p.captured_cents, p.purpose is not null as is_purchase, p.provider_ref`;

/** The payment of a charge, by the provider's id; null: it is not this market's. */
export const findPaymentByRef = (db: Conn, provider: string, ref: string): Promise<MovedPayment | null> =>
  queryOne(
    db,
    sql`select ${paymentColumns} from payment p where p.provider = ${provider} and p.provider_ref = ${ref}`,
    Payment,
  );

/** The payment that a refund of ours belongs to. */
export const findPaymentOfRefund = (db: Conn, provider: string, refundId: string): Promise<MovedPayment | null> =>
  queryOne(
    db,
    sql`select ${paymentColumns} from refund r join payment p on p.id = r.payment_id where r.id = ${refundId}::uuid and p.provider = ${provider}`,
    Payment,
  );

/** The captured charges of the box of an order. */
export const findChargesOfBox = (db: Conn, provider: string, orderId: number): Promise<MovedPayment[]> =>
  query(
    db,
    sql`select distinct ${paymentColumns} from orders b join orders o on o.id = coalesce(b.add_on_to_id, b.id) or o.add_on_to_id = coalesce(b.add_on_to_id, b.id)
        join payment p on p.id = o.payment_id
        where b.id = ${orderId}::int and p.provider = ${provider} and p.state = 'captured'`,
    Payment,
  );

const OrderOfPayment = z.object({ id: z.number(), status: z.string(), left_cents: z.number() });
/** An order of a payment, and what of its charge was not given back yet. */
export type OrderOfPayment = z.infer<typeof OrderOfPayment>;

/** Locks the orders of a payment, then the payment itself. Null: it does not exist. */
export async function lockMovedPayment(tx: Conn, paymentId: string): Promise<MovedPayment | null> {
  await execute(tx, sql`select id from orders where payment_id = ${paymentId}::uuid order by id for update`);
  return queryOne(tx, sql`select ${paymentColumns} from payment p where p.id = ${paymentId}::uuid for update`, Payment);
}

/** The orders of a payment, oldest first. */
export const findOrdersOfPayment = (tx: Conn, paymentId: string): Promise<OrderOfPayment[]> =>
  query(
    tx,
    sql`select o.id, o.status, greatest(0, o.order_total_cents - o.credit_cents - coalesce((select sum(r.amount_cents)::int from refund r
            where r.order_id = o.id and ${isGiven(sql`r`)} and (o.status = 'cancelled' or ${isGoodwill(sql`r`)})), 0)) as left_cents
        from orders o where o.payment_id = ${paymentId}::uuid order by o.id`,
    OrderOfPayment,
  );

/** Keys of the refunds that stand for a dispute, or for a refund of the provider's dashboard. */
export const movedKey = (kind: "dispute" | "refund", ref: string): string => `${kind}:${ref}:`;

/** Whether refund `r` is money that a bank has taken back. */
export const isWithBank = (r: Sql): Sql =>
  sql`(${r}.key like 'dispute:%' and ${r}.state <> 'failed' and ${r}.destination = 'card')`;

const MovedRefund = z.object({ id: z.string(), amount_cents: z.number(), state: z.string() });

/** The refunds with a `movedKey`, in any state. */
export const findMovedRefunds = (tx: Conn, key: string) =>
  query(
    tx,
    sql`select id::text as id, amount_cents, state from refund where starts_with(key, ${key}) order by key`,
    MovedRefund,
  );

/** Goodwill as it is stored (`care` is its old name, see `insertRefund`). */
export const STORED_GOODWILL = "care";

interface NewMovedRefund {
  paymentId: string;
  orderId: number | null;
  /** As stored: `STORED_GOODWILL`, or the kind of the failed refund that it stands for. */
  kind: string;
  /** The vendor who bears goodwill; null: the market. */
  bearerId: number | null;
  amountCents: number;
  reason: string;
  key: string;
  /** The provider's id of the refund or dispute. */
  ref: string;
  now: Date;
}

/** Inserts money that went back outside of the market. */
export const insertMovedRefund = (tx: Conn, moved: NewMovedRefund): Promise<number> =>
  execute(
    tx,
    sql`with given as (
          insert into refund (id, payment_id, order_id, kind, destination, amount_cents, reason, key, provider_ref, bearer_id, state, created_at, done_at)
          values (${newUuid()}::uuid, ${moved.paymentId}::uuid, ${moved.orderId}::int, ${moved.kind}, 'card', ${moved.amountCents}::int, ${moved.reason},
            ${moved.key}, ${moved.ref}, ${moved.bearerId}::int, 'done', ${moved.now}, ${moved.now})
          returning payment_id, amount_cents)
        update payment p set refunded_cents = p.refunded_cents + given.amount_cents from given where p.id = given.payment_id`,
  );

/** A bank gives back what it took: these refunds are undone, and nothing more is due for them. */
export const undoDisputeRefunds = (tx: Conn, key: string, now: Date): Promise<number> =>
  execute(
    tx,
    sql`with undone as (
          update refund set state = 'failed', failure = 'dispute_ended', done_at = ${now}, resolved_at = ${now}
          where starts_with(key, ${key}) and state <> 'failed' returning payment_id, amount_cents)
        update payment p set refunded_cents = p.refunded_cents - u.cents
        from (select payment_id, sum(amount_cents)::int as cents from undone group by 1) u where p.id = u.payment_id`,
  );

/** Whether refund `r` is goodwill that the market itself gave for an order that is not canceled. */
const isOwnGoodwill = (r: Sql): Sql =>
  sql`(${isGoodwill(r)} and coalesce(${r}.key, '') not like 'dispute:%' and coalesce(${r}.key, '') not like 'refund:%'
       and exists (select 1 from orders o where o.id = ${r}.order_id and o.status <> 'cancelled'))`;

const Surplus = z.object({ cents: z.number(), listed_cents: z.number() });

/**
 * What the market has of a captured payment beyond what its live orders cost, above zero: it belongs to the shopper. What operators
 * closed as given by hand is not due. Goodwill that the market gave for a live order is not taken off: it comes out of what that order
 * paid. `listed_cents`: the part that failed refunds other than goodwill name already. Cents.
 */
export const findSurplus = async (tx: Conn, paymentId: string): Promise<z.infer<typeof Surplus>> =>
  (await queryOne(
    tx,
    sql`select greatest(0, case when p.state = 'captured' and p.purpose is null then p.captured_cents else 0 end
            - coalesce((select sum(o.order_total_cents - o.credit_cents)::int from orders o where o.payment_id = p.id and o.status <> 'cancelled'), 0)
            - coalesce((select sum(r.amount_cents)::int from refund r where r.payment_id = p.id and ${isGiven(sql`r`)} and not ${isOwnGoodwill(sql`r`)}), 0)
            - coalesce((select sum(r.amount_cents)::int from refund r where r.payment_id = p.id and r.state = 'failed' and r.closed_at is not null and not ${isGoodwill(sql`r`)}), 0)) as cents,
          coalesce((select sum(r.amount_cents)::int from refund r where r.payment_id = p.id and ${isUnresolved(sql`r`)} and not ${isGoodwill(sql`r`)}), 0) as listed_cents
        from payment p where p.id = ${paymentId}::uuid`,
    Surplus,
  ))!;

/** Of an `insertUnreturned` that is the rest of another. */
export const REST_REASON = "The rest of a refund, the other part of which went back outside of the market.";

/** Inserts an amount that is due to the shopper and did not go back, for operators (`refunds list`). */
export const insertUnreturned = (
  tx: Conn,
  due: {
    paymentId: string;
    orderId: number | null;
    kind: string;
    bearerId: number | null;
    amountCents: number;
    failure: string;
    reason: string;
    now: Date;
  },
): Promise<number> =>
  execute(
    tx,
    sql`insert into refund (id, payment_id, order_id, kind, destination, amount_cents, reason, bearer_id, state, failure, created_at, done_at)
        values (${newUuid()}::uuid, ${due.paymentId}::uuid, ${due.orderId}::int, ${due.kind}, 'card', ${due.amountCents}::int, ${due.reason}, ${due.bearerId}::int, 'failed',
          ${due.failure}, ${due.now}, ${due.now})`,
  );
