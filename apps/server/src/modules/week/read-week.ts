import { planWeek, type WeekLineItem } from "@marketday/domain/week-plan";

import { findHubKeys, type HubKeyRow } from "../hubs/directory-store.ts";
import { getHubByKey } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";
import { findNewestVersion } from "./sheets-sql.ts";
import { findSnapshots } from "./sheets-store.ts";
import { findWeek } from "./week-sql.ts";

/** A hub's delivery days with their steps and the number of orders in each state. */
export interface WeekOfHub {
  hub: HubKeyRow;
  /** When it was read. */
  now: Date;
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
        snapshot: frozen ? { version: newest.version, frozenAt: frozen.frozen_at, isStale: newest.is_stale } : null,
      },
      now,
    );
    days.push({ day: row.day, orders: row.orders, version: newest?.version ?? null, steps });
  }
  return { hub, now, days };
}
