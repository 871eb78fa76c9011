import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import { isClosedDate, takesOrders } from "../hubs/delivery-sql.ts";

const instant = z.coerce.date();
const WeekRow = z.object({
  id: z.number(),
  day: z.string(),
  hub_since: z.date(),
  opens_at: z.date().nullable(),
  auto_checkout_at: z.date(),
  cutoff_at: z.date(),
  closes_at: z.date(),
  orders: z.record(z.string(), z.number()),
  runs: z.array(
    z.object({
      step: z.string(),
      state: z.string(),
      lease_until: instant,
      done_at: instant.nullable(),
      errors: z.array(z.string()),
    }),
  ),
});

/**
 * The last closed day, the later days whose orders are closed, and the day that is open for orders; by date. A closed date is
 * shown as long as it has orders to deliver.
 */
export const findWeek = (db: Conn, hubId: number, now: Date) =>
  query(
    db,
    sql`with days as (
          select d.*, ${takesOrders(sql`d`, now)} as takes_orders, exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'close' and r.state <> 'running') as is_closed
          from delivery d where d.hub_id = ${hubId}::int and (not ${isClosedDate(sql`d`)}
            or exists (select 1 from orders o where o.delivery_id = d.id and o.status in ('future', 'open', 'pending', 'closed')))),
        shown as (
          (select id from days where is_closed order by day desc limit 1)
          union (select id from days where not is_closed and not takes_orders
            and day > coalesce((select max(day) from days where is_closed), '-infinity'::date) order by day limit 8)
          union (select id from days where takes_orders order by day limit 1))
        select d.id, to_char(d.day, 'YYYY-MM-DD') as day, d.auto_checkout_at, d.cutoff_at, h.created_at as hub_since,
          (select max(b.cutoff_at) from delivery b where b.hub_id = d.hub_id and b.cutoff_at < d.cutoff_at) as opens_at,
          ((d.day + 1)::timestamp at time zone h.time_zone) as closes_at,
          coalesce((select json_object_agg(o.status, o.count) from (
            select status, count(*) from orders where delivery_id = d.id group by status) o), '{}') as orders,
          coalesce((select json_agg(json_build_object('step', r.step, 'state', r.state, 'lease_until', r.lease_until, 'done_at', r.done_at, 'errors', r.errors))
            from delivery_run r where r.delivery_id = d.id), '[]') as runs
        from days d join shown s on s.id = d.id join hub h on h.id = d.hub_id order by d.day`,
    WeekRow,
  );
