import { FEED_TYPES } from "@marketday/contracts/feed";
import { type Conn, query, sql } from "@marketday/db";
import { FEED_CARDS_MAX, NEW_FOR_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { pictureOf, PictureRow } from "../pictures/store.ts";
import { vendorRefJson, VendorRefRow } from "../products/store.ts";

export const CardRow = z.object({
  /** "post-12", "new-item-40" */
  key: z.string(),
  type: z.enum(FEED_TYPES),
  title: z.string(),
  subtitle: z.string(),
  text: z.string(),
  avatar_label: z.string(),
  text_image: PictureRow.nullable(),
  /** Listed in the hub. */
  product_id: z.number().nullable(),
  vendor: VendorRefRow.nullable(),
  created_at: z.date(),
});
export type CardRow = z.infer<typeof CardRow>;

/** The maximum of each kind of card. */
const MOST = { posts: 40, newItems: 10, newVendors: 5, returning: 8, onSale: 10 };
/** The maximum of one vendor's products among the cards of a kind. */
const OF_ONE_VENDOR = 2;

/**
 * The cards of a hub, newest first (docs/product.md §5 Feed), in one statement: posts of vendors and staff for it or for all hubs, and
 * automatic cards of new products, new vendors, restocked products and sales that can be bought. One card for a product and kind. Staff cards of products the hub does not list are left out; a vendor's post loses its product.
 */
export async function findCards(conn: Conn, hubId: number, now: Date): Promise<CardRow[]> {
  const since = addMs(now, -NEW_FOR_MS);
  return query(
    conn,
    sql`with offered as (
          select x.product_id, p.vendor_id, min(o.published_at) as since, bool_or(o.is_published) as listed,
            coalesce(bool_or(o.is_published and o.inventory > 0), false) as in_stock,
            max(o.restocked_at) filter (where o.is_published and o.inventory > 0) as restocked_at,
            max(o.on_sale_since) filter (where o.is_published and o.inventory > 0 and o.sale_price_cents is not null) as on_sale_since
          from offer o
          join variant x on x.id = o.variant_id
          join product p on p.id = x.product_id and p.is_published
          join vendor v on v.id = p.vendor_id and v.is_published
          where o.hub_id = ${hubId}::int
          group by x.product_id, p.vendor_id),
        listed as (select * from offered where listed),
        stalls as (
          select vendor_id, min(since) as since, bool_or(listed) as listed from offered group by vendor_id),
        kinds as (
          select 'new-item' as type, product_id, vendor_id, since as at, ${MOST.newItems}::int as most from listed where in_stock
          union all
          select 'returning-item', product_id, vendor_id, restocked_at, ${MOST.returning}::int from listed where restocked_at > since
          union all
          select 'on-sale', product_id, vendor_id, on_sale_since, ${MOST.onSale}::int from listed where on_sale_since is not null),
        spread as (
          select *, row_number() over (partition by type, vendor_id order by at desc, product_id desc) as nth_of_vendor
          from kinds where at <= ${now} and (at > ${since} or type = 'on-sale')),
        automatic as (
          select * from (
            select *, row_number() over (partition by type order by at desc, product_id desc) as nth from spread where nth_of_vendor <= ${OF_ONE_VENDOR}::int) ranked
          where nth <= most),
        posts as (
          select po.*, l.product_id as listed_id, coalesce(po.vendor_id, p.vendor_id) as of_vendor_id,
            row_number() over (partition by po.type, coalesce(po.product_id, -po.id) order by po.created_at desc, po.id desc) as nth_of_product
          from post po
          left join product p on p.id = po.product_id
          left join listed l on l.product_id = po.product_id
          where (po.hub_id is null or po.hub_id = ${hubId}::int)
            and po.created_at <= ${now} and (po.expires_at is null or po.expires_at > ${now})
            and (po.type = 'vendor-post' or po.product_id is null or l.product_id is not null)
            and (po.type <> 'vendor-post' or po.hub_id is not null or po.vendor_id in (select s.vendor_id from stalls s where s.listed))
            and (po.vendor_id is null or exists (select 1 from vendor v where v.id = po.vendor_id and v.is_published))),
        cards as (
          (select 'post-' || id as key, type, title, subtitle, text, avatar_label, text_image_id, listed_id as product_id,
              of_vendor_id as vendor_id, created_at
            from posts where nth_of_product = 1 order by created_at desc, id desc limit ${MOST.posts}::int)
          union all
          select type || '-' || product_id, type, '', '', '', '', null, product_id, vendor_id, at from automatic
          union all
          (select 'new-vendor-' || vendor_id, 'new-vendor', '', '', '', '', null, null, vendor_id, since
            from stalls where listed and since > ${since} and since <= ${now} order by since desc, vendor_id desc limit ${MOST.newVendors}::int))
        select c.key, c.type, c.title, c.subtitle, c.text, c.avatar_label, c.product_id, c.created_at,
          ${pictureOf(sql`case c.type when 'new-vendor' then v.hero_id else c.text_image_id end`)} as text_image,
          case when v.id is not null then ${vendorRefJson} end as vendor
        from cards c left join vendor v on v.id = c.vendor_id
        order by c.created_at desc, c.key limit ${FEED_CARDS_MAX}::int`,
    CardRow,
  );
}
