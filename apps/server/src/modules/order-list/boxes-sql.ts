import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import { boxBackColumns, boxMoneyColumns, boxMoneyRow } from "../orders/box-money-sql.ts";
import { nameOf, placeOf, stopsOf } from "../orders/box-place-sql.ts";
import { addressText, boxOf, hasNotes, hasProblem, isFirstBox, toteOfBox } from "./filter-sql.ts";

const ListedBox = z.object({
  ...boxMoneyRow,
  back_cents: z.number(),
  back_failed_cents: z.number(),
  id: z.number(),
  hub: z.object({ id: z.number(), slug: z.string(), name: z.string(), timeZone: z.string() }),
  day: z.string(),
  tote: z.number().nullable(),
  customer_id: z.number().nullable(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  statuses: z.array(z.string()),
  lines: z.number(),
  units: z.number(),
  matching_units: z.number().nullable(),
  place: z.string(),
  zip: z.string(),
  address: z.string(),
  type: z.string(),
  driver: z.number().nullable(),
  stop: z.number().nullable(),
  placed_at: z.date(),
  has_notes: z.boolean(),
  is_auto: z.boolean(),
  is_first: z.boolean(),
  has_problem: z.boolean(),
});
/** A box in the list of orders. Cents. */
export type ListedBox = z.infer<typeof ListedBox>;

/** Boxes by the ids of their first orders, in this order, with the units that match the filter. */
export const findListedBoxes = (
  db: Conn,
  { ids, units }: { ids: readonly number[]; units: readonly (number | null)[] },
): Promise<ListedBox[]> =>
  query(
    db,
    sql`with page as materialized (select p.id, p.units, p.place from unnest(${[...ids]}::int[], ${[...units]}::int[]) with ordinality as p(id, units, place)),
        o as materialized (select o.*, k.id as box_id from page k join orders o on ${boxOf} = k.id),
        money as materialized (
          select o.box_id as id, array_agg(o.status) as statuses, ${boxMoneyColumns}
          from o join hub h on h.id = o.hub_id left join payment y on y.id = o.payment_id group by o.box_id),
        unit as materialized (
          select m.id, count(*) filter (where i.quantity > 0)::int as lines, sum(i.quantity)::int as units
          from money m join o on o.box_id = m.id join order_item i on i.order_id = o.id where o.status <> 'cancelled' or m.is_cancelled group by m.id),
        back as materialized (select o.box_id as id, ${boxBackColumns} from o join refund r on r.order_id = o.id group by o.box_id),
        stop as materialized (select t.* from (select distinct delivery_id as id from o) d cross join lateral ${stopsOf(sql`d.id`)} t)
        select m.*, coalesce(r.back_cents, 0) as back_cents, coalesce(r.back_failed_cents, 0) as back_failed_cents,
          json_build_object('id', h.id, 'slug', h.slug, 'name', h.name, 'timeZone', h.time_zone) as hub, to_char(d.day, 'YYYY-MM-DD') as day, ${toteOfBox} as tote,
          case when c.deleted_at is null then c.id end as customer_id, ${nameOf} as name, coalesce(c.email, '') as email, coalesce(c.phone, '') as phone,
          coalesce(u.lines, 0) as lines, coalesce(u.units, 0) as units, p.units as matching_units,
          o.place, coalesce(case when b.type = 'delivery' then b.address->>'zipCode' end, '') as zip,
          coalesce(case when b.type = 'delivery' then ${addressText(sql`b`)} end, '') as address, b.type,
          s.driver, s.stop, b.created_at as placed_at, ${hasNotes} as has_notes, b.source = 'auto' as is_auto, ${isFirstBox} as is_first, ${hasProblem} as has_problem
        from page p join money m on m.id = p.id join orders b on b.id = p.id join hub h on h.id = b.hub_id join delivery d on d.id = b.delivery_id
        cross join lateral (select ${placeOf} as place from orders o left join pickup_point pp on pp.id = o.pickup_point_id where o.id = b.id) o
        left join unit u on u.id = m.id left join back r on r.id = m.id left join stop s on s.order_id = m.id left join customer c on c.id = b.customer_id
        order by p.place`,
    ListedBox,
  );
