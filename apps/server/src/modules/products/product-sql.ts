import { type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { pictureOf } from "../pictures/picture-json-sql.ts";
import { PictureRow } from "../pictures/picture-row.ts";
import { SizeColumns } from "./size-sql.ts";

export const VendorRefRow = z.object({
  id: z.number(),
  slug: z.string(),
  name: z.string(),
  city: z.string(),
  state: z.string(),
  avatar: PictureRow.nullable(),
});
export type VendorRefRow = z.infer<typeof VendorRefRow>;

const VariantRow = z.object({
  id: z.number(),
  title: z.string(),
  inventory: z.number(),
  price_cents: z.number(),
  sale_price_cents: z.number().nullable(),
  /** `YYYY-MM-DD` */
  pre_order_date: z.string().nullable(),
  ...SizeColumns.shape,
});
export type VariantRow = z.infer<typeof VariantRow>;

const ProductRow = z.object({
  id: z.number(),
  slug: z.string(),
  created_at: z.date(),
  title: z.string(),
  description: z.string(),
  new_description: z.string().nullable(),
  tags: z.array(z.string()),
  badge: z.number().nullable(),
  ribbon_type: z.string().nullable(),
  ribbon_text: z.string().nullable(),
  discount_notes: z.string().nullable(),
  origin_country: z.string().nullable(),
  origin_state: z.string().nullable(),
  origin_county: z.string().nullable(),
  processor: z.string().nullable(),
  vendor: VendorRefRow,
  pictures: z.array(PictureRow),
  /** The variants that the hub sells. */
  variants: z.array(VariantRow),
  rating_count: z.number(),
  /** Sum of all ratings, in half stars. */
  rating_halves: z.number(),
  /** Published hubs that sell it; empty if this hub sells it. */
  markets: z.array(z.object({ id: z.number(), name: z.string() })),
});
export type ProductRow = z.infer<typeof ProductRow>;

/** The vendor `v` as a VendorRefRow. */
export const vendorRefJson = sql`json_build_object('id', v.id, 'slug', v.slug, 'name', v.name, 'city', v.city, 'state', v.state, 'avatar',
  ${pictureOf(sql`v.avatar_id`)})`;

/**
 * Published products of published vendors with the variants that the hub sells (`hubId` null: none), by id, in one statement.
 * Unknown ids are left out.
 */
export async function findProducts(
  conn: Conn,
  hubId: number | null,
  which: { ids: readonly number[] } | { slug: string },
): Promise<ProductRow[]> {
  const condition = "ids" in which ? sql`p.id = any(${[...which.ids]}::int[])` : sql`p.slug = ${which.slug}`;
  return query(
    conn,
    sql`select p.id, p.slug, p.created_at, p.title, p.description, p.new_description, coalesce(p.tags, '{}') as tags, p.badge, p.ribbon_type, p.ribbon_text,
          p.discount_notes, p.origin_country, p.origin_state, p.origin_county, p.processor,
          ${vendorRefJson} as vendor,
          coalesce((select json_agg(json_build_object('id', i.id, 'alt', i.alt, 'thumbhash', i.thumbhash) order by pp.position)
            from product_picture pp join picture i on i.id = pp.picture_id where pp.product_id = p.id), '[]') as pictures,
          coalesce(sold.variants, '[]') as variants,
          rated.count as rating_count, rated.halves as rating_halves,
          case when sold.variants is not null then '[]' else coalesce((
            select json_agg(json_build_object('id', h.id, 'name', h.name) order by h.name, h.id) from hub h
            where h.is_published and exists (
              select 1 from variant x join offer o on o.variant_id = x.id
              where x.product_id = p.id and o.hub_id = h.id and o.is_published)), '[]') end as markets
        from product p
        join vendor v on v.id = p.vendor_id
        left join lateral (
          select json_agg(json_build_object('id', x.id, 'title', x.title, 'inventory', o.inventory, 'price_cents', o.price_cents,
              'sale_price_cents', o.sale_price_cents, 'pre_order_date', x.pre_order_date, 'unit', x.unit, 'measure', x.measure,
              'measure_amount', x.measure_amount) order by x.position, x.id) as variants
          from variant x join offer o on o.variant_id = x.id and o.hub_id = ${hubId}::int and o.is_published
          where x.product_id = p.id) sold on true
        cross join lateral (
          select count(*)::int as count, coalesce(sum(r.rating_halves), 0)::int as halves from review r where r.product_id = p.id and r.hidden_at is null) rated
        where p.is_published and v.is_published and ${condition}
        order by p.id`,
    ProductRow,
  );
}

const CountById = z.record(z.string(), z.number());
const Personal = z.object({
  /** 1 by product id. */
  favorites: CountById,
  /** 1 by variant id. */
  subscribed: CountById,
  /** Orders with the product in them, by its id. */
  orders: CountById,
  /** Orders with something of the vendor in them, by its id. */
  vendor_orders: CountById,
});
/** What a customer's products show of the customer. */
export type Personal = z.infer<typeof Personal>;

/** Favorites, subscriptions and orders of a customer, in one statement. Cancelled orders and removed lines do not count. */
export async function findPersonal(conn: Conn, customerId: CustomerId): Promise<Personal> {
  const row = await queryOne(
    conn,
    sql`with bought as (
          select o.id as order_id, x.product_id, i.vendor_id
          from orders o join order_item i on i.order_id = o.id and i.quantity > 0 join variant x on x.id = i.variant_id
          where o.customer_id = ${customerId}::int and o.status <> 'cancelled')
        select
          coalesce((select json_object_agg(product_id, 1) from favorite_product where customer_id = ${customerId}::int), '{}') as favorites,
          coalesce((select json_object_agg(variant_id, 1) from subscription where customer_id = ${customerId}::int), '{}') as subscribed,
          coalesce((select json_object_agg(product_id, count) from (
            select product_id, count(distinct order_id) from bought group by product_id) product), '{}') as orders,
          coalesce((select json_object_agg(vendor_id, count) from (
            select vendor_id, count(distinct order_id) from bought group by vendor_id) vendor), '{}') as vendor_orders`,
    Personal,
  );
  return row!;
}
