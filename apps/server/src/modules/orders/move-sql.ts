import { Address } from "@marketday/contracts/common";
import { type AnyTx, execute, query, sql } from "@marketday/db";
import { SAVED_CARD_AFTER_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

const Place = z.object({
  type: z.enum(["delivery", "pickup"]),
  /** `StoredAddress`. */
  address: Address.partial({ address2: true, instructions: true }).nullable(),
  pickup_point_id: z.number().nullable(),
});
/** Where a box goes. */
export type Place = z.infer<typeof Place>;

const MovableBox = Place.extend({
  id: z.number(),
  customer_id: z.number().nullable(),
  /** The card is not saved, no other one is, and the bank releases the authorization before the new cutoff. */
  needs_card: z.boolean(),
  /** The customer skipped the new day. */
  is_skipped: z.boolean(),
  /** The customer's boxes of the new day, oldest first. */
  others: z.array(Place.extend({ id: z.number(), has_fee: z.boolean() })),
});
export type MovableBox = z.infer<typeof MovableBox>;

/** The facts about boxes that move to delivery `to`, whose cutoff is at `cutoff`, in id order. */
export const findMovableBoxes = (
  tx: AnyTx,
  boxIds: readonly number[],
  to: number,
  cutoff: Date,
): Promise<MovableBox[]> =>
  query(
    tx,
    sql`select b.id, b.customer_id, b.type, b.address, b.pickup_point_id,
          exists (select 1 from orders m join payment p on p.id = m.payment_id
            where (m.id = b.id or m.add_on_to_id = b.id) and m.status in ('future', 'open') and m.order_total_cents > m.credit_cents
              and p.state = 'authorized' and p.provider <> 'offline' and coalesce(p.authorized_at, p.created_at) < ${addMs(cutoff, -SAVED_CARD_AFTER_MS)}
              and not exists (select 1 from payment_method c where c.customer_id = b.customer_id and c.deleted_at is null and c.provider = p.provider
                and (c.is_default or c.id = p.payment_method_id))) as needs_card,
          exists (select 1 from subscription_skip k where k.customer_id = b.customer_id and k.delivery_id = ${to}::int) as is_skipped,
          coalesce((select jsonb_agg(jsonb_build_object('id', x.id, 'type', x.type, 'address', x.address, 'pickup_point_id', x.pickup_point_id,
              'has_fee', exists (select 1 from orders y where (y.id = x.id or y.add_on_to_id = x.id) and y.status <> 'cancelled' and y.delivery_fee_cents > 0))
              order by x.created_at, x.id)
            from orders x where x.customer_id = b.customer_id and x.delivery_id = ${to}::int and x.add_on_to_id is null
              and x.status in ('future', 'open')), '[]') as others
        from orders b where b.id = any(${[...boxIds]}::int[]) order by b.id`,
    MovableBox,
  );

/** Subscriptions whose last day ordered was `from` with these orders have `to` instead, so that they are not due before. */
export const moveLastDays = (tx: AnyTx, orderIds: readonly number[], from: string, to: string) =>
  execute(
    tx,
    sql`with moved as (
          select distinct o.customer_id, i.variant_id, i.bundle_id from orders o join order_item i on i.order_id = o.id and i.quantity > 0
          where o.id = any(${[...orderIds]}::int[])),
        bundles as (
          update bundle_subscription s set last_day = ${to}::date from (select distinct customer_id, bundle_id from moved) m
          where s.customer_id = m.customer_id and s.bundle_id = m.bundle_id and s.last_day = ${from}::date)
        update subscription s set last_day = ${to}::date from (select distinct customer_id, variant_id from moved) m
        where s.customer_id = m.customer_id and s.variant_id = m.variant_id and s.last_day = ${from}::date`,
  );
