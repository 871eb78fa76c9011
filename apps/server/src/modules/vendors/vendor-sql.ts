import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { CardRow } from "../feed/feed-sql.ts";
import { pictureOf } from "../pictures/picture-json-sql.ts";
import { PictureRow } from "../pictures/picture-row.ts";
import { vendorRefJson } from "../products/product-sql.ts";
import type { WhichVendor } from "./store.ts";

export const VendorRow = z.object({
  id: z.number(),
  slug: z.string(),
  name: z.string(),
  city: z.string(),
  state: z.string(),
  description: z.string(),
  avatar: PictureRow.nullable(),
  hero: PictureRow.nullable(),
  followers: z.number(),
  /** Average of the endorsements, null without any. */
  score: z.number().nullable(),
  /** The number of its products that the hub lists. */
  products: z.number(),
});
export type VendorRow = z.infer<typeof VendorRow>;

const isVendor = (which: WhichVendor): Sql =>
  "id" in which
    ? sql`v.id = ${which.id}::int`
    : "slug" in which
      ? sql`v.slug = ${which.slug}`
      : sql`v.hash = ${which.hash}`;

/** The condition that product `p` has a published offer in the hub. */
export const isListed = (hubId: number | null): Sql =>
  sql`exists (select 1 from variant x join offer o on o.variant_id = x.id where x.product_id = p.id and o.hub_id = ${hubId}::int and o.is_published)`;

/** The columns of a VendorRow for a vendor `v`, as the hub sees it. */
export const vendorColumns = (hubId: number | null): Sql => sql`
  v.id, v.slug, v.name, v.city, v.state, v.description, ${pictureOf(sql`v.avatar_id`)} as avatar, ${pictureOf(sql`v.hero_id`)} as hero,
  (select count(*)::int from follow f where f.vendor_id = v.id) as followers,
  (select avg(e.score)::float8 from endorsement e where e.vendor_id = v.id and e.hidden_at is null) as score,
  (select count(*)::int from product p where p.vendor_id = v.id and p.is_published and ${isListed(hubId)}) as products`;

/** Published vendors with at least one product that the hub lists, by id. */
export async function findVendorsOfHub(conn: Conn, hubId: number): Promise<VendorRow[]> {
  return query(
    conn,
    sql`select ${vendorColumns(hubId)} from vendor v
        where v.is_published and exists (select 1 from product p where p.vendor_id = v.id and p.is_published and ${isListed(hubId)})
        order by v.id`,
    VendorRow,
  );
}

/** A published vendor, with or without products in the hub; null for an unknown one. */
export async function findVendor(conn: Conn, hubId: number | null, which: WhichVendor): Promise<VendorRow | null> {
  return queryOne(
    conn,
    sql`select ${vendorColumns(hubId)} from vendor v where v.is_published and ${isVendor(which)}`,
    VendorRow,
  );
}

const Count = z.object({ id: z.number(), count: z.number() });
const PopularityRow = z.object({ vendors: z.array(Count), products: z.array(Count) });

/** The number of a hub's orders since an instant by vendor and by product, without cancelled ones. */
export async function findPopularity(conn: Conn, hubId: number, since: Date): Promise<z.infer<typeof PopularityRow>> {
  const row = await queryOne(
    conn,
    sql`with bought as (
          select distinct o.id as order_id, i.vendor_id, x.product_id
          from orders o join order_item i on i.order_id = o.id and i.quantity > 0 join variant x on x.id = i.variant_id
          where o.hub_id = ${hubId}::int and o.created_at >= ${since} and o.status <> 'cancelled')
        select
          coalesce((select json_agg(json_build_object('id', t.vendor_id, 'count', t.count)) from (
            select vendor_id, count(distinct order_id)::int as count from bought group by vendor_id) t), '[]') as vendors,
          coalesce((select json_agg(json_build_object('id', t.product_id, 'count', t.count)) from (
            select product_id, count(*)::int as count from bought group by product_id) t), '[]') as products`,
    PopularityRow,
  );
  return row!;
}

const PostsRow = z.object({ id: z.number(), total: z.number(), post_ids: z.array(z.number()) });

/**
 * A page of a vendor's posts in a hub, newest first: its own posts for this hub or for all, and staff posts about its products
 * that the hub lists. Null for an unknown vendor.
 */
export async function findPostPage(
  conn: Conn,
  hubId: number,
  which: WhichVendor,
  now: Date,
  { offset, rows }: { offset: number; rows: number },
): Promise<z.infer<typeof PostsRow> | null> {
  const posts = sql`
    select po.id, po.created_at from post po left join product p on p.id = po.product_id and p.is_published
    where coalesce(po.vendor_id, p.vendor_id) = v.id and (po.hub_id is null or po.hub_id = ${hubId}::int)
      and po.created_at <= ${now} and (po.expires_at is null or po.expires_at > ${now})
      and (po.type = 'vendor-post' or po.product_id is null or ${isListed(hubId)})`;
  return queryOne(
    conn,
    sql`select v.id, (select count(*)::int from (${posts}) t) as total,
          coalesce((select array_agg(t.id order by t.created_at desc, t.id desc) from (
            ${posts} order by po.created_at desc, po.id desc limit ${rows}::int offset ${offset}::int) t), '{}') as post_ids
        from vendor v where v.is_published and ${isVendor(which)}`,
    PostsRow,
  );
}

/** These posts as feed cards, newest first. A product that the hub does not list is omitted from its card. */
export async function findPostCards(conn: Conn, hubId: number, postIds: readonly number[]): Promise<CardRow[]> {
  return query(
    conn,
    sql`select 'post-' || po.id as key, po.type, po.title, po.subtitle, po.text, po.avatar_label, po.created_at,
          case when p.id is not null and ${isListed(hubId)} then p.id end as product_id,
          ${pictureOf(sql`po.text_image_id`)} as text_image, ${vendorRefJson} as vendor
        from post po left join product p on p.id = po.product_id and p.is_published
        join vendor v on v.id = coalesce(po.vendor_id, p.vendor_id)
        where po.id = any(${[...postIds]}::int[])
        order by po.created_at desc, po.id desc`,
    CardRow,
  );
}
