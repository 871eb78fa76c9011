import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { NEW_FOR_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { pictureOf } from "../pictures/store.ts";

const CollectionRow = z.object({
  id: z.number(),
  slug: z.string(),
  title: z.string(),
  image: z.object({ id: z.string(), alt: z.string(), thumbhash: z.string() }).nullable(),
  parent_id: z.number().nullable(),
  show_in_collections: z.boolean(),
  show_in_main_menu: z.boolean(),
  new_items: z.number(),
});
export type CollectionRow = z.infer<typeof CollectionRow>;

/** The hub's products of each collection and its published children, each once. */
const members = (hubId: number | null, which: Sql = sql`c.is_published`) => sql`
  select c.id as collection_id, cp.product_id, min(cp.position) as position, min(cp.added_at) as added_at
  from collection c
  join collection k on k.id = c.id or (k.parent_id = c.id and k.is_published)
  join collection_product cp on cp.collection_id = k.id
  join product p on p.id = cp.product_id and p.is_published
  join vendor v on v.id = p.vendor_id and v.is_published
  where ${which} and exists (
    select 1 from variant x join offer o on o.variant_id = x.id and o.hub_id = ${hubId}::int and o.is_published where x.product_id = p.id)
  group by c.id, cp.product_id`;

/** The published collections that hold something in the hub, in their order. */
export async function findCollections(conn: Conn, hubId: number, now: Date): Promise<CollectionRow[]> {
  return query(
    conn,
    sql`with members as (${members(hubId)})
        select c.id, c.slug, c.title, c.parent_id, c.show_in_collections, c.show_in_main_menu, held.new_items,
          ${pictureOf(sql`c.image_id`)} as image
        from collection c
        join (select collection_id, count(*) filter (where added_at > ${addMs(now, -NEW_FOR_MS)})::int as new_items from members group by collection_id) held
          on held.collection_id = c.id
        order by c.position, c.title, c.id`,
    CollectionRow,
  );
}

const NamedRow = z.object({ slug: z.string(), title: z.string() });

/** Address and title of a published collection, independent of any hub. Null: unknown or unpublished. */
export const findPublishedCollection = (
  conn: Conn,
  which: { id: number } | { slug: string },
): Promise<z.infer<typeof NamedRow> | null> =>
  queryOne(
    conn,
    sql`select c.slug, c.title from collection c
        where c.is_published and ${"id" in which ? sql`c.id = ${which.id}::int` : sql`c.slug = ${which.slug}`}`,
    NamedRow,
  );

const MembersRow = z.object({ product_ids: z.array(z.number()) });

/** The ids of all products of a published collection that the hub lists, in their order. Null: unknown collection. */
export async function findMembers(
  conn: Conn,
  hubId: number | null,
  which: { id: number } | { slug: string },
): Promise<number[] | null> {
  const row = await queryOne(
    conn,
    sql`select coalesce((
            select array_agg(m.product_id order by m.position, m.product_id) from (${members(hubId, sql`c.id = wanted.id`)}) m),
          '{}') as product_ids
        from collection wanted
        where wanted.is_published and ${"id" in which ? sql`wanted.id = ${which.id}::int` : sql`wanted.slug = ${which.slug}`}`,
    MembersRow,
  );
  return row && row.product_ids;
}
