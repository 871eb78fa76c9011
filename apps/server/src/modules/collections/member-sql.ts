import { type Conn, query, queryOne, sql } from "@marketday/db";
import { NEW_FOR_MS } from "@marketday/domain/limits";
import { addMs } from "@marketday/domain/time";
import { z } from "zod";

import { pictureOf } from "../pictures/picture-json-sql.ts";

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

/** The collection `c` and its published children, whose products it shows, each once. */
const parts = sql`array(select k.id from collection k where k.id = c.id or (k.parent_id = c.id and k.is_published))`;

/** The published collections that hold something in the hub, in their order. */
export async function findCollections(conn: Conn, hubId: number, now: Date): Promise<CollectionRow[]> {
  const newSince = addMs(now, -NEW_FOR_MS);
  const isNew = sql`m.added_at > ${newSince}`;
  return query(
    conn,
    sql`select c.id, c.slug, c.title, c.parent_id, c.show_in_collections, c.show_in_main_menu, ${pictureOf(sql`c.image_id`)} as image,
          case cardinality(of_c.parts) when 1 then (
            select count(*)::int from search.member m where m.hub_id = ${hubId}::int and m.collection_id = c.id and ${isNew})
          else (
            select count(distinct m.product_id)::int from search.member m
            where m.hub_id = ${hubId}::int and m.collection_id = any(of_c.parts) and ${isNew} and not exists (
              select 1 from search.member earlier where earlier.product_id = m.product_id and earlier.hub_id = m.hub_id
                and earlier.collection_id = any(of_c.parts) and earlier.added_at <= ${newSince}))
          end as new_items
        from collection c cross join lateral (select ${parts} as parts) of_c
        where c.is_published and exists (
          select 1 from unnest(of_c.parts) part (id) join search.member m on m.hub_id = ${hubId}::int and m.collection_id = part.id)
        order by c.position, c.title, c.id`,
    CollectionRow,
  );
}

const MembersRow = z.object({ product_ids: z.array(z.number()) });

/** The ids of all products of a published collection that the hub lists, in their order. Null: unknown collection. */
export async function findMembers(
  conn: Conn,
  hubId: number | null,
  which: { id: number } | { slug: string },
): Promise<number[] | null> {
  const row = await queryOne(
    conn,
    sql`select case cardinality(of_c.parts) when 1 then array(
            select m.product_id from search.member m where m.hub_id = ${hubId}::int and m.collection_id = c.id order by m.position, m.product_id)
          else array(
            select m.product_id from search.member m where m.hub_id = ${hubId}::int and m.collection_id = any(of_c.parts)
            group by m.product_id order by min(m.position), m.product_id)
          end as product_ids
        from collection c cross join lateral (select ${parts} as parts) of_c
        where c.is_published and ${"id" in which ? sql`c.id = ${which.id}::int` : sql`c.slug = ${which.slug}`}`,
    MembersRow,
  );
  return row && row.product_ids;
}
