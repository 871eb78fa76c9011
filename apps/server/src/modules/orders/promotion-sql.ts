import { type AnyTx, execute, queryOne, sql } from "@marketday/db";
import { z } from "zod";

const Promotions = z.object({
  code: z
    .object({ percent_ppm: z.number().nullable(), amount_cents: z.number().nullable(), minimum_cents: z.number() })
    .nullable(),
  has_referral: z.boolean(),
});

/**
 * The discount code and referral of an order that may move to another order. A code does not move to an order that has one;
 * neither moves while another order of the same checkout has a share of the discount.
 */
export const findMovablePromotions = (tx: AnyTx, fromId: number, toId: number) =>
  queryOne(
    tx,
    sql`with sibling as (
          select x.id from orders o join orders x on x.attempt_id = o.attempt_id and x.id <> o.id
          where o.id = ${fromId}::int and x.status <> 'cancelled' and x.discount_cents > 0)
        select (select jsonb_build_object('percent_ppm', c.percent_ppm, 'amount_cents', c.amount_cents, 'minimum_cents', c.minimum_cents)
            from discount_use u join discount_code c on c.id = u.discount_code_id
            where u.order_id = ${fromId}::int and not exists (select 1 from discount_use t where t.order_id = ${toId}::int)
              and not exists (select 1 from sibling) limit 1) as code,
          exists (select 1 from referral r where r.order_id = ${fromId}::int and r.credited_at is null)
            and not exists (select 1 from sibling) as has_referral`,
    Promotions,
  );

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
