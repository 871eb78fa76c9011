import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { CheckoutFacts } from "../checkout/load-checkout-facts.ts";
import type { CustomerId } from "../identity/context.ts";
import { Fulfillment, pickupPointJson } from "../profile/fulfillment-store.ts";
import { hasActivePass } from "../wagon-pass/pass-sql.ts";

const StateRow = z.object({
  skipped: z.array(z.number()),
  /** Deliveries for which this customer's auto-checkout is over. */
  over: z.array(z.number()),
  /** Future orders: they open with their cycle. */
  future: CheckoutFacts.shape.open_orders,
  /** Deliveries whose auto-checkout runs while the customer has a wagon pass. */
  passes: z.array(z.number()),
  /** The orders for these deliveries. */
  orders: z.array(
    z.object({
      id: z.number(),
      delivery_id: z.number(),
      is_auto: z.boolean(),
      delivery_fee_cents: z.number(),
      pickup_point: Fulfillment.shape.pickup_point,
      address: Fulfillment.shape.default_address,
    }),
  ),
});
export type BoxState = z.infer<typeof StateRow>;

/** The customer's skips, orders and ended auto-checkouts of these deliveries. */
export const findBoxState = async (db: Conn, customerId: CustomerId, deliveryIds: readonly number[], now: Date) =>
  (await queryOne(
    db,
    sql`select
          coalesce((select array_agg(delivery_id) from subscription_skip where customer_id = ${customerId}::int and delivery_id = any(${[...deliveryIds]}::int[])), '{}') as skipped,
          coalesce((select array_agg(d) from unnest(${[...deliveryIds]}::int[]) d
            where exists (select 1 from delivery_run r where r.delivery_id = d and r.step = 'auto_checkout')
              and not exists (select 1 from auto_checkout_result r where r.delivery_id = d and r.customer_id = ${customerId}::int and r.done_at is null)
              or exists (select 1 from orders o where o.customer_id = ${customerId}::int and o.delivery_id = d and o.source = 'auto' and o.status <> 'cancelled')), '{}') as over,
          coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'delivery_id', o.delivery_id, 'type', o.type, 'address', o.address,
              'pickup_point_id', o.pickup_point_id) order by o.created_at)
            from orders o where o.customer_id = ${customerId}::int and o.status = 'future' and o.add_on_to_id is null
              and o.delivery_id = any(${[...deliveryIds]}::int[])), '[]') as future,
          coalesce((select array_agg(d.id) from delivery d join hub h on h.id = d.hub_id where d.id = any(${[...deliveryIds]}::int[])
              and ${hasActivePass(sql`${customerId}::int`, sql`greatest(${now}::timestamptz, d.auto_checkout_at) at time zone h.time_zone`)}), '{}') as passes,
          coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'delivery_id', o.delivery_id, 'is_auto', o.source = 'auto',
              'delivery_fee_cents', o.delivery_fee_cents, 'address', o.address, 'pickup_point', (select ${pickupPointJson} from pickup_point pp where pp.id = o.pickup_point_id)) order by o.created_at, o.id)
            from orders o where o.customer_id = ${customerId}::int and o.status <> 'cancelled'
              and o.delivery_id = any(${[...deliveryIds]}::int[])), '[]') as orders`,
    StateRow,
  ))!;
