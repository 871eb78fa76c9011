import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

const PublicPlace = z.object({ path: z.string(), changed_at: z.date().nullable() });
/** A public URL path. */
export type PublicPlace = z.infer<typeof PublicPlace>;

/** The limit of one sitemap file. */
const MOST = 50_000 - 100;

/** All markets, published collections and bundles, posts published by `today`, and the vendors and products for sale in some hub. */
export const findPublicPlaces = (conn: Conn, today: string): Promise<PublicPlace[]> =>
  query(
    conn,
    sql`select '/hubs/' || h.id as path, null::timestamptz as changed_at from hub h
        union all select '/collections/' || c.slug, null from collection c where c.is_published
        union all select '/bundles/' || b.slug, null from bundle b where b.is_published
        union all select '/blog/' || p.slug, p.publish_date::timestamptz from blog_post p where p.publish_date <= ${today}::date
        union all select '/vendors/' || v.slug, null from vendor v
          where exists (select 1 from product p join variant x on x.product_id = p.id join offer o on o.variant_id = x.id
            where p.vendor_id = v.id and p.is_published and o.is_published)
        union all select '/product/' || p.slug, null from product p
          where p.is_published and exists (select 1 from variant x join offer o on o.variant_id = x.id where x.product_id = p.id and o.is_published)
        limit ${MOST}::int`,
    PublicPlace,
  );
