import { type AnyTx, query, type Sql, sql } from "@marketday/db";
import { REFERRAL_CREDIT } from "@marketday/domain/limits";
import { z } from "zod";

import { lockCards } from "./person-sql.ts";

const CreditedRow = z.object({ friend_id: z.number(), referrer_id: z.number() });

/** Orders by id, or all orders of a delivery day. */
export type Orders = { orderIds: readonly number[] } | { deliveryId: number };

/** Referrals `r` of closed and paid orders `o` that are not credited, with their payment `p`, if any. */
const creditable = (orders: Orders): Sql => sql`
  from referral r join orders o on o.id = r.order_id left join payment p on p.id = o.payment_id
  where ${"deliveryId" in orders ? sql`o.delivery_id = ${orders.deliveryId}::int` : sql`o.id = any(${[...orders.orderIds]}::int[])`}
    and o.status in ('pending', 'closed') and r.credited_at is null and r.refused is null
    and (o.order_total_cents <= o.credit_cents or p.state = 'captured')`;

/**
 * Marks the referrals of closed and paid orders as credited, and adds the credit to their referrers: each referral once, and one
 * referral for each card that paid (docs/product.md §17).
 */
export async function markCredited(tx: AnyTx, orders: Orders, now: Date): Promise<z.infer<typeof CreditedRow>[]> {
  // Two orders that were paid with one card take turns.
  await lockCards(tx, sql`select p.card_fingerprint ${creditable(orders)} and p.card_fingerprint <> ''`);
  return query(
    tx,
    sql`with payable as (
          select r.friend_id,
            row_number() over (partition by coalesce(nullif(p.card_fingerprint, ''), r.friend_id::text) order by r.friend_id) as place
          ${creditable(orders)}
            and not exists (select 1 from payment q join orders x on x.payment_id = q.id join referral s on s.order_id = x.id
              where q.card_fingerprint = p.card_fingerprint and q.card_fingerprint <> '' and s.credited_at is not null)),
        due as (
          update referral r set credited_at = ${now} from payable y
          where r.friend_id = y.friend_id and y.place = 1 and r.credited_at is null
          returning r.friend_id, r.referrer_id),
        credited as (
          update customer c set credit_cents = c.credit_cents + n.times * ${REFERRAL_CREDIT}::int
          from (select referrer_id, count(*)::int as times from due group by referrer_id) n where c.id = n.referrer_id)
        select friend_id, referrer_id from due`,
    CreditedRow,
  );
}

/** Referrals that were credited because these orders were paid, locked. Orders covered by store credit stay paid. */
export const lockCredited = (tx: AnyTx, orderIds: readonly number[]) =>
  query(
    tx,
    sql`select r.friend_id, r.referrer_id from referral r join orders o on o.id = r.order_id
        where o.id = any(${[...orderIds]}::int[]) and o.order_total_cents > o.credit_cents and r.credited_at is not null
        order by r.friend_id for update of r`,
    CreditedRow,
  );
