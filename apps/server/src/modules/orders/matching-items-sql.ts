import { type Sql, sql } from "@marketday/db";

import { escapeLike } from "../../lib/escape-like.ts";

/** What items are of: products and vendors, each a slug, or a part of the name where there is no such slug. Null: of any. */
export interface ItemFilter {
  products: readonly string[] | null;
  vendors: readonly string[] | null;
}

/** Patterns of texts that are a part of something, for `ilike any`. */
export const partsOf = (texts: readonly string[]): string[] => texts.map((text) => `%${escapeLike(text)}%`);

/** The ids in `table` (product or vendor) of a slug, or where there is no such slug, of a part of the name. */
export const namedIn = (table: Sql, name: Sql, texts: readonly string[]): Sql => {
  const slugs = texts.map((text) => text.toLowerCase());
  return sql`array(select n.id from ${table} n where n.slug = any(${slugs}::text[]) or n.${name} ilike any(array(
      select t.part from unnest(${slugs}::text[], ${partsOf(texts)}::text[]) t(slug, part) where not exists (select 1 from ${table} k where k.slug = t.slug))))`;
};

/** The condition that item `i` of an order is one that a person gets, or got, of this filter: units that came short or were removed are not. */
export const isMatchingItem = ({ products, vendors }: ItemFilter): Sql =>
  sql`i.quantity > 0
      and ${products === null ? sql`true` : sql`i.variant_id = any(array(select v.id from variant v where v.product_id = any(${namedIn(sql`product`, sql`title`, products)})))`}
      and ${vendors === null ? sql`true` : sql`i.vendor_id = any(${namedIn(sql`vendor`, sql`name`, vendors)})`}`;
