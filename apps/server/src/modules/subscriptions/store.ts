import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { Page } from "../../lib/paging.ts";
import type { CustomerId } from "../identity/context.ts";
import { pictureOf, PictureRow } from "../pictures/store.ts";
import { sizeColumns, SizeColumns } from "../products/size-store.ts";
import { isListed } from "../vendors/store.ts";

const SubscriptionRow = z.object({
  variant_id: z.number(),
  variant_title: z.string(),
  ...SizeColumns.shape,
  quantity: z.number(),
  interval_weeks: z.number(),
  last_day: z.string().nullable(),
  paused_until: z.string().nullable(),
  skips: z.array(z.string()),
  /** Its line is in the cart of the open cycle; the shopper may have removed it (docs/product.md §9). */
  in_cart: z.boolean(),
  /** Whether the hub sells it at present. */
  is_sold: z.boolean(),
  product_id: z.number(),
  product_slug: z.string(),
  product_title: z.string(),
  picture: PictureRow.nullable(),
  pre_order_date: z.string().nullable(),
  inventory: z.number(),
  price_cents: z.number(),
  sale_price_cents: z.number().nullable(),
  vendor: z.object({
    id: z.number(),
    slug: z.string(),
    name: z.string(),
    city: z.string(),
    state: z.string(),
    avatar: PictureRow.nullable(),
  }),
});
export type SubscriptionRow = z.infer<typeof SubscriptionRow>;

const skipsOf = (customer: ReturnType<typeof sql>) =>
  sql`coalesce((select array_agg(to_char(d.day, 'YYYY-MM-DD') order by d.day) from subscription_skip k join delivery d on d.id = k.delivery_id
        where k.customer_id = ${customer}), '{}')`;

/** Whether the hub of the offer `o` sells the product `p` of the vendor `ve`. */
const isSold = sql`coalesce(o.is_published and p.is_published and ve.is_published, false)`;

/** The customer's product subscriptions with the hub's current prices and stock, oldest first. */
export const findSubscriptions = (db: Conn, customerId: CustomerId, hubId: number | null): Promise<SubscriptionRow[]> =>
  query(
    db,
    sql`select s.variant_id, v.title as variant_title, ${sizeColumns}, s.quantity, s.interval_weeks, to_char(s.last_day, 'YYYY-MM-DD') as last_day,
          to_char(s.paused_until, 'YYYY-MM-DD') as paused_until, ${skipsOf(sql`s.customer_id`)} as skips,
          exists (select 1 from cart k join cart_item ci on ci.cart_id = k.id
            where k.customer_id = s.customer_id and ci.variant_id = s.variant_id and ci.bundle_id is null) as in_cart,
          ${isSold} as is_sold, p.id as product_id, p.slug as product_slug, p.title as product_title,
          (select ${pictureOf(sql`pp.picture_id`)} from product_picture pp where pp.product_id = p.id and pp.position = 0) as picture,
          to_char(v.pre_order_date, 'YYYY-MM-DD') as pre_order_date, coalesce(o.inventory, 0) as inventory,
          coalesce(o.price_cents, 0) as price_cents, o.sale_price_cents,
          json_build_object('id', ve.id, 'slug', ve.slug, 'name', ve.name, 'city', ve.city, 'state', ve.state,
            'avatar', ${pictureOf(sql`ve.avatar_id`)}) as vendor
        from subscription s join variant v on v.id = s.variant_id join product p on p.id = v.product_id join vendor ve on ve.id = p.vendor_id
        left join offer o on o.variant_id = v.id and o.hub_id = ${hubId}::int
        where s.customer_id = ${customerId}::int order by s.id`,
    SubscriptionRow,
  );

const OfferRow = z.object({ is_sold: z.boolean(), is_pre_order: z.boolean() });

/** Whether the hub sells this variant of this product; null for an unknown variant. */
export const findOffer = (db: Conn, hubId: number, productId: number, variantId: number) =>
  queryOne(
    db,
    sql`select ${isSold} as is_sold, v.pre_order_date is not null as is_pre_order
        from variant v join product p on p.id = v.product_id join vendor ve on ve.id = p.vendor_id
        left join offer o on o.variant_id = v.id and o.hub_id = ${hubId}::int
        where v.id = ${variantId}::int and p.id = ${productId}::int`,
    OfferRow,
  );

/**
 * Inserts a subscription, or updates quantity and interval. A new one counts as ordered for the last day for which the customer has
 * an open order with the item, so that it is not ordered twice.
 */
export const upsertSubscription = (
  tx: Conn,
  s: { customerId: CustomerId; variantId: number; quantity: number; intervalWeeks: number; now: Date },
) =>
  execute(
    tx,
    sql`insert into subscription (customer_id, variant_id, quantity, interval_weeks, last_day, created_at)
        values (${s.customerId}::int, ${s.variantId}::int, ${s.quantity}::int, ${s.intervalWeeks}::int,
          (select max(d.day) from orders o join order_item i on i.order_id = o.id and i.quantity > 0 join delivery d on d.id = o.delivery_id
           where o.customer_id = ${s.customerId}::int and o.status in ('open', 'future') and i.variant_id = ${s.variantId}::int), ${s.now})
        on conflict (customer_id, variant_id) do update set quantity = excluded.quantity, interval_weeks = excluded.interval_weeks`,
  );

export const deleteSubscription = (tx: Conn, customerId: CustomerId, variantId: number) =>
  execute(tx, sql`delete from subscription where customer_id = ${customerId}::int and variant_id = ${variantId}::int`);

/** Pauses or resumes a subscription; returns 0 when there is none. */
export const setPause = (tx: Conn, customerId: CustomerId, variantId: number, until: string | null) =>
  execute(
    tx,
    sql`update subscription set paused_until = ${until}::date where customer_id = ${customerId}::int and variant_id = ${variantId}::int`,
  );

export const setSkip = (tx: Conn, customerId: CustomerId, deliveryId: number, skip: boolean, now: Date) =>
  execute(
    tx,
    skip
      ? sql`insert into subscription_skip (customer_id, delivery_id, created_at) values (${customerId}::int, ${deliveryId}::int, ${now}) on conflict do nothing`
      : sql`delete from subscription_skip where customer_id = ${customerId}::int and delivery_id = ${deliveryId}::int`,
  );

const SettingsRow = z.object({ auto_checkout_status: z.number(), default_tip: z.number() });

/** The customer's auto-checkout status and default tip. */
export const findSettings = (db: Conn, customerId: CustomerId) =>
  queryOne(db, sql`select auto_checkout_status, default_tip from customer where id = ${customerId}::int`, SettingsRow);

export const setStatus = (db: Conn, customerId: CustomerId, status: number) =>
  execute(db, sql`update customer set auto_checkout_status = ${status}::int where id = ${customerId}::int`);

export const setTip = (db: Conn, customerId: CustomerId, percentage: number) =>
  execute(db, sql`update customer set default_tip = ${percentage}::int where id = ${customerId}::int`);

const IdsRow = z.object({ total: z.number(), ids: z.array(z.number()) });

/** A page of products that the hub sells and the customer ordered but does not subscribe to, most orders first, without pre-orders. */
export async function findRecommended(db: Conn, customerId: CustomerId, hubId: number, { offset, rows }: Page) {
  const row = await queryOne(
    db,
    sql`with bought as (
          select x.product_id as id, count(distinct o.id) as orders, max(o.created_at) as latest
          from orders o join order_item i on i.order_id = o.id and i.quantity > 0 join variant x on x.id = i.variant_id
          where o.customer_id = ${customerId}::int and o.status <> 'cancelled' group by x.product_id),
        fitting as (
          select b.* from bought b join product p on p.id = b.id and p.is_published join vendor ve on ve.id = p.vendor_id and ve.is_published
          where ${isListed(hubId)}
            and not exists (select 1 from subscription s join variant x on x.id = s.variant_id where s.customer_id = ${customerId}::int and x.product_id = p.id)
            and not exists (select 1 from variant x where x.product_id = p.id and x.pre_order_date is not null))
        select (select count(*)::int from fitting) as total,
          coalesce((select array_agg(t.id order by t.orders desc, t.latest desc, t.id) from (
            select * from fitting order by orders desc, latest desc, id limit ${rows}::int offset ${offset}::int) t), '{}') as ids`,
    IdsRow,
  );
  return row!;
}
