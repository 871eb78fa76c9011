import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { takesOrders } from "../hubs/delivery-sql.ts";
import { PickupPlaceRow } from "../hubs/pickup-point-sql.ts";
import type { CustomerId } from "../identity/context.ts";
import { Fulfillment, fulfillmentColumns } from "../profile/fulfillment-sql.ts";
import { hasActivePass } from "../wagon-pass/pass-sql.ts";

/** The data a checkout depends on besides the cart. Instants inside JSON are ISO text. */
export const CheckoutFacts = z.object({
  email: z.string().nullable(),
  first_name: z.string(),
  /** Where they live, with a point in it if one is known, degrees. */
  zip_code: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  credit_cents: z.number(),
  hub_id: z.number(),
  hub_name: z.string(),
  time_zone: z.string(),
  delivery_fee_cents: z.number().nullable(),
  tax_rate_ppm: z.number(),
  processing_ppm: z.number(),
  processing_fixed_cents: z.number(),
  commission_ppm: z.number(),
  has_wagon_pass: z.boolean(),
  deliveries: z.array(z.object({ id: z.number(), day: z.string(), cutoff_at: z.string() })),
  open_orders: z.array(
    z.object({
      id: z.number(),
      delivery_id: z.number(),
      type: z.enum(["delivery", "pickup"]),
      address: Fulfillment.shape.default_address,
      pickup_point_id: z.number().nullable(),
    }),
  ),
  pickup_points: z.array(PickupPlaceRow.extend({ id: z.number() })),
  payment_methods: z.array(
    z.object({
      id: z.number(),
      provider_ref: z.string(),
      brand: z.string(),
      last4: z.string(),
      exp_month: z.number(),
      exp_year: z.number(),
      is_default: z.boolean(),
    }),
  ),
  ...Fulfillment.shape,
});
export type CheckoutFacts = z.infer<typeof CheckoutFacts>;

/**
 * Loads the checkout facts of a customer in a hub, in one statement; of a guest (null) the market's alone. Null: the account is
 * deleted, or there is no such hub.
 */
export async function loadCheckoutFacts(
  db: Conn,
  customerId: CustomerId | null,
  hubId: number,
  provider: string,
  now: Date,
): Promise<CheckoutFacts | null> {
  return queryOne(
    db,
    sql`select c.email, coalesce(c.first_name, '') as first_name, c.zip_code, c.lat, c.lng, coalesce(c.credit_cents, 0) as credit_cents, h.id as hub_id, h.name as hub_name, h.time_zone, h.delivery_fee_cents,
          h.tax_rate_ppm, h.processing_ppm, h.processing_fixed_cents, h.commission_ppm,
          ${hasActivePass(sql`c.id`, sql`${now}::timestamptz at time zone h.time_zone`)} as has_wagon_pass,
          coalesce((select jsonb_agg(jsonb_build_object('id', d.id, 'day', to_char(d.day, 'YYYY-MM-DD'), 'cutoff_at', d.cutoff_at) order by d.day)
            from delivery d where d.hub_id = h.id and ${takesOrders(sql`d`, now)}), '[]') as deliveries,
          coalesce((select jsonb_agg(jsonb_build_object('id', o.id, 'delivery_id', o.delivery_id, 'type', o.type, 'address', o.address,
              'pickup_point_id', o.pickup_point_id) order by o.created_at)
            from orders o where o.customer_id = c.id and o.hub_id = h.id and o.status = 'open' and o.add_on_to_id is null), '[]') as open_orders,
          coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'address', p.address, 'city', p.city, 'state', p.state,
              'zip_code', p.zip_code, 'hours', p.hours) order by p.id)
            from pickup_point p where p.hub_id = h.id and p.is_active), '[]') as pickup_points,
          coalesce((select jsonb_agg(jsonb_build_object('id', m.id, 'provider_ref', m.provider_ref, 'brand', m.brand, 'last4', m.last4,
              'exp_month', m.exp_month, 'exp_year', m.exp_year, 'is_default', m.is_default) order by m.is_default desc, m.id desc)
            from payment_method m where m.customer_id = c.id and m.deleted_at is null and m.provider = ${provider}), '[]') as payment_methods,
          ${fulfillmentColumns}
        from hub h left join customer c on c.id = ${customerId}::int and c.deleted_at is null
        where h.id = ${hubId}::int and (c.id is not null or ${customerId}::int is null)`,
    CheckoutFacts,
  );
}
