import { type Conn, query, sql } from "@marketday/db";
import { planWeek, type WeekLineItem } from "@marketday/domain/week-plan";
import { z } from "zod";

import type { Context } from "../../lib/context.ts";
import { takesOrders } from "../hubs/store.ts";
import { getHubByKey } from "./read-sheets.ts";
import { findHubKeys, findNewestVersion, findSnapshots, type HubKeyRow } from "./sheets-store.ts";

const instant = z.coerce.date();
const WeekRow = z.object({
  id: z.number(),
  day: z.string(),
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

/** The last closed day, the later days whose orders are closed, and the day that is open for orders; by date. */
const findWeek = (db: Conn, hubId: number, now: Date) =>
  query(
    db,
    sql`with days as (
          select d.*, ${takesOrders(sql`d`, now)} as takes_orders, exists (select 1 from delivery_run r where r.delivery_id = d.id and r.step = 'close' and r.state <> 'running') as is_closed
          from delivery d where d.hub_id = ${hubId}::int),
        shown as (
          (select id from days where is_closed order by day desc limit 1)
          union (select id from days where not is_closed and not takes_orders
            and day > coalesce((select max(day) from days where is_closed), '-infinity'::date) order by day limit 8)
          union (select id from days where takes_orders order by day limit 1))
        select d.id, to_char(d.day, 'YYYY-MM-DD') as day, d.auto_checkout_at, d.cutoff_at,
          (select max(b.cutoff_at) from delivery b where b.hub_id = d.hub_id and b.cutoff_at < d.cutoff_at) as opens_at,
          ((d.day + 1)::timestamp at time zone h.time_zone) as closes_at,
          coalesce((select json_object_agg(o.status, o.count) from (
            select status, count(*) from orders where delivery_id = d.id group by status) o), '{}') as orders,
          coalesce((select json_agg(json_build_object('step', r.step, 'state', r.state, 'lease_until', r.lease_until, 'done_at', r.done_at, 'errors', r.errors))
            from delivery_run r where r.delivery_id = d.id), '[]') as runs
        from days d join shown s on s.id = d.id join hub h on h.id = d.hub_id order by d.day`,
    WeekRow,
  );

/** A hub's delivery days with their steps and the number of orders in each state. */
export interface WeekOfHub {
  hub: HubKeyRow;
  days: { day: string; orders: Record<string, number>; version: number | null; steps: WeekLineItem[] }[];
}

/** The steps of a hub that are due, done and late (docs/product.md §14). @throws AppError 404 for an unknown hub */
export const readWeek = async (ctx: Context, key: string): Promise<WeekOfHub> =>
  weekOf(ctx, await getHubByKey(ctx, key));

/** `readWeek` for every hub, by name. */
export async function readWeeks(ctx: Context): Promise<WeekOfHub[]> {
  const weeks: WeekOfHub[] = [];
  for (const hub of await findHubKeys(ctx.deps.db)) weeks.push(await weekOf(ctx, hub));
  return weeks;
}

async function weekOf({ deps, now }: Context, hub: HubKeyRow): Promise<WeekOfHub> {
  const days: WeekOfHub["days"] = [];
  for (const row of await findWeek(deps.db, hub.id, now)) {
    const newest = await findNewestVersion(deps.db, row.id);
    const frozen = newest && (await findSnapshots(deps.db, row.id)).at(-1);
    const steps = planWeek(
      {
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
        snapshot: frozen ? { version: newest.version, frozenAt: frozen.frozen_at, isStale: newest.is_stale } : null,
      },
      now,
    );
    days.push({ day: row.day, orders: row.orders, version: newest?.version ?? null, steps });
  }
  return { hub, days };
}
