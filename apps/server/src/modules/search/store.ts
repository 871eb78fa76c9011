import { type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { pictureOf, PictureRow } from "../pictures/store.ts";
import { vendorColumns, VendorRow } from "../vendors/store.ts";
import { tsQuery } from "./ts-query.ts";

const PageRow = z.object({ total: z.number(), product_ids: z.array(z.number()) });

/** Weights of description, vendor, tags and title. */
const WEIGHTS = sql`array[0.05, 0.3, 0.5, 1]::real[]`;

/**
 * A page of what the hub sells that has all the words, or where nothing has all of them any: what is called exactly so
 * first, then by rank, the shorter name first. How many there are and the ids of this page, in one statement.
 */
export async function findMatches(
  conn: Conn,
  hubId: number,
  text: string,
  { offset, rows }: { offset: number; rows: number },
): Promise<z.infer<typeof PageRow>> {
  const row = await queryOne(
    conn,
    sql`with ${tsQuery(text)},
        wanted as (
          select case when exists (select 1 from search.document d, asked a where d.hubs @> array[${hubId}::int] and d.words @@ a.every) then a.every else a.any end as words, a.plain
          from asked a),
        found as materialized (
          select d.product_id, d.title = w.plain as exact, ts_rank(${WEIGHTS}, d.words, w.words) as rank, length(d.title) as length
          from search.document d, wanted w where d.hubs @> array[${hubId}::int] and d.words @@ w.words)
        select (select count(*)::int from found) as total,
          coalesce((select array_agg(t.product_id order by t.exact desc, t.rank desc, t.length, t.product_id) from (
            select * from found order by exact desc, rank desc, length, product_id limit ${rows}::int offset ${offset}::int) t), '{}') as product_ids`,
    PageRow,
  );
  return row!;
}

const SuggestionRow = z.object({
  type: z.enum(["product", "vendor", "collection"]),
  id: z.number(),
  slug: z.string(),
  title: z.string(),
  image: PictureRow.nullable(),
  vendor: z.string().nullable(),
  price_cents: z.number().nullable(),
});
export type SuggestionRow = z.infer<typeof SuggestionRow>;

/**
 * What the hub has whose own name or tags have all the words, best first: products, vendors and collections, at most
 * `most` together. Vendors and collections get two places each, and more where products do not fill theirs.
 */
export async function findSuggestions(conn: Conn, hubId: number, text: string, most: number): Promise<SuggestionRow[]> {
  const heldByCollection = sql`exists (
    select 1 from collection k join collection_product cp on cp.collection_id = k.id join search.document d on d.product_id = cp.product_id
    where (k.id = c.id or (k.parent_id = c.id and k.is_published)) and d.hubs @> array[${hubId}::int])`;
  return query(
    conn,
    sql`with ${tsQuery(text, "AB")},
        named as (
          (select 'product' as type, d.product_id as id, d.title = a.plain as exact, ts_rank(${WEIGHTS}, d.words, a.every) as rank, length(d.title) as length
            from search.document d, asked a where d.hubs @> array[${hubId}::int] and d.words @@ a.every
            order by exact desc, rank desc, length, id limit ${most}::int)
          union all
          (select 'vendor', s.vendor_id, s.name = a.plain, ts_rank(s.words, a.named), length(s.name)
            from search.vendor s, asked a where s.words @@ a.named
              and exists (select 1 from search.document d where d.vendor_id = s.vendor_id and d.hubs @> array[${hubId}::int])
            order by 3 desc, 4 desc, 5, 2 limit ${most}::int)
          union all
          (select 'collection', c.id, search.plain(c.title) = a.plain, ts_rank(t.words, a.named), length(c.title)
            from asked a, collection c cross join lateral (select to_tsvector('search.words', search.plain(c.title)) as words) t
            where c.is_published and t.words @@ a.named and ${heldByCollection}
            order by 3 desc, 4 desc, 5, 2 limit ${most}::int)),
        placed as (
          select *, row_number() over (partition by type order by exact desc, rank desc, length, id) as place from named),
        chosen as (
          select * from placed order by type <> 'product' and place > 2, place, type limit ${most}::int)
        select c.type, c.id, coalesce(p.slug, v.slug, k.slug) as slug, coalesce(p.title, v.name, k.title) as title,
          ${pictureOf(sql`case c.type when 'vendor' then v.avatar_id when 'collection' then k.image_id
            else (select pp.picture_id from product_picture pp where pp.product_id = p.id order by pp.position limit 1) end`)} as image,
          pv.name as vendor,
          (select coalesce(o.sale_price_cents, o.price_cents) from variant x
            join offer o on o.variant_id = x.id and o.hub_id = ${hubId}::int and o.is_published
            where x.product_id = p.id order by x.position, x.id limit 1) as price_cents
        from chosen c
        left join product p on c.type = 'product' and p.id = c.id
        left join vendor pv on pv.id = p.vendor_id
        left join vendor v on c.type = 'vendor' and v.id = c.id
        left join collection k on c.type = 'collection' and k.id = c.id
        order by c.exact desc, c.type = 'product' desc, c.place, c.type`,
    SuggestionRow,
  );
}

/**
 * Published vendors by name, at most `most`: those whose name begins so first. `scope` hub: only who sells something
 * there; all: everybody. Products are counted in the hub.
 */
export async function findVendorsNamed(
  conn: Conn,
  hubId: number | null,
  text: string,
  scope: "hub" | "all",
  most: number,
): Promise<VendorRow[]> {
  const inScope =
    scope === "all"
      ? sql`true`
      : sql`exists (select 1 from search.document d where d.vendor_id = v.id and d.hubs @> array[${hubId}::int])`;
  return query(
    conn,
    sql`with ${tsQuery(text)},
        found as (
          select v.id, starts_with(s.name, a.plain) as begins, ts_rank(s.words, a.named) as rank, s.name
          from search.vendor s join vendor v on v.id = s.vendor_id and v.is_published, asked a
          where a.plain <> '' and (s.words @@ a.named or (length(a.plain) > 3 and position(a.plain in s.name) > 0)) and ${inScope}
          order by begins desc, rank desc, s.name, v.id limit ${most}::int)
        select ${vendorColumns(hubId)} from found f join vendor v on v.id = f.id order by f.begins desc, f.rank desc, f.name, f.id`,
    VendorRow,
  );
}
