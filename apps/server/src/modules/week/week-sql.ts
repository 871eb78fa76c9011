import { type Conn, query, type Sql, sql } from "@marketday/db";
import type { WeekDay } from "@marketday/domain/week-plan";
import { z } from "zod";

import { isClosedDate, takesOrders } from "../hubs/delivery-sql.ts";
import { isStale } from "./sheets-sql.ts";

const instant = z.coerce.date();
/** A delivery day of the week. `version`, `frozen_at`, `is_stale`: of the newest frozen version, null without one. */
export const WeekRow = z.object({
  id: z.number(),
  hub_id: z.number(),
  day: z.string(),
  hub_since: z.date(),
  opens_at: z.date().nullable(),
  auto_checkout_at: z.date(),
  cutoff_at: z.date(),
  closes_at: z.date(),
  runs: z.array(
    z.object({
      step: z.string(),
      state: z.string(),
      lease_until: instant,
      done_at: instant.nullable(),
      errors: z.array(z.string()),
    }),
  ),
  snapshot_id: z.number().nullable(),
  version: z.number().nullable(),
  frozen_at: z.date().nullable(),
  is_stale: z.boolean().nullable(),
});
type WeekRow = z.infer<typeof WeekRow>;

/** Whether the clockwork has closed delivery `d`. */
const isClosed = (d: Sql): Sql =>
  sql`exists (select 1 from delivery_run r where r.delivery_id = ${d}.id and r.step = 'close' and r.state <> 'running')`;

/** A closed date is shown as long as it has orders to deliver. */
const isShown = (d: Sql): Sql => sql`(not ${isClosedDate(d)}
  or exists (select 1 from orders o where o.delivery_id = ${d}.id and o.status in ('future', 'open', 'pending', 'closed')))`;

/**
 * Of each hub `h` that meets a condition: the last closed day, the later days whose orders are closed, and the day that is open for
 * orders, with the columns of `WeekRow`. Whether sheets are stale is only read until the day is over.
 */
export const weekDays = (hubs: Sql, now: Date): Sql => sql`
        select d.id, d.hub_id, to_char(d.day, 'YYYY-MM-DD') as day, d.auto_checkout_at, d.cutoff_at, h.created_at as hub_since,
          (select max(b.cutoff_at) from delivery b where b.hub_id = d.hub_id and b.cutoff_at < d.cutoff_at) as opens_at, times.closes_at,
          coalesce((select json_agg(json_build_object('step', r.step, 'state', r.state, 'lease_until', r.lease_until, 'done_at', r.done_at, 'errors', r.errors))
            from delivery_run r where r.delivery_id = d.id), '[]') as runs,
          s.id as snapshot_id, s.version, s.frozen_at,
          case when s.id is null then null when times.closes_at <= ${now} then false else ${isStale(sql`s`, sql`d.id`)} end as is_stale
        from hub h
        left join lateral (
          select x.day from delivery x where x.hub_id = h.id and ${isShown(sql`x`)} and ${isClosed(sql`x`)} order by x.day desc limit 1) last on true
        cross join lateral (
          (select x.id from delivery x where x.hub_id = h.id and x.day = last.day)
          union (select x.id from delivery x where x.hub_id = h.id and x.day > coalesce(last.day, '-infinity') and not ${takesOrders(sql`x`, now)} and ${isShown(sql`x`)}
            order by x.day limit 8)
          union (select x.id from delivery x where x.hub_id = h.id and ${takesOrders(sql`x`, now)} order by x.day limit 1)) shown
        join delivery d on d.id = shown.id
        cross join lateral (select ((d.day + 1)::timestamp at time zone h.time_zone) as closes_at) times
        left join lateral (select v.id, v.version, v.frozen_at from snapshot v where v.delivery_id = d.id and v.is_complete order by v.version desc limit 1) s on true
        where ${hubs}`;

const WeekOrdersRow = WeekRow.extend({ orders: z.record(z.string(), z.number()) });

/** The days of one hub, or (null) of all, with their orders by status; by date. */
export const findWeeks = (db: Conn, hubId: number | null, now: Date): Promise<z.infer<typeof WeekOrdersRow>[]> =>
  query(
    db,
    sql`with week as materialized (${weekDays(sql`(${hubId}::int is null or h.id = ${hubId}::int)`, now)})
        select week.*, coalesce((select json_object_agg(o.status, o.count) from (
            select status, count(*) from orders where delivery_id = week.id group by status) o), '{}') as orders
        from week order by week.day, week.id`,
    WeekOrdersRow,
  );

/** A row as the rules take it. */
export const toWeekDay = (row: WeekRow): WeekDay => ({
  hubSince: row.hub_since,
  opensAt: row.opens_at,
  autoCheckoutAt: row.auto_checkout_at,
  cutoffAt: row.cutoff_at,
  closesAt: row.closes_at,
  runs: row.runs.map((run) => ({
    step: run.step,
    state: run.state,
    leaseUntil: new Date(run.lease_until),
    doneAt: run.done_at === null ? null : new Date(run.done_at),
    errors: run.errors,
  })),
  snapshot:
    row.version === null || row.frozen_at === null
      ? null
      : { version: row.version, frozenAt: row.frozen_at, isStale: row.is_stale === true },
});
