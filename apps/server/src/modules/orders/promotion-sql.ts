import { type AnyTx, execute, sql } from "@marketday/db";

/**
 * Frees the discount code and the referral of a canceled order. If another order of the same checkout has a share of the
 * discount, their use moves to that order instead.
 */
export const returnPromotions = (tx: AnyTx, orderId: number) =>
  execute(
    tx,
    sql`with sibling as (
          select x.id from orders o join orders x on x.attempt_id = o.attempt_id and x.id <> o.id
          where o.id = ${orderId}::int and x.status <> 'cancelled' and x.discount_cents > 0
          order by x.attempt_part limit 1),
        kept as (update discount_use u set order_id = s.id from sibling s where u.order_id = ${orderId}::int),
        used as (delete from discount_use where order_id = ${orderId}::int and not exists (select 1 from sibling) returning discount_code_id),
        codes as (update discount_code c set uses = uses - 1 from used where c.id = used.discount_code_id)
        update referral set order_id = (select id from sibling) where order_id = ${orderId}::int and credited_at is null`,
  );
