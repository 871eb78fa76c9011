import { type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

/** A product by id or slug. */
export type WhichProduct = { id: number } | { slug: string };

const ProductRow = z.object({ id: z.number(), vendor_id: z.number(), total: z.number() });

/** A published product and its number of reviews; null for an unknown product. */
export async function findProductForReviews(
  conn: Conn,
  which: WhichProduct,
): Promise<z.infer<typeof ProductRow> | null> {
  return queryOne(
    conn,
    sql`select p.id, p.vendor_id, (select count(*)::int from review r where r.product_id = p.id) as total
        from product p join vendor v on v.id = p.vendor_id
        where p.is_published and v.is_published and ${"id" in which ? sql`p.id = ${which.id}::int` : sql`p.slug = ${which.slug}`}`,
    ProductRow,
  );
}

const ReviewRow = z.object({
  id: z.number(),
  created_at: z.date(),
  first_name: z.string(),
  last_name: z.string(),
  /** The account was deleted; the review remains. */
  is_former: z.boolean(),
  rating_halves: z.number(),
  comment: z.string(),
  /** The rater has an order with this product that is not cancelled. */
  verified: z.boolean(),
});
export type ReviewRow = z.infer<typeof ReviewRow>;

/** A page of a product's reviews, newest first. */
export async function findReviews(
  conn: Conn,
  productId: number,
  { offset, rows }: { offset: number; rows: number },
): Promise<ReviewRow[]> {
  return query(
    conn,
    sql`select r.id, r.created_at, c.first_name, c.last_name, c.deleted_at is not null as is_former, r.rating_halves, r.comment,
          exists (
            select 1 from orders o join order_item i on i.order_id = o.id and i.quantity > 0 join variant x on x.id = i.variant_id
            where o.customer_id = r.customer_id and o.status <> 'cancelled' and x.product_id = r.product_id) as verified
        from review r join customer c on c.id = r.customer_id
        where r.product_id = ${productId}::int
        order by r.created_at desc, r.id desc limit ${rows}::int offset ${offset}::int`,
    ReviewRow,
  );
}

/** Inserts or replaces the customer's review of a product and returns its id. */
export async function upsertReview(
  conn: Conn,
  customerId: CustomerId,
  productId: number,
  review: { ratingHalves: number; comment: string },
  now: Date,
): Promise<number> {
  const row = await queryOne(
    conn,
    sql`insert into review (customer_id, product_id, rating_halves, comment, created_at)
        values (${customerId}::int, ${productId}::int, ${review.ratingHalves}::int, ${review.comment}, ${now})
        on conflict (customer_id, product_id) do update
          set rating_halves = excluded.rating_halves, comment = excluded.comment, created_at = excluded.created_at
        returning id`,
    z.object({ id: z.number() }),
  );
  if (!row) throw new Error("no review");
  return row.id;
}
