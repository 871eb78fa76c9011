import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import type { RefundDestination } from "@marketday/domain/ledger";
import { z } from "zod";

import { isGiven, isGoodwill, isUnresolved } from "./refund-store.ts";

const Unresolved = z.object({
  id: z.string(),
  payment_id: z.string(),
  order_id: z.number().nullable(),
  kind: z.string(),
  is_goodwill: z.boolean(),
  bearer_id: z.number().nullable(),
  amount_cents: z.number(),
  failure: z.string(),
  reason: z.string(),
  failed_at: z.date(),
  customer_id: z.number().nullable(),
  has_account: z.boolean(),
  /** What the market has of the captured amount. */
  held_cents: z.number(),
});
/** A refund that did not go back to the card, and whose money the market still has. Cents. */
export type UnresolvedRefund = z.infer<typeof Unresolved>;

const unresolved = (which: Sql) => sql`
  select r.id::text as id, r.payment_id::text as payment_id, r.order_id, r.kind, ${isGoodwill(sql`r`)} as is_goodwill, r.bearer_id, r.amount_cents, r.failure, r.reason, r.done_at as failed_at, p.customer_id,
    exists (select 1 from customer c where c.id = p.customer_id and c.deleted_at is null) as has_account,
    p.captured_cents - coalesce((select sum(g.amount_cents)::int from refund g where g.payment_id = p.id and ${isGiven(sql`g`)}), 0) as held_cents
  from refund r join payment p on p.id = r.payment_id where ${isUnresolved(sql`r`)} and ${which}`;

/** Refunds that did not go back and wait for an operator, oldest first. */
export const findUnresolvedRefunds = (db: Conn): Promise<UnresolvedRefund[]> =>
  query(db, sql`${unresolved(sql`true`)} order by r.done_at, r.id`, Unresolved);

/** Those of one payment that wait for an operator: first those of exactly `amountCents`, if given, then the oldest. */
export const findUnresolvedOfPayment = (
  tx: Conn,
  paymentId: string,
  amountCents: number | null = null,
): Promise<UnresolvedRefund[]> =>
  query(
    tx,
    sql`${unresolved(sql`r.payment_id = ${paymentId}::uuid`)} order by r.amount_cents is distinct from ${amountCents}::int, r.done_at, r.id`,
    Unresolved,
  );

/** Locks the payment of a refund. */
export const lockPaymentOfRefund = (tx: Conn, refundId: string): Promise<number> =>
  execute(
    tx,
    sql`select p.id from payment p join refund r on r.payment_id = p.id where r.id::text = ${refundId} for update of p`,
  );

/** A refund that waits for an operator; null: none with this id does. */
export const findUnresolvedRefund = (tx: Conn, refundId: string): Promise<UnresolvedRefund | null> =>
  queryOne(tx, unresolved(sql`r.id::text = ${refundId}`), Unresolved);

export const markResolved = (tx: Conn, refundId: string, now: Date): Promise<number> =>
  execute(tx, sql`update refund set resolved_at = ${now} where id = ${refundId}::uuid`);

/** An operator closes it: nothing of it is due any more. */
export const markClosed = (tx: Conn, refundId: string, now: Date): Promise<number> =>
  execute(tx, sql`update refund set resolved_at = ${now}, closed_at = ${now} where id = ${refundId}::uuid`);

/** Inserts refund `id` in place of one that failed, to the card or into the customer's store credit. */
export const insertResent = (
  tx: Conn,
  resent: { id: string; refundId: string; to: RefundDestination; customerId: number | null; now: Date },
): Promise<number> =>
  execute(
    tx,
    sql`with given as (
          insert into refund (id, payment_id, order_id, kind, destination, amount_cents, reason, key, bearer_id, state, created_at, done_at)
          select ${resent.id}::uuid, payment_id, order_id, kind, ${resent.to}, amount_cents, reason, ${`resend:${resent.refundId}`}, bearer_id,
            ${resent.to === "credit" ? "done" : "created"}, ${resent.now}, ${resent.to === "credit" ? resent.now : null}::timestamptz
          from refund where id = ${resent.refundId}::uuid returning payment_id, amount_cents, destination),
        on_card as (update payment p set refunded_cents = p.refunded_cents + g.amount_cents from given g where p.id = g.payment_id and g.destination = 'card')
        update customer c set credit_cents = c.credit_cents + g.amount_cents from given g where g.destination = 'credit' and c.id = ${resent.customerId}::int`,
  );
