import { type Conn, query, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

import { isClosedDate, takesOrders } from "../hubs/delivery-sql.ts";
import { collectCents, isPacked } from "../orders/box-state-sql.ts";
import { isStale } from "./sheets-sql.ts";

/** Since when something is known, as JSON has instants, and by whom: a person's name, else the name in the audit log. */
const Known = z.object({ at: z.string(), by: z.string() }).nullable();

const DayFactsRow = z.object({
  /** The delivery's. */
  id: z.number(),
  hub: z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() }),
  cutoff_at: z.date(),
  takes_orders: z.boolean(),
  is_skipped: z.boolean(),
  /** The cutoff is complete, so that sheets can be made, also where nothing is frozen yet. */
  is_cut_off: z.boolean(),
  /** Complete ones, oldest first. `routes`: `RoutePlan.routes`. */
  versions: z.array(
    z.object({
      id: z.number(),
      version: z.number(),
      /** Instants, as JSON has them. */
      frozenAt: z.string(),
      madeAt: z.string().nullable(),
      drivers: z.number().nullable(),
      routes: z.array(z.array(z.number().nullable())).nullable(),
    }),
  ),
  /** As on the board: no longer once the date has passed. */
  is_stale: z.boolean(),
  boxes: z.number(),
  /** Boxes that are delivered to a door. */
  doors: z.number(),
  units: z.number(),
  collect_cents: z.number(),
  vendors: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      slug: z.string(),
      units: z.number(),
      items: z.number(),
      confirmed: Known,
      arrived: Known,
      /** Items of which too few came. */
      shorts: z.number(),
      /** Those of them with a count that is not settled. */
      shortsToSettle: z.number(),
      /** Of what is known of the vendor on this day; 0: nothing. */
      version: z.number(),
    }),
  ),
});
export type DayFactsRow = z.infer<typeof DayFactsRow>;

/** Since when, and the name of whom the audit log has by an email or slug: a person, or the vendor `v`. */
const known = (at: Sql, by: Sql): Sql => sql`case when ${at} is not null then json_build_object('at', ${at},
                'by', coalesce((select p.name from staff p where ${by} = 'staff:' || p.email),
                  case when ${by} = 'vendor:' || v.slug then v.name end, regexp_replace(${by}, '^[a-z]+:', ''))) end`;

/**
 * A hub's delivery day (slug or id): its versions, and the sums of the newest one or, as long as there is none, of the orders so far.
 * Vendors by name. Null: no such hub or day. Amounts in cents.
 */
export const findDayFacts = (db: Conn, key: string, day: string, now: Date) =>
  queryOne(
    db,
    sql`with d as (
          select d.*, h.slug, h.name, h.time_zone, h.pack_unpaid from delivery d join hub h on h.id = d.hub_id
          where d.day = ${day}::date
            and h.id = (select k.id from hub k where k.slug = ${key} or k.id = ${hubId(key)}::int order by k.id limit 1)),
        s as (select s.id from snapshot s join d on d.id = s.delivery_id where s.is_complete order by s.version desc limit 1),
        box as (
          select b.order_id, b.due_cents, b.address is not null as is_door from snapshot_box b join s on s.id = b.snapshot_id
          union all
          select coalesce(o.add_on_to_id, o.id), sum(${collectCents})::int, bool_or(o.type = 'delivery')
          from d join orders o on o.delivery_id = d.id join hub h on h.id = d.hub_id left join payment y on y.id = o.payment_id
          where not exists (select 1 from s) and o.status <> 'cancelled' and ${isPacked(sql`o`)}
          group by coalesce(o.add_on_to_id, o.id)
          having bool_or(exists (select 1 from order_item i where i.order_id = o.id and i.quantity > 0))),
        line as (
          select l.vendor_id, l.vendor_name, l.variant_id, l.quantity from snapshot_line l join s on s.id = l.snapshot_id
          union all
          select i.vendor_id, v.name, i.variant_id, i.quantity
          from d join orders o on o.delivery_id = d.id join hub h on h.id = d.hub_id
          join order_item i on i.order_id = o.id and i.quantity > 0 join vendor v on v.id = i.vendor_id
          where not exists (select 1 from s) and o.status <> 'cancelled' and ${isPacked(sql`o`)})
        select d.id, json_build_object('id', d.hub_id, 'slug', d.slug, 'name', d.name, 'timeZone', d.time_zone) as hub, d.cutoff_at,
          ${takesOrders(sql`d`, now)} as takes_orders, ${isClosedDate(sql`d`)} as is_skipped,
          exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'cutoff' and r.state <> 'running') as is_cut_off,
          coalesce((select json_agg(json_build_object('id', v.id, 'version', v.version, 'frozenAt', v.frozen_at, 'madeAt', p.planned_at,
              'drivers', p.drivers, 'routes', p.routes) order by v.version)
            from snapshot v left join route_plan p on p.snapshot_id = v.id where v.delivery_id = d.id and v.is_complete), '[]') as versions,
          coalesce((select ${isStale(sql`s`, sql`d.id`)} from s where (d.day + 1)::timestamp at time zone d.time_zone > ${now}), false) as is_stale,
          b.boxes, b.doors, b.collect_cents, coalesce((select sum(quantity) from line), 0)::int as units,
          coalesce((select json_agg(json_build_object('id', l.id, 'name', l.name, 'slug', v.slug, 'units', l.units, 'items', l.items,
              'confirmed', ${known(sql`a.confirmed_at`, sql`a.confirmed_by`)}, 'arrived', ${known(sql`a.arrived_at`, sql`a.arrived_by`)}, 'version', coalesce(a.version, 0),
              'shorts', x.shorts, 'shortsToSettle', x.to_settle) order by l.name, l.id)
            from (select vendor_id as id, max(vendor_name) as name, sum(quantity) as units, count(distinct variant_id) as items from line group by vendor_id) l
            join vendor v on v.id = l.id left join vendor_arrival a on a.delivery_id = d.id and a.vendor_id = l.id
            cross join lateral (
              select count(distinct x.variant_id) as shorts, count(distinct x.variant_id) filter (where x.state <> 'settled') as to_settle
              from shortage x join variant r on r.id = x.variant_id join product t on t.id = r.product_id
              where x.delivery_id = d.id and x.state <> 'removed' and x.came < x."of" and t.vendor_id = l.id) x), '[]') as vendors
        from d cross join (
          select count(*)::int as boxes, (count(*) filter (where is_door))::int as doors, coalesce(sum(due_cents), 0)::int as collect_cents from box) b`,
    DayFactsRow,
  );

const hubId = (key: string): number | null => (/^[1-9]\d{0,8}$/.test(key) ? Number(key) : null);

const ComparedBox = z.object({
  snapshot_id: z.number(),
  order_id: z.number(),
  tote: z.number(),
  name: z.string(),
  address: z.record(z.string(), z.unknown()).nullable(),
  pickup: z.record(z.string(), z.unknown()).nullable(),
  delivery_notes: z.string(),
  due_cents: z.number(),
  lines: z.array(
    z.object({
      variantId: z.number(),
      vendor: z.string(),
      product: z.string(),
      variant: z.string(),
      unit: z.string().nullable(),
      quantity: z.number(),
    }),
  ),
});
export type ComparedBox = z.infer<typeof ComparedBox>;

/** Every box of these versions, by version and tote; `lines` has only the variants whose quantity is not the same in all of them. */
export const findComparedBoxes = (db: Conn, snapshotIds: readonly number[]) =>
  query(
    db,
    sql`with line as (
          select snapshot_id, box_order_id, variant_id, min(vendor_name) as vendor_name, min(product_title) as product_title,
            min(variant_title) as variant_title, min(unit) as unit, sum(quantity)::int as quantity
          from snapshot_line where snapshot_id = any(${[...snapshotIds]}::int[]) group by snapshot_id, box_order_id, variant_id),
        changed as (
          select box_order_id, variant_id from line group by box_order_id, variant_id
          having count(*) < ${snapshotIds.length}::int or min(quantity) <> max(quantity)),
        part as (
          select l.snapshot_id, l.box_order_id, json_agg(json_build_object('variantId', l.variant_id, 'vendor', l.vendor_name,
            'product', l.product_title, 'variant', l.variant_title, 'unit', l.unit, 'quantity', l.quantity)) as lines
          from line l join changed c using (box_order_id, variant_id) group by l.snapshot_id, l.box_order_id)
        select b.snapshot_id, b.order_id, b.tote, b.name, b.address, b.pickup, b.delivery_notes, b.due_cents, coalesce(p.lines, '[]') as lines
        from snapshot_box b left join part p on p.snapshot_id = b.snapshot_id and p.box_order_id = b.order_id
        where b.snapshot_id = any(${[...snapshotIds]}::int[]) order by b.snapshot_id, b.tote`,
    ComparedBox,
  );
