import { type Sql, sql } from "@marketday/db";

/** Totes of a delivery's boxes, `order_id` and `tote`, from the newest version that has the box: a cancelled box keeps its number. */
export const totesOf = (deliveryId: Sql): Sql => sql`(
          select distinct on (b.order_id) b.order_id, b.tote from snapshot s join snapshot_box b on b.snapshot_id = s.id
          where s.delivery_id = ${deliveryId} and s.is_complete order by b.order_id, s.version desc)`;

/** Who brings a delivery's boxes by its newest route plan: `order_id`, `driver` and `stop`, both from 1. A gap has no row. */
export const stopsOf = (deliveryId: Sql): Sql => sql`(
          select x.id::int as order_id, r.driver::int as driver, x.stop::int as stop
          from (select p.routes from snapshot s join route_plan p on p.snapshot_id = s.id
            where s.delivery_id = ${deliveryId} and s.is_complete order by s.version desc limit 1) plan
          cross join lateral jsonb_array_elements(plan.routes) with ordinality as r(ids, driver)
          cross join lateral jsonb_array_elements_text(r.ids) with ordinality as x(id, stop) where x.id is not null)`;

/** Where the box `o` goes: the pickup point `pp`, or the city of its address. */
export const placeOf = sql`coalesce(case when o.type = 'pickup' then pp.name else o.address->>'city' end, '')`;

/** The name of the customer `c`; empty when the account was deleted. */
export const nameOf = sql`case when c.deleted_at is null then trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) else '' end`;
