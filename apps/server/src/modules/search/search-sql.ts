import { type Conn, empty, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { pictureOf } from "../pictures/picture-json-sql.ts";
import { PictureRow } from "../pictures/picture-row.ts";
import { SizeColumns, sizePairs } from "../products/size-sql.ts";
import { vendorColumns, VendorRow } from "../vendors/vendor-sql.ts";
import { parseSearch, type SearchQuery, selectQuery } from "./query-sql.ts";

const PageRow = z.object({ total: z.number(), product_ids: z.array(z.number()) });
const ParsedPageRow = PageRow.extend({ is_known: z.boolean().nullable() });

/** Weights of description, vendor, tags and title. */
const WEIGHTS = sql`array[0.05, 0.3, 0.5, 1]::real[]`;

/** The parsed text as a row, for statements that match with it. */
const asRow = ({ every, any, named, plain }: SearchQuery) =>
  sql`search_query as (select ${every}::tsquery as every, ${any}::tsquery as any, ${named}::tsquery as named, ${plain}::text as plain)`;

/**
 * A page of the hub's products that contain all the words, or if none does, any of them: exact titles first, then by rank, then
 * the shorter title first. The total and the ids of this page; in one statement, or two for a text with a word that is not in the
 * index.
 */
export async function findMatches(
  conn: Conn,
  hubId: number,
  text: string,
  page: { offset: number; rows: number },
): Promise<z.infer<typeof PageRow>> {
  const { is_known: isKnown, ...exact } = await findPage(conn, hubId, text, "exact", page);
  if (isKnown !== false) return exact;
  const { total, product_ids } = await findPage(conn, hubId, text, "similar", page);
  return { total, product_ids };
}

/** With `exact`, no product when a word of the text is not in the index. */
async function findPage(
  conn: Conn,
  hubId: number,
  text: string,
  spelling: "exact" | "similar",
  { offset, rows }: { offset: number; rows: number },
): Promise<z.infer<typeof ParsedPageRow>> {
  const matching = (words: Sql) =>
    sql`select d.product_id, d.title = q.plain as exact, ts_rank(${WEIGHTS}, d.words, ${words}) as rank, length(d.title) as length
        from search_query q, search.document d
        where ${spelling === "exact" ? sql`q.is_known and` : empty} d.hubs @> array[${hubId}::int] and d.words @@ ${words}`;
  const row = await queryOne(
    conn,
    sql`with parsed as materialized (${selectQuery(text, "", spelling)}),
        search_query as materialized (select every::tsquery as every, "any"::tsquery as "any", plain, is_known from parsed),
        with_every as materialized (${matching(sql`q.every`)}),
        matches as materialized (
          select * from with_every
          union all
          (${matching(sql`q."any"`)} and not exists (select 1 from with_every) and q.every is distinct from q."any"))
        select (select is_known from parsed), (select count(*)::int from matches) as total,
          coalesce((select array_agg(t.product_id order by t.exact desc, t.rank desc, t.length, t.product_id) from (
            select * from matches order by exact desc, rank desc, length, product_id limit ${rows}::int offset ${offset}::int) t), '{}') as product_ids`,
    ParsedPageRow,
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
  /** The first variant that the hub sells. */
  variant: z.object({ title: z.string(), price_cents: z.number(), ...SizeColumns.shape }).nullable(),
});
export type SuggestionRow = z.infer<typeof SuggestionRow>;

/**
 * Products, vendors and collections of the hub whose name or tags contain all the words, best first, at most `most` together.
 * Vendors and collections get two places each, and more if products do not fill theirs.
 */
export async function findSuggestions(conn: Conn, hubId: number, text: string, most: number): Promise<SuggestionRow[]> {
  const hasListedProduct = sql`exists (
    select 1 from collection k join collection_product cp on cp.collection_id = k.id join search.document d on d.product_id = cp.product_id
    where (k.id = c.id or (k.parent_id = c.id and k.is_published)) and d.hubs @> array[${hubId}::int])`;
  const parsed = await parseSearch(conn, text, "AB");
  return query(
    conn,
    sql`with ${asRow(parsed)},
        named as (
          (select 'product' as type, d.product_id as id, d.title = q.plain as exact, ts_rank(${WEIGHTS}, d.words, q.every) as rank, length(d.title) as length
            from search.document d, search_query q where d.hubs @> array[${hubId}::int] and d.words @@ q.every
            order by exact desc, rank desc, length, id limit ${most}::int)
          union all
          (select 'vendor', s.vendor_id, s.name = q.plain, ts_rank(s.words, q.named), length(s.name)
            from search.vendor s, search_query q where s.words @@ q.named
              and exists (select 1 from search.document d where d.vendor_id = s.vendor_id and d.hubs @> array[${hubId}::int])
            order by 3 desc, 4 desc, 5, 2 limit ${most}::int)
          union all
          (select 'collection', c.id, search.plain(c.title) = q.plain, ts_rank(t.words, q.named), length(c.title)
            from search_query q, collection c cross join lateral (select to_tsvector('search.words', search.plain(c.title)) as words) t
            where c.is_published and t.words @@ q.named and ${hasListedProduct}
            order by 3 desc, 4 desc, 5, 2 limit ${most}::int)),
        placed as (
          select *, row_number() over (partition by type order by exact desc, rank desc, length, id) as place from named),
        chosen as (
          select * from placed order by type <> 'product' and place > 2, place, type limit ${most}::int)
        select c.type, c.id, coalesce(p.slug, v.slug, k.slug) as slug, coalesce(p.title, v.name, k.title) as title,
          ${pictureOf(sql`case c.type when 'vendor' then v.avatar_id when 'collection' then k.image_id
            else (select pp.picture_id from product_picture pp where pp.product_id = p.id order by pp.position limit 1) end`)} as image,
          pv.name as vendor,
          (select json_build_object('title', v.title, 'price_cents', coalesce(o.sale_price_cents, o.price_cents), ${sizePairs}) from variant v
            join offer o on o.variant_id = v.id and o.hub_id = ${hubId}::int and o.is_published
            where v.product_id = p.id order by v.position, v.id limit 1) as variant
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
 * Published vendors by name, at most `most`, prefix matches first. `scope` hub: only vendors with products in the hub; all: every
 * vendor. Products are counted in the hub.
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
  const parsed = await parseSearch(conn, text);
  return query(
    conn,
    sql`with ${asRow(parsed)},
        matches as (
          select v.id, starts_with(s.name, q.plain) as begins, ts_rank(s.words, q.named) as rank, s.name
          from search.vendor s join vendor v on v.id = s.vendor_id and v.is_published, search_query q
          where q.plain <> '' and (s.words @@ q.named or (length(q.plain) > 3 and position(q.plain in s.name) > 0)) and ${inScope}
          order by begins desc, rank desc, s.name, v.id limit ${most}::int)
        select ${vendorColumns(hubId)} from matches f join vendor v on v.id = f.id order by f.begins desc, f.rank desc, f.name, f.id`,
    VendorRow,
  );
}
