import { type Conn, execute, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { pictureOf } from "../pictures/store.ts";

const ItemRow = z.object({
  product_id: z.number(),
  variant_id: z.number(),
  quantity: z.number(),
  ingredients: z.string().nullable(),
});

const BundleRow = z.object({
  id: z.number(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  image: z.object({ id: z.string(), alt: z.string(), thumbhash: z.string() }).nullable(),
  /** Discount on each line, in parts per million. */
  discount_ppm: z.number(),
  /** In their order. */
  items: z.array(ItemRow),
});
export type BundleRow = z.infer<typeof BundleRow>;

/** How a path names a bundle. */
export type WhichBundle = { id: number } | { slug: string };

const isBundle = (which: WhichBundle): Sql =>
  "id" in which ? sql`b.id = ${which.id}::int` : sql`b.slug = ${which.slug}`;
const isOffered = (hubId: number): Sql =>
  sql`exists (select 1 from bundle_hub bh where bh.bundle_id = b.id and bh.hub_id = ${hubId}::int)`;
const isSubscribed = (customerId: CustomerId): Sql =>
  sql`exists (select 1 from bundle_subscription s where s.bundle_id = b.id and s.customer_id = ${customerId}::int)`;

const findWhere = async (conn: Conn, where: Sql): Promise<BundleRow[]> =>
  query(
    conn,
    sql`select b.id, b.slug, b.title, b.description, b.discount_ppm,
          ${pictureOf(sql`b.image_id`)} as image,
          coalesce((
            select json_agg(json_build_object('product_id', x.product_id, 'variant_id', x.id, 'quantity', bi.quantity, 'ingredients', p.ingredients)
              order by bi.position, x.id)
            from bundle_item bi join variant x on x.id = bi.variant_id join product p on p.id = x.product_id where bi.bundle_id = b.id), '[]') as items
        from bundle b where b.is_published and ${where} order by b.title, b.id`,
    BundleRow,
  );

/** The published bundles of a hub, by title. */
export const findBundles = async (conn: Conn, hubId: number): Promise<BundleRow[]> => findWhere(conn, isOffered(hubId));

/** One published bundle, of the hub when there is one; null when there is none. */
export async function findBundle(conn: Conn, hubId: number | null, which: WhichBundle): Promise<BundleRow | null> {
  const rows = await findWhere(
    conn,
    hubId === null ? isBundle(which) : sql`${isBundle(which)} and ${isOffered(hubId)}`,
  );
  return rows[0] ?? null;
}

/** One published bundle, whatever hub it is of; null when there is none. */
export const findAnyBundle = async (conn: Conn, which: WhichBundle): Promise<BundleRow | null> =>
  findBundle(conn, null, which);

/** The published bundles a customer subscribes to, whatever hub they are of. */
export const findSubscribed = async (conn: Conn, customerId: CustomerId): Promise<BundleRow[]> =>
  findWhere(conn, isSubscribed(customerId));

const IntervalRow = z.object({ bundle_id: z.number(), interval_weeks: z.number() });

/** Which bundles a customer subscribes to, and every how many weeks. */
export async function findIntervals(conn: Conn, customerId: CustomerId): Promise<Map<number, number>> {
  const rows = await query(
    conn,
    sql`select bundle_id, interval_weeks from bundle_subscription where customer_id = ${customerId}::int`,
    IntervalRow,
  );
  return new Map(rows.map((row) => [row.bundle_id, row.interval_weeks]));
}

/** Subscribes a customer to a published bundle of the hub, or changes the interval. Its id; null when there is none. */
export async function upsertSubscription(
  conn: Conn,
  customerId: CustomerId,
  hubId: number,
  which: WhichBundle,
  intervalWeeks: number,
  now: Date,
): Promise<number | null> {
  const row = await queryOne(
    conn,
    sql`insert into bundle_subscription (customer_id, bundle_id, interval_weeks, created_at)
        select ${customerId}::int, b.id, ${intervalWeeks}::int, ${now}::timestamptz from bundle b where b.is_published and ${isBundle(which)} and ${isOffered(hubId)}
        on conflict (customer_id, bundle_id) do update set interval_weeks = excluded.interval_weeks
        returning bundle_id`,
    z.object({ bundle_id: z.number() }),
  );
  return row?.bundle_id ?? null;
}

/** Ends a subscription; nothing happens where there is none. */
export async function deleteSubscription(conn: Conn, customerId: CustomerId, bundleId: number): Promise<void> {
  await execute(
    conn,
    sql`delete from bundle_subscription where customer_id = ${customerId}::int and bundle_id = ${bundleId}::int`,
  );
}
