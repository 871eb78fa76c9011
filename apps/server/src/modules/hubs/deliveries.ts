import type { Db } from "@marketday/db";
import { isWeekday } from "@marketday/domain/calendar-date";
import { deliveryDaysFrom } from "@marketday/domain/delivery";

import type { Deps } from "../../deps.ts";
import { insertDeliveries, type NewDelivery } from "./day-store.ts";
import { findNextDeliveries } from "./delivery-sql.ts";
import { type DeliveryPlan, findPlans } from "./directory-store.ts";

/** A delivery day as stored: `day` in the hub's zone, `YYYY-MM-DD`. */
export interface NextDelivery {
  id: number;
  day: string;
  cutoff_at: Date;
  auto_checkout_at: Date;
}

/**
 * The first delivery of each hub that still takes orders at `now`, by hub id. Cached until the first of their cutoffs or a change of
 * the hubs; until then the same map.
 */
export async function nextDeliveries(deps: Deps, now: Date): Promise<ReadonlyMap<number, NextDelivery>> {
  const load = async () => {
    const rows = await findNextDeliveries(deps.db, now);
    return {
      byHub: new Map(rows.map(({ hub_id: hubId, ...delivery }) => [hubId, delivery])),
      from: now,
      until: new Date(Math.min(8.64e15, ...rows.map((row) => row.cutoff_at.getTime()))),
    };
  };
  const read = async () => (await deps.cache.getFresh("hubs", "deliveries", load, { bytes: 0 })).value;
  const known = await read();
  if (now >= known.from && now < known.until) return known.byHub;
  deps.cache.dropKey("hubs", "deliveries");
  return (await read()).byHub;
}

/** The hub's next delivery; null when none is planned. */
export async function nextDelivery(deps: Deps, hubId: number, now: Date): Promise<NextDelivery | null> {
  return (await nextDeliveries(deps, now)).get(hubId) ?? null;
}

const planned = (plan: DeliveryPlan, now: Date): NewDelivery[] => {
  if (!isWeekday(plan.delivery_day))
    throw new RangeError(`Hub ${plan.id} delivers on ${plan.delivery_day}, which is no weekday.`);
  const have = new Set(plan.days);
  return deliveryDaysFrom({
    weekday: plan.delivery_day,
    zone: plan.time_zone,
    now,
    closures: plan.closures,
  })
    .filter(({ day, cutoff }) => cutoff > now && !have.has(day))
    .map(({ day, cutoff, autoCheckoutAt }) => ({ hubId: plan.id, day, cutoff, autoCheckoutAt }));
};

/**
 * Plans a hub's delivery days for the next 12 weeks (docs/product.md §4). Existing days stay; a second run writes nothing, so that
 * no cache is dropped for it.
 * @returns the number of new days
 */
export async function ensureDeliveries(db: Db, hub: { id: number }, now: Date): Promise<number> {
  const missing = (await findPlans(db, hub.id, now)).flatMap((plan) => planned(plan, now));
  return missing.length === 0 ? 0 : insertDeliveries(db, missing);
}

/** The same for every published hub, in two statements. */
export async function ensureAllDeliveries(db: Db, now: Date): Promise<number> {
  const missing = (await findPlans(db, null, now)).flatMap((plan) => planned(plan, now));
  return missing.length === 0 ? 0 : insertDeliveries(db, missing);
}
