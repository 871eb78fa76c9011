import { type AnyTx, type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { newUuid } from "../../lib/tokens.ts";
import type { MovedPayment } from "./moved-store.ts";
import { isGiven, isGoodwill, isUnresolved } from "./refund-sql.ts";

const MovedRow = z.object({
  id: z.string(),
  state: z.string(),
  captured_cents: z.number(),
  provider_ref: z.string().nullable(),
});

/** Locks the orders of a payment, then the payment itself. Null: it does not exist. */
export async function lockMovedPayment(tx: AnyTx, paymentId: string): Promise<MovedPayment | null> {
  await execute(tx, sql`select id from orders where payment_id = ${paymentId}::uuid order by id for update`);
  return queryOne(
    tx,
    sql`select id::text as id, state, captured_cents, provider_ref from payment where id = ${paymentId}::uuid for update`,
    MovedRow,
  );
}

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
export const insertMovedRefund = (tx: AnyTx, moved: NewMovedRefund): Promise<number> =>
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
export const undoDisputeRefunds = (tx: AnyTx, key: string, now: Date): Promise<number> =>
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
export const findSurplus = async (tx: AnyTx, paymentId: string): Promise<z.infer<typeof Surplus>> =>
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
