import type { Check, Names, Renames } from "../kind.ts";

/** The variant `x` of the row's product that has the row's `variant_id`. */
const byId = "join product p on p.slug = s.slug join variant x on x.product_id = p.id and x.id = s.variant_id";

/** Titles of the variants of a product. */
export const variantNames: Names = {
  noun: "a variant",
  column: "variant",
  market: `select p.slug as scope, x.title as key, x.title as name from variant x join product p on p.id = x.product_id
      where p.slug in (select slug from incoming) and not exists (select 1 from renamed r where r.id = x.id)`,
  incoming: `select s.line, s.slug as scope, coalesce((select x.title from product p join variant x on x.product_id = p.id and x.id = s.variant_id where p.slug = s.slug), s.variant) as key,
      s.variant as name from incoming s where s.slug is not null and s.variant is not null`,
  rename: "To rename it, write its variant_id in the row, as `market products export` has it. ",
};

const checks = (title: string): Check[] => [
  {
    sql: `select s.line, 'variant' as column, null as value, '${title}' as "right" from incoming s
      where s.variant is null and not s.bad && array['variant', 'variant_id']
        and (s.variant_id is null or not exists (select 1 from product p where p.slug = s.slug))`,
  },
  {
    sql: `select s.line, 'variant_id' as column, s.variant_id::text as value,
        format('the number of a variant of %s as the export has it, or empty for a new variant', s.slug) as "right"
      from incoming s join product p on p.slug = s.slug
      where not 'variant' = any(s.bad) and s.variant_id is not null
        and not exists (select 1 from variant x where x.product_id = p.id and (x.id = s.variant_id or x.title = s.variant))`,
  },
  {
    sql: `select s.line, 'variant' as column, s.variant as value,
        format('the same title as in row %s ("%s"): both have the variant_id %s', s.first, s.first_title, s.variant_id) as "right"
      from (select i.*, first_value(line) over one as first, first_value(variant) over one as first_title from incoming i
        where variant_id is not null and variant is not null window one as (partition by slug, variant_id order by line)) s
      where s.variant <> s.first_title`,
  },
  {
    sql: `select s.line, 'variant' as column, s.variant as value,
        format('another title: row %s gives it to the variant with the variant_id %s', s.first, s.first_id) as "right"
      from (select i.*, first_value(line) over one as first, first_value(variant_id) over one as first_id from incoming i
        where variant_id is not null and variant is not null window one as (partition by slug, variant order by line)) s
      where s.variant_id <> s.first_id`,
  },
  {
    sql: `select s.line, 'variant' as column, s.variant as value,
        format('another title: the variant with the variant_id %s has it already', t.id) as "right"
      from incoming s ${byId} join variant t on t.product_id = p.id and t.title = s.variant and t.id <> x.id
      where x.title <> s.variant and not exists (select 1 from incoming i where i.slug = s.slug and i.variant_id = t.id and i.variant <> t.title)`,
  },
  {
    sql: `select s.line, 'variant' as column, s.variant as value,
        format('"%s": row %s renames it', r.variant, r.line) as "right"
      from incoming s join product p on p.slug = s.slug join variant t on t.product_id = p.id and t.title = s.variant
      join lateral (select i.line, i.variant from incoming i where i.slug = s.slug and i.variant_id = t.id and i.variant <> t.title order by i.line limit 1) r on true
      where not exists (select 1 from variant x where x.product_id = p.id and x.id = s.variant_id)`,
  },
];

/** Open orders that have a renamed variant. */
const openOrders = `select o.id from orders o where o.status in ('future', 'open')
      and o.id in (select i.order_id from order_item i join renamed r on r.id = i.variant_id) order by o.id for update`;

/**
 * A row with a `variant_id` and another title renames that variant; its orders that are open have the new title. An empty title is
 * that of another row with the number, or the stored one.
 * @param title what the title of a new variant should be
 */
export const variantRenames = (title: string): Renames => ({
  complete: `update incoming s set variant = coalesce(
      (select i.variant from incoming i where i.slug = s.slug and i.variant_id = s.variant_id and i.variant is not null order by i.line limit 1), x.title)
    from product p join variant x on x.product_id = p.id
    where p.slug = s.slug and x.id = s.variant_id and s.variant is null and not 'variant' = any(s.bad)`,
  checks: checks(title),
  find: `create temp table renamed on commit drop as
    select distinct on (x.id) s.line, s.slug as subject, x.id, x.title as before, s.variant as after
    from incoming s ${byId} where s.variant is not null and s.variant <> x.title order by x.id, s.line`,
  // Orders before offers, which the counts of stock lock.
  lock: openOrders,
  apply: "update variant x set title = r.after from renamed r where x.id = r.id",
  undo: `with rejected as (delete from renamed r where not exists (select 1 from incoming s where s.line = r.line) returning r.id, r.before)
    update variant x set title = r.before from rejected r where x.id = r.id`,
  finish: `with locked as (${openOrders})
    update order_item i set variant_title = r.after from renamed r, locked o where i.variant_id = r.id and i.order_id = o.id and i.variant_title = r.before`,
});
