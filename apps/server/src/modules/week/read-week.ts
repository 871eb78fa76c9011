import { planWeek, type WeekLineItem } from "@marketday/domain/week-plan";

import { findHubKeys, type HubKeyRow } from "../hubs/directory-store.ts";
import { getHubByKey } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { findWeeks, toWeekDay } from "./week-sql.ts";

/** A hub's delivery days with their steps and the number of orders in each state. */
export interface WeekOfHub {
  hub: HubKeyRow;
  /** When it was read. */
  now: Date;
  days: { day: string; orders: Record<string, number>; version: number | null; steps: WeekLineItem[] }[];
}

/** The steps of a hub that are due, done and late (docs/product.md §14). @throws AppError 404 for an unknown hub */
export async function readWeek(ctx: Context, key: string): Promise<WeekOfHub> {
  const hub = await getHubByKey(ctx, key);
  return weekOf(hub, await findWeeks(ctx.deps.db, hub.id, ctx.now), ctx.now);
}

/** `readWeek` for every hub, by name. */
export async function readWeeks({ deps, now }: Context): Promise<WeekOfHub[]> {
  const rows = Map.groupBy(await findWeeks(deps.db, null, now), (row) => row.hub_id);
  return (await findHubKeys(deps.db)).map((hub) => weekOf(hub, rows.get(hub.id) ?? [], now));
}

const weekOf = (hub: HubKeyRow, rows: Awaited<ReturnType<typeof findWeeks>>, now: Date): WeekOfHub => ({
  hub,
  now,
  days: rows.map((row) => ({
    day: row.day,
    orders: row.orders,
    version: row.version,
    steps: planWeek(toWeekDay(row), now),
  })),
});
