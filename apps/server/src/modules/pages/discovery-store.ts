import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

const PublicPlace = z.object({ path: z.string(), changed_at: z.date().nullable() });
/** An address that everybody may find. */
export type PublicPlace = z.infer<typeof PublicPlace>;

/** Search engines read no more of one file. */
const MOST = 50_000 - 100;

/** Every market, collection, stall, product that is for sale somewhere, bundle and post that is out. */
export const findPublicPlaces = (conn: Conn, now: Date): Promise<PublicPlace[]> =>
  query(
    conn,
    sql`select '/hubs/' || h.id as path, null::timestamptz as changed_at from hub h
        union all select '/collections/' || c.slug, null from collection c where c.is_published
        union all select '/bundles/' || b.slug, null from bundle b where b.is_published
        union all select '/blog/' || p.slug, p.publish_date::timestamptz from blog_post p where p.publish_date <= ${now}::date
        union all select '/vendors/' || v.slug, null from vendor v
          where exists (select 1 from product p join variant x on x.product_id = p.id join offer o on o.variant_id = x.id
            where p.vendor_id = v.id and p.is_published and o.is_published)
        union all select '/product/' || p.slug, null from product p
          where p.is_published and exists (select 1 from variant x join offer o on o.variant_id = x.id where x.product_id = p.id and o.is_published)
        limit ${MOST}::int`,
    PublicPlace,
  );
