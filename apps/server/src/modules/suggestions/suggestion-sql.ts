import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

const SimilarRow = z.object({ id: z.number(), ids: z.array(z.number()) });

/** Similarity points for a shared collection, tag or vendor. */
const POINTS = { collection: 3, tag: 2, vendor: 1 };
/** The number of most similar products among which those in stock come first. */
const CLOSE = 40;

/**
 * A published product and the most similar products that the hub lists, without itself: in stock first, then by points. Null
 * for an unknown product.
 */
export async function findSimilar(
  conn: Conn,
  hubId: number | null,
  which: { id: number } | { slug: string },
  most: number,
): Promise<z.infer<typeof SimilarRow> | null> {
  return queryOne(
    conn,
    sql`with this as (
          select p.id, p.vendor_id, p.tags from product p join vendor v on v.id = p.vendor_id
          where p.is_published and v.is_published and ${"id" in which ? sql`p.id = ${which.id}::int` : sql`p.slug = ${which.slug}`}),
        shared as (
          select other.product_id as id, ${POINTS.collection}::int as points
          from this t join collection_product own on own.product_id = t.id join collection c on c.id = own.collection_id and c.is_published
          join collection_product other on other.collection_id = own.collection_id
          union all
          select p.id, ${POINTS.tag}::int from this t, unnest(t.tags) as tag join product p on p.tags @> array[tag]
          union all
          select d.product_id, ${POINTS.vendor}::int from this t join search.document d on d.vendor_id = t.vendor_id),
        close as (
          select s.id, sum(s.points) as points from shared s join search.document d on d.product_id = s.id and d.hubs @> array[${hubId}::int]
          where s.id <> (select id from this) group by s.id order by points desc, s.id limit ${CLOSE}::int),
        chosen as (
          select c.*, exists (
            select 1 from variant x join offer o on o.variant_id = x.id
            where x.product_id = c.id and o.hub_id = ${hubId}::int and o.is_published and o.inventory > 0) as in_stock
          from close c order by in_stock desc, points desc, id limit ${most}::int)
        select t.id, coalesce((select array_agg(c.id order by c.in_stock desc, c.points desc, c.id) from chosen c), '{}') as ids from this t`,
    SimilarRow,
  );
}
