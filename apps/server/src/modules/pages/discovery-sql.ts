import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

const PublicPlace = z.object({ path: z.string(), changed_at: z.date().nullable() });
/** A public URL path. */
export type PublicPlace = z.infer<typeof PublicPlace>;

/** The limit of one sitemap file. */
const MOST = 50_000 - 100;

/** Whether some published market offers a size of the product `p`. */
const isForSale = sql`exists (select 1 from variant x join offer o on o.variant_id = x.id join hub h on h.id = o.hub_id
  where x.product_id = p.id and o.is_published and h.is_published)`;

/** Published markets, collections and posts (by `today`), and the vendors, products and bundles of some published market. */
export const findPublicPlaces = (conn: Conn, today: string): Promise<PublicPlace[]> =>
  query(
    conn,
    sql`select '/hubs/' || h.id as path, null::timestamptz as changed_at from hub h where h.is_published
        union all select '/collections/' || c.slug, null from collection c where c.is_published
        union all select '/bundles/' || b.slug, null from bundle b
          where b.is_published and exists (select 1 from bundle_hub bh join hub h on h.id = bh.hub_id where bh.bundle_id = b.id and h.is_published)
        union all select '/blog/' || p.slug, p.publish_date::timestamptz from blog_post p where p.publish_date <= ${today}::date
        union all select '/vendors/' || v.slug, null from vendor v
          where v.is_published and exists (select 1 from product p where p.vendor_id = v.id and p.is_published and ${isForSale})
        union all select '/product/' || p.slug, null from product p join vendor v on v.id = p.vendor_id
          where p.is_published and v.is_published and ${isForSale}
        limit ${MOST}::int`,
    PublicPlace,
  );
