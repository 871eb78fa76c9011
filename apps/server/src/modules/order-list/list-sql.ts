import type { ORDER_SORTS } from "@marketday/contracts/admin/order-list";
import { type Conn, join, queryOne, type Sql, sql, unprepared } from "@marketday/db";
import { z } from "zod";

import { collectCents, isPacked } from "../orders/box-state-sql.ts";
import { type HubFilter, meets } from "../today/hub-filter-sql.ts";
import { factsOf, filterParts, type FilterParts, mayBeCollected, type OrderListFilter, boxOf } from "./filter-sql.ts";

type SortColumn = (typeof ORDER_SORTS)[number];
/** A column to sort by; "-" before it: downwards. */
export type OrderSort = SortColumn | `-${SortColumn}`;

/** Boxes of which `lines` is summed at most: their items are many more. */
const LINES_SUMMED_MAX = 5_000;

const columnOf = (sort: OrderSort): SortColumn => sort.replace(/^-/, "") as SortColumn;

const isInHubs = (hubs: HubFilter): Sql =>
  hubs.scope === "all" && hubs.hub === null
    ? sql`true`
    : sql`b.hub_id in (select h.id from hub h where ${meets(sql`h`, hubs)})`;
const isLive = sql`o.status <> 'cancelled'`;

/** Where order `o` is, for conditions of its hub `h` and delivery `d`. */
const placed = sql`join delivery d on d.id = o.delivery_id join hub h on h.id = o.hub_id`;

/** Orders `o` of the boxes in a CTE, and what they are conditioned by. Without other conditions than of the place, all orders of it. */
const ordersIn = (parts: FilterParts, box: Sql): { from: Sql; where: Sql } =>
  parts.isPlaceOnly
    ? { from: parts.isEverywhere ? sql`orders o` : sql`orders o ${placed}`, where: parts.place }
    : { from: sql`${box} k join orders o on ${boxOf} = k.id`, where: sql`true` };

/** What is to be collected, `id` and `due_cents`; only of boxes with something. */
function dueOf(parts: FilterParts, box: Sql): Sql {
  const where = parts.isPlaceOnly ? parts.place : sql`${boxOf} in (select id from ${box})`;
  return sql`(
          select ${boxOf} as id, sum(${collectCents})::int as due_cents
          from orders o ${placed} left join payment y on y.id = o.payment_id
          where ${isLive} and ${isPacked(sql`o`)} and ${mayBeCollected} and ${where} group by 1)`;
}

/** What a box is sorted by, where that is not a column of the box: a join on `b.id`, and its value. */
const SORTS: Readonly<Record<SortColumn, { from: (parts: FilterParts) => Sql; key: Sql }>> = {
  day: { from: () => sql``, key: sql`null::int` },
  placed: { from: () => sql``, key: sql`b.placed` },
  name: {
    from: () => sql`left join customer c on c.id = b.customer_id`,
    key: sql`lower(trim(c.first_name || ' ' || c.last_name))`,
  },
  tote: {
    from: () => sql`left join (
            select distinct on (x.order_id) x.order_id, x.tote from snapshot_box x join snapshot s on s.id = x.snapshot_id
            where s.is_complete and x.order_id in (select id from candidate) order by x.order_id, s.version desc) t on t.order_id = b.id`,
    key: sql`t.tote`,
  },
  total: {
    from: (parts) => {
      const { from, where } = ordersIn(parts, sql`candidate`);
      return sql`left join (
            select ${boxOf} as id, case when bool_and(o.status = 'cancelled') then sum(o.order_total_cents) else sum(o.order_total_cents) filter (where ${isLive}) end as total_cents
            from ${from} where ${where} group by 1) f on f.id = b.id`;
    },
    key: sql`f.total_cents`,
  },
  due: {
    from: (parts) => sql`left join ${dueOf(parts, sql`candidate`)} f on f.id = b.id`,
    key: sql`coalesce(f.due_cents, 0)`,
  },
  lines: {
    from: (parts) => {
      const { from, where } = ordersIn(parts, sql`candidate`);
      return sql`left join (
            select f.id, case when bool_and(f.is_cancelled) then sum(f.lines) else sum(f.lines) filter (where not f.is_cancelled) end as lines from (
              select ${boxOf} as id, o.status = 'cancelled' as is_cancelled, (select count(*) from order_item i where i.order_id = o.id and i.quantity > 0) as lines
              from ${from} where ${where}) f group by f.id) f on f.id = b.id`;
    },
    key: sql`coalesce(f.lines, 0)`,
  },
};

/** CTEs up to `matched(id, day, placed, units, sort)`: the boxes that match. */
function matchedCtes(parts: FilterParts, sort: OrderSort): Sql {
  const { from, key } = SORTS[columnOf(sort)];
  const source =
    parts.hits !== null
      ? sql`hit join orders b on b.id = hit.id`
      : parts.match !== null
        ? sql`match join orders b on b.id = match.id`
        : sql`orders b`;
  // What has no conditions but of the place is so much that each part of the statement reads it for itself.
  const stored = parts.isPlaceOnly ? sql`not materialized` : sql`materialized`;
  return join(
    [
      ...(parts.hits ? [parts.hits] : []),
      ...(parts.match ? [parts.match] : []),
      sql`${parts.facts ? sql`possible` : sql`candidate`} as ${stored} (
          select b.id, d.day, b.created_at as placed, b.customer_id, ${parts.match ? sql`match.units` : sql`null::int`} as units
          from ${source} ${parts.hits && parts.match ? sql`join match on match.id = b.id` : sql``}
          join delivery d on d.id = b.delivery_id ${parts.isEverywhere ? sql`` : sql`join hub h on h.id = b.hub_id`}
          where ${join(parts.conditions, " and ")})`,
      ...(parts.facts
        ? [
            sql`candidate as materialized (select f.* from ${factsOf(sql`possible`, parts.facts.hasRefunds)} f where ${join(parts.facts.conditions, " and ")})`,
          ]
        : []),
      sql`matched as ${stored} (select b.id, b.day, b.placed, b.units, ${key} as sort from candidate b ${from(parts)})`,
    ],
    ",\n        ",
  );
}

/** Equal ones by day, the latest first, then as they were placed. */
function orderBy(sort: OrderSort): Sql {
  const direction = sort.startsWith("-") ? sql`desc` : sql`asc`;
  const equal = sql`placed, id`;
  return columnOf(sort) === "day"
    ? sql`day ${direction}, ${equal}`
    : sql`sort ${direction} nulls last, day desc, ${equal}`;
}

const PageRow = z.object({
  ids: z.array(z.number()),
  units: z.array(z.number().nullable()),
  orders: z.number(),
  total_cents: z.number(),
  due_cents: z.number(),
  lines: z.number().nullable(),
  matching_units: z.number().nullable(),
  all: z.number(),
  hubs: z.number(),
});
/** A page of the boxes that match, and sums of all of them. `hubs`: that the person may read, of those requested. Cents. */
export type PageRow = z.infer<typeof PageRow>;

interface Slice {
  /** Null: all. */
  rows: number | null;
  offset: number;
}

/** The ids and units of `matched` in their order. */
const slice = (sort: OrderSort, { rows, offset }: Slice): Sql =>
  sql`page as (select id, units, row_number() over (order by ${orderBy(sort)}) as place
          from (select * from matched order by ${orderBy(sort)} limit ${rows}::int offset ${offset}::int) m)`;

/** One statement for a page, its sums, and how many there are without the filter. */
const pageStatement = (filter: OrderListFilter, sort: OrderSort, page: Slice): Sql => {
  const parts = filterParts(filter);
  const { from, where } = ordersIn(parts, sql`matched`);
  const all = sql`(select count(*)::int from orders b where b.add_on_to_id is null and ${isInHubs(filter.hubs)})`;
  return unprepared(sql`with ${matchedCtes(parts, sort)},
        ${slice(sort, page)}
        select coalesce((select array_agg(id order by place) from page), '{}') as ids, coalesce((select array_agg(units order by place) from page), '{}') as units,
          m.orders, m.matching_units,
          (select coalesce(sum(o.order_total_cents), 0)::float8 from ${from} where ${where} and ${isLive}) as total_cents,
          (select coalesce(sum(due_cents), 0)::float8 from ${dueOf(parts, sql`matched`)} due) as due_cents,
          case when m.orders <= ${LINES_SUMMED_MAX}::int then (
            select count(*)::int from ${from} join order_item i on i.order_id = o.id where ${where} and ${isLive} and i.quantity > 0) end as lines,
          ${parts.isSearched ? all : sql`m.orders`} as all,
          (select count(*)::int from hub h where ${meets(sql`h`, filter.hubs)}) as hubs
        from (select count(*)::int as orders, sum(units)::int as matching_units from matched) m`);
};

export const findOrderPage = async (
  db: Conn,
  filter: OrderListFilter,
  sort: OrderSort,
  page: Slice,
): Promise<PageRow> => (await queryOne(db, pageStatement(filter, sort, page), PageRow))!;

const IdsRow = PageRow.pick({ ids: true, units: true, orders: true, hubs: true });

/** Numbers of the boxes that match, in the order of the list, at most `most` (null: all), with the units that match; and how many there are. */
export const findOrderIds = async (
  db: Conn,
  filter: OrderListFilter,
  sort: OrderSort,
  most: number | null,
): Promise<z.infer<typeof IdsRow>> =>
  (await queryOne(
    db,
    unprepared(sql`with ${matchedCtes(filterParts(filter), sort)},
        ${slice(sort, { rows: most, offset: 0 })}
        select coalesce((select array_agg(id order by place) from page), '{}') as ids, coalesce((select array_agg(units order by place) from page), '{}') as units,
          (select count(*)::int from matched) as orders,
          (select count(*)::int from hub h where ${meets(sql`h`, filter.hubs)}) as hubs`),
    IdsRow,
  ))!;
