import { type Conn, query, queryOne, sql } from "@marketday/db";
import { REFERRAL_CREDIT } from "@marketday/domain/limits";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

const FriendRow = z.object({
  first_name: z.string(),
  last_name: z.string(),
  is_ordered: z.boolean(),
  is_credited: z.boolean(),
});

/** The friends this customer referred, newest first. Friends whose referral was refused are listed like the others. */
export const findFriends = (db: Conn, customerId: CustomerId) =>
  query(
    db,
    sql`select c.first_name, c.last_name, r.credited_at is not null as is_credited,
          exists (select 1 from orders o where o.customer_id = c.id and o.status <> 'cancelled') as is_ordered
        from referral r join customer c on c.id = r.friend_id
        where r.referrer_id = ${customerId}::int order by r.created_at desc, r.friend_id desc`,
    FriendRow,
  );

export const findCredit = async (db: Conn, customerId: CustomerId): Promise<number> =>
  (
    await queryOne(
      db,
      sql`select credit_cents from customer where id = ${customerId}::int`,
      z.object({ credit_cents: z.number() }),
    )
  )?.credit_cents ?? 0;

const CreditedRow = z.object({ friend_id: z.number(), referrer_id: z.number() });

/** Orders by id, or all orders of a delivery day. */
export type Orders = { orderIds: readonly number[] } | { deliveryId: number };

/** Marks the referrals of closed and paid orders as credited, and adds the credit to their referrers, each referral once. */
export async function markCredited(tx: Conn, orders: Orders, now: Date): Promise<z.infer<typeof CreditedRow>[]> {
  const isSelected =
    "deliveryId" in orders
      ? sql`o.delivery_id = ${orders.deliveryId}::int`
      : sql`o.id = any(${[...orders.orderIds]}::int[])`;
  return query(
    tx,
    sql`with due as (
          update referral r set credited_at = ${now} from orders o
          where o.id = r.order_id and ${isSelected} and o.status in ('pending', 'closed') and r.credited_at is null and r.refused is null
            and (o.order_total_cents <= o.credit_cents
              or exists (select 1 from payment p where p.id = o.payment_id and p.state = 'captured'))
          returning r.friend_id, r.referrer_id),
        credited as (
          update customer c set credit_cents = c.credit_cents + n.times * ${REFERRAL_CREDIT}::int
          from (select referrer_id, count(*)::int as times from due group by referrer_id) n where c.id = n.referrer_id)
        select friend_id, referrer_id from due`,
    CreditedRow,
  );
}
