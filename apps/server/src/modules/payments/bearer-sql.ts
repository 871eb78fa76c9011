import { type AnyTx, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { isGiven, isGoodwill, isUnresolved } from "./refund-sql.ts";

/** A goodwill refund of an order that a vendor bears, and what of it the vendor has not got back. Cents. `isGiven`: it did not fail. */
export const BorneRefund = z.object({
  refundId: z.string(),
  vendorId: z.number(),
  borneCents: z.number(),
  isGiven: z.boolean(),
});
export type BorneRefund = z.infer<typeof BorneRefund>;

/** The refunds of an order that vendors bear, also those that failed and are still due, oldest first, as `BorneRefund[]`. */
export const borneRefunds = (orderId: Sql): Sql => sql`coalesce((
  select jsonb_agg(jsonb_build_object('refundId', r.id, 'vendorId', r.bearer_id, 'borneCents', r.amount_cents - r.released_cents, 'isGiven', ${isGiven(sql`r`)})
      order by r.created_at, r.id)
  from refund r where r.order_id = ${orderId} and r.bearer_id is not null and r.amount_cents > r.released_cents
    and ${isGoodwill(sql`r`)} and (${isGiven(sql`r`)} or ${isUnresolved(sql`r`)})), '[]')`;

/** Locks the payment of an order, against the failure of a refund of it, and returns what vendors bear of the order's refunds. */
export async function lockBorne(tx: AnyTx, orderId: number): Promise<BorneRefund[]> {
  await query(
    tx,
    sql`select p.id::text as id from payment p where p.id in (select r.payment_id from refund r where r.order_id = ${orderId}::int and r.bearer_id is not null)
        order by p.id for update`,
    z.object({ id: z.string() }),
  );
  const row = await queryOne(
    tx,
    sql`select ${borneRefunds(sql`${orderId}::int`)} as refunds`,
    z.object({ refunds: z.array(BorneRefund) }),
  );
  return row!.refunds;
}
