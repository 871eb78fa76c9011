import { FEED_TYPES } from "@marketday/contracts/feed";
import { type Conn, query, type Sql, sql } from "@marketday/db";
import { FEED_CARDS_MAX, FEED_NEW_ITEMS_MAX, NEW_FOR_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { pictureOf } from "../pictures/picture-json-sql.ts";
import { PictureRow } from "../pictures/picture-row.ts";
import { vendorRefJson, VendorRefRow } from "../products/product-sql.ts";

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
const MOST = { posts: 40, newItems: FEED_NEW_ITEMS_MAX, newVendors: 5, returning: 8, onSale: 10 };
/** The maximum of one vendor's products among the cards of a kind. */
const OF_ONE_VENDOR = 2;
/** Greater than every id. */
const AFTER_ALL = 2_147_483_647;

/** The hub's offers `o` of a product `p`, published or not, under another name. */
const offersOf = (hubId: number) =>
  sql`from variant y join offer f on f.variant_id = y.id and f.hub_id = ${hubId}::int where y.product_id = p.id`;

/**
 * The newest cards of a kind: the hub's offers are read backwards in an index of `at`, from `now` until there are `most` cards, each
 * step starting after the one before. A product has one card, its first; a vendor at most two.
 */
const walk = (hubId: number, now: Date, at: Sql, condition: Sql, most: number): Sql => sql`
  with recursive step as (
    select ${now}::timestamptz as at, ${AFTER_ALL}::int as offer_id, null::int as product_id, null::int as vendor_id,
      '{}'::int[] as products, '{}'::int[] as vendors
    union all
    select n.at, n.offer_id, n.product_id, n.vendor_id, s.products || n.product_id, s.vendors || n.vendor_id
    from step s cross join lateral (
      select ${at} as at, o.id as offer_id, p.id as product_id, p.vendor_id
      from offer o join variant x on x.id = o.variant_id join product p on p.id = x.product_id join vendor v on v.id = p.vendor_id
      where o.hub_id = ${hubId}::int and (${at}, o.id) < (s.at, s.offer_id) and p.is_published and v.is_published
        and p.id <> all(s.products) and cardinality(array_positions(s.vendors, p.vendor_id)) < ${OF_ONE_VENDOR}::int and ${condition}
      order by ${at} desc, o.id desc limit 1) n
    where cardinality(s.products) < ${most}::int)
  select product_id, vendor_id, at from step where product_id is not null`;

/**
 * The cards of a hub, newest first (docs/product.md §5 Feed), in one statement: posts of vendors and staff for it or for all hubs, and
 * automatic cards of new products, new vendors, restocked products and sales that can be bought. One card for a product and kind. Staff cards of products the hub does not list are left out; a vendor's post loses its product.
 */
export async function findCards(conn: Conn, hubId: number, now: Date): Promise<CardRow[]> {
  const since = addMs(now, -NEW_FOR_MS);
  const canBeBought = sql`o.is_published and o.inventory > 0`;
  // A product is as old as its first offer, and the card of a new one is found at it.
  const newItems = walk(
    hubId,
    now,
    sql`o.published_at`,
    sql`o.published_at > ${since} and not exists (select 1 ${offersOf(hubId)} and (f.published_at, f.id) < (o.published_at, o.id))
      and exists (select 1 ${offersOf(hubId)} and f.is_published and f.inventory > 0)`,
    MOST.newItems,
  );
  const returning = walk(
    hubId,
    now,
    sql`o.restocked_at`,
    sql`o.restocked_at > ${since} and ${canBeBought} and exists (select 1 ${offersOf(hubId)} and f.published_at < o.restocked_at)`,
    MOST.returning,
  );
  const onSale = walk(
    hubId,
    now,
    sql`o.on_sale_since`,
    sql`o.sale_price_cents is not null and ${canBeBought}`,
    MOST.onSale,
  );
  const offersOfVendor = sql`from product p join variant x on x.product_id = p.id join offer o on o.variant_id = x.id
    where p.vendor_id = v.id and p.is_published and o.hub_id = ${hubId}::int`;
  // Unlike `@>`, never read in the index of words: documents are found here by product or vendor.
  const isListed = sql`${hubId}::int = any(d.hubs)`;
  const sells = (vendorId: Sql) =>
    sql`(select d.product_id from search.document d where d.vendor_id = ${vendorId} and ${isListed} limit 1) is not null`;
  return query(
    conn,
    sql`with new_vendors as (
          select v.id as vendor_id, began.at
          from vendor v cross join lateral (select min(o.published_at) as at ${offersOfVendor}) began
          where v.is_published and began.at <= ${now}
            and (select o.id ${offersOfVendor} and o.published_at <= ${since} order by p.created_at limit 1) is null
            and ${sells(sql`v.id`)}
          order by began.at desc, v.id desc limit ${MOST.newVendors}::int),
        automatic as (
          select 'new-item' as type, n.* from (${newItems}) n
          union all
          select 'returning-item', n.* from (${returning}) n
          union all
          select 'on-sale', n.* from (${onSale}) n),
        posts as (
          select po.*, d.product_id as listed_id, coalesce(po.vendor_id, p.vendor_id) as of_vendor_id,
            row_number() over (partition by po.type, coalesce(po.product_id, -po.id) order by po.created_at desc, po.id desc) as nth_of_product
          from post po
          left join product p on p.id = po.product_id
          left join search.document d on d.product_id = po.product_id and ${isListed}
          where (po.hub_id is null or po.hub_id = ${hubId}::int)
            and po.created_at <= ${now} and (po.expires_at is null or po.expires_at > ${now})
            and (po.type = 'vendor-post' or po.product_id is null or d.product_id is not null)
            and (po.type <> 'vendor-post' or po.hub_id is not null
              or ${sells(sql`po.vendor_id`)})
            and (po.vendor_id is null or exists (select 1 from vendor v where v.id = po.vendor_id and v.is_published))),
        cards as (
          (select 'post-' || id as key, type, title, subtitle, text, avatar_label, text_image_id, listed_id as product_id,
              of_vendor_id as vendor_id, created_at
            from posts where nth_of_product = 1 order by created_at desc, id desc limit ${MOST.posts}::int)
          union all
          select type || '-' || product_id, type, '', '', '', '', null, product_id, vendor_id, at from automatic
          union all
          select 'new-vendor-' || vendor_id, 'new-vendor', '', '', '', '', null, null, vendor_id, at from new_vendors)
        select c.key, c.type, c.title, c.subtitle, c.text, c.avatar_label, c.product_id, c.created_at,
          ${pictureOf(sql`case c.type when 'new-vendor' then v.hero_id else c.text_image_id end`)} as text_image,
          case when v.id is not null then ${vendorRefJson} end as vendor
        from cards c left join vendor v on v.id = c.vendor_id
        order by c.created_at desc, c.key limit ${FEED_CARDS_MAX}::int`,
    CardRow,
  );
}
