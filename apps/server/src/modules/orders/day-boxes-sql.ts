import { type Conn, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { boxBackColumns, boxMoneyColumns, boxMoneyRow } from "./box-money-sql.ts";
import { nameOf, placeOf, stopsOf, totesOf } from "./box-place-sql.ts";
import { boxNotes } from "./box-state-sql.ts";

const DayBoxRow = z.object({
  ...boxMoneyRow,
  back_cents: z.number(),
  back_failed_cents: z.number(),
  id: z.number(),
  statuses: z.array(z.string()),
  tote: z.number().nullable(),
  name: z.string(),
  units: z.number(),
  place: z.string(),
  type: z.string(),
  driver: z.number().nullable(),
  stop: z.number().nullable(),
  has_notes: z.boolean(),
});
const DayBoxesRow = z.object({
  hub: z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() }),
  boxes: z.array(DayBoxRow),
});
export type DayBoxesRow = z.infer<typeof DayBoxesRow>;

const hubId = (key: string): number | null => (/^[1-9]\d{0,8}$/.test(key) ? Number(key) : null);

/** Every box of a hub's delivery day (slug or id), by tote, then the oldest. Null: no such hub or day. Cents. */
export const findDayBoxes = (db: Conn, key: string, day: string) =>
  queryOne(
    db,
    sql`with d as (
          select d.id, d.hub_id from delivery d
          where d.day = ${day}::date
            and d.hub_id = (select k.id from hub k where k.slug = ${key} or k.id = ${hubId(key)}::int order by k.id limit 1)),
        money as materialized (
          select coalesce(o.add_on_to_id, o.id) as id, array_agg(o.status) as statuses, ${boxMoneyColumns}
          from d join orders o on o.delivery_id = d.id join hub h on h.id = o.hub_id left join payment y on y.id = o.payment_id
          group by coalesce(o.add_on_to_id, o.id)),
        unit as materialized (
          select m.id, coalesce(sum(i.quantity), 0)::int as units
          from d join orders o on o.delivery_id = d.id join money m on m.id = coalesce(o.add_on_to_id, o.id) join order_item i on i.order_id = o.id
          where o.status <> 'cancelled' or m.is_cancelled group by m.id),
        back as materialized (
          select coalesce(o.add_on_to_id, o.id) as id, ${boxBackColumns}
          from d join orders o on o.delivery_id = d.id join refund r on r.order_id = o.id group by coalesce(o.add_on_to_id, o.id)),
        tote as materialized (select * from ${totesOf(sql`(select id from d)`)} t),
        stop as materialized (select * from ${stopsOf(sql`(select id from d)`)} s),
        box as (
          select m.*, coalesce(b.back_cents, 0) as back_cents, coalesce(b.back_failed_cents, 0) as back_failed_cents, t.tote, ${nameOf} as name,
            coalesce(u.units, 0) as units, ${placeOf} as place, o.type, s.driver, s.stop, ${boxNotes} <> '' as has_notes, o.created_at
          from money m join orders o on o.id = m.id left join unit u on u.id = m.id left join back b on b.id = m.id left join tote t on t.order_id = m.id
          left join stop s on s.order_id = m.id left join customer c on c.id = o.customer_id left join pickup_point pp on pp.id = o.pickup_point_id)
        select json_build_object('id', h.id, 'slug', h.slug, 'name', h.name, 'timeZone', h.time_zone) as hub,
          coalesce((select json_agg(to_json(box) order by box.tote, box.created_at, box.id) from box), '[]') as boxes
        from d join hub h on h.id = d.hub_id`,
    DayBoxesRow,
  );
