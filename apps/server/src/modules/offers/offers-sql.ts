import { type Conn, join, query, queryOne, type Sql, sql, unprepared } from "@marketday/db";
import { comparisonOf, type OfferQuery, type OfferTokenName } from "@marketday/domain/offer-query";
import { z } from "zod";

import { escapeLike } from "../../lib/escape-like.ts";
import { takesOrders } from "../hubs/delivery-sql.ts";
import { namedIn, partsOf } from "../orders/matching-items-sql.ts";
import { pictureOf } from "../pictures/picture-json-sql.ts";
import { PictureRow } from "../pictures/picture-row.ts";
import { type HubFilter, meets } from "../today/hub-filter-sql.ts";

/** Which offers are listed. */
export interface OfferListFilter extends OfferQuery {
  /** Hubs that the person may read, and the one that was requested. */
  hubs: HubFilter;
}

const GridRow = z.object({
  id: z.number(),
  variant_id: z.number(),
  hub: z.object({ id: z.number(), slug: z.string(), name: z.string() }),
  vendor: z.object({ id: z.number(), slug: z.string(), name: z.string() }),
  product: z.object({ id: z.number(), slug: z.string() }),
  picture: PictureRow.nullable(),
  variant: z.string(),
  title: z.string(),
  storage: z.string(),
  tags: z.array(z.string()),
  is_product_published: z.boolean(),
  unit: z.string().nullable(),
  price_cents: z.number(),
  sale_price_cents: z.number().nullable(),
  inventory: z.number(),
  weekly_inventory: z.number().nullable(),
  is_published: z.boolean(),
  sold: z.number(),
  watching: z.number(),
  /** Every hub that has an offer of the product. */
  hub_ids: z.array(z.number()),
});
/** A row of the grid. Cents. */
export type GridRow = z.infer<typeof GridRow>;

/** Offers `o` with their variant `x`, product `p`, vendor `v` and hub `h`. */
const offers = sql`offer o join variant x on x.id = o.variant_id join product p on p.id = x.product_id
          join vendor v on v.id = p.vendor_id join hub h on h.id = o.hub_id`;

/** Of the offers that are read, in a common table `wanted`. */
const amongWanted = {
  sold: sql`d.hub_id in (select hub_id from wanted)`,
  item: sql`i.variant_id in (select variant_id from wanted)`,
  watching: sql`ci.variant_id in (select variant_id from wanted)`,
};
const ANY = sql`true`;

/** Units of variants in orders of the delivery that takes orders now, by hub: `sold(hub_id, variant_id, units)`. */
const soldNow = (hubs: HubFilter, now: Date, among = { sold: ANY, item: ANY }): Sql => sql`sold as (
          select n.hub_id, i.variant_id, sum(i.quantity)::int as units
          from (select distinct on (d.hub_id) d.hub_id, d.id from delivery d join hub h on h.id = d.hub_id
                where ${meets(sql`h`, hubs)} and ${among.sold} and ${takesOrders(sql`d`, now)} order by d.hub_id, d.cutoff_at) n
          join orders r on r.delivery_id = n.id and r.status <> 'cancelled' join order_item i on i.order_id = r.id and ${among.item}
          group by 1, 2)`;

/** Shoppers with a line that they watch, by the hub they shop at: `watching(hub_id, variant_id, shoppers)`. */
const watchingNow = (hubs: HubFilter, among = { watching: ANY }): Sql => sql`watching as (
          select c.hub_id, ci.variant_id, count(distinct c.id)::int as shoppers
          from cart_item ci join cart k on k.id = ci.cart_id join customer c on c.id = k.customer_id and c.deleted_at is null join hub h on h.id = c.hub_id
          where ci.watching and ${among.watching} and ${meets(sql`h`, hubs)} group by 1, 2)`;

const isWatched = sql`exists (select 1 from watching w where w.hub_id = o.hub_id and w.variant_id = o.variant_id)`;
const isOversold = sql`exists (select 1 from sold s where s.hub_id = o.hub_id and s.variant_id = o.variant_id and s.units > o.weekly_inventory)`;
const isOffered = sql`(o.is_published and p.is_published and v.is_published)`;
const hasPicture = sql`exists (select 1 from product_picture y where y.product_id = p.id)`;

const FACTS: Readonly<Record<string, Sql>> = {
  "has:watchers": isWatched,
  "has:sale": sql`o.sale_price_cents is not null`,
  "has:oversold": isOversold,
  "no:picture": sql`not ${hasPicture}`,
  "no:refill": sql`o.weekly_inventory is null`,
  "no:tag": sql`coalesce(p.tags, '{}') = '{}'`,
};

const any = (conditions: readonly Sql[]): Sql => sql`(${join([...conditions], " or ")})`;

function compared(column: Sql, value: string, unit: "units" | "cents"): Sql {
  const { is, than } = comparisonOf(value, unit);
  if (is === "<") return sql`${column} < ${than}::int`;
  return is === ">" ? sql`${column} > ${than}::int` : sql`${column} = ${than}::int`;
}

/** The conditions of a filter; none: `true`. */
function conditionsOf({ tokens, words, hubs }: OfferListFilter): Sql {
  const of = (name: OfferTokenName): string[] =>
    tokens.filter((token) => token.name === name).map(({ value }) => value);
  const alternatives = (name: OfferTokenName, condition: (value: string) => Sql): Sql[] => {
    const values = of(name);
    return values.length === 0 ? [] : [any(values.map(condition))];
  };
  const [vendors, products, slugs] = [of("vendor"), of("product"), of("hub")];
  return join(
    [
      meets(sql`h`, hubs),
      ...(slugs.length > 0 ? [sql`h.slug = any(${slugs}::text[])`] : []),
      ...(vendors.length > 0 ? [sql`v.id = any(${namedIn(sql`vendor`, sql`name`, vendors)})`] : []),
      ...(products.length > 0 ? [sql`p.id = any(${namedIn(sql`product`, sql`title`, products)})`] : []),
      ...alternatives("tag", (value) => sql`exists (select 1 from unnest(p.tags) t where lower(t) = lower(${value}))`),
      ...alternatives("storage", (value) => sql`p.storage = ${value}`),
      ...alternatives("stock", (value) => compared(sql`o.inventory`, value, "units")),
      ...alternatives("price", (value) => compared(sql`o.price_cents`, value, "cents")),
      ...alternatives("offered", (value) => (value === "yes" ? isOffered : sql`not ${isOffered}`)),
      ...alternatives("has", (value) => FACTS[`has:${value}`]!),
      ...alternatives("no", (value) => FACTS[`no:${value}`]!),
      ...partsOf(words).map(
        (part) => sql`(p.title ilike ${part} or x.title ilike ${part} or v.name ilike ${part} or p.slug ilike ${part})`,
      ),
    ],
    " and ",
  );
}

const gridColumns = sql`o.id, o.variant_id, json_build_object('id', h.id, 'slug', h.slug, 'name', h.name) as hub,
          json_build_object('id', v.id, 'slug', v.slug, 'name', v.name) as vendor, json_build_object('id', p.id, 'slug', p.slug) as product,
          (select ${pictureOf(sql`y.picture_id`)} from product_picture y where y.product_id = p.id and y.position = 0) as picture,
          x.title as variant, p.title, p.storage, coalesce(p.tags, '{}') as tags, p.is_published as is_product_published, x.unit,
          o.price_cents, o.sale_price_cents, o.inventory, o.weekly_inventory, o.is_published,
          coalesce(s.units, 0) as sold, coalesce(w.shoppers, 0) as watching,
          array(select distinct f.hub_id from variant z join offer f on f.variant_id = z.id where z.product_id = p.id) as hub_ids`;
const gridOrder = sql`lower(v.name), v.id, lower(p.title), p.id, x.position, x.id, lower(h.name), o.id`;
const withFacts = sql`left join sold s on s.hub_id = o.hub_id and s.variant_id = o.variant_id
          left join watching w on w.hub_id = o.hub_id and w.variant_id = o.variant_id`;

const Page = z.object({ rows: z.array(GridRow), count: z.number(), all: z.number(), hubs: z.number() });
/** The first rows that match, how many do, how many there are without the filter, and how many hubs the person may read of those requested. */
export type OfferPage = z.infer<typeof Page>;

/** Whether a filter needs what was sold or is watched of all offers. */
const needsFacts = ({ tokens }: OfferQuery): boolean =>
  tokens.some(({ name, value }) => name === "has" && (value === "watchers" || value === "oversold"));

/** One statement for the rows and the counts. What was sold and is watched is counted of the rows alone, where the filter does not need it. */
export async function findOffers(db: Conn, filter: OfferListFilter, most: number, now: Date): Promise<OfferPage> {
  const { hubs } = filter;
  const matched = sql`matched as materialized (
          select o.id, o.hub_id, o.variant_id, row_number() over (order by ${gridOrder}) as place from ${offers} where ${conditionsOf(filter)}),
        wanted as materialized (select * from matched where place <= ${most}::int)`;
  const parts = needsFacts(filter)
    ? [soldNow(hubs, now), watchingNow(hubs), matched]
    : [matched, soldNow(hubs, now, amongWanted), watchingNow(hubs, amongWanted)];
  const found = await queryOne(
    db,
    unprepared(sql`with ${join(parts, ", ")},
        page as (select ${gridColumns}, wanted.place from wanted join ${offers} on o.id = wanted.id ${withFacts})
        select coalesce((select json_agg(page order by place) from page), '[]') as rows, (select count(*)::int from matched) as count,
          (select count(*)::int from offer o join hub h on h.id = o.hub_id where ${meets(sql`h`, hubs)}) as all,
          (select count(*)::int from hub h where ${meets(sql`h`, hubs)}) as hubs`),
    Page,
  );
  return found!;
}

/** Rows of the grid by their ids, or those of products, in the order of the grid. */
export const findGridRows = (
  db: Conn,
  { ids, productIds = [] }: { ids: readonly number[]; productIds?: readonly number[] },
  hubs: HubFilter,
  now: Date,
): Promise<GridRow[]> =>
  query(
    db,
    sql`with wanted as materialized (
          select o.id, o.hub_id, o.variant_id from offer o join hub h on h.id = o.hub_id where o.id = any(${[...ids]}::int[]) and ${meets(sql`h`, hubs)}
          union select o.id, o.hub_id, o.variant_id from variant x join offer o on o.variant_id = x.id join hub h on h.id = o.hub_id
            where x.product_id = any(${[...productIds]}::int[]) and ${meets(sql`h`, hubs)}),
        ${soldNow(hubs, now, amongWanted)},
        ${watchingNow(hubs, amongWanted)}
        select ${gridColumns} from wanted join ${offers} on o.id = wanted.id ${withFacts} order by ${gridOrder}`,
    GridRow,
  );

/** Ids of the offers that match, in the order of the grid. */
export const findOfferIds = async (
  db: Conn,
  filter: OfferListFilter,
  now: Date,
): Promise<{ ids: number[]; hubs: number }> =>
  (await queryOne(
    db,
    unprepared(sql`with ${soldNow(filter.hubs, now)},
        ${watchingNow(filter.hubs)}
        select coalesce(array_agg(o.id order by ${gridOrder}), '{}') as ids, (select count(*)::int from hub h where ${meets(sql`h`, filter.hubs)}) as hubs
        from ${offers} where ${conditionsOf(filter)}`),
    z.object({ ids: z.array(z.number()), hubs: z.number() }),
  ))!;

/** Tags of products that contain a text, the most used first. */
export const findTags = (db: Conn, text: string, most: number): Promise<{ value: string; uses: number }[]> =>
  query(
    db,
    sql`select t as value, count(*)::int as uses from product p cross join unnest(p.tags) t where t ilike ${`%${escapeLike(text)}%`}
        group by t order by t ilike ${`${escapeLike(text)}%`} desc, uses desc, t limit ${most}::int`,
    z.object({ value: z.string(), uses: z.number() }),
  );
