import { type AnyTx, execute, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

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
